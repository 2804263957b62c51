import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { z } from 'zod';
import { route } from '../../src/http/route.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const echo = route({
  method: 'POST',
  path: '/echo',
  operation_id: 'echo',
  summary: 'Echo',
  access: 'public',
  product: null,
  credits: 0,
  body: z.json(),
  response: z.json(),
  handle: ({ body }) => body,
});
const strict = route({
  method: 'POST',
  path: '/strict',
  operation_id: 'strict',
  summary: 'Strict',
  access: 'public',
  product: null,
  credits: 0,
  body: z.strictObject({ name: z.string().max(3), deep: z.object({ list: z.array(z.int()) }).optional() }),
  response: z.json(),
  handle: ({ body }) => body as z.infer<ReturnType<typeof z.json>>,
});

describe('http: body', () => {
  let kernel: Kernel;
  before(async () => (kernel = await startKernel([echo, strict])));
  after(() => kernel.close());

  const post = (path: string, body: string | Buffer, headers = {}) =>
    kernel.send(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

  for (const text of ['{"a":[1,null,"ü 😀"]}', '[]', '"text"', '0', 'null', 'false'])
    it(`${text} is read as it is`, async () => {
      const { status, text: answer } = await post('/echo', text);
      expect([status, answer]).deep.equals([200, text]);
    });

  it('charset=utf-8 and a compressed body are read', async () => {
    expect((await post('/echo', '[1]', { 'content-type': 'application/json; charset=utf-8' })).text).equals('[1]');
    expect((await post('/echo', gzipSync('[2]'), { 'content-encoding': 'gzip' })).text).equals('[2]');
  });

  const refused: [string, string | Buffer, object, number, string][] = [
    ['nothing', '', {}, 422, 'validation_error'],
    ['half an object', '{"a":', {}, 400, 'malformed_json'],
    ['a form', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
    ['no type', '{}', { 'content-type': '' }, 415, 'unsupported_media_type'],
    ['an unknown encoding', '{}', { 'content-encoding': 'rot13' }, 415, 'unsupported_media_type'],
    ['bytes that are no gzip', '{}', { 'content-encoding': 'gzip' }, 400, 'malformed_json'],
    ['64 KiB and one byte', `"${'x'.repeat(64 * 1024 - 1)}"`, {}, 413, 'payload_too_large'],
    [
      'a small body that unpacks to 50 MB',
      gzipSync(Buffer.alloc(50e6, 32)),
      { 'content-encoding': 'gzip' },
      413,
      'payload_too_large',
    ],
    ['10000 nested lists', '['.repeat(10_000) + ']'.repeat(10_000), {}, 422, 'validation_error'],
    ['a __proto__', '{"a":{"__proto__":{"admin":true}}}', {}, 400, 'malformed_json'],
    ['a constructor', '[{"constructor":1}]', {}, 422, 'validation_error'],
  ];
  for (const [what, body, headers, status, code] of refused)
    it(`${what} → ${status} ${code}`, async () => {
      const answer = await post('/echo', body, headers);
      expect([answer.status, answer.json['code']]).deep.equals([status, code]);
    });

  it('a body without end is cut off at the limit, not collected', async () => {
    const before = process.memoryUsage().rss;
    let sent = 0;
    const status = await new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          port: kernel.port,
          path: '/echo',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          agent: false,
        },
        (response) => {
          resolve(response.statusCode);
          outgoing.destroy();
        },
      );
      outgoing.on('error', reject);
      const chunk = Buffer.alloc(64 * 1024, 32);
      const push = () => {
        while (!outgoing.destroyed && sent < 1e9) {
          sent += chunk.length;
          if (!outgoing.write(chunk)) return outgoing.once('drain', push);
        }
        return outgoing.end();
      };
      push();
    });
    expect(status).equals(413);
    expect(sent).below(100e6);
    expect(process.memoryUsage().rss - before).below(100e6);
  });

  it('each wrong field is named by its JSON pointer', async () => {
    const { json } = await post('/strict', '{"name":"long","deep":{"list":[1,"x"]},"more":1}');
    expect(json['code']).equals('unknown_parameter');
    expect(
      (json['errors'] as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code]),
    ).deep.members([
      ['#/name', 'too_long'],
      ['#/deep/list/1', 'wrong_type'],
      ['#/', 'unknown'],
    ]);
  });
});
