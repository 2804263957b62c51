import { z } from 'zod';
import { auditCsv, auditLines } from '../auth/audit-files.ts';
import { rolesFor } from '../auth/roles.ts';
import { nextPage } from '../http/page.ts';
import { instant, integer, text } from '../http/query.ts';
import { Reply, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { RelationalStore } from '../stores/relational/port.ts';

const maxEntries = 1_000;

const entrySchema = z
  .object({
    id: z.string(),
    member_id: z.string().nullable().meta({ description: 'Who; null: nobody of the organization.' }),
    member_name: z.string().nullable(),
    key_id: z.string().nullable().meta({ description: 'The API key that they used.' }),
    action: z.string().meta({ description: 'What: `member.removed`, `api_key.created` …' }),
    subject: z.string().meta({ description: 'Id of what was changed.' }),
    details: z.record(z.string(), z.unknown()),
    via: z.enum(['api', 'cli', 'provider']).meta({
      description:
        'From where: a request, the command line of whoever runs the service, an event of a payment provider.',
    }),
    address: z.string().nullable().meta({ description: 'As far as the proxies before the service are believed.' }),
    user_agent: z.string().nullable().meta({ description: 'What the client calls itself.' }),
    occurred_at: z.iso.datetime(),
  })
  .meta({ id: 'AuditEntry' });

const example = {
  id: 'aud_01JD7Z3M2QK8V6T4R9W5X1Y0AM',
  member_id: 'mem_01JD7Z3M2QK8V6T4R9W5X1Y0AC',
  member_name: 'ann',
  key_id: 'key_01JD7Z3M2QK8V6T4R9W5X1Y0AD',
  action: 'member.role_changed',
  subject: 'mem_01JD7Z3M2QK8V6T4R9W5X1Y0AE',
  details: { from: 'viewer', to: 'member' },
  via: 'api',
  address: '203.0.113.7',
  user_agent: 'curl/8.5.0',
  occurred_at: '2026-11-21T11:08:12.345Z',
} as const;

/** `GET /v1/audit-log`: who changed what, when and from where. Nothing changes it. */
export function auditLogRoute(relational: Pick<RelationalStore, 'tenant'>, { baseUrl }: { baseUrl: string }): Route {
  return route({
    product: null,
    credits: 0,
    method: 'GET',
    path: '/v1/audit-log',
    operation_id: 'list_audit_log',
    summary: 'Who changed what, when and from where',
    description:
      'The newest first, by a cursor. As CSV or JSON lines with Accept: text/csv or application/x-ndjson; the next page is in Link.',
    access: rolesFor('list_audit_log'),
    query: {
      cursor: text(1, 64)
        .regex(/^aud_[0-9A-HJKMNP-TV-Z]{26}$/)
        .optional()
        .meta({ description: 'next_cursor of the page before.', examples: [example.id] }),
      limit: integer(1, maxEntries).default(100).meta({ description: 'Entries on a page.' }),
      action: text(1, 64)
        .optional()
        .meta({ description: 'Only changes of this kind.', examples: [example.action] }),
      member: text(1, 64)
        .optional()
        .meta({ description: 'Only those of the member of this id.', examples: [example.member_id] }),
      subject: text(1, 64)
        .optional()
        .meta({ description: 'Only those of what has this id.', examples: [example.subject] }),
      from: instant.optional().meta({ description: 'Not before this time.', examples: ['2026-11-01T00:00:00Z'] }),
      to: instant.optional().meta({ description: 'Before this time.', examples: ['2026-12-01T00:00:00Z'] }),
    },
    produces: ['application/json', 'text/csv', 'application/x-ndjson'],
    responseHeaders: { Link: 'rel next (RFC 8288); absent on the last page.' },
    response: z.object({ items: z.array(entrySchema), next_cursor: z.string().nullable() }),
    example: { items: [example], next_cursor: null },
    handle: async ({ caller, query, request: { accepted } }) => {
      const { cursor = null, limit, member, ...filter } = query;
      // One more tells whether there is a next page.
      const found = await relational.tenant(caller.organization.id, ({ audit }) =>
        audit.page({ ...filter, memberId: member }, { after: cursor, limit: limit + 1 }),
      );
      const items = found.slice(0, limit);
      const next = found.length > limit ? (items.at(-1)?.id ?? null) : null;
      const headers =
        next === null
          ? {}
          : { Link: `<${nextPage(`${baseUrl}/v1/audit-log`, { ...query, cursor: next })}>; rel="next"` };
      if (accepted === 'text/csv')
        return new Reply(Buffer.from(auditCsv(items, { header: cursor === null })), {
          headers,
          type: 'text/csv; charset=utf-8',
        });
      if (accepted === 'application/x-ndjson')
        return new Reply(Buffer.from(auditLines(items)), { headers, type: 'application/x-ndjson' });
      return new Reply({ items, next_cursor: next }, { headers });
    },
  });
}
