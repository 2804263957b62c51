import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../../src/http/route.ts';
import { request } from '../support/http.ts';
import type { Kernel } from '../support/kernel.ts';
import { anna, startKernel } from '../support/kernel.ts';

const whoami = route({
  method: 'GET',
  path: '/api/whoami',
  operation_id: 'whoami',
  summary: 'Who am I',
  access: 'tenant',
  product: null,
  credits: 0,
  response: z.object({ member: z.string() }),
  handle: ({ caller }) => ({ member: caller.member.name }),
});

describe('http: authentication', () => {
  let kernel: Kernel;
  before(async () => (kernel = await startKernel([whoami])));
  after(() => kernel.close());

  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    it(`a known key is let in as ${scheme}`, async () => {
      const { status, json } = await kernel.send('/api/whoami', { headers: { authorization: `${scheme} anna` } });
      expect([status, json]).deep.equals([200, { member: 'Anna' }]);
    });

  for (const path of ['/api/whoami', '/nowhere', '/', '/api/whoami?key=anna', '/api/whoami?access_token=anna'])
    it(`without a credential ${path} is 401 with the bare challenge`, async () => {
      const { status, headers, json } = await kernel.send(path, {
        headers: { 'x-payment': 'anna', cookie: 'key=anna' },
      });
      expect([status, json['code']]).deep.equals([401, 'authentication_required']);
      expect(headers['www-authenticate']).equals('Bearer realm="test"');
    });

  const wrong = [
    'Bearer nobody',
    'Bearer',
    'Bearer ',
    'Basic YW5uYQ==',
    'anna',
    'Bearer anna anna',
    'Bearer "anna"',
    'Digest x',
    '',
  ];
  it('every wrong credential gets one and the same answer', async () => {
    const answers = await Promise.all(
      [...wrong, ['Bearer anna', 'Bearer anna'], ['Bearer anna', 'Bearer olga']].map((authorization) =>
        request(kernel.port, '/api/whoami', { headers: { authorization } }),
      ),
    );
    const bodies = answers.map(({ status, json, headers }) => ({
      status,
      challenge: headers['www-authenticate'],
      json: { ...json, request_id: '' },
    }));
    expect(new Set(bodies.map((body) => JSON.stringify(body)))).lengthOf(1);
    expect(bodies[0]).deep.includes({
      status: 401,
      challenge: 'Bearer realm="test", error="invalid_token", error_description="The API key is not valid"',
    });
    expect(bodies[0]?.json).includes({ code: 'invalid_api_key', docs_url: 'https://ris.example/docs/authentication' });
  });

  it('an address that has guessed too often waits, and learns no quota', async () => {
    const guarded = await startKernel([whoami], {
      authenticate: async (_, { ip }) => (ip === '127.0.0.1' ? { retry_after_seconds: 42 } : anna),
    });
    const { status, headers, json } = await guarded.get('/api/whoami');
    await guarded.close();
    expect([status, headers['retry-after'], json['code']]).deep.equals([429, '42', 'too_many_failed_authentications']);
    expect(headers).not.any.keys('ratelimit', 'ratelimit-policy', 'x-ratelimit-remaining');
  });

  it('X-Forwarded-For counts only behind a trusted proxy, and only its last entry', async () => {
    const seen: string[] = [];
    const options = { authenticate: async (_: string, { ip }: { ip: string }) => (seen.push(ip), anna) };
    for (const trustedProxies of [0, 1]) {
      const kernel = await startKernel([whoami], { ...options, trustedProxies });
      await kernel.get('/api/whoami', { 'x-forwarded-for': '6.6.6.6, 9.9.9.9' });
      await kernel.close();
    }
    expect(seen).deep.equals(['127.0.0.1', '9.9.9.9']);
  });
});
