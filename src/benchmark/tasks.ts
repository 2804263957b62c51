import { z } from 'zod';
import { hasScope } from '../auth/scopes.ts';
import { insufficientScope } from '../http/errors.ts';
import { next, nextShape, pageQuery, pageWindow } from '../http/page.ts';
import { list, text } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { statementFlags, type StatementFlag } from '../model/statement-flags.ts';
import { difficultySchema, taskInstanceSchema } from '../model/task-instance.ts';
import type { TaskInstance } from '../model/task-instance.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { exampleTask } from './example-task.ts';
import { solverTaskSchema, solverView } from './solver-view.ts';
import { noTask, taskNotFound } from './task-not-found.ts';

const excerptLength = 280;

const facetSchema = z.enum(['repo', 'difficulty', 'language']);

const itemSchema = taskInstanceSchema
  .pick({ instance_id: true, repo: true, language: true, difficulty: true, created_at: true, base_commit: true })
  .extend({
    n_fail_to_pass: z.int().min(1).meta({ description: 'Tests that only a solution lets pass.' }),
    flags: z.array(z.enum(Object.keys(statementFlags) as [StatementFlag, ...StatementFlag[]])).meta({
      description: 'What is against its statement: of usable ones nothing, or that it is in a list of changes.',
    }),
    problem_statement: z.string().meta({ description: `Its first ${excerptLength} characters.` }),
  })
  .meta({ id: 'TaskSummary' });

const listSchema = z
  .object({
    items: z.array(itemSchema),
    total: z.int().min(0).meta({ description: 'All that match, on every page.' }),
    ...nextShape,
    facets: z
      .partialRecord(facetSchema, z.array(z.object({ value: z.string(), count: z.int() })))
      .optional()
      .meta({ description: 'The values there are, the most frequent first, for each facet asked for.' }),
  })
  .meta({ id: 'TaskPage' });

const detailSchema = z.union([taskInstanceSchema, solverTaskSchema]);

/** What `GET /api/benchmark/tasks` answers. */
export type TasksAnswer = z.infer<typeof listSchema>;
/** What `GET /api/benchmark/tasks/{instance_id}` answers. */
export type TaskAnswer = z.infer<typeof detailSchema>;

/** `GET /api/benchmark/tasks` and `GET /api/benchmark/tasks/{instance_id}`: the task instances minted from the repositories. */
export function taskRoutes(viewOf: ViewOf): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/benchmark/tasks',
      operation_id: 'list_benchmark_tasks',
      summary: 'Task instances for coding models',
      description:
        'Each was minted from a real change of a repository and proven by running its tests. Those made last come first.',
      access: 'tenant',
      product: 'benchmark',
      credits: 1,
      paged: true,
      query: {
        ...pageQuery,
        repo: text(1, 256)
          .optional()
          .meta({ description: 'Only of this repository.', examples: ['acme/shop'] }),
        difficulty: difficultySchema
          .optional()
          .meta({ description: 'Only of this difficulty, as SWE-bench Verified has it.' }),
        language: text(1, 64)
          .optional()
          .meta({ description: 'Only in this language.', examples: ['TypeScript'] }),
        quality: z.enum(['usable', 'all']).default('usable').meta({
          description:
            'usable: only those whose statements have no flag against them (tells_the_fix, names_hidden_test, underspecified; changelog_only is shown and leaves none out); all: those too.',
        }),
        facets: list(facetSchema)
          .optional()
          .meta({ description: 'Count by these: each as if it were not filtered by itself.', examples: ['language'] }),
      },
      response: listSchema,
      example: { items: [itemOf(exampleTask)], total: 1 },
      handle: async ({ caller, query: { repo, difficulty, language, quality, facets, ...page } }) => {
        const { taskInstances: instances } = await viewOf(caller);
        const filter = { repo, difficulty, language, usable: quality === 'usable' };
        const { items, total } = await instances.list({ ...filter, ...pageWindow(page) });
        const found = { items: items.map(itemOf), total, ...next(total, page) };
        if (facets === undefined) return found;
        const counts = await Promise.all(
          facets.map(async (by) => [by, await instances.counts({ ...filter, [by]: undefined }, by)] as const),
        );
        return { ...found, facets: Object.fromEntries(counts) };
      },
    }),
    route({
      method: 'GET',
      path: '/api/benchmark/tasks/{instance_id}',
      operation_id: 'get_benchmark_task',
      summary: 'One task instance',
      description:
        'Whole, or as whoever solves it may see it: without patches, tests and what else tells of the solution.',
      access: 'tenant',
      product: 'benchmark',
      credits: 2,
      errors: [taskNotFound],
      params: { instance_id: z.string().meta({ description: 'Id of the instance.', examples: ['acme__shop-17'] }) },
      query: {
        view: z
          .enum(['full', 'solver'])
          .default('full')
          .meta({ description: 'solver: nothing that tells of the solution.' }),
      },
      response: detailSchema,
      example: exampleTask,
      handle: async ({ caller, params: { instance_id }, query: { view } }) => {
        // A key for solvers sees what they may see.
        if (view === 'full' && !hasScope(caller, 'read')) throw insufficientScope(['read']);
        const { taskInstances: instances } = await viewOf(caller);
        const instance = await instances.get(instance_id);
        if (instance === null) throw noTask(instance_id);
        return view === 'solver' ? solverView(instance) : instance;
      },
    }),
  ];
}

function itemOf(instance: TaskInstance): z.infer<typeof itemSchema> {
  const { instance_id, repo, language, difficulty, created_at, base_commit } = instance;
  return {
    instance_id,
    repo,
    language,
    difficulty,
    created_at,
    base_commit,
    n_fail_to_pass: instance.verifying_tests.fail_to_pass.length,
    flags: (Object.keys(statementFlags) as StatementFlag[]).filter((flag) => instance.quality.flags.includes(flag)),
    // By characters, not by halves of them.
    problem_statement: Array.from(instance.problem_statement.slice(0, 2 * excerptLength))
      .slice(0, excerptLength)
      .join(''),
  };
}
