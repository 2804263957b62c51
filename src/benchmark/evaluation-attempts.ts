import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';
import { text } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { attemptTestsSchema, keptTextSchema } from '../model/evaluation-attempt.ts';
import type { AttemptId } from '../stores/relational/port.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { exampleOutcome, outcomeSchema } from './evaluation-results.ts';
import { exampleTask } from './example-task.ts';

const attemptNotFound: Problem = {
  status: 404,
  code: 'attempt_not_found',
  title: 'There is no such attempt',
  meaning:
    'The run has no attempt of this model at this task, or the text that was asked for was not kept of it. GET /api/benchmark/eval-results/{run_id}/outcomes lists the attempts.',
};

const attemptSchema = outcomeSchema
  .extend({
    run_id: z.string(),
    patch: keptTextSchema.nullable().meta({
      description: 'As it was answered, maybe without its end. Null where nothing was answered, or it was not kept.',
    }),
    tests: attemptTestsSchema
      .nullable()
      .meta({ description: 'Null where no test was run, or what became of them was not kept.' }),
    is_kept: z.boolean().meta({
      description: 'Whether patch, tests and texts were kept at all: of runs before that was done they are not.',
    }),
    has_log: z.boolean().meta({ description: 'Whether there is what the tests printed, at `…/log`.' }),
    has_trajectory: z.boolean().meta({ description: 'Whether there is what the agent wrote, at `…/trajectory`.' }),
  })
  .meta({ id: 'EvaluationAttempt' });

/** What `GET /api/benchmark/eval-results/{run_id}/outcomes/{instance_id}` answers. */
export type AttemptAnswer = z.infer<typeof attemptSchema>;

const params = {
  run_id: z.string().meta({ description: 'Id of the run.', examples: ['2026-11-21-coder'] }),
  instance_id: z.string().meta({ description: 'Id of the task.', examples: ['acme__shop-17'] }),
};
const query = { model: text(1, 256).meta({ description: 'Whose attempt.', examples: ['acme/coder-1'] }) };

/** `GET …/outcomes/{instance_id}`, `…/log` and `…/trajectory`: one attempt of a model at a task. */
export function evaluationAttemptRoutes(viewOf: ViewOf): Route[] {
  return [attemptRoute(viewOf), ...(['log', 'trajectory'] as const).map((of) => textRoute(viewOf, of))];
}

function attemptRoute(viewOf: ViewOf): Route {
  const none = { total: 0, names: [] };
  return route({
    method: 'GET',
    path: '/api/benchmark/eval-results/{run_id}/outcomes/{instance_id}',
    operation_id: 'get_evaluation_attempt',
    summary: 'One attempt at a task',
    description:
      'What became of it, the patch that was answered, and which tests passed and failed. The fix itself is the `patch` of the task at `/api/benchmark/tasks/{instance_id}`.',
    access: 'tenant',
    product: 'benchmark',
    credits: 1,
    errors: [attemptNotFound],
    params,
    query,
    response: attemptSchema,
    example: {
      ...exampleOutcome,
      run_id: '2026-11-21-coder',
      patch: { text: exampleTask.patch, cut: null },
      tests: {
        fail_to_pass: { passed: { total: 1, names: exampleTask.verifying_tests.fail_to_pass }, failed: none },
        pass_to_pass: { passed: { total: 1, names: exampleTask.verifying_tests.pass_to_pass }, failed: none },
      },
      is_kept: true,
      has_log: true,
      has_trajectory: false,
    },
    handle: async ({ caller, params: { run_id, instance_id }, query: { model } }) => {
      const { evaluationAttempts } = await viewOf(caller);
      const id = { runId: run_id, model, instanceId: instance_id };
      const found = await evaluationAttempts.get(id);
      if (found === null) throw noAttempt(id);
      const { outcome, answer, hasLog, hasTrajectory } = found;
      return {
        ...outcome,
        run_id,
        model,
        patch: answer?.patch ?? null,
        tests: answer?.tests ?? null,
        is_kept: answer !== null,
        has_log: hasLog,
        has_trajectory: hasTrajectory,
      };
    },
  });
}

const texts = {
  log: {
    summary: 'What the tests of an attempt printed',
    description:
      'With a line `[PASSED]` or `[FAILED]` at its end for each test that counts. Of a long one the beginning and the end are kept.',
    example: 'price\n  1) of an empty basket is 0\n  1 passing\n  1 failing\n',
  },
  trajectory: {
    summary: 'What the agent of an attempt did',
    description:
      'As the agent wrote it, in whatever form it has. Of a long one the beginning and the end are kept, so that it may not be the JSON any more that it was.',
    example: '[{"step": 1, "command": "npm test"}]\n',
  },
};

function textRoute(viewOf: ViewOf, of: 'log' | 'trajectory'): Route {
  const { example, ...told } = texts[of];
  return route({
    method: 'GET',
    path: `/api/benchmark/eval-results/{run_id}/outcomes/{instance_id}/${of}`,
    operation_id: `get_evaluation_attempt_${of}`,
    ...told,
    access: 'tenant',
    product: 'benchmark',
    credits: 1,
    errors: [attemptNotFound],
    params,
    query,
    response: keptTextSchema,
    example: { text: example, cut: null },
    handle: async ({ caller, params: { run_id, instance_id }, query: { model } }) => {
      const { evaluationAttempts } = await viewOf(caller);
      const id = { runId: run_id, model, instanceId: instance_id };
      const found = await evaluationAttempts.text(id, of);
      if (found === null) throw noAttempt(id, of);
      return found;
    },
  });
}

const noAttempt = ({ runId, model, instanceId }: AttemptId, of?: string) =>
  new HttpError(attemptNotFound, {
    detail: `${of === undefined ? 'There is no attempt' : `No ${of} is kept of an attempt`} of ${JSON.stringify(model)} at ${JSON.stringify(instanceId)} in the run ${JSON.stringify(runId)}.`,
  });
