import { expect } from 'chai';
import { unique } from '../contract/relational-store.ts';
import { describeService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';

interface Item {
  id: string;
  status: string;
  api_key_id: string;
}

/** An organization whose owner lets command lines in. */
async function acme(service: TestService, slug = unique('cli'), name = 'anna') {
  const { api_key: ownerKey, member, organization } = await service.createKey(slug, 'owner', null, name);
  const ask = async (target: string, key: string | undefined, body?: unknown) => {
    const [method = '', path = ''] = target.split(' ');
    const { status, headers, text } = await service.send(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status, headers, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  return {
    slug,
    member,
    organization,
    ownerKey,
    ask,
    login: async (device: object = {}, client: object | null = null) => {
      const { json } = await ask('POST /v1/cli/pair', ownerKey, device);
      const session = await ask('POST /v1/cli/pair/exchange', undefined, {
        pairing_code: json['pairing_code'],
        client,
      });
      expect(session.status).equals(201);
      return session.json as unknown as { id: string; api_key: string; api_key_id: string };
    },
    ids: async (key: string, query = '') =>
      ((await ask(`GET /v1/cli/sessions${query}`, key)).json['items'] as Item[]).map(({ id }) => id),
  };
}

const withApiKeys = () => ({ ownerProof: 'api_key' as const });

describeService(
  '/v1/cli/sessions',
  (service) => {
    it('200: a command line sees who it is', async () => {
      const { login, ask, member, organization } = await acme(service());
      const client = { name: 'repo-intel', version: '0.1.0', platform: 'linux-x64' };
      const session = await login({ device_name: 'laptop', role: 'viewer' }, client);
      const { status, headers, json } = await ask('GET /v1/cli/session', session.api_key);
      expect([status, headers['cache-control']]).deep.equals([200, 'no-store']);
      const { created_at, last_used_at, expires_at, ...rest } = json;
      expect(rest).deep.equals({
        id: session.id,
        object: 'cli_session',
        status: 'active',
        device_name: 'laptop',
        client,
        role: 'viewer',
        api_key_id: session.api_key_id,
        member_id: member.id,
        organization_id: organization.id,
      });
      for (const time of [created_at, last_used_at, expires_at]) expect(time).matches(/^\d{4}-.*\.\d{3}Z$/);
      expect((await ask(`GET /v1/cli/sessions/${session.id}`, session.api_key)).json).deep.equals(json);
    });

    it('200: everybody sees their own, the newest first; owners and admins see all, a page at a time', async () => {
      const anna = await acme(service());
      const bob = await acme(service(), anna.slug, 'bob');
      const first = await anna.login();
      const second = await anna.login({ role: 'admin' });
      const third = await bob.login();
      expect(await anna.ids(first.api_key)).deep.equals([second.id, first.id]);
      expect(await anna.ids(third.api_key)).deep.equals([third.id]);
      for (const key of [anna.ownerKey, bob.ownerKey, second.api_key])
        expect(await anna.ids(key)).deep.equals([third.id, second.id, first.id]);
      expect(await anna.ids(anna.ownerKey, '?page=2&page_size=2')).deep.equals([first.id]);
      const { json, headers } = await anna.ask('GET /v1/cli/sessions?page=2&page_size=2', anna.ownerKey);
      expect(json).deep.includes({ total: 3, page: 2, page_size: 2, total_pages: 2 });
      expect(headers['link']).includes('rel="prev"');
    });

    it('204: who ends a session ends its key, here at once; once more changes nothing', async () => {
      const { login, ask, ownerKey, organization, member } = await acme(service());
      const session = await login();
      expect((await ask('GET /api/graph', session.api_key)).status).equals(200);
      for (let i = 0; i < 2; i += 1)
        expect((await ask(`DELETE /v1/cli/sessions/${session.id}`, ownerKey)).status).equals(204);
      expect((await ask('GET /api/graph', session.api_key)).status).equals(401);
      expect((await ask(`GET /v1/cli/sessions/${session.id}`, ownerKey)).json['status']).equals('revoked');
      const log = await service().stores.relational.tenant(organization.id, ({ audit }) => audit.list());
      expect(log.slice(-2).map(({ action, subject, member_id }) => [action, subject, member_id])).deep.equals([
        ['api_key.revoked', session.api_key_id, member.id],
        ['cli_session.ended', session.id, member.id],
      ]);
    });

    it('204: a command line ends its own session', async () => {
      const { login, ask } = await acme(service());
      const { id, api_key } = await login();
      expect((await ask(`DELETE /v1/cli/sessions/${id}`, api_key)).status).equals(204);
      expect((await ask('GET /v1/cli/session', api_key)).status).equals(401);
    });

    it('a session whose key was revoked has ended, and one whose key is rotated too', async () => {
      const { login, ask, ownerKey } = await acme(service());
      const [revoked, rotated] = [await login(), await login()];
      expect((await ask(`DELETE /v1/api-keys/${revoked.api_key_id}`, ownerKey)).status).equals(204);
      const { json } = await ask(`POST /v1/api-keys/${rotated.api_key_id}/rotate`, ownerKey, {});
      const state = async (id: string) => (await ask(`GET /v1/cli/sessions/${id}`, ownerKey)).json['status'];
      expect([await state(revoked.id), await state(rotated.id)]).deep.equals(['revoked', 'expired']);
      // The new key may do no more than the one before.
      const root = await ask('GET /', String(json['api_key']));
      expect(root.json['member']).deep.includes({ role: 'member' });
    });

    it('command lines are not among the API keys that a member may have at most', async () => {
      const { login, ask, ownerKey, member } = await acme(service());
      for (let i = 0; i < 6; i += 1) await login();
      expect((await ask('POST /v1/api-keys', ownerKey, { member: member.id })).status).equals(201);
    });

    it('403: others’ sessions are for owners and admins', async () => {
      const anna = await acme(service());
      const bob = await acme(service(), anna.slug, 'bob');
      const [mine, theirs] = [await anna.login(), await bob.login()];
      for (const method of ['GET', 'DELETE']) {
        const { status, json } = await anna.ask(`${method} /v1/cli/sessions/${theirs.id}`, mine.api_key);
        expect(status).equals(403);
        expect(json).deep.includes({ code: 'insufficient_role', required_roles: ['owner', 'admin'], role: 'member' });
      }
      expect((await bob.ask('GET /v1/cli/session', theirs.api_key)).json['status']).equals('active');
    });

    it('404 session_not_found: an id that is unknown, and a key that no command line was given', async () => {
      const { ask, ownerKey } = await acme(service());
      for (const target of ['GET /v1/cli/session', 'GET /v1/cli/sessions/cli_x', 'DELETE /v1/cli/sessions/cli_x']) {
        const { status, json } = await ask(target, ownerKey);
        expect([status, json['code']]).deep.equals([404, 'session_not_found']);
      }
    });
  },
  undefined,
  withApiKeys,
);
