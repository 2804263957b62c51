import { z } from 'zod';
import { Reply, route } from './route.ts';
import type { Route } from './route.ts';

/** A page's path with a slash behind it leads to the page, whose links are relative to the path without. */
export function slashRoute(name: string, title: string): Route {
  return route({
    method: 'GET',
    path: `/${name}/`,
    operation_id: `get_${name}_with_slash`,
    summary: `Leads to the ${title}`,
    access: 'public',
    product: null,
    credits: 0,
    status: 308,
    responseHeaders: { Location: `The ${title}.` },
    response: z.void(),
    handle: () => new Reply(undefined, { headers: { Location: `../${name}` } }),
  });
}
