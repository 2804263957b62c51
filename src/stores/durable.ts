import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What was made, renamed or removed in a folder survives a loss of power from now on. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folder, and keeps their entries by itself.
  if (process.platform === 'win32') return;
  await sync(folder, 'r');
}

/** The content of a file survives a loss of power from now on. */
export async function syncFile(path: string): Promise<void> {
  await sync(path, 'r+');
}

/** All that is in a folder survives a loss of power from now on. */
export async function syncAllIn(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const next = entries.values();
  // Several at a time: the disk flushes what waits for it at once.
  const some = async () => {
    for (const entry of next) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) await syncFile(path);
      else if (entry.isDirectory()) await syncFolder(path);
    }
  };
  await Promise.all(Array.from({ length: 4 }, some));
  await syncFolder(folder);
}

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
