import { EventEmitter, once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../../src/http/route.ts';
import { eventually } from '../support/eventually.ts';
import { rawRequest } from '../support/http.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const open = {
  method: 'GET',
  summary: 'It',
  access: 'public',
  product: null,
  credits: 0,
  response: z.object({}),
} as const;
/** Says `begun` whenever it is asked, and answers at the next `end`. */
const slow = new EventEmitter();
const slowly = async () => {
  slow.emit('begun');
  await once(slow, 'end');
  return {};
};
const routes = [
  route({ ...open, path: '/fast', operation_id: 'fast', handle: () => ({}) }),
  route({ ...open, path: '/slow', operation_id: 'slow', handle: slowly }),
  route({
    ...open,
    method: 'POST',
    path: '/taken',
    operation_id: 'taken',
    body: z.object({}),
    cache: 'none',
    handle: () => ({}),
  }),
  route({ ...open, path: '/alive', operation_id: 'alive', probe: true, handle: () => ({}) }),
];

describe('http: server', () => {
  let kernel: Kernel;
  beforeEach(async () => (kernel = await startKernel(routes)));
  afterEach(() => kernel.close());

  const host = 'Host: x\r\n';
  const refused: [string, string, number, string][] = [
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'bad_request'],
    [
      'two lengths',
      `POST /fast HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      400,
      'bad_request',
    ],
    [
      'a length and chunks',
      `POST /fast HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'bad_request',
    ],
    [
      'chunks under another coding',
      `POST /fast HTTP/1.1\r\n${host}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      400,
      'bad_request',
    ],
    ['a length that is no number', `POST /fast HTTP/1.1\r\n${host}Content-Length: 1, 1\r\n\r\na`, 400, 'bad_request'],
    ['a header over two lines', `GET /fast HTTP/1.1\r\n${host}X: y\r\n z\r\n\r\n`, 400, 'bad_request'],
    ['a header without a colon', `GET /fast HTTP/1.1\r\n${host}Nonsense\r\n\r\n`, 400, 'bad_request'],
    ['no Host', 'GET /fast HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
    ['17 KB of headers', `GET /fast HTTP/1.1\r\n${host}X: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [
      '101 headers',
      `GET /fast HTTP/1.1\r\n${host}Connection: close\r\n${'X: y\r\n'.repeat(99)}\r\n`,
      431,
      'headers_too_large',
    ],
  ];
  for (const [what, bytes, status, code] of refused)
    it(`${what} → ${status} as a problem, and the connection is closed`, async () => {
      const answer = await rawRequest(kernel.port, bytes);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).matches(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).include('Content-Type: application/problem+json').and.include('Connection: close');
      expect(JSON.parse(body)).includes({ status, code }).and.property('request_id').matches(/^req_/);
    });

  it('100 headers and an unknown expectation are no reason to refuse', async () => {
    const hundred = `GET /fast HTTP/1.1\r\n${host}Connection: close\r\n${'X: y\r\n'.repeat(98)}\r\n`;
    expect(await rawRequest(kernel.port, hundred)).match(/^HTTP\/1.1 200 /);
    const expecting = `GET /fast HTTP/1.1\r\n${host}Expect: nonsense\r\nConnection: close\r\n\r\n`;
    expect(await rawRequest(kernel.port, expecting)).match(/^HTTP\/1.1 200 /);
  });

  it('has the time limits of its design', () =>
    expect(kernel.server).includes({
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      keepAliveTimeout: 65_000,
    }));

  it('headers that do not come in time → 408', async () => {
    kernel.server.headersTimeout = 300;
    const answer = await rawRequest(kernel.port, 'GET /fast HTTP/1.1\r\n');
    expect(answer)
      .match(/^HTTP\/1.1 408 /)
      .and.include('"code":"request_timeout"');
  });

  it('a body that Node waits for no longer → 408, and meanwhile others are answered', async () => {
    kernel.server.headersTimeout = 200;
    kernel.server.requestTimeout = 300;
    const dripping = rawRequest(
      kernel.port,
      `POST /taken HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    expect((await kernel.send('/fast')).status).equals(200);
    const answer = await dripping;
    expect(answer)
      .match(/^HTTP\/1.1 408 /)
      .and.include('"code":"request_timeout"');
  });

  it('a thousand that send next to nothing keep nobody else waiting', async () => {
    kernel.server.headersTimeout = 60_000;
    const sockets = Array.from({ length: 1_000 }, () => connect(kernel.port, '127.0.0.1').on('error', () => {}));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(`GET /fast HTTP/1.1\r\n${host}X-Slow: `);
    for (let i = 0; i < 20; i++) {
      for (const socket of sockets) socket.write('a');
      expect((await kernel.send('/fast')).status).equals(200);
    }
    // All of them are still there, unanswered.
    expect(sockets.filter(({ destroyed, bytesRead }) => !destroyed && bytesRead === 0)).length(1_000);
    for (const socket of sockets) socket.destroy();
  });

  it('closing answers what has begun, tells kept-alive connections to go, and takes no new one', async () => {
    // Longer than any test.
    kernel.server.keepAliveTimeout = 600_000;
    const hasBegun = once(slow, 'begun');
    const keepAlive = rawRequest(kernel.port, `GET /slow HTTP/1.1\r\n${host}\r\n`);
    await hasBegun;
    const closing = kernel.close();
    const refusal = () =>
      kernel.send('/fast').then(
        () => expect.fail('it still listens'),
        (error: NodeJS.ErrnoException) => error.code,
      );
    await eventually(async () => expect(await refusal()).equals('ECONNREFUSED'));
    slow.emit('end');
    expect(await keepAlive).match(/^HTTP\/1.1 200 /);
    await closing;
  });

  it('while it drains it answers, and says Connection: close', async () => {
    const closing = kernel.close({ drainMs: 2_000 });
    const { status, headers } = await kernel.send('/fast', { headers: { connection: 'keep-alive' } });
    expect([status, headers.connection]).deep.equals([200, 'close']);
    await closing;
  });

  it('no request fails for those who go when they are told to', async () => {
    let answered = 0;
    const clients = Array.from({ length: 20 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const connection = await new Promise<string | undefined>((resolve, reject) => {
          get({ port: kernel.port, path: '/fast', agent }, (response) => {
            response.resume();
            response.on('end', () => resolve(response.headers.connection));
            response.on('error', reject);
          }).on('error', reject);
        });
        answered++;
        if (connection === 'close') return;
      }
    });
    while (answered < 100) await sleep(10);
    await kernel.close({ drainMs: 2_000 });
    await Promise.all(clients);
  });

  it('whoever is not done in time is cut off', async () => {
    const hasBegun = once(slow, 'begun');
    const late = kernel.send('/slow').then(
      () => 'answered',
      () => 'cut off',
    );
    await hasBegun;
    await kernel.close({ graceMs: 100 });
    expect(await late).equals('cut off');
    slow.emit('end');
  });
});

describe('http: pressure', () => {
  const ample = { maxInFlight: 100, maxEventLoopDelayMs: 10_000, windowMs: 100, maxHeapShare: 1 };
  /** Nobody waits. */
  const turns = { maxInFlightOfOne: 100, maxWaiting: 0, maxWaitMs: 1 };
  /** One who shows no key has half of it. */
  const forTwo = 4;
  const statuses = async (kernel: Kernel) =>
    Promise.all(['/fast', '/alive'].map(async (path) => (await kernel.send(path)).status));

  it('beyond the limit new work is turned away at once, probes are not, and afterwards all is well', async () => {
    const kernel = await startKernel(routes, { turns, pressure: { ...ample, maxInFlight: forTwo } });
    const taken: ReturnType<Kernel['send']>[] = [];
    while (taken.length < 2) {
      const hasBegun = once(slow, 'begun');
      taken.push(kernel.send('/slow'));
      await hasBegun;
    }
    const { status, headers, json } = await kernel.send('/fast');
    const during = await statuses(kernel);
    slow.emit('end');
    const finished = await Promise.all(taken);
    const after = await statuses(kernel);
    await kernel.close();
    expect([status, headers['retry-after'], json['code']]).deep.equals([503, '1', 'overloaded']);
    expect(during).deep.equals([503, 200]);
    expect(finished.map((answer) => answer.status)).deep.equals([200, 200]);
    expect(after).deep.equals([200, 200]);
  });

  it('an event loop that lags all the time takes less at once, but never nothing; one that paused once does not', async () => {
    const pressure = { ...ample, maxInFlight: forTwo, maxEventLoopDelayMs: 250, windowMs: 500 };
    const kernel = await startKernel(routes, { turns, pressure });
    const block = (ms: number) => {
      const until = performance.now() + ms;
      while (performance.now() < until);
    };
    /** How two requests at the same time are answered, and a probe. */
    const atOnce = async () => {
      let begun = 0;
      const count = () => void begun++;
      slow.on('begun', count);
      const asked = ['/slow', '/slow', '/alive'].map((path) => kernel.send(path));
      const refused = Promise.race(asked.slice(0, 2)).then(() => true);
      while (begun < 2 && !(await Promise.race([refused, sleep(10)])));
      slow.off('begun', count).emit('end');
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    await eventually(async () => {
      block(400);
      // Longer than a window, which a machine that is busy with other things may make another pause.
      await sleep(600);
      expect(await atOnce()).deep.equals([200, 200, 200]);
    });
    const lag = setInterval(() => block(400), 1);
    await eventually(async () => expect(await atOnce()).deep.equals([200, 503, 200]));
    clearInterval(lag);
    await eventually(async () => expect(await atOnce()).deep.equals([200, 200, 200]));
    await kernel.close();
  });

  it('an organization that asks for more than can be done keeps no other one waiting, and is answered in turn', async () => {
    const tenant = { ...open, method: 'GET', access: 'tenant' } as const;
    const ofTenants = [
      route({ ...tenant, path: '/slow', operation_id: 'slow', handle: slowly }),
      route({ ...tenant, path: '/fast', operation_id: 'fast', handle: () => ({}) }),
    ];
    const kernel = await startKernel(ofTenants, {
      pressure: { ...ample, maxInFlight: forTwo },
      turns: { maxInFlightOfOne: 100, maxWaiting: 1_000, maxWaitMs: 60_000 },
      deadlineMs: 60_000,
    });
    let begun = 0;
    const count = () => void begun++;
    slow.on('begun', count);
    const ask = (bearer: string, path: string) =>
      kernel.send(path, { headers: { authorization: `Bearer ${bearer}` } }).then(({ status }) => status);
    const flood = Array.from({ length: 50 }, (_, i) => ask(i % 2 === 0 ? 'anna' : 'olga', '/slow'));
    await eventually(async () => expect([begun, kernel.inFlight()]).deep.equals([2, 50]));
    for (let i = 0; i < 5; i++) expect(await ask('otto', '/fast')).equals(200);
    expect([begun, kernel.inFlight()]).deep.equals([2, 50]);
    for (let done = 2; done <= 50; done += 2) {
      await eventually(async () => expect(begun).equals(done));
      slow.emit('end');
    }
    slow.off('begun', count);
    const statuses = await Promise.all(flood);
    await kernel.close();
    expect(new Set(statuses)).deep.equals(new Set([200]));
  });

  it('a heap that is nearly full turns new work away', async () => {
    const kernel = await startKernel(routes, { pressure: { ...ample, maxHeapShare: 0 } });
    await eventually(async () => expect(await statuses(kernel)).deep.equals([503, 200]));
    await kernel.close();
  });
});
