import { sql } from 'kysely';
import { ulid } from 'ulid';
import type { CustomerEvent, StoredCustomerEvent } from '../../../model/usage.ts';
import type { Database } from '../database.ts';

/** The events that one organization tells of itself: one of a source and an id is kept once, as it came first. */
export interface UsageEvents {
  /** All or none. Tells of each, in order, whether it is new, and which it is. */
  append(
    events: readonly CustomerEvent[],
    from: { memberId: string; keyId: string },
  ): Promise<{ id: string; source: string; status: 'accepted' | 'duplicate'; event_id: string }[]>;
  /** The latest first; times are RFC 3339, `from` included and `to` not. */
  list(query: {
    type?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
    offset: number;
    limit: number;
  }): Promise<{ items: StoredCustomerEvent[]; total: number }>;
}

/** One organization's own events over any engine. */
export function usageEvents(database: Database, organizationId: string): UsageEvents {
  return {
    async append(events, { memberId, keyId }) {
      const rows = events.map((event) => ({ ...event, event_id: `evt_${ulid()}` }));
      const column = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
      const data = rows.map((row) => (row.data === undefined ? null : JSON.stringify(row.data)));
      // In one order, so that two requests with the same events wait for each other instead of deadlocking.
      const { rows: added } = await sql<{ event_id: string }>`
        WITH added AS (
          INSERT INTO usage_event (organization_id, source, id, event_id, type, subject, time, datacontenttype, attributes, data, member_id, key_id)
          SELECT ${organizationId}, source, id, event_id, type, subject, time, datacontenttype, attributes, data, ${memberId}, ${keyId} FROM unnest(
            ${column('source')}::text[], ${column('id')}::text[], ${column('event_id')}::text[], ${column('type')}::text[],
            ${column('subject')}::text[], ${column('time')}::timestamptz[], ${column('datacontenttype')}::text[],
            ${rows.map((row) => JSON.stringify(row.attributes))}::json[], ${data}::json[]
          ) WITH ORDINALITY AS event (source, id, event_id, type, subject, time, datacontenttype, attributes, data, position)
          ORDER BY source COLLATE "C", id COLLATE "C", position
          ON CONFLICT (organization_id, source, id) DO NOTHING
          RETURNING event_id
        ), counted AS (
          INSERT INTO usage_event_rollup AS rollup (organization_id, day, member_id, events)
          SELECT ${organizationId}, (now() AT TIME ZONE 'UTC')::date, ${memberId}, count(*) FROM added HAVING count(*) > 0
          ON CONFLICT (organization_id, day, member_id) DO UPDATE SET events = rollup.events + excluded.events
        )
        SELECT event_id FROM added
      `.execute(database);
      const accepted = new Set(added.map(({ event_id }) => event_id));
      const { rows: kept } = await sql<{ source: string; id: string; event_id: string }>`
        SELECT source, id, event_id FROM usage_event
        WHERE organization_id = ${organizationId}
          AND (source, id) IN (SELECT * FROM unnest(${column('source')}::text[], ${column('id')}::text[]))
      `.execute(database);
      const nameOf = ({ source, id }: { source: string; id: string }) => JSON.stringify([source, id]);
      const idOf = new Map(kept.map((row) => [nameOf(row), row.event_id]));
      return rows.map((row) => ({
        id: row.id,
        source: row.source,
        status: accepted.has(row.event_id) ? 'accepted' : 'duplicate',
        event_id: idOf.get(nameOf(row)) ?? row.event_id,
      }));
    },

    async list({ type, from, to, offset, limit }) {
      let own = database.selectFrom('usage_event').where('organization_id', '=', organizationId);
      if (type !== undefined) own = own.where('type', '=', type);
      if (from !== undefined) own = own.where('time', '>=', from);
      if (to !== undefined) own = own.where('time', '<', to);
      const { total } = await own
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const items = await own
        .select([
          'event_id',
          'id',
          'source',
          'type',
          'subject',
          'time',
          'datacontenttype',
          'attributes',
          'data',
          'received_at',
        ])
        .orderBy('time', 'desc')
        .orderBy('event_id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute();
      return { items, total };
    },
  };
}
