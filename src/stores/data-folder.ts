import { chmod, lstat, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readOwner } from './data-folder-holder.ts';
import type { DataFolderOwner } from './data-folder-holder.ts';

/** The folder is ours until `release`, or until this process ends, however it ends. */
export interface DataFolderLock {
  /** The folder was there before, and other users of this machine may look into it. */
  isOpenToOthers: boolean;
  /** Tells the processes that come second where this one serves and takes work. */
  announce(where: Partial<Pick<DataFolderOwner, 'address' | 'control'>>): Promise<void>;
  release(): Promise<void>;
}

/** Somebody else has the folder; `message` is one sentence for people. */
export interface DataFolderHeld {
  held: { message: string; owner: DataFolderOwner | null; control: DataFolderOwner['control'] };
}

/**
 * Takes a data folder, which it makes when there is none, for this process alone; or says who holds it.
 *
 * The lock is SQLite's on a file that is never written: the operating system's own, on every system, and gone with the process
 * that held it. So nothing is ever stale, and no process id has to be trusted. Beside it lies what the holder says of itself.
 */
export async function lockDataFolder(
  folder: string,
  command = ['repo-intel', ...process.argv.slice(2)].join(' '),
): Promise<DataFolderLock | DataFolderHeld> {
  const file = join(folder, 'owner.json');
  const lock = await makeAndTake(folder).catch((error: unknown) => {
    throw unusable(folder, error);
  });
  if (!lock) {
    const owner = await readOwner(file);
    return { held: { message: inUse(folder, owner), owner, control: owner?.control ?? null } };
  }
  const isOpenToOthers = await closeToOthers(folder);
  let owner: DataFolderOwner = {
    pid: process.pid,
    command,
    since: new Date().toISOString(),
    address: null,
    control: null,
  };
  const write = async () => {
    // Another file renamed, so that nobody reads half of it; its mode is set before the token is in it.
    await writeFile(`${file}.new`, JSON.stringify(owner), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  try {
    await rm(`${file}.new`, { force: true });
    await write();
  } catch (error) {
    lock.close();
    throw unusable(folder, error);
  }
  return {
    isOpenToOthers,
    async announce(where) {
      owner = { ...owner, ...where };
      await write();
    },
    async release() {
      if (!lock.isOpen) return;
      await rm(file, { force: true });
      lock.close();
    },
  };
}

function unusable(folder: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  const message = `The data folder ${folder} can't be used (${why}): choose one that you may write to with DATA_DIR.`;
  return new Error(message, { cause: error });
}

/**
 * Files of ours, which an older version or another umask left to be read by all, are closed to others. The folder itself is its
 * owner's to decide: whether others may look into it is told.
 */
async function closeToOthers(folder: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  for (const name of ours) await close(join(folder, name));
  return ((await stat(folder)).mode & 0o077) !== 0;
}

/** What lies in a data folder; clones are git's, and what was minted is there to be read. */
const ours = [
  'lock',
  'owner.json',
  'pepper',
  'usage',
  'postgres',
  'cache',
  ...['graph.sqlite', 'search.sqlite', 'source.sqlite'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
];

/** With all that is in it; a folder that is closed has been gone through. */
async function close(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  // A link may lead anywhere.
  if (!found || found.isSymbolicLink() || (found.mode & 0o077) === 0) return;
  const inside = found.isDirectory() ? await readdir(path).catch(() => []) : [];
  for (const name of inside) await close(join(path, name));
  // Of another user: only that one can.
  await chmod(path, found.mode & 0o700).catch(() => {});
}

async function makeAndTake(folder: string): Promise<DatabaseSync | null> {
  // Only a folder made here is closed to others: one that was there is its owner's to decide.
  if (await makeFolder(folder)) await chmod(folder, 0o700);
  return take(join(folder, 'lock'));
}

/**
 * With those above it; false where it is there. Node's own `recursive` never ends where the kernel refuses a folder inside of one that
 * is there, as in /proc.
 */
async function makeFolder(folder: string): Promise<boolean> {
  const refused = await mkdir(folder).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
  if (refused === null) return true;
  const isThere = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() === true;
  if (refused.code === 'EEXIST' && (await isThere(folder))) return false;
  if (refused.code !== 'ENOENT' || (await isThere(dirname(folder)))) throw refused;
  await makeFolder(dirname(folder));
  await mkdir(folder);
  return true;
}

function take(file: string): DatabaseSync | null {
  // Of two that begin at once each may find the other's first step in its way: they try again for a moment.
  const database = new DatabaseSync(file, { timeout: 500 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null;
    throw error;
  }
}

const sqliteBusy = 5;

function inUse(folder: string, owner: DataFolderOwner | null): string {
  if (!owner) return `The data folder ${folder} is in use by another process.`;
  const { pid, command, since, address } = owner;
  const serving = address === null ? '' : `, serving at ${address}`;
  return `The data folder ${folder} is in use by process ${pid} (${command}) since ${since}${serving}.`;
}
