import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import type { UsageEvent } from '../../src/model/account.ts';
import { daysOf } from '../../src/model/usage.ts';
import type { CustomerEvent, UsageColumn } from '../../src/model/usage.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { unique } from './relational-store.ts';

/** What every relational store promises of the ledger of metered calls, and of the events that organizations tell. */
export function usageContract(store: () => RelationalStore): void {
  describe('usage', () => {
    it('counts an event once: appended twice, in parallel, in other batches and orders', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(39), { minLength: 1, maxLength: 80 }), fc.nat(5), async (picks, cut) => {
          const organizationId = unique('org');
          const events = Array.from({ length: 40 }, (_, index) => event(organizationId, index));
          const chosen = picks.map((index) => events[index] as UsageEvent);
          const size = cut + 1;
          const batches = Array.from({ length: Math.ceil(chosen.length / size) }, (_, index) =>
            chosen.slice(index * size, (index + 1) * size),
          );
          await Promise.all([
            ...batches.map((batch) => store().usage.append(batch)),
            store().usage.append(chosen.toReversed()),
            store().usage.append(chosen),
          ]);
          const once = events.filter((one) => chosen.includes(one));
          expect(await totals(store(), organizationId)).to.deep.equal(expectedTotals(once));
        }),
        { numRuns: 15 },
      );
    });

    it('counts on the day of the event, in UTC', async () => {
      const organizationId = unique('org');
      const at = (occurred_at: string) => ({ ...event(organizationId, 0), occurred_at });
      await store().usage.append([
        at('2026-11-30T23:59:59.999Z'),
        at('2026-12-01T00:00:00.000Z'),
        at('2026-12-01T00:30:00.000+01:00'),
      ]);
      const calls = async (month: string) => (await totals(store(), organizationId, month))[0]?.calls;
      expect(await calls('2026-11')).to.equal(2);
      expect(await calls('2026-12')).to.equal(1);
      const days = await store().tenant(organizationId, ({ usage }) =>
        usage.calls({ from: '2026-11-30', to: '2026-12-01' }, ['day']),
      );
      expect(days.map(({ day, calls }) => [day, calls])).to.deep.equal([
        ['2026-11-30', 2],
        ['2026-12-01', 1],
      ]);
    });

    it('knows when the last call was, or the last one before a time', async () => {
      const at = (occurred_at: string) => ({ ...event(unique('org'), 0), occurred_at });
      const [first, second] = ['2098-01-31T23:00:00.000Z', '2098-03-01T00:00:00.000Z'];
      await store().usage.append([at(second), at(first)]);
      expect(await store().usage.latest()).to.deep.equal(new Date(second));
      expect(await store().usage.latest(new Date(first))).to.deep.equal(new Date(first));
      expect(await store().usage.latest(new Date('1999-01-01'))).to.equal(null);
    });

    it('sums by whatever tells calls apart, in that order, and of one product where told', async () => {
      const organizationId = unique('org');
      const made = [
        { member_id: 'mem_2', product: 'code-search', operation: 'search', credits: 1 },
        { member_id: 'mem_1', product: 'code-graph', operation: 'get_graph', credits: 5 },
        { member_id: 'mem_1', product: 'code-graph', operation: 'get_neighbors', credits: 1 },
        { member_id: 'mem_2', product: 'code-graph', operation: 'get_graph', credits: 5 },
      ].map((one) => ({ ...event(organizationId, 0), ...one }));
      await store().usage.append(made);
      const sums = (by: readonly UsageColumn[], product?: string) =>
        store().tenant(organizationId, ({ usage }) => usage.calls(daysOf('2026-11'), by, product));
      const one = { class: 'successful', calls: 1 };
      expect(await sums(['member_id'])).to.deep.equal([
        { ...one, member_id: 'mem_1', calls: 2, credits: 6 },
        { ...one, member_id: 'mem_2', calls: 2, credits: 6 },
      ]);
      expect(await sums(['product', 'operation'])).to.deep.equal([
        { ...one, product: 'code-graph', operation: 'get_graph', calls: 2, credits: 10 },
        { ...one, product: 'code-graph', operation: 'get_neighbors', credits: 1 },
        { ...one, product: 'code-search', operation: 'search', credits: 1 },
      ]);
      expect(await sums(['product'], 'code-search')).to.deep.equal([{ ...one, product: 'code-search', credits: 1 }]);
    });

    it('keeps organizations apart, and has nothing for one without calls', async () => {
      const [first, second] = [unique('org'), unique('org')];
      await store().usage.append([event(first, 1)]);
      expect(await totals(store(), first)).to.have.lengthOf(1);
      expect(await totals(store(), second)).to.deep.equal([]);
    });

    it('takes a large batch, and an empty one', async () => {
      const organizationId = unique('org');
      await store().usage.append([]);
      await store().usage.append(Array.from({ length: 2500 }, () => event(organizationId, 0)));
      expect((await totals(store(), organizationId))[0]?.calls).to.equal(2500);
    });
  });

  describe('usage events', () => {
    const organization = async () =>
      (await store().accounts.ensureOrganization({ slug: unique('org'), name: 'Acme GmbH' })).id;
    const from = { memberId: 'mem_1', keyId: 'key_1' };
    const append = (organizationId: string, ...events: CustomerEvent[]) =>
      store().tenant(organizationId, ({ usageEvents }) => usageEvents.append(events, from));
    const list = (organizationId: string, query: { type?: string; from?: string; to?: string } = {}) =>
      store().tenant(organizationId, ({ usageEvents }) => usageEvents.list({ ...query, offset: 0, limit: 100 }));
    const statuses = (items: readonly { status: string }[]) => items.map(({ status }) => status);

    it('keeps the first of a source and an id, and says of each which it is', async () => {
      const id = await organization();
      const [first] = await append(id, told('a', { data: 1 }));
      const again = await append(id, told('b'), told('a', { data: 2 }), told('b', { data: 3 }));
      expect(statuses(again)).to.deep.equal(['accepted', 'duplicate', 'duplicate']);
      expect(again[1]?.event_id).to.equal(first?.event_id);
      expect(again[2]?.event_id).to.equal(again[0]?.event_id);
      expect(statuses(await append(id, told('a', { source: 'elsewhere' })))).to.deep.equal(['accepted']);
      const { items, total } = await list(id);
      expect(total).to.equal(3);
      expect(items.find(({ event_id }) => event_id === first?.event_id)?.data).to.equal(1);
    });

    it('takes each event once, of many requests at once with the same events in any order', async () => {
      const id = await organization();
      const events = Array.from({ length: 20 }, (_, index) => told(`event ${index}`));
      const taken = await Promise.all(
        Array.from({ length: 8 }, (_, index) => append(id, ...(index % 2 ? events : events.toReversed()))),
      );
      expect(statuses(taken.flat()).filter((status) => status === 'accepted')).to.have.lengthOf(20);
      const today = new Date().toISOString().slice(0, 10);
      const sums = await store().tenant(id, ({ usage }) => usage.events({ from: today, to: today }, ['member_id']));
      expect(sums).to.deep.equal([{ member_id: 'mem_1', events: 20 }]);
    });

    it('gives back what it was given: any JSON, and the difference between none and null', async () => {
      const id = await organization();
      const values = [undefined, null, 0, '', 'a\u0000b \ud800 "\\', [], { a: [{ b: null }], '\u0000': 'é\u{1F600}' }];
      await append(id, ...values.map((data, index) => told(`event ${index}`, { data, subject: `it's {"${index}"}` })));
      const { items } = await list(id);
      for (const [index, data] of values.entries()) {
        const found = items.find((item) => item.id === `event ${index}`);
        expect(found).to.deep.include({ ...told(`event ${index}`), data: data ?? null, subject: `it's {"${index}"}` });
      }
    });

    it('lists the latest first, by type and time, and nobody else’s', async () => {
      const [id, other] = [await organization(), await organization()];
      const at = (hour: number) => `2026-11-20T${hour}:00:00.000Z`;
      await append(
        id,
        told('a', { time: at(10) }),
        told('b', { time: at(12) }),
        told('c', { time: at(11), type: 'x' }),
      );
      await append(other, told('a'));
      const ids = async (query?: Parameters<typeof list>[1]) => (await list(id, query)).items.map((item) => item.id);
      expect(await ids()).to.deep.equal(['b', 'c', 'a']);
      expect(await ids({ type: 'x' })).to.deep.equal(['c']);
      expect(await ids({ from: at(11) })).to.deep.equal(['b', 'c']);
      expect(await ids({ to: at(11) })).to.deep.equal(['a']);
      expect((await list(other)).total).to.equal(1);
      expect((await list(await organization())).items).to.deep.equal([]);
    });

    it('has no sum where there is none', async () => {
      const id = await organization();
      const days = daysOf('2026-11');
      expect(await store().tenant(id, ({ usage }) => usage.events(days, []))).to.deep.equal([]);
      expect(await store().tenant(id, ({ usage }) => usage.events(days, ['day']))).to.deep.equal([]);
    });
  });
}

/** An event as an organization tells it. */
function told(id: string, changes: Partial<CustomerEvent> = {}): CustomerEvent {
  return {
    id,
    source: 'repo-intel/laptop-7',
    type: 'cli.analysis.completed',
    subject: null,
    time: '2026-11-20T10:00:00.000Z',
    datacontenttype: null,
    attributes: {},
    data: null,
    ...changes,
  };
}

/** A metered call of this organization; what it is depends on the number, and its id is its own. */
export function event(organizationId: string, number: number): UsageEvent {
  const products = ['code-graph', 'code-search'];
  const classes = ['successful', 'client_error', 'not_modified'] as const;
  const kind = classes[number % 3] ?? 'successful';
  return {
    event_id: randomUUID(),
    organization_id: organizationId,
    member_id: 'mem_1',
    key_id: 'key_1',
    product: products[number % 2] ?? 'code-graph',
    operation: 'search_repositories',
    status: kind === 'successful' ? 200 : 404,
    class: kind,
    credits: kind === 'successful' ? (number % 5) + 1 : 0,
    occurred_at: `2026-11-${String((number % 28) + 1).padStart(2, '0')}T12:00:00.000Z`,
  };
}

/** What the ledger holds of an organization's month, by product and class. */
export const totals = (store: Pick<RelationalStore, 'tenant'>, organizationId: string, month = '2026-11') =>
  store.tenant(organizationId, ({ usage }) => usage.calls(daysOf(month), ['product']));

/** The same of these events. */
export function expectedTotals(events: readonly UsageEvent[]) {
  const groups = Map.groupBy(events, (one) => `${one.product} ${one.class}`);
  return [...groups.keys()].sort().map((group) => {
    const [product, kind] = group.split(' ');
    const members = groups.get(group) ?? [];
    return {
      product,
      class: kind,
      calls: members.length,
      credits: members.reduce((sum, one) => sum + one.credits, 0),
    };
  });
}
