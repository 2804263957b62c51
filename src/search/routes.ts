import { z } from 'zod';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import { decimal, list, text } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { nodeTypeSchema } from '../model/graph.ts';
import { searchDocumentSchema } from '../model/search-document.ts';
import type { SearchHit, SearchStore } from '../stores/search/port.ts';

const itemSchema = searchDocumentSchema
  .pick({
    id: true,
    type: true,
    name: true,
    qualified_name: true,
    repository: true,
    path: true,
    line: true,
    kind: true,
    language: true,
    signature: true,
    doc: true,
  })
  .extend({
    score: z
      .number()
      .min(0)
      .max(100)
      .meta({ description: 'Composite: the text, and what the graph knows of the item.' }),
    relevance: z.number().min(0).max(100).meta({ description: 'Of the text alone.' }),
  });

/** The routes of code search. */
export function searchRoutes(search: SearchStore): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/search',
      operation_id: 'search',
      summary: 'Search repositories, functions, classes and people',
      description:
        'Full text over names and properties, best first. Part of a name, another spelling or a prefix is enough.',
      access: 'tenant',
      product: 'code-search',
      credits: 1,
      limit: 'search',
      paged: true,
      query: {
        q: text(0, 256)
          .default('')
          .meta({ description: 'What to look for; empty finds everything.', examples: ['parse url'] }),
        ...pageQuery,
        sort: z.enum(['composite_score', 'relevance', 'name']).default('composite_score'),
        order: z.enum(['desc', 'asc']).default('desc').meta({ description: 'Equal items are ordered by name.' }),
        type: list(nodeTypeSchema).optional().meta({ description: 'Only items of these types.' }),
        repo: list(text(1, 256)).optional().meta({ description: 'Only items of these repositories.' }),
        language: list(text(1, 64)).optional().meta({ description: 'Only items in these languages.' }),
        min_score: decimal(0, 100).optional().meta({ description: 'Only items with at least this composite score.' }),
      },
      response: pageOf(itemSchema),
      example: {
        items: [
          {
            id: 'payments-api/src/url.ts#parseUrl',
            type: 'Function',
            name: 'parseUrl',
            qualified_name: 'parseUrl',
            repository: 'payments-api',
            path: 'src/url.ts',
            line: 12,
            kind: 'function',
            language: 'TypeScript',
            signature: 'parseUrl(text: string): URL | null',
            doc: 'Parses an absolute URL; null when it is none.',
            score: 91.4,
            relevance: 97.2,
          },
        ],
        total: 1,
        page: 1,
        page_size: 20,
        total_pages: 1,
      },
      handle: async ({ query }) => {
        const { hits, total } = await search.search({
          text: query.q,
          ...(query.type === undefined ? {} : { types: query.type }),
          ...(query.repo === undefined ? {} : { repositories: query.repo }),
          ...(query.language === undefined ? {} : { languages: query.language }),
          ...(query.min_score === undefined ? {} : { minScore: query.min_score }),
          sort: query.sort,
          order: query.order,
          ...pageWindow(query),
        });
        return envelope(hits.map(itemOf), total, query);
      },
    }),
  ];
}

function itemOf({ document, score, relevance }: SearchHit): z.infer<typeof itemSchema> {
  const { id, type, name, qualified_name, repository, path, line, kind, language, signature, doc } = document;
  return { id, type, name, qualified_name, repository, path, line, kind, language, signature, doc, score, relevance };
}
