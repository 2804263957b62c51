import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../../src/http/route.ts';
import { integer } from '../../src/http/query.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const things = { product: 'things', credits: 2, response: z.object({ n: z.int() }) } as const;
const routes = [
  route({
    ...things,
    method: 'GET',
    path: '/api/things/{name}',
    operation_id: 'get_thing',
    summary: 'A thing',
    access: 'tenant',
    query: { n: integer(1, 9).default(1) },
    handle: ({ query }) => ({ n: query.n }),
  }),
  route({
    ...things,
    method: 'POST',
    path: '/v1/things',
    operation_id: 'create_thing',
    summary: 'Make a thing',
    access: { roles: ['owner'] },
    body: z.strictObject({ n: z.int() }),
    bodyLimit: 100,
    handle: ({ body }) => body,
  }),
  route({
    method: 'GET',
    path: '/open',
    operation_id: 'get_open',
    summary: 'Open to all',
    access: 'public',
    product: null,
    credits: 0,
    cors: true,
    response: z.object({ open: z.boolean() }),
    handle: () => ({ open: true }),
  }),
];

describe('http: order of checks', () => {
  let kernel: Kernel;
  before(async () => (kernel = await startKernel(routes)));
  after(() => kernel.close());

  const json = { authorization: 'Bearer olga', 'content-type': 'application/json' };
  /** Everything wrong from a step on: only the first step shows. */
  const ladder: [string, string, Parameters<Kernel['send']>[1], number, string][] = [
    ['no credential', 'POST /nowhere/%00', {}, 401, 'authentication_required'],
    [
      'a path that cannot be decoded',
      'POST /nowhere/%00',
      { headers: { authorization: 'Bearer anna' } },
      400,
      'invalid_path',
    ],
    ['an unknown path', 'PUT /nowhere', { headers: { authorization: 'Bearer anna' } }, 404, 'route_not_found'],
    ['an unknown method', 'PUT /v1/things', { headers: { authorization: 'Bearer anna' } }, 405, 'method_not_allowed'],
    [
      'the wrong role',
      'POST /v1/things?x=1',
      { headers: { authorization: 'Bearer anna', accept: 'text/csv' } },
      403,
      'insufficient_role',
    ],
    [
      'an Accept without JSON',
      'POST /v1/things?x=1',
      { headers: { authorization: 'Bearer olga', accept: 'text/csv' }, body: '{' },
      406,
      'not_acceptable',
    ],
    [
      'a body of another type',
      'POST /v1/things?x=1',
      { headers: { authorization: 'Bearer olga', 'content-type': 'text/plain' }, body: '{' },
      415,
      'unsupported_media_type',
    ],
    [
      'a body that is too large',
      'POST /v1/things?x=1',
      { headers: json, body: `{${' '.repeat(100)}` },
      413,
      'payload_too_large',
    ],
    ['a body that is not JSON', 'POST /v1/things?x=1', { headers: json, body: '{' }, 400, 'malformed_json'],
    ['an unknown parameter', 'POST /v1/things?x=1', { headers: json, body: '{"n":"x"}' }, 422, 'unknown_parameter'],
    ['a field of the wrong type', 'POST /v1/things', { headers: json, body: '{"n":"x"}' }, 422, 'validation_error'],
    ['a missing body', 'POST /v1/things', { headers: json }, 422, 'validation_error'],
    ['nothing wrong', 'POST /v1/things', { headers: json, body: '{"n":7}' }, 200, ''],
  ];
  for (const [wrong, target, options, status, code] of ladder) {
    it(`${wrong} → ${status} ${code}`, async () => {
      const [method = '', path = ''] = target.split(' ');
      const answer = await kernel.send(path, { ...options, method });
      expect(answer.status).equals(status);
      if (code === '') return;
      expect(answer.headers['content-type']).equals('application/problem+json');
      expect(answer.headers['cache-control']).equals('no-store');
      expect(answer.json).includes({
        code,
        status,
        type: `https://ris.example/docs/errors/${code}`,
        instance: path.split('?')[0],
        request_id: answer.headers['x-request-id'],
      });
    });
  }

  it('401 and 403 lead to the authentication guide, others to the page of their code', async () => {
    const urls = await Promise.all([
      kernel.send('/nowhere'),
      kernel.send('/v1/things', { method: 'POST', headers: { authorization: 'Bearer anna' } }),
      kernel.get('/nowhere'),
    ]);
    expect(urls.map(({ json }) => json['docs_url'])).deep.equals([
      'https://ris.example/docs/authentication',
      'https://ris.example/docs/authentication',
      'https://ris.example/docs/errors/route_not_found',
    ]);
  });

  it('403 says which roles may', async () => {
    const { json, headers } = await kernel.send('/v1/things', {
      method: 'POST',
      headers: { authorization: 'Bearer anna' },
    });
    expect(json).deep.includes({ required_roles: ['owner'], role: 'member' });
    expect(headers['www-authenticate']).equals('Bearer realm="test", error="insufficient_scope"');
  });

  for (const path of [
    '/api/things/a/',
    '/api/Things/a',
    '/API/things/a',
    '//api/things/a',
    '/api/things',
    '/api/things/a/b',
  ])
    it(`${path} is not /api/things/{name}`, async () => expect((await kernel.get(path)).status).equals(404));

  it('405 and OPTIONS name the methods of the path', async () => {
    for (const method of ['DELETE', 'TRACE', 'PURGE', 'QUERY']) {
      const answer = await kernel.send('/api/things/a', { method, headers: { authorization: 'Bearer anna' } });
      expect(answer.status).equals(405);
      expect(answer.headers.allow).equals('GET, HEAD, OPTIONS');
    }
    const options = await kernel.send('/v1/things', { method: 'OPTIONS' });
    expect([options.status, options.headers.allow, options.text]).deep.equals([204, 'POST, OPTIONS', '']);
    expect(options.headers).not.property('access-control-allow-origin');
  });

  it('OPTIONS tells nobody without a credential which paths do not exist', async () => {
    expect((await kernel.send('/nowhere', { method: 'OPTIONS' })).status).equals(401);
  });

  /** What a browser is told, by method, path and what it says of itself. */
  const origin = { origin: 'https://else.example' };
  const preflight = {
    ...origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
  };
  const open = { 'access-control-allow-origin': '*' };
  const openFor = { ...open, 'access-control-allow-methods': 'GET, HEAD, OPTIONS', 'access-control-max-age': '86400' };
  const crossings: [string, Record<string, string>, object][] = [
    ['GET /open', {}, open],
    ['GET /open', origin, open],
    ['HEAD /open', origin, open],
    ['GET /open?unknown=1', origin, open],
    ['POST /open', origin, open],
    ['OPTIONS /open', origin, open],
    ['OPTIONS /open', preflight, openFor],
    ['GET /api/things/a', { ...origin, authorization: 'Bearer anna' }, {}],
    ['GET /api/things/a', origin, {}],
    ['OPTIONS /api/things/a', preflight, {}],
    ['OPTIONS /v1/things', preflight, {}],
    ['OPTIONS /nowhere', preflight, {}],
  ];
  for (const [target, headers, expected] of crossings)
    it(`${target} with ${Object.keys(headers).join(', ') || 'no origin'} lets other origins ${Object.keys(expected).length === 0 ? 'see nothing' : 'read'}`, async () => {
      const [method = '', path = ''] = target.split(' ');
      const answer = await kernel.send(path, { method, headers });
      const cors = Object.entries(answer.headers).filter(([name]) => name.startsWith('access-control-'));
      expect(Object.fromEntries(cors)).deep.equals(expected);
    });

  it('HEAD answers as GET, without the body', async () => {
    const get = await kernel.get('/api/things/a');
    const head = await kernel.send('/api/things/a', { method: 'HEAD', headers: { authorization: 'Bearer anna' } });
    expect([head.status, head.text]).deep.equals([200, '']);
    expect(head.headers['content-length']).equals(get.headers['content-length']);
    expect(head.headers.etag).equals(get.headers.etag);
  });

  it('every response carries an id of its own, the version and these security headers', async () => {
    const answers = await Promise.all(['/open', '/nowhere', '/api/things/a'].map((path) => kernel.get(path)));
    const ofContent = ['content-type', 'content-length', 'date', 'connection', 'etag', 'vary', 'cache-control'];
    for (const { headers } of answers) {
      expect(headers['x-request-id']).match(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
      const others = Object.entries(headers).filter(
        ([name]) => ![...ofContent, 'x-request-id', 'access-control-allow-origin'].includes(name),
      );
      expect(Object.fromEntries(others)).deep.equals({
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'origin-agent-cluster': '?1',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-api-version': '2026-11-21',
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
        'x-frame-options': 'DENY',
        'x-permitted-cross-domain-policies': 'none',
      });
    }
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).equals(3);
  });

  it('only the version that is served can be asked for', async () => {
    expect((await kernel.get('/open', { 'x-api-version': '2026-11-21' })).status).equals(200);
    const { status, json } = await kernel.get('/open', { 'x-api-version': '2020-01-01' });
    expect(status).equals(400);
    expect(json).deep.includes({ code: 'unsupported_api_version', supported_versions: ['2026-11-21'] });
  });
});
