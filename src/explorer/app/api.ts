import type { Query } from './router.ts';

/** An answer that is an error: RFC 9457 as the service writes it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  constructor({ status, code, message, requestId }: Omit<ApiError, 'name' | 'stack' | 'cause'>) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** Asks the service. */
export interface Api {
  /** The answer of a route; waits while the service is away. The type is that of the route's response. */
  get<T>(path: `/${string}`, query?: Query, signal?: AbortSignal): Promise<T>;
}

/** How it stands with the service: `away` until it answers again, asked for at `nextTry`. */
export type Connection = { state: 'there' } | { state: 'away'; nextTry: number };

const maxWaitMs = 30_000;

/** Every request goes with the key; what a view asks for while the service is away is answered once it is back. */
export function createApi({
  key,
  onRefused,
  onConnection,
}: {
  key: string;
  /** The key is not taken any more. */
  onRefused: (error: ApiError) => void;
  onConnection: (connection: Connection) => void;
}): Api {
  let returning: Promise<void> | null = null;
  const comeBack = () =>
    (returning ??= untilReady(onConnection).finally(() => {
      returning = null;
      onConnection({ state: 'there' });
    }));

  return {
    async get<T>(path: `/${string}`, query: Query = {}, signal?: AbortSignal) {
      for (let attempt = 1; ; attempt++) {
        const response = await ask(path, query, key, signal);
        if (response === null) {
          await comeBack();
          signal?.throwIfAborted();
          continue;
        }
        if (response.ok) return (await response.json()) as T;
        const error = await errorOf(response);
        const again = retryAfterMs(response);
        if (again !== null && attempt < 4) {
          await wait(again, signal);
          continue;
        }
        if (error.status === 401) onRefused(error);
        throw error;
      }
    },
  };
}

/** Null when nobody answers: no connection, a proxy without a service behind it, or one that is about to end. */
async function ask(path: string, query: Query, key: string, signal?: AbortSignal): Promise<Response | null> {
  const url = new URL(`.${path}`, document.baseURI);
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== '') url.searchParams.set(name, String(value));
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
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

async function errorOf(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const text = (name: string) => (typeof problem[name] === 'string' ? problem[name] : null);
  return new ApiError({
    status: response.status,
    code: text('code') ?? 'unknown',
    message: text('detail') ?? text('title') ?? `The service answered ${response.status}.`,
    requestId: response.headers.get('x-request-id'),
  });
}

/** Of an answer that says when to ask again, and soon. */
function retryAfterMs({ status, headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return (status === 429 || status === 503) && seconds <= 60 ? seconds * 1_000 : null;
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
