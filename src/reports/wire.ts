import { z } from 'zod';
import { pascal } from '../http/components.ts';
import { text } from '../http/query.ts';
import { reportFormatSchema, reportStatusSchema } from '../model/report.ts';
import type { Report } from '../model/report.ts';
import type { ReportType } from './report-type.ts';
import { reportTypes } from './types/index.ts';

const requestOf = ({ id, parameters }: ReportType) =>
  z
    .strictObject({
      type: z.literal(id),
      format: reportFormatSchema,
      // May be left out where nothing must be said.
      parameters: parameters.safeParse({}).success ? parameters.prefault({}) : parameters,
      name: text(1, 200)
        .nullable()
        .default(null)
        .meta({ description: 'As people call it.', examples: ['Payments API, November'] }),
    })
    .meta({ id: `${pascal(id)}Request` });

const [first, ...others] = reportTypes;

/** What is asked for: each type with its own parameters. */
export const requestSchema = z.discriminatedUnion('type', [requestOf(first), ...others.map(requestOf)]);

const time = z.iso.datetime();

/** A report as callers see it. */
export const reportSchema = z
  .object({
    id: z.string(),
    object: z.literal('report'),
    organization_id: z.string(),
    type: z.string(),
    name: z.string().nullable(),
    format: reportFormatSchema,
    parameters: z.record(z.string(), z.unknown()),
    status: reportStatusSchema,
    progress: z.number().min(0).max(1),
    result: z
      .object({
        url: z.string(),
        content_type: z.string(),
        size_bytes: z.int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      })
      .nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_by: z.string().meta({ description: 'Id of the member.' }),
    created_at: time,
    started_at: time.nullable(),
    completed_at: time.nullable(),
    expires_at: time.nullable().meta({ description: 'Until then its content can be fetched.' }),
    links: z.object({ self: z.string(), content: z.string().nullable() }),
  })
  .meta({ id: 'Report' });

/** A report as callers see it, from the one kept. */
export function wireReport({ result, ...report }: Report): z.input<typeof reportSchema> {
  const self = `/v1/reports/${report.id}`;
  const url = `${self}/content`;
  const available = report.status === 'succeeded' && result !== null;
  return {
    ...report,
    object: 'report',
    result: available ? { url, ...result } : null,
    links: { self, content: available ? url : null },
  };
}

/** The types as callers see them. */
export const typesOnTheWire = reportTypes.map(({ id, name, summary, sources, parameters }) => ({
  type: id,
  name,
  summary,
  available: true,
  sources: [...sources],
  formats: reportFormatSchema.options,
  parameters: z.toJSONSchema(parameters, { io: 'input' }) as Record<string, unknown>,
}));

export const reportExample: z.input<typeof reportSchema> = {
  id: 'rep_01JD7Z3M2QK8V6T4R9W5X1Y0AH',
  object: 'report',
  organization_id: 'org_01JD7Z3M2QK8V6T4R9W5X1Y0AB',
  type: 'repository_deep_dive',
  name: 'Payments API, November',
  format: 'markdown',
  parameters: { repo: 'payments-api' },
  status: 'pending',
  progress: 0,
  result: null,
  error: null,
  created_by: 'mem_01JD7Z3M2QK8V6T4R9W5X1Y0AC',
  created_at: '2026-11-21T11:08:12.345Z',
  started_at: null,
  completed_at: null,
  expires_at: null,
  links: { self: '/v1/reports/rep_01JD7Z3M2QK8V6T4R9W5X1Y0AH', content: null },
};
