import { z } from 'zod';
import { actorOf } from '../auth/actor.ts';
import { atLeast, rolesFor } from '../auth/roles.ts';
import { HttpError, insufficientRole } from '../http/errors.ts';
import { envelope, pageOf, pageQuery, pageWindow } from '../http/page.ts';
import type { Problem } from '../http/problems.ts';
import { instant } from '../http/query.ts';
import { Reply, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { reportFormatSchema, reportStatusSchema } from '../model/report.ts';
import type { Report } from '../model/report.ts';
import type { RelationalStore, Tenant } from '../stores/relational/port.ts';
import { renderers } from './render/render.ts';
import { reportTypes } from './types/index.ts';
import { reportExample, reportSchema, requestSchema, typesOnTheWire, wireReport } from './wire.ts';

const reportNotFound: Problem = {
  status: 404,
  code: 'report_not_found',
  title: 'There is no such report',
  meaning: 'Your organization has no report with this id, or it was deleted. GET /v1/reports lists all.',
};

const reportNotReady: Problem = {
  status: 409,
  code: 'report_not_ready',
  title: 'The report has no content',
  meaning:
    'A report has content once its status is succeeded. While it is pending or running, ask again after Retry-After; one that failed says why in error.',
};

const reportExpired: Problem = {
  status: 410,
  code: 'report_expired',
  title: 'The report has expired',
  meaning: 'A report’s content is kept for 30 days. Ask for the report again.',
};

/** So many seconds are a good time to ask again whether a report is done. */
const retryAfter = { 'Retry-After': '2' };

const isUnfinished = ({ status }: Report) => status === 'pending' || status === 'running';

const params = { report_id: z.string().meta({ description: 'Id of the report.', examples: [reportExample.id] }) };
const common = { product: null, credits: 0 } as const;

type Tenants = RelationalStore['tenant'];

/** The routes of reports; `wake` is called when one waits to be made. */
export function reportRoutes({ tenant, wake }: { tenant: Tenants; wake: () => void }): Route[] {
  return [
    listTypes(),
    createReport(tenant, wake),
    listReports(tenant),
    getReport(tenant),
    getContent(tenant),
    deleteReport(tenant),
  ];
}

function listTypes(): Route {
  return route({
    ...common,
    method: 'GET',
    path: '/v1/reports/types',
    operation_id: 'list_report_types',
    summary: 'What reports there are',
    access: 'tenant',
    response: z.object({
      items: z.array(
        z.object({
          type: z.string(),
          name: z.string(),
          summary: z.string(),
          available: z.boolean().meta({ description: 'Whether this service has what it is made from.' }),
          sources: z.array(z.string()),
          formats: z.array(reportFormatSchema),
          parameters: z.record(z.string(), z.unknown()).meta({ description: 'A JSON schema.' }),
        }),
      ),
      total: z.int().min(0),
    }),
    handle: () => ({ items: typesOnTheWire, total: typesOnTheWire.length }),
  });
}

function createReport(tenant: Tenants, wake: () => void): Route {
  return route({
    ...common,
    method: 'POST',
    path: '/v1/reports',
    operation_id: 'create_report',
    summary: 'Ask for a report',
    description:
      'It is made soon: ask for it again at Location. Two reports of an organization are made at once, more of them wait.',
    access: rolesFor('create_report'),
    limit: 'report_create',
    idempotent: true,
    status: 202,
    responseHeaders: { Location: 'The report.', 'Retry-After': 'Seconds after which to ask for it.' },
    body: requestSchema,
    response: reportSchema,
    example: reportExample,
    handle: async ({ caller, body, request }) => {
      const report = await tenant(caller.organization.id, async ({ reports, audit, afterCommit }) => {
        afterCommit(wake);
        const made = await reports.create({ ...body, createdBy: caller.member.id });
        const { type, format } = made;
        await audit.append({
          ...actorOf(caller, request),
          action: 'report.created',
          subject: made.id,
          details: { type, format },
        });
        return made;
      });
      return new Reply(wireReport(report), { headers: { ...retryAfter, Location: `/v1/reports/${report.id}` } });
    },
  });
}

function listReports(tenant: Tenants): Route {
  return route({
    ...common,
    method: 'GET',
    path: '/v1/reports',
    operation_id: 'list_reports',
    summary: 'The reports of the organization',
    description: 'The newest first.',
    access: 'tenant',
    paged: true,
    query: {
      ...pageQuery,
      status: reportStatusSchema.optional().meta({ description: 'Only in this state.' }),
      type: z
        .enum(reportTypes.map(({ id }) => id))
        .optional()
        .meta({ description: 'Only of this type.' }),
      created_from: instant.optional().meta({ description: 'Only those asked for then or later.' }),
      created_to: instant.optional().meta({ description: 'Only those asked for before.' }),
    },
    response: pageOf(reportSchema),
    handle: async ({ caller, query }) => {
      const { status, type, created_from, created_to } = query;
      const { items, total } = await tenant(caller.organization.id, ({ reports }) =>
        reports.list({
          ...(status === undefined ? {} : { status }),
          ...(type === undefined ? {} : { type }),
          ...(created_from === undefined ? {} : { createdFrom: created_from }),
          ...(created_to === undefined ? {} : { createdTo: created_to }),
          ...pageWindow(query),
        }),
      );
      return envelope(items.map(wireReport), total, query);
    },
  });
}

function getReport(tenant: Tenants): Route {
  return route({
    ...common,
    method: 'GET',
    path: '/v1/reports/{report_id}',
    operation_id: 'get_report',
    summary: 'One report',
    access: 'tenant',
    cache: 'revalidate',
    params,
    errors: [reportNotFound],
    responseHeaders: { 'Retry-After': 'While it is pending or running: seconds after which to ask again.' },
    response: reportSchema,
    example: reportExample,
    handle: async ({ caller, params }) => {
      const report = await tenant(caller.organization.id, (tenant) => find(tenant, params.report_id));
      return new Reply(wireReport(report), { headers: isUnfinished(report) ? retryAfter : {} });
    },
  });
}

function getContent(tenant: Tenants): Route {
  return route({
    ...common,
    method: 'GET',
    path: '/v1/reports/{report_id}/content',
    operation_id: 'get_report_content',
    summary: 'The content of one report',
    access: 'tenant',
    cache: 'revalidate',
    produces: Object.values(renderers).map(({ contentType }) => contentType.split(';')[0] ?? ''),
    params,
    errors: [reportNotFound, reportNotReady, reportExpired],
    responseHeaders: {
      'Content-Disposition': 'The name of a file to keep it in.',
      'Repr-Digest': 'SHA-256 of the content (RFC 9530).',
    },
    response: z.unknown().meta({ description: 'In the format that was asked for.' }),
    handle: ({ caller, params: { report_id } }) =>
      tenant(caller.organization.id, async ({ reports }) => {
        const report = await find({ reports }, report_id);
        if (report.status === 'expired') throw new HttpError(reportExpired);
        const content = await reports.content(report_id);
        if (content === null || report.result === null)
          throw new HttpError(reportNotReady, {
            detail: `The report is ${report.status}.`,
            headers: isUnfinished(report) ? retryAfter : {},
          });
        const { content_type, sha256 } = report.result;
        return new Reply(content, {
          type: content_type,
          headers: {
            'Content-Disposition': `attachment; filename="${report.type}-${report.id}.${renderers[report.format].extension}"`,
            'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
            // The digest is that of these very bytes.
            'Cache-Control': 'private, no-cache, no-transform',
          },
        });
      }),
  });
}

function deleteReport(tenant: Tenants): Route {
  return route({
    ...common,
    method: 'DELETE',
    path: '/v1/reports/{report_id}',
    operation_id: 'delete_report',
    summary: 'Delete a report',
    description: 'Owners and admins delete any, members those that they asked for. One that is being made ends unseen.',
    access: rolesFor('delete_report'),
    status: 204,
    params,
    errors: [reportNotFound],
    response: z.void(),
    handle: ({ caller, params: { report_id }, request }) =>
      tenant(caller.organization.id, async ({ reports, audit }) => {
        const { member } = caller;
        const report = await find({ reports }, report_id);
        if (report.created_by !== member.id && member.role === 'member')
          throw insufficientRole(member.role, atLeast('admin'));
        await reports.remove(report_id);
        const { type, format } = report;
        await audit.append({
          ...actorOf(caller, request),
          action: 'report.deleted',
          subject: report_id,
          details: { type, format },
        });
      }),
  });
}

async function find({ reports }: Pick<Tenant, 'reports'>, id: string): Promise<Report> {
  const report = await reports.get(id);
  if (!report) throw new HttpError(reportNotFound);
  return report;
}
