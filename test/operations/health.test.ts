import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { askHealth } from '../../src/operations/health.ts';
import { openStores } from '../../src/stores/open.ts';
import type { Stores } from '../../src/stores/open.ts';

describe('health', () => {
  let folder: string;
  let stores: Stores;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'health-'));
    stores = await openStores({ dataDir: folder });
  });
  after(async () => {
    await stores.close();
    await rm(folder, { recursive: true });
  });
  const askAhead = async (seconds: number) => {
    const ping = async () => new Date((await stores.relational.ping()).getTime() - seconds * 1_000);
    const relational = { ...stores.relational, ping };
    return askHealth({ stores: { ...stores, relational }, isReady: () => true, version: '1', redact: String });
  };

  it('is degraded where the clock is more than a minute from the database’s, which tokens and signatures depend on', async () => {
    for (const [seconds, status] of [
      [0, 'ok'],
      [50, 'ok'],
      [-50, 'ok'],
      [70, 'degraded'],
      [-70, 'degraded'],
    ] as const) {
      const health = await askAhead(seconds);
      expect([health.status, health.ready]).deep.equals([status, true]);
      expect(health.clock_skew_seconds).within(seconds - 1, seconds + 9);
    }
  });
});
