import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { rolesFor } from '../auth/roles.ts';
import type { FieldError } from '../http/errors.ts';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import { instant } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { refuse } from '../http/validate.ts';
import type { CustomerEvent, StoredCustomerEvent } from '../model/usage.ts';
import type { RelationalStore } from '../stores/relational/port.ts';

const maxEvents = 100;
const maxDataBytes = 8 * 1024;
const maxDataDepth = 5;
const maxExtensions = 20;
const maxExtension = 1_024;
const dayMs = 24 * 60 * 60 * 1_000;
const oldestMs = 35 * dayMs;
const newestMs = 5 * 60 * 1_000;

/** As CloudEvents has it: without control characters. */
const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    // oxlint-disable-next-line no-control-regex -- they are what is excluded
    .regex(/^[^\u0000-\u001f\u007f-\u009f]+$/);

const uriReference = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^([\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/);

const typeSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_.-]{0,99}$/)
  .meta({ examples: ['cli.analysis.completed'] });

/** An attribute that callers add. */
const extensionSchema = z.union([line(maxExtension), z.int32(), z.boolean()]);
/** As CloudEvents names them. */
const extensionName = /^[a-z0-9]{1,20}$/;

/** CloudEvents 1.0. */
const eventSchema = z
  .object({
    specversion: z.literal('1.0'),
    id: line(128).meta({ description: 'Of your choice; with source it names one event for good.' }),
    source: uriReference(256).meta({ description: 'A URI reference.' }),
    type: typeSchema,
    time: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'Not older than 35 days, nor more than 5 minutes ahead; now unless told.' }),
    subject: line(256).optional(),
    datacontenttype: z
      .string()
      .max(128)
      .regex(/^[\w.+-]+\/[\w.+-]+( *;[ -~]*)?$/)
      .optional(),
    dataschema: uriReference(1_024).optional().meta({ description: 'What data adheres to; a URI.' }),
    data: z
      .unknown()
      .optional()
      .meta({ description: `Any JSON of at most ${maxDataBytes} bytes, nested ${maxDataDepth} deep at most.` }),
  })
  .catchall(extensionSchema)
  .superRefine((event, issues) => {
    const names = extensionsOf(event);
    const unknown = names.filter((name) => !extensionName.test(name));
    if (unknown.length > 0) issues.addIssue({ code: 'unrecognized_keys', keys: unknown, input: event });
    if (names.length > maxExtensions)
      issues.addIssue({ code: 'custom', message: `must have at most ${maxExtensions} extensions`, input: event });
  })
  .meta({ id: 'CloudEvent', propertyNames: { pattern: extensionName.source } });
type Event = z.infer<typeof eventSchema>;

const batchSchema = z.array(eventSchema).min(1).max(maxEvents);
const bodySchema = z.union([eventSchema, batchSchema]);

const storedSchema = z
  .object({
    event_id: z.string(),
    id: z.string(),
    source: z.string(),
    type: z.string(),
    subject: z.string().nullable(),
    time: z.iso.datetime(),
    datacontenttype: z.string().nullable(),
    dataschema: z.string().nullable(),
    extensions: z
      .record(z.string(), extensionSchema)
      .meta({ description: 'What else the event was sent with, by the names of the extensions.' }),
    data: z.unknown(),
    received_at: z.iso.datetime(),
  })
  .meta({ id: 'UsageEvent' });

const example = {
  event_id: 'evt_01JD7Z3M2QK8V6T4R9W5X1Y0AF',
  id: '0197f0c2-6d3a-7c11-9d0e-3b1c2f4a5d6e',
  source: 'repo-intel/laptop-7',
  type: 'cli.analysis.completed',
  subject: 'repo/payments-api',
  time: '2026-11-21T11:00:00.000Z',
  datacontenttype: null,
  dataschema: null,
  extensions: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
  data: { duration_ms: 1834, repositories: 1 },
  received_at: '2026-11-21T11:00:00.412Z',
};

/** `/v1/usage/events`: what an organization tells of its own work, as CloudEvents. */
export function usageEventRoutes({ relational }: { relational: Pick<RelationalStore, 'tenant'> }): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/usage/events',
      operation_id: 'create_usage_events',
      summary: 'Tell of usage events',
      description: `One CloudEvent, or up to ${maxEvents}: all are taken or none. An event whose source and id are known is a duplicate, and stays as it came first. CloudEvents 1.0 in structured, batched and binary mode: in the last, \`application/json\` is the data of one event, whose attributes are headers (\`ce-specversion\`, \`ce-id\`, \`ce-source\`, \`ce-type\` …). Extensions are kept: up to ${maxExtensions}, named as CloudEvents says.`,
      access: rolesFor('create_usage_events'),
      product: null,
      credits: 0,
      limit: 'usage_events',
      booked: true,
      idempotent: true,
      bodyLimit: 256 * 1024,
      consumes: {
        'application/json': bodySchema,
        'application/cloudevents+json': eventSchema,
        'application/cloudevents-batch+json': batchSchema,
      },
      body: bodySchema,
      assemble: (body, headers) => (headers['ce-specversion'] === undefined ? body : eventOfHeaders(body, headers)),
      response: z.object({
        accepted: z.int().min(0),
        duplicates: z.int().min(0),
        items: z.array(
          z.object({
            id: z.string(),
            source: z.string(),
            status: z.enum(['accepted', 'duplicate']),
            event_id: z.string(),
          }),
        ),
      }),
      example: {
        accepted: 1,
        duplicates: 0,
        items: [{ id: example.id, source: example.source, status: 'accepted', event_id: example.event_id }],
      },
      handle: async ({ caller, body }) => {
        const now = Date.now();
        const isBatch = Array.isArray(body);
        const events = isBatch ? body : [body];
        const errors = events.flatMap((event, index) =>
          faultsOf(event, { now, organizationId: caller.organization.id }).map(
            ({ name, code, detail }): FieldError => ({
              in: 'body',
              name: null,
              pointer: isBatch ? `#/${index}/${name}` : `#/${name}`,
              code,
              detail,
            }),
          ),
        );
        if (errors.length > 0) throw refuse(errors);
        const items = await relational.tenant(caller.organization.id, ({ usageEvents }) =>
          usageEvents.append(
            events.map((event) => customerEvent(event, now)),
            { memberId: caller.member.id, keyId: caller.api_key.id },
          ),
        );
        const accepted = items.filter(({ status }) => status === 'accepted').length;
        return { accepted, duplicates: items.length - accepted, items };
      },
    }),
    route({
      method: 'GET',
      path: '/v1/usage/events',
      operation_id: 'list_usage_events',
      summary: 'The usage events of the organization',
      description: 'The latest first.',
      access: 'tenant',
      product: null,
      credits: 0,
      query: {
        ...pageQuery,
        type: typeSchema.optional(),
        from: instant.optional().meta({ description: 'Not before this time.', examples: ['2026-11-01T00:00:00Z'] }),
        to: instant.optional().meta({ description: 'Before this time.', examples: ['2026-12-01T00:00:00Z'] }),
      },
      paged: true,
      response: pageOf(storedSchema),
      example: envelope([example], 1, { page: 1, page_size: 20 }),
      handle: async ({ caller, query }) => {
        const { type, from, to } = query;
        const window = pageWindow(query);
        const { items, total } = await relational.tenant(caller.organization.id, ({ usageEvents }) =>
          usageEvents.list({ type, from, to, ...window }),
        );
        return envelope(items.map(wire), total, query);
      },
    }),
  ];
}

const ownNames = ['specversion', 'id', 'source', 'type', 'time', 'subject', 'datacontenttype', 'dataschema', 'data'];
const extensionsOf = (event: object) => Object.keys(event).filter((name) => !ownNames.includes(name));

/** What has no column of its own. */
function attributesOf(event: Readonly<Record<string, unknown>>): CustomerEvent['attributes'] {
  const kept = ['dataschema', ...extensionsOf(event)].filter((name) => event[name] !== undefined);
  return Object.fromEntries(kept.map((name) => [name, event[name]])) as CustomerEvent['attributes'];
}

function wire({
  attributes: { dataschema, ...extensions },
  ...event
}: StoredCustomerEvent): z.input<typeof storedSchema> {
  return { ...event, dataschema: dataschema === undefined ? null : String(dataschema), extensions };
}

/** Binary mode: the body is the data, and headers are the attributes, percent-encoded where they are not ASCII. */
function eventOfHeaders(data: unknown, headers: IncomingHttpHeaders): unknown {
  const attributes = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('ce-') ? [[name.slice('ce-'.length), decoded(String(value))] as const] : [],
  );
  const type = headers['content-type'];
  return {
    ...(data === undefined ? {} : { data }),
    ...(data === undefined || type === undefined ? {} : { datacontenttype: type }),
    ...Object.fromEntries(attributes),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Fault {
  name: string;
  code: string;
  detail: string;
}

/** What no schema can say. */
function faultsOf(event: Event, { now, organizationId }: { now: number; organizationId: string }): Fault[] {
  const faults: Fault[] = [];
  const age = event.time === undefined ? 0 : now - Date.parse(event.time);
  if (age > oldestMs) faults.push({ name: 'time', code: 'out_of_range', detail: 'must not be older than 35 days' });
  if (age < -newestMs)
    faults.push({ name: 'time', code: 'out_of_range', detail: 'must not be more than 5 minutes ahead' });
  const [organization] = /\borg_[0-9A-Z]{26}\b/.exec(event.subject ?? '') ?? [];
  if (organization !== undefined && organization !== organizationId)
    faults.push({ name: 'subject', code: 'foreign_organization', detail: 'must not name another organization' });
  if (event.data !== undefined && Buffer.byteLength(JSON.stringify(event.data)) > maxDataBytes)
    faults.push({ name: 'data', code: 'too_long', detail: `must have at most ${maxDataBytes} bytes as JSON` });
  if (depthOf(event.data) > maxDataDepth)
    faults.push({ name: 'data', code: 'too_deep', detail: `must nest at most ${maxDataDepth} deep` });
  return faults;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function customerEvent({ id, source, type, ...rest }: Event, now: number): CustomerEvent {
  return {
    id,
    source,
    type,
    subject: rest.subject ?? null,
    time: new Date(rest.time ?? now).toISOString(),
    datacontenttype: rest.datacontenttype ?? null,
    attributes: attributesOf(rest),
    data: rest.data,
  };
}
