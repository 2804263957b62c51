import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';

/**
 * Room on the disk for the journal, taken before it is needed: files of zeros, which are written over in place. A file that is only
 * long (`ftruncate`) has no room: its blocks are looked for when it is written. Where a file system copies on write (btrfs, ZFS)
 * nothing can be reserved so; there the watermark is all that keeps room, and what can't be written down is refused.
 */
export interface JournalReserve {
  bytes(): number;
  /** Gives one of the files this name; false when there is none left. */
  take(path: string): boolean;
  /** Takes a file of the journal back, emptied; false when it is not needed, or was never a file of the reserve. */
  giveBack(path: string): Promise<boolean>;
  /** Makes what is missing, as far as the disk has room. */
  fill(): Promise<void>;
}

export const segmentBytes = 512 * 1024;
/** Together room for some 20,000 calls. Each kill leaves one that is not full. */
const wantedSegments = 16;
/** Of the same length as the journal's, so that a new name finds room in the folder where the old one was. */
const ending = '.spare';
/** A full disk is not asked at each flush. */
const restMs = 5_000;

export function openJournalReserve(folder: string): JournalReserve {
  const spare = spareIn(folder);
  let filling: Promise<void> | null = null;
  let notBefore = 0;

  const fill = async () => {
    let path = '';
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      while (spare.length < wantedSegments) {
        path = join(folder, uuidv7() + ending);
        await using file = await open(path, 'wx', 0o600);
        await writeZeros(file, segmentBytes);
        spare.push(path);
      }
    } catch {
      // What can't be reserved now is tried again later; who looks sees how much there is.
      notBefore = performance.now() + restMs;
      if (path !== '') await rm(path, { force: true }).catch(() => {});
    }
  };

  return {
    bytes: () => spare.length * segmentBytes,

    take(path) {
      for (let one = spare.pop(); one !== undefined; one = spare.pop()) {
        try {
          renameSync(one, path);
          return true;
        } catch (error) {
          // Another process on the same folder has it.
          if (existsSync(one)) throw error;
        }
      }
      return false;
    },

    async giveBack(path) {
      if (spare.length >= wantedSegments) return false;
      const given = join(folder, uuidv7() + ending);
      try {
        await using file = await open(path, 'r+');
        if ((await file.stat()).size < segmentBytes) return false;
        await file.truncate(segmentBytes);
        await writeZeros(file, segmentBytes);
        await rename(path, given);
      } catch {
        return false;
      }
      spare.push(given);
      return true;
    },

    fill() {
      if (spare.length >= wantedSegments || performance.now() < notBefore) return Promise.resolve();
      return (filling ??= fill().finally(() => (filling = null)));
    },
  };
}

/** What an earlier process left. One that it was still making, or that a copy of the folder has made sparse, goes. */
function spareIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ending))
      .map((name) => join(folder, name))
      .filter((path) => {
        const { size, blocks } = statSync(path);
        const isReserved = size === segmentBytes && blocks * 512 >= segmentBytes;
        if (!isReserved) rmSync(path, { force: true });
        return isReserved;
      });
  } catch {
    return [];
  }
}

const zeros = Buffer.alloc(128 * 1024);

async function writeZeros(file: FileHandle, bytes: number): Promise<void> {
  for (let done = 0; done < bytes;) {
    const { bytesWritten } = await file.write(zeros, 0, Math.min(zeros.length, bytes - done), done);
    done += bytesWritten;
  }
}
