import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { noLimits } from '../../src/model/account.ts';
import type { Role } from '../../src/model/account.ts';
import { unique } from '../contract/relational-store.ts';
import { describeService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';

type Json = Record<string, unknown>;

/** An organization with an owner, what somebody asks with a key, and somebody who was invited and came. */
async function organization(service: TestService) {
  const own = await service.createKey(unique('members'), 'owner', null, 'olga');
  const slug = own.organization.slug;
  const ask = async (target: string, { by = own.api_key, body, headers = {} }: Asking = {}) => {
    const [method = '', path = ''] = target.split(' ');
    return service.send(path, {
      method,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  const outcome = async (target: string, asking: Asking = {}) => {
    const { status, json } = await ask(target, asking);
    return [status, json['code']];
  };
  const exchange = (pairing_code: unknown) =>
    service.send('/v1/cli/pair/exchange', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pairing_code }),
    });
  const join = async (name: string, role?: Role) => {
    const invited = await ask('POST /v1/invitations', { body: { name, role } });
    expect([invited.status, invited.json['code']]).deep.equals([201, undefined]);
    const { status, json } = await exchange(invited.json['pairing_code']);
    expect(status).equals(201);
    const key = String(json['api_key']);
    const { id } = (await ask('GET /', { by: key })).json['member'] as { id: string };
    return { id, key, sessionId: String(json['id']) };
  };
  const list = async () => (await ask('GET /v1/members?page_size=100')).json['items'] as { id: string; name: string }[];
  const log = async (query = '') => (await ask(`GET /v1/audit-log?limit=1000${query}`)).json['items'] as Json[];
  return { own, slug, ask, outcome, exchange, join, list, log };
}

interface Asking {
  by?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

describeService('/v1/members', (service) => {
  it('ten are made, four removed, four others join; an eleventh is not let in', async () => {
    const { ask, outcome, exchange, join, list, own } = await organization(service());
    const made = [];
    for (let number = 2; number <= 10; number += 1) made.push(await join(`member ${number}`));
    const full = [409, 'member_limit_reached'];
    expect(await outcome('POST /v1/invitations', { body: { name: 'member 11' } })).deep.equals(full);
    expect(await outcome('POST /v1/api-keys', { body: { member: 'member 11' } })).deep.equals(full);
    for (const { id } of made.slice(0, 4)) expect((await ask(`DELETE /v1/members/${id}`)).status).equals(204);
    // A seat is kept for whoever is invited.
    const codes = [];
    for (const name of ['member 2', 'b', 'c', 'd'])
      codes.push((await ask('POST /v1/invitations', { body: { name } })).json['pairing_code']);
    expect(await outcome('POST /v1/invitations', { body: { name: 'e' } })).deep.equals(full);
    for (const code of codes) expect((await exchange(code)).status).equals(201);
    const names = (await list()).map(({ name }) => name);
    expect(names).lengthOf(10);
    expect(names).includes.members(['olga', 'member 2', 'b', 'c', 'd', 'member 10']);
    for (const { key } of made.slice(0, 4)) expect((await ask('GET /', { by: key })).status).equals(401);
    for (const { key } of made.slice(4)) expect((await ask('GET /', { by: key })).status).equals(200);
    expect(own.member.name).equals('olga');
  });

  it('an invitation that comes when the seats are taken is told so; one that is revoked lets nobody in', async () => {
    const { ask, exchange, join, slug } = await organization(service());
    const late = (await ask('POST /v1/invitations', { body: { name: 'late' } })).json;
    const unwanted = (await ask('POST /v1/invitations', { body: { name: 'unwanted' } })).json;
    expect((await ask(`GET /v1/cli/pair/${String(unwanted['id'])}`)).json).includes({ invited_name: 'unwanted' });
    expect((await ask(`DELETE /v1/cli/pair/${String(unwanted['id'])}`)).status).equals(204);
    expect((await exchange(unwanted['pairing_code'])).status).equals(400);
    for (let number = 2; number < 10; number += 1) await join(`member ${number}`);
    // By the operator, who is held to no plan.
    await service().createKey(slug, 'viewer', null, 'operator made');
    const refused = await exchange(late['pairing_code']);
    expect([refused.status, refused.json['code']]).deep.equals([409, 'member_limit_reached']);
  });

  it('changes a role, which counts at once, and refuses whoever would rise above themselves', async () => {
    const { ask, outcome, join, own, slug } = await organization(service());
    const [viewer, admin] = [await join('vic', 'viewer'), await join('ada', 'admin')];
    const raise = (role: Role) => ({ by: viewer.key, body: { role } });
    for (const role of ['member', 'admin', 'owner'] as const)
      expect(await outcome(`PATCH /v1/members/${viewer.id}`, raise(role))).deep.equals([403, 'insufficient_role']);
    // Nor may an admin make an owner, or touch one.
    for (const [target, body] of [
      [`PATCH /v1/members/${admin.id}`, { role: 'owner' }],
      [`PATCH /v1/members/${own.member.id}`, { role: 'viewer' }],
      [`PATCH /v1/members/${own.member.id}`, { name: 'nobody' }],
      [`DELETE /v1/members/${own.member.id}`, undefined],
    ] as const)
      expect([target, ...(await outcome(target, { by: admin.key, body }))]).deep.equals([
        target,
        403,
        'insufficient_role',
      ]);
    expect(await outcome('POST /v1/invitations', { by: viewer.key, body: { name: 'x' } })).deep.equals([
      403,
      'insufficient_role',
    ]);
    expect(await outcome('GET /v1/audit-log', { by: viewer.key })).deep.equals([403, 'insufficient_role']);
    const changed = await ask(`PATCH /v1/members/${viewer.id}`, { body: { role: 'admin', name: 'victor' } });
    expect([changed.status, changed.json['role'], changed.json['name']]).deep.equals([200, 'admin', 'victor']);
    expect((await ask('GET /v1/api-keys', { by: viewer.key })).status).equals(200);
    await ask(`PATCH /v1/members/${viewer.id}`, { body: { role: 'viewer' } });
    expect((await ask('GET /v1/api-keys', { by: viewer.key })).status).equals(403);
    // The command line of somebody who becomes an owner does not.
    await ask(`PATCH /v1/members/${admin.id}`, { body: { role: 'owner' } });
    const whoami = await ask('GET /', { by: admin.key });
    expect(whoami.json['member']).includes({ role: 'admin' });
    // What is of another organization is not there.
    const stranger = await organization(service());
    for (const target of ['GET', 'DELETE', 'PATCH'])
      expect(
        await outcome(`${target} /v1/members/${stranger.own.member.id}`, target === 'PATCH' ? { body: {} } : {}),
      ).deep.equals([404, 'member_not_found']);
    expect(await outcome(`PATCH /v1/members/${viewer.id}`, { body: { name: 'ada' } })).deep.equals([
      409,
      'member_name_taken',
    ]);
    expect(slug).not.equals(stranger.slug);
  });

  it('a key that is restricted to other scopes lists and removes nobody; an invitation gives no more than the key that asks', async () => {
    const { ask, outcome, exchange, own } = await organization(service());
    const make = async (scopes: string[]) =>
      String((await ask('POST /v1/api-keys', { body: { member: own.member.id, scopes } })).json['api_key']);
    const solver = await make(['solver']);
    for (const target of ['GET /v1/members', `DELETE /v1/members/${own.member.id}`, 'GET /v1/organization'])
      expect(await outcome(target, { by: solver })).deep.equals([403, 'insufficient_scope']);
    const inviting = await make(['members']);
    const { json } = await ask('POST /v1/invitations', { by: inviting, body: { name: 'eve', role: 'admin' } });
    const eve = String((await exchange(json['pairing_code'])).json['api_key']);
    expect(await outcome('GET /v1/api-keys', { by: eve })).deep.equals([403, 'insufficient_scope']);
    expect((await ask('GET /v1/members', { by: eve })).status).equals(200);
  });

  it('removes a member while their session is in use: from then on it is 401, and what they asked for lets nobody in', async () => {
    const { ask, exchange, join } = await organization(service());
    const admin = await join('ada', 'admin');
    const invited = (await ask('POST /v1/invitations', { by: admin.key, body: { name: 'friend' } })).json;
    let removed = false;
    const statuses: { status: number; began: boolean }[] = [];
    const using = Array.from({ length: 4 }, async () => {
      for (let time = 0; time < 15; time += 1) {
        const began = removed;
        statuses.push({ began, status: (await ask('GET /v1/api-keys', { by: admin.key })).status });
      }
    });
    expect((await ask('GET /v1/api-keys', { by: admin.key })).status).equals(200);
    expect((await ask(`DELETE /v1/members/${admin.id}`)).status).equals(204);
    removed = true;
    await Promise.all(using);
    for (const { status, began } of statuses) expect([200, 401]).includes(status, String(began));
    expect(new Set(statuses.filter(({ began }) => began).map(({ status }) => status))).not.includes(200);
    expect((await ask('GET /', { by: admin.key })).status).equals(401);
    expect((await exchange(invited['pairing_code'])).status).equals(400);
    expect((await ask(`GET /v1/cli/sessions/${admin.sessionId}`)).json).includes({ status: 'revoked' });
  });

  it('the last owner can neither be removed nor be given another role, nor be left without a key', async () => {
    const { ask, outcome, own, join } = await organization(service());
    const path = `/v1/members/${own.member.id}`;
    expect(await outcome(`DELETE ${path}`)).deep.equals([409, 'last_owner']);
    expect(await outcome(`PATCH ${path}`, { body: { role: 'admin' } })).deep.equals([409, 'last_owner']);
    // Another owner who has no key of an owner could manage nothing.
    const other = await join('ann', 'admin');
    await ask(`PATCH /v1/members/${other.id}`, { body: { role: 'owner' } });
    expect(await outcome(`DELETE ${path}`)).deep.equals([409, 'last_owner_key']);
    expect((await ask('GET /')).status).equals(200);
    await ask('POST /v1/api-keys', { body: { member: other.id } });
    expect((await ask(`PATCH ${path}`, { body: { role: 'viewer' } })).status).equals(200);
    expect((await ask('GET /v1/api-keys')).status).equals(403);
  });

  it('anybody leaves by themselves, but for the last owner', async () => {
    const { ask, outcome, join, list, log, slug } = await organization(service());
    const leave = 'POST /v1/members/leave';
    expect(await outcome(leave)).deep.equals([409, 'last_owner']);
    const viewer = await join('vic', 'viewer');
    expect((await ask(leave, { by: viewer.key })).status).equals(204);
    expect((await ask('GET /', { by: viewer.key })).status).equals(401);
    // A key of a lower role than its member's, or of other scopes, takes nobody with it.
    const other = await service().createKey(slug, 'owner', null, 'otto');
    const lesser = await service().createKey(slug, 'owner', null, 'otto', {
      limits: { ...noLimits, scopes: ['read'] },
    });
    expect(await outcome(leave, { by: lesser.api_key })).deep.equals([403, 'insufficient_scope']);
    const ann = await join('ann', 'admin');
    await ask(`PATCH /v1/members/${ann.id}`, { body: { role: 'owner' } });
    expect(await outcome(leave, { by: ann.key })).deep.equals([403, 'insufficient_role']);
    await ask(`DELETE /v1/members/${ann.id}`);
    expect((await ask(leave, { by: other.api_key })).status).equals(204);
    expect((await list()).map(({ name }) => name)).deep.equals(['olga']);
    expect(await outcome(leave)).deep.equals([409, 'last_owner']);
    const [left] = await log('&action=member.removed');
    expect(left).deep.includes({ member_id: other.member.id, subject: other.member.id });
  });

  it('of two owners who remove each other at once one stays', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { own, ask, slug } = await organization(service());
      const other = await service().createKey(slug, 'owner', null, 'otto');
      const outcomes = await Promise.all([
        ask(`DELETE /v1/members/${other.member.id}`),
        ask(`DELETE /v1/members/${own.member.id}`, { by: other.api_key }),
      ]);
      const statuses = outcomes.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).deep.equals([204, 401]);
      const left = statuses.indexOf(204) >= 0 && outcomes[0].status === 204 ? own.api_key : other.api_key;
      expect((await ask('GET /v1/members', { by: left })).json['total']).equals(1);
    }
  });

  it('422 to names and roles that there are not', async () => {
    const { ask } = await organization(service());
    for (const body of [{}, { name: '' }, { name: 'a\u0000' }, { name: 'a', role: 'owner' }, { name: 'a', rôle: 'x' }])
      expect([body, (await ask('POST /v1/invitations', { body })).status]).deep.equals([body, 422]);
  });
});

describeService('/v1/organization', (service) => {
  it('owners change its settings, which count for who is made then', async () => {
    const { ask, outcome, join } = await organization(service());
    const admin = await join('ada', 'admin');
    const change = {
      name: 'Acme GmbH',
      checkout_hosts: ['app.acme.example'],
      default_role: 'viewer',
      default_key_days: 30,
    };
    expect(await outcome('PATCH /v1/organization', { by: admin.key, body: change })).deep.equals([
      403,
      'insufficient_role',
    ]);
    const { status, json } = await ask('PATCH /v1/organization', { body: change });
    expect(status).equals(200);
    expect(json).deep.includes(change);
    expect((await ask('GET /v1/organization', { by: admin.key })).json).deep.equals(json);
    const key = (await ask('POST /v1/api-keys', { body: { member: 'new' } })).json;
    expect(key['role']).equals('viewer');
    expect((Date.parse(String(key['expires_at'])) - Date.now()) / 86_400_000).within(29.9, 30);
    expect((await ask('POST /v1/api-keys', { body: { member: 'new', expires_at: null } })).json['expires_at']).equals(
      null,
    );
    for (const wrong of [
      { name: '' },
      { default_role: 'owner' },
      { default_key_days: 0 },
      { checkout_hosts: ['https://a'] },
      { slug: 'other' },
    ])
      expect((await ask('PATCH /v1/organization', { body: wrong })).status).equals(422);
    expect((await ask('PATCH /v1/organization', { body: {} })).json).deep.equals(json);
  });
});

describeService('/v1/audit-log', (service) => {
  it('has every change with who, what, when and from where, and no forged address', async () => {
    const { ask, join, log, own, outcome } = await organization(service());
    const ann = await join('ann');
    const headers = { 'x-forwarded-for': '6.6.6.6', 'x-real-ip': '6.6.6.6', 'user-agent': 'curl/8' };
    await ask(`PATCH /v1/members/${ann.id}`, { body: { role: 'viewer' }, headers });
    await ask('PATCH /v1/organization', { body: { name: 'New' }, headers });
    await ask(`DELETE /v1/members/${ann.id}`, { headers });
    const entries = await log();
    expect(entries.map(({ action }) => action).toReversed()).deep.equals([
      'member.created',
      'api_key.created',
      'member.invited',
      'member.created',
      'api_key.created',
      'cli_pairing.claimed',
      'member.role_changed',
      'organization.changed',
      'api_key.revoked',
      'member.removed',
    ]);
    const [removed, , settings, role] = entries;
    for (const entry of [removed, settings, role]) {
      expect(entry).includes({
        member_id: own.member.id,
        member_name: 'olga',
        key_id: own.id,
        via: 'api',
        user_agent: 'curl/8',
      });
      expect(entry?.['address']).matches(/127\.0\.0\.1$/);
    }
    expect(role?.['details']).deep.equals({ from: 'member', to: 'viewer' });
    expect(entries.at(-1)).includes({ via: 'cli', member_id: null, address: null });
    expect(entries.at(-1)?.['user_agent']).matches(/^repo-intel\//);
    // What was refused changed nothing.
    await outcome(`DELETE /v1/members/${own.member.id}`);
    expect(await log()).lengthOf(entries.length);
    const stranger = await organization(service());
    expect(await stranger.log()).lengthOf(2);
  });

  it('is read by a cursor, newest first, each entry once, whatever is added meanwhile', async () => {
    const { ask, log } = await organization(service());
    for (let number = 0; number < 7; number += 1)
      await ask('PATCH /v1/organization', { body: { name: `name ${number}` } });
    const all = (await log()).map(({ id }) => id);
    const seen: unknown[] = [];
    let path = '/v1/audit-log?limit=4';
    for (let page = 0; page < 9 && path !== ''; page += 1) {
      const { json, headers } = await ask(`GET ${path}`);
      seen.push(...(json['items'] as Json[]).map(({ id }) => id));
      await ask('PATCH /v1/organization', { body: { name: `meanwhile ${page}` } });
      const next = json['next_cursor'];
      const link = /<https:\/\/ris\.example(\S+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];
      expect(link === undefined).equals(next === null);
      path = link ?? '';
    }
    expect(seen).deep.equals(all);
    expect((await log('&action=organization.changed')).length).greaterThan(7);
    expect(await log('&action=nothing')).deep.equals([]);
    expect((await ask('GET /v1/audit-log?cursor=x')).status).equals(422);
  });

  it('is exported as CSV and JSON lines, in which nothing is a formula or steers a terminal', async () => {
    const { ask, log } = await organization(service());
    await ask('PATCH /v1/organization', {
      body: { name: 'x' },
      headers: { 'user-agent': '=HYPERLINK("http://evil")' },
    });
    await ask('POST /v1/invitations', { body: { name: '@SUM(1)\u202e' }, headers: { 'user-agent': '\u009b31m' } });
    const csv = await ask('GET /v1/audit-log', { headers: { accept: 'text/csv' } });
    expect(csv.headers['content-type']).equals('text/csv; charset=utf-8');
    const rows = parse(csv.text, { columns: true }) as Record<string, string>[];
    expect(rows.map(({ id }) => id)).deep.equals((await log()).map(({ id }) => id));
    expect(rows[1]?.['user_agent']).equals(`'=HYPERLINK("http://evil")`);
    expect(csv.text).not.matches(/[\u202e\u009b]/);
    const lines = await ask('GET /v1/audit-log', { headers: { accept: 'application/x-ndjson' } });
    expect(lines.headers['content-type']).includes('application/x-ndjson');
    expect(lines.text).not.matches(/[\u202e\u009b]/);
    const read = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Json);
    expect(read).deep.equals(await log());
  });

  it('has no method that changes it', async () => {
    const { ask } = await organization(service());
    for (const method of ['DELETE', 'PUT', 'PATCH', 'POST'])
      expect((await ask(`${method} /v1/audit-log`)).status).equals(405);
  });
});
