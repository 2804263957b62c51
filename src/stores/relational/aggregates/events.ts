import { sql } from 'kysely';
import { ulid } from 'ulid';
import type { EventData, EventType } from '../../../model/event.ts';
import type { Database } from '../database.ts';

/** Something that happened in an organization. */
export interface LoggedEvent {
  id: string;
  /** From 1, without gaps. */
  sequence: number;
  type: EventType;
  /** Id or name of what it is about. */
  subject: string;
  data: Record<string, unknown>;
  /** RFC 3339, UTC. */
  occurred_at: string;
}

/**
 * What happened in an organization. Promises: an event is there when what it tells is true, and once, whoever is killed; events are
 * seen in the order of their numbers, and none appears behind one that has been seen.
 */
export interface Events {
  /** So many behind this number, the oldest first; `repositories`: only what tells of these. */
  page(query: {
    after: number;
    limit: number;
    types?: readonly EventType[] | undefined;
    repositories?: readonly string[] | undefined;
  }): Promise<LoggedEvent[]>;
  /** How many there are behind this number, narrowed likewise. */
  count(query: { after: number; repositories?: readonly string[] | undefined }): Promise<number>;
}

/** One organization's events over any engine. */
export function events(database: Database, organizationId: string): Events {
  const behind = ({ after, repositories }: Parameters<Events['count']>[0]) =>
    database
      .selectFrom('event')
      .where('organization_id', '=', organizationId)
      .where('sequence', '>', after)
      .$if(repositories !== undefined, (query) =>
        query.where(sql<boolean>`tells_of = ANY(${repositories ?? []}::text[])`),
      );
  return {
    page: ({ after, limit, types, repositories }) =>
      behind({ after, repositories })
        .select(['id', 'sequence', 'type', 'subject', 'data', 'occurred_at'])
        .$if(types !== undefined, (query) => query.where('type', 'in', types ?? []))
        .orderBy('sequence')
        .limit(limit)
        .execute(),

    async count(query) {
      const { count } = await behind(query)
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

/** Writes down that something happened, in the transaction that makes it true. It holds up other events of the organization. */
export async function tell<Type extends EventType>(
  transaction: Database,
  event: { organizationId: string; type: Type; subject: string; tellsOf?: string; data: EventData[Type] },
): Promise<void> {
  const { organizationId, type, subject, tellsOf = null, data } = event;
  const id = `evt_${ulid()}`;
  const { last } = await transaction
    .insertInto('event_head')
    .values({ organization_id: organizationId, last: 1 })
    .onConflict((conflict) =>
      conflict.column('organization_id').doUpdateSet({ last: sql<number>`event_head.last + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('event')
    .values({
      organization_id: organizationId,
      sequence: last,
      id,
      type,
      subject,
      tells_of: tellsOf,
      data: JSON.stringify(data),
      occurred_at: sql<string>`clock_timestamp()`,
    })
    .execute();
  await send(transaction, { organizationId, type, id });
}

/** Has an event be delivered to the endpoints that want it. */
async function send(
  transaction: Database,
  { organizationId, type, id }: { organizationId: string; type: EventType; id: string },
): Promise<void> {
  const endpoints = await transaction
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('disabled_at', 'is', null)
    .where(sql<boolean>`(types IS NULL OR ${type} = ANY(types))`)
    // None is removed before there is something on its way to it.
    .forKeyShare()
    .execute();
  if (endpoints.length === 0) return;
  await transaction
    .insertInto('webhook_delivery')
    .values(
      endpoints.map((endpoint) => ({
        id: `whd_${ulid()}`,
        organization_id: organizationId,
        endpoint_id: endpoint.id,
        event_id: id,
      })),
    )
    .execute();
}

/** The same of a repository, by its key, to whoever owns it, who has a name for it; nobody is told of one that is nobody's. */
export async function tellOwner<
  Type extends
    | 'repository.loaded'
    | 'repository.failed'
    | 'grade.changed'
    | 'findings.appeared'
    | 'findings.gone'
    | 'edges.changed',
>(
  transaction: Database,
  key: string,
  event: { type: Type; data: Told<Type> | ((name: string) => Told<Type>) },
): Promise<void> {
  const owned = await transaction
    .selectFrom('repository')
    .select(['organization_id', 'name'])
    .where('key', '=', key)
    .executeTakeFirst();
  if (!owned) return;
  const { organization_id: organizationId, name } = owned;
  const told = typeof event.data === 'function' ? event.data(name) : event.data;
  const data = { repository: name, ...told } as unknown as EventData[Type];
  await tell(transaction, { organizationId, type: event.type, subject: name, tellsOf: name, data });
}

type Told<Type extends EventType> = Omit<EventData[Type], 'repository'>;
