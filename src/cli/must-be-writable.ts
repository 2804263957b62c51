import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Throws where a file can't be written: before the work, not after it. */
export async function mustBeWritable(file: string): Promise<void> {
  const folder = dirname(resolve(file));
  const isWritable = (path: string) =>
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    );
  if (!(await isWritable(file)) && !(await isWritable(folder)))
    throw new Error(`${file} can't be written: ${folder} is no folder that you may write to.`);
}
