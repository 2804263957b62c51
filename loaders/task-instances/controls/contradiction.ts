import type { SuiteResult } from '../suite.ts';
import type { Control } from './open-controls.ts';

/** What a run says against its controls, in a sentence; null where it agrees with all. */
export function contradictionIn({ expected, endsWell }: Control, result: SuiteResult): string | null {
  if (result.timed_out) return 'with controls among its tests it takes longer than it may';
  const passes = (id: string) => /^(passed|xfailed)$/.test(result.tests.get(id) ?? '');
  const told = [...expected].filter(([id]) => result.tests.get(id) !== 'skipped');
  const mustFail = told.filter(([, isGood]) => !isGood);
  const mustPass = told.filter(([, isGood]) => isGood);
  // What is not told at all was neither.
  const passed = mustFail.filter(([id]) => passes(id) || !result.tests.has(id));
  const failed = mustPass.filter(([id]) => !passes(id));
  const reasons = [
    ...(passed.length > 0 ? [`${passed.length} of ${mustFail.length} controls that must fail did not`] : []),
    ...(failed.length > 0 ? [`${failed.length} of ${mustPass.length} that must pass did not`] : []),
    ...(!endsWell && result.exit_code === 0 ? ['it ended as if all had passed'] : []),
  ];
  return reasons.length > 0 ? reasons.join(', ') : null;
}
