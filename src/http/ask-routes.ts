import { HttpError, problemBody, toHttpError } from './errors.ts';
import type { Explain } from './errors.ts';
import { createFinder } from './find.ts';
import { problems } from './problems.ts';
import { Reply } from './route.ts';
import type { Caller, Route } from './route.ts';
import { parseBody, parseQuery } from './validate.ts';

/**
 * GETs of these routes, and POSTs that only ask, within the process, by whoever runs it: no credential, no quota and no meter, and what everybody is answered.
 * Throws what no caller may see.
 */
export function askRoutes(routes: readonly Route[], { explain, docsBase }: { explain: Explain; docsBase: string }) {
  const find = createFinder(routes);
  return async (target: string, caller: Caller, question?: unknown): Promise<{ status: number; json: unknown }> => {
    const { pathname, search } = new URL(target, 'http://localhost');
    try {
      const { route, params } = find(question === undefined ? 'GET' : 'POST', pathname);
      const given = route?.params.safeParse(params);
      const isQuestion = question === undefined || route?.readOnly === true;
      if (!route || !isQuestion || !given?.success) throw new HttpError(problems.route_not_found);
      const result = await route.handle({
        params: given.data,
        query: parseQuery(route.query, search.slice(1)),
        body: route.body === null ? undefined : parseBody(route.body, question),
        caller,
        request: { id: '', ip: '', contentType: null, accepted: 'application/json', headers: {} },
        signal: new AbortController().signal,
      });
      const { body, status = 200 } = result instanceof Reply ? (result as Reply<unknown>) : { body: result };
      return { status, json: JSON.parse(JSON.stringify(body)) as unknown };
    } catch (cause) {
      const error = toHttpError(cause, explain);
      if (error.problem === problems.internal_error) throw cause;
      const json = problemBody(error, { docsBase, instance: pathname, requestId: '' });
      return { status: error.problem.status, json };
    }
  };
}
