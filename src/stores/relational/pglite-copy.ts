import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { CopiedFile } from './port.ts';

/** Folders whose content PostgreSQL makes anew at each start. */
const madeAnew = /^(pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;
/** What belongs to the process that runs, and what the start of an earlier copy left. */
const ofTheProcess = /^postmaster\.|^backup_label|(^|\/)pg_internal\.init|(^|\/)pgsql_tmp/;
const log = /^pg_wal\/[^/]+$/;
const control = 'global/pg_control';

/**
 * The files of a database that goes on working, by PostgreSQL's own procedure ("Making a Base Backup Using the Low Level API"): its
 * files as they are read, then its log from before the first until after the last, and a label that makes PostgreSQL replay it
 * when it is started on them. Nobody waits but for a checkpoint at the beginning and a moment at the end.
 */
export async function* copyRunning(
  database: Database,
  folder: string,
  atMoment: () => void,
): AsyncGenerator<CopiedFile, void, undefined> {
  await sql`SELECT pg_backup_start('repo-intel', true)`.execute(database);
  let isStopped = false;
  try {
    const paths = await pathsIn(folder);
    for (const path of paths) if (!log.test(path) && path !== control) yield* fileAt(folder, path);
    yield* fileAt(folder, control);
    // The database has one connection: while it is held, nobody writes.
    const { label, last } = await database.connection().execute(async (connection) => {
      const { rows } = await sql<{ label: string; last: string }>`
        SELECT labelfile AS label, pg_walfile_name(lsn) AS last FROM pg_backup_stop(false)`.execute(connection);
      isStopped = true;
      atMoment();
      if (!rows[0]) throw new Error('PostgreSQL did not say where its copy ends.');
      return rows[0];
    });
    const bytes = Buffer.from(label);
    yield { name: 'backup_label', size: bytes.length, bytes: [bytes] };
    const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1] ?? '';
    const segments = (await pathsIn(folder)).filter((path) => /^pg_wal\/[0-9A-F]{24}$/.test(path));
    for (const path of segments) if (path >= `pg_wal/${first}` && path <= `pg_wal/${last}`) yield* fileAt(folder, path);
  } finally {
    // Who wanted the copy has given up.
    if (!isStopped) await sql`SELECT pg_backup_stop(false)`.execute(database).catch(() => {});
  }
}

/** Of folders, which end in a slash, and files, in order. */
async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => pathOf(folder, entry))
    .filter((path) => !ofTheProcess.test(path) && (path.endsWith('/') || !madeAnew.test(path)))
    .sort();
}

function pathOf(folder: string, entry: Dirent): string {
  const path = join(entry.parentPath, entry.name);
  if (!entry.isFile() && !entry.isDirectory()) throw new Error(`${path} is neither a file nor a folder: remove it.`);
  return relative(folder, path).replaceAll(sep, '/') + (entry.isDirectory() ? '/' : '');
}

/** Nothing where it is gone by now: then the log says so, too. */
async function* fileAt(folder: string, name: string): AsyncGenerator<CopiedFile, void, undefined> {
  if (name.endsWith('/')) {
    yield { name, size: 0, bytes: [] };
    return;
  }
  const file = await open(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch(unlessGone);
  if (!file) return;
  try {
    const { size } = await file.stat();
    yield { name, size, bytes: bytesOf(file, size) };
  } finally {
    await file.close();
  }
}

function unlessGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** So many, however long the file is by now; what it no longer has is 0, and written again from the log. */
async function* bytesOf(file: Awaited<ReturnType<typeof open>>, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const part = Buffer.alloc(Math.min(size - at, 256 * 1024));
    const { bytesRead } = await file.read(part, 0, part.length, at);
    yield bytesRead === 0 ? part : part.subarray(0, bytesRead);
    at += bytesRead === 0 ? part.length : bytesRead;
  }
}
