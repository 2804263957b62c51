import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/** The other end of PgliteConnection: `ready`, then answers to PostgreSQL's wire protocol until it is told to close. */

if (!parentPort) throw new Error('This file runs in a worker thread.');
const port = parentPort;
const folder = workerData as string;
// A process killed while the cluster was made leaves one that does not start. Nothing can be in it: begin again.
const unfinished = `${folder}.unfinished`;
if (existsSync(unfinished)) rmSync(folder, { recursive: true, force: true });
if (!existsSync(folder)) {
  mkdirSync(dirname(folder), { recursive: true });
  writeFileSync(unfinished, '');
}
const database = await PGlite.create(folder);
rmSync(unfinished, { force: true });

let queue: Promise<void> = Promise.resolve();

port.on('message', (message: 'close' | Uint8Array) => {
  queue = queue.then(() => (message === 'close' ? close() : answer(message)));
});
port.postMessage('ready');

async function answer(message: Uint8Array): Promise<void> {
  await database.execProtocolRawStream(message, {
    onRawData: (bytes) => {
      // A copy: `bytes` is a window on PGlite's memory.
      const copy = bytes.slice();
      port.postMessage(copy, [copy.buffer]);
    },
  });
}

async function close(): Promise<void> {
  await database.close();
  port.close();
}
