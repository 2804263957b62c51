import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { UsageEvent } from '../../src/model/account.ts';
import type { EphemeralStore } from '../../src/stores/ephemeral/port.ts';
import type { Quota } from '../../src/stores/ephemeral/port.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { within } from '../support/eventually.ts';
import { unique } from './relational-store.ts';
import { event, expectedTotals, totals } from './usage.ts';

/** What every ephemeral store promises; `open` opens one more on the same engine and ledger, which the contract closes. */
export function ephemeralStoreContract(open: () => Promise<EphemeralStore>, relational: () => RelationalStore): void {
  let store: EphemeralStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const events = (count: number, organizationId = unique('org')): UsageEvent[] =>
    Array.from({ length: count }, (_, index) => event(organizationId, index));
  const usage = async (organizationId: string, month?: string) => {
    expect(await store.settle()).to.equal('live');
    return totals(relational(), organizationId, month);
  };
  const organizationOf = (made: readonly UsageEvent[]) => made[0]?.organization_id ?? '';

  describe('messages', () => {
    it('are heard at once in the process, by all who listen to the channel', async () => {
      const heard: string[] = [];
      const channel = unique('channel');
      store.subscribe(channel, (message) => heard.push(`a ${message}`));
      store.subscribe(channel, (message) => heard.push(`b ${message}`));
      store.subscribe(unique('channel'), (message) => heard.push(`c ${message}`));
      const published = store.publish(channel, 'one');
      expect(heard).to.deep.equal(['a one', 'b one']);
      await published;
      await store.publish(unique('channel'), 'two');
      expect(heard).to.not.include('a two');
    });
  });

  describe('meters', () => {
    it('shows what was recorded at once, call after call', async () => {
      const made = events(30);
      for (const [index, one] of made.entries()) {
        await store.record(one);
        const rows = await usage(organizationOf(made));
        expect(rows).to.deep.equal(expectedTotals(made.slice(0, index + 1)));
      }
    });

    it('counts an event once: recorded again, in parallel, before and after it was written to the ledger', async () => {
      const made = events(20);
      await Promise.all([...made, ...made, ...made].map((one) => store.record(one)));
      expect(await usage(organizationOf(made))).to.deep.equal(expectedTotals(made));
      await Promise.all(made.map((one) => store.record(one)));
      expect(await usage(organizationOf(made))).to.deep.equal(expectedTotals(made));
    });

    it('counts 2000 calls exactly while others read', async () => {
      const made = events(2000);
      let reading = true;
      const reader = (async () => {
        let calls = 0;
        while (reading) {
          const rows = await usage(organizationOf(made));
          const now = rows.reduce((sum, row) => sum + row.calls, 0);
          expect(now).to.be.at.least(calls);
          calls = now;
          await sleep(5);
        }
      })();
      for (let start = 0; start < made.length; start += 50) {
        await Promise.all(made.slice(start, start + 50).map((one) => store.record(one)));
      }
      reading = false;
      await reader;
      expect(await usage(organizationOf(made))).to.deep.equal(expectedTotals(made));
    });

    it('keeps organizations and months apart', async () => {
      const [first, second] = [events(6), events(4)];
      const december = { ...event(organizationOf(first), 0), occurred_at: '2026-12-01T00:00:00.000Z' };
      await Promise.all([...first, ...second, december].map((one) => store.record(one)));
      expect(await usage(organizationOf(first))).to.deep.equal(expectedTotals(first));
      expect(await usage(organizationOf(second))).to.deep.equal(expectedTotals(second));
      expect(await usage(organizationOf(first), '2026-12')).to.deep.equal(expectedTotals([december]));
      expect(await usage(unique('org'))).to.deep.equal([]);
    });

    it('has everything in the ledger when it is closed', async () => {
      const made = events(700);
      const another = await open();
      await Promise.all(made.map((one) => another.record(one)));
      await another.close();
      expect(await totals(relational(), organizationOf(made))).to.deep.equal(expectedTotals(made));
      expect(await usage(organizationOf(made))).to.deep.equal(expectedTotals(made));
    });

    it('brings what was recorded into the ledger by itself within two seconds', async () => {
      const made = events(5);
      await Promise.all(made.map((one) => store.record(one)));
      await within(2, async () => {
        expect(await totals(relational(), organizationOf(made))).to.deep.equal(expectedTotals(made));
      });
    });
  });

  describe('limiters', () => {
    const quota = (requests: number, window_seconds = 60): Quota => ({
      name: unique('quota'),
      requests,
      window_seconds,
    });

    it('let as many through as the quota says, of many at once, and tell what is left', async () => {
      const limiter = store.limiter(quota(10));
      const standings = await Promise.all(Array.from({ length: 25 }, () => limiter.take('anna')));
      expect(standings.map(({ allowed }) => allowed).filter(Boolean)).to.have.lengthOf(10);
      expect(standings.map(({ remaining }) => remaining).slice(0, 11)).to.have.members([
        9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0,
      ]);
      for (const { reset_ms } of standings) expect(reset_ms).to.be.within(50_000, 60_000);
      expect(await limiter.take('otto')).to.include({ allowed: true, remaining: 9 });
    });

    it('are looked at without taking, and given back', async () => {
      const limiter = store.limiter(quota(2));
      expect(await limiter.look('anna')).to.include({ allowed: true, remaining: 2 });
      await limiter.take('anna');
      expect(await limiter.look('anna')).to.include({ allowed: true, remaining: 1 });
      await limiter.take('anna');
      expect(await limiter.look('anna')).to.include({ allowed: false, remaining: 0 });
      expect(await limiter.giveBack('anna')).to.include({ allowed: true, remaining: 1 });
      expect(await limiter.take('anna')).to.include({ allowed: true, remaining: 0 });
      expect(await limiter.take('anna')).to.include({ allowed: false, remaining: 0 });
    });

    it('have everything again when the window is over, and never more', async () => {
      const limiter = store.limiter(quota(2, 1));
      for (let taken = 0; taken < 3; taken += 1) await limiter.take('anna');
      await sleep(1_100);
      expect(await limiter.giveBack('anna')).to.include({ allowed: true, remaining: 2 });
      expect(await limiter.look('anna')).to.include({ remaining: 2 });
    });

    it('of different quotas do not know of each other', async () => {
      await store.limiter(quota(1)).take('anna');
      expect(await store.limiter(quota(1)).take('anna')).to.include({ allowed: true });
    });
  });

  describe('locks', () => {
    it('have one holder, however many ask at once', async () => {
      const key = unique('lock');
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.lock(key, `holder ${index}`, 5_000)),
      );
      expect(taken.filter(Boolean)).to.have.lengthOf(1);
    });

    it('are given back by their holder only', async () => {
      const key = unique('lock');
      expect(await store.lock(key, 'first', 5_000)).to.equal(true);
      await store.unlock(key, 'second');
      expect(await store.lock(key, 'second', 5_000)).to.equal(false);
      await store.unlock(key, 'first');
      expect(await store.lock(key, 'second', 5_000)).to.equal(true);
    });

    it('end by themselves, and what their former holder does then changes nothing', async () => {
      const key = unique('lock');
      expect(await store.lock(key, 'first', 50)).to.equal(true);
      await sleep(80);
      expect(await store.lock(key, 'second', 5_000)).to.equal(true);
      await store.unlock(key, 'first');
      expect(await store.lock(key, 'third', 5_000)).to.equal(false);
    });
  });

  it('answers a ping', () => store.ping());
}
