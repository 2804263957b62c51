import { z } from 'zod';
import { next, nextShape, pageQuery, pageWindow } from '../http/page.ts';
import { text } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { evaluationOutcomeSchema } from '../model/evaluation-outcome.ts';
import { evaluationRunSchema, predictionStatusSchema } from '../model/evaluation-run.ts';
import type { ViewOf } from '../tenancy/view.ts';

const responseSchema = z
  .object({
    items: z.array(evaluationRunSchema),
    total: z.int().min(0).meta({ description: 'All runs, on every page.' }),
    ...nextShape,
  })
  .meta({ id: 'EvaluationResultPage' });

/** What `GET /api/benchmark/eval-results` answers. */
export type EvaluationResults = z.infer<typeof responseSchema>;

/** What became of one task of a run, as the API tells it. */
export const outcomeSchema = evaluationOutcomeSchema.extend({
  model: z.string(),
  logs: z.string().meta({ description: 'Folder of its logs, below that of the benchmark or of --output.' }),
});

const outcomesSchema = z
  .object({
    items: z.array(outcomeSchema),
    total: z.int().min(0).meta({ description: 'All that match, on every page.' }),
    ...nextShape,
  })
  .meta({ id: 'EvaluationOutcomePage' });

/** What `GET /api/benchmark/eval-results/{run_id}/outcomes` answers. */
export type EvaluationOutcomes = z.infer<typeof outcomesSchema>;

/** What became of a task, as the documentation shows it. */
export const exampleOutcome: EvaluationOutcomes['items'][number] = {
  model: 'acme/coder-1',
  instance_id: 'acme__shop-17',
  repo: 'acme/shop',
  language: 'TypeScript',
  difficulty: '<15 min fix',
  committed_at: '2026-10-12T08:30:00Z',
  status: 'suspicious',
  controlled: true,
  problem: 'Its tests passed, but not by themselves: 5 of 9 controls that must fail did not.',
  dropped_paths: ['package.json'],
  infra: null,
  logs: 'logs/run_evaluation/2026-11-21-coder/acme__coder-1/acme__shop-17',
  usage: { input_tokens: 271_000, output_tokens: 13_800, cost_usd: 1.02 },
};

/** `GET /api/benchmark/eval-results` and `…/{run_id}/outcomes`: what models reached on the task instances, and on each. */
export function evaluationResultsRoutes(viewOf: ViewOf): Route[] {
  return [summariesRoute(viewOf), outcomesRoute(viewOf)];
}

function outcomesRoute(viewOf: ViewOf): Route {
  return route({
    method: 'GET',
    path: '/api/benchmark/eval-results/{run_id}/outcomes',
    operation_id: 'list_evaluation_outcomes',
    summary: 'What became of each task in a run',
    description:
      'By model and task, with why it is so where the tests do not tell, and the place of its logs on the machine that evaluated it. Empty where nothing is known by task: of a run that is not there, or was kept before this was.',
    access: 'tenant',
    product: 'benchmark',
    credits: 1,
    paged: true,
    params: { run_id: z.string().meta({ description: 'Id of the run.', examples: ['2026-11-21-coder'] }) },
    query: {
      ...pageQuery,
      model: text(1, 256).optional().meta({ description: 'Only of this model.' }),
      status: predictionStatusSchema.optional().meta({ description: 'Only these.' }),
    },
    response: outcomesSchema,
    example: {
      items: [exampleOutcome],
      total: 1,
    },
    handle: async ({ caller, params: { run_id: runId }, query: { model, status, ...page } }) => {
      const { evaluationOutcomes } = await viewOf(caller);
      const found = await evaluationOutcomes.list({ runId, model, status, ...pageWindow(page) });
      return { ...found, ...next(found.total, page) };
    },
  });
}

function summariesRoute(viewOf: ViewOf): Route {
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
      const found = await evaluationRuns.list(pageWindow(query));
      return { ...found, ...next(found.total, query) };
    },
  });
}
