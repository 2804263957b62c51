import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSnapshot } from '../../loaders/write.ts';
import { writeSnapshotFile } from '../../loaders/records/snapshot-file.ts';
import type { Config } from '../config.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { callControl } from './control.ts';
import type { Io } from './io.ts';
import { sayRebuilding } from './keep-projections.ts';
import { loaderStores } from './loader-stores.ts';
import type { ListedRepository } from './repositories.ts';
import { openService } from './open-service.ts';
import { storeCommands } from './store-commands.ts';

/** The stores as a command sees them: its own, or those of the repo-intel that is running on the same data folder. */
export interface Session {
  run(command: string, options: unknown): Promise<unknown>;
  /** What an organization sees; `all`: what all have. */
  list(of?: { organization?: string | undefined; all?: boolean | undefined }): Promise<ListedRepository[]>;
  /** `from`: see `writeSnapshot`. */
  write(snapshot: Snapshot, from?: string): Promise<'written' | 'unchanged'>;
  close(): Promise<void>;
}

/** Opens the data folder, or hands over to the process that holds it. Throws one sentence when neither can be done. */
export async function openSession(config: Config, io: Io): Promise<Session> {
  const opened = await openService(config);
  if ('held' in opened) {
    const { control } = opened.held;
    if (!control) throw new Error(opened.held.message);
    const run = (command: string, options: unknown) => callControl(control, command, options, io);
    return {
      run,
      list: async (of = {}) => (await run('list', of)) as ListedRepository[],
      async write(snapshot, from) {
        const folder = await mkdtemp(join(tmpdir(), 'repo-intel-'));
        try {
          const file = join(folder, 'snapshot.jsonl.zst');
          await writeSnapshotFile(file, snapshot);
          return (await run('write', { file, from })) as 'written' | 'unchanged';
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
      close: () => Promise.resolve(),
    };
  }
  const { service } = opened;
  sayRebuilding(service.stores, io);
  return {
    run: (command, options) => storeCommands.run(service, command, options, io),
    list: async (of = {}) => (await storeCommands.run(service, 'list', of, io)) as ListedRepository[],
    write: (snapshot, from) => writeSnapshot(loaderStores(service.stores), snapshot, from),
    close: () => opened.close(),
  };
}
