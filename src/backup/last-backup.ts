import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';

const lastBackupSchema = z.object({
  /** RFC 3339, UTC. */
  made_at: z.iso.datetime(),
  file: z.string(),
  /** Of the whole file, as `sha256sum` gives it. */
  sha256: z.string(),
});

/** The last backup that was made of a data folder, or that it was restored from. */
export type LastBackup = z.infer<typeof lastBackupSchema>;

const fileIn = (dataDir: string) => join(dataDir, 'backup.json');

/** Null when none was ever made; what can't be read says nothing. */
export async function lastBackupOf(dataDir: string): Promise<LastBackup | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => '');
  try {
    return lastBackupSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export async function noteLastBackup(dataDir: string, backup: LastBackup): Promise<void> {
  await writeFileAtomic(fileIn(dataDir), JSON.stringify(backup), { mode: 0o600 });
}
