import { createHash, hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { ownNetwork } from './address.ts';
import type { Admission } from './admission.ts';
import { inTime, jsonBody, rawBody } from './body.ts';
import type { Pace } from './body.ts';
import { HttpError, insufficientRole, toHttpError } from './errors.ts';
import type { Explain } from './errors.ts';
import { idempotency } from './idempotency.ts';
import type { Once } from './idempotency.ts';
import type { OwnOrigin } from './own-origin.ts';
import { checkFields, pageLinks, withFields } from './page.ts';
import { problems } from './problems.ts';
import { bodiesOf, isWriting, Reply } from './route.ts';
import type { Caller, Route } from './route.ts';
import type { State } from './state.ts';
import { parseBody, parseQuery } from './validate.ts';

/** One call of a metered route, as it is about to be answered. */
export interface Call {
  product: string;
  operation: string;
  status: number;
  class: 'successful' | 'not_modified' | 'client_error' | 'server_error';
  credits: number;
  caller: Caller;
}

/** What serving a route needs beside the route. */
export interface Serving {
  baseUrl: string;
  docsBase: string;
  deadlineMs: number;
  /** Whose turn it is to have a body read, which takes memory, and to be worked for. */
  bodies: Admission;
  work: Admission;
  pace: Pace;
  isOwn: OwnOrigin;
  /** Throws where the caller's key is restricted to other things. */
  mayCall: (caller: Caller, route: Route) => void;
  /** Called once a metered call, before its response begins; where it fails, the call is answered with that and nothing else. */
  meter: (call: Call) => Promise<void>;
  /** Throws while nothing can be booked on its day. */
  mustKnowDay: () => void;
  /** For routes that accept an `Idempotency-Key`. */
  idempotency?: Once;
  explain: Explain;
  /** Whether there is room for what routes write. */
  canStore: () => boolean;
  report: (error: unknown, requestId: string) => void;
  /** Check each response against its schema: for tests. */
  verifyResponses: boolean;
}

/** Runs one route: role, media types, room, body, its turn, query, idempotency, quota, handler, meter, response; in this order. */
export function serve(route: Route, serving: Serving): Koa.Middleware<State> {
  const bodies = bodiesOf(route);
  const admit = admitter(route, serving, bodyReader(route, [...bodies.keys()]));
  const answer = answerer(route, serving);
  const writes = isWriting(route);
  const produces = [route.produces ?? 'application/json'].flat();
  if (route.constant && route.access !== 'public') throw new Error(`${route.operation_id} is not for everybody alike.`);
  return async (ctx) => {
    const { caller, began } = ctx.state;
    // What came before the handler took time as well; a body that comes slowly is the caller's own.
    const beforeMs = performance.now() - began;
    if (route.ownOrigin && !serving.isOwn(ctx.req)) throw new HttpError(problems.foreign_origin);
    authorize(route, caller);
    if (caller !== null) serving.mayCall(caller, route);
    const accepted = ctx.accepts(...produces);
    if (!accepted)
      throw new HttpError(problems.not_acceptable, { detail: `This route sends ${produces.join(' or ')}.` });
    if (writes && !serving.canStore())
      throw new HttpError(problems.insufficient_storage, { headers: { 'Retry-After': '60' } });
    if (route.product !== null || route.booked) serving.mustKnowDay();
    const { body, waitedMs, leave } = await admit(ctx);
    try {
      const leftMs = Math.max(0, serving.deadlineMs - beforeMs - waitedMs);
      await answerMetered(ctx, { body, accepted, leftMs });
    } finally {
      leave();
    }
  };

  async function answerMetered(
    ctx: Koa.ParameterizedContext<State>,
    { body, accepted, leftMs }: { body: unknown; accepted: string; leftMs: number },
  ): Promise<void> {
    const { caller, found } = ctx.state;
    const meter = async (status: number) => {
      if (route.product === null || caller === null) return;
      const call = callOf(route, route.product, caller, status);
      await serving.meter(call).catch((error: unknown) => {
        // Of the answer that is not given.
        for (const name of ['ETag', 'Link']) ctx.remove(name);
        throw error;
      });
    };

    try {
      const params = route.params.safeParse(found.params);
      if (!params.success) throw new HttpError(problems.route_not_found);
      const query = parseQuery(route.query, ctx.querystring);
      const fields = route.paged ? (query['fields'] as readonly string[] | undefined) : undefined;
      checkFields(route.response, fields);
      const input = {
        params: params.data,
        query,
        body:
          route.body === null
            ? body
            : parseBody(bodies.get(ctx.request.type) ?? route.body, route.assemble?.(body, ctx.headers) ?? body),
        caller,
        request: {
          id: ctx.state.requestId,
          ip: ctx.state.ip,
          contentType: body === undefined ? null : ctx.request.type,
          accepted,
          headers: ctx.headers,
        },
      };
      const reply = await withDeadline(leftMs, (signal) => answer(ctx, { ...input, signal }));
      respond(ctx, route, reply, { query, baseUrl: serving.baseUrl });
    } catch (cause) {
      const error = toHttpError(cause, serving.explain);
      // What a quota refuses is no call.
      if (error.problem !== problems.rate_limited) await meter(error.problem.status);
      throw error;
    }
    await meter(ctx.status);
  }
}

/** Reads the body, then waits for the turn of who asks; what was read keeps its room until then. */
function admitter(route: Route, { bodies, work, pace }: Serving, readBody: ReturnType<typeof bodyReader>) {
  const ofRoute = { ...pace, maxMs: route.access === 'public' ? pace.maxPublicMs : pace.maxMs };
  const none = () => {};
  return async (ctx: Koa.ParameterizedContext<State>) => {
    const { caller, ip } = ctx.state;
    const party = caller ? { id: caller.organization.id, hasKey: true } : { id: ownNetwork(ip), hasKey: false };
    let waitedMs = 0;
    const turn = async (admission: Admission) => {
      const began = performance.now();
      const leave = await admission.enter(party, ctx.res);
      waitedMs += performance.now() - began;
      return leave;
    };
    const read = readBody !== null && isBodySent(ctx.req) ? () => readBody(ctx) : null;
    const leaveBodies = read ? await turn(bodies) : none;
    try {
      const body = read ? await inTime(ctx, ofRoute, read) : await readBody?.(ctx);
      const leave = route.probe || route.delegates ? none : await turn(work);
      return { body, waitedMs, leave };
    } finally {
      leaveBodies();
    }
  };
}

const isBodySent = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

type Input = Parameters<Route['handle']>[0];

/** Calls the handler; that of an idempotent route, once. */
function answerer(
  route: Route,
  serving: Serving,
): (ctx: Koa.ParameterizedContext<State>, input: Input) => Promise<Reply<unknown>> {
  const handle = async ({ state: { ownQuota } }: Koa.ParameterizedContext<State>, input: Input) => {
    await ownQuota.take();
    const result = await route.handle(input);
    const reply = result instanceof Reply ? result : new Reply(result);
    const { response } = reply.status === 202 && route.accepted ? route.accepted : route;
    if (serving.verifyResponses && !(reply.body instanceof Uint8Array)) response.parse(reply.body);
    return reply;
  };
  if (!route.idempotent) return (ctx, input) => countDone(ctx, () => handle(ctx, input));
  const { idempotency: once, docsBase, explain } = serving;
  if (!once) throw new Error(`Nothing was given that does ${route.operation_id} once.`);
  const idempotently = idempotency(route, { once, docsBase, explain });
  return (ctx, input) => countDone(ctx, () => idempotently(ctx, input, () => handle(ctx, input)));
}

/** What was refused, or has failed, has used up nothing of the route's own quota. */
async function countDone(
  { state: { ownQuota } }: Koa.ParameterizedContext<State>,
  answer: () => Promise<Reply<unknown>>,
): Promise<Reply<unknown>> {
  try {
    const reply = await answer();
    if ((reply.status ?? 200) >= 400) await ownQuota.giveBack();
    return reply;
  } catch (error) {
    await ownQuota.giveBack();
    throw error;
  }
}

function bodyReader({ raw, body, bodyLimit: limit = 64 * 1024 }: Route, types: readonly string[]) {
  if (raw) return rawBody(limit);
  return body === null ? null : jsonBody(limit, types);
}

function authorize({ access }: Route, caller: Caller | null): void {
  if (access === 'public' || access === 'tenant') return;
  const role = caller?.member.role ?? '';
  if (!access.roles.includes(role)) throw insufficientRole(role, access.roles);
}

async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    controller.abort();
    late.reject(new HttpError(problems.deadline_exceeded, { detail: 'The answer took too long.' }));
  }, ms);
  try {
    return await Promise.race([work(controller.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function callOf({ operation_id, credits }: Route, product: string, caller: Caller, status: number): Call {
  const family =
    status === 304 ? 'not_modified' : status < 400 ? 'successful' : status < 500 ? 'client_error' : 'server_error';
  return {
    product,
    operation: operation_id,
    status,
    class: family,
    credits: family === 'successful' && status !== 202 && caller.api_key.environment === 'live' ? credits : 0,
    caller,
  };
}

const cacheControl = {
  none: 'no-store',
  revalidate: 'private, no-cache',
  public: 'public, max-age=300',
};

function respond(
  ctx: Koa.Context,
  route: Route,
  reply: Reply<unknown>,
  { query, baseUrl }: { query: Record<string, unknown>; baseUrl: string },
): void {
  const status = reply.status ?? route.status ?? 200;
  const cache = status < 400 && status !== 202 ? cacheOf(route) : 'none';
  if (cache === 'revalidate') ctx.vary('Authorization');
  if (Array.isArray(route.produces)) ctx.vary('Accept');
  if (route.secret) ctx.compress = false;
  ctx.set({ 'Cache-Control': cacheControl[cache], ...reply.headers });
  if (reply.cookies.length > 0) ctx.set('Set-Cookie', [...reply.cookies]);
  ctx.status = status;
  if (isBodiless(status)) {
    // Koa writes words of its own where there is no body, and takes its absence for a 204.
    ctx.body = null;
    ctx.status = status;
    return;
  }
  if (route.paged) {
    const links = pageLinks(new URL(`${baseUrl}${ctx.path}${ctx.search}`), {
      page: Number(query['page']),
      page_size: Number(query['page_size']),
      cursor: query['cursor'] as string | undefined,
      total: totalOf(reply.body),
      next_cursor: (reply.body as { next_cursor?: string }).next_cursor,
    });
    if (links !== null) ctx.set('Link', links);
  }
  const isPage = route.produces === 'text/html';
  const body = route.paged ? withFields(reply.body, query['fields'] as readonly string[] | undefined) : reply.body;
  const content = isPage ? String(body) : contentOf(body);
  if (isPage) ctx.set('Content-Security-Policy', pagePolicy(String(content)));
  if (cache !== 'none') ctx.set('ETag', `W/"${hash('sha1', content, 'base64url')}"`);
  ctx.set('Content-Type', reply.type ?? (isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'));
  if (cache !== 'none' && ctx.get('If-None-Match') !== '' && ctx.fresh) ctx.status = 304;
  else ctx.body = content;
}

/** Of the answers that routes give. */
const isBodiless = (status: number) => [204, 303, 308].includes(status);

const contentOf = (body: unknown) => (body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body));

function cacheOf({ secret, cache, access, product }: Route): keyof typeof cacheControl {
  if (secret) return 'none';
  return cache ?? (access === 'public' ? 'public' : product === null ? 'none' : 'revalidate');
}

/** Nothing but the page's own style sheet; of a page that has scripts, also what is served from here. */
function pagePolicy(page: string): string {
  const [, style] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
  const own = /<script [^>]*\bsrc=/.test(page);
  const styles = [
    ...(own ? [`'self'`] : []),
    ...(style === undefined ? [] : [`'sha256-${createHash('sha256').update(style).digest('base64')}'`]),
  ];
  return [
    `default-src 'none'`,
    ...(styles.length > 0 ? [`style-src ${styles.join(' ')}`] : []),
    ...(own ? [`script-src 'self'; connect-src 'self'; img-src 'self' data:`] : []),
    `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  ].join('; ');
}

function totalOf(result: unknown): number {
  return typeof result === 'object' && result !== null && 'total' in result ? Number(result.total) : 0;
}
