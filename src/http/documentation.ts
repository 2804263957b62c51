import { z } from 'zod';
import { authenticationPage, errorPage, indexPage, rateLimitsPage } from './docs.ts';
import type { DocsContext } from './docs.ts';
import { HttpError } from './errors.ts';
import { openapi } from './openapi.ts';
import { problems } from './problems.ts';
import type { Problem } from './problems.ts';
import type { Limits } from './rate-limit.ts';
import { route } from './route.ts';
import type { Route } from './route.ts';

interface Options {
  service: { title: string; version: string; apiVersion: string; description: string };
  baseUrl: string;
  docsBase: string;
  limits: Limits;
}

/** The routes that tell about the routes: the OpenAPI document and the pages that `docs_url` leads to. */
export function documentationRoutes(routes: readonly Route[], options: Options): Route[] {
  const catalog = new Map<string, Problem>(
    [...Object.values(problems), ...routes.flatMap(({ errors = [] }) => errors)].map((problem) => [
      problem.code,
      problem,
    ]),
  );
  const context: DocsContext = { ...options, problems: [...catalog.values()] };
  const page = {
    method: 'GET',
    access: 'public',
    product: null,
    credits: 0,
    produces: 'text/html',
    constant: true,
  } as const;

  const own: Route[] = [
    route({
      method: 'GET',
      path: '/openapi.json',
      operation_id: 'get_openapi',
      summary: 'This document',
      access: 'public',
      product: null,
      credits: 0,
      cors: true,
      response: z.record(z.string(), z.unknown()).meta({ description: 'An OpenAPI 3.1 document.' }),
      constant: true,
      handle: () => openapi([...routes, ...own], options),
    }),
    route({
      ...page,
      path: '/docs',
      operation_id: 'get_docs',
      summary: 'Documentation',
      response: z.string(),
      handle: () => indexPage(context),
    }),
    route({
      ...page,
      path: '/docs/authentication',
      operation_id: 'get_docs_authentication',
      summary: 'Documentation: authentication',
      response: z.string(),
      handle: () => authenticationPage(context),
    }),
    route({
      ...page,
      path: '/docs/rate-limits',
      operation_id: 'get_docs_rate_limits',
      summary: 'Documentation: rate limits',
      response: z.string(),
      handle: () => rateLimitsPage(context),
    }),
    route({
      ...page,
      path: '/docs/errors/{code}',
      operation_id: 'get_docs_error',
      summary: 'Documentation: one error code',
      errors: [problems.route_not_found],
      params: { code: z.string().meta({ examples: ['validation_error'] }) },
      response: z.string(),
      handle: ({ params: { code } }) => {
        const problem = catalog.get(code);
        if (!problem) throw new HttpError(problems.route_not_found);
        return errorPage(problem, context);
      },
    }),
  ];
  return own;
}
