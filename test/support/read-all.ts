import type { OpenSnapshot } from '../../loaders/snapshot/snapshot.ts';

/** Texts of all selected files of a snapshot by path; null where one can't be read. */
export async function readAll(snapshot: OpenSnapshot): Promise<Record<string, string | null>> {
  const texts: Record<string, string | null> = {};
  for await (const { path, content } of snapshot.read(snapshot.files.map((file) => file.path)))
    texts[path] = content === null ? null : Buffer.from(content).toString('utf8');
  return texts;
}

/** The error that a promise ends with; fails when it does not. */
export async function failure(promise: Promise<unknown>): Promise<Error & { code?: unknown }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('should have failed');
}
