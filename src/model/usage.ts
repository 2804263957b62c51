import type { UsageEvent } from './account.ts';

/** Days in UTC, `YYYY-MM-DD`, the first and the last included. */
export interface Days {
  from: string;
  to: string;
}

/** The days of a month, `YYYY-MM`. */
export function daysOf(month: string): Days {
  const [year = 0, number = 0] = month.split('-').map(Number);
  // The day before the first of the next.
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
}

/** What tells metered calls apart. */
export type UsageColumn = 'product' | 'operation' | 'member_id' | 'day' | 'environment';

/** Metered calls of one class, and what they cost, by what tells them apart. */
export type UsageSum<Column extends UsageColumn = UsageColumn> = Record<Column, string> & {
  class: UsageEvent['class'];
  calls: number;
  credits: number;
};

/** A CloudEvent that an organization tells of its own work. */
export interface CustomerEvent {
  /** The caller's; unique with `source`. */
  id: string;
  source: string;
  type: string;
  subject: string | null;
  /** RFC 3339. */
  time: string;
  datacontenttype: string | null;
  /** Its `dataschema`, and what callers add. */
  attributes: Readonly<Record<string, string | number | boolean>>;
  data: unknown;
}

/** One that was accepted. */
export interface StoredCustomerEvent extends CustomerEvent {
  /** Ours. */
  event_id: string;
  received_at: string;
}
