import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../stores/durable.ts';
import type { KeyDigest } from '../stores/relational/port.ts';
import { digestApiKey } from './api-key.ts';

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

/** Gives what is kept in place of a key under this pepper. */
export function keyDigester(pepper: string): (key: string) => KeyDigest {
  const id = pepperId(pepper);
  return (key) => ({ digest: digestApiKey(key, pepper), pepperId: id });
}

/** Tells one pepper from another: 32 bits of a digest, which say nothing of the pepper. */
export function pepperId(pepper: string): string {
  return createHash('sha256').update(`pepper ${pepper}`).digest('hex').slice(0, 8);
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
  await syncFolder(folder);
  return pepper;
}
