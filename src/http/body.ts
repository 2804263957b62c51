import { setImmediate as afterReading } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { koaBody } from 'koa-body';
import getRawBody from 'raw-body';
import { HttpError } from './errors.ts';
import { problems } from './problems.ts';

const maxDepth = 20;

/** How slowly a body may come. */
export interface Pace {
  /** For the whole body, where a key was asked for, and where none was. */
  maxMs: number;
  maxPublicMs: number;
  /** Once the first moments are over. */
  minBytesPerSecond: number;
  graceMs: number;
}

/** Of which it is known that their bodies will not come to their end. */
const unreadable = new WeakMap<IncomingMessage, HttpError>();

/** Says that the body of this request can't be read any further; false when nobody reads it yet. */
export function endBody(request: IncomingMessage, problem: HttpError): boolean {
  unreadable.set(request, problem);
  return request.emit('unreadable', problem);
}

/** The connection is of no use after a body that was not read to its end. */
const close = { Connection: 'close' };

/**
 * Reads a body with `read`; 408 when it comes more slowly than it may, 400 when its sender goes before its end or what was sent
 * is no body.
 */
export async function inTime<T>(
  { req, res }: Koa.Context,
  { maxMs, minBytesPerSecond, graceMs }: Omit<Pace, 'maxPublicMs'>,
  read: () => Promise<T>,
): Promise<T> {
  const { socket } = req;
  const began = performance.now();
  const before = socket.bytesRead;
  const given = Promise.withResolvers<never>();
  const look = async () => {
    // What lies in the socket has come, too, even when this process had no time to read it.
    await afterReading();
    const ms = performance.now() - began;
    const isSlow = ms >= graceMs && socket.bytesRead - before < (minBytesPerSecond * ms) / 1_000;
    if (isSlow || ms >= maxMs)
      given.reject(
        new HttpError(problems.request_timeout, {
          detail: `A body must come within ${maxMs / 1_000} s, and at no less than ${minBytesPerSecond} bytes/s.`,
          headers: close,
        }),
      );
  };
  const gone = () => {
    if (!req.complete) given.reject(new HttpError(problems.bad_request, { headers: close }));
  };
  const looking = setInterval(() => void look(), Math.min(graceMs, maxMs) / 2);
  req.once('close', gone).once('unreadable', given.reject);
  const known = unreadable.get(req);
  if (known) given.reject(known);
  else if (req.destroyed) gone();
  try {
    if (/100-continue/i.test(req.headers.expect ?? '')) res.writeContinue();
    return await Promise.race([given.promise, read()]);
  } finally {
    clearInterval(looking);
    req.off('close', gone).off('unreadable', given.reject);
  }
}

/**
 * Refuses what no schema asks for and what has hurt others: deep nesting, a key that reaches into prototypes (koa-body refuses
 * `__proto__`), and half of a surrogate pair, which no store can hold.
 */
function refuseHostile(value: unknown, depth = 0): void {
  if (typeof value === 'string' && !value.isWellFormed())
    throw new HttpError(problems.validation_error, { detail: 'The body has a text that is no Unicode.' });
  if (typeof value !== 'object' || value === null) return;
  if (depth >= maxDepth)
    throw new HttpError(problems.validation_error, { detail: `The body nests deeper than ${maxDepth}.` });
  for (const [key, member] of Object.entries(value)) {
    if (key === 'constructor')
      throw new HttpError(problems.validation_error, { detail: `The body has a key named ${key}.` });
    refuseHostile(key);
    refuseHostile(member, depth + 1);
  }
}

/** Reads a body of at most `limit` bytes in one of these JSON media types; 415, 413 or 400 when it is none. */
export function jsonBody(
  limit: number,
  types: readonly string[] = ['application/json'],
): (ctx: Koa.Context) => Promise<unknown> {
  const parse = koaBody({
    jsonLimit: limit,
    jsonStrict: false,
    jsonTypes: [...types],
    multipart: false,
    urlencoded: false,
    text: false,
  });
  return async (ctx) => {
    const is = ctx.is(...types);
    if (is === null) return undefined;
    if (is === false)
      throw new HttpError(problems.unsupported_media_type, { headers: { 'Accept-Post': types.join(', ') } });
    try {
      await parse(ctx, async () => {});
    } catch (cause) {
      const status = cause instanceof Error && 'status' in cause ? cause.status : null;
      if (status === 413)
        throw new HttpError(problems.payload_too_large, { detail: `At most ${limit} bytes are read.` });
      if (status === 415) throw new HttpError(problems.unsupported_media_type);
      throw new HttpError(problems.malformed_json, { cause });
    }
    refuseHostile(ctx.request.body);
    return ctx.request.body === '' ? undefined : ctx.request.body;
  };
}

/** Reads the bytes of a body as they came, at most `limit` of them; 413 when there are more. */
export function rawBody(limit: number): (ctx: Koa.Context) => Promise<Buffer> {
  return async (ctx) => {
    try {
      return await getRawBody(ctx.req, { limit, length: ctx.get('Content-Length') || null });
    } catch (cause) {
      const status = cause instanceof Error && 'status' in cause ? cause.status : null;
      if (status === 413)
        throw new HttpError(problems.payload_too_large, { detail: `At most ${limit} bytes are read.` });
      throw new HttpError(problems.bad_request, { cause });
    }
  };
}
