import { tracingChannel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import compress from 'koa-compress';
import helmet from 'koa-helmet';
import { clientRequestId, since } from './access-record.ts';
import type { AccessRecord } from './access-record.ts';
import { addressOf } from './address.ts';
import { createAdmission } from './admission.ts';
import type { AdmissionLimits } from './admission.ts';
import { authentication } from './authentication.ts';
import type { Authenticate } from './authentication.ts';
import type { Pace } from './body.ts';
import type { Vocabulary } from './components.ts';
import { documentationRoutes } from './documentation.ts';
import { HttpError, problemFunnel } from './errors.ts';
import type { DocsLink, Page } from './docs-page.ts';
import type { Explain } from './errors.ts';
import type { Once } from './idempotency.ts';
import type { ScopesOf } from './openapi.ts';
import { allowedMethods, createFinder } from './find.ts';
import { ownOrigin } from './own-origin.ts';
import { watchProcess } from './pressure.ts';
import type { Pressure } from './pressure.ts';
import { problems } from './problems.ts';
import { countQuotas, noQuota, rateLimit } from './rate-limit.ts';
import type { CreateLimiter, Limits } from './rate-limit.ts';
import { newRequestId } from './request-id.ts';
import { repeat } from './response-cache.ts';
import type { Answer } from './response-cache.ts';
import type { Caller, Route } from './route.ts';
import { serve } from './serve.ts';
import type { Call } from './serve.ts';
import type { State } from './state.ts';

/** Everything that the kernel must be told; it reads no environment and keeps no globals. */
export interface AppOptions {
  routes: readonly Route[];
  /** How the service calls itself in its documents. */
  service: { title: string; version: string; apiVersion: string; description: string };
  /** Where it is reached from outside, without a slash at the end. */
  baseUrl: string;
  /** Where `docs_url` leads; `{baseUrl}/docs` unless told. */
  docsBase?: string;
  /** Of the documentation, beside the kernel's own. */
  pages?: readonly Page[];
  /** Of the documentation's navigation, to places outside of it. */
  links?: readonly DocsLink[];
  /** Of WWW-Authenticate. */
  realm: string;
  authenticate: Authenticate;
  /** Where RFC 9728's metadata of what is at a path are; nowhere, unless told. */
  resourceMetadata?: (path: string) => string | null;
  /** Name of the cookie that holds the key of a page of our own. */
  sessionCookie: string;
  /** Throws where the caller's key is restricted to other things; nothing unless told. */
  mayCall?: (caller: Caller, route: Route) => void;
  /** The scopes of which a restricted key needs one; null: every key may. */
  scopesOf?: ScopesOf;
  /** What members of bodies and answers mean, where their schemas do not say it. */
  vocabulary?: Vocabulary;
  /** What operations are about, by the tags of the document. */
  areas?: Vocabulary;
  meter: (call: Call) => Promise<void>;
  /** Throws while nothing can be booked on its day; it always can, unless told. */
  mustKnowDay?: () => void;
  /** Needed when a route is idempotent. */
  idempotency?: Once;
  explain?: Explain;
  limits: Limits;
  limiter: CreateLimiter;
  pressure?: Pressure;
  /** Whether there is room for what routes write; there is, unless told. */
  canStore?: () => boolean;
  /** How many of these one party has at once, and how many wait how long. */
  turns?: Omit<AdmissionLimits, 'maxInFlight'>;
  /** How slowly bodies may come. */
  pace?: Pace;
  /** Names of this service beside that in `baseUrl`, for routes that only its own origin may use. */
  allowedHosts?: readonly string[];
  deadlineMs?: number;
  /** How many proxies stand before it; X-Forwarded-For is believed for as many and no more. */
  trustedProxies?: number;
  /** Called with errors that the caller must not see. */
  report?: (error: unknown, requestId: string) => void;
  access?: (record: AccessRecord) => void;
  /** Check each response against its schema: for tests. */
  verifyResponses?: boolean;
}

/**
 * The service as a handler of Node's requests. The order of checks is the order of the lines: credential, path, quota, route,
 * method; then `serve` goes on with role, media type, body, its turn, query, idempotency, the route's own quota, handler, meter.
 */
export function createApp(options: AppOptions): Answer {
  const {
    docsBase = `${options.baseUrl}/docs`,
    explain = () => null,
    report = () => {},
    pressure = { maxInFlight: 200, maxEventLoopDelayMs: 200, windowMs: 1_000, maxHeapShare: 0.9 },
    turns = { maxInFlightOfOne: 8, maxWaiting: 10_000, maxWaitMs: 5_000 },
    pace = { maxMs: 8_000, maxPublicMs: 5_000, minBytesPerSecond: 1_024, graceMs: 2_000 },
    deadlineMs = 10_000,
    trustedProxies = 0,
    canStore = () => true,
    mayCall = () => {},
    mustKnowDay = () => {},
    resourceMetadata = () => null,
    verifyResponses = false,
  } = options;
  const routes = [...options.routes, ...documentationRoutes(options.routes, { ...options, docsBase })];
  const find = createFinder(routes);
  const work = createAdmission({ ...turns, maxInFlight: watchProcess(pressure) });
  const bodies = createAdmission({
    ...turns,
    // They wait for whoever sends them, not for us.
    maxInFlightOfOne: 8 * turns.maxInFlightOfOne,
    maxInFlight: () => maxBodies,
  });
  const isOwn = ownOrigin(options.baseUrl, options.allowedHosts);
  const serving = {
    ...options,
    docsBase,
    explain,
    report,
    deadlineMs,
    canStore,
    mayCall,
    mustKnowDay,
    verifyResponses,
    pace,
    work,
    bodies,
    isOwn,
  };
  const handlers = new Map(routes.map((route) => [route, serve(route, serving)]));

  const check = wellFormed(options.service.apiVersion);
  /** What is refused before anything of it is looked at. */
  const refused = new WeakMap<IncomingMessage, HttpError>();
  const quotas = countQuotas(options.limits, options.limiter);
  const repeated = repeat({ check, work, quotas, trustedProxies, access: options.access });
  const app = new Koa<State>();
  app.on('error', (error: unknown, ctx?: Koa.Context) => report(error, String(ctx?.state['requestId'] ?? '')));
  app
    .use(identify(find, trustedProxies))
    .use(accessLog(options.access))
    .use(repeated.keep)
    .use(named(options.service.apiVersion))
    .use(securityHeaders)
    .use(problemFunnel({ docsBase, realm: options.realm, explain, report }))
    .use(compression())
    .use((ctx, next) => {
      const refusal = refused.get(ctx.req);
      if (refusal) throw refusal;
      check(ctx.req);
      return next();
    })
    .use(
      authentication({
        authenticate: options.authenticate,
        realm: options.realm,
        resourceMetadata,
        work,
        session: { cookie: options.sessionCookie, isOwn },
      }),
    )
    .use(sanePath)
    .use(rateLimit(quotas))
    .use(async (ctx, next) => {
      const { route, routes } = ctx.state.found;
      allowOrigins(ctx);
      if (routes.length === 0) throw new HttpError(problems.route_not_found);
      if (ctx.method === 'OPTIONS') {
        ctx.set({ Allow: allowedMethods(routes), 'Cache-Control': 'no-store' });
        ctx.status = 204;
        return;
      }
      const handler = route && handlers.get(route);
      if (!handler) {
        const allow = allowedMethods(routes);
        throw new HttpError(problems.method_not_allowed, { detail: `Allowed: ${allow}.`, headers: { Allow: allow } });
      }
      try {
        await handler(ctx, next);
      } finally {
        if (route.deprecated) announceEnd(ctx, route.deprecated);
      }
    });
  const answer = app.callback();
  const answerOrRepeat = repeated.before(answer);
  return (request, response, refusal) => {
    if (!refusal) return answerOrRepeat(request, response);
    refused.set(request, refusal);
    return answer(request, response);
  };
}

/** That are read at once, or have been read and wait for their turn. */
const maxBodies = 512;

/** Gives the request its id and its route. */
function identify(find: ReturnType<typeof createFinder>, trustedProxies: number): Koa.Middleware<State> {
  return (ctx, next) => {
    ctx.state.requestId = newRequestId();
    ctx.state.ip = addressOf(ctx.req, trustedProxies);
    ctx.state.began = performance.now();
    ctx.state.found = find(ctx.method, ctx.path);
    ctx.state.caller = null;
    ctx.state.ownQuota = noQuota;
    ctx.state.problem = null;
    return next();
  };
}

/** Says which request it was, and of which version the answer is. */
function named(apiVersion: string): Koa.Middleware<State> {
  return (ctx, next) => {
    ctx.set({ 'X-Request-Id': ctx.state.requestId, 'X-API-Version': apiVersion });
    return next();
  };
}

/** One request, for whoever traces: from its route to its answer. Answers that are given again are not traced. */
export interface TracedRequest {
  readonly headers: IncomingMessage['headers'];
  readonly method: string;
  /** As the contract writes it, with its parameters by name; null where there is none. */
  readonly path: string | null;
  /** Once it is answered. */
  record: AccessRecord | null;
}
export const requestChannel = tracingChannel<unknown, TracedRequest>('repo-intel:request');

function accessLog(tell: AppOptions['access']): Koa.Middleware<State> {
  return (ctx, next) => {
    const { route } = ctx.state.found;
    const traced: TracedRequest = { headers: ctx.headers, method: ctx.method, path: route?.path ?? null, record: null };
    return requestChannel.tracePromise(async () => {
      await next();
      const { requestId, began, caller, problem } = ctx.state;
      traced.record = {
        request_id: requestId,
        client_request_id: clientRequestId(ctx.req),
        method: ctx.method,
        operation: route?.operation_id ?? null,
        status: ctx.status,
        code: problem,
        ms: since(began),
        organization_id: caller?.organization.id ?? null,
        key_id: caller?.api_key.id ?? null,
      };
      tell?.(traced.record);
    }, traced);
  };
}

const securityHeaders = helmet({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
  // For browsers that are no more.
  xDownloadOptions: false,
  xXssProtection: false,
});

function compression(): Koa.Middleware<State> {
  const middleware = compress();
  return (ctx, next) => {
    if (ctx.req.headers['accept-encoding'] === undefined) {
      ctx.vary('Accept-Encoding');
      return next();
    }
    // koa-compress 5.2 fails where a client refuses every encoding, identity too; such a client gets the plain bytes.
    if (ctx.acceptsEncodings('gzip', 'identity') === false) ctx.compress = false;
    return middleware(ctx, next);
  };
}

/** What Node's parser lets through although HTTP does not, and versions that are not served. */
function wellFormed(apiVersion: string): (request: IncomingMessage) => void {
  return ({ rawHeaders, httpVersion, headers }) => {
    if (rawHeaders.length > 2 * 100) throw new HttpError(problems.headers_too_large);
    if (httpVersion === '1.1' && !headers.host)
      throw new HttpError(problems.bad_request, { detail: 'The Host header is missing.' });
    if (hasTwoHosts(rawHeaders)) throw new HttpError(problems.bad_request, { detail: 'There are two Host headers.' });
    if (headers.host && !hostPattern.test(headers.host))
      throw new HttpError(problems.bad_request, { detail: 'The Host header is not valid.' });
    const asked = headers['x-api-version'] ?? '';
    if (asked !== '' && asked !== apiVersion)
      throw new HttpError(problems.unsupported_api_version, { members: { supported_versions: [apiVersion] } });
  };
}

/** As RFC 3986 has it: a name or an address, and a port. */
const hostPattern = /^(\[[\da-f:.]+\]|([\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(:\d{0,5})?$/i;

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}

function sanePath(ctx: Koa.ParameterizedContext<State>, next: Koa.Next) {
  // What is not encoded has no control characters: Node's parser refuses them.
  if (!ctx.path.includes('%')) return next();
  try {
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    if (!/[\u0000-\u001f\u007f]/.test(decodeURIComponent(ctx.path))) return next();
  } catch {
    // malformed percent-encoding
  }
  throw new HttpError(problems.invalid_path);
}

/** Tells with each answer, an error too, that the route will end (RFC 9745, RFC 8594). */
function announceEnd(ctx: Koa.Context, { since, end, guide }: NonNullable<Route['deprecated']>) {
  ctx.set({ Deprecation: `@${Date.parse(since) / 1_000}`, Sunset: new Date(end).toUTCString() });
  ctx.append('Link', `<${guide}>; rel="deprecation"`);
}

/** Pages of other origins may read what is marked so, without a credential; nothing else. */
function allowOrigins(ctx: Koa.ParameterizedContext<State>) {
  const { routes } = ctx.state.found;
  if (!routes.some(({ cors }) => cors)) return;
  ctx.set('Access-Control-Allow-Origin', '*');
  if (ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '')
    ctx.set({ 'Access-Control-Allow-Methods': allowedMethods(routes), 'Access-Control-Max-Age': '86400' });
}
