import { expect } from 'chai';
import fc from 'fast-check';
import type { BillingChange, BillingRecord } from '../../src/model/billing.ts';
import type { InboxEvent, RelationalStore } from '../../src/stores/relational/port.ts';
import { checkoutOf } from '../support/checkout.ts';
import { unique } from './relational-store.ts';

/** What every relational store promises of the events of providers; `reopen` closes the store and opens it again. */
export function webhookInboxContract(store: () => RelationalStore, reopen: () => Promise<void>): void {
  const organization = async () =>
    (await store().accounts.ensureOrganization({ slug: unique('org'), name: 'Acme GmbH' })).id;
  const session = (id: string) =>
    store().tenant(id, ({ checkoutSessions }) => checkoutSessions.create(checkoutOf('team')));
  const event = (name: string): InboxEvent => ({
    provider: 'stripe',
    event_id: unique(name),
    type: name,
    body: Buffer.from(`{"name":"${name}"}`),
  });
  /** Works off all that waits, as `changes` say by the id of the event. */
  const workOff = async (changes: ReadonlyMap<string, BillingChange | null>) => {
    for (let done; (done = await store().webhooks.workOff(({ event_id }) => changes.get(event_id) ?? null));)
      if (done.error) throw done.error;
  };
  const receive = async (changes: readonly (readonly [InboxEvent, BillingChange | null])[]) => {
    for (const [one] of changes) await store().webhooks.keep(one);
    await workOff(new Map(changes.map(([one, change]) => [one.event_id, change])));
  };
  const records = (id: string): Promise<BillingRecord[]> =>
    store().tenant(id, ({ billingRecords }) => billingRecords());
  const occurred_at = '2026-11-21T12:00:00.000Z';

  describe('webhook inbox', () => {
    it('keeps an event once, however many bring it at once; the first stays', async () => {
      const one = event('once');
      const kept = await Promise.all([1, 2, 3, 4].map(() => store().webhooks.keep(one)));
      expect(kept.filter((isNew) => isNew)).lengthOf(1);
      expect(await store().webhooks.keep({ ...one, body: Buffer.from('other') })).equals(false);
      expect(await store().webhooks.keep({ ...one, provider: 'other' })).equals(true);
      const bodies: string[] = [];
      while (
        await store().webhooks.workOff(({ event_id, provider, body }) => {
          if (event_id === one.event_id && provider === 'stripe') bodies.push(Buffer.from(body).toString());
          return null;
        })
      );
      expect(bodies).deep.equals(['{"name":"once"}']);
    });

    it('an event that was kept waits for whoever comes next', async () => {
      const id = await organization();
      const { id: session_id } = await session(id);
      const one = event('waits');
      await store().webhooks.keep(one);
      await reopen();
      expect(await store().webhooks.keep(one)).equals(false);
      const status = 'complete';
      await workOff(
        new Map([[one.event_id, { kind: 'checkout', session_id, status, payment_status: 'paid', occurred_at }]]),
      );
      expect(await store().checkouts.find(session_id)).includes({ status });
    });

    it('an event is worked off once, however many work', async () => {
      const all = Array.from({ length: 10 }, () => event('many'));
      for (const one of all) await store().webhooks.keep(one);
      const seen: string[] = [];
      const work = async () => {
        while (
          await store().webhooks.workOff(({ event_id }) => {
            seen.push(event_id);
            return null;
          })
        );
      };
      await Promise.all([work(), work(), work()]);
      // Rows that another holds are skipped, and one that was skipped last is still there.
      await work();
      expect(seen.filter((id) => all.some(({ event_id }) => event_id === id)).toSorted()).deep.equals(
        all.map(({ event_id }) => event_id).toSorted(),
      );
    });

    it('one that fails does nothing, is told, and lets the others go first', async () => {
      const id = await organization();
      const { id: session_id } = await session(id);
      const [bad, good] = [event('bad'), event('good')];
      await store().webhooks.keep(bad);
      await store().webhooks.keep(good);
      const complete: BillingChange = {
        kind: 'checkout',
        session_id,
        status: 'complete',
        payment_status: 'paid',
        occurred_at,
      };
      const errors: unknown[] = [];
      const notToday = new Error('not today');
      for (
        let done;
        (done = await store().webhooks.workOff(({ event_id }) => {
          if (event_id === bad.event_id) throw notToday;
          return event_id === good.event_id ? complete : null;
        }));
      )
        if (done.error) errors.push([done.event.event_id, done.error]);
      expect(errors).deep.equals([[bad.event_id, notToday]]);
      expect((await store().checkouts.find(session_id))?.status).equals('complete');
    });

    it('one that can’t be read has failed, is seen by whose checkout it is about, and is tried again when it is asked for or comes again', async () => {
      const [id, other] = [await organization(), await organization()];
      const { id: session_id } = await session(id);
      const [bad, foreign] = [event('bad'), event('foreign')];
      const change: BillingChange = {
        kind: 'checkout',
        session_id,
        status: 'complete',
        payment_status: 'paid',
        occurred_at,
      };
      const seenBy = async (who: string, status?: 'failed' | 'applied') =>
        (
          await store().tenant(who, ({ billingEvents }) =>
            billingEvents.list({ ...(status === undefined ? {} : { status }), offset: 0, limit: 10 }),
          )
        ).items.map(({ event_id, status: now, attempts }) => ({ event_id, status: now, attempts }));
      const retry = (who: string) =>
        store().tenant(who, ({ billingEvents }) => billingEvents.retry(bad.provider, bad.event_id));
      const unreadable = async () => {
        const tried: string[] = [];
        while (
          await store().webhooks.workOff(({ event_id }) => {
            tried.push(event_id);
            throw new Error('no such form');
          })
        );
        return tried;
      };
      await workOff(new Map());
      await store().webhooks.keep(bad, change);
      await store().webhooks.keep(foreign, { ...change, session_id: 'cs_none' });
      expect(await seenBy(id)).deep.equals([{ event_id: bad.event_id, status: 'waiting', attempts: 0 }]);
      expect(await retry(id)).equals(false);
      expect((await unreadable()).toSorted()).deep.equals([bad.event_id, foreign.event_id].toSorted());
      const failed = { event_id: bad.event_id, status: 'failed', attempts: 1 };
      expect([await seenBy(id), await seenBy(id, 'failed'), await seenBy(id, 'applied')]).deep.equals([
        [failed],
        [failed],
        [],
      ]);
      expect([await seenBy(other), await retry(other)]).deep.equals([[], false]);

      expect([await retry(id), await retry(id)]).deep.equals([true, false]);
      expect(await unreadable()).deep.equals([bad.event_id]);
      expect(await seenBy(id)).deep.equals([failed]);
      // What comes again is what is worked off.
      const again = { ...bad, body: Buffer.from('mended') };
      expect(await Promise.all([1, 2, 3].map(() => store().webhooks.keep(again, change)))).members([
        true,
        false,
        false,
      ]);
      let read = '';
      while (
        await store().webhooks.workOff(({ body }) => {
          read = Buffer.from(body).toString();
          return change;
        })
      );
      expect(read).equals('mended');
      expect(await seenBy(id)).deep.equals([{ event_id: bad.event_id, status: 'applied', attempts: 0 }]);
      expect(await store().checkouts.find(session_id)).includes({ status: 'complete' });
      expect([await store().webhooks.keep(again, change), await retry(id)]).deep.equals([false, false]);
    });

    it('one that can be read and not be done waits for another try', async () => {
      const id = await organization();
      const { id: session_id } = await session(id);
      const one = event('not now');
      // PostgreSQL keeps no such text.
      const change: BillingChange = {
        kind: 'subscription',
        id: 'sub_\u0000',
        session_id,
        status: 'active',
        amount_cents: null,
        currency: null,
        rank: 0,
        occurred_at,
      };
      await store().webhooks.keep(one, { ...change, id: 'sub_1' });
      const errors: unknown[] = [];
      for (let done; (done = await store().webhooks.workOff(() => change));) errors.push(done.error);
      expect(errors).lengthOf(1);
      const { items } = await store().tenant(id, ({ billingEvents }) => billingEvents.list({ offset: 0, limit: 10 }));
      expect(items).lengthOf(1);
      expect(items[0]).includes({ event_id: one.event_id, status: 'waiting', attempts: 1 });
    });

    it('completes a checkout session, whichever order its events come in, and tells the audit log', async () => {
      for (const order of [
        ['complete', 'expired'],
        ['expired', 'complete'],
        ['complete', 'complete', 'expired'],
      ] as const) {
        const id = await organization();
        const { id: session_id } = await session(id);
        await receive(
          order.map((status) => [
            event(status),
            { kind: 'checkout', session_id, status, payment_status: 'paid', occurred_at },
          ]),
        );
        expect(await store().checkouts.find(session_id)).deep.includes({
          status: 'complete',
          payment_status: 'paid',
          provider: 'stripe',
          completed_at: occurred_at,
          amount_total_cents: 0,
        });
        const entries = await store().tenant(id, ({ audit }) => audit.list());
        expect(entries.filter(({ action }) => action === 'checkout_session.completed')).lengthOf(1);
      }
    });

    it('a record is what its latest event says, in whichever order and however often they come', async () => {
      const id = await organization();
      const { id: session_id } = await session(id);
      const change = (second: number, rank: number, status: string, named: boolean): BillingChange => ({
        kind: 'subscription',
        id: 'set below',
        session_id: named ? session_id : null,
        status,
        amount_cents: null,
        currency: null,
        rank,
        occurred_at: `2026-11-21T12:00:0${second}.000Z`,
      });
      const history = [
        change(0, 0, 'incomplete', true),
        change(0, 1, 'active', false),
        change(1, 1, 'past_due', false),
        change(2, 1, 'active', false),
        change(2, 2, 'canceled', false),
      ];
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray(history, { minLength: history.length }), async (shuffled) => {
          const subscription = unique('sub');
          await receive(shuffled.map((one) => [event('updated'), { ...one, id: subscription } as BillingChange]));
          const found = (await records(id)).filter((record) => record.id === subscription);
          expect(found).deep.equals([
            {
              provider: 'stripe',
              kind: 'subscription',
              id: subscription,
              checkout_session_id: session_id,
              status: 'canceled',
              amount_cents: null,
              currency: null,
              event_at: '2026-11-21T12:00:02.000Z',
            },
          ]);
        }),
        { numRuns: 8 },
      );
    });

    it('what says nothing of a session of ours belongs to no organization', async () => {
      const id = await organization();
      const record = {
        kind: 'invoice',
        status: 'paid',
        amount_cents: 4_900,
        currency: 'EUR',
        rank: 0,
        occurred_at,
      } as const;
      await receive([
        [event('paid'), { ...record, id: unique('in'), session_id: null }],
        [event('paid'), { ...record, id: unique('in'), session_id: 'cs_none' }],
        [
          event('completed'),
          { kind: 'checkout', session_id: 'cs_none', status: 'complete', payment_status: 'paid', occurred_at },
        ],
      ]);
      expect(await records(id)).deep.equals([]);
    });
  });
}
