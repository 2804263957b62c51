import fc from 'fast-check';
import { expect } from 'chai';
import { z } from 'zod';
import { pageQuery } from '../../src/http/page.ts';
import { list, text } from '../../src/http/query.ts';
import { route } from '../../src/http/route.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const echo = {
  summary: 'Echo',
  access: 'tenant',
  credits: 1,
  params: { name: z.string() },
  query: { ...pageQuery, q: text(0, 20).default(''), tags: list(text(1, 5)).optional() },
} as const;
const routes = [
  route({
    ...echo,
    method: 'GET',
    path: '/api/echo/{name}',
    operation_id: 'echo',
    product: 'echo',
    response: z.object({ name: z.string(), q: z.string() }),
    handle: ({ params, query }) => ({ name: params.name, q: query.q }),
  }),
  route({
    ...echo,
    method: 'POST',
    path: '/v1/echo/{name}',
    operation_id: 'post_echo',
    product: null,
    body: z.json(),
    response: z.json(),
    handle: ({ body }) => body,
  }),
];

const characters = (min: number, max: number) =>
  fc.string({
    unit: fc
      .integer({ min, max })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
  });
/** Mostly harmless, so that requests get past the door; the client sends only what a line of HTTP can hold. */
const segment = fc.oneof(
  { weight: 4, arbitrary: characters(0x61, 0x7a) },
  { weight: 1, arbitrary: characters(0x21, 0xff) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('%00', '%', '%E0%A4%A', '%2F', '%2e%2e', '%0d%0a', '..', '//', ';', '%F0%9F%98%80', '&'),
  },
);
const path = fc
  .tuple(
    fc.constantFrom('/api/echo/', '/v1/echo/', '/api/echo/x', '/v1/echo/x', '/docs/errors/', '/'),
    fc.array(segment, { maxLength: 3 }),
  )
  .map(([start, rest]) => start + rest.join(''));
const parameter = fc.oneof(
  fc.tuple(fc.constant('page'), fc.integer({ min: -1, max: 200 }).map(String)),
  fc.tuple(fc.constantFrom('q', 'tags'), fc.string({ maxLength: 5, unit: 'binary' })),
  fc.tuple(fc.constantFrom('page_size', 'tags', '__proto__', 'constructor', 'q'), fc.string({ unit: 'binary' })),
);
const query = fc
  .array(parameter, { maxLength: 3 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`));
const headers = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'content-type',
    'content-encoding',
    'if-none-match',
    'x-api-version',
    'x-request-id',
    'host',
    'range',
    'cookie',
    'x-forwarded-for',
    'x-http-method-override',
  ),
  fc.oneof(fc.constantFrom('*/*', 'gzip', 'application/json', '*', '2026-11-21', 'DELETE', ''), characters(0x20, 0xff)),
  { maxKeys: 3 },
);
const method = fc.oneof(
  fc.constantFrom('GET', 'POST'),
  fc.constantFrom('PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'),
);
const body = fc.option(fc.oneof(fc.json(), fc.string()), { nil: undefined });
const bearer = fc.oneof(fc.constant('Bearer anna'), fc.constantFrom('Bearer nobody', 'nonsense', undefined));

describe('http: any request', () => {
  let kernel: Kernel;
  before(async () => (kernel = await startKernel(routes)));
  after(() => kernel.close());

  it('is answered without a 5xx; what is refused is a problem with an id', async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(
        method,
        path,
        query,
        headers,
        bearer,
        body,
        async (method, path, query, headers, bearer, body) => {
          const answer = await kernel.send(path + query, {
            method,
            headers: { ...headers, ...(bearer === undefined ? {} : { authorization: bearer }) },
            ...(body === undefined || method === 'TRACE' ? {} : { body }),
          });
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          expect(answer.status).below(500);
          if (answer.status < 400 || method === 'HEAD') return;
          expect(answer.headers['content-type']).equals('application/problem+json');
          expect(answer.json).includes({ status: answer.status }).and.property('request_id').matches(/^req_/);
        },
      ),
      { numRuns: 1_500 },
    );
    // It is no fuzz if it never gets past the door.
    expect([...statuses.keys()]).includes.members([200, 400, 401, 404, 405, 422]);
    expect(kernel.reported).deep.equals([]);
  });
});
