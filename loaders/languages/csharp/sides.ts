import { Conditions } from '../reading/conditions.ts';
import type { Side } from '../reading/sides.ts';

/** By their names they say what there is: projects define them wherever it is there, and so do builds for what is newest. */
const usual = /^(?:FEATURE|HAVE|HAS|SUPPORTS?)_|_OR_GREATER$/;
const conditional = /^[ \t]*(#[ \t]*(if|elif|else|endif)\b.*)$/gm;

/** Which lines of a source an ordinary build leaves out: what a symbol asks for that nobody defines. */
export function sidesIn(source: string): readonly Side[] {
  const sides: Side[] = [];
  const conditions = new Conditions(undefined, usual);
  let line = 1;
  let counted = 0;
  for (const found of source.matchAll(conditional)) {
    for (let at = source.indexOf('\n', counted); at >= 0 && at < found.index; at = source.indexOf('\n', at + 1)) line++;
    counted = found.index;
    conditions.meet(found[2] ?? '', found[1] ?? '');
    sides.push({ line, rank: conditions.rank });
  }
  return sides;
}
