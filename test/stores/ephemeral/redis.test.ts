import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { UsageEvent } from '../../../src/model/account.ts';
import type { EphemeralStore } from '../../../src/stores/ephemeral/port.ts';
import { openRedis } from '../../../src/stores/ephemeral/redis.ts';
import { StoreUnavailable } from '../../../src/stores/errors.ts';
import { ephemeralStoreContract } from '../../contract/ephemeral-store.ts';
import { event, expectedTotals, failure, unique } from '../../contract/relational-store.ts';
import { onEngine } from '../../support/engines.ts';
import { eventually } from '../../support/eventually.ts';
import { openTcpProxy } from '../../support/tcp-proxy.ts';
import type { TcpProxy } from '../../support/tcp-proxy.ts';
import { temporaryPglite } from '../../support/temporary-pglite.ts';

onEngine('redis', (url) => {
  const relational = temporaryPglite();
  const ledger = () => relational().usage;

  ephemeralStoreContract(() => openRedis({ url: url(), ledger: ledger() }), ledger);

  const events = (count: number): UsageEvent[] => {
    const organizationId = unique('org');
    return Array.from({ length: count }, (_, index) => event(organizationId, index));
  };
  const sourced = (store: EphemeralStore, made: readonly UsageEvent[]) =>
    store.usage(made[0]?.organization_id ?? '', '2026-11');
  const usage = async (store: EphemeralStore, made: readonly UsageEvent[]) => (await sourced(store, made)).rows;

  it('shows on one instance at once what another recorded', async () => {
    const [first, second] = await Promise.all([
      openRedis({ url: url(), ledger: ledger() }),
      openRedis({ url: url(), ledger: ledger() }),
    ]);
    const made = events(10);
    for (const [index, one] of made.entries()) {
      await (index % 2 ? first : second).record(one);
      expect(await usage(first, made)).to.deep.equal(expectedTotals(made.slice(0, index + 1)));
    }
    expect(await second.record(made[0] as UsageEvent)).to.equal(false);
    await Promise.all([first.close(), second.close()]);
  });

  it('saves what an instance recorded that was killed before it wrote the ledger', async () => {
    const stopped = Promise.withResolvers<void>();
    const killed = await openRedis({
      url: url(),
      ledger: { totals: (...period) => ledger().totals(...period), append: () => stopped.promise },
    });
    const made = events(10);
    for (const one of made) await killed.record(one);
    expect(await ledger().totals(made[0]?.organization_id ?? '', '2026-11')).to.deep.equal([]);
    const other = await openRedis({ url: url(), ledger: ledger() });
    expect(await usage(other, made)).to.deep.equal(expectedTotals(made));
    expect(await ledger().totals(made[0]?.organization_id ?? '', '2026-11')).to.deep.equal(expectedTotals(made));
    await other.close();
    stopped.resolve();
    await killed.close();
  });

  it('loses nothing when Redis loses everything, and is right again within six seconds', async () => {
    const store = await openRedis({ url: url(), ledger: ledger() });
    const redis = new Redis(url());
    const made = events(300);
    for (const [index, one] of made.entries()) {
      await store.record(one);
      if (index % 50 === 10) await usage(store, made);
      if (index % 100 === 50) {
        const keys = await redis.keys('ris:{m}:*');
        if (keys.length > 0) await redis.del(...keys);
      }
    }
    await sleep(6_000);
    expect(await usage(store, made)).to.deep.equal(expectedTotals(made));
    redis.disconnect();
    await store.close();
  });

  describe('with Redis out of reach', () => {
    let proxy: TcpProxy;
    let store: EphemeralStore;
    beforeEach(async () => {
      proxy = await openTcpProxy(url());
      store = await openRedis({ url: proxy.url, ledger: ledger() });
    });
    afterEach(async () => {
      await store.close();
      proxy.close();
    });

    for (const fault of ['cut', 'freeze'] as const) {
      it(`goes on counting, from the ledger, and is exact when Redis is back (${fault})`, async () => {
        const made = events(90);
        for (const one of made.slice(0, 30)) await store.record(one);
        await usage(store, made);
        proxy[fault]();
        const begin = performance.now();
        for (const one of made.slice(30, 60)) expect(await store.record(one)).to.equal(true);
        expect(performance.now() - begin).to.be.below(2_000);
        expect(await store.record(made[40] as UsageEvent)).to.equal(false);
        expect(await sourced(store, made)).to.deep.equal({ rows: expectedTotals(made.slice(0, 60)), source: 'ledger' });
        proxy.restore();
        for (const one of made.slice(60, 75)) await store.record(one);
        expect(await usage(store, made)).to.deep.equal(expectedTotals(made.slice(0, 75)));
        await eventually(async () => expect(await sourced(store, made)).to.have.property('source', 'live'), 10_000);
        for (const one of made.slice(75)) await store.record(one);
        expect(await sourced(store, made)).to.deep.equal({ rows: expectedTotals(made), source: 'live' });
      });
    }

    it('refuses locks with StoreUnavailable, and gives them again when Redis is back', async () => {
      proxy.cut();
      expect(await failure(store.lock(unique('lock'), 'me', 1_000))).to.be.instanceOf(StoreUnavailable);
      proxy.restore();
      await sleep(2_500);
      expect(await store.lock(unique('lock'), 'me', 1_000)).to.equal(true);
    });

    it('opens without Redis, and within three seconds', async () => {
      proxy.cut();
      const begin = performance.now();
      const other = await openRedis({ url: proxy.url, ledger: ledger() });
      expect(performance.now() - begin).to.be.below(3_000);
      const made = events(3);
      for (const one of made) expect(await other.record(one)).to.equal(true);
      expect(await usage(other, made)).to.deep.equal(expectedTotals(made));
      await other.close();
    });
  });
});
