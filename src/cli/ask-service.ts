import { withRetries } from '../../sdk/typescript/src/retries.ts';

/** What a service answered. */
export interface ServiceAnswer {
  status: number;
  headers: Headers;
  text: string;
  /** The body; empty when it is no JSON object. */
  json: Record<string, unknown>;
}

/** Who sits before a terminal waits no longer than this. */
const send = withRetries((request) => fetch(request), { maxWaitMs: 5_000 });

/** One request to a service. Throws one sentence when there is none, or when what answers is no service of ours. */
export async function askService(
  url: string,
  path: string,
  { method = 'GET', key, body }: { method?: 'GET' | 'POST' | 'DELETE'; key?: string; body?: unknown } = {},
): Promise<ServiceAnswer> {
  const request = new Request(`${url}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // A key goes nowhere but to the service that gave it.
    redirect: 'error',
  });
  const response = await send(request).catch((error: unknown) => {
    throw new Error(
      `There is no answer from ${url} (${reasonOf(error)}): is the service running, and is the URL right?`,
      {
        cause: error,
      },
    );
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: objectIn(text) };
}

/** What went wrong, in the service's own words. */
export const problemIn = ({ status, json }: ServiceAnswer, url: string): string =>
  typeof json['code'] === 'string'
    ? `${String(json['detail'])} (${json['code']}, see ${String(json['docs_url'])})`
    : `What answers at ${url} is no Repository Intelligence Service (status ${status}).`;

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return String(cause);
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
