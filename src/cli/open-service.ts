import { existsSync } from 'node:fs';
import { apiKeyPepper } from '../auth/pepper.ts';
import { refuseLostDatabase, refuseLostPepper, wayOut } from '../backup/lost.ts';
import { ConfigError } from '../config.ts';
import type { Config } from '../config.ts';
import { UnreadableDatabase } from '../stores/errors.ts';
import { lockDataFolder } from '../stores/data-folder.ts';
import type { DataFolderLock } from '../stores/data-folder.ts';
import { InsufficientStorage, isDiskFull } from '../stores/errors.ts';
import { isEmbedded, openStores, relationalFolder } from '../stores/open.ts';
import type { OpenService } from './store-command.ts';

/**
 * Takes the data folder, unless every store is on a server, and opens the stores; or says who holds the folder. `onTaken` runs when
 * the folder is ours and the stores are yet to open; `isNew` says that nothing is in them.
 */
export async function openService(config: Config, onTaken: (folder: { isNew: boolean }) => void = () => {}) {
  const embedded = isEmbedded(config);
  const lock = embedded ? await lockFolder(config) : noLock;
  if ('held' in lock) return lock;
  try {
    const { dataDir, databaseUrl } = config;
    const folder = relationalFolder(config);
    if (!databaseUrl) await refuseLostDatabase({ dataDir, folder });
    const isNew = embedded && !databaseUrl && !existsSync(folder);
    const opening = openStores(config);
    onTaken({ isNew });
    const stores = await opening.catch(async (error: unknown) => {
      if (!(error instanceof UnreadableDatabase)) throw error;
      throw new Error(`${error.message}. If it is damaged: ${await wayOut(dataDir)}`, { cause: error });
    });
    const pepper = async () => {
      if (!embedded) return sharedPepper(config);
      if (!databaseUrl) await refuseLostPepper(config, stores.relational.accounts);
      return apiKeyPepper(config);
    };
    const service: OpenService = { stores, config, pepper };
    return {
      service,
      lock,
      async close() {
        await stores.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw explained(error, config);
  }
}

function explained(error: unknown, { dataDir }: Config): unknown {
  if (!isDiskFull(error)) return error;
  const message = `The disk that the data folder ${dataDir} lies on is full: make room there and start again. Nothing is lost.`;
  return new InsufficientStorage({ message, cause: error });
}

const lockFolder = (config: Config) =>
  lockDataFolder(config.dataDir).catch((error: unknown) => {
    throw explained(error, config);
  });

/** On servers any number of instances runs at once. */
const noLock: DataFolderLock = {
  isOpenToOthers: false,
  announce: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

async function sharedPepper({ apiKeyPepper: pepper }: Config): Promise<string> {
  if (pepper !== undefined) return pepper;
  throw new ConfigError(
    'API_KEY_PEPPER is not set: with all four stores on servers every instance needs the same secret; make one with `openssl rand -base64 32`.',
  );
}
