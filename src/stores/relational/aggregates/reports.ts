import { sql } from 'kysely';
import type { UpdateObject } from 'kysely';
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import type { EventData } from '../../../model/event.ts';
import type { Report, ReportRequest, ReportStatus } from '../../../model/report.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';
import { tell } from './events.ts';

/** One organization's reports. */
export interface Reports {
  /** Made by whoever claims it next. */
  create(report: ReportRequest & { createdBy: string }): Promise<Report>;
  /** The newest first; `createdTo` is excluded. */
  list(query: {
    status?: ReportStatus;
    type?: string;
    createdFrom?: string;
    createdTo?: string;
    offset: number;
    limit: number;
  }): Promise<{ items: Report[]; total: number }>;
  get(id: string): Promise<Report | null>;
  /** The bytes of one that succeeded and has not expired; null otherwise. */
  content(id: string): Promise<Uint8Array | null>;
  /** False when there was none. */
  remove(id: string): Promise<boolean>;
}

/** A report to be made, by whoever claimed it. */
export interface ClaimedReport extends ReportRequest {
  id: string;
  organization_id: string;
  /** From 1. */
  attempt: number;
}

/**
 * The reports of all organizations as jobs, for any number of services. Promises: a report has one claimer at a time; one whose
 * claimer let the lease run out is claimed again, at once the first times and then ever later; only its claimer's outcome counts, and only one.
 */
export interface ReportQueue {
  /** The oldest report that waits, of an organization with fewer than so many under way; null when there is none. */
  claim(options: { leaseMs: number; perOrganization: number }): Promise<ClaimedReport | null>;
  /** Keeps it for so long from now. False, of this and what follows: it was deleted, or is somebody else's by now. */
  renew(claimed: ClaimedReport, options: { leaseMs: number; progress: number }): Promise<boolean>;
  /** Gives it back, to be claimed after this delay. */
  release(claimed: ClaimedReport, options: { delayMs: number }): Promise<void>;
  succeed(
    claimed: ClaimedReport,
    result: { content: Uint8Array; contentType: string; retentionMs: number },
  ): Promise<boolean>;
  fail(claimed: ClaimedReport, error: { code: string; message: string }): Promise<boolean>;
  /** Removes the contents of those that have expired. */
  expire(): Promise<void>;
}

/** One organization's reports over any engine. */
export function reports(database: Database, organizationId: string): Reports {
  const own = database.selectFrom('report').where('organization_id', '=', organizationId);
  return {
    async create({ parameters, createdBy, ...request }) {
      const row = await database
        .insertInto('report')
        .values({
          ...request,
          id: `rep_${ulid()}`,
          organization_id: organizationId,
          parameters: JSON.stringify(parameters),
          created_by: createdBy,
        })
        .returning(columns)
        .executeTakeFirstOrThrow();
      return reportOf(row);
    },

    async list({ status, type, createdFrom, createdTo, offset, limit }) {
      const matching = own
        .$if(status !== undefined, (query) => query.where(statusNow, '=', status ?? 'pending'))
        .$if(type !== undefined, (query) => query.where('type', '=', type ?? ''))
        .$if(createdFrom !== undefined, (query) => query.where('created_at', '>=', createdFrom ?? ''))
        .$if(createdTo !== undefined, (query) => query.where('created_at', '<', createdTo ?? ''));
      const rows = await matching
        .select(columns)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute();
      const { total } = await matching
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(reportOf), total };
    },

    async get(id) {
      const row = await own.select(columns).where('id', '=', id).executeTakeFirst();
      return row ? reportOf(row) : null;
    },

    async content(id) {
      const row = await own
        .select('content')
        .where('id', '=', id)
        .where(statusNow, '=', 'succeeded')
        .executeTakeFirst();
      return row?.content ?? null;
    },

    async remove(id) {
      const { numDeletedRows } = await database
        .deleteFrom('report')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

/** The reports of all organizations as jobs, over any engine; the database's clock decides what a lease is worth. */
export const reportQueue: Aggregate<ReportQueue> = {
  calls: { claim: 'write', renew: 'write', release: 'write', succeed: 'write', fail: 'write', expire: 'write' },
  open: openReportQueue,
};

function openReportQueue(database: Database): ReportQueue {
  /** Changes a report that is still the claimer's. */
  const ofClaim = ({ id, attempt }: ClaimedReport, on = database) =>
    on.updateTable('report').where('id', '=', id).where('attempt', '=', attempt).where('status', '=', 'running');

  /** Ends it, and tells whose it is. */
  const end = <Type extends 'report.succeeded' | 'report.failed'>(
    claimed: ClaimedReport,
    type: Type,
    change: UpdateObject<Schema, 'report'>,
    more: Omit<EventData[Type], keyof EventData['report.succeeded']>,
  ): Promise<boolean> =>
    database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await ofClaim(claimed, transaction).set(change).executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      const { id, organization_id: organizationId, type: of, format } = claimed;
      const data = { report_id: id, type: of, format, ...more } as unknown as EventData[Type];
      await tell(transaction, { organizationId, type, subject: id, data });
      return true;
    });

  return {
    claim: ({ leaseMs, perOrganization }) =>
      database.transaction().execute(async (transaction) => {
        // One after the other: else two who count an organization's running reports at once would both find room.
        await sql`SELECT pg_advisory_xact_lock(hashtextextended('report claim', 0))`.execute(transaction);
        const { rows } = await sql<ClaimedReport>`
          UPDATE report SET status = 'running', attempt = attempt + 1, leased_until = ${after(leaseMs)},
            started_at = coalesce(started_at, now())
          WHERE id = (
            SELECT id FROM report AS due
            WHERE status IN ('pending', 'running') AND leased_until <= now() AND leased_until + ${restAfterDeath} <= now() AND (
              SELECT count(*) FROM report AS other
              WHERE other.organization_id = due.organization_id AND other.status = 'running' AND other.leased_until > now()
            ) < ${perOrganization}
            ORDER BY created_at, id LIMIT 1
            FOR UPDATE SKIP LOCKED)
          RETURNING id, organization_id, type, name, format, parameters, attempt
        `.execute(transaction);
        return rows[0] ?? null;
      }),

    async renew(claimed, { leaseMs, progress }) {
      const { numUpdatedRows } = await ofClaim(claimed)
        .set({ leased_until: after(leaseMs), progress })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async release(claimed, { delayMs }) {
      await ofClaim(claimed)
        .set({ status: 'pending', progress: 0, leased_until: after(delayMs) })
        .execute();
    },

    async succeed(claimed, { content, contentType, retentionMs }) {
      return end(
        claimed,
        'report.succeeded',
        {
          status: 'succeeded',
          progress: 1,
          completed_at: sql<string>`now()`,
          expires_at: after(retentionMs),
          content: Buffer.from(content),
          content_type: contentType,
          size_bytes: content.length,
          sha256: createHash('sha256').update(content).digest('hex'),
        },
        {},
      );
    },

    async fail(claimed, { code, message }) {
      const failed = { completed_at: sql<string>`now()`, error_code: code, error_message: message };
      return end(claimed, 'report.failed', { status: 'failed', ...failed }, { code });
    },

    async expire() {
      await database
        .updateTable('report')
        .set({ status: 'expired', content: null })
        .where('status', '=', 'succeeded')
        .where('expires_at', '<=', sql<string>`now()`)
        .execute();
    },
  };
}

/** Of a report whose makers have died three times or more: a minute, then twice as long each time, up to an hour. */
const restAfterDeath = sql`CASE WHEN status = 'running' AND attempt >= 3
  THEN least(power(2, attempt - 3), 60) * interval '1 minute' ELSE interval '0' END`;

const after = (ms: number) => sql<string>`now() + ${ms} * interval '1 millisecond'`;

/** It expires by the clock, not when somebody gets around to removing its content. */
const statusNow = sql<
  Report['status']
>`CASE WHEN status = 'succeeded' AND expires_at <= now() THEN 'expired' ELSE status END`;

const columns = [
  'id',
  'organization_id',
  'type',
  'name',
  'format',
  'parameters',
  statusNow.as('status'),
  'progress',
  'created_by',
  'created_at',
  'started_at',
  'completed_at',
  'expires_at',
  'content_type',
  'size_bytes',
  'sha256',
  'error_code',
  'error_message',
] as const;

type Row = Omit<Report, 'result' | 'error'> & {
  content_type: string | null;
  size_bytes: number | null;
  sha256: string | null;
  error_code: string | null;
  error_message: string | null;
};

function reportOf({ content_type, size_bytes, sha256, error_code, error_message, ...report }: Row): Report {
  return {
    ...report,
    result:
      content_type === null || size_bytes === null || sha256 === null ? null : { content_type, size_bytes, sha256 },
    error: error_code === null || error_message === null ? null : { code: error_code, message: error_message },
  };
}
