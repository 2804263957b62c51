import { sql } from 'kysely';
import { monotonicFactory } from 'ulid';
import type { Origin } from '../../../model/account.ts';
import type { Database } from '../database.ts';

/** One change in an organization. */
export interface AuditEntry {
  id: string;
  /** Null: nobody of the organization. */
  member_id: string | null;
  /** As they are called now; null where they are nobody of the organization. */
  member_name: string | null;
  key_id: string | null;
  /** `api_key.created`, `cli_pairing.claimed` … */
  action: string;
  /** Id of what was changed. */
  subject: string;
  details: Record<string, unknown>;
  via: Origin['via'];
  address: string | null;
  user_agent: string | null;
  occurred_at: string;
}

/** Which changes are wanted. */
export interface AuditFilter {
  action?: string | undefined;
  memberId?: string | undefined;
  subject?: string | undefined;
  /** RFC 3339: not before, and before. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Who changed what in an organization: added to, never changed. */
export interface AuditLog {
  append(entry: {
    /** Null: an operator, at the machine itself, or whoever had a code. */
    memberId: string | null;
    keyId: string | null;
    /** An unknown place of the API unless told. */
    origin?: Origin;
    action: string;
    /** Id of what was changed. */
    subject: string;
    details?: Record<string, unknown>;
  }): Promise<void>;
  /** The oldest first. */
  list(): Promise<AuditEntry[]>;
  /** The newest first: so many behind the entry of this id. */
  page(filter: AuditFilter, options: { after: string | null; limit: number }): Promise<AuditEntry[]>;
}

/** Entries of one transaction have one time; their ids tell which came first. */
const nextId = monotonicFactory();

const nowhere: Origin = { via: 'api', address: null, userAgent: null };

/** One organization's audit log over any engine. */
export function auditLog(database: Database, organizationId: string): AuditLog {
  const own = database
    .selectFrom('audit_log')
    .leftJoin('member', 'member.id', 'audit_log.member_id')
    .select([...columns, 'member.name as member_name'])
    .where('audit_log.organization_id', '=', organizationId);
  return {
    async append({ memberId, keyId, origin: { via, address, userAgent } = nowhere, action, subject, details = {} }) {
      await database
        .insertInto('audit_log')
        .values({
          id: `aud_${nextId()}`,
          organization_id: organizationId,
          member_id: memberId,
          key_id: keyId,
          action,
          subject,
          details: JSON.stringify(details),
          via,
          address,
          user_agent: userAgent,
        })
        .execute();
    },

    list: () => own.orderBy('audit_log.occurred_at').orderBy(byId).execute(),

    page({ action, memberId, subject, from, to }, { after, limit }) {
      let query = own;
      if (action !== undefined) query = query.where('audit_log.action', '=', action);
      if (memberId !== undefined) query = query.where('audit_log.member_id', '=', memberId);
      if (subject !== undefined) query = query.where('audit_log.subject', '=', subject);
      if (from !== undefined) query = query.where('audit_log.occurred_at', '>=', from);
      if (to !== undefined) query = query.where('audit_log.occurred_at', '<', to);
      if (after !== null) query = query.where(sql<boolean>`${byId} < ${after}`);
      return query.orderBy(byId, 'desc').limit(limit).execute();
    },
  };
}

const byId = sql`audit_log.id COLLATE "C"`;

const columns = [
  'audit_log.id',
  'audit_log.member_id',
  'audit_log.key_id',
  'audit_log.action',
  'audit_log.subject',
  'audit_log.details',
  'audit_log.via',
  'audit_log.address',
  'audit_log.user_agent',
  'audit_log.occurred_at',
] as const;
