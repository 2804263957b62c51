import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Option } from 'commander';
import type { CoverageFile } from '../../loaders/metrics/test-coverage/coverage-report.ts';

/** `--coverage FILE`, which may be repeated. */
export const coverageOption = () =>
  new Option(
    '--coverage <file>',
    'report of a test run (LCOV, Cobertura, JaCoCo, Clover, Go), in place of those in the tree; may be repeated',
  ).argParser((file: string, files: readonly string[] | undefined) => [...(files ?? []), file]);

/** Reads the reports that were named; throws one sentence for what is none. */
export async function readCoverage(files: readonly string[] | undefined): Promise<CoverageFile[] | undefined> {
  if (files === undefined) return undefined;
  const { readCoverageReport } = await import('../../loaders/metrics/test-coverage/coverage-report.ts');
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8').catch((cause: unknown) => {
        const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
        throw new Error(`The coverage report ${file} can't be read (${why}).`, { cause });
      });
      if (!isReport(text, readCoverageReport))
        throw new Error(
          `${file} is no coverage report that could be read: it must be of LCOV, Cobertura, JaCoCo, Clover or Go, and whole.`,
        );
      return { name: basename(file), text };
    }),
  );
}

function isReport(text: string, read: (text: string) => readonly { lines: ReadonlyMap<number, boolean> }[]): boolean {
  try {
    return read(text).some(({ lines }) => lines.size > 0);
  } catch {
    return false;
  }
}
