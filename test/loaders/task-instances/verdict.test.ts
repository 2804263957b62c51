import { expect } from 'chai';
import type { TestStatus } from '../../../loaders/task-instances/suite.ts';
import { firstObjection, verdictOf as verdictWith, type Runs } from '../../../loaders/task-instances/verdict.ts';

const verdictOf = (all: Runs, isOfFix: (id: string) => boolean = () => true) => verdictWith(all, isOfFix);

/** A letter a test, from `a`: passed, xfailed, failed, error, skipped; a dot: not there. */
const run = (letters: string) => {
  const statuses: Record<string, TestStatus> = {
    p: 'passed',
    x: 'xfailed',
    f: 'failed',
    e: 'error',
    s: 'skipped',
  };
  const tests = letters.split('').flatMap((letter, index): [string, TestStatus][] => {
    const status = statuses[letter];
    return status ? [[String.fromCharCode(97 + index), status]] : [];
  });
  return { tests: new Map(tests) };
};
const runs = (base: string | null, test: string[], fix: string[]) => ({
  base: base === null ? null : run(base),
  test: test.map(run),
  fix: fix.map(run),
});

describe('the verdict of runs before and after', () => {
  it('counts what was so each time, on both sides; what changed otherwise is set apart', () => {
    const verdict = verdictOf(
      //   abcdefghij        a–d: fixed, from each way to fail; e, f: kept; g–j: in no list
      runs('pf..pxffsp', ['ff.epxfssp', 'ff.epxpssp'], ['pppxpxppps', 'pppxpxppps']),
    );
    expect(verdict).to.deep.equal({
      fail_to_pass: ['a', 'b', 'c', 'd'],
      pass_to_pass: ['e', 'f'],
      collateral: [],
      quarantined: ['g', 'h', 'i', 'j'],
      flakes: 1,
    });
  });

  it('a test that failed at the base is not kept, whatever its new form says', () => {
    expect(verdictOf(runs('f', ['pf'], ['pp']))).to.deep.include({ pass_to_pass: [], quarantined: ['a'] });
    expect(verdictOf(runs(null, ['pf'], ['pp']))).to.deep.include({ pass_to_pass: ['a'], quarantined: [] });
  });

  it('keeps apart what passed at the base and is merely gone with what does not compile', () => {
    //                     a: new; b: changed by the fix; c: gone; d: fails
    const all = runs('.ppp', ['...f', '...f'], ['pppp', 'pppp']);
    expect(verdictOf(all, (id) => id === 'b')).to.deep.include({
      fail_to_pass: ['a', 'b', 'd'],
      pass_to_pass: ['c'],
      collateral: ['c'],
    });
    expect(verdictOf(runs('p', ['.'], ['p']), () => false)).to.equal('no_fail_to_pass');
    expect(verdictOf(runs(null, ['.'], ['p']), () => false)).to.deep.include({ fail_to_pass: ['a'] });
  });

  it('is an objection where nothing is fixed each time, or something breaks each time', () => {
    expect(verdictOf(runs('f', ['f', 'f'], ['p', 'f']))).to.equal('flaky');
    expect(verdictOf(runs('pf', ['pf', 'pf'], ['fp', 'fp']))).to.equal('gold_breaks');
    expect(verdictOf(runs('pf', ['pf', 'pf'], ['fp', 'pp']))).to.deep.include({ quarantined: ['a'] });
  });

  it('is foreseen after the first two runs where no more can help', () => {
    expect(firstObjection(runs('p', ['pp'], ['pp']))).to.equal('no_fail_before');
    expect(firstObjection(runs('p', ['sf'], ['pf']))).to.equal('no_fail_to_pass');
    expect(firstObjection(runs('p', ['p.'], ['pp']))).to.equal(null);
  });
});
