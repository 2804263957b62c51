import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncAllIn } from '../durable.ts';

/** Of PostgreSQL: it says itself when which file must be on the disk, where PGlite's own settings have it not ask. */
export const durableSettings = ['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'];

/** Emscripten's number for "input/output error". */
const inputOutputError = 29;

/** What Emscripten hands to a file system: of a file that is open. */
interface OpenFile {
  path: string;
}

/**
 * A folder of this machine for PGlite, in which `fsync` is what it is elsewhere: the operating system writes the file to the disk.
 * PGlite's own NodeFS has no such operation, and Emscripten then takes it for done.
 */
export class DurableFiles extends NodeFS {
  /** How often PostgreSQL asked. */
  asked = 0;
  readonly #syncFirst: boolean;
  /** Files that are on the disk as they were at this time: after a crash PostgreSQL asks for all, one after the other. */
  #known = new Map<string, bigint>();

  /** `syncFirst`: files may be in there that were not written to the disk, as a process was killed. */
  constructor(folder: string, { syncFirst }: { syncFirst: boolean }) {
    super(folder);
    this.#syncFirst = syncFirst;
  }

  override async init(...[pg, given]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    if (this.#syncFirst) await this.#sync();
    const { emscriptenOpts } = await super.init(pg, given);
    const preRun: NonNullable<typeof emscriptenOpts.preRun> = [
      ...(emscriptenOpts.preRun ?? []),
      ({ FS }) => {
        const { stream_ops: operations } = FS.filesystems.NODEFS as unknown as { stream_ops: Record<string, unknown> };
        operations['fsync'] = ({ path }: OpenFile) => this.#fsync(path);
      },
    ];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  /** The database runs: from now on PostgreSQL asks for what it has written. */
  started(): void {
    this.#known.clear();
    if (this.asked === 0) throw new Error('PGlite no longer says when its files must be on the disk.');
  }

  async #sync(): Promise<void> {
    const entries = await readdir(this.rootDir, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((entry) => entry.isFile())) {
      const path = join(entry.parentPath, entry.name);
      this.#known.set(path, (await stat(path, { bigint: true })).ctimeNs);
    }
    await syncAllIn(this.rootDir);
  }

  /** Gives an error number; 0 when it is done. */
  #fsync(path: string): number {
    this.asked += 1;
    try {
      const file = join(this.rootDir, path.slice(dataFolderInside.length));
      const state = statSync(file, { bigint: true });
      if (this.#known.get(file) === state.ctimeNs) return 0;
      if (state.isDirectory() && process.platform === 'win32') return 0;
      const descriptor = openSync(file, state.isDirectory() ? 'r' : 'r+');
      try {
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      return 0;
    } catch {
      return inputOutputError;
    }
  }
}

/** Where PGlite mounts the folder. */
const dataFolderInside = '/pglite/data';
