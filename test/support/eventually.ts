import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until it works, for a minute, which is long for a machine that is busy with other things; then fails as the last try did. */
export function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + 60_000;
  return untilItWorks(attempt, () => performance.now() > end);
}

/**
 * The same for what is promised within so many seconds: tries ten times as often, a tenth of a second apart. A machine that is busy with
 * other things is slow with both, with the tries and with what they wait for.
 */
export function within<T>(seconds: number, attempt: () => Promise<T>): Promise<T> {
  let tries = 0;
  return untilItWorks(attempt, () => ++tries > 10 * seconds);
}

async function untilItWorks<T>(attempt: () => Promise<T>, isOver: () => boolean): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isOver()) throw error;
      await sleep(100);
    }
  }
}
