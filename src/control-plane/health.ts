import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import { problems } from '../http/problems.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { Healing } from '../stores/healing.ts';

const progressSchema = z
  .object({
    done: z.int().describe('Repositories that are in it.'),
    of: z.int().nullable().describe('How many there will be; null as long as nobody has counted.'),
  })
  .meta({ id: 'RebuildProgress' });

/** `/healthz` and `/readyz`: nothing but whether this process lives, and whether it takes work; `degraded` says what part of it not. */
export function healthRoutes(
  isReady: () => boolean,
  degraded: () => string[],
  { graph, search, source }: Record<'graph' | 'search' | 'source', { readonly healing?: Healing }>,
): Route[] {
  const probe = { method: 'GET', access: 'public', product: null, credits: 0, probe: true, cache: 'none' } as const;
  return [
    route({
      ...probe,
      path: '/healthz',
      operation_id: 'get_health',
      summary: 'Whether the process lives',
      description: 'Asks no store: a store that is down is no reason to restart this process.',
      response: z.object({ status: z.literal('ok') }),
      example: { status: 'ok' },
      handle: () => ({ status: 'ok' as const }),
    }),
    route({
      ...probe,
      path: '/readyz',
      operation_id: 'get_readiness',
      summary: 'Whether the process takes work',
      errors: [problems.shutting_down],
      response: z.object({
        status: z.literal('ready'),
        degraded: z.array(z.string()).optional().meta({
          description:
            'Not there where all is well. `disk`: it is nearly full, and nothing new is stored. `clock`: it can’t be right, and nothing metered is answered. `graph`, `search`, `source`: it is made anew, and answers nothing until it is whole.',
        }),
        rebuilding: z
          .object({
            graph: progressSchema.optional(),
            search: progressSchema.optional(),
            source: progressSchema.optional(),
          })
          .optional(),
      }),
      example: { status: 'ready' },
      handle: () => {
        if (!isReady()) throw new HttpError(problems.shutting_down, { headers: { 'Retry-After': '1' } });
        const rebuilding = Object.entries({ graph, search, source }).flatMap(([store, { healing }]) =>
          healing?.rebuilding ? [[store, healing.rebuilding.progress ?? { done: 0, of: null }] as const] : [],
        );
        const parts = [...degraded(), ...rebuilding.map(([store]) => store)];
        return {
          status: 'ready' as const,
          ...(parts.length > 0 ? { degraded: parts } : {}),
          ...(rebuilding.length > 0 ? { rebuilding: Object.fromEntries(rebuilding) } : {}),
        };
      },
    }),
  ];
}
