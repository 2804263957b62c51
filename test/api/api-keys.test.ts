import { expect } from 'chai';
import type { CreatedKey } from '../../src/auth/create-key.ts';
import { generateApiKey } from '../../src/auth/api-key.ts';
import type { Role } from '../../src/model/account.ts';
import { describeService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { unique } from '../contract/relational-store.ts';

/** What the routes answer of one key. */
interface Key {
  id: string;
  name: string | null;
  prefix: string;
  status: string;
  role: Role;
  member: { id: string; name: string };
  expires_at: string | null;
  revoked_at: string | null;
  api_key: string;
  replaces: { id: string; expires_at: string };
}

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** An organization with a key of this role; `ask` sends with it. */
async function organization(service: TestService, role: Role = 'owner') {
  const own = await service.createKey(unique('keys'), role);
  const ask = async (target: string, body?: unknown, by: string = own.api_key) => {
    const [method = '', path = ''] = target.split(' ');
    const { status, headers, text } = await service.send(path, {
      method,
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status, headers, text, json: (text === '' ? {} : JSON.parse(text)) as Key & Record<string, unknown> };
  };
  const create = async (body: object, by?: string) => {
    const { status, json } = await ask('POST /v1/api-keys', body, by);
    expect([status, json['code']]).deep.equals([201, undefined]);
    return json;
  };
  /** Whether the key is let in. */
  const works = async (key: string) => {
    const { status } = await ask('GET /', undefined, key);
    expect([200, 401]).includes(status);
    return status === 200;
  };
  const audit = () => service.stores.relational.tenant(own.organization.id, (tenant) => tenant.audit.list());
  return { own, ask, create, works, audit };
}

/** Another key of the same organization, as an operator would make it. */
const another = (service: TestService, { organization }: CreatedKey, role: Role) =>
  service.createKey(organization.slug, role, null, role);

describeService('/v1/api-keys', (service) => {
  describe('201', () => {
    it('makes a key for a member of a new name, shows it once, and it works at once', async () => {
      const { own, ask, works } = await organization(service());
      const expires_at = inAnHour();
      const body = { member: 'ci', role: 'viewer', name: 'nightly build', expires_at };
      const { status, headers, json, text } = await ask('POST /v1/api-keys', body);
      expect([status, headers.location, headers['cache-control']]).deep.equals([
        201,
        `/v1/api-keys/${json.id}`,
        'no-store',
      ]);
      expect(headers).not.any.keys('content-encoding', 'etag');
      expect(json).deep.includes({ object: 'api_key', name: 'nightly build', status: 'active', expires_at });
      expect([json.member.name, json.role]).deep.equals(['ci', 'viewer']);
      expect(json.api_key.slice(0, 13)).equals(json.prefix);
      expect(await works(json.api_key)).equals(true);
      const whoami = await ask('GET /', undefined, json.api_key);
      expect(whoami.json).deep.includes({ organization: whoami.json['organization'] });
      expect(whoami.json['organization']).includes({ id: own.organization.id });
      expect(text).includes(json.api_key);
      for (const path of ['/v1/api-keys', `/v1/api-keys/${json.id}`])
        expect((await ask(`GET ${path}`)).text).not.includes(json.api_key);
    });

    it('makes a second key for a member by id and by name, whose role stays', async () => {
      const { create, works } = await organization(service());
      const first = await create({ member: 'ann', role: 'admin' });
      for (const member of [first.member.id, 'ann']) {
        const next = await create({ member });
        expect(next.member).deep.equals(first.member);
        expect(next).includes({ name: null, expires_at: null, role: 'admin' });
        expect(await works(next.api_key)).equals(true);
      }
      expect((await create({ member: 'bea' })).role).equals('member');
    });

    it('rotates: the new key works, the old one ends', async () => {
      const { ask, create, works } = await organization(service());
      const old = await create({ member: 'ann', name: 'laptop' });
      expect(await works(old.api_key)).equals(true);
      const { status, headers, json } = await ask(`POST /v1/api-keys/${old.id}/rotate`, {});
      expect([status, headers.location]).deep.equals([201, `/v1/api-keys/${json.id}`]);
      expect(json).deep.includes({ name: 'laptop', member: old.member, expires_at: null });
      expect(json.replaces.id).equals(old.id);
      expect([await works(json.api_key), await works(old.api_key)]).deep.equals([true, false]);
      expect((await ask(`GET /v1/api-keys/${old.id}`)).json).includes({
        status: 'expired',
        expires_at: json.replaces.expires_at,
      });
    });

    it('rotates with an overlap: both work until its end, which is never after the old key’s own', async () => {
      const { ask, create, works } = await organization(service());
      const old = await create({ member: 'ann', expires_at: inAnHour() });
      const { json } = await ask(`POST /v1/api-keys/${old.id}/rotate`, { overlap_seconds: 600 });
      expect(Date.parse(json.replaces.expires_at) - Date.now()).within(590_000, 600_000);
      expect([await works(json.api_key), await works(old.api_key)]).deep.equals([true, true]);
      // As long a life as the old one was given.
      expect(Date.parse(json.expires_at ?? '') - Date.now()).within(3_590_000, 3_600_000);
      const again = await ask(`POST /v1/api-keys/${old.id}/rotate`, { overlap_seconds: 86_400, expires_at: null });
      expect(again.json.replaces.expires_at).equals(json.replaces.expires_at);
      expect(again.json.expires_at).equals(null);
    });
  });

  describe('200', () => {
    it('lists every key of the organization and of no other, the newest first, by pages', async () => {
      const { own, ask, create } = await organization(service());
      await organization(service());
      const made = [await create({ member: 'ann' }), await create({ member: 'bea', role: 'viewer' })];
      await ask(`DELETE /v1/api-keys/${made[0]?.id}`);
      const { json, headers } = await ask('GET /v1/api-keys');
      expect(json).includes({ total: 3, page: 1, page_size: 20, total_pages: 1 });
      const items = json['items'] as Key[];
      expect(items.map(({ id, status }) => [id, status])).deep.equals([
        [made[1]?.id, 'active'],
        [made[0]?.id, 'revoked'],
        [own.id, 'active'],
      ]);
      expect(headers['cache-control']).equals('no-store');
      const page = await ask('GET /v1/api-keys?page=2&page_size=1');
      expect((page.json['items'] as Key[]).map(({ id }) => id)).deep.equals([made[0]?.id]);
      expect(page.headers['link']).includes('rel="next"');
    });

    it('says when a key was used', async () => {
      const { own, ask } = await organization(service());
      const { status, json } = await ask(`GET /v1/api-keys/${own.id}`);
      expect(status).equals(200);
      expect(Math.abs(Date.parse(String(json['last_used_at'])) - Date.now())).below(60_000);
    });
  });

  describe('204', () => {
    it('revokes a key, which is refused at once; once more changes nothing', async () => {
      const { ask, create, works, audit } = await organization(service());
      const key = await create({ member: 'ann' });
      expect(await works(key.api_key)).equals(true);
      for (let time = 0; time < 2; time += 1) {
        const { status, text } = await ask(`DELETE /v1/api-keys/${key.id}`);
        expect([status, text]).deep.equals([204, '']);
        expect(await works(key.api_key)).equals(false);
      }
      expect((await ask(`GET /v1/api-keys/${key.id}`)).json).includes({ status: 'revoked' });
      expect((await audit()).filter(({ action }) => action === 'api_key.revoked')).lengthOf(1);
    });
  });

  it('every change is in the audit log, with who made it and no key', async () => {
    const { own, ask, create, audit } = await organization(service());
    const key = await create({ member: 'ann', name: 'laptop' });
    const rotated = (await ask(`POST /v1/api-keys/${key.id}/rotate`, {})).json;
    await ask(`DELETE /v1/api-keys/${rotated.id}`);
    const entries = (await audit()).slice(-5);
    expect(entries.map(({ action, subject }) => [action, subject])).deep.equals([
      ['member.created', key.member.id],
      ['api_key.created', key.id],
      ['api_key.created', rotated.id],
      ['api_key.rotated', key.id],
      ['api_key.revoked', rotated.id],
    ]);
    for (const entry of entries) expect(entry).includes({ member_id: own.member.id, key_id: own.id });
    for (const { api_key } of [key, rotated]) expect(JSON.stringify(entries)).not.includes(api_key.slice(13, 21));
  });

  it('what an operator does is in the audit log too', async () => {
    const { own, audit } = await organization(service(), 'viewer');
    await service().createKey(own.organization.slug, 'admin');
    expect((await audit()).map(({ action, details, member_id }) => [action, details, member_id])).deep.includes([
      'member.role_changed',
      { from: 'viewer', to: 'admin' },
      null,
    ]);
  });

  describe('403', () => {
    it('to an admin who would give, get or take a key of an owner', async () => {
      const { own, ask } = await organization(service());
      const admin = await another(service(), own, 'admin');
      const attempts = [
        ['POST /v1/api-keys', { member: 'new', role: 'owner' }],
        ['POST /v1/api-keys', { member: own.member.id }],
        ['POST /v1/api-keys', { member: own.member.name }],
        [`POST /v1/api-keys/${own.id}/rotate`, {}],
        [`DELETE /v1/api-keys/${own.id}`, undefined],
      ] as const;
      for (const [target, body] of attempts) {
        const { status, json, headers } = await ask(target, body, admin.api_key);
        expect([target, status]).deep.equals([target, 403]);
        expect(json).deep.includes({ code: 'insufficient_role', required_roles: ['owner'], role: 'admin' });
        expect(headers['www-authenticate']).equals('Bearer realm="ris", error="insufficient_scope"');
        expect(json['docs_url']).matches(/\/authentication$/);
      }
      expect((await ask('GET /v1/api-keys')).json['total']).equals(2);
      expect((await ask('POST /v1/api-keys', { member: 'peer', role: 'admin' }, admin.api_key)).status).equals(201);
    });
  });

  describe('404', () => {
    it('for a key or a member that the organization does not have', async () => {
      const { ask } = await organization(service());
      const stranger = (await organization(service())).own;
      const codes = async (target: string, body?: object) => {
        const { status, json } = await ask(target, body);
        return [status, json['code']];
      };
      for (const id of [stranger.id, 'key_01JD7Z3M2QK8V6T4R9W5X1Y0AD', 'x']) {
        expect(await codes(`GET /v1/api-keys/${id}`)).deep.equals([404, 'api_key_not_found']);
        expect(await codes(`DELETE /v1/api-keys/${id}`)).deep.equals([404, 'api_key_not_found']);
        expect(await codes(`POST /v1/api-keys/${id}/rotate`, {})).deep.equals([404, 'api_key_not_found']);
      }
      for (const member of [stranger.member.id, 'mem_01JD7Z3M2QK8V6T4R9W5X1Y0AC'])
        expect(await codes('POST /v1/api-keys', { member })).deep.equals([404, 'member_not_found']);
    });
  });

  describe('409', () => {
    it('to the sixth key in use of one member, also when they are made at once', async () => {
      const { ask, create } = await organization(service());
      const first = await create({ member: 'ann' });
      const asked = await Promise.all(Array.from({ length: 8 }, () => ask('POST /v1/api-keys', { member: 'ann' })));
      const refused = asked.filter(({ status }) => status !== 201);
      expect(refused.map(({ status, json }) => [status, json['code']])).deep.equals(
        Array.from({ length: 4 }, () => [409, 'api_key_limit_reached']),
      );
      // A full member rotates, with an overlap once.
      expect((await ask(`POST /v1/api-keys/${first.id}/rotate`, { overlap_seconds: 60 })).status).equals(201);
      const [, second] = (await ask('GET /v1/api-keys')).json['items'] as [Key, Key];
      const twice = await ask(`POST /v1/api-keys/${second.id}/rotate`, { overlap_seconds: 60 });
      expect([twice.status, twice.json['code']]).deep.equals([409, 'api_key_limit_reached']);
      expect((await ask(`POST /v1/api-keys/${second.id}/rotate`, {})).status).equals(201);
    });

    it('to the eleventh member; those who are there get their keys', async () => {
      const { ask, create } = await organization(service());
      for (let number = 2; number <= 10; number += 1) await create({ member: `member ${number}` });
      const { status, json } = await ask('POST /v1/api-keys', { member: 'member 11' });
      expect([status, json['code']]).deep.equals([409, 'member_limit_reached']);
      await create({ member: 'member 10' });
    });

    it('to what would leave the organization without a key of an owner, also when both are revoked at once', async () => {
      const { own, ask, create, works } = await organization(service());
      await create({ member: 'expired', role: 'owner', expires_at: inAnHour() });
      const [listed] = (await ask('GET /v1/api-keys')).json['items'] as [Key];
      const outcomes = await Promise.all([
        ask(`DELETE /v1/api-keys/${listed.id}`),
        ask(`DELETE /v1/api-keys/${own.id}`),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted((a, b) => a - b)).deep.equals([204, 409]);
      const { own: alone, ask: askAlone } = await organization(service());
      const { status, json } = await askAlone(`DELETE /v1/api-keys/${alone.id}`);
      expect([status, json['code']]).deep.equals([409, 'last_owner_key']);
      expect(await works(alone.api_key)).equals(true);
      // A leaked one is rotated.
      const rotated = await askAlone(`POST /v1/api-keys/${alone.id}/rotate`, {});
      expect([await works(rotated.json.api_key), await works(alone.api_key)]).deep.equals([true, false]);
    });

    it('to the revocation of the key that replaces the last one, while the last one only lives out its overlap', async () => {
      const { own, ask } = await organization(service());
      const { json } = await ask(`POST /v1/api-keys/${own.id}/rotate`, { overlap_seconds: 86_400 });
      const refused = await ask(`DELETE /v1/api-keys/${json.id}`);
      expect([refused.status, refused.json['code']]).deep.equals([409, 'last_owner_key']);
      expect((await ask(`DELETE /v1/api-keys/${own.id}`)).status).equals(204);
    });

    it('to the rotation of a key that was revoked', async () => {
      const { ask, create } = await organization(service());
      const { id } = await create({ member: 'ann' });
      await ask(`DELETE /v1/api-keys/${id}`);
      const { status, json } = await ask(`POST /v1/api-keys/${id}/rotate`, {});
      expect([status, json['code']]).deep.equals([409, 'api_key_not_in_use']);
    });

    it('to another role than the member has, and to a time that has passed', async () => {
      const { ask, create } = await organization(service());
      const { id } = await create({ member: 'ann', role: 'viewer' });
      const expires_at = '2020-01-01T00:00:00.000Z';
      const attempts = [
        ['POST /v1/api-keys', { member: 'ann', role: 'member' }, 'member_has_other_role'],
        ['POST /v1/api-keys', { member: 'ann', expires_at }, 'expiry_in_the_past'],
        [`POST /v1/api-keys/${id}/rotate`, { expires_at }, 'expiry_in_the_past'],
      ] as const;
      for (const [target, body, code] of attempts) {
        const { status, json } = await ask(target, body);
        expect([status, json['code']]).deep.equals([409, code]);
      }
    });
  });

  describe('422', () => {
    it('to fields that are wrong or not known, such as another organization', async () => {
      const { own, ask } = await organization(service());
      const stranger = (await organization(service())).own;
      const bodies = [
        {},
        { member: '' },
        { member: 'a\u0000b' },
        { member: 'x'.repeat(101) },
        { member: 'ann', role: 'service' },
        { member: 'ann', name: '' },
        { member: 'ann', expires_at: 'tomorrow' },
        { member: 'ann', organization_id: stranger.organization.id },
        { member: 'ann', api_key: generateApiKey('live') },
      ];
      for (const body of bodies) {
        const { status } = await ask('POST /v1/api-keys', body);
        expect([body, status]).deep.equals([body, 422]);
      }
      for (const body of [{ overlap_seconds: -1 }, { overlap_seconds: 86_401 }, { overlap_seconds: 0.5 }]) {
        expect((await ask(`POST /v1/api-keys/${own.id}/rotate`, body)).status).equals(422);
      }
    });
  });
});
