import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../../src/http/route.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const plain = { method: 'GET', summary: 'It', response: z.object({}), handle: () => ({}) } as const;
const routes = [
  route({ ...plain, path: '/api/it', operation_id: 'it', access: 'tenant', product: 'it', credits: 1 }),
  route({
    ...plain,
    path: '/api/find',
    operation_id: 'find',
    access: 'tenant',
    product: 'it',
    credits: 1,
    limit: 'find',
  }),
  route({ ...plain, path: '/open', operation_id: 'open', access: 'public', product: null, credits: 0 }),
  route({ ...plain, path: '/alive', operation_id: 'alive', access: 'public', product: null, credits: 0, probe: true }),
];

describe('http: rate limit', () => {
  let kernel: Kernel;
  beforeEach(async () => {
    kernel = await startKernel(routes, {
      limits: {
        organization: [{ name: 'default', requests: 5, window_seconds: 60 }],
        address: [{ name: 'public', requests: 2, window_seconds: 60 }],
        named: [{ name: 'find', requests: 2, window_seconds: 30 }],
      },
    });
  });
  afterEach(() => kernel.close());

  it('each authenticated response tells what is left', async () => {
    const began = Date.now() / 1_000;
    const { headers } = await kernel.get('/api/find');
    expect(headers['ratelimit-policy']).equals('"default";q=5;w=60, "find";q=2;w=30');
    expect(headers['ratelimit']).equals('"default";r=4;t=60, "find";r=1;t=30');
    expect(headers['x-ratelimit-limit']).equals('2');
    expect(headers['x-ratelimit-remaining']).equals('1');
    expect(Number(headers['x-ratelimit-reset'])).within(began + 28, Date.now() / 1_000 + 32);
  });

  it('a caller may have more of a quota than others, and is told so and stopped there', async () => {
    const own = await startKernel(routes, {
      limits: {
        organization: [{ name: 'default', requests: 2, window_seconds: 60 }],
        address: [],
        named: [{ name: 'find', requests: 1, window_seconds: 60 }],
        requestsOf: ({ name, requests }, { organization }) =>
          organization.slug === 'other' && name === 'find' ? 3 : requests * (organization.slug === 'other' ? 2 : 1),
      },
    });
    const ask = async (bearer: string) => {
      const { status, headers } = await own.send('/api/find', { headers: { authorization: `Bearer ${bearer}` } });
      return [status, headers['ratelimit-policy']];
    };
    const [less, more] = ['"default";q=2;w=60, "find";q=1;w=60', '"default";q=4;w=60, "find";q=3;w=60'];
    expect([await ask('anna'), await ask('anna')]).deep.equals([
      [200, less],
      [429, less],
    ]);
    const answers = [await ask('otto'), await ask('otto'), await ask('otto'), await ask('otto')];
    expect(answers).deep.equals([200, 200, 200, 429].map((status) => [status, more]));
    await own.close();
  });

  it('beyond a quota the answer is 429, names it, and costs the other quotas nothing', async () => {
    await kernel.get('/api/find');
    await kernel.get('/api/find');
    const { status, headers, json } = await kernel.get('/api/find');
    expect(status).equals(429);
    expect(json).deep.includes({
      code: 'rate_limited',
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      'violated-policies': ['find'],
      docs_url: 'https://ris.example/docs/rate-limits',
      retry_after_seconds: Number(headers['retry-after']),
    });
    expect(Number(headers['retry-after'])).within(1, 30);
    expect((await kernel.get('/api/it')).headers['ratelimit']).matches(/^"default";r=2;t=\d+$/);
    expect(kernel.calls).lengthOf(3);
  });

  it('what is refused for its shape, or fails, uses up nothing of the route’s own quota', async () => {
    for (let i = 0; i < 2; i++) expect((await kernel.get('/api/find?what=1')).status).equals(422);
    const { headers } = await kernel.get('/api/find');
    expect(headers['ratelimit']).matches(/^"default";r=2;t=\d+, "find";r=1;t=\d+$/);
  });

  it('all members of an organization share its quota, and no route is a way around it', async () => {
    for (const bearer of ['anna', 'olga', 'anna', 'olga', 'anna'])
      await kernel.send('/api/it', { headers: { authorization: `Bearer ${bearer}` } });
    expect((await kernel.send('/nowhere', { headers: { authorization: 'Bearer olga' } })).status).equals(429);
  });

  it('a 304 costs nothing', async () => {
    const { headers } = await kernel.get('/api/it');
    for (let i = 0; i < 9; i++) {
      const again = await kernel.get('/api/it', { 'if-none-match': String(headers.etag) });
      expect([again.status, again.headers['x-ratelimit-remaining']]).deep.equals([304, '4']);
    }
  });

  it('wrong bearers are 401, however many, and tell no quota', async () => {
    for (let i = 0; i < 20; i++) {
      const { status, headers } = await kernel.send('/api/it', { headers: { authorization: 'Bearer wrong' } });
      expect(status).equals(401);
      expect(headers).not.property('ratelimit');
    }
    expect((await kernel.get('/api/it')).headers['x-ratelimit-remaining']).equals('4');
  });

  it('public routes are limited by address; probes are not limited', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await kernel.send('/open')).status);
    for (let i = 0; i < 9; i++) expect((await kernel.send('/alive')).status).equals(200);
    expect(statuses).deep.equals([200, 200, 429]);
  });
});

describe('http: rate limit under overload', () => {
  it('a request that waited in vain for its turn costs nothing, and says so', async () => {
    const work = new EventEmitter();
    const slow = route({
      ...plain,
      path: '/slow',
      operation_id: 'slow',
      access: 'tenant',
      product: 'it',
      credits: 1,
      handle: async () => {
        work.emit('begun');
        await once(work, 'end');
        return {};
      },
    });
    const kernel = await startKernel([...routes, slow], {
      limits: { organization: [{ name: 'default', requests: 3, window_seconds: 60 }], address: [], named: [] },
      turns: { maxInFlightOfOne: 1, maxWaiting: 10, maxWaitMs: 10 },
      deadlineMs: 60_000,
    });
    const begun = once(work, 'begun');
    const held = kernel.get('/slow');
    await begun;
    const left = /;r=(\d+);/;
    for (let i = 0; i < 5; i++) {
      const { status, headers, json } = await kernel.get('/api/it');
      expect([status, json['code']]).deep.equals([503, 'overloaded']);
      expect(left.exec(headers['ratelimit'] as string)?.[1]).equals('2');
    }
    work.emit('end');
    expect((await held).status).equals(200);
    expect((await kernel.get('/api/it')).headers['ratelimit']).matches(/;r=1;/);
    expect(kernel.calls).lengthOf(2);
    await kernel.close();
  });
});
