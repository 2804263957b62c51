import type { Calls } from '../guard.ts';
import type { Database } from './database.ts';

/** One thing that the relational store keeps, of all organizations: its queries, over any engine. */
export interface Aggregate<Port extends object> {
  open(database: Database): Port;
  /** How each call goes to a server that may be away. */
  calls: Calls<Port>;
}

/** The same of one organization, within its transaction, which the guard has let through as a whole. */
export type TenantAggregate<Port> = (transaction: Database, organizationId: string) => Port;
