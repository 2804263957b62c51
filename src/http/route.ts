import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Problem } from './problems.ts';

/** Who is calling, as far as the kernel and the handlers need to know. */
export interface Caller {
  organization: { id: string; slug: string; name: string };
  /** What the organization is on, which may say how much it asks. */
  plan: string;
  member: { id: string; name: string; role: string };
  api_key: { id: string; prefix: string; expires_at: string | null; environment: 'live' | 'test' };
  /** What the key is restricted to; null: to nothing. */
  products: readonly string[] | null;
  repositories: readonly string[] | null;
  scopes: readonly string[] | null;
  rate_limit_per_minute: number | null;
}

/** Who may call: everybody, every member of a tenant, or members with one of these roles. */
export type Access = 'public' | 'tenant' | { roles: readonly string[] };

type Shape = Readonly<Record<string, z.ZodType>>;
type Values<S extends Shape> = z.output<z.ZodObject<S>>;

/** What a handler may ask about the request itself. */
export interface RequestFacts {
  id: string;
  /** The caller's address, as far as the proxies before us are believed. */
  ip: string;
  /** Without parameters, lower case; null when there is no body. */
  contentType: string | null;
  /** Which of the media types that the route produces the caller likes best. */
  accepted: string;
  headers: IncomingHttpHeaders;
}

/** An answer with a status, headers or a media type of its own; a plain value is answered as the route declares. */
export class Reply<T> {
  readonly body: T;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whole `Set-Cookie` fields. */
  readonly cookies: readonly string[];
  /** Of bytes; a value is JSON. */
  readonly type: string | undefined;
  constructor(
    body: T,
    options: {
      status?: number;
      headers?: Readonly<Record<string, string>>;
      cookies?: readonly string[];
      type?: string;
    } = {},
  ) {
    this.body = body;
    this.status = options.status;
    this.headers = options.headers ?? {};
    this.cookies = options.cookies ?? [];
    this.type = options.type;
  }
}

/** What a handler is given: everything parsed. */
interface Input<A extends Access, P extends Shape, Q extends Shape, B extends z.ZodType> {
  params: Values<P>;
  query: Values<Q>;
  body: z.output<B>;
  caller: A extends 'public' ? null : Caller;
  request: RequestFacts;
  /** Aborts when the deadline has passed. */
  signal: AbortSignal;
}

interface Declaration {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As in OpenAPI: `/things/{name}`. */
  path: `/${string}`;
  operation_id: string;
  summary: string;
  description?: string;
  /** What the call is metered for; null when it is not metered. */
  product: string | null;
  /** What a successful call costs. */
  credits: number;
  /** The errors of its own that it may answer with, beside the kernel's. */
  errors?: readonly Problem[];
  /** The quota that counts this route beside the general ones. */
  limit?: string;
  /** A list: its query has `page` and `page_size`, its response `total`; the kernel adds the Link header. */
  paged?: boolean;
  /** It will end: since when that is known, when it is, and where to read what to do; dates are RFC 3339. */
  deprecated?: { since: string; end: string; guide: string };
  /** Answers whatever happens: it waits for no turn and is counted against no quota. */
  probe?: boolean;
  /** A question, whatever its method: it is answered also while nothing can be stored. */
  readOnly?: boolean;
  /** Counted by its day, though it is not metered. */
  booked?: boolean;
  /** Only asks this service itself, so that each of its questions has a turn of its own, and it needs none. */
  delegates?: boolean;
  /** Refused where Host or Origin name another site: whatever runs in a browser beside may not ask here. */
  ownOrigin?: boolean;
  /** Readable by pages of other origins. */
  cors?: boolean;
  /** Which caches may keep the response; otherwise by access: metered routes revalidate, other tenant routes keep nothing. */
  cache?: 'none' | 'revalidate' | 'public';
  /** Path and query alone decide the response, for as long as the process lives: it is kept, and given again. Public routes only. */
  constant?: boolean;
  /** Of the response; a handler of `text/html` returns the page, one of several returns a `Reply` that says which. */
  produces?: string | readonly string[];
  /** Of a response that is no error; 200 unless told. After 204, 303 and 308 there is no body. */
  status?: 200 | 201 | 202 | 204 | 303 | 308;
  /** Headers of the response that its document names, with what they say: `Location`, `Retry-After` … */
  responseHeaders?: Readonly<Record<string, string>>;
  /** Where the answer may still be being made: what is said with 202 until it is there. That costs nothing, and is kept by nobody. */
  accepted?: { response: z.ZodType; headers: Readonly<Record<string, string>>; example: unknown };
  /** Accepts an `Idempotency-Key`: what the handler does in its organization's transaction is done once. */
  idempotent?: boolean;
  /** The response holds a secret: never compressed, never kept. */
  secret?: boolean;
  /** Media types of the body, `application/json` unless told; each with its own schema where not all take what `body` does. */
  consumes?: readonly string[] | Readonly<Record<string, z.ZodType>>;
  /** What the body stands for where headers say more of it, before it is checked. */
  assemble?: (body: unknown, headers: IncomingHttpHeaders) => unknown;
  /** The handler is given the body's bytes as they came, whatever their type: its schema is `z.instanceof(Uint8Array)`. */
  raw?: boolean;
  /** Most bytes of a body; 64 KiB unless told. */
  bodyLimit?: number;
  /** A response as the documentation shows it; it fulfils the schema. */
  example?: unknown;
}

interface Definition<
  A extends Access,
  P extends Shape,
  Q extends Shape,
  B extends z.ZodType,
  R extends z.ZodType,
> extends Declaration {
  access: A;
  /** What cannot be a path parameter answers 404, never 422. */
  params?: P;
  /** Every parameter; others are refused. */
  query?: Q;
  body?: B;
  response: R;
  handle: (input: Input<A, P, Q, B>) => Answered<z.input<R>> | Promise<Answered<z.input<R>>>;
}

/** With 202 what `accepted` says; else what `response` does. */
type Answered<T> = T | Reply<T | Uint8Array> | Reply<{ status: string }>;

/** One route, whatever its types: the router, the validation, the meter and the document are made from it. */
export interface Route extends Declaration {
  access: Access;
  params: z.ZodObject<Shape>;
  query: z.ZodObject<Shape>;
  body: z.ZodType | null;
  response: z.ZodType;
  handle: (input: {
    params: unknown;
    query: unknown;
    body: unknown;
    caller: Caller | null;
    request: RequestFacts;
    signal: AbortSignal;
  }) => unknown;
}

/** Whether it stores something; what ends a thing or takes it away needs no room. */
export const isWriting = ({ method, readOnly = false }: Pick<Route, 'method' | 'readOnly'>): boolean =>
  !readOnly && method !== 'GET' && method !== 'DELETE';

/** Declares a route; nothing about it is said twice. */
export function route<
  A extends Access,
  R extends z.ZodType,
  P extends Shape = Record<string, never>,
  Q extends Shape = Record<string, never>,
  B extends z.ZodType = z.ZodUndefined,
>(definition: Definition<A, P, Q, B, R>): Route {
  return {
    ...definition,
    params: z.object(definition.params ?? {}),
    query: z.object(definition.query ?? {}),
    body: definition.body ?? null,
    // The kernel calls it with what these very schemas have parsed.
    handle: definition.handle as Route['handle'],
  };
}

/** The media types of a route's body, each with its schema; none where it has no body. */
export function bodiesOf({ body, raw, consumes = ['application/json'] }: Route): Map<string, z.ZodType> {
  if (body === null && !raw) return new Map();
  const schema = raw || body === null ? z.unknown() : body;
  return new Map(
    Array.isArray(consumes)
      ? consumes.map((type: string) => [type, schema])
      : Object.entries<z.ZodType>(consumes as Record<string, z.ZodType>),
  );
}
