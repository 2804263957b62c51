import type { TaskInstance } from '../../src/model/task-instance.ts';
import type { SuiteResult, TestStatus } from './suite.ts';

/** The verifying tests by what became of them, under SWE-bench's names. */
export interface TestsStatus {
  FAIL_TO_PASS: { success: string[]; failure: string[] };
  PASS_TO_PASS: { success: string[]; failure: string[] };
}

/** What a run of the verifying tests says of a patch. */
export interface Grade {
  /** All tests that shall pass do, and the run can be believed. */
  resolved: boolean;
  /** Report and exit code contradict each other: somebody wrote the report who did not run the tests, or the run broke off. */
  inconsistent: boolean;
  tests_status: TestsStatus;
}

const passes = (status: TestStatus | undefined) => status === 'passed' || status === 'xfailed';
/** To skip a test that passed before is no regression. */
const isKept = (status: TestStatus | undefined) => passes(status) || status === 'skipped';
/** Whether a test did what it must not; one that is expected to fail does not. */
export const fails = (status: TestStatus): boolean => status === 'failed' || status === 'error';

/** Grades a run as SWE-bench does: resolved only by all tests of both lists; one that the report does not have failed. */
export function grade(
  { fail_to_pass: failToPass, pass_to_pass: passToPass }: TaskInstance['verifying_tests'],
  { tests, exit_code: exitCode }: Pick<SuiteResult, 'tests' | 'exit_code'>,
): Grade {
  const sort = (ids: readonly string[], isGood: (status: TestStatus | undefined) => boolean) => ({
    success: ids.filter((id) => isGood(tests.get(id))),
    failure: ids.filter((id) => !isGood(tests.get(id))),
  });
  const status = { FAIL_TO_PASS: sort(failToPass, passes), PASS_TO_PASS: sort(passToPass, isKept) };
  const inconsistent = (exitCode === 0) === [...tests.values()].some(fails);
  const isComplete = status.FAIL_TO_PASS.failure.length + status.PASS_TO_PASS.failure.length === 0;
  return { resolved: isComplete && !inconsistent, inconsistent, tests_status: status };
}
