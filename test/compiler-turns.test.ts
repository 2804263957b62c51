import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import {
  compilerTurns,
  expectBeginners,
  letBeginnersGoFirst,
  useBaselineCompiler,
  useOptimisingCompiler,
} from '../src/compiler-turns.ts';

const startBeginner = () =>
  new Worker(new URL('./support/compiler-turns-worker.ts', import.meta.url), { workerData: { compilerTurns } });
const counts = () => [...new Int32Array(compilerTurns)];

describe('turns of the compilers', () => {
  it('begin in a thread when all others are done with the baseline compiler', async () => {
    const ends = [useBaselineCompiler(), useBaselineCompiler()];
    const beginner = startBeginner();
    const [said] = (await once(beginner, 'message')) as [string];
    expect([said, ...counts().slice(0, 1)]).to.deep.equal(['waits', 2]);
    const begun = once(beginner, 'message');
    // Time for one that does not wait to say so; who waits needs none.
    await sleep(50);
    for (const end of ends) end();
    expect(await begun).to.deep.equal([0]);
    await once(beginner, 'exit');
    expect(counts()).to.deep.equal([0, 0, 0]);
  });

  it('are given up where somebody does not come back: what is at stake is speed', () => {
    const died = useOptimisingCompiler();
    const end = useBaselineCompiler();
    expect(counts()).to.deep.equal([1, 1, 0]);
    end();
    died();
    const neverCame = expectBeginners();
    letBeginnersGoFirst();
    neverCame();
    neverCame();
    expect(counts()).to.deep.equal([0, 0, 0]);
  });
});
