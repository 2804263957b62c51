import { errorOf, type ApiError } from '../../../sdk/typescript/src/errors.ts';
import { retryAfterMs, wait } from '../../../sdk/typescript/src/retries.ts';
import type { Query } from './router.ts';
import { headersOf } from './session.ts';
import type { Credential } from './session.ts';

export { ApiError } from '../../../sdk/typescript/src/errors.ts';

/** Asks the service. */
export interface Api {
  /** The answer of a route; waits while the service is away. The type is that of the route's response. */
  get<T>(path: `/${string}`, query?: Query, signal?: AbortSignal): Promise<T>;
  /** The same of a route that answers with a text, a page for example. */
  text(path: `/${string}`): Promise<string>;
  /** Has something changed, once: who asks is told where that did not work. What has no body answers undefined. */
  send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: `/${string}`, body?: object): Promise<T>;
}

/** How it stands with the service: `away` until it answers again, asked for at `nextTry`. */
export type Connection = { state: 'there' } | { state: 'away'; nextTry: number };

const maxWaitMs = 30_000;

/** Every request goes with the credential; what a view asks for while the service is away is answered once it is back. */
export function createApi({
  credential,
  onRefused,
  onConnection,
}: {
  credential: Credential;
  /** The key is not taken any more. */
  onRefused: (error: ApiError) => void;
  onConnection: (connection: Connection) => void;
}): Api {
  let returning: Promise<void> | null = null;
  let away: Connection | null = null;
  /** Another question was answered meanwhile: no more is said of it, but who failed waits as long as before. */
  let isHeard = false;
  const comeBack = () => {
    if (isHeard && away !== null) onConnection(away);
    isHeard = false;
    return (returning ??= untilReady((connection) => {
      away = connection;
      if (!isHeard) onConnection(connection);
    }).finally(() => {
      returning = null;
      isHeard = false;
      onConnection({ state: 'there' });
    }));
  };
  const hear = () => {
    if (returning === null || isHeard) return;
    isHeard = true;
    onConnection({ state: 'there' });
  };

  const answered = async <T>(
    read: (response: Response) => Promise<T>,
    path: `/${string}`,
    query: Query = {},
    signal?: AbortSignal,
  ) => {
    for (let attempt = 1; ; attempt++) {
      const response = await ask(path, query, credential, signal);
      if (response === null) {
        await comeBack();
        signal?.throwIfAborted();
        continue;
      }
      hear();
      if (response.ok) return read(response);
      const error = await errorOf(response);
      const again = pauseOf(response);
      if (again !== null && attempt < 4) {
        await wait(again, signal);
        continue;
      }
      if (error.status === 401) onRefused(error);
      throw error;
    }
  };

  return {
    get: <T>(path: `/${string}`, query?: Query, signal?: AbortSignal) =>
      answered(async (response) => (await response.json()) as T, path, query, signal),
    text: (path) => answered((response) => response.text(), path),

    async send<T>(method: 'POST' | 'PATCH' | 'DELETE', path: `/${string}`, body?: object) {
      const response = await fetch(new URL(`.${path}`, document.baseURI), {
        method,
        headers: {
          ...headersOf(credential),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
      const error = await errorOf(response);
      if (error.status === 401) onRefused(error);
      throw error;
    },
  };
}

/** Null when nobody answers: no connection, a proxy without a service behind it, or one that is about to end. */
async function ask(path: string, query: Query, credential: Credential, signal?: AbortSignal): Promise<Response | null> {
  const url = new URL(`.${path}`, document.baseURI);
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== '') url.searchParams.set(name, String(value));
  try {
    const response = await fetch(url, {
      headers: headersOf(credential),
      ...(signal === undefined ? {} : { signal }),
    });
    return isOurs(response) ? response : null;
  } catch (error) {
    if (signal?.aborted) throw error;
    return null;
  }
}

const isOurs = (response: Response) => response.headers.has('x-request-id') || response.status < 500;

async function untilReady(onConnection: (connection: Connection) => void): Promise<void> {
  for (let waitMs = 1_000; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
    onConnection({ state: 'away', nextTry: Date.now() + waitMs });
    await wait(waitMs);
    const ready = await fetch(new URL('./readyz', document.baseURI), { cache: 'no-store' }).catch(() => null);
    if (ready?.ok) return;
  }
}

/** Of an answer that says when to ask again, and soon. */
function pauseOf({ status, headers }: Response): number | null {
  const pause = retryAfterMs(headers.get('retry-after'));
  return (status === 429 || status === 503) && pause !== null && pause <= 60_000 ? pause : null;
}
