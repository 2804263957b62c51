import type { IncomingMessage, ServerResponse } from 'node:http';
import type Koa from 'koa';
import { LRUCache } from 'lru-cache';
import { clientRequestId, since } from './access-record.ts';
import type { AccessRecord } from './access-record.ts';
import { addressOf, ownNetwork } from './address.ts';
import type { Admission } from './admission.ts';
import type { HttpError } from './errors.ts';
import type { Quotas } from './rate-limit.ts';
import { newRequestId } from './request-id.ts';
import type { State } from './state.ts';

/** A whole answer as it went out, but for what belongs to one request. */
interface Kept {
  operation: string;
  /** Names and values in turn. */
  headers: string[];
  /** In one piece with its headers it takes Node half the time of bytes beside them. */
  body: string;
  encoding: 'latin1' | 'utf8';
}

/** Answers one request of Node's; with this error, where one is given. */
export type Answer = (request: IncomingMessage, response: ServerResponse, refusal?: HttpError) => Promise<void>;

/** What the answers of constant routes go through, before and within the application. */
interface Repeat {
  /** Keeps what is answered. */
  keep: Koa.Middleware<State>;
  /** Answers what is kept, and leaves the rest to `answer`. */
  before(answer: Answer): Answer;
}

const maxKeyLength = 500;
/** A URL can be written in many ways, and anybody may ask. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Gives the answer of a constant route again as it went out before, without the way through everything that made it: only what
 * may refuse a request that was answered before is asked. Compressed ones are streams, and not kept; what depends on what the
 * caller has of it already is not either.
 */
export function repeat({
  check,
  work,
  quotas,
  trustedProxies,
  access,
}: {
  /** Throws where a request is not well formed. */
  check: (request: IncomingMessage) => void;
  work: Admission;
  quotas: Quotas;
  trustedProxies: number;
  access: ((record: AccessRecord) => void) | undefined;
}): Repeat {
  const all = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ headers, body }, key) => 2 * (key.length + headers.join().length + body.length),
  });

  /** Answers with what is kept, unless this request is refused. */
  const give = async (kept: Kept, request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const began = performance.now();
    try {
      check(request);
    } catch {
      return false;
    }
    const ip = addressOf(request, trustedProxies);
    // It takes no room of its own, as it is done at once.
    if (!work.hasRoom({ id: ownNetwork(ip), hasKey: false })) return false;
    for (const { limiter } of quotas.address) if (!(await limiter.take(ip)).allowed) return false;
    const id = newRequestId();
    response.writeHead(200, [...kept.headers, 'X-Request-Id', id]).end(kept.body, kept.encoding);
    access?.({
      request_id: id,
      client_request_id: clientRequestId(request),
      method: 'GET',
      operation: kept.operation,
      status: 200,
      code: null,
      ms: since(began),
      organization_id: null,
      key_id: null,
    });
    return true;
  };

  return {
    async keep(ctx, next) {
      await next();
      const { status, body } = ctx;
      const { route } = ctx.state.found;
      const key = keyOf(ctx.req);
      if (!route?.constant || status !== 200 || typeof body !== 'string' || key === null) return;
      const headers = Object.entries(ctx.response.headers)
        .filter(([name]) => name !== 'x-request-id' && name !== 'connection')
        .flatMap(([name, value]) => [value ?? ''].flat().flatMap((one) => [name, String(one)]));
      const isAscii = Buffer.byteLength(body) === body.length;
      all.set(key, { operation: route.operation_id, headers, body, encoding: isAscii ? 'latin1' : 'utf8' });
    },

    before: (answer) => async (request, response) => {
      const key = keyOf(request);
      const kept = key === null ? undefined : all.get(key);
      // What is refused is refused again, and said why, by the usual way.
      if (!kept || !(await give(kept, request, response))) await answer(request, response);
    },
  };
}

/** What an answer depends on where it is the same for everybody; null where it depends on more. */
function keyOf({ method, url, headers }: IncomingMessage): string | null {
  if (method !== 'GET' || headers['if-none-match'] !== undefined) return null;
  const key = `${url}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
  return key.length > maxKeyLength ? null : key;
}
