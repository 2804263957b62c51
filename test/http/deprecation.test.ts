import { expect } from 'chai';
import { z } from 'zod';
import { HttpError } from '../../src/http/errors.ts';
import { envelope, pageOf, pageQuery } from '../../src/http/page.ts';
import { problems } from '../../src/http/problems.ts';
import { route } from '../../src/http/route.ts';
import { startKernel } from '../support/kernel.ts';
import type { Kernel } from '../support/kernel.ts';

describe('a route that will end', () => {
  const shared = { method: 'GET', access: 'tenant', product: null, credits: 0, summary: 'A route' } as const;
  const deprecated = {
    since: '2026-12-01T00:00:00Z',
    end: '2027-01-01T00:00:00Z',
    guide: 'https://ris.example/docs/changelog',
  };
  const list = { ...shared, paged: true, query: pageQuery, response: pageOf(z.string()) } as const;
  let kernel: Kernel;
  before(async () => {
    kernel = await startKernel([
      route({
        ...list,
        path: '/old',
        operation_id: 'old',
        deprecated,
        handle: ({ query }) => envelope(['a'], 30, query),
      }),
      route({
        ...shared,
        path: '/failing',
        operation_id: 'failing',
        deprecated,
        response: z.null(),
        handle: () => {
          throw new HttpError(problems.route_not_found);
        },
      }),
      route({ ...list, path: '/new', operation_id: 'new', handle: ({ query }) => envelope(['a'], 30, query) }),
    ]);
  });
  after(() => kernel.close());

  const announced = {
    deprecation: '@1796083200',
    sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
  };

  it('says so with each answer: since when, until when, and where to read on, beside other links', async () => {
    const { status, headers } = await kernel.get('/old');
    expect(status).equals(200);
    expect(headers).includes(announced);
    expect(headers['link']).match(/rel="next".*<https:\/\/ris\.example\/docs\/changelog>; rel="deprecation"$/);
  });

  it('says so with an error, too', async () => {
    const { status, headers } = await kernel.get('/failing');
    expect(status).equals(404);
    expect(headers).includes({ ...announced, link: '<https://ris.example/docs/changelog>; rel="deprecation"' });
  });

  it('is marked in the document; others say nothing', async () => {
    const { json } = await kernel.get('/openapi.json');
    const paths = json['paths'] as Record<string, { get: Record<string, unknown> }>;
    expect([paths['/old']?.get['deprecated'], paths['/new']?.get['deprecated']]).deep.equals([true, undefined]);
    const { headers } = await kernel.get('/new');
    expect(headers).not.any.keys('deprecation', 'sunset');
    expect(headers['link']).not.includes('deprecation');
  });
});
