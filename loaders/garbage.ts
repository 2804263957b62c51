import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Lets the heaps of all threads grow by so many percent of what lives in them before they are swept; V8 as it is lets them double. */
export function boundHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** Gives back now what a step that is over has needed; V8 would wait until as much again is asked for. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-expose-gc');
}
