import { z } from 'zod';
import { taskInstanceSchema } from '../model/task-instance.ts';
import type { TaskInstance } from '../model/task-instance.ts';

/**
 * What whoever solves a task may see. It lists what is shown, so that a new field stays hidden: of the fix it tells neither the
 * patches nor the tests, nor where it is in the history, how large it is, or what was said after it.
 */
export const solverTaskSchema = taskInstanceSchema
  .pick({
    schema_version: true,
    instance_id: true,
    repo: true,
    base_commit: true,
    problem_statement: true,
    problem_statement_source: true,
    difficulty: true,
    language: true,
    version: true,
    created_at: true,
    environment: true,
  })
  .extend({
    canary: z
      .string()
      .meta({ description: 'Says of a text in which it is found that it was made from this instance.' }),
  })
  .meta({ id: 'SolverTask' });

/** A task instance as its solver sees it. */
export function solverView({ provenance: { canary }, ...instance }: TaskInstance): z.infer<typeof solverTaskSchema> {
  const { schema_version, instance_id, repo, base_commit, problem_statement, problem_statement_source } = instance;
  const { difficulty, language, version, created_at, environment } = instance;
  return {
    schema_version,
    instance_id,
    repo,
    base_commit,
    problem_statement,
    problem_statement_source,
    difficulty,
    language,
    version,
    created_at,
    environment,
    canary,
  };
}
