import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { UsageEvent } from '../../src/model/account.ts';
import type { EphemeralStore } from '../../src/stores/ephemeral/port.ts';
import type { UsageLedger } from '../../src/stores/relational/port.ts';
import { event, expectedTotals, unique } from './relational-store.ts';

/** What every ephemeral store promises; `open` opens one more on the same engine and ledger, which the contract closes. */
export function ephemeralStoreContract(open: () => Promise<EphemeralStore>, ledger: () => UsageLedger): void {
  let store: EphemeralStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  const events = (count: number, organizationId = unique('org')): UsageEvent[] =>
    Array.from({ length: count }, (_, index) => event(organizationId, index));
  const usage = async (organizationId: string, period = '2026-11') => (await store.usage(organizationId, period)).rows;
  const organizationOf = (made: readonly UsageEvent[]) => made[0]?.organization_id ?? '';

  describe('meters', () => {
    it('shows what was recorded at once, call after call', async () => {
      const made = events(30);
      for (const [index, one] of made.entries()) {
        expect(await store.record(one)).to.equal(true);
        const rows = await usage(organizationOf(made));
        expect(rows).to.deep.equal(expectedTotals(made.slice(0, index + 1)));
      }
    });

    it('counts an event once: recorded again, in parallel, before and after it was written to the ledger', async () => {
      const made = events(20);
      const answers = await Promise.all([...made, ...made, ...made].map((one) => store.record(one)));
      expect(answers.filter(Boolean)).to.have.lengthOf(20);
      expect(await usage(organizationOf(made))).to.deep.equal(expectedTotals(made));
      expect(await Promise.all(made.map((one) => store.record(one)))).to.deep.equal(made.map(() => false));
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
      expect(await ledger().totals(organizationOf(made), '2026-11')).to.deep.equal(expectedTotals(made));
      expect(await usage(organizationOf(made))).to.deep.equal(expectedTotals(made));
    });

    it('brings what was recorded into the ledger by itself within two seconds', async () => {
      const made = events(5);
      await Promise.all(made.map((one) => store.record(one)));
      await sleep(2_000);
      expect(await ledger().totals(organizationOf(made), '2026-11')).to.deep.equal(expectedTotals(made));
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
