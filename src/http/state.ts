import type { Found } from './find.ts';
import type { Caller } from './route.ts';

/** What the middlewares of one request tell each other. */
export interface State {
  requestId: string;
  found: Found;
  caller: Caller | null;
}
