import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { z } from 'zod';
import { pageOf, pageQuery } from '../../src/http/page.ts';
import { problems } from '../../src/http/problems.ts';
import { list } from '../../src/http/query.ts';
import { route } from '../../src/http/route.ts';
import type { Kernel } from '../support/kernel.ts';
import { startKernel } from '../support/kernel.ts';

const gone = { status: 410, code: 'thing_gone', title: 'Gone <b>', meaning: 'It was there & is not "now".' };
const routes = [
  route({
    method: 'GET',
    path: '/api/things/{name}',
    operation_id: 'things',
    summary: 'Things',
    access: 'tenant',
    product: 'things',
    credits: 4,
    errors: [gone],
    paged: true,
    params: { name: z.string().meta({ description: 'Its name.' }) },
    query: {
      ...pageQuery,
      colours: list(z.enum(['red', 'blue']))
        .optional()
        .meta({ description: 'Only these.' }),
    },
    response: pageOf(z.string().nullable()),
    handle: () => ({ items: [], total: 0, page: 1, page_size: 1, total_pages: 0 }),
  }),
];

interface Operation {
  parameters: { name: string; in: string; required: boolean; schema: object; description?: string }[];
  responses: Record<string, { content?: Record<string, { schema?: object; examples?: object }> }>;
}

describe('http: documentation', () => {
  let kernel: Kernel;
  before(async () => (kernel = await startKernel(routes)));
  after(() => kernel.close());

  it('openapi.json is a valid OpenAPI 3.1 document, open to all', async () => {
    const { status, json } = await kernel.send('/openapi.json');
    expect(status).equals(200);
    expect(json['openapi']).equals('3.1.0');
    const result = await new Validator().validate(json);
    expect(result.errors ?? []).deep.equals([]);
    expect(result.valid).equals(true);
  });

  it('it says of each parameter what the kernel enforces', async () => {
    const { json } = await kernel.send('/openapi.json');
    const operation = (json['paths'] as Record<string, { get: Operation }>)['/api/things/{name}']!.get;
    expect(operation.parameters).deep.equals([
      {
        name: 'name',
        in: 'path',
        required: true,
        description: 'Its name.',
        schema: { type: 'string', minLength: 1, pattern: '^[^\\u0000-\\u001f\\u007f]+$' },
      },
      {
        name: 'page',
        in: 'query',
        required: false,
        description: 'From 1; page * page_size is at most 10000.',
        schema: { type: 'integer', minimum: 1, maximum: 10_000, 'x-page-window': 10_000, default: 1 },
      },
      {
        name: 'page_size',
        in: 'query',
        required: false,
        description: 'Items on a page.',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      {
        name: 'colours',
        in: 'query',
        required: false,
        style: 'form',
        explode: false,
        description: 'Only these.',
        schema: { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string', enum: ['red', 'blue'] } },
      },
    ]);
    expect(operation).deep.includes({ 'x-credits-per-call': 4, tags: ['things'], operationId: 'things' });
    expect(Object.keys(operation.responses['410']?.content?.['application/problem+json']?.examples ?? {})).deep.equals([
      'thing_gone',
    ]);
    expect(operation.responses).includes.keys('200', '304', '401', '422', '429', '500', '503');
  });

  it('every docs_url leads to a page, for each code of the kernel and of the routes', async () => {
    const pages = ['/docs', '/docs/authentication', '/docs/rate-limits'];
    for (const { code } of [...Object.values(problems), gone]) pages.push(`/docs/errors/${code}`);
    for (const page of pages) {
      const { status, headers, text } = await kernel.send(page, { headers: { accept: 'text/html,*/*;q=0.8' } });
      expect([page, status, headers['content-type']]).deep.equals([page, 200, 'text/html; charset=utf-8']);
      expect(headers['content-security-policy']).match(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /);
      expect(text).include('<h1>');
    }
    expect((await kernel.send('/docs/errors/nonsense')).status).equals(404);
  });

  it('pages say what is meant, not what it would do as HTML', async () => {
    const { text } = await kernel.send('/docs/errors/thing_gone');
    expect(text).include('Gone &lt;b&gt;').and.include('It was there &amp; is not &quot;now&quot;.');
  });
});
