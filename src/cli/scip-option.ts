import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Option } from 'commander';
import type { ScipFile } from '../../loaders/scip/compiled.ts';

/** `--scip FILE`, which may be repeated. */
export const scipOption = () =>
  new Option(
    '--scip <file>',
    'SCIP index of the tree, as scip-typescript or scip-java makes it: outranks what is found without a compiler; may be repeated',
  ).argParser((file: string, files: readonly string[] | undefined) => [...(files ?? []), file]);

/** Reads the indexes that were named; throws one sentence for what is none. */
export async function readScip(files: readonly string[] | undefined): Promise<ScipFile[] | undefined> {
  if (files === undefined) return undefined;
  const { readScipIndex } = await import('../../loaders/scip/read-index.ts');
  return Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file).catch((cause: unknown) => {
        const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
        throw new Error(`The SCIP index ${file} can't be read (${why}).`, { cause });
      });
      return { ...readScipIndex(bytes, file), sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
}
