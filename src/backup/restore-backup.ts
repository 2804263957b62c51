import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { lockDataFolder } from '../stores/data-folder.ts';
import { syncAllIn, syncFolder } from '../stores/durable.ts';
import type { RelationalStore } from '../stores/relational/port.ts';
import { unpackArchive } from './archive.ts';
import { noteLastBackup } from './last-backup.ts';
import { backupFormat, keptNames, manifestName, manifestSchema } from './manifest.ts';
import type { Manifest } from './manifest.ts';

/** Where the files are until all of them have proven whole. */
const unfinished = 'restore.unfinished';
/** What an empty data folder may hold: of the lock, and of a file system. */
const ofNobody: ReadonlySet<string> = new Set(['lock', 'owner.json', 'owner.json.new', 'lost+found']);

export interface Restored {
  manifest: Manifest;
  sha256: string;
  repositories: number;
  api_keys: number;
}

/**
 * Puts a backup into a data folder that is empty or not there. Nothing is put in place before all of it was read, is as its manifest
 * says, and a database was opened on it; where anything fails, the folder is as it was. `openDatabase` opens one on a folder.
 */
export async function restoreBackup({
  file,
  dataDir,
  sha256: wanted,
  openDatabase,
}: {
  file: string;
  dataDir: string;
  /** The digest that was printed when the backup was made, to be compared. */
  sha256: string | undefined;
  openDatabase: (folder: string) => Promise<RelationalStore>;
}): Promise<Restored> {
  const wasThere = await mustBeEmpty(dataDir);
  const sha256 = await digestOf(file);
  if (wanted !== undefined && wanted.toLowerCase() !== sha256) {
    throw new Error(`${file} is not the backup with that digest: its own is ${sha256}. Nothing was restored.`);
  }
  const lock = await lockDataFolder(dataDir);
  if ('held' in lock) throw new Error(lock.held.message);
  const folder = join(dataDir, unfinished);
  let isDone = false;
  try {
    await mustBeEmpty(dataDir);
    await removeLeftOver(dataDir);
    await mkdir(folder, { mode: 0o700 });
    const manifest = await unpack(file, folder).catch((error: unknown) => {
      throw new Error(`${file} can't be restored: ${sentence(error)}. Nothing was restored.`, { cause: error });
    });
    const counts = await tryDatabase(openDatabase, join(folder, keptNames.database), manifest);
    await syncAllIn(folder);
    await noteLastBackup(folder, { made_at: manifest.made_at, file: resolve(file), sha256 });
    // The database last: without it no service starts here.
    const names = (await readdir(folder)).sort((a, b) => Number(isDatabase(a)) - Number(isDatabase(b)));
    for (const name of names) await rename(join(folder, name), join(dataDir, name));
    await rm(folder, { recursive: true });
    await syncFolder(dataDir);
    isDone = true;
    return { manifest, sha256, ...counts };
  } finally {
    if (!isDone) await removeLeftOver(dataDir);
    await lock.release();
    if (!isDone && !wasThere) await rm(dataDir, { recursive: true, force: true });
  }
}

const isDatabase = (name: string) => `${name}/` === keptNames.database;

/** Whether it is there. Throws where anything is in it, but for what a restore left that was killed. */
async function mustBeEmpty(dataDir: string): Promise<boolean> {
  const names = await namesIn(dataDir);
  if (!names) return false;
  const found = names.filter((name) => !ofNobody.has(name));
  if (found.includes(unfinished) && !found.some(isDatabase)) return true;
  if (found.length === 0) return true;
  throw new Error(
    `The data folder ${dataDir} is not empty (${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}): move it away, or name another with DATA_DIR. Nothing was restored.`,
  );
}

/** Null where there is no such folder. */
async function namesIn(folder: string): Promise<string[] | null> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`The data folder ${folder} can't be used (${error.message}): choose one with DATA_DIR.`);
  });
}

/** What a restore that failed or was killed has left, or put in place; only where the folder was empty before. */
async function removeLeftOver(dataDir: string): Promise<void> {
  if (!(await readdir(dataDir)).includes(unfinished)) return;
  for (const name of [...Object.values(keptNames), 'backup.json', unfinished]) {
    await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const part of createReadStream(file)) hash.update(part as Uint8Array);
  } catch (error) {
    throw new Error(`The backup ${file} can't be read (${sentence(error)}).`, { cause: error });
  }
  return hash.digest('hex');
}

/** Writes what the backup holds into an empty folder, and throws unless it is what its manifest says: no more, no less. */
async function unpack(file: string, folder: string): Promise<Manifest> {
  let manifest: Manifest | null = null;
  const found = new Map<string, { size: number; sha256: string }>();
  await pipeline(createReadStream(file), createZstdDecompress(), async (bytes: AsyncIterable<Uint8Array>) => {
    for await (const entry of unpackArchive(bytes)) {
      if (manifest) throw new Error('something follows its manifest');
      if (entry.name === manifestName) {
        manifest = await readManifest(entry.bytes, entry.size);
        continue;
      }
      const path = join(folder, safeName(entry.name));
      if (entry.name.endsWith('/')) {
        await mkdir(path, { recursive: true, mode: 0o700 });
        continue;
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Nothing is written twice, nor through anything that is there.
      const hash = createHash('sha256');
      const output = await open(path, 'wx', 0o600);
      try {
        for await (const part of entry.bytes) {
          hash.update(part);
          await output.writeFile(part);
        }
      } finally {
        await output.close();
      }
      found.set(entry.name, { size: entry.size, sha256: hash.digest('hex') });
    }
  });
  return asTheManifestSays(manifest, found);
}

const maxManifestBytes = 64 * 1024 ** 2;

async function readManifest(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, size: number): Promise<Manifest> {
  if (size > maxManifestBytes) throw new Error('its manifest is too long');
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  const said: unknown = JSON.parse(Buffer.concat(parts).toString());
  const format = (said as { format?: unknown } | null)?.format;
  if (format !== backupFormat)
    throw new Error(`it has the format ${String(format)}; this version reads ${backupFormat}`);
  return manifestSchema.parse(said);
}

/** Names that a backup may hold: none leads out of the folder. */
function safeName(name: string): string {
  const [top = '', ...rest] = name.replace(/\/$/, '').split('/');
  const isKept = name === keptNames.pepper || `${top}/` === keptNames.database || `${top}/` === keptNames.journal;
  if (isKept && rest.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part))) return name;
  throw new Error(`it holds ${JSON.stringify(name)}, which no backup has`);
}

function asTheManifestSays(
  manifest: Manifest | null,
  found: ReadonlyMap<string, { size: number; sha256: string }>,
): Manifest {
  if (!manifest) throw new Error('it is cut short: it has no manifest');
  for (const { name, size, sha256 } of manifest.files) {
    const file = found.get(name);
    if (!file) throw new Error(`${name} is missing in it`);
    if (file.size !== size || file.sha256 !== sha256) throw new Error(`${name} in it is damaged`);
  }
  const known = new Set(manifest.files.map(({ name }) => name));
  const other = [...found.keys()].find((name) => !known.has(name));
  if (other !== undefined) throw new Error(`it holds ${other}, which its manifest does not name`);
  if (manifest.pepper.is_included !== found.has(keptNames.pepper)) throw new Error('its pepper is missing');
  return manifest;
}

/** Opens the database once, which brings it to the moment of the backup, and closes it as it should be. */
async function tryDatabase(
  openDatabase: (folder: string) => Promise<RelationalStore>,
  folder: string,
  { version }: Manifest,
): Promise<Pick<Restored, 'repositories' | 'api_keys'>> {
  await chmod(folder, 0o700);
  const store = await openDatabase(folder).catch((error: unknown) => {
    throw new Error(
      `The database in the backup can't be opened by this version: restore it with repo-intel ${version}, which made it. Nothing was restored. (${sentence(error)})`,
      { cause: error },
    );
  });
  try {
    const [snapshots, keys] = [await store.snapshots.list(), await store.accounts.apiKeys()];
    return { repositories: snapshots.length, api_keys: keys.length };
  } finally {
    await store.close();
  }
}

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
