import type { Node } from '../../facts/syntax-tree.ts';
import type { SourceFile } from '../reading/source-file.ts';
import { Conditions } from './conditions.ts';

/** Of each file, the lines from which on its conditionals say something else, in their order. */
const known = new WeakMap<SourceFile, readonly Side[]>();

interface Side {
  line: number;
  /** 0 where an ordinary build on Linux comes by. */
  rank: number;
}

/** A conditional's directive with what its lines are continued in. */
const directive = /^[ \t]*#[ \t]*((?:if|el|endif)\w*)\b(?:[^\n\\]|\\(?:\r?\n|.))*/gm;

/** Notes which lines of a file an ordinary build on Linux leaves out. */
export function noteSides(file: SourceFile, source: string): void {
  known.set(file, sidesIn(source));
}

export function sidesIn(source: string): readonly Side[] {
  const sides: Side[] = [];
  const conditions = new Conditions();
  let line = 1;
  let counted = 0;
  for (const { 0: text, 1: word = '', index } of source.matchAll(directive)) {
    for (let at = source.indexOf('\n', counted); at >= 0 && at < index; at = source.indexOf('\n', at + 1)) line++;
    counted = index;
    conditions.meet(word, text.trimStart());
    sides.push({ line, rank: conditions.rank });
  }
  return sides;
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
