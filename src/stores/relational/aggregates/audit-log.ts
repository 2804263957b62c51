import { monotonicFactory } from 'ulid';
import type { Database } from '../database.ts';

/** Who changed what in an organization: added to, never changed. */
export interface AuditLog {
  append(entry: {
    /** Null: an operator, at the machine itself. */
    memberId: string | null;
    keyId: string | null;
    /** `api_key.created`, `cli_pairing.claimed` … */
    action: string;
    /** Id of what was changed. */
    subject: string;
    details?: Record<string, unknown>;
  }): Promise<void>;
  /** The oldest first. */
  list(): Promise<
    {
      id: string;
      member_id: string | null;
      key_id: string | null;
      action: string;
      subject: string;
      details: Record<string, unknown>;
      occurred_at: string;
    }[]
  >;
}

/** Entries of one transaction have one time; their ids tell which came first. */
const nextId = monotonicFactory();

/** One organization's audit log over any engine. */
export function auditLog(database: Database, organizationId: string): AuditLog {
  return {
    async append({ memberId, keyId, action, subject, details = {} }) {
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
        })
        .execute();
    },

    list: () =>
      database
        .selectFrom('audit_log')
        .select(['id', 'member_id', 'key_id', 'action', 'subject', 'details', 'occurred_at'])
        .where('organization_id', '=', organizationId)
        .orderBy('occurred_at')
        .orderBy('id')
        .execute(),
  };
}
