import { randomInt } from 'node:crypto';

/** A list in an order that nobody can foresee. */
export function shuffled<T>(list: readonly T[]): T[] {
  const left = [...list];
  const mixed: T[] = [];
  while (left.length > 0) mixed.push(...left.splice(randomInt(left.length), 1));
  return mixed;
}
