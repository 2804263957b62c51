import { statfsSync } from 'node:fs';
import { InsufficientStorage } from './errors.ts';

/** How much room a disk has, in bytes. */
export interface DiskSpace {
  /** For who has no special rights; null where it can't be told. */
  freeBytes: number | null;
  /** With less than this nothing is begun that needs room. */
  minFreeBytes: number;
  isLow: boolean;
}

/** The disk that a folder lies on. It is looked at before it is full, as what is full can no longer be ended well. */
export interface Disk {
  /** As it was within the last quarter of a second. */
  look(): DiskSpace;
  /** Throws `InsufficientStorage` while less is free than is to be kept free. */
  mustHaveRoom(): void;
  /** Tells from now on, within a second, when it gets low and when there is room again. */
  watch(onChange: (space: DiskSpace) => void): void;
}

const megabyte = 1_000_000;
const maxAgeMs = 250;
const watchEveryMs = 1_000;

/** Unless told: 256 MB, and on a large disk a hundredth of it, up to 2 GB. What is under way has to end within that. */
const usualMinFree = (diskBytes: number) => Math.min(2_048 * megabyte, Math.max(256 * megabyte, diskBytes / 100));

/** Opens nothing: the folder need not be there yet. */
export function openDisk(folder: string, minFreeBytes?: number): Disk {
  let seen: DiskSpace = { freeBytes: null, minFreeBytes: minFreeBytes ?? usualMinFree(0), isLow: false };
  let seenAt = -Infinity;
  const look = () => {
    if (performance.now() - seenAt < maxAgeMs) return seen;
    seenAt = performance.now();
    seen = spaceOf(folder, minFreeBytes) ?? { ...seen, freeBytes: null, isLow: false };
    return seen;
  };
  return {
    look,
    mustHaveRoom() {
      const { freeBytes, minFreeBytes: least, isLow } = look();
      if (!isLow) return;
      throw new InsufficientStorage({
        message: `The disk of the data folder has ${megabytes(freeBytes ?? 0)} left, and ${megabytes(least)} are kept free (MIN_FREE_MB): nothing more is written; what was there before is as it was. Make room, then do it again.`,
      });
    },
    watch(onChange) {
      let wasLow = false;
      const ask = () => {
        const space = look();
        if (space.isLow !== wasLow) onChange(space);
        wasLow = space.isLow;
      };
      ask();
      setInterval(ask, watchEveryMs).unref();
    },
  };
}

const megabytes = (bytes: number) => `${Math.floor(bytes / megabyte)} MB`;

function spaceOf(folder: string, minFreeBytes: number | undefined): DiskSpace | null {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    const freeBytes = bavail * bsize;
    const least = minFreeBytes ?? Math.round(usualMinFree(blocks * bsize));
    return { freeBytes, minFreeBytes: least, isLow: freeBytes < least };
  } catch {
    return null;
  }
}
