import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Accounts } from '../stores/relational/port.ts';
import { lastBackupOf } from './last-backup.ts';
import { keptNames } from './manifest.ts';

/**
 * Throws where a data folder had a database and has none now: to make a new one there would hand out a new owner's key and empty graph
 * and search. That it had one is told by the pepper, which is made after it, and by a backup.
 */
export async function refuseLostDatabase({ dataDir, folder }: { dataDir: string; folder: string }): Promise<void> {
  const state = await stateOf(folder);
  if (state === 'there') return;
  const hasPepper = await exists(join(dataDir, keptNames.pepper));
  const hasBackup = (await lastBackupOf(dataDir)) !== null;
  if (!hasPepper && !hasBackup && state !== 'damaged') return;
  const what = { missing: 'is missing', empty: 'is empty', damaged: 'is damaged: it has no PG_VERSION' }[state];
  const evidence = hasBackup ? ', of which there is a backup' : ', whose pepper is here';
  throw new Error(
    `The database ${folder} ${what}${state === 'damaged' ? '' : evidence}. Nothing was changed. ${await wayOut(dataDir)}`,
  );
}

/** Throws where API keys are digested under a pepper that is gone: under a new one none of them would be let in. */
export async function refuseLostPepper(
  { dataDir, apiKeyPepper }: { dataDir: string; apiKeyPepper: string | undefined },
  { keysByPepper }: Pick<Accounts, 'keysByPepper'>,
): Promise<void> {
  const file = join(dataDir, keptNames.pepper);
  if (apiKeyPepper !== undefined || (await exists(file))) return;
  const keys = (await keysByPepper()).reduce((sum, { keys }) => sum + keys, 0);
  if (keys === 0) return;
  throw new Error(
    `${file} is missing, the secret under which ${keys === 1 ? 'the API key is' : `${keys} API keys are`} kept: without it none is let in. Nothing was changed. Put it back from a copy, or take it out of a backup: \`tar -xf BACKUP -C ${dataDir} ${keptNames.pepper}\`; or set API_KEY_PEPPER, to the same or to a new one with which only new keys are good.`,
  );
}

/** What to do where a data folder's database can't be had: for people. */
export async function wayOut(dataDir: string): Promise<string> {
  const last = await lastBackupOf(dataDir);
  const from = last ? `${last.file} (of ${last.made_at})` : 'your backup';
  return `To restore it, move the folder ${dataDir} away and run \`repo-intel restore ${last?.file ?? 'FILE'}\` with ${from}; to begin with nothing, move it away and start.`;
}

async function stateOf(folder: string): Promise<'there' | 'missing' | 'empty' | 'damaged'> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`The database ${folder} can't be read (${error.message}).`, { cause: error });
  });
  if (names === null) return 'missing';
  if (names.length === 0) return 'empty';
  // A first start that was killed while it made the cluster makes it again.
  if (names.includes('PG_VERSION') || (await exists(`${folder}.unfinished`))) return 'there';
  return 'damaged';
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
