import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So many files that memory is worth some time. */
export const isLarge = ({ files }: { files: readonly unknown[] }): boolean => files.length > 5_000;

/**
 * Lets the heaps of all threads grow by so many percent of what lives in them before they are swept; V8 as it is, with 0, lets
 * them become up to four times as large.
 */
export function boundHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * Gives back to the system now what a step that is over has needed; V8 would keep the room until as much again is asked for.
 * Compiled WebAssembly stays: to compile PostgreSQL again takes more room than is won.
 */
export function collectGarbage(): void {
  setFlagsFromString('--no-flush-liftoff-code');
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as (options: object) => void)({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}
