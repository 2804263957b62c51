import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Role } from '../../src/model/account.ts';
import { describeService } from '../support/service.ts';

const path = '/v1/checkout/sessions';

const order = {
  plan_id: 'team',
  quantity: 5,
  interval: 'month',
  success_url: 'https://app.acme.example/billing/done',
  cancel_url: 'https://app.acme.example/billing',
  client_reference_id: 'acme-2026-11',
  metadata: { cost_center: '4711' },
};

describeService('/v1/checkout/sessions', (service) => {
  /** Members of an organization that no other test uses, each with a key. */
  const members = async () => {
    const slug = `checkout-${randomUUID()}`;
    const as = async (role: Role) => {
      const { api_key, organization, member } = await service().createKey(slug, role);
      return {
        organization,
        member,
        send: (method: string, to: string, body?: unknown, headers: Record<string, string> = {}) =>
          service().send(to, {
            method,
            headers: {
              authorization: `Bearer ${api_key}`,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
              ...headers,
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
      };
    };
    return { as, owner: await as('owner') };
  };
  type Owner = Awaited<ReturnType<typeof members>>['owner'];
  const create = async (owner: Owner, change: object = {}) => owner.send('POST', path, { ...order, ...change });
  const codeOf = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json['code']];
  const audited = ({ organization }: Owner) =>
    service().stores.relational.tenant(organization.id, ({ audit }) => audit.list());

  describe('201', () => {
    it('a session is open for 24 hours, shows the list price and charges nothing', async () => {
      const { owner } = await members();
      const { status, headers, json } = await create(owner);
      const { id, created_at, expires_at, ...session } = json;
      expect(id).match(/^cs_[0-9A-HJKMNP-TV-Z]{26}$/);
      expect([status, headers['location'], headers['cache-control']]).deep.equals([
        201,
        `${path}/${String(id)}`,
        'no-store',
      ]);
      expect(session).deep.equals({
        ...order,
        object: 'checkout_session',
        organization_id: owner.organization.id,
        status: 'open',
        payment_status: 'no_payment_required',
        billing_mode: 'shadow',
        mode: 'subscription',
        currency: 'USD',
        amount_total_cents: 0,
        list_amount_cents: 24_500,
        url: `https://ris.example/checkout/${String(id)}`,
        provider: null,
        created_by: owner.member.id,
        completed_at: null,
      });
      expect(Date.parse(String(expires_at)) - Date.parse(String(created_at))).equals(24 * 3600 * 1000);
      expect((await owner.send('GET', String(headers['location']))).json).deep.equals(json);
    });

    it('one seat by the month, without name and metadata, unless told', async () => {
      const { owner } = await members();
      const { success_url, cancel_url } = order;
      const { status, json } = await owner.send('POST', path, { plan_id: 'business', success_url, cancel_url });
      expect(status).equals(201);
      expect(json).deep.includes({
        quantity: 1,
        interval: 'month',
        list_amount_cents: 14_900,
        client_reference_id: null,
        metadata: {},
      });
    });

    it('the same request with the same key makes one session, however often it is sent', async () => {
      const { owner } = await members();
      const key = { 'idempotency-key': randomUUID() };
      const answers = await Promise.all(Array.from({ length: 50 }, () => owner.send('POST', path, order, key)));
      const codes = new Set(answers.map((answer) => codeOf(answer).join(' ')));
      expect(['201 ', '409 idempotency_key_in_use']).includes.members([...codes]);
      const made = answers.filter(({ status }) => status === 201);
      expect(made.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).lengthOf(1);
      made.push(await owner.send('POST', path, order, key));
      for (const { json, headers } of made) {
        expect(json).deep.equals(made[0]?.json);
        expect(headers['location']).equals(`${path}/${String(json['id'])}`);
      }
      expect((await owner.send('GET', path)).json['total']).equals(1);
      expect(codeOf(await owner.send('POST', path, { ...order, quantity: 6 }, key))).deep.equals([
        422,
        'idempotency_key_reused',
      ]);
    });

    it('is in the audit log with who did it, as is its end', async () => {
      const { owner } = await members();
      const { json } = await create(owner);
      await owner.send('POST', `${path}/${String(json['id'])}/expire`);
      const entries = (await audited(owner)).filter(({ subject }) => subject === json['id']);
      expect(entries.map(({ action, member_id, details }) => ({ action, member_id, details }))).deep.equals([
        {
          action: 'checkout_session.created',
          member_id: owner.member.id,
          details: { plan_id: 'team', quantity: 5 },
        },
        { action: 'checkout_session.expired', member_id: owner.member.id, details: {} },
      ]);
    });
  });

  describe('200', () => {
    it('lists the sessions of the organization, the newest first, page by page', async () => {
      const { owner } = await members();
      const ids = [];
      for (const quantity of [1, 2, 3]) ids.unshift((await create(owner, { quantity })).json['id']);
      const { json, headers } = await owner.send('GET', `${path}?page_size=2`);
      expect(json).includes({ total: 3, page: 1, page_size: 2, total_pages: 2 });
      expect((json['items'] as { id: string }[]).map(({ id }) => id)).deep.equals(ids.slice(0, 2));
      expect(headers['link']).includes('rel="next"');
    });

    it('an owner ends a session that is open', async () => {
      const { owner } = await members();
      const { json } = await create(owner);
      const { status, json: ended } = await owner.send('POST', `${path}/${String(json['id'])}/expire`);
      expect(status).equals(200);
      expect(ended).deep.equals({ ...json, status: 'expired' });
    });

    it('one whose time is over has expired', async () => {
      const { owner } = await members();
      const { id } = await service().stores.relational.tenant(owner.organization.id, ({ checkoutSessions }) =>
        checkoutSessions.create({
          ...order,
          interval: 'month',
          createdBy: owner.member.id,
          amountTotalCents: 0,
          listAmountCents: 0,
          lifetimeMs: 1,
        }),
      );
      await sleep(5);
      expect((await owner.send('GET', `${path}/${id}`)).json['status']).equals('expired');
      expect(codeOf(await owner.send('POST', `${path}/${id}/expire`))).deep.equals([409, 'checkout_session_not_open']);
    });
  });

  describe('the page at its url', () => {
    const page = (id: unknown, headers = {}) => service().send(`/checkout/${String(id)}`, { headers });

    it('tells a buyer, who has no key, what the plan will cost, and that nothing is charged', async () => {
      const { owner } = await members();
      const { json } = await create(owner, { cancel_url: 'https://app.acme.example/?a=1&b=%3Cb%3E' });
      const { status, headers, text } = await page(json['id'], { accept: 'text/html' });
      expect([status, headers['content-type'], headers['cache-control']]).deep.equals([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ]);
      expect(text).includes('Nothing is charged').and.includes('Team').and.includes('$245.00 a month');
      expect(text).includes('href="https://app.acme.example/?a=1&amp;b=%3Cb%3E"');
      expect(text).not.includes(owner.organization.id).and.not.includes('4711');
      expect(headers['content-security-policy']).match(/^default-src 'none'; style-src 'sha256-/);
    });

    it('tells when the session has ended', async () => {
      const { owner } = await members();
      const { json } = await create(owner);
      await owner.send('POST', `${path}/${String(json['id'])}/expire`);
      expect((await page(json['id'])).text).includes('This checkout has ended');
    });

    it('404 of an id that nobody was given', async () =>
      expect(codeOf(await page('cs_01JD7Z3M2QK8V6T4R9W5X1Y0AG'))).deep.equals([404, 'checkout_session_not_found']));
  });

  describe('403', () => {
    it('to everybody but owners; admins may read', async () => {
      const { as, owner } = await members();
      const { json } = await create(owner);
      const one = `${path}/${String(json['id'])}`;
      for (const [role, reads] of [
        ['admin', 200],
        ['member', 403],
        ['viewer', 403],
      ] as const) {
        const { send } = await as(role);
        const statuses = [
          await send('POST', path, order),
          await send('POST', `${one}/expire`),
          await send('GET', path),
          await send('GET', one),
        ].map(({ status }) => status);
        expect([role, ...statuses]).deep.equals([role, 403, 403, reads, reads]);
      }
      const refused = await (await as('admin')).send('POST', path, order);
      expect(refused.json).deep.includes({ code: 'insufficient_role', required_roles: ['owner'], role: 'admin' });
    });
  });

  describe('404', () => {
    it('another organization’s session is as unknown as one that never was', async () => {
      const [{ owner }, { owner: stranger }] = [await members(), await members()];
      const { json } = await create(owner);
      const ask = async (id: string) => {
        const answers = [
          await stranger.send('GET', `${path}/${id}`),
          await stranger.send('POST', `${path}/${id}/expire`),
        ];
        return answers.map(({ status, json }): { status: number; body: Record<string, unknown> } => ({
          status,
          body: { ...json, request_id: '', instance: '' },
        }));
      };
      const foreign = await ask(String(json['id']));
      expect(foreign.map(({ status, body }) => [status, body['code']])).deep.equals([
        [404, 'checkout_session_not_found'],
        [404, 'checkout_session_not_found'],
      ]);
      expect(foreign).deep.equals(await ask('cs_01JD7Z3M2QK8V6T4R9W5X1Y0AG'));
      expect((await owner.send('GET', `${path}/${String(json['id'])}`)).json['status']).equals('open');
      expect((await stranger.send('GET', path)).json['total']).equals(0);
    });
  });

  describe('409', () => {
    it('a session that has expired stays so', async () => {
      const { owner } = await members();
      const { json } = await create(owner);
      const expire = () => owner.send('POST', `${path}/${String(json['id'])}/expire`);
      const answers = await Promise.all([expire(), expire(), expire()]);
      expect(answers.map(({ status }) => status)).members([200, 409, 409]);
      expect(codeOf(await expire())).deep.equals([409, 'checkout_session_not_open']);
    });
  });

  describe('422', () => {
    it('of a plan that is free, on request or unknown', async () => {
      const { owner } = await members();
      expect(codeOf(await create(owner, { plan_id: 'beta' }))).deep.equals([422, 'plan_is_free']);
      expect(codeOf(await create(owner, { plan_id: 'enterprise' }))).deep.equals([422, 'plan_not_self_serve']);
      expect(codeOf(await create(owner, { plan_id: 'gold' }))).deep.equals([422, 'validation_error']);
    });

    it('of more seats than the plan has members', async () => {
      const { owner } = await members();
      expect((await create(owner, { quantity: 25 })).status).equals(201);
      const { json } = await create(owner, { quantity: 26 });
      expect(json['errors']).deep.equals([
        { in: 'body', name: null, pointer: '#/quantity', code: 'out_of_range', detail: 'must be at most 25' },
      ]);
      expect((await create(owner, { plan_id: 'business', quantity: 26 })).status).equals(201);
    });

    const long = (length: number) => `https://a.example/${'x'.repeat(length - 'https://a.example/'.length)}`;
    for (const url of [
      'http://a.example/',
      'https://ann@a.example/',
      'https://ann:secret@a.example/',
      'https://a.example/#done',
      'https://a.example\\@b.example/',
      'https://a.example/ b',
      'https://a.example/100%',
      'https://[::1]/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https:a.example',
      '//a.example/',
      'javascript:alert(1)',
      'https://a.example/"onmouseover="',
      'https://',
      '',
      ' https://a.example/',
      'https://a.example/\n',
      long(2049),
    ])
      it(`a URL like ${JSON.stringify(url).slice(0, 40)}`, async () => {
        const { owner } = await members();
        for (const field of ['success_url', 'cancel_url'])
          expect(codeOf(await create(owner, { [field]: url }))).deep.equals([422, 'validation_error']);
      });

    it('what is taken for a URL leads where every reader takes it to lead: to the host that it names, by https', async () => {
      const { owner } = await members();
      expect((await create(owner, { success_url: long(2048) })).status).equals(201);
      const pieces = fc.constantFrom(
        'https://',
        'a',
        'A.example',
        '.',
        ':',
        '80',
        '/',
        '@',
        '#',
        '?',
        '\\',
        '-',
        '%2e',
        '[',
      );
      await fc.assert(
        fc.asyncProperty(fc.array(pieces, { maxLength: 8 }), async (rest) => {
          const success_url = `https://${rest.join('')}`;
          const { status } = await create(owner, { success_url });
          if (status === 422) return;
          expect(status).equals(201);
          const { protocol, hostname, username, password, hash } = new URL(success_url);
          expect([protocol, username, password, hash]).deep.equals(['https:', '', '', '']);
          expect(success_url.slice('https://'.length).split(/[:/?]/)[0]?.toLowerCase()).equals(hostname);
        }),
        { numRuns: 100 },
      );
    });

    it('of a host that is not on the organization’s list, when it has one', async () => {
      const { owner } = await members();
      await service().stores.relational.tenant(owner.organization.id, ({ settings }) =>
        settings.set({ checkout_hosts: ['app.acme.example'] }),
      );
      expect((await create(owner, { success_url: 'https://APP.acme.example:8443/done' })).status).equals(201);
      const { status, json } = await create(owner, { success_url: 'https://evil.example/?app.acme.example' });
      expect(status).equals(422);
      expect(json['errors']).deep.equals([
        {
          in: 'body',
          name: null,
          pointer: '#/success_url',
          code: 'not_in_enum',
          detail: 'must lead to one of app.acme.example',
        },
      ]);
      expect((await create(owner, { cancel_url: 'https://acme.example/' })).status).equals(422);
      expect((await create(owner, { cancel_url: 'https://x.app.acme.example/' })).status).equals(422);
    });

    it('text that is no Unicode, anywhere', async () => {
      const { owner } = await members();
      for (const change of [
        { client_reference_id: '\ud800' },
        { metadata: { k: 'a\udfff' } },
        { metadata: { '\ud83d': 'v' } },
      ])
        expect(codeOf(await create(owner, change))).deep.equals([422, 'validation_error']);
    });

    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, '']));
    it('metadata has at most 50 keys of 40 characters with values of 500', async () => {
      const { owner } = await members();
      const most = { ...keys(49), ['k'.repeat(40)]: 'v'.repeat(500) };
      expect((await create(owner, { metadata: most })).json['metadata']).deep.equals(most);
      for (const metadata of [
        keys(51),
        { ['k'.repeat(41)]: '' },
        { '': '' },
        { k: 'v'.repeat(501) },
        { k: 1 },
        { k: '\0' },
        [],
      ])
        expect((await create(owner, { metadata })).status).equals(422);
    });

    for (const change of [
      { quantity: 0 },
      { quantity: 1.5 },
      { quantity: '5' },
      { interval: 'year' },
      { client_reference_id: '' },
      { client_reference_id: 'x'.repeat(201) },
      { price: 1 },
      { organization_id: 'org_other' },
      { success_url: null },
    ])
      it(JSON.stringify(change).slice(0, 50), async () => {
        const { owner } = await members();
        expect((await create(owner, change)).status).equals(422);
      });
  });
});
