import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { UsageEvent } from '../../src/model/account.ts';
import type { BillingChange } from '../../src/model/billing.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { checkoutOf } from '../support/checkout.ts';
import { unique } from './relational-store.ts';

type Change = BillingChange extends infer One ? (One extends unknown ? Omit<One, 'occurred_at'> : never) : never;

/** What every relational store promises of plans: what an organization is on, and what it is told of it. */
export function plansContract(store: () => RelationalStore): void {
  const organization = async () =>
    (await store().accounts.ensureOrganization({ slug: unique('org'), name: 'Acme GmbH' })).id;
  const session = async (id: string, plan_id: string) =>
    (await store().tenant(id, ({ checkoutSessions }) => checkoutSessions.create(checkoutOf(plan_id)))).id;
  /** A provider says so, `at` so many seconds; and again, as providers do. */
  const say = async (change: Change, at: number) => {
    const one = { provider: 'stripe', event_id: unique('evt'), type: 'test', body: Buffer.from('{}') };
    const said: BillingChange = { ...change, occurred_at: new Date(Date.UTC(2026, 10, 21, 12, 0, at)).toISOString() };
    for (let time = 0; time < 2; time++) {
      await store().webhooks.keep(one, said);
      for (
        let done;
        (done = await store().webhooks.workOff(({ event_id }) => (event_id === one.event_id ? said : null)));
      )
        if (done.error) throw done.error;
    }
  };
  const paid = (session_id: string, at: number) =>
    say({ kind: 'checkout', session_id, status: 'complete', payment_status: 'paid' }, at);
  const subscription = (session_id: string, status: string, at: number) =>
    say(
      {
        kind: 'subscription',
        id: `sub_${session_id}`,
        session_id,
        status,
        amount_cents: null,
        currency: 'USD',
        rank: 0,
      },
      at,
    );
  const planOf = async (id: string) => (await store().tenant(id, ({ plan }) => plan())).id;
  const told = async (id: string, type: 'plan.changed' | 'quota.near') =>
    (await store().tenant(id, ({ events }) => events.page({ after: 0, limit: 100, types: [type] }))).map(
      ({ data }) => data,
    );
  const call = (organizationId: string, credits: number, month = '2026-11'): UsageEvent => ({
    event_id: randomUUID(),
    organization_id: organizationId,
    member_id: 'mem_ann',
    key_id: 'key_ann',
    product: 'code-search',
    operation: 'search',
    status: 200,
    class: 'successful',
    credits,
    environment: 'live',
    occurred_at: `${month}-21T12:00:00.000Z`,
  });

  describe('plans', () => {
    it('change by a paid checkout, and back with the end of its subscription, each told once', async () => {
      const id = await organization();
      expect(await planOf(id)).equals('beta');
      const [team, business] = [await session(id, 'team'), await session(id, 'business')];
      expect(await planOf(id)).equals('beta');
      await paid(team, 1);
      expect(await planOf(id)).equals('team');
      await subscription(team, 'active', 2);
      await paid(business, 3);
      await subscription(business, 'active', 4);
      expect(await planOf(id)).equals('business');
      await subscription(business, 'canceled', 5);
      expect(await planOf(id)).equals('team');
      await subscription(team, 'canceled', 6);
      expect(await planOf(id)).equals('beta');
      expect(await told(id, 'plan.changed')).deep.equals([
        { from: 'beta', to: 'team' },
        { from: 'team', to: 'business' },
        { from: 'business', to: 'team' },
        { from: 'team', to: 'beta' },
      ]);
      expect(await planOf(await organization())).equals('beta');
    });

    it('tell of their credits at 80 and at 100 percent, once a month each, whoever hands the calls over how often', async () => {
      const id = await organization();
      await paid(await session(id, 'team'), 1);
      const few = [call(id, 4_000), call(id, 3_999)];
      await store().usage.append(few);
      expect(await told(id, 'quota.near')).deep.equals([]);
      const [more, most] = [call(id, 1), call(id, 2_500)];
      await Promise.all([
        store().usage.append([more]),
        store().usage.append([more]),
        store().usage.append([more, ...few]),
      ]);
      const near = { period: '2026-11', plan_id: 'team', percent: 80, credits_used: 8_000, included_credits: 10_000 };
      expect(await told(id, 'quota.near')).deep.equals([near]);
      await Promise.all([store().usage.append([most]), store().usage.append([most, call(id, 0)])]);
      await store().usage.append([call(id, 10)]);
      const used = { ...near, percent: 100, credits_used: 10_500 };
      expect(await told(id, 'quota.near')).deep.equals([near, used]);
      await store().usage.append([call(id, 20_000, '2026-12')]);
      const next = { ...near, period: '2026-12', credits_used: 20_000 };
      expect(await told(id, 'quota.near')).deep.equals([near, used, next, { ...next, percent: 100 }]);
    });

    it('without a limit tell of no credits', async () => {
      const id = await organization();
      await store().usage.append([call(id, 1_000_000)]);
      expect(await told(id, 'quota.near')).deep.equals([]);
    });

    it('lose nothing and tell nothing of calls that were not written', async () => {
      const id = await organization();
      await paid(await session(id, 'team'), 1);
      const broken = { ...call(id, 9_000), event_id: 'no id' };
      await store()
        .usage.append([broken])
        .then(
          () => expect.fail(),
          () => {},
        );
      expect(await told(id, 'quota.near')).deep.equals([]);
    });
  });
}
