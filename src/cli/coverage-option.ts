import { basename } from 'node:path';
import type { CoverageFile } from '../../loaders/metrics/test-coverage/coverage-report.ts';
import { filesOption, readNamed } from './files-option.ts';

/** `--coverage FILE`, which may be repeated. */
export const coverageOption = () =>
  filesOption(
    '--coverage <file>',
    'report of a test run (LCOV, Cobertura, JaCoCo, Clover, Go), in place of those in the tree',
  );

/** Reads the reports that were named; throws one sentence for what is none. */
export async function readCoverage(files: readonly string[] | undefined): Promise<CoverageFile[] | undefined> {
  if (files === undefined) return undefined;
  const { readCoverageReport } = await import('../../loaders/metrics/test-coverage/coverage-report.ts');
  return Promise.all(
    files.map(async (file) => {
      const text = (await readNamed(file, 'coverage report')).toString();
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
