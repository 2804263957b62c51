import { setFlagsFromString } from 'node:v8';
import { workerData } from 'node:worker_threads';

/**
 * V8's optimising compiler takes 450 to 600 MB for the largest functions of PostgreSQL and of the Bash grammar, and gains nothing
 * there. A WebAssembly function keeps the compiler that its first call met, by flags of the whole process, so its threads take
 * turns: while one starts what must stay with the baseline compiler, others do not begin with what is to be optimised. Nobody
 * waits long: what is at stake is speed, or memory.
 */

interface ThreadData {
  compilerTurns?: SharedArrayBuffer;
}

/** To hand to a thread as `compilerTurns` of its `workerData`. */
export const compilerTurns =
  (workerData as ThreadData | null)?.compilerTurns ?? new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT);

const turns = new Int32Array(compilerTurns);
/** Places in `turns`: how many are about it. */
const withBaseline = 0;
const beginning = 1;
const expected = 2;
const patienceMs = 1_000;
/** Places that this thread has waited for in vain: somebody may have died there. */
const givenUp = new Set<number>();

/** From now until the function that it returns is called, what is called first stays with the baseline compiler. */
export function useBaselineCompiler(): () => void {
  waitUntilNobody(beginning);
  Atomics.add(turns, withBaseline, 1);
  setBaselineOnly(true);
  return () => {
    // Back before the last one leaves: who comes next sets them again.
    for (let count = Atomics.load(turns, withBaseline); ; count = Atomics.load(turns, withBaseline)) {
      if (count === 1) setBaselineOnly(false);
      if (Atomics.compareExchange(turns, withBaseline, count, count - 1) === count) break;
      if (count === 1) setBaselineOnly(true);
    }
    Atomics.notify(turns, withBaseline);
  };
}

/** From now until the function that it returns is called, what is called first can be optimised later. */
export function useOptimisingCompiler(): () => void {
  const end = enter(beginning);
  waitUntilNobody(withBaseline);
  return end;
}

/** Says that others will begin soon; the function that it returns, that they have, or that nothing came of it. */
export function expectBeginners(): () => void {
  return enter(expected);
}

/** Waits until those who were expected have begun. */
export function letBeginnersGoFirst(): void {
  waitUntilNobody(expected);
}

function enter(place: number): () => void {
  Atomics.add(turns, place, 1);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    Atomics.sub(turns, place, 1);
    Atomics.notify(turns, place);
  };
}

function waitUntilNobody(place: number): void {
  if (givenUp.has(place)) return;
  const end = performance.now() + patienceMs;
  for (let count = Atomics.load(turns, place); count > 0; count = Atomics.load(turns, place)) {
    const left = end - performance.now();
    if (left <= 0) {
      givenUp.add(place);
      return;
    }
    Atomics.wait(turns, place, count, left);
  }
}

function setBaselineOnly(isOn: boolean): void {
  for (const flag of ['wasm-tier-up', 'wasm-dynamic-tiering']) setFlagsFromString(isOn ? `--no-${flag}` : `--${flag}`);
}
