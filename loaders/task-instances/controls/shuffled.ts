import { randomInt } from 'node:crypto';

/** A list in an order that nobody can foresee. */
export function shuffled<T>(list: readonly T[]): T[] {
  const mixed = [...list];
  for (let left = mixed.length; left > 1; left--) {
    const at = randomInt(left);
    [mixed[at], mixed[left - 1]] = [mixed[left - 1] as T, mixed[at] as T];
  }
  return mixed;
}
