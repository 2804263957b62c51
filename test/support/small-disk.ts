import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A real file system of its own, so small that it can be filled. */
export interface SmallDisk {
  folder: string;
  /** Takes what is free, but for so many bytes. */
  fill(leave?: number): void;
  /** Gives back what `fill` took. */
  makeRoom(): void;
}

/**
 * A suite on a small disk, a new one for each test; skipped by name where this user may not mount one, or failed where
 * REQUIRE_ENGINES=1 asks for all.
 */
export function onSmallDisk(megabytes: number, suite: (disk: () => SmallDisk) => void): void {
  describe(`on a disk of ${megabytes} MB`, () => {
    let disk: (SmallDisk & { remove(): void }) | undefined;
    beforeEach(function () {
      try {
        disk = mountSmallDisk(megabytes);
      } catch (error) {
        if (process.env['REQUIRE_ENGINES'] === '1') throw error;
        console.warn('    skipped: a disk of its own needs the right to mount one (root).');
        this.skip();
      }
    });
    afterEach(() => {
      disk?.remove();
      disk = undefined;
    });
    suite(() => {
      if (!disk) throw new Error('There is no small disk.');
      return disk;
    });
  });
}

function mountSmallDisk(megabytes: number): SmallDisk & { remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder], { stdio: 'pipe' });
  } catch (error) {
    rmdirSync(folder);
    throw error;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill(leave = 0) {
      const file = openSync(ballast, 'a');
      for (const size of [1_048_576, 4_096]) {
        try {
          while (freeIn(folder) >= leave + size || leave === 0) writeSync(file, Buffer.alloc(size, 1));
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
        }
      }
      closeSync(file);
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    remove() {
      // Also where a process that was killed has not quite ended.
      execFileSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
