import { posix } from 'node:path';

/** A folder and those above it, up to the root. */
export function foldersUp(folder: string): string[] {
  return folder === '.' ? ['.'] : [folder, ...foldersUp(posix.dirname(folder))];
}
