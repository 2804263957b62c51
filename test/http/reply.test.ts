import { request as httpRequest } from 'node:http';
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { Reply, route } from '../../src/http/route.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const shared = { access: 'tenant', product: null, credits: 0, summary: 'A thing' } as const;
const thing = z.object({ text: z.string() });
const long = { text: 'x'.repeat(5_000) };
const bytes = Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0x80]);
const types = ['application/cloudevents+json', 'application/cloudevents-batch+json', 'application/json'];
const routes = [
  route({
    ...shared,
    method: 'POST',
    path: '/v1/things',
    operation_id: 'create',
    status: 201,
    secret: true,
    responseHeaders: { Location: 'The thing.' },
    response: thing.extend({ id: z.string() }),
    handle: () => new Reply({ ...long, id: '1' }, { headers: { Location: '/v1/things/1' } }),
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/v1/things/{thing_id}/rename',
    operation_id: 'rename',
    params: { thing_id: z.string() },
    response: z.null(),
    handle: () => null,
  }),
  route({
    ...shared,
    method: 'POST',
    path: '/v1/jobs',
    operation_id: 'start',
    status: 202,
    response: thing,
    handle: () => long,
  }),
  route({
    ...shared,
    method: 'DELETE',
    path: '/v1/things/1',
    operation_id: 'remove',
    status: 204,
    response: z.null(),
    handle: () => null,
  }),
  route({
    ...shared,
    method: 'GET',
    path: '/v1/things/1',
    operation_id: 'read',
    produces: ['application/octet-stream', 'application/json'],
    response: z.unknown(),
    handle: () =>
      new Reply(bytes, { type: 'application/octet-stream', headers: { 'Content-Disposition': 'attachment' } }),
  }),
  route({
    ...shared,
    method: 'PUT',
    path: '/v1/things/1',
    operation_id: 'replace',
    response: thing,
    handle: ({ request }) => new Reply({ text: request.id }, { status: 201, headers: { 'X-Twice': 'no' } }),
  }),
  route({
    ...shared,
    access: 'public',
    method: 'POST',
    path: '/v1/hook',
    operation_id: 'hook',
    raw: true,
    bodyLimit: 1_000,
    response: z.object({ sha256: z.string(), type: z.string().nullable() }),
    handle: ({ body, request }) => ({
      sha256: createHash('sha256')
        .update(body as unknown as Buffer)
        .digest('hex'),
      type: request.contentType,
    }),
  }),
  route({
    ...shared,
    access: 'public',
    method: 'POST',
    path: '/v1/events',
    operation_id: 'events',
    consumes: types,
    body: z.json(),
    response: z.json(),
    handle: ({ body, request }) => [body, request.contentType],
  }),
];

describe('http: replies', () => {
  let kernel: Kernel;
  before(async () => (kernel = await startKernel(routes)));
  after(() => kernel.close());

  const send = (method: string, path: string, headers = {}, body?: string | Buffer) =>
    kernel.send(path, {
      method,
      headers: { authorization: 'Bearer anna', ...headers },
      ...(body === undefined ? {} : { body }),
    });

  it('have the status that the route declares, or their own', async () => {
    const answers = await Promise.all([
      send('POST', '/v1/things'),
      send('POST', '/v1/jobs'),
      send('DELETE', '/v1/things/1'),
      send('PUT', '/v1/things/1'),
    ]);
    expect(answers.map(({ status }) => status)).deep.equals([201, 202, 204, 201]);
    const [created, , removed, replaced] = answers;
    expect(created?.headers.location).equals('/v1/things/1');
    expect([removed?.text, removed?.headers['content-type'], removed?.headers['content-length']]).deep.equals([
      '',
      undefined,
      undefined,
    ]);
    expect(replaced?.json['text']).equals(replaced?.headers['x-request-id']);
    expect(replaced?.headers['x-twice']).equals('no');
  });

  it('that hold a secret are neither compressed nor kept; others may be compressed', async () => {
    const [secret, other] = await Promise.all([
      send('POST', '/v1/things', { 'accept-encoding': 'gzip' }),
      send('POST', '/v1/jobs', { 'accept-encoding': 'gzip' }),
    ]);
    expect([secret?.headers['content-encoding'], secret?.headers['cache-control'], secret?.headers.etag]).deep.equals([
      undefined,
      'no-store',
      undefined,
    ]);
    expect(secret?.json).deep.equals({ ...long, id: '1' });
    expect(other?.headers['content-encoding']).equals('gzip');
  });

  it('can be bytes of another type, as they are', async () => {
    const received = await new Promise<Buffer>((resolve, reject) => {
      const headers = { authorization: 'Bearer anna' };
      httpRequest({ port: kernel.port, path: '/v1/things/1', headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks)));
        expect(response.headers).includes({
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment',
          'content-length': '5',
        });
      })
        .on('error', reject)
        .end();
    });
    expect(received.equals(bytes)).equals(true);
  });

  it('that make a thing link to what can be done with it', async () => {
    const { paths } = (await send('GET', '/openapi.json')).json as {
      paths: Record<string, Record<string, { responses: Record<string, { links?: object }> }>>;
    };
    expect(paths['/v1/things']?.['post']?.responses['201']?.links).deep.equals({
      rename: { operationId: 'rename', parameters: { thing_id: '$response.body#/id' } },
    });
    expect(paths['/v1/jobs']?.['post']?.responses['202']).not.property('links');
  });

  it('are in the document with their statuses, headers and media types', async () => {
    const { paths } = (await send('GET', '/openapi.json')).json as {
      paths: Record<string, Record<string, { responses: Record<string, { headers: object; content?: object }> }>>;
    };
    const created = paths['/v1/things']?.['post']?.responses['201'];
    expect(created?.headers).property('Location');
    expect(Object.keys(paths['/v1/jobs']?.['post']?.responses ?? {}))
      .includes('202')
      .and.not.include('200');
    expect(paths['/v1/things/1']?.['delete']?.responses['204']).not.property('content');
    expect(paths['/v1/things/1']?.['get']?.responses['200']?.content).keys(
      'application/octet-stream',
      'application/json',
    );
  });
});

describe('http: bodies of other types', () => {
  let kernel: Kernel;
  before(async () => (kernel = await startKernel(routes)));
  after(() => kernel.close());

  const post = (path: string, type: string, body: string | Buffer) =>
    kernel.send(path, { method: 'POST', headers: type === '' ? {} : { 'content-type': type }, body });
  const sha256 = (of: Buffer) => createHash('sha256').update(of).digest('hex');

  for (const type of ['application/json; charset=latin1', 'text/plain', 'nonsense', ''])
    it(`bytes of type "${type}" come as they were sent`, async () => {
      const { status, json } = await post('/v1/hook', type, bytes);
      expect([status, json['sha256']]).deep.equals([200, sha256(bytes)]);
    });

  it('broken JSON is bytes like any other, and so is nothing', async () => {
    expect((await post('/v1/hook', 'application/json', '{"__proto__":')).json['sha256']).equals(
      sha256(Buffer.from('{"__proto__":')),
    );
    expect((await post('/v1/hook', 'application/json', '')).json['sha256']).equals(sha256(Buffer.alloc(0)));
  });

  it('as many bytes as are allowed are taken, and one more is not', async () => {
    expect((await post('/v1/hook', '', Buffer.alloc(1_000))).status).equals(200);
    const { status, json } = await post('/v1/hook', '', Buffer.alloc(1_001));
    expect([status, json['code']]).deep.equals([413, 'payload_too_large']);
  });

  it('bytes without end are cut off at the limit', async () => {
    let sent = 0;
    const status = await new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        { port: kernel.port, path: '/v1/hook', method: 'POST', agent: false },
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
  });

  it('each type that a route consumes is read as JSON, and another is refused with the list', async () => {
    for (const type of types)
      expect(JSON.parse((await post('/v1/events', `${type}; charset=utf-8`, '{"a":1}')).text)).deep.equals([
        { a: 1 },
        type,
      ]);
    const { status, json, headers } = await post('/v1/events', 'application/xml', '<a/>');
    expect([status, json['code'], headers['accept-post']]).deep.equals([
      415,
      'unsupported_media_type',
      types.join(', '),
    ]);
    expect((await post('/v1/events', types[0]!, '{"__proto__":1}')).status).equals(400);
    expect((await post('/v1/events', types[1]!, '[{"constructor":1}]')).status).equals(422);
  });
});
