import { z } from 'zod';
import { actorOf } from '../auth/actor.ts';
import { rolesFor } from '../auth/roles.ts';
import { HttpError } from '../http/errors.ts';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import type { Problem } from '../http/problems.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { BillingEvent, RelationalStore } from '../stores/relational/port.ts';

const eventNotFound: Problem = {
  status: 404,
  code: 'billing_event_not_found',
  title: 'There is no such event',
  meaning: 'No event of this id is about a checkout of the organization; GET /v1/billing/events lists those.',
};

const eventNotFailed: Problem = {
  status: 409,
  code: 'billing_event_not_failed',
  title: 'The event has not failed',
  meaning: 'Only an event that has failed can be tried again: others were worked off, or wait for it.',
};

const eventSchema = z
  .object({
    provider: z.string(),
    id: z.string().meta({ description: 'The provider and its id of the event, by a colon.' }),
    object: z.literal('billing_event'),
    type: z.string(),
    status: z.enum(['waiting', 'applied', 'ignored', 'failed']),
    attempts: z.int().meta({ description: 'Tries that went wrong, since it came or was last asked for.' }),
    received_at: z.iso.datetime(),
    processed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'BillingEvent' });

const example = {
  provider: 'stripe',
  id: 'stripe:evt_1',
  object: 'billing_event',
  type: 'invoice.paid',
  status: 'failed',
  attempts: 15,
  received_at: '2026-11-21T11:08:12.345Z',
  processed_at: '2026-11-21T17:33:22.345Z',
} as const;

const common = { product: null, credits: 0 } as const;
const byId = { params: { id: z.string().meta({ examples: [example.id] }) } };

/** `/v1/billing/events`: what became of the events of payment providers that are about the organization. */
export function billingEventRoutes({ tenant }: Pick<RelationalStore, 'tenant'>, wake: () => void): Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path: '/v1/billing/events',
      operation_id: 'list_billing_events',
      summary: 'Events of payment providers',
      description:
        'Those that are about a checkout of the organization, the newest first, for 90 days. One that could not be worked off has failed; nothing of it was done.',
      access: rolesFor('list_billing_events'),
      query: { ...pageQuery, status: eventSchema.shape.status.optional() },
      paged: true,
      response: pageOf(eventSchema),
      example: envelope([example], 1, { page: 1, page_size: 20 }),
      handle: async ({ caller, query }) => {
        const { status } = query;
        const { items, total } = await tenant(caller.organization.id, ({ billingEvents }) =>
          billingEvents.list({ ...pageWindow(query), ...(status === undefined ? {} : { status }) }),
        );
        return envelope(items.map(wire), total, query);
      },
    }),
    route({
      ...common,
      ...byId,
      method: 'GET',
      path: '/v1/billing/events/{id}',
      operation_id: 'get_billing_event',
      summary: 'One event of a payment provider',
      access: rolesFor('get_billing_event'),
      response: eventSchema,
      example,
      errors: [eventNotFound],
      handle: async ({ caller, params }) => {
        const event = await tenant(caller.organization.id, ({ billingEvents }) => billingEvents.get(...named(params)));
        if (event === null) throw new HttpError(eventNotFound);
        return wire(event);
      },
    }),
    route({
      ...common,
      ...byId,
      method: 'POST',
      path: '/v1/billing/events/{id}/retry',
      operation_id: 'retry_billing_event',
      summary: 'Try again an event that has failed',
      description: 'It is worked off beside the requests. A delivery of it by its provider does the same.',
      access: rolesFor('retry_billing_event'),
      status: 202,
      response: eventSchema,
      example: { ...example, status: 'waiting', attempts: 0, processed_at: null },
      errors: [eventNotFound, eventNotFailed],
      handle: ({ caller, params, request }) =>
        tenant(caller.organization.id, async ({ billingEvents, audit, afterCommit }) => {
          const isRetried = await billingEvents.retry(...named(params));
          const event = await billingEvents.get(...named(params));
          if (event === null) throw new HttpError(eventNotFound);
          if (!isRetried) throw new HttpError(eventNotFailed, { detail: `It is ${event.status}.` });
          await audit.append({
            ...actorOf(caller, request),
            action: 'billing_event.retried',
            subject: params.id,
            details: { type: event.type },
          });
          afterCommit(wake);
          return wire(event);
        }),
    }),
  ];
}

/** The provider, whose name has no colon, and its own id of the event. */
const named = ({ id }: { id: string }): [string, string] => {
  const end = id.indexOf(':');
  return [id.slice(0, Math.max(end, 0)), id.slice(end + 1)];
};

const wire = ({ event_id, ...event }: BillingEvent): z.input<typeof eventSchema> => ({
  ...event,
  id: `${event.provider}:${event_id}`,
  object: 'billing_event',
});
