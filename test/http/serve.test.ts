import { gunzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import { HttpError } from '../../src/http/errors.ts';
import { problems } from '../../src/http/problems.ts';
import { route } from '../../src/http/route.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const notThere = { status: 404, code: 'thing_not_found', title: 'No such thing', meaning: 'It is not there.' };
const outcomes: Record<string, () => unknown> = {
  good: () => ({ text: 'x'.repeat(5_000) }),
  missing: () => {
    throw new HttpError(notThere, { detail: 'No thing of this name.' });
  },
  broken: () => {
    throw new Error('secret stack');
  },
  down: () => {
    throw new RangeError('store');
  },
  slow: () => new Promise(() => {}),
  unlike: () => ({ text: 7 }),
};
const response = z.object({ text: z.string() });
const handle = ({ params }: { params: { outcome: string } }) =>
  Promise.resolve(outcomes[params.outcome]?.()).then((result) => result as z.infer<typeof response>);
const shared = { method: 'GET', summary: 'A thing', params: { outcome: z.string() }, response, handle } as const;
const routes = [
  route({
    ...shared,
    path: '/api/things/{outcome}',
    operation_id: 'thing',
    access: 'tenant',
    product: 'things',
    credits: 3,
  }),
  route({
    ...shared,
    path: '/v1/things/{outcome}',
    operation_id: 'tenant_thing',
    access: 'tenant',
    product: null,
    credits: 0,
  }),
  route({
    ...shared,
    path: '/open/{outcome}',
    operation_id: 'open_thing',
    access: 'public',
    product: null,
    credits: 0,
  }),
];

describe('http: serve', () => {
  let kernel: Kernel;
  beforeEach(async () => {
    kernel = await startKernel(routes, {
      deadlineMs: 2_000,
      explain: (error) =>
        error instanceof RangeError
          ? new HttpError({ ...notThere, status: 503, code: 'down' }, { headers: { 'Retry-After': '10' } })
          : null,
    });
  });
  afterEach(() => kernel.close());

  describe('caching', () => {
    it('a metered answer is revalidated by its ETag, compressed or not', async () => {
      const plain = await kernel.get('/api/things/good');
      const zipped = await kernel.get('/api/things/good', { 'accept-encoding': 'gzip' });
      expect(plain.headers['cache-control']).equals('private, no-cache');
      expect(String(plain.headers.vary).split(', ')).members(['Authorization', 'Accept-Encoding']);
      expect(plain.headers.etag).matches(/^W\/".+"$/);
      expect(zipped.headers.etag).equals(plain.headers.etag);
      for (const encoding of ['identity', 'gzip']) {
        const again = await kernel.get('/api/things/good', {
          'if-none-match': String(plain.headers.etag),
          'accept-encoding': encoding,
        });
        expect([again.status, again.text, again.headers.etag]).deep.equals([304, '', plain.headers.etag]);
      }
      expect((await kernel.get('/api/things/good', { 'if-none-match': 'W/"else"' })).status).equals(200);
    });

    it('other tenant answers and errors are kept by nobody; public ones for five minutes', async () => {
      const answers = await Promise.all(
        ['/v1/things/good', '/v1/things/missing', '/open/good'].map((path) => kernel.get(path)),
      );
      expect(answers.map(({ headers }) => headers['cache-control'])).deep.equals([
        'no-store',
        'no-store',
        'public, max-age=300',
      ]);
      expect(answers.map(({ headers }) => 'etag' in headers)).deep.equals([false, false, true]);
    });
  });

  describe('compression', () => {
    it('large answers are sent in an encoding that the caller accepts', async () => {
      const { default: got } = await import('node:http');
      const chunks: Buffer[] = [];
      const encoding = await new Promise((resolve, reject) =>
        got
          .get(
            { port: kernel.port, path: '/open/good', headers: { 'accept-encoding': 'gzip' }, agent: false },
            (incoming) => {
              incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
              incoming.on('end', () => resolve(incoming.headers['content-encoding']));
            },
          )
          .on('error', reject),
      );
      expect(encoding).equals('gzip');
      expect(Buffer.concat(chunks)).lengthOf.below(500);
      expect(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString())).deep.equals(outcomes['good']?.());
    });

    for (const accept of ['identity', 'identity;q=0', '*;q=0', 'identity;q=0, *;q=0', 'nonsense', ''])
      it(`Accept-Encoding: ${accept} gets the plain bytes`, async () => {
        const { status, headers, json } = await kernel.get('/open/good', { 'accept-encoding': accept });
        expect([status, headers['content-encoding'], json]).deep.equals([200, undefined, outcomes['good']?.()]);
      });
  });

  describe('errors', () => {
    it('an unforeseen one is a 500 that tells the caller nothing and the log everything', async () => {
      const { status, text, json } = await kernel.get('/api/things/broken');
      expect([status, json['code']]).deep.equals([500, 'internal_error']);
      expect(text).not.include('secret');
      expect(String(kernel.reported[0])).include('secret stack');
    });

    it('one that the application explains is what it says', async () => {
      const { status, json, headers } = await kernel.get('/api/things/down');
      expect([status, json['code'], headers['retry-after']]).deep.equals([503, 'down', '10']);
    });

    it('a handler that takes too long is given up with 504', async () => {
      const { status, json } = await kernel.get('/api/things/slow');
      expect([status, json['code']]).deep.equals([504, 'deadline_exceeded']);
    });

    it('a response unlike its schema is a 500 where responses are verified', async () => {
      expect((await kernel.get('/open/unlike')).status).equals(500);
    });
  });

  describe('metering', () => {
    const metered = async (path: string, headers = {}) => {
      await kernel.get(path, headers);
      return kernel.calls.map(({ status, class: family, credits }) => [status, family, credits]);
    };
    it('a success costs the credits of its route', async () =>
      expect(await metered('/api/things/good')).deep.equals([[200, 'successful', 3]]));
    it('a 304 counts and costs nothing', async () => {
      const { headers } = await kernel.get('/api/things/good');
      kernel.calls.length = 0;
      expect(await metered('/api/things/good', { 'if-none-match': headers.etag })).deep.equals([
        [304, 'not_modified', 0],
      ]);
    });
    it('a 404 of the handler counts and costs nothing', async () =>
      expect(await metered('/api/things/missing')).deep.equals([[404, 'client_error', 0]]));
    it('a 422 counts and costs nothing', async () =>
      expect(await metered('/api/things/good?x=1')).deep.equals([[422, 'client_error', 0]]));
    it('a 500, 503 or 504 counts and costs nothing', async () => {
      await metered('/api/things/broken');
      await metered('/api/things/down');
      expect(await metered('/api/things/slow')).deep.equals([
        [500, 'server_error', 0],
        [503, 'server_error', 0],
        [504, 'server_error', 0],
      ]);
    });
    it('HEAD is counted like GET', async () => {
      await kernel.send('/api/things/good', { method: 'HEAD', headers: { authorization: 'Bearer anna' } });
      expect(kernel.calls).lengthOf(1);
      expect(kernel.calls[0]).deep.includes({ product: 'things', operation: 'thing', credits: 3 });
      expect(kernel.calls[0]?.caller.member.name).equals('Anna');
    });
    it('401, 404 without a route, 405, 406, OPTIONS and routes of no product are not counted', async () => {
      await kernel.send('/api/things/good');
      await kernel.send('/api/things/good', { method: 'OPTIONS', headers: { authorization: 'Bearer anna' } });
      await kernel.send('/api/things/good', { method: 'POST', headers: { authorization: 'Bearer anna' } });
      await metered('/api/nowhere');
      await metered('/api/things/good', { accept: 'text/html' });
      expect(await metered('/v1/things/good')).deep.equals([]);
    });
    it('a call is counted before its response begins', async () => {
      let counted = false;
      const late = await startKernel(routes, { meter: () => sleep(100).then(() => void (counted = true)) });
      await late.get('/api/things/good');
      await late.close();
      expect(counted).equals(true);
    });
    it('a call that can be counted nowhere is not answered, and nothing of its answer is told', async () => {
      const failing = await startKernel(routes, {
        meter: () => Promise.reject(new RangeError('no room')),
        explain: (cause) =>
          cause instanceof RangeError ? new HttpError(problems.insufficient_storage, { cause }) : null,
      });
      const answers = await Promise.all(['good', 'missing'].map((outcome) => failing.get(`/api/things/${outcome}`)));
      await failing.close();
      for (const { status, headers, json } of answers) {
        expect([status, json['code'], headers['cache-control']]).deep.equals([507, 'insufficient_storage', 'no-store']);
        expect(headers).not.have.property('etag');
      }
      expect(String(failing.reported)).include('no room');
    });
  });

  describe('without room', () => {
    it('what stores is refused before its body is read; questions and what ends things are answered', async () => {
      const own = { ...shared, access: 'tenant', product: null, credits: 0 } as const;
      const post = { ...own, method: 'POST', body: z.unknown() } as const;
      const made = route({ ...post, path: '/v1/made/{outcome}', operation_id: 'made' });
      const asked = route({ ...post, path: '/v1/asked/{outcome}', operation_id: 'asked', readOnly: true });
      const ended = route({ ...own, path: '/v1/made/{outcome}', operation_id: 'ended', method: 'DELETE' });
      let hasRoom = false;
      const full = await startKernel([...routes, made, asked, ended], { canStore: () => hasRoom });
      const send = async (method: string, path: string, body = '') =>
        (
          await full.send(path, {
            method,
            headers: { authorization: 'Bearer anna', 'content-type': 'application/json' },
            body,
          })
        ).status;
      expect([
        await send('POST', '/v1/made/good', '{'),
        await send('POST', '/v1/asked/good', '{}'),
        await send('DELETE', '/v1/made/good'),
        await send('GET', '/v1/things/good'),
      ]).deep.equals([507, 200, 200, 200]);
      hasRoom = true;
      expect(await send('POST', '/v1/made/good', '{}')).equals(200);
      await full.close();
    });
  });
});
