import { taskInstanceSchema } from '../../../src/model/task-instance.ts';
import type { ProvenTask, TaskInstance } from '../../../src/model/task-instance.ts';
import { evalScript } from './eval-script.ts';

/** A row of a dataset in SWE-bench's form; `ris` holds, as text, what that form has no place for. */
export type SwebenchRow = ReturnType<typeof toSwebench>;

/** The image that SWE-bench's harness expects for an instance. */
export const imageOf = (instanceId: string): string =>
  `swebench/sweb.eval.x86_64.${instanceId}:latest`.toLowerCase().replaceAll('__', '_1776_');

/** An instance as a row that SWE-bench 5 and its relatives load, run and grade. */
export function toSwebench(instance: ProvenTask) {
  const { repo, instance_id, base_commit, patch, test_patch, problem_statement, hints_text, ...more } = instance;
  const { created_at, version, difficulty, verifying_tests, environment, ...rest } = more;
  const { fail_to_pass, pass_to_pass, ...tests } = verifying_tests;
  const { environment_setup_commit, ...setup } = environment;
  const image = imageOf(instance_id);
  return {
    repo,
    instance_id,
    base_commit,
    patch,
    test_patch,
    problem_statement,
    hints_text,
    created_at,
    version,
    FAIL_TO_PASS: JSON.stringify(fail_to_pass),
    PASS_TO_PASS: JSON.stringify(pass_to_pass),
    environment_setup_commit,
    difficulty,
    image,
    image_name: image,
    log_parser: 'parse_log_jest_json',
    eval_type: 'pass_and_fail',
    eval_script: evalScript(instance),
    // Text, because a column of a table has one type.
    ris: JSON.stringify({ ...rest, verifying_tests: tests, environment: setup }),
  };
}

/** The fields of a row that make an instance; its script and image follow from them. */
type Instructive = Omit<SwebenchRow, 'image' | 'image_name' | 'log_parser' | 'eval_type' | 'eval_script'>;

/** The instance that a row was made of; throws for one that another tool made, as it lacks how its tests are run. */
export function fromSwebench(row: Instructive): TaskInstance {
  const { FAIL_TO_PASS, PASS_TO_PASS, environment_setup_commit, ris } = row;
  const { verifying_tests: tests, environment, ...rest } = JSON.parse(ris) as Record<string, object>;
  const { repo, instance_id, base_commit, patch, test_patch, problem_statement, hints_text } = row;
  return taskInstanceSchema.parse({
    ...rest,
    repo,
    instance_id,
    base_commit,
    patch,
    test_patch,
    problem_statement,
    hints_text,
    created_at: row.created_at,
    version: row.version,
    difficulty: row.difficulty,
    verifying_tests: {
      ...tests,
      fail_to_pass: JSON.parse(FAIL_TO_PASS) as unknown,
      pass_to_pass: JSON.parse(PASS_TO_PASS) as unknown,
    },
    environment: { ...environment, environment_setup_commit },
  });
}
