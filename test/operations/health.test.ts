import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { askHealth } from '../../src/operations/health.ts';
import { lastBackupOf } from '../../src/backup/last-backup.ts';
import { makeBackup } from '../../src/backup/make-backup.ts';
import { openDisk } from '../../src/stores/disk-space.ts';
import { openStores } from '../../src/stores/open.ts';
import type { Stores } from '../../src/stores/open.ts';
import { eventually } from '../support/eventually.ts';

const rightClock = { problem: () => null };

describe('health', () => {
  let folder: string;
  let stores: Stores;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'health-'));
    stores = await openStores({ dataDir: folder, minFreeBytes: 1_000_000 });
  });
  after(async () => {
    await stores.close();
    await rm(folder, { recursive: true });
  });
  const askAhead = async (seconds: number) => {
    const ping = async () => new Date((await stores.relational.ping()).getTime() - seconds * 1_000);
    const relational = { ...stores.relational, ping };
    return askHealth({
      stores: { ...stores, relational },
      clock: rightClock,
      isReady: () => true,
      version: '1',
      redact: String,
    });
  };

  it('is degraded where the disk has less room than is to be kept free, and says how much there is and what is reserved', async () => {
    await eventually(async () => {
      const health = await askAhead(0);
      expect(health.disk).include({ status: 'ok', min_free_bytes: 1_000_000, reserved_bytes: 8 * 1024 * 1024 });
      expect(health.disk.free_bytes).above(1_000_000);
    });
    const disk = openDisk(folder, Number.MAX_SAFE_INTEGER);
    const low = await askHealth({
      stores: { ...stores, disk },
      clock: rightClock,
      isReady: () => true,
      version: '1',
      redact: String,
    });
    expect([low.status, low.ready, low.disk.status]).deep.equals(['degraded', true, 'low']);
    const unknown = openDisk(join(folder, 'nowhere'));
    const told = await askHealth({
      stores: { ...stores, disk: unknown },
      clock: rightClock,
      isReady: () => true,
      version: '1',
      redact: String,
    });
    expect([told.status, told.disk.status, told.disk.free_bytes]).deep.equals(['ok', 'unknown', null]);
  });

  it('says what a loss of power may cost, and when the last backup was made: null before the first', async () => {
    const lastBackup = () => lastBackupOf(folder);
    const ask = () =>
      askHealth({ stores, clock: rightClock, isReady: () => true, version: '1', lastBackup, redact: String });
    const before = await ask();
    expect(before.last_backup).equals(null);
    expect(before.loss_of_power_may_cost).equals('metered calls of the last second');
    const file = join(folder, 'backup.tar.zst');
    const { made_at, sha256 } = await makeBackup(stores, {
      dataDir: folder,
      pepper: 'x'.repeat(32),
      file,
      force: false,
    });
    const { last_backup: last } = await ask();
    expect(last).include({ file, made_at, sha256 });
    expect(last?.age_seconds).within(0, 600);
  });

  it('is degraded while the search index is made anew: which store, why, and how far it is', async () => {
    const ask = () => askHealth({ stores, clock: rightClock, isReady: () => true, version: '1', redact: String });
    await stores.search.healing?.startAnew('that was asked for');
    stores.search.healing?.advance(1, 3);
    const during = await ask();
    expect([during.status, during.stores.search.status, during.stores.graph.status]).deep.equals([
      'degraded',
      'rebuilding',
      'ok',
    ]);
    const aside = join(folder, 'search.sqlite.set-aside');
    expect(during.stores.search.rebuilding).include({ reason: 'that was asked for', set_aside: aside, done: 1, of: 3 });
    await stores.search.healing?.complete(stores.search.healing.rebuilding!);
    const after = await ask();
    expect([after.status, after.stores.search.status, after.stores.search.rebuilding]).deep.equals([
      'ok',
      'ok',
      undefined,
    ]);
  });

  it('is degraded while the clock can not be right, and says why', async () => {
    const clock = { problem: () => 'It went ahead.' };
    const { status, clock_problem } = await askHealth({
      stores,
      clock,
      isReady: () => true,
      version: '1',
      redact: String,
    });
    expect([status, clock_problem]).deep.equals(['degraded', 'It went ahead.']);
    expect((await askAhead(0)).clock_problem).equals(null);
  });

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
