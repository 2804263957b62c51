import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { UsageEvent } from '../../../src/model/account.ts';
import type { EphemeralStore, Quota } from '../../../src/stores/ephemeral/port.ts';
import { openRedis } from '../../../src/stores/ephemeral/redis.ts';
import { StoreUnavailable } from '../../../src/stores/errors.ts';
import { ephemeralStoreContract } from '../../contract/ephemeral-store.ts';
import { failure, unique } from '../../contract/relational-store.ts';
import { event, expectedTotals, totals } from '../../contract/usage.ts';
import { onEngine } from '../../support/engines.ts';
import { eventually } from '../../support/eventually.ts';
import { openTcpProxy } from '../../support/tcp-proxy.ts';
import type { TcpProxy } from '../../support/tcp-proxy.ts';
import { temporaryPglite } from '../../support/temporary-pglite.ts';

onEngine('redis', (url) => {
  const relational = temporaryPglite();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'usage-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  // Longer than a machine that is busy with other things keeps Redis from answering: here what it answers counts.
  const patienceMs = 1_000;
  const open = (through = url(), append = relational().usage.append) =>
    openRedis({ url: through, ledger: { append }, folder, patienceMs });

  ephemeralStoreContract(open, relational);

  const events = (count: number): UsageEvent[] => {
    const organizationId = unique('org');
    return Array.from({ length: count }, (_, index) => event(organizationId, index));
  };
  const ledgerOf = ([first]: readonly UsageEvent[]) => totals(relational(), first?.organization_id ?? '');
  const usage = async (store: EphemeralStore, made: readonly UsageEvent[]) => {
    const source = await store.settle();
    return { rows: await ledgerOf(made), source };
  };

  it('shows on one instance at once what another recorded', async () => {
    const [first, second] = await Promise.all([open(), open()]);
    const made = events(10);
    for (const [index, one] of made.entries()) {
      await (index % 2 ? first : second).record(one);
      const rows = expectedTotals(made.slice(0, index + 1));
      expect(await usage(first, made)).to.deep.equal({ rows, source: 'live' });
    }
    await second.record(made[0] as UsageEvent);
    expect((await usage(first, made)).rows).to.deep.equal(expectedTotals(made));
    await Promise.all([first.close(), second.close()]);
  });

  it('saves what an instance recorded that was killed before it wrote the ledger', async () => {
    const stopped = Promise.withResolvers<void>();
    const killed = await open(url(), () => stopped.promise);
    const made = events(10);
    for (const one of made) await killed.record(one);
    expect(await ledgerOf(made)).to.deep.equal([]);
    const other = await open();
    await other.settle();
    expect(await ledgerOf(made)).to.deep.equal(expectedTotals(made));
    await other.close();
    stopped.resolve();
    await killed.close();
    expect(await ledgerOf(made)).to.deep.equal(expectedTotals(made));
  });

  it('loses nothing when Redis loses everything while calls are recorded and read on two instances', async () => {
    const stores = await Promise.all([open(), open()]);
    const redis = new Redis(url());
    const made = events(300);
    for (const [index, one] of made.entries()) {
      await stores[index % 2]?.record(one);
      if (index % 50 === 10) await stores[0].settle();
      if (index % 100 === 50) await redis.flushdb();
    }
    // What the other instance holds alone is in the ledger within its half second.
    await eventually(async () => {
      expect(await usage(stores[0], made)).to.deep.equal({ rows: expectedTotals(made), source: 'live' });
    });
    redis.disconnect();
    for (const store of stores) await store.close();
  });

  it('tells messages to every instance, also after Redis was away', async () => {
    const proxy = await openTcpProxy(url());
    const [one, other] = await Promise.all([open(), open(proxy.url)]);
    const heard: string[] = [];
    const channel = unique('channel');
    other.subscribe(channel, (message) => heard.push(message));
    const isHeard = (message: string) =>
      eventually(async () => {
        await one.publish(channel, message);
        await sleep(50);
        expect(heard).to.include(message);
      });
    await isHeard('first');
    proxy.cut();
    await one.publish(channel, 'lost');
    await other.publish(channel, 'own');
    expect(heard).to.include('own');
    proxy.restore();
    await isHeard('second');
    expect(heard).to.not.include('lost');
    await Promise.all([one.close(), other.close()]);
    proxy.close();
  });

  it('two instances share a quota', async () => {
    const stores = await Promise.all([open(), open()]);
    const quota: Quota = { name: unique('quota'), requests: 10, window_seconds: 60 };
    const limiters = stores.map((store) => store.limiter(quota));
    const standings = await Promise.all(
      limiters.flatMap((limiter) => Array.from({ length: 15 }, () => limiter.take('anna'))),
    );
    expect(standings.filter(({ allowed }) => allowed)).to.have.lengthOf(10);
    for (const store of stores) await store.close();
  });

  describe('with Redis out of reach', () => {
    let proxy: TcpProxy;
    let store: EphemeralStore;
    beforeEach(async () => {
      proxy = await openTcpProxy(url());
      store = await open(proxy.url);
    });
    afterEach(async () => {
      await store.close();
      proxy.close();
    });

    const faults = {
      cut: () => proxy.cut(),
      freeze: () => proxy.freeze(),
      'half a minute late': () => proxy.delay(30_000),
      reset: () => proxy.reset(),
    };

    for (const fault of ['cut', 'freeze'] as const) {
      it(`goes on counting, from the ledger, and is exact when Redis is back (${fault})`, async () => {
        const made = events(90);
        for (const one of made.slice(0, 30)) await store.record(one);
        await store.settle();
        faults[fault]();
        for (const one of made.slice(30, 60)) await store.record(one);
        await store.record(made[40] as UsageEvent);
        expect(await usage(store, made)).to.deep.equal({ rows: expectedTotals(made.slice(0, 60)), source: 'ledger' });
        proxy.restore();
        for (const one of made.slice(60, 75)) await store.record(one);
        expect((await usage(store, made)).rows).to.deep.equal(expectedTotals(made.slice(0, 75)));
        await eventually(async () => expect(await store.settle()).to.equal('live'));
        for (const one of made.slice(75)) await store.record(one);
        expect(await usage(store, made)).to.deep.equal({ rows: expectedTotals(made), source: 'live' });
      });
    }

    for (const [fault, breakIt] of Object.entries(faults)) {
      it(`makes nobody wait, but once for as long as it is patient (${fault})`, async () => {
        const limiter = store.limiter({ name: unique('quota'), requests: 1_000, window_seconds: 60 });
        const made = events(40);
        await limiter.take('anna');
        breakIt();
        const waits: number[] = [];
        for (const one of made) {
          const begin = performance.now();
          expect(await limiter.take('anna')).to.include({ allowed: true });
          await store.record(one);
          waits.push(performance.now() - begin);
          await sleep(5);
        }
        expect(waits.filter((ms) => ms > patienceMs / 2).length).to.be.at.most(2);
        expect(waits.toSorted((a, b) => a - b)[20]).to.be.below(patienceMs / 5);
        expect(Math.max(...waits)).to.be.below(4 * patienceMs);
      });
    }

    it('limits on its own meanwhile, to the whole quota', async () => {
      const limiter = store.limiter({ name: unique('quota'), requests: 3, window_seconds: 60 });
      await limiter.take('anna');
      proxy.cut();
      const standings = [];
      for (let taken = 0; taken < 5; taken += 1) standings.push(await limiter.take('anna'));
      expect(standings.map(({ allowed }) => allowed)).to.deep.equal([true, true, true, false, false]);
    });

    it('saves what an instance recorded that was killed while the ledger was away, too', async () => {
      const made = events(50);
      const killed = await open(proxy.url, () => Promise.reject(new StoreUnavailable('relational')));
      for (const one of made.slice(0, 20)) await killed.record(one);
      proxy.cut();
      for (const one of made.slice(20)) await killed.record(one);
      const next = await open();
      expect(await usage(next, made)).to.deep.equal({ rows: expectedTotals(made), source: 'live' });
      await Promise.all([killed.close(), next.close()]);
      await store.settle();
      expect((await readdir(folder)).filter((name) => name.endsWith('.jsonl'))).to.deep.equal([]);
    });

    it('refuses locks with StoreUnavailable, and gives them again when Redis is back', async () => {
      proxy.cut();
      expect(await failure(store.lock(unique('lock'), 'me', 1_000))).to.be.instanceOf(StoreUnavailable);
      proxy.restore();
      await eventually(async () => expect(await store.lock(unique('lock'), 'me', 1_000)).to.equal(true));
    });

    it('opens without Redis', async () => {
      proxy.cut();
      const other = await open(proxy.url);
      const made = events(3);
      for (const one of made) await other.record(one);
      expect(await usage(other, made)).to.deep.equal({ rows: expectedTotals(made), source: 'ledger' });
      await other.close();
    });
  });
});
