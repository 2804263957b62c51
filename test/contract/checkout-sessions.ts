import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { CheckoutSession } from '../../src/model/checkout.ts';
import type { RelationalStore, Tenant } from '../../src/stores/relational/port.ts';
import { unique } from './relational-store.ts';

/** What every relational store promises of checkout sessions. */
export function checkoutSessionsContract(store: () => RelationalStore): void {
  const organization = async () =>
    (await store().accounts.ensureOrganization({ slug: unique('org'), name: 'Acme GmbH' })).id;
  const inTenant = <T>(id: string, work: (sessions: Tenant['checkoutSessions']) => Promise<T>): Promise<T> =>
    store().tenant(id, ({ checkoutSessions }) => work(checkoutSessions));
  const create = (id: string, change: { lifetimeMs?: number } = {}): Promise<CheckoutSession> =>
    inTenant(id, (sessions) =>
      sessions.create({
        plan_id: 'team',
        quantity: 2,
        interval: 'month',
        success_url: 'https://acme.example/done',
        cancel_url: 'https://acme.example/',
        client_reference_id: null,
        metadata: { 'it’s "odd"': '\u{1F600}' },
        createdBy: 'mem_ann',
        amountTotalCents: 0,
        listAmountCents: 9_800,
        lifetimeMs: 60_000,
        ...change,
      }),
    );

  describe('checkout sessions', () => {
    it('gives a session back as it was made', async () => {
      const id = await organization();
      const made = await create(id);
      expect(made).deep.includes({
        organization_id: id,
        status: 'open',
        payment_status: 'no_payment_required',
        plan_id: 'team',
        quantity: 2,
        interval: 'month',
        currency: 'USD',
        amount_total_cents: 0,
        list_amount_cents: 9_800,
        client_reference_id: null,
        metadata: { 'it’s "odd"': '\u{1F600}' },
        provider: null,
        created_by: 'mem_ann',
        completed_at: null,
      });
      expect(made.id).match(/^cs_[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).equals(60_000);
      expect(await inTenant(id, (sessions) => sessions.get(made.id))).deep.equals(made);
      expect(await store().checkouts.find(made.id)).deep.equals(made);
      expect(await store().checkouts.find('cs_none')).equals(null);
    });

    it('lists those of one organization, the newest first', async () => {
      const id = await organization();
      await create(await organization());
      const made = [await create(id), await create(id), await create(id)].toReversed();
      expect(await inTenant(id, (sessions) => sessions.list({ offset: 0, limit: 10 }))).deep.equals({
        items: made,
        total: 3,
      });
      expect(await inTenant(id, (sessions) => sessions.list({ offset: 2, limit: 1 }))).deep.equals({
        items: made.slice(2),
        total: 3,
      });
    });

    it('ends one that is open once, and only for its organization', async () => {
      const id = await organization();
      const { id: session } = await create(id);
      const stranger = await organization();
      expect(await inTenant(stranger, (sessions) => sessions.expire(session))).equals(null);
      expect(await inTenant(stranger, (sessions) => sessions.get(session))).equals(null);
      const ends = await Promise.all([1, 2, 3].map(() => inTenant(id, (sessions) => sessions.expire(session))));
      expect(ends.filter((end) => end !== null).map(({ status }) => status)).deep.equals(['expired']);
    });

    it('one whose time is over has expired, whoever looks', async () => {
      const id = await organization();
      const { id: session } = await create(id, { lifetimeMs: 1 });
      await sleep(5);
      expect(await inTenant(id, (sessions) => sessions.expire(session))).equals(null);
      expect(await inTenant(id, (sessions) => sessions.get(session))).includes({ status: 'expired' });
      expect((await inTenant(id, (sessions) => sessions.list({ offset: 0, limit: 1 }))).items[0]?.status).equals(
        'expired',
      );
      expect(await store().checkouts.find(session)).includes({ status: 'expired' });
    });

    it('keeps the hosts of an organization, null when it has set none', async () => {
      const id = await organization();
      const hosts = () => inTenant(id, (sessions) => sessions.hosts());
      const setHosts = (checkout_hosts: string[] | null) =>
        store().tenant(id, ({ settings }) => settings.set({ checkout_hosts }));
      expect(await hosts()).equals(null);
      await setHosts(['acme.example', 'b.example']);
      expect(await hosts()).deep.equals(['acme.example', 'b.example']);
      await setHosts(null);
      expect(await hosts()).equals(null);
    });
  });
}
