import { Conditions } from '../reading/conditions.ts';
import { keepSides, type Side } from '../reading/sides.ts';
import type { SourceFile } from '../reading/source-file.ts';
import { endOfDirective, passed } from './scan.ts';

/** A line's end, a word, or what begins something that is passed over. */
const next = /[A-Za-z_]\w*|\d(?:[\w.]|'\w)*|["'/#\n]/g;

/** Notes which lines of a file an ordinary build on Linux leaves out. */
export function noteSides(file: SourceFile, source: string): void {
  keepSides(file, sidesIn(source, file.path));
}

/** A source of C defines no `__cplusplus`; a header may be of both. */
const cplusplusIn = (path: string) => (path.endsWith('.c') ? 0 : path.endsWith('.h') ? 0.5 : 1);

export function sidesIn(source: string, path: string): readonly Side[] {
  const sides: Side[] = [];
  const conditions = new Conditions(cplusplusIn(path));
  let line = 1;
  let counted = 0;
  const meet = (from: number, end: number) => {
    const directive = source.slice(from, end);
    const word = /^#[ \t]*((?:if|el|endif)\w*)/.exec(directive)?.[1];
    if (word === undefined) return;
    for (let at = source.indexOf('\n', counted); at >= 0 && at < from; at = source.indexOf('\n', at + 1)) line++;
    counted = from;
    conditions.meet(word, directive);
    sides.push({ line, rank: conditions.rank });
  };
  let isLineStart = true;
  for (let at = 0; at < source.length;) {
    next.lastIndex = at;
    const found = next.exec(source);
    if (!found) break;
    const [token] = found;
    const from = found.index;
    isLineStart &&= source.slice(at, from).trim() === '';
    at = from + token.length;
    if (token === '#' && isLineStart) {
      at = endOfDirective(source, from);
      meet(from, at);
    } else if (/^["'/]$/.test(token)) at = passed(source, from);
    else if (source[at] === '"' && /^(?:u8|[LuU])?R$/.test(token)) at = passed(source, at, true);
    // A comment before a directive is none of its line.
    isLineStart = token === '\n' || (isLineStart && token === '/' && at > from + 1);
  }
  return sides;
}
