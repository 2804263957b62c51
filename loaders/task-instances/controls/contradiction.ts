import type { SuiteResult, TestStatus } from '../suite.ts';
import type { Control } from './open-controls.ts';
import { originalOf } from './original-of.ts';

type Statuses = SuiteResult['tests'];

/**
 * What a run says against its controls, in a sentence; null where it agrees with all. `before`: what the same patch made of the tests
 * as they are.
 */
export function contradictionIn(
  { expected, endsWell, marks }: Control,
  result: SuiteResult,
  before: Statuses,
): string | null {
  if (result.timed_out) return 'with controls among its tests it takes longer than it may';
  // Only what was skipped before may be skipped now: else whatever fails would be skipped.
  const wasSkipped = (id: string) => before.get(originalOf(id, marks)) === 'skipped';
  const told = [...expected].filter(([id]) => result.tests.get(id) !== 'skipped' || !wasSkipped(id));
  const mustFail = told.filter(([, status]) => fails(status));
  const mustPass = told.filter(([, status]) => !fails(status));
  // What is not told at all was neither.
  const passed = mustFail.filter(([id]) => !fails(result.tests.get(id)));
  const failed = mustPass.filter(([id, status]) => !passesAs(status, result.tests.get(id)));
  const reasons = [
    ...(passed.length > 0 ? [`${passed.length} of ${mustFail.length} controls that must fail did not`] : []),
    ...(failed.length > 0 ? [`${failed.length} of ${mustPass.length} that must pass did not`] : []),
    ...(!endsWell && result.exit_code === 0 ? ['it ended as if all had passed'] : []),
  ];
  return reasons.length > 0 ? reasons.join(', ') : null;
}

/** A test that passes with the fix may not be made one that is expected to fail. */
const passesAs = (expected: TestStatus, status: TestStatus | undefined) =>
  status === 'passed' || (status === 'xfailed' && expected === 'xfailed');
const fails = (status: TestStatus | undefined) => status === 'failed' || status === 'error';
