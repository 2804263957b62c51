import { expect } from 'chai';
import { operationsOf as operationsOfScopes, openToEveryKey } from '../../src/auth/scopes.ts';
import { noLimits, scopeSchema } from '../../src/model/account.ts';
import type { Role, Scope } from '../../src/model/account.ts';
import { unique } from '../contract/relational-store.ts';
import { eventually } from '../support/eventually.ts';
import { operationsOf } from '../support/operations.ts';
import { describeService } from '../support/service.ts';

type Json = Record<string, unknown>;
interface Made extends Json {
  id: string;
  api_key: string;
}

describeService('restricted keys', (service) => {
  /** An organization, what its owner asks, and keys made by whatever key. */
  const organization = async (role: Role = 'owner') => {
    const own = await service().createKey(unique('restricted'), role);
    const ask = async (target: string, { by = own.api_key, body }: { by?: string; body?: unknown } = {}) => {
      const [method = '', path = ''] = target.split(' ');
      return service().send(path, {
        method,
        headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    };
    const make = async (limits: Json, by?: string): Promise<Made> => {
      const body = { member: own.member.id, ...limits };
      const { status, json } = await ask('POST /v1/api-keys', { ...(by === undefined ? {} : { by }), body });
      expect([status, json['code']]).deep.equals([201, undefined]);
      return json as Made;
    };
    const outcome = async (target: string, by: string, body?: unknown) => {
      const { status, json } = await ask(target, { by, body });
      return [status, json['code']];
    };
    return { own, ask, make, outcome };
  };
  const event = { specversion: '1.0', id: 'a', source: 's', type: 't' };

  it('each operation needs a scope, and each scope is for operations that there are', async () => {
    const operations = (await operationsOf(service())).filter(({ access }) => access !== 'public');
    for (const { id, scopes } of operations) {
      expect(scopes === null ? openToEveryKey.includes(id) : scopes.length > 0, id).equals(true);
    }
    const known = operations.map(({ id }) => id);
    for (const id of [...openToEveryKey, ...Object.values(operationsOfScopes).flat()])
      // With a token of an identity provider it is open to all.
      if (id !== 'create_cli_pairing') expect(known).includes(id);
  });

  it('a key of a scope is let into its operations, and into no other', async () => {
    const { own } = await organization();
    const keyOf = async (scope: Scope) => {
      const limits = { ...noLimits, scopes: [scope] };
      return (await service().createKey(own.organization.slug, 'owner', null, own.member.name, { limits })).api_key;
    };
    const keys = new Map<string, string>();
    for (const scope of scopeSchema.options) keys.set(scope, await keyOf(scope));
    for (const { id, method, path, access, scopes: required } of await operationsOf(service())) {
      if (access === 'public' || required === null) continue;
      const ask = (scope: string | undefined) =>
        service().send(path.replaceAll(/\{\w+\}/g, 'x'), {
          method,
          headers: { authorization: `Bearer ${keys.get(scope ?? '')}` },
        });
      expect([401, 403], id).not.includes((await ask(required[0])).status);
      const answer = await ask(scopeSchema.options.find((scope) => !required.includes(scope)));
      expect([id, answer.status]).deep.equals([id, 403]);
      expect(answer.json).deep.includes({ code: 'insufficient_scope', required_scopes: required });
      expect(answer.headers['www-authenticate']).equals('Bearer realm="ris", error="insufficient_scope"');
    }
  });

  it('a key for solvers reads no usage, no search, no graph, and of a task only what solvers may see', async () => {
    const { make, outcome } = await organization();
    const { api_key } = await make({ scopes: ['solver'] });
    for (const path of [
      '/v1/billing/usage',
      '/api/search?q=a',
      '/api/graph',
      '/api/benchmark/mint-runs',
      '/v1/api-keys',
    ])
      expect([path, ...(await outcome(`GET ${path}`, api_key))]).deep.equals([path, 403, 'insufficient_scope']);
    expect(await outcome('GET /api/benchmark/tasks', api_key)).deep.equals([200, undefined]);
    expect(await outcome('GET /api/benchmark/tasks/none', api_key)).deep.equals([403, 'insufficient_scope']);
    expect(await outcome('GET /api/benchmark/tasks/none?view=full', api_key)).deep.equals([403, 'insufficient_scope']);
    expect((await outcome('GET /api/benchmark/tasks/none?view=solver', api_key))[0]).equals(404);
    // The tools of agents ask with the same key.
    const call = (name: string, given: Json) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given },
    });
    const tool = async (name: string, given: Json) => {
      const { text } = await service().send('/mcp', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${api_key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(call(name, given)),
      });
      return text;
    };
    expect(await tool('search_code', { query: 'a' })).includes('insufficient_scope');
    expect(await tool('repository_health', { repository: 'payments-api' })).includes('insufficient_scope');
    expect(await tool('list_tasks', {})).not.includes('insufficient_scope');
    expect(await tool('get_task', { instance_id: 'none' })).not.includes('insufficient_scope');
  });

  it('a key for one product is refused by the others, is told so, and is not charged', async () => {
    const { ask, make, outcome } = await organization();
    const { api_key, scopes } = await make({ products: ['code-search'] });
    expect(scopes).deep.equals(['read']);
    expect(await outcome('GET /api/search?q=a', api_key)).deep.equals([200, undefined]);
    for (const path of ['/api/graph', '/api/dd/executive', '/api/benchmark/tasks'])
      expect([path, ...(await outcome(`GET ${path}`, api_key))]).deep.equals([path, 403, 'product_not_allowed']);
    const { json } = await ask('GET /api/graph', { by: api_key });
    expect(json).deep.includes({ product: 'code-graph', products: ['code-search'] });
    const whoami = await ask('GET /', { by: api_key });
    expect(whoami.json['api_key']).deep.includes({ products: ['code-search'], scopes: ['read'], repositories: null });
    // Reports tell of all products.
    const all = await make({ products: ['code-search'], scopes: ['read', 'reports:read', 'reports:write'] });
    const report = { type: 'usage_statement', format: 'json', parameters: { period: '2026-11' } };
    expect((await outcome('POST /v1/reports', all.api_key, report))[0]).equals(403);
    expect((await outcome('GET /v1/reports', all.api_key))[0]).equals(403);
  });

  it('a key makes no key that can do more than itself, nor gets hold of one', async () => {
    const { own, ask, make, outcome } = await organization();
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const limits = { products: ['code-search'], repositories: ['a', 'b'], scopes: ['keys', 'read', 'members'] };
    const lesser = await make({ ...limits, rate_limit_per_minute: 500, expires_at });
    const body = { member: 'other' };
    const attempts: [Json, string][] = [
      [{ products: null }, 'products'],
      [{ products: ['code-search', 'code-graph'] }, 'products'],
      [{ repositories: null }, 'repositories'],
      [{ repositories: ['c'] }, 'repositories'],
      [{ scopes: null }, 'scopes'],
      [{ scopes: ['read', 'usage:read'] }, 'scopes'],
      [{ rate_limit_per_minute: null }, 'rate_limit_per_minute'],
      [{ rate_limit_per_minute: 501 }, 'rate_limit_per_minute'],
      [{ expires_at: null }, 'expires_at'],
      [{ expires_at: new Date(Date.now() + 7_200_000).toISOString() }, 'expires_at'],
    ];
    for (const [more, name] of attempts) {
      const { status, json } = await ask('POST /v1/api-keys', { by: lesser.api_key, body: { ...body, ...more } });
      expect([status, json['code'], json['exceeding']]).deep.equals([403, 'exceeds_own_key', [name]]);
    }
    // What is left out is as with the key that asks.
    const heir = (await ask('POST /v1/api-keys', { by: lesser.api_key, body })).json;
    expect(heir).deep.includes({ ...limits, rate_limit_per_minute: 500, expires_at, environment: 'live' });
    const fewer = await ask('POST /v1/api-keys', {
      by: lesser.api_key,
      body: { ...body, scopes: ['read'], repositories: ['b'] },
    });
    expect(fewer.json).deep.includes({ scopes: ['read'], repositories: ['b'] });
    // Rotating one shows it.
    for (const { id } of [own, await make({ scopes: ['keys', 'audit:read'] })])
      expect(await outcome(`POST /v1/api-keys/${id}/rotate`, lesser.api_key, {})).deep.equals([403, 'exceeds_own_key']);
    const renewed = await ask(`POST /v1/api-keys/${lesser.id}/rotate`, { by: lesser.api_key, body: {} });
    expect(renewed.json).deep.includes({ ...limits, rate_limit_per_minute: 500 });
    // One for test makes none that is live.
    const test = await make({ environment: 'test' });
    expect(await outcome('POST /v1/api-keys', test.api_key, { ...body, environment: 'live' })).deep.equals([
      403,
      'exceeds_own_key',
    ]);
    const inherited = await ask('POST /v1/api-keys', { by: test.api_key, body });
    expect(String(inherited.json['api_key'])).matches(/^ris_test_/);
  });

  it('the limits of a key are changed, count at once, and are never more than those of the key that asks', async () => {
    const { own, ask, make, outcome } = await organization();
    const key = await make({ name: 'nightly', products: ['code-search'], rate_limit_per_minute: 500 });
    const change = (body: Json, by?: string) =>
      ask(`PATCH /v1/api-keys/${key.id}`, { ...(by === undefined ? {} : { by }), body });
    const search = () => outcome('GET /api/search?q=x', key.api_key);
    const usage = () => outcome('GET /v1/billing/usage', key.api_key);
    expect([await search(), await usage()]).deep.equals([
      [200, undefined],
      [403, 'insufficient_scope'],
    ]);
    const changed = await change({ name: 'weekly', products: ['code-graph'], scopes: ['read', 'usage:read'] });
    expect(changed.status).equals(200);
    // What is left out stays.
    const now = {
      name: 'weekly',
      products: ['code-graph'],
      repositories: null,
      scopes: ['read', 'usage:read'],
      rate_limit_per_minute: 500,
    };
    expect(changed.json).deep.includes(now).and.not.property('api_key');
    expect((await ask(`GET /v1/api-keys/${key.id}`)).json).deep.includes(now);
    expect([await search(), await usage()]).deep.equals([
      [403, 'product_not_allowed'],
      [200, undefined],
    ]);
    expect((await change({ products: null, scopes: null })).json).deep.includes({ products: null, scopes: null });
    expect([await search(), await usage()]).deep.equals([
      [200, undefined],
      [200, undefined],
    ]);
    // Who names repositories and no scopes means a key that reads them.
    expect((await change({ repositories: ['a'] })).json).deep.includes({ repositories: ['a'], scopes: ['read'] });

    const lesser = await make({ scopes: ['keys', 'read'], rate_limit_per_minute: 100 });
    for (const [body, exceeding] of [
      [{ rate_limit_per_minute: 50, scopes: ['usage:read'] }, ['scopes']],
      [{ name: 'x' }, ['rate_limit_per_minute']],
      [{ rate_limit_per_minute: null }, ['rate_limit_per_minute']],
    ] as const) {
      const { status, json } = await change(body, lesser.api_key);
      expect([status, json['code'], json['exceeding']]).deep.equals([403, 'exceeds_own_key', exceeding]);
    }
    expect((await change({ rate_limit_per_minute: 60 }, lesser.api_key)).status).equals(200);
    // Nor does it widen itself, or anybody touch a key of a higher role.
    expect(await outcome(`PATCH /v1/api-keys/${lesser.id}`, lesser.api_key, { scopes: null })).deep.equals([
      403,
      'exceeds_own_key',
    ]);
    const admin = (await ask('POST /v1/api-keys', { body: { member: 'ada', role: 'admin' } })).json as Made;
    for (const id of [own.id, key.id])
      expect(await outcome(`PATCH /v1/api-keys/${id}`, admin.api_key, { name: 'x' })).deep.equals([
        403,
        'insufficient_role',
      ]);
    // One for test stays slow.
    const test = await make({ environment: 'test' });
    const faster = await ask(`PATCH /v1/api-keys/${test.id}`, { body: { rate_limit_per_minute: null } });
    expect(faster.json).includes({ rate_limit_per_minute: 60 });

    const stranger = await organization();
    expect(await stranger.outcome(`PATCH /v1/api-keys/${key.id}`, stranger.own.api_key, { name: 'x' })).deep.equals([
      404,
      'api_key_not_found',
    ]);
    for (const body of [{ scopes: [] }, { products: ['none'] }, { environment: 'test' }, { expires_at: null }])
      expect([body, (await change(body)).status]).deep.equals([body, 422]);
    const log = (await ask(`GET /v1/audit-log?action=api_key.changed&subject=${key.id}&limit=10`)).json[
      'items'
    ] as Json[];
    expect(log.map(({ details }) => details)).deep.equals([
      { from: { rate_limit_per_minute: 500 }, to: { rate_limit_per_minute: 60 } },
      { from: { repositories: null, scopes: null }, to: { repositories: ['a'], scopes: ['read'] } },
      {
        from: { products: ['code-graph'], scopes: ['read', 'usage:read'] },
        to: { products: null, scopes: null },
      },
      {
        from: { name: 'nightly', products: ['code-search'], scopes: ['read'] },
        to: { name: 'weekly', products: ['code-graph'], scopes: ['read', 'usage:read'] },
      },
    ]);
    await ask(`DELETE /v1/api-keys/${key.id}`);
    expect(await outcome(`PATCH /v1/api-keys/${key.id}`, own.api_key, { name: 'x' })).deep.equals([
      409,
      'api_key_not_in_use',
    ]);
  });

  it('422 to products, scopes and limits that there are not', async () => {
    const { ask, own } = await organization();
    const wrong = [
      { products: ['no-such'] },
      { products: [] },
      { products: ['sbom-export'] },
      { scopes: ['everything'] },
      { scopes: [] },
      { repositories: [] },
      { repositories: ['a\u0000'] },
      { rate_limit_per_minute: 0 },
      { rate_limit_per_minute: 1.5 },
      { environment: 'staging' },
    ];
    for (const limits of wrong) {
      const { status } = await ask('POST /v1/api-keys', { body: { member: own.member.id, ...limits } });
      expect([limits, status]).deep.equals([limits, 422]);
    }
  });

  it('calls with a key for test are in the usage, marked, and cost nothing', async () => {
    const { ask, make } = await organization();
    const test = await make({ environment: 'test' });
    expect([test.api_key.slice(0, 9), test['environment'], test['rate_limit_per_minute']]).deep.equals([
      'ris_test_',
      'test',
      60,
    ]);
    for (let time = 0; time < 3; time += 1)
      expect((await ask('GET /api/search?q=a', { by: test.api_key })).status).equals(200);
    expect((await ask('GET /api/search?q=a')).status).equals(200);
    const { json } = await ask('GET /v1/billing/usage');
    expect(json['totals']).includes({ calls: 4, test_calls: 3, successful_calls: 4, credits_used: 1 });
    const meters = (json['meters'] as Json[]).map(({ environment, calls, credits_used }) => [
      environment,
      calls,
      credits_used,
    ]);
    expect(meters).deep.equals([
      ['live', 1, 1],
      ['test', 3, 0],
    ]);
    // Nor is it a way around what costs.
    const quick = await make({ environment: 'test', rate_limit_per_minute: 10_000 });
    expect(quick['rate_limit_per_minute']).equals(60);
  });

  it('a key with a rate limit of its own is stopped by it, and the others are not', async () => {
    const { ask, make } = await organization();
    const slow = await make({ rate_limit_per_minute: 2 });
    const first = await ask('GET /', { by: slow.api_key });
    expect(first.headers['ratelimit-policy']).matches(/"key";q=2;w=60/);
    expect((await ask('GET /', { by: slow.api_key })).headers['ratelimit']).matches(/"key";r=0;t=\d+/);
    for (let time = 0; time < 3; time += 1) {
      const { status, headers, json } = await ask('GET /', { by: slow.api_key });
      expect([status, json['code'], json['violated-policies']]).deep.equals([429, 'rate_limited', ['key']]);
      expect(Number(headers['retry-after'])).within(1, 60);
    }
    expect((await ask('GET /')).status).equals(200);
    // A second key is not of the first's limit.
    const other = await make({ rate_limit_per_minute: 2 });
    expect((await ask('GET /', { by: other.api_key })).status).equals(200);
  });

  it('an expired key is refused, also while it is remembered as good', async () => {
    const { ask, make } = await organization();
    let lifeMs = 750;
    // A key that lives for longer than this machine takes to make it and to ask with it.
    const key = await eventually(async () => {
      const { api_key } = await make({ expires_at: new Date(Date.now() + (lifeMs *= 2)).toISOString() });
      expect((await ask('GET /', { by: api_key })).status).equals(200);
      return api_key;
    });
    await eventually(async () => expect((await ask('GET /', { by: key })).status).equals(401));
  });

  it('usage:write writes and does not read', async () => {
    const { make, outcome } = await organization();
    const { api_key } = await make({ scopes: ['usage:write'] });
    expect(await outcome('POST /v1/usage/events', api_key, event)).deep.equals([200, undefined]);
    for (const path of ['/v1/usage/events', '/v1/billing/usage'])
      expect(await outcome(`GET ${path}`, api_key)).deep.equals([403, 'insufficient_scope']);
  });

  it('a role is not raised by a scope', async () => {
    const { own } = await organization('viewer');
    const viewer = await service().createKey(own.organization.slug, 'viewer', null, own.member.name, {
      limits: { ...noLimits, scopes: ['usage:write', 'keys'] },
    });
    const { status, json } = await service().send('/v1/usage/events', {
      method: 'POST',
      headers: { authorization: `Bearer ${viewer.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(event),
    });
    expect([status, json['code']]).deep.equals([403, 'insufficient_role']);
  });
});
