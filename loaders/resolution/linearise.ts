import type { Ancestor } from './ancestors.ts';
import { sameDefinition } from './definition-ref.ts';

/** Each class once, where it comes first; for classes alone and for all it is two. */
export function firstOfEach(list: readonly Ancestor[]): Ancestor[] {
  return list.filter(
    (one, index) =>
      list.findIndex((other) => sameDefinition(one, other) && one.isOfClass === other.isOfClass) === index,
  );
}

/** The C3 linearisation; null where the order is contradictory. */
export function mergeC3(lines: readonly (readonly Ancestor[])[]): Ancestor[] | null {
  const merged: Ancestor[] = [];
  let rest = lines.filter((line) => line.length > 0);
  while (rest.length > 0) {
    const head = rest
      .map((line) => line[0])
      .find((one) => one && rest.every((line) => !line.slice(1).some((other) => sameDefinition(one, other))));
    if (!head) return null;
    merged.push(head);
    rest = rest.map((line) => line.filter((one) => !sameDefinition(one, head))).filter((line) => line.length > 0);
  }
  return merged;
}
