import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';

const credentialsSchema = z.object({
  /** Where the service is. */
  url: z.url(),
  session_id: z.string(),
  api_key: z.string(),
  organization: z.string(),
  role: z.string(),
  expires_at: z.string(),
});

/** What lets this command line in: one service's, in a file that only its user can read. */
export type Credentials = z.infer<typeof credentialsSchema>;

/** Null when there are none. */
export async function readCredentials(file: string): Promise<Credentials | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`The key in ${file} can't be read: ${error.message}.`, { cause: error });
  });
  if (text === null) return null;
  try {
    return credentialsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is damaged: remove it, and let this command line in again with repo-intel login.`, {
      cause,
    });
  }
}

/** The folder, for nobody but this user. Throws where none can be made. */
export async function prepareCredentials(file: string): Promise<void> {
  const folder = dirname(file);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // It may be there from before, with the rights that folders usually have.
    await chmod(folder, 0o700);
  } catch (cause) {
    throw new Error(`The key can't be kept in ${folder}: ${(cause as Error).message}.`, { cause });
  }
}

/** The old file or the new one, whatever happens. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await prepareCredentials(file);
  await writeFileAtomic(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
}

export const removeCredentials = (file: string): Promise<void> => rm(file, { force: true });
