import { writeSnapshot } from '../../loaders/write.ts';
import type { WriteConditions } from '../../loaders/write.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { Io } from './io.ts';
import { loaderStores } from './loader-stores.ts';
import type { ListedRepository } from './repositories.ts';
import { storeCommands } from './store-commands.ts';
import type { OpenService } from './store-command.ts';

/** The stores as a command sees them: its own, or those of the repo-intel that is running on the same data folder. */
export interface Session {
  run(command: string, options: unknown): Promise<unknown>;
  /** What an organization sees; `all`: what all have. */
  list(of?: { organization?: string | undefined; all?: boolean | undefined }): Promise<ListedRepository[]>;
  write(snapshot: Snapshot, conditions: WriteConditions): Promise<'written' | 'unchanged'>;
  close(): Promise<void>;
}

/** The stores that are open in this process. */
export function sessionOn(service: OpenService, io: Io): Omit<Session, 'close'> {
  return {
    run: (command, options) => storeCommands.run(service, command, options, io),
    list: async (of = {}) => (await storeCommands.run(service, 'list', of, io)) as ListedRepository[],
    write: (snapshot, conditions) => writeSnapshot(loaderStores(service.stores), snapshot, conditions),
  };
}
