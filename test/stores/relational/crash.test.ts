import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { RelationalStore } from '../../../src/stores/relational/port.ts';
import { openPglite } from '../../../src/stores/relational/pglite.ts';
import { effort } from '../../support/effort.ts';

const koa = 'acme~koa';

/** Events tell of each run that has ended, once and in order, and of nothing else. */
async function expectEachToldOnce(store: RelationalStore): Promise<void> {
  const { id } = await store.accounts.ensureOrganization({ slug: 'acme', name: 'acme' });
  const events = await store.tenant(id, (acme) => acme.events.page({ after: 0, limit: 100_000 }));
  expect(events.map(({ sequence }) => sequence)).to.deep.equal(events.map((_, n) => n + 1));
  const runs = (await store.runs.list(koa)).toReversed();
  for (const [status, type] of [
    ['succeeded', 'repository.loaded'],
    ['failed', 'repository.failed'],
  ]) {
    const told = events.filter((event) => event.type === type).map(({ data }) => data['run_id']);
    expect(told, type).to.deep.equal(runs.filter((run) => run.status === status).map((run) => run.id));
  }
  const told = events
    .filter(({ type }) => type === 'quota.near')
    .map(({ data }) => `${String(data['period'])} ${String(data['percent'])}`);
  const used = await store.tenant(id, ({ usage }) => usage.calls({ from: '2000-01-01', to: '2100-12-31' }, ['day']));
  const near = used.flatMap(({ day, credits }) =>
    [80, 100].filter((percent) => credits >= percent * 100).map((percent) => `${day.slice(0, 7)} ${percent}`),
  );
  expect(told.toSorted()).to.deep.equal(near.toSorted());
  const deliveries = await store.tenant(id, (acme) => acme.webhookDeliveries.page({ after: null, limit: 100_000 }));
  const ids = events.map((event) => event.id).toSorted();
  expect(deliveries.map(({ event_id }) => event_id).toSorted(), 'each is on its way').to.deep.equal(ids);
}

const writer = fileURLToPath(new URL('./writer-process.ts', import.meta.url));

describe('relational store: pglite, killed', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'pglite-')), 'postgres');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true }));

  /** Starts a writer, kills it `ms` after its first acknowledged write (or after its start), gives what it acknowledged. */
  const killAfter = async (ms: number, from: 'start' | 'first write', environment: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [writer, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    let printed = '';
    child.stdout.on('data', (text: Buffer) => {
      printed += text.toString();
    });
    if (from === 'first write') await once(child.stdout, 'data');
    await sleep(ms);
    child.kill('SIGKILL');
    await once(child, 'close');
    // The last line may be half: then its write was not acknowledged to anybody.
    return printed.split('\n').slice(0, -1);
  };

  it('has every acknowledged write and no half snapshot after each kill while it wrote', async () => {
    const keys: string[] = [];
    let snapshot = '';
    for (const ms of effort({ gate: [3, 150], long: [3, 400, 40, 150, 0, 1_000, 20, 250] })) {
      for (const line of await killAfter(ms, 'first write')) {
        const [kind, value = ''] = line.split(' ');
        if (kind === 'key') keys.push(value);
        else snapshot = value;
      }
      const store = await openPglite({ folder });
      for (const key of keys) {
        const digest = { digest: Buffer.from(key, 'hex'), pepperId: 'of tests' };
        expect(await store.accounts.principalByDigest([digest])).to.not.equal(null);
      }
      const stored = await store.snapshots.get(koa);
      const chunks: Uint8Array[] = [];
      for await (const chunk of store.snapshots.read(koa)) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      // The one acknowledged last, or the one after it, whose word was lost in the kill.
      expect(text === (stored?.generation ?? '').repeat(1_000_000)).to.equal(true);
      const next = snapshot === '' ? 'a' : String.fromCharCode(((snapshot.charCodeAt(0) - 96) % 26) + 97);
      expect([snapshot, next, 'a']).to.include(stored?.generation ?? '');
      await expectEachToldOnce(store);
      await store.close();
    }
    expect(keys.length).to.be.greaterThan(1);
  });

  it('has every acknowledged write on a disk that lost all that was not written to it', async function () {
    if (process.platform !== 'linux') this.skip();
    await (await openPglite({ folder })).close();
    const lost = `${folder}-after-the-loss`;
    cpSync(folder, lost, { recursive: true });
    const printed = await killAfter(500, 'first write', {
      NODE_OPTIONS: `--import=${new URL('../../support/what-is-synced.js', import.meta.url).href}`,
      FOLDER_WRITTEN: folder,
      FOLDER_SYNCED: lost,
    });
    const written = printed.filter((line) => line.startsWith('key '));
    expect(written.length).to.be.greaterThan(0);
    const store = await openPglite({ folder: lost });
    for (const line of written) {
      const digest = { digest: Buffer.from(line.slice('key '.length), 'hex'), pepperId: 'of tests' };
      expect(await store.accounts.principalByDigest([digest]), line).to.not.equal(null);
    }
    await store.close();
  });

  it('opens after a kill at any moment of the first start', async () => {
    for (const ms of effort({ gate: [400], long: [50, 100, 200, 400, 700, 1_000] })) {
      await killAfter(ms, 'start');
      const store = await openPglite({ folder });
      await store.ping();
      await store.close();
      await rm(folder, { recursive: true });
    }
  });
});
