import { apiKeyPepper } from '../auth/pepper.ts';
import type { Config } from '../config.ts';
import { lockDataFolder } from '../stores/data-folder.ts';
import { openStores } from '../stores/open.ts';
import type { OpenService } from './store-commands.ts';

/** Takes the data folder and opens the stores in it, or says who holds it. */
export async function openService(config: Config) {
  const lock = await lockDataFolder(config.dataDir);
  if ('held' in lock) return lock;
  try {
    const pepper = await apiKeyPepper(config);
    const stores = await openStores(config);
    const service: OpenService = { stores, pepper };
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
    throw error;
  }
}
