import type { IncomingMessage } from 'node:http';

/** What is told about a request once it is answered; no path, no query, no key: they may hold secrets. */
export interface AccessRecord {
  request_id: string;
  /** The `X-Request-Id` that came in, when it is harmless. */
  client_request_id: string | null;
  method: string;
  operation: string | null;
  status: number;
  /** Of the error that was answered. */
  code: string | null;
  ms: number;
  organization_id: string | null;
  key_id: string | null;
}

/** The id that the caller has for a request, where it can stand in a log. */
export function clientRequestId({ headers }: IncomingMessage): string | null {
  const inbound = headers['x-request-id'];
  return typeof inbound === 'string' && /^[\w.-]{1,64}$/.test(inbound) ? inbound : null;
}

/** Milliseconds since then, to a tenth. */
export const since = (began: number) => Math.round((performance.now() - began) * 10) / 10;
