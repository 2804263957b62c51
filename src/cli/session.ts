import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSnapshotFile } from '../../loaders/records/snapshot-file.ts';
import type { Config } from '../config.ts';
import { callControl } from './call-control.ts';
import type { Io } from './io.ts';
import { sayRebuilding } from './keep-projections.ts';
import type { ListedRepository } from './repositories.ts';
import { openService } from './open-service.ts';
import { sessionOn } from './session-on.ts';
import type { Session } from './session-on.ts';

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
      async write(snapshot, conditions) {
        const folder = await mkdtemp(join(tmpdir(), 'repo-intel-'));
        try {
          const file = join(folder, 'snapshot.jsonl.zst');
          await writeSnapshotFile(file, snapshot);
          return (await run('write', { file, ...conditions })) as 'written' | 'unchanged';
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
      close: () => Promise.resolve(),
    };
  }
  const { service } = opened;
  sayRebuilding(service.stores, io);
  return { ...sessionOn(service, io), close: () => opened.close() };
}
