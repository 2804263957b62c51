/** How hard a request is tried. */
export interface Retries {
  /** After the first try. */
  maxRetries?: number;
  /** An answer that asks for a longer pause than this is given back as it is. */
  maxWaitMs?: number;
  /** Of one try. */
  timeoutMs?: number;
}

/** Requests that may be sent twice, for the service does what they ask for once: it keeps the answer by their key. */
export const idempotentPosts: readonly string[] = ['/v1/checkout/sessions', '/v1/reports', '/v1/usage/events'];

/** The service has not begun: it is at its limit, or not ready, or at work on the same request. */
const refused = new Set([409, 429, 503]);
/** Nobody knows how far it came. */
const unknown = new Set([408, 502, 504]);

const firstWaitMs = 250;
const maxBackoffMs = 8_000;

/**
 * A `fetch` that tries again what may be tried again: whatever the service says it has not begun, after the pause that it asks for
 * (`Retry-After`); and what got no answer, where asking twice does nothing twice.
 */
export function withRetries(
  send: (request: Request) => Promise<Response>,
  { maxRetries = 3, maxWaitMs = 60_000, timeoutMs = 30_000 }: Retries = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    const safe = /^(GET|HEAD|OPTIONS)$/.test(request.method) || request.headers.has('idempotency-key');
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= maxRetries;
      const pause = backoffMs(attempt);
      let waitMs: number;
      try {
        const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
        const response = await send(new Request(request.clone(), { signal }));
        const asked = retryAfterMs(response.headers.get('retry-after'));
        const mayAgain = refused.has(response.status) ? asked !== null : safe && unknown.has(response.status);
        waitMs = asked ?? pause;
        if (!mayAgain || isLast || waitMs > maxWaitMs) return response;
        await response.body?.cancel();
      } catch (error) {
        if (request.signal.aborted || !safe || isLast) throw error;
        waitMs = pause;
      }
      await wait(waitMs, request.signal);
    }
  };
}

/** `Retry-After` in milliseconds: seconds or a date (RFC 9110); null when it is neither. */
export function retryAfterMs(value: string | null): number | null {
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

/** Doubled each time, and spread, so that many who failed together do not come back together. */
const backoffMs = (attempt: number) => Math.random() * Math.min(maxBackoffMs, firstWaitMs * 2 ** attempt);

/** Rejects as soon as the signal is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}
