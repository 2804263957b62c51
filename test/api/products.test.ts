import { expect } from 'chai';
import { describeService } from '../support/service.ts';

interface Endpoint {
  method: string;
  path: string;
  operation_id: string;
  credits_per_call: number;
  parameters: string[];
}

describeService('GET /v1/products/{slug}', (service) => {
  const slugs = async (status: string) => {
    const { json } = await service().send(`/v1/catalog?status=${status}`);
    return (json['items'] as { slug: string }[]).map(({ slug }) => slug);
  };
  const endpoints = async (slug: string) =>
    (await service().send(`/v1/products/${slug}`)).json['endpoints'] as Endpoint[];

  describe('200', () => {
    it('says how a live product is called, limited and counted', async () => {
      const { status, json } = await service().send('/v1/products/code-search');
      const { endpoints, ...product } = json;
      expect(status).equals(200);
      expect(product).deep.includes({
        slug: 'code-search',
        name: 'Code search',
        category: 'graph-and-search',
        status: 'live',
        docs_url: 'https://ris.example/docs/products/code-search',
        openapi_url: 'https://ris.example/openapi.json?tag=code-search',
        released_at: '2026-11-21T00:00:00.000Z',
        authentication: { type: 'bearer', docs_url: 'https://ris.example/docs/authentication' },
        metering: { meter: 'api_calls', unit: 'call', billing_mode: 'shadow' },
      });
      expect(endpoints).deep.equals([
        {
          method: 'GET',
          path: '/api/search',
          summary: 'Search repositories, functions, classes, declared names, files, people and commits',
          operation_id: 'search',
          credits_per_call: 1,
          parameters: [
            'q',
            'page',
            'page_size',
            'cursor',
            'fields',
            'sort',
            'order',
            'type',
            'kind',
            'repo',
            'language',
            'path',
            'framework',
            'license',
            'topic',
            'min_score',
            'facets',
          ],
        },
        {
          method: 'GET',
          path: '/api/search/suggest',
          summary: 'Complete what is typed into the search box',
          operation_id: 'suggest',
          credits_per_call: 0,
          parameters: ['q', 'limit'],
        },
        {
          method: 'GET',
          path: '/api/export/documents',
          summary: 'All that search finds of one repository',
          operation_id: 'export_documents',
          credits_per_call: 5,
          parameters: ['repo', 'cursor', 'limit'],
        },
        {
          method: 'GET',
          path: '/api/search/text',
          summary: 'Search the text of the code',
          operation_id: 'search_text',
          credits_per_call: 1,
          parameters: ['q', 'page', 'page_size', 'cursor', 'fields'],
        },
        {
          method: 'GET',
          path: '/api/source/{repository}',
          summary: 'Read the source',
          operation_id: 'read_source',
          credits_per_call: 1,
          parameters: ['repository', 'path', 'lines', 'symbol'],
        },
        {
          method: 'GET',
          path: '/api/source/{repository}/history',
          summary: 'Who wrote these lines, and when',
          operation_id: 'read_source_history',
          credits_per_call: 1,
          parameters: ['repository', 'path', 'lines', 'symbol'],
        },
      ]);
    });

    it('names the parameters of the path, too', async () => {
      const found = (await endpoints('code-graph')).find(({ path }) => path === '/api/graph/neighbors/{name}');
      expect(found?.parameters).deep.equals([
        'name',
        'node_types',
        'edge_types',
        'min_confidence',
        'direction',
        'level',
        'node',
        'page',
        'page_size',
      ]);
    });

    it('every route under /api belongs to exactly one live product, and costs what its product says', async () => {
      const { json } = await service().send('/openapi.json');
      const routed = Object.entries(json['paths'] as Record<string, Record<string, Record<string, unknown>>>)
        .filter(([path]) => path.startsWith('/api/'))
        .flatMap(([path, methods]) =>
          Object.entries(methods).map(([method, operation]) => ({
            call: `${method.toUpperCase()} ${path}`,
            credits: operation['x-credits-per-call'],
          })),
        );
      const offered = (await Promise.all((await slugs('live')).map(endpoints))).flat();
      expect(routed).not.deep.equals([]);
      expect(
        offered.map(({ method, path, credits_per_call }) => ({ call: `${method} ${path}`, credits: credits_per_call })),
      ).deep.members(routed);
    });

    it('may be kept by caches and read by pages of any origin', async () => {
      const { headers } = await service().send('/v1/products/code-search');
      expect(headers).includes({ 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' });
      expect(headers.etag).match(/^W\//);
    });
  });

  describe('404', () => {
    for (const slug of ['unknown', 'Code-Search', 'code_search', '-', 'x'.repeat(2_000), '%F0%9F%98%80', 'constructor'])
      it(slug.slice(0, 30), async () => {
        const { status, json } = await service().send(`/v1/products/${slug}`);
        expect([status, json['code']]).deep.equals([404, 'product_not_found']);
      });
  });

  describe('501', () => {
    it('of each product that is to come, with where its waitlist is', async () => {
      const coming = await slugs('coming-soon');
      expect(coming).lengthOf(10);
      for (const slug of coming) {
        const { status, headers, json } = await service().send(`/v1/products/${slug}`);
        expect([status, headers['content-type'], headers['cache-control'], headers['retry-after']]).deep.equals([
          501,
          'application/problem+json',
          'no-store',
          undefined,
        ]);
        expect(json).includes({
          type: 'https://ris.example/docs/errors/product_coming_soon',
          status: 501,
          instance: `/v1/products/${slug}`,
          code: 'product_coming_soon',
          slug,
          product_status: 'coming-soon',
          waitlist_url: `https://ris.example/waitlist/${slug}`,
          docs_url: `https://ris.example/docs/products/${slug}`,
        });
        expect(json).includes.keys('name', 'summary', 'detail', 'request_id');
      }
    });

    it('the waitlist is a page for people, as long as no web site has it', async () => {
      for (const slug of await slugs('coming-soon')) {
        const { status, headers, text } = await service().send(`/waitlist/${slug}`);
        expect([slug, status, headers['content-type']]).deep.equals([slug, 200, 'text/html; charset=utf-8']);
        expect(text).includes('coming soon').and.includes('href="https://ris.example/docs/changelog"');
      }
      expect((await service().send('/waitlist/code-search')).text).includes('It is live');
      expect((await service().send('/waitlist/unknown')).status).equals(404);
    });
  });
});
