import { z } from 'zod';
import { pageQuery, pageWindow } from '../http/page.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { evaluationRunSchema } from '../model/evaluation-run.ts';
import type { ViewOf } from '../tenancy/view.ts';

const responseSchema = z.object({
  items: z.array(evaluationRunSchema),
  total: z.int().min(0).meta({ description: 'All runs, on every page.' }),
});

/** What `GET /api/benchmark/eval-results` answers. */
export type EvaluationResults = z.infer<typeof responseSchema>;

/** `GET /api/benchmark/eval-results`: what models reached on the task instances. */
export function evaluationResultsRoute(viewOf: ViewOf): Route {
  return route({
    method: 'GET',
    path: '/api/benchmark/eval-results',
    operation_id: 'list_evaluation_results',
    summary: 'How models did on the task instances',
    description:
      'A summary of each run of a model, the newest first. No prediction leaves the denominator, whatever became of it. A suspicious one passed its tests by other means than solving its task, and counts as unsolved; `uncontrolled` ones are solved by the word of their tests alone.',
    access: 'tenant',
    product: 'benchmark',
    credits: 1,
    paged: true,
    query: pageQuery,
    response: responseSchema,
    example: {
      items: [
        {
          run_id: '2026-11-21-coder',
          model: 'acme/coder-1',
          dataset: 'internal',
          evaluated: 3,
          solved: 2,
          solve_rate: 0.6667,
          timestamp: '2026-11-21T11:20:00Z',
          counts: { resolved: 2, unresolved: 1, suspicious: 0, empty_patch: 0, patch_failed: 0, timeout: 0, error: 0 },
          total: 3,
          solve_rate_total: 0.6667,
          infra_suspected: 0,
          uncontrolled: 0,
          usage: { input_tokens: 812_000, output_tokens: 41_300, cost_usd: 3.06 },
          harness_version: '0.1.0',
          dataset_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          duration_s: 41.7,
        },
      ],
      total: 1,
    },
    handle: async ({ caller, query }) => {
      const { evaluationRuns } = await viewOf(caller);
      return evaluationRuns.list(pageWindow(query));
    },
  });
}
