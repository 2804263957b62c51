import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { parseTar } from 'nanotar';
import { syncFolder } from '../durable.ts';
import { DurableFiles, durableSettings } from './pglite-files.ts';
import { isStartup, wireMessages } from './wire-messages.ts';

/** The other end of PgliteConnection: `ready`, then answers to PostgreSQL's wire protocol until it is told to close. */

if (!parentPort) throw new Error('This file runs in a worker thread.');
const port = parentPort;
const { folder } = workerData as { folder: string };
// A process killed while the cluster was made leaves one that does not start. Nothing can be in it: begin again.
const unfinished = `${folder}.unfinished`;
if (existsSync(unfinished)) rmSync(folder, { recursive: true, force: true });
const isNew = !existsSync(folder);
if (isNew) {
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(unfinished, '');
  mkdirSync(folder);
  const archive = cluster();
  for (const { name, type, data = '' } of parseTar(archive)) {
    const path = join(folder, name);
    if (type === 'directory') mkdirSync(path, { recursive: true });
    else writeFileSync(path, data);
  }
  // Its 40 MB are given back now, not when this thread collects garbage next.
  archive.buffer.transfer(0);
}
// PostgreSQL removes this file when it is closed as it should be.
const files = new DurableFiles(folder, { syncFirst: isNew || existsSync(join(folder, 'postmaster.pid')) });
const database = await PGlite.create({
  fs: files,
  // One connection and small rows: PostgreSQL's default of 128 MB would only be memory that others need.
  startParams: [...PGlite.defaultStartParams, ...durableSettings, '-c', 'shared_buffers=16MB', '-c', 'wal_buffers=1MB'],
});
chmodSync(folder, 0o700);
files.started();
rmSync(unfinished, { force: true });
// Else a loss of power might bring the file back, and with it a cluster that is made anew.
await syncFolder(dirname(folder));

let queue: Promise<void> = Promise.resolve();

port.on('message', (message: 'close' | Uint8Array) => {
  queue = queue.then(() => (message === 'close' ? close() : answer(message)));
});
port.postMessage('ready');

/** What initdb would make in five seconds, ready made: a tar. In the package with all tables (see packaging/build.ts), which saves a second more. */
function cluster(): Uint8Array<ArrayBuffer> {
  const withTables = new URL('../../../assets/cluster.tar.zst', import.meta.url);
  if (existsSync(withTables)) return zstdDecompressSync(readFileSync(withTables), { chunkSize: 64 * 1024 ** 2 });
  const bare = new URL('prepopulatedfs.tgz', import.meta.resolve('@electric-sql/pglite-prepopulatedfs'));
  return gunzipSync(readFileSync(bare), { chunkSize: 64 * 1024 ** 2 });
}

/** How many `ReadyForQuery` the driver waits for. */
let awaited = 0;

async function answer(request: Uint8Array): Promise<void> {
  if (isStartup(request)) awaited += 1;
  else for (const { type } of wireMessages(request)) if (type === 'S' || type === 'Q') awaited += 1;
  const answer = withoutSurplus(await database.execProtocolRaw(request));
  if (answer.length > 0) port.postMessage(answer, [answer.buffer]);
}

/** After an error PGlite says twice that it is ready; the driver would take the second one for the end of its next query. */
function withoutSurplus(answer: Uint8Array): Uint8Array<ArrayBuffer> {
  const kept: Uint8Array[] = [];
  for (const { type, start, end } of wireMessages(answer)) {
    if (type === 'Z' && awaited === 0) continue;
    if (type === 'Z') awaited -= 1;
    kept.push(answer.subarray(start, end));
  }
  // A copy: the answer may be a window on PGlite's memory.
  const bytes = new Uint8Array(kept.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of kept) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

async function close(): Promise<void> {
  await database.close();
  port.close();
}
