import type { Node } from '../../facts/syntax-tree.ts';
import type { SourceFile } from './source-file.ts';

/** From this line on a file's conditionals say something else. */
export interface Side {
  line: number;
  /** 0 where an ordinary build comes by, more the less likely it does. */
  rank: number;
}

/** Of each file, in the order of its lines. */
const known = new WeakMap<SourceFile, readonly Side[]>();

/** Notes which lines of a file an ordinary build leaves out. */
export function keepSides(file: SourceFile, sides: readonly Side[]): void {
  known.set(file, sides);
}

/** Of what is defined here: how unlikely an ordinary build takes it, or nothing where it does. */
export function sideOf(file: SourceFile, node: Node): { unlikely?: number } {
  const sides = known.get(file) ?? [];
  const line = file.line(node);
  let [from, to] = [0, sides.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sides[middle]?.line ?? 0) <= line) from = middle + 1;
    else to = middle;
  }
  const rank = sides[from - 1]?.rank ?? 0;
  return rank > 0 ? { unlikely: rank } : {};
}
