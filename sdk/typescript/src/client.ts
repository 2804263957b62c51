import createFetchClient, {
  type ClientOptions as FetchOptions,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import { errorOf } from './errors.ts';
import { pagesOf } from './pages.ts';
import { idempotentPosts, withRetries, type Retries } from './retries.ts';

export interface ClientOptions extends Retries {
  /** Where the service is, such as `https://intel.example`. */
  baseUrl: string;
  /** An API key. Without one the public routes answer. */
  key?: string;
  /** What sends the requests; the platform's own. */
  fetch?: (request: Request) => Promise<Response>;
}

type Arguments<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init];
type InitOf<Path, Method extends HttpMethod> = MaybeOptionalInit<Path, Extract<keyof Path, Method>>;
type DataOf<Path, Method extends HttpMethod> =
  Path extends Record<Method, infer Operation>
    ? Operation extends Record<string | number, unknown>
      ? NonNullable<FetchResponse<Operation, unknown, `${string}/${string}`>['data']>
      : never
    : never;
type Ask<Paths extends object, Method extends HttpMethod> = <Path extends PathsWithMethod<Paths, Method>>(
  path: Path,
  ...init: Arguments<InitOf<Paths[Path], Method>>
) => Promise<DataOf<Paths[Path], Method>>;
type ItemOf<List> = List extends { items: readonly (infer Item)[] } ? Item : never;

/** Asks the service; what it answers with 400 or more is thrown as an `ApiError`. */
export interface Client<Paths extends object> {
  get: Ask<Paths, 'get'>;
  post: Ask<Paths, 'post'>;
  patch: Ask<Paths, 'patch'>;
  delete: Ask<Paths, 'delete'>;
  /** All pages of a list, each asked for when the one before has been read. */
  pages<Path extends PathsWithMethod<Paths, 'get'>>(
    path: Path,
    ...init: Arguments<InitOf<Paths[Path], 'get'>>
  ): AsyncGenerator<DataOf<Paths[Path], 'get'>>;
  /** The items on all pages of a list. */
  items<Path extends PathsWithMethod<Paths, 'get'>>(
    path: Path,
    ...init: Arguments<InitOf<Paths[Path], 'get'>>
  ): AsyncGenerator<ItemOf<DataOf<Paths[Path], 'get'>>>;
}

/** `Paths`: as openapi-typescript makes them of the service's contract. */
export function createClientOf<Paths extends object>({
  baseUrl,
  key,
  fetch: send = (request) => fetch(request),
  ...retries
}: ClientOptions): Client<Paths> {
  const options: FetchOptions = {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    fetch: withRetries(send, retries),
    // A key goes nowhere but to the service that gave it.
    redirect: 'error',
    ...(key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }),
  };
  const client = createFetchClient<Record<string, Record<HttpMethod, unknown>>>(options);
  client.use({
    onRequest: ({ request, schemaPath }) => {
      if (request.method === 'POST' && idempotentPosts.includes(schemaPath) && !request.headers.has('idempotency-key'))
        request.headers.set('idempotency-key', crypto.randomUUID());
      return request;
    },
    onResponse: async ({ response }) => {
      if (!response.ok) throw await errorOf(response);
    },
  });

  const ask =
    (method: HttpMethod) =>
    async (path: string, init: Init = {}): Promise<unknown> => {
      const { data, response } = await client.request(method, path as never, { parseAs: 'stream', ...init } as never);
      return init.parseAs === undefined ? bodyOf(response) : data;
    };
  const get = ask('get');
  const pages = (path: string, init: Init = {}) => {
    const { params = {} } = init;
    return pagesOf(
      async (place) =>
        (await get(path, { ...init, params: { ...params, query: { ...params.query, ...place } } })) as object,
    );
  };
  async function* items(path: string, init?: Init) {
    for await (const page of pages(path, init)) yield* (page as { items?: unknown[] }).items ?? [];
  }
  return {
    get,
    post: ask('post'),
    patch: ask('patch'),
    delete: ask('delete'),
    pages,
    items,
  } as unknown as Client<Paths>;
}

/** As its media type says; nothing of a 204. */
async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  return /\bjson\b/.test(response.headers.get('content-type') ?? '') ? response.json() : response.text();
}

interface Init {
  parseAs?: string;
  params?: { query?: Record<string, unknown>; path?: Record<string, unknown>; header?: Record<string, unknown> };
}
