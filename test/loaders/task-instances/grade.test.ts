import { expect } from 'chai';
import fc from 'fast-check';
import { grade } from '../../../loaders/task-instances/grade.ts';
import type { TestStatus } from '../../../loaders/task-instances/suite.ts';
import { taskInstance } from '../../support/task-instances.ts';

const verifying = { ...taskInstance().verifying_tests, fail_to_pass: ['f'], pass_to_pass: ['p'] };
const graded = (tests: Record<string, TestStatus>, exit_code: number | null) =>
  grade(verifying, { tests: new Map(Object.entries(tests)), exit_code });

describe('grade', () => {
  it('resolves when every test of both lists passes; an expected failure passes, a skipped one is only kept', () => {
    for (const [f, p, resolved] of [
      ['passed', 'passed', true],
      ['xfailed', 'xfailed', true],
      ['passed', 'skipped', true],
      ['skipped', 'passed', false],
    ] as const)
      expect(graded({ f, p }, 0).resolved, `${f}, ${p}`).to.equal(resolved);
    for (const tests of [{ f: 'passed' }, { p: 'passed' }, {}] as const)
      expect(graded(tests, 0).resolved, 'missing').to.equal(false);
  });

  it('lets other tests fail, and believes no run whose report and exit code contradict each other', () => {
    const all = { f: 'passed', p: 'passed' } as const;
    expect(graded({ ...all, other: 'failed' }, 1)).to.deep.include({ resolved: true, inconsistent: false });
    for (const [tests, code] of [
      [{ ...all, other: 'failed' }, 0],
      [{ ...all, other: 'error' }, 0],
      [all, 1],
      [all, null],
    ] as const)
      expect(graded(tests, code)).to.deep.include({ resolved: false, inconsistent: true });
  });

  it('puts each test into one list, and resolves exactly when none of them failed and the run is consistent', () => {
    const status = fc.constantFrom<TestStatus>('passed', 'failed', 'error', 'skipped', 'xfailed');
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'constructor');
    fc.assert(
      fc.property(fc.dictionary(id, status), fc.uniqueArray(id), fc.uniqueArray(id), fc.nat(2), (tests, f, p, code) => {
        const lists = { ...verifying, fail_to_pass: f, pass_to_pass: p };
        const result = grade(lists, { tests: new Map(Object.entries(tests)), exit_code: code });
        const { FAIL_TO_PASS: f2p, PASS_TO_PASS: p2p } = result.tests_status;
        expect([...f2p.success, ...f2p.failure].toSorted()).to.deep.equal(f.toSorted());
        expect([...p2p.success, ...p2p.failure].toSorted()).to.deep.equal(p.toSorted());
        expect(result.resolved).to.equal(f2p.failure.length + p2p.failure.length === 0 && !result.inconsistent);
      }),
    );
  });
});
