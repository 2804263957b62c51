import type Koa from 'koa';
import { LRUCache } from 'lru-cache';
import type { State } from './state.ts';

/** A whole answer as it went out, but for what belongs to one request. */
interface Kept {
  /** Names and values in turn. */
  headers: string[];
  /** In one piece with its headers it takes Node half the time of bytes beside them. */
  body: string;
  encoding: 'latin1' | 'utf8';
}

/** What an answer depends on beside its URL, where it is the same for everybody. */
const varying = ['accept', 'accept-encoding'] as const;
const longestKey = 500;
/** A URL can be written in many ways, and anybody may ask. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Gives the answer of a constant route again as it went out before, without the way through everything that made it: only what
 * may refuse a request that was answered before, `checks`, is asked. Compressed ones are streams, and not kept; what depends on
 * what the caller has of it already is not either.
 */
export function repeat(checks: readonly Koa.Middleware<State>[]): Koa.Middleware<State> {
  const kept = new LRUCache<string, Kept>({
    maxSize: mostBytes,
    sizeCalculation: ({ headers, body }, key) => 2 * (key.length + headers.join().length + body.length),
  });

  const pass = async (ctx: Koa.ParameterizedContext<State>, answer: () => Promise<void>): Promise<void> => {
    const run = (index: number): Promise<void> => {
      const check = checks[index];
      // A middleware of Koa's takes its own context.
      return check
        ? Promise.resolve(check(ctx as Koa.ParameterizedContext<State> & Koa.Context, () => run(index + 1)))
        : answer();
    };
    await run(0);
  };

  return async (ctx, next) => {
    const { req, res } = ctx;
    const isPlain = ctx.method === 'GET' && req.headers['if-none-match'] === undefined;
    if (!ctx.state.found.route?.constant || !isPlain) return next();
    const key = [ctx.url, ...varying.map((name) => req.headers[name] ?? '')].join('\n');
    const known = kept.get(key);
    if (known) {
      try {
        await pass(ctx, async () => {
          res.writeHead(200, [...known.headers, 'X-Request-Id', ctx.state.requestId]).end(known.body, known.encoding);
          ctx.respond = false;
        });
        return;
      } catch {
        // Refused: said by the usual way, where it is refused again.
      }
    }
    await next();
    const { status, body } = ctx;
    if (status !== 200 || typeof body !== 'string' || key.length > longestKey) return;
    const headers = Object.entries(ctx.response.headers)
      .filter(([name]) => name !== 'x-request-id' && name !== 'connection')
      .flatMap(([name, value]) => [value ?? ''].flat().flatMap((one) => [name, String(one)]));
    const isAscii = Buffer.byteLength(body) === body.length;
    kept.set(key, { headers, body, encoding: isAscii ? 'latin1' : 'utf8' });
  };
}
