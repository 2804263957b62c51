import { z } from 'zod';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import { Reply, route } from '../http/route.ts';
import { changelogEntries } from './changelog-entries.ts';
import type { ChangelogEntry } from './changelog-entries.ts';

const entrySchema = z
  .object({
    id: z.string(),
    date: z.iso.date(),
    type: z.enum(['added', 'changed', 'deprecated', 'removed', 'fixed', 'security']),
    breaking: z.boolean().meta({ description: 'Announced at least 14 days before effective_at.' }),
    effective_at: z.iso.datetime(),
    products: z.array(z.string()),
    title: z.string(),
    body: z.string().meta({ description: 'Markdown.' }),
  })
  .meta({ id: 'ChangelogEntry' });

/** `GET /v1/changelog`: what changes for callers, before it does; as JSON or as Markdown. */
export function changelogRoute() {
  return route({
    method: 'GET',
    path: '/v1/changelog',
    operation_id: 'list_changes',
    summary: 'What changed, and what will',
    description: 'The newest first. A breaking change is announced here at least 14 days before it takes effect.',
    access: 'public',
    product: null,
    credits: 0,
    cors: true,
    paged: true,
    produces: ['application/json', 'text/markdown'],
    query: pageQuery,
    response: pageOf(entrySchema),
    example: {
      items: [
        {
          id: '2026-11-21-public-beta',
          date: '2026-11-21',
          type: 'added',
          breaking: false,
          effective_at: '2026-11-21T00:00:00.000Z',
          products: ['code-graph', 'code-search'],
          title: 'Public beta',
          body: 'Two products are live.',
        },
      ],
      total: 1,
      page: 1,
      page_size: 20,
      total_pages: 1,
    },
    handle: ({ query, request }) => {
      const { offset, limit } = pageWindow(query);
      const entries = changelogEntries.slice(offset, offset + limit);
      return request.accepted === 'text/markdown'
        ? new Reply(Buffer.from(`# Changelog\n\n${changelogMarkdown(entries)}`), {
            type: 'text/markdown; charset=utf-8',
          })
        : envelope(entries, changelogEntries.length, query);
    },
  });
}

/** The entries as sections of Markdown. */
export function changelogMarkdown(entries: readonly ChangelogEntry[]): string {
  const sections = entries.map(({ date, title, type, breaking, effective_at, products, body }) =>
    [
      `## ${date} ${title}`,
      '',
      `${breaking ? '**Breaking.** ' : ''}${type}, in effect from ${effective_at}; ${products.join(', ') || 'all products'}`,
      '',
      body,
      '',
    ].join('\n'),
  );
  return sections.join('\n');
}
