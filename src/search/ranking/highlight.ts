import type { SearchDocument } from '../../model/search-document.ts';
import { isPrefix, type ResolvedToken, type ResolvedWord } from './query.ts';
import { pieces, stem, type Piece } from './tokens.ts';
import { isNear } from './typos.ts';

const shown = ['name', 'qualified_name', 'path', 'signature', 'doc'] as const satisfies (keyof SearchDocument)[];
const maxRanges = 20;

/** Where in one field of a document the words are, in UTF-16 units: from the first to before the second. */
export interface Highlight {
  field: 'name' | 'qualified_name' | 'path' | 'signature' | 'doc';
  ranges: [start: number, end: number][];
}

/** Tells where a document's texts hold the words of a query, as typed, as beginnings, in one, or but for typos. */
export function highlighter(words: readonly ResolvedWord[]): (document: SearchDocument) => Highlight[] {
  const meant = words.flatMap(({ kind, tokens }) =>
    tokens.map(({ token, known }) => meaning(token, !known && kind === 'mistyped')),
  );
  // A word of one token may also be several parts typed in one.
  const joined = words
    .flatMap(({ joined, tokens }) => joined ?? (tokens.length === 1 ? tokens : []))
    .filter(({ token }) => token.length >= 3);

  function rangesIn(text: string): Highlight['ranges'] {
    const ranges: Highlight['ranges'] = [];
    const all = pieces(text);
    for (const [i, { token, start, end }] of all.entries()) {
      const last = meant.some((means) => means(token)) ? i : lastOfJoined(all, i, joined);
      if (last === null) continue;
      const before = ranges.at(-1);
      const until = all[last]?.end ?? end;
      if (before && start <= before[1]) before[1] = Math.max(before[1], until);
      else if (ranges.length === maxRanges) break;
      else ranges.push([start, until]);
    }
    return ranges;
  }

  return (document) =>
    shown.flatMap((field) => {
      const ranges = rangesIn(document[field] ?? '');
      return ranges.length === 0 ? [] : [{ field, ranges }];
    });
}

/** Is a part of a text what is typed? */
function meaning(token: string, mistyped: boolean): (part: string) => boolean {
  const begun = isPrefix(token) ? stem(token) : null;
  return (part) => part === token || (begun !== null && part.startsWith(begun)) || (mistyped && isNear(token, part));
}

/** Parts in a row that give a word in one: `get`, `User` for `getus`; the index of the last, null when they do not. */
function lastOfJoined(all: readonly Piece[], first: number, joined: readonly ResolvedToken[]): number | null {
  for (const wanted of joined) {
    if (all[first]?.token[0] !== wanted.token[0]) continue;
    let inOne = '';
    for (let i = first; i < all.length; i++) {
      const [piece, before] = [all[i], all[i - 1]];
      if (piece === undefined || (i > first && before && piece.start - before.end > 1)) break;
      inOne += piece.token;
      if (inOne.startsWith(wanted.token) || (!wanted.known && isNear(wanted.token, inOne))) return i;
      if (wanted.known && !wanted.token.startsWith(inOne)) break;
      if (inOne.length > wanted.token.length + 2) break;
    }
  }
  return null;
}
