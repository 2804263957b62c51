import type { Rejection } from '../../src/model/rejections.ts';
import type { TaskInstance } from '../../src/model/task-instance.ts';
import type { SuiteResult, TestStatus } from './suite.ts';

type Run = Pick<SuiteResult, 'tests'>;

/** What was run: the base, the base with the fix's tests, and the fix. */
export interface Runs {
  /** Null where none of the tests in scope exists there. */
  base: Run | null;
  /** In the order of their runs. */
  test: readonly Run[];
  fix: readonly Run[];
}

/** Which tests tell the fix from its base, each time. */
export interface Verdict extends Pick<TaskInstance['verifying_tests'], 'fail_to_pass' | 'pass_to_pass'> {
  /** Of `pass_to_pass`, those that passed at the base and merely were gone with what did not compile beside the fix's tests. */
  collateral: string[];
  /** In no list, as they changed in another way. */
  quarantined: string[];
  /** Of these, tests that did not say the same each time of the same code. */
  flakes: number;
}

type Status = TestStatus | undefined;

const passes = (status: Status) => status === 'passed' || status === 'xfailed';
const fails = (status: Status) => status === 'failed' || status === 'error';
/** A test that is skipped says nothing; one that is not there can't have passed. */
const isMissedOrFails = (status: Status) => status === undefined || fails(status);

/** What is against a fix after its first two runs, so that it need not be run again; null where nothing is. */
export function firstObjection({ test: [test], fix: [fix] }: Runs): Rejection | null {
  if (!test || !fix) return null;
  const ids = [...fix.tests.keys()];
  if (!ids.some((id) => isMissedOrFails(test.tests.get(id)))) return 'no_fail_before';
  const isFixed = ids.some((id) => passes(fix.tests.get(id)) && isMissedOrFails(test.tests.get(id)));
  return isFixed ? null : 'no_fail_to_pass';
}

/**
 * Sorts the tests by all runs: what counts is only what was so each time. `isOfFix` tells whether the fix changed a test, so that it
 * is another one than at the base.
 */
export function verdictOf({ base, test, fix }: Runs, isOfFix: (id: string) => boolean): Verdict | Rejection {
  const all = [...(base ? [base] : []), ...test, ...fix];
  const ids = [...new Set(all.flatMap(({ tests }) => [...tests.keys()]))].toSorted();
  const always = (runs: readonly Run[], id: string, is: (status: Status) => boolean) =>
    runs.every(({ tests }) => is(tests.get(id)));
  if (ids.some((id) => always(test, id, passes) && always(fix, id, fails))) return 'gold_breaks';
  const turned = ids.filter((id) => always(test, id, isMissedOrFails) && always(fix, id, passes));
  if (turned.length === 0) return 'flaky';
  const isGone = (status: Status) => status === undefined;
  const collateral = turned.filter((id) => passes(base?.tests.get(id)) && always(test, id, isGone) && !isOfFix(id));
  const apart = new Set(collateral);
  const failToPass = turned.filter((id) => !apart.has(id));
  if (failToPass.length === 0) return 'no_fail_to_pass';
  const wasKept = (id: string) => !base?.tests.has(id) || passes(base.tests.get(id));
  const isKept = (id: string) => always(test, id, passes) && always(fix, id, passes) && wasKept(id);
  const passToPass = ids.filter((id) => isKept(id) || apart.has(id));
  const listed = new Set([...failToPass, ...passToPass]);
  const differs = (runs: readonly Run[], id: string) => new Set(runs.map(({ tests }) => tests.get(id))).size > 1;
  const quarantined = ids.filter((id) => !listed.has(id) && differs(all, id));
  const flakes = ids.filter((id) => differs(test, id) || differs(fix, id)).length;
  return { fail_to_pass: failToPass, pass_to_pass: passToPass, collateral, quarantined, flakes };
}
