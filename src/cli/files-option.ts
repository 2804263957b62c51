import { readFile } from 'node:fs/promises';
import { Option } from 'commander';

/** An option that names a file, and may be repeated. */
export const filesOption = (flags: string, description: string) =>
  new Option(flags, `${description}; may be repeated`).argParser(
    (file: string, files: readonly string[] | undefined) => [...(files ?? []), file],
  );

/** Reads a file that was named; throws one sentence, in which it is called so, where that fails. */
export async function readNamed(file: string, called: string): Promise<Buffer> {
  return readFile(file).catch((cause: unknown) => {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new Error(`The ${called} ${file} can't be read (${why}).`, { cause });
  });
}
