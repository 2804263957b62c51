import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { threadId } from 'node:worker_threads';

// Loaded before a program (--import), in its threads, too: keeps in FOLDER_SYNCED what of FOLDER_WRITTEN a disk that loses power at
// once would have, which is each file as it was when it was last written to the disk.
const [written, synced] = [process.env.FOLDER_WRITTEN, process.env.FOLDER_SYNCED];
const { fsyncSync } = fs;
fs.fsyncSync = (descriptor) => {
  fsyncSync(descriptor);
  const path = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
  if (!path.startsWith(`${written}/`) || !fs.fstatSync(descriptor).isFile()) return;
  const copy = join(synced, relative(written, path));
  fs.mkdirSync(dirname(copy), { recursive: true });
  // Whole or not at all: a disk does not forget what it had of a file because its process is killed while we copy.
  const half = `${synced}.half-${process.pid}-${threadId}`;
  fs.copyFileSync(path, half);
  fs.renameSync(half, copy);
};
syncBuiltinESMExports();
