import { stringify } from 'csv-stringify/sync';
import { plain, plainJson } from '../model/plain.ts';
import type { AuditEntry } from '../stores/relational/port.ts';

const columns = [
  'id',
  'occurred_at',
  'action',
  'subject',
  'member_id',
  'member_name',
  'key_id',
  'via',
  'address',
  'user_agent',
  'details',
] as const satisfies readonly (keyof AuditEntry)[];

/**
 * Entries as lines of RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe; what steers a terminal
 * or can't be seen is shown as its code.
 */
export const auditCsv = (entries: readonly AuditEntry[], { header = true } = {}): string =>
  stringify(
    entries.map((entry) => ({ ...entry, details: JSON.stringify(entry.details) })),
    { header, columns: [...columns], record_delimiter: 'windows', escape_formulas: true, cast: { string: plain } },
  );

/** A JSON line each. */
export const auditLines = (entries: readonly AuditEntry[]): string =>
  entries.map((entry) => `${plainJson(entry)}\n`).join('');
