import type { Found } from './find.ts';
import type { OwnQuota } from './rate-limit.ts';
import type { Caller } from './route.ts';

/** What the middlewares of one request tell each other. */
export interface State {
  requestId: string;
  /** Of who asks. */
  ip: string;
  /** By `performance.now()`. */
  began: number;
  found: Found;
  caller: Caller | null;
  /** Of the route. */
  ownQuota: OwnQuota;
  /** The code of the error that was answered. */
  problem: string | null;
}
