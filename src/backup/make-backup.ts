import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { link, lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, constants as zlib } from 'node:zlib';
import packageJson from '../../package.json' with { type: 'json' };
import { pepperId } from '../auth/pepper.ts';
import { syncFolder } from '../stores/durable.ts';
import { journalFiles } from '../stores/ephemeral/journal.ts';
import { journalFolder } from '../stores/open.ts';
import type { Stores } from '../stores/open.ts';
import { packArchive } from './archive.ts';
import type { ArchivedFile } from './archive.ts';
import { noteLastBackup } from './last-backup.ts';
import { backupFormat, keptNames, manifestName } from './manifest.ts';
import type { Manifest } from './manifest.ts';

export interface MadeBackup {
  file: string;
  /** Of the whole file. */
  sha256: string;
  size_bytes: number;
  /** RFC 3339, UTC. */
  made_at: string;
}

/**
 * Writes what can't be made again of a data folder into one file, as of one moment, while the stores go on working: relational data,
 * the pepper, and the metered calls on their way to the ledger. The file is there whole or not at all.
 */
export async function makeBackup(
  { relational, ephemeral }: Pick<Stores, 'relational' | 'ephemeral'>,
  { dataDir, pepper, file, force }: { dataDir: string; pepper: string; file: string; force: boolean },
): Promise<MadeBackup> {
  const { copy } = relational;
  if (!copy)
    throw new Error(
      'The relational data is on a PostgreSQL server (DATABASE_URL): pg_dump makes its backup; docs/backup.md says how.',
    );
  const target = resolve(file);
  await mustBeFree(target, force);
  const journal = journalAt(journalFolder({ dataDir }));
  const manifest: Manifest = {
    format: backupFormat,
    version: packageJson.version,
    made_at: '',
    pepper: { id: pepperId(pepper), is_included: (await readPepper(dataDir)) !== null },
    files: [],
  };
  const atMoment = () => {
    manifest.made_at = new Date().toISOString();
    journal.take();
  };
  const contents = async function* (): AsyncGenerator<ArchivedFile> {
    const kept = await readPepper(dataDir);
    if (kept) yield { name: keptNames.pepper, size: kept.length, bytes: [kept] };
    for await (const part of copy(atMoment)) yield { ...part, name: keptNames.database + part.name };
    yield* journal.files();
  };
  // Few metered calls are then still on their way.
  await ephemeral.settle().catch(() => {});
  const unfinished = `${target}.unfinished`;
  try {
    const sha256 = await writeArchive(unfinished, withManifest(contents(), manifest));
    const size = (await lstat(unfinished)).size;
    await (force ? rename(unfinished, target) : renameToNew(unfinished, target));
    await syncFolder(dirname(target));
    const made = { file: target, sha256, made_at: manifest.made_at };
    await noteLastBackup(dataDir, made);
    return { ...made, size_bytes: size };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Refused where somebody else has made the file by now, as far as the file system can tell. */
async function renameToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    await rename(from, to);
    return;
  }
  await rm(from);
}

async function mustBeFree(file: string, force: boolean): Promise<void> {
  const found = await lstat(file).catch(() => null);
  if (found?.isDirectory()) throw new Error(`${file} is a folder: name a file in it.`);
  if (found && !force) throw new Error(`${file} is there already: choose another name, or overwrite it with --force.`);
  const folder = await lstat(dirname(file)).catch(() => null);
  if (!folder) throw new Error(`${file} can't be written: there is no folder ${dirname(file)}.`);
}

async function readPepper(dataDir: string): Promise<Buffer | null> {
  const file = join(dataDir, keptNames.pepper);
  return readFile(file, { flag: constants.O_RDONLY | constants.O_NOFOLLOW }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** The journal as it is at one moment. Read at once, as its files are written again; few calls are in it, as the ledger has the others. */
function journalAt(folder: string) {
  let taken: { name: string; content: Buffer }[] = [];
  return {
    /** The moment: nothing else happens in this process meanwhile. */
    take() {
      taken = journalFiles(folder).map((name) => {
        const content = readRegular(join(folder, name));
        // After the last line there is room that was reserved.
        return { name, content: content.subarray(0, content.lastIndexOf('\n') + 1) };
      });
    },
    *files(): Generator<ArchivedFile> {
      for (const { name, content } of taken)
        yield { name: keptNames.journal + name, size: content.length, bytes: [content] };
    },
  };
}

/** Follows no link. */
function readRegular(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The files, and after them what they are. */
async function* withManifest(
  files: AsyncIterable<ArchivedFile>,
  manifest: Manifest,
): AsyncGenerator<ArchivedFile, void, undefined> {
  for await (const file of files) {
    if (file.name.endsWith('/')) {
      yield file;
      continue;
    }
    const hash = createHash('sha256');
    yield { ...file, bytes: hashed(file.bytes, hash) };
    manifest.files.push({ name: file.name, size: file.size, sha256: hash.digest('hex') });
  }
  const bytes = Buffer.from(JSON.stringify(manifest));
  yield { name: manifestName, size: bytes.length, bytes: [bytes] };
}

async function* hashed(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    hash.update(part);
    yield part;
  }
}

/** Gives the digest of the file, which is on the disk then. */
async function writeArchive(path: string, files: AsyncIterable<ArchivedFile>): Promise<string> {
  // A killed backup may have left it.
  await rm(path, { force: true });
  const output = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${basename(path)} can't be written in ${dirname(path)} (${error.message}).`, { cause: error });
  });
  try {
    const digest = createHash('sha256');
    const params = { [zlib.ZSTD_c_compressionLevel]: 3, [zlib.ZSTD_c_checksumFlag]: 1 };
    await pipeline(
      Readable.from(packArchive(files, new Date())),
      createZstdCompress({ params }),
      async (parts: AsyncIterable<Uint8Array>) => {
        for await (const part of parts) {
          digest.update(part);
          await output.writeFile(part);
        }
      },
    );
    await output.sync();
    return digest.digest('hex');
  } finally {
    await output.close();
  }
}
