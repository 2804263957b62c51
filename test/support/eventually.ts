import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until it works, at most so long, which is long for a machine that is busy with other things; then fails as the last try did. */
export async function eventually<T>(attempt: () => Promise<T>, withinMs = 60_000): Promise<T> {
  for (const end = performance.now() + withinMs; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(100);
    }
  }
}
