import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { z } from 'zod';
import { ownNetwork } from '../../src/http/address.ts';
import type { AccessRecord } from '../../src/http/access-record.ts';
import { route } from '../../src/http/route.ts';
import { eventually } from '../support/eventually.ts';
import { rawRequest } from '../support/http.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const open = { summary: 'It', access: 'public', product: null, credits: 0, response: z.json() } as const;
const asked: string[] = [];
const routes = [
  route({
    ...open,
    method: 'GET',
    path: '/it/{name}',
    operation_id: 'it',
    params: { name: z.string() },
    handle: async ({ params: { name } }) => {
      asked.push(name);
      if (name === 'slow') await sleep(300);
      return name;
    },
  }),
  route({
    ...open,
    method: 'POST',
    path: '/echo',
    operation_id: 'echo',
    body: z.json(),
    handle: ({ body }) => body,
  }),
];
/** Short, and a machine that is busy with other things has time enough for what must come in time. */
const pace = { maxMs: 30_000, maxPublicMs: 3_000, minBytesPerSecond: 1_000, graceMs: 1_000 };
const host = 'Host: x\r\n';
const json = `${host}Content-Type: application/json\r\n`;

/** What came over one connection, answer by answer. */
function answersIn(received: string): { status: number; head: string; body: string }[] {
  const answers = [];
  for (let rest = received; rest !== '';) {
    const end = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    const length = status < 200 ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    answers.push({ status, head, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

describe('http: connections', () => {
  let kernel: Kernel;
  const records: AccessRecord[] = [];
  const start = async (options: Parameters<typeof startKernel>[1] = {}) => {
    records.length = 0;
    asked.length = 0;
    kernel = await startKernel(routes, { pace, access: (record) => records.push(record), ...options });
  };
  afterEach(() => kernel.close());
  const ask = async (bytes: string) => answersIn(await rawRequest(kernel.port, bytes));
  const statuses = async (bytes: string) => (await ask(bytes)).map(({ status }) => status);
  const codeOf = ({ body }: { body: string }) => (JSON.parse(body) as { code: string }).code;
  const get = (name: string, more = '') => `GET /it/${name} HTTP/1.1\r\n${host}${more}\r\n`;
  const post = (body: string, more = '') =>
    `POST /echo HTTP/1.1\r\n${json}${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const close = 'Connection: close\r\n';

  describe('that are kept', () => {
    it('take 2,000 requests one after the other, and 2,000 at once', async () => {
      await start();
      const socket = connect(kernel.port, '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString('latin1')));
      const answered = (count: number) =>
        new Promise<void>((resolve, reject) => {
          const look = () => {
            if (received.split('HTTP/1.1 ').length - 1 < count) return;
            socket.off('data', look).off('close', reject);
            resolve();
          };
          socket.on('data', look).once('close', reject);
        });
      for (let i = 0; i < 2_000; i++) {
        received = '';
        socket.write(i % 3 === 0 ? post('[1]') : get('a'));
        await answered(1);
        expect(received).match(/^HTTP\/1\.1 200 /);
      }
      received = '';
      socket.write(get('a').repeat(1_999) + get('last', close));
      await answered(2_000);
      socket.destroy();
      expect(new Set(answersIn(received).map(({ status }) => status))).deep.equals(new Set([200]));
    });

    it('answer HEAD, OPTIONS, a body and an unread one in turn, each as if it was alone', async () => {
      await start();
      const requests = [
        `HEAD /it/a HTTP/1.1\r\n${host}\r\n`,
        `OPTIONS /it/a HTTP/1.1\r\n${host}\r\n`,
        post('[1]'),
        `POST /it/a HTTP/1.1\r\n${json}Content-Length: 3\r\n\r\n[2]`,
        `POST /echo HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n3\r\n[3]\r\n0\r\n\r\n`,
        get('b', close),
      ];
      const received = await rawRequest(kernel.port, requests.join(''));
      expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).deep.equals([
        '200',
        '204',
        '200',
        '405',
        '200',
        '200',
      ]);
      expect(received)
        .match(/\[1\]HTTP/)
        .and.match(/\[3\]HTTP/)
        .and.match(/"b"$/);
    });
  });

  describe('that end', () => {
    it('give no answer to what follows the last request', async () => {
      await start();
      for (const before of ['a', 'slow']) expect(await statuses(get(before, close) + get('after'))).deep.equals([200]);
      expect(asked).deep.equals(['a', 'slow']);
    });

    it('answer in order: what came before what can not be read, then that, then nothing', async () => {
      await start();
      const answers = await ask(`${get('slow')}${get('b')}nonsense\r\n\r\n${get('after')}`);
      expect(answers.map(({ status }) => status)).deep.equals([200, 200, 400]);
      expect(asked).deep.equals(['slow', 'b']);
      expect(answers.at(-1)?.head).match(/^connection: close$/im);
    });

    it('do so while the server drains: the first answer is the last', async () => {
      await start();
      const socket = connect(kernel.port, '127.0.0.1');
      await new Promise((resolve) => socket.once('connect', resolve));
      const closing = kernel.close({ drainMs: 1_000 });
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString())).write(get('a') + get('after'));
      await new Promise((resolve) => socket.once('close', resolve));
      expect(answersIn(received).map(({ status }) => status)).deep.equals([200]);
      expect(asked).deep.equals(['a']);
      await closing;
    });

    it('and the errors of the parser have the headers, the body and the log of all others', async () => {
      await start();
      const [known] = await ask(`GET /nowhere HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
      for (const [bytes, status, code] of [
        ['nonsense\r\n\r\n', 400, 'bad_request'],
        [`GET /it/a HTTP/1.1\r\n${host}X: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'headers_too_large'],
        [`POST /echo HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n\r\n`, 400, 'bad_request'],
      ] as const) {
        records.length = 0;
        const [answer, ...more] = await ask(bytes);
        expect([answer?.status, more]).deep.equals([status, []]);
        const lines = (head = '') =>
          head
            .split('\r\n')
            .slice(1)
            .map((line) =>
              line.replace(/^(Date|Content-Length|X-Request-Id|WWW-Authenticate): .*/i, '$1').toLowerCase(),
            )
            .filter((line) => line !== 'www-authenticate')
            .sort();
        expect(lines(answer?.head)).deep.equals(lines(known?.head));
        const body = JSON.parse(answer?.body ?? '') as Record<string, unknown>;
        expect(body).includes({ status, code, docs_url: `https://ris.example/docs/errors/${code}` });
        expect(body['instance']).equals(bytes.startsWith('POST') ? '/echo' : '');
        expect(answer?.head).include(String(body['request_id']));
        expect(records).lengthOf(1).and.property('0').includes({ status, code, request_id: body['request_id'] });
      }
    });

    it('a HEAD that can not be read gets no body', async () => {
      await start();
      const [answer] = await ask(`HEAD /it/a HTTP/1.1\r\n${host}Nonsense\r\n\r\n`);
      expect([answer?.status, answer?.body]).deep.equals([400, '']);
    });
  });

  describe('Host', () => {
    const refused = [
      'Host: x\r\nHost: x\r\n',
      'Host: x\r\nhost: y\r\n',
      'Host: a b\r\n',
      'Host: x/y\r\n',
      'Host: u@x\r\n',
      'Host: x:y\r\n',
      'Host: \r\n',
      'Host: x, y\r\n',
    ];
    for (const lines of refused)
      it(`${JSON.stringify(lines)} → 400`, async () => {
        await start();
        for (const path of ['/it/a', '/openapi.json', '/openapi.json']) {
          const [answer] = await ask(`GET ${path} HTTP/1.1\r\n${lines}${close}\r\n`);
          expect([answer?.status, codeOf(answer!)]).deep.equals([400, 'bad_request']);
        }
        expect(asked).deep.equals([]);
      });
    for (const name of ['x', 'x:', 'x:80', 'ris.example:8080', '127.0.0.1:1', '[::1]', '[::1]:8080', 'a_b-c.%41'])
      it(`${name} is taken`, async () => {
        await start();
        expect(await statuses(`GET /it/a HTTP/1.1\r\nHost: ${name}\r\n${close}\r\n`)).deep.equals([200]);
      });
  });

  describe('Expect: 100-continue', () => {
    const expecting = (more: string) => `POST /echo HTTP/1.1\r\n${json}Expect: 100-continue\r\n${more}`;
    it('is asked to go on where the body is read, and then answered over a connection that stays', async () => {
      await start();
      const answers = await ask(`${expecting('Content-Length: 3\r\n\r\n')}[1]${get('b', close)}`);
      expect(answers.map(({ status }) => status)).deep.equals([100, 200, 200]);
      expect(answers[1]?.body).equals('[1]');
    });
    it('is not asked where it is refused before, and the connection ends, for nobody knows what follows', async () => {
      await start();
      const answers = await ask(`POST /nowhere HTTP/1.1\r\n${json}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`);
      expect(answers.map(({ status }) => status)).deep.equals([401]);
      expect(answers[0]?.head).match(/^connection: close$/im);
    });
  });

  describe('bodies', () => {
    const begin = `POST /echo HTTP/1.1\r\n${json}Content-Length: 60000\r\n\r\n[`;
    /** Sends so many bytes so many times a second, until the end. */
    const drip = async (socket: Socket, bytes: number, times: number) => {
      while (!socket.closed && socket.writable) {
        socket.write(' '.repeat(bytes));
        await sleep(1_000 / times);
      }
    };
    const received = async (socket: Socket) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => {});
      await new Promise((resolve) => socket.once('close', resolve));
      return answersIn(text);
    };
    for (const [what, bytes] of [
      ['that stops', 0],
      ['below the floor', 20],
      ['above the floor, but not within the time for all of it', 200],
    ] as const)
      it(`one ${what} → 408, and the connection is closed`, async () => {
        await start();
        const socket = connect(kernel.port, '127.0.0.1');
        socket.write(begin);
        const dripping = bytes > 0 ? drip(socket, bytes, 10) : undefined;
        const answers = await received(socket);
        await dripping;
        expect(answers.map(({ status }) => status)).deep.equals([408]);
        expect(codeOf(answers[0]!)).equals('request_timeout');
        expect(answers[0]?.head).match(/^connection: close$/im);
        expect(records).lengthOf(1).and.property('0').includes({ operation: 'echo', status: 408 });
      });

    it('a sender who goes leaves nothing behind, not even of a compressed body', async () => {
      // One at a time: whoever left something behind would keep all others waiting.
      const pressure = { maxInFlight: 1, maxEventLoopDelayMs: 60_000, windowMs: 5_000, maxHeapShare: 1 };
      await start({ pressure, turns: { maxInFlightOfOne: 1, maxWaiting: 1_000, maxWaitMs: 60_000 } });
      const zipped = gzipSync('[1]');
      for (const [head, part] of [
        ['', '['],
        ['Content-Encoding: gzip\r\n', zipped.subarray(0, 10).toString('latin1')],
      ]) {
        for (let i = 0; i < 10; i++) {
          const socket = connect(kernel.port, '127.0.0.1').on('error', () => {});
          socket.write(
            `POST /echo HTTP/1.1\r\n${json}${head}Content-Length: ${zipped.length}\r\n\r\n${part}`,
            'latin1',
          );
          await sleep(5);
          socket.destroy();
        }
      }
      await eventually(async () => expect(kernel.inFlight()).equals(0));
      expect(await statuses(post('[1]', close))).deep.equals([200]);
      expect(records.filter(({ status }) => status >= 500)).deep.equals([]);
    });
  });

  describe('of one address', () => {
    const opened: Socket[] = [];
    afterEach(() => opened.splice(0).forEach((socket) => socket.destroy()));
    const openSome = async (count: number, localAddress: string) => {
      const sockets = Array.from({ length: count }, () =>
        connect({ port: kernel.port, host: '127.0.0.1', localAddress }).on('error', () => {}),
      );
      opened.push(...sockets);
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    };

    it('are limited: one more is told so and closed, another address has its own, and closed ones count no more', async () => {
      kernel = await startKernel(routes, {}, { maxConnectionsOfOne: 5 });
      await openSome(5, '127.0.0.2');
      const from = (localAddress: string) => rawRequest(kernel.port, get('a', close), { localAddress });
      const [refusal] = answersIn(await from('127.0.0.2'));
      expect([refusal?.status, codeOf(refusal!)]).deep.equals([503, 'too_many_connections']);
      expect(refusal?.head).match(/^connection: close$/im);
      expect(answersIn(await from('127.0.0.3'))[0]?.status).equals(200);
      // One that says nothing is closed as well.
      const silent = connect({ port: kernel.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      opened.push(silent);
      await new Promise((resolve) => silent.resume().once('close', resolve));
      opened[0]?.destroy();
      await eventually(async () => expect(answersIn(await from('127.0.0.2'))[0]?.status).equals(200));
    });

    it('are of one network where one has more addresses than anybody can count', () => {
      for (const [address, network] of [
        ['192.0.2.1', '192.0.2.1'],
        ['::ffff:192.0.2.1', '192.0.2.1'],
        ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
        ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
        ['2001:db8::1', '2001:db8:0:0::/64'],
        ['::1', '0:0:0:0::/64'],
        ['nonsense', 'nonsense'],
      ] as const)
        expect(ownNetwork(address)).equals(network);
    });
  });
});
