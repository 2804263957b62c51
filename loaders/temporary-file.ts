import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What does not fit into memory while one repository is analysed. */
export interface TemporaryFile {
  /** Says where the bytes begin. */
  append(bytes: Uint8Array): number;
  read(start: number, size: number): Buffer;
  close(): void;
}

/** Opens a file without a name, at the first byte: it is gone with who has it open. */
export function openTemporaryFile(): TemporaryFile {
  let file: number | null = null;
  let end = 0;
  let isClosed = false;
  return {
    append(bytes) {
      if (isClosed) throw new Error('The temporary file of this repository is closed.');
      file ??= openNameless();
      const start = end;
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done, bytes.length - done, start + done);
      end += bytes.length;
      return start;
    },
    read(start, size) {
      if (file === null) throw new Error('The temporary file of this repository is closed.');
      const bytes = Buffer.allocUnsafe(size);
      for (let done = 0; done < size;) {
        const count = readSync(file, bytes, done, size - done, start + done);
        if (count === 0) throw new Error('The temporary file of this repository was cut short.');
        done += count;
      }
      return bytes;
    },
    close() {
      isClosed = true;
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'repo-intel-'));
  try {
    return openSync(join(folder, 'it'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
