import { EventEmitter, once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { get } from 'node:http';
import { expect } from 'chai';
import { z } from 'zod';
import { HttpError } from '../../src/http/errors.ts';
import { route } from '../../src/http/route.ts';
import { rawRequest } from '../support/http.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const gone = { status: 404, code: 'thing_not_found', title: 'No such thing', meaning: 'It is not there.' };
const made: string[] = [];
/** Says `begun` whenever it is asked, and answers at the next `end`. */
const slow = new EventEmitter();
const open = { method: 'GET', summary: 'It', access: 'public', product: null, credits: 0 } as const;
const routes = [
  route({
    ...open,
    path: '/constant/{name}',
    operation_id: 'constant',
    constant: true,
    cors: true,
    deprecated: { since: '2026-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z', guide: 'https://ris.example/docs/end' },
    params: { name: z.string() },
    query: { size: z.enum(['big', 'small']).optional() },
    response: z.object({ text: z.string() }),
    handle: ({ params: { name }, query: { size = 'small' } }) => {
      made.push(`${name} ${size}`);
      if (name === 'missing') throw new HttpError(gone);
      return { text: size === 'big' ? `${name} é €`.repeat(20_000) : `${name} é €` };
    },
  }),
  route({
    ...open,
    path: '/slow',
    operation_id: 'slow',
    response: z.object({}),
    handle: async () => {
      slow.emit('begun');
      await once(slow, 'end');
      return {};
    },
  }),
];

describe('http: constant answers', () => {
  let kernel: Kernel;
  const start = async (options: Parameters<typeof startKernel>[1] = {}) =>
    (kernel = await startKernel(routes, options));
  beforeEach(() => made.splice(0));
  afterEach(() => kernel.close());

  /** Without what belongs to one request. */
  const lasting = ({ date, 'x-request-id': id, ...headers }: Record<string, unknown>) => {
    expect([typeof date, typeof id]).deep.equals(['string', 'string']);
    return headers;
  };

  it('are made once for each path and query, and given again with every header but the id of the request', async () => {
    await start();
    const paths = ['/constant/a', '/constant/a?size=big', '/constant/b'];
    const ask = () => Promise.all(paths.map((path) => kernel.send(path)));
    const [first, second, third] = [await ask(), await ask(), await ask()];
    expect(made.toSorted()).deep.equals(['a big', 'a small', 'b small']);
    for (const again of [second, third])
      for (const [i, { status, text, headers }] of again.entries()) {
        expect([status, text]).deep.equals([200, first[i]?.text]);
        expect(lasting(headers)).deep.equals(lasting(first[i]?.headers ?? {}));
      }
    expect(first[0]?.json).deep.equals({ text: 'a é €' });
    expect(first[0]?.headers).includes({
      'access-control-allow-origin': '*',
      deprecation: '@1767225600',
      'x-api-version': '2026-11-21',
      'x-content-type-options': 'nosniff',
    });
    const ids = [...first, ...second, ...third].map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).equals(9);
  });

  it('are not kept where they are errors', async () => {
    await start();
    for (const [path, status] of [
      ['/constant/missing', 404],
      ['/constant/a?size=none', 422],
    ] as const)
      for (let i = 0; i < 2; i++) expect((await kernel.send(path)).status).equals(status);
    expect(made).deep.equals(['missing small', 'missing small']);
  });

  it('answer HEAD, other methods, other types, compressed and conditional requests as if nothing was kept', async () => {
    await start();
    const path = '/constant/a?size=big';
    const plain = await kernel.send(path);
    const etag = String(plain.headers.etag);
    const head = await kernel.send(path, { method: 'HEAD' });
    expect([head.status, head.text]).deep.equals([200, '']);
    expect(lasting(head.headers)).deep.equals(lasting(plain.headers));
    expect((await kernel.send(path, { method: 'POST' })).status).equals(405);
    expect((await kernel.send(path, { method: 'OPTIONS' })).status).equals(204);
    expect((await kernel.send(path, { headers: { accept: 'text/csv' } })).status).equals(406);

    // Whoever wants it anew is answered so, and the next is not.
    const known = { 'if-none-match': etag };
    expect((await kernel.send(path, { headers: { ...known, 'cache-control': 'no-cache' } })).status).equals(200);
    expect((await kernel.send(path, { headers: known })).status).equals(304);
    expect((await kernel.send(path, { headers: { 'if-none-match': 'W/"else"' } })).text).equals(plain.text);

    const zipped = () =>
      new Promise<Buffer>((resolve, reject) => {
        get({ port: kernel.port, path, agent: false, headers: { 'accept-encoding': 'gzip' } }, (response) => {
          const chunks: Buffer[] = [];
          expect(response.headers).includes({ 'content-encoding': 'gzip', etag });
          response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)));
        }).on('error', reject);
      });
    for (let i = 0; i < 2; i++) expect(gunzipSync(await zipped()).toString()).equals(plain.text);
    expect((await kernel.send(path)).headers).not.property('content-encoding');
  });

  it('are refused to whom they would be refused if nothing was kept', async () => {
    await start();
    const path = '/constant/a';
    for (let i = 0; i < 2; i++) expect((await kernel.send(path)).status).equals(200);
    const old = await kernel.send(path, { headers: { 'x-api-version': '2020-01-01' } });
    expect([old.status, old.json['code']]).deep.equals([400, 'unsupported_api_version']);
    expect((await kernel.send(path, { headers: { 'x-api-version': '2026-11-21' } })).status).equals(200);
    for (const [lines, status] of [
      ['', 400],
      ['Host:\r\n', 400],
      ['Host: x\r\n', 200],
      [`Host: x\r\n${'X: y\r\n'.repeat(99)}`, 431],
    ] as const)
      expect(await rawRequest(kernel.port, `GET ${path} HTTP/1.1\r\nConnection: close\r\n${lines}\r\n`)).match(
        new RegExp(`^HTTP/1.1 ${status} `),
      );
    expect(made).lengthOf(1);
  });

  it('count against the quota of an address, each once, and are refused with a problem like every other', async () => {
    await start({
      limits: { organization: [], address: [{ name: 'public', requests: 4, window_seconds: 60 }], named: [] },
    });
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await kernel.send('/constant/a'));
    expect(answers.map(({ status }) => status)).deep.equals([200, 200, 200, 200, 429, 429]);
    const { headers, json } = answers[5]!;
    expect(json).includes({ code: 'rate_limited', request_id: headers['x-request-id'] });
    expect(headers).includes({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(Number(headers['retry-after'])).within(1, 60);
    expect(headers).not.property('etag');
  });

  it('are turned away under load', async () => {
    await start({
      pressure: { maxInFlight: 1, maxEventLoopDelayMs: 60_000, windowMs: 5_000, maxHeapShare: 1 },
      turns: { maxInFlightOfOne: 1, maxWaiting: 0, maxWaitMs: 1 },
    });
    for (let i = 0; i < 2; i++) expect((await kernel.send('/constant/a')).status).equals(200);
    const hasBegun = once(slow, 'begun');
    const answered = kernel.send('/slow');
    await hasBegun;
    const { status, json } = await kernel.send('/constant/a');
    expect([status, json['code']]).deep.equals([503, 'overloaded']);
    slow.emit('end');
    await answered;
    expect((await kernel.send('/constant/a')).status).equals(200);
  });

  it('say Connection: close while the server drains, and only then', async () => {
    await start();
    const connection = async () =>
      (await kernel.send('/constant/a', { headers: { connection: 'keep-alive' } })).headers.connection;
    const before = [await connection(), await connection()];
    const closing = kernel.close({ drainMs: 2_000 });
    expect([...before, await connection()]).deep.equals(['keep-alive', 'keep-alive', 'close']);
    await closing;
  });

  it('are told of in the log like all others', async () => {
    const records: unknown[] = [];
    await start({ access: (record) => records.push(record) });
    const answers = [];
    for (let i = 0; i < 3; i++)
      answers.push(await kernel.send('/constant/a', { headers: { 'x-request-id': `job-${i}` } }));
    expect(records).lengthOf(3);
    for (const [i, record] of records.entries())
      expect(record).includes({
        request_id: answers[i]?.headers['x-request-id'],
        client_request_id: `job-${i}`,
        method: 'GET',
        operation: 'constant',
        status: 200,
        code: null,
      });
  });

  it('are forgotten, the oldest first, when a URL is written in more ways than there is memory for', async () => {
    await start();
    const ask = (ways: number) => kernel.send(`/constant/a?size=big${'&'.repeat(ways)}`);
    for (let ways = 0; ways < 100; ways++) await ask(ways);
    expect(made).lengthOf(100);
    await ask(99);
    expect(made).lengthOf(100);
    await ask(0);
    expect(made).lengthOf(101);
  });
});
