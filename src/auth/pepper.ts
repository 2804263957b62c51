import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The secret that API keys are digested under: the one configured, else one that is made once and kept in the data folder,
 * which the caller has locked.
 */
export async function apiKeyPepper(config: { apiKeyPepper: string | undefined; dataDir: string }): Promise<string> {
  if (config.apiKeyPepper !== undefined) return config.apiKeyPepper;
  const file = join(config.dataDir, 'pepper');
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (kept === null) return makePepper(config.dataDir, file);
  if (kept.length >= 32) return kept;
  throw new Error(`${file} is damaged: put the file back from a copy, or remove it and make new API keys.`);
}

/** On the disk, whole, before the first key depends on it. */
async function makePepper(folder: string, file: string): Promise<string> {
  const pepper = randomBytes(32).toString('base64url');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    await handle.writeFile(pepper);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  return pepper;
}
