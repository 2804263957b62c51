import { createHash } from 'node:crypto';
import type { ScipFile } from '../../loaders/scip/compiled.ts';
import { filesOption, readNamed } from './files-option.ts';

/** `--scip FILE`, which may be repeated. */
export const scipOption = () =>
  filesOption(
    '--scip <file>',
    'SCIP index of the tree, as scip-typescript or scip-java makes it: outranks what is found without a compiler',
  );

/** Reads the indexes that were named; throws one sentence for what is none. */
export async function readScip(files: readonly string[] | undefined): Promise<ScipFile[] | undefined> {
  if (files === undefined) return undefined;
  const { readScipIndex } = await import('../../loaders/scip/read-index.ts');
  return Promise.all(
    files.map(async (file) => {
      const bytes = await readNamed(file, 'SCIP index');
      return { ...readScipIndex(bytes, file), sha256: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
}
