import type { SearchDocument } from '../../model/search-document.ts';
import type { Highlight } from './port.ts';
import { isPrefix, type ResolvedWord } from './query.ts';
import { pieces, stem } from './tokens.ts';
import { isNear } from './typos.ts';

const shown = ['name', 'qualified_name', 'path', 'signature', 'doc'] as const satisfies (keyof SearchDocument)[];
const MAX_RANGES = 20;

/** Where a document's texts hold the words of the query, as typed, as beginnings, in one, or but for typos. */
export function highlights(document: SearchDocument, words: readonly ResolvedWord[]): Highlight[] {
  return shown.flatMap((field) => {
    const ranges = rangesIn(document[field] ?? '', words);
    return ranges.length === 0 ? [] : [{ field, ranges }];
  });
}

function rangesIn(text: string, words: readonly ResolvedWord[]): Highlight['ranges'] {
  const ranges: Highlight['ranges'] = [];
  const all = [...pieces(text)];
  for (const [i, { token, start, end }] of all.entries()) {
    const last = words.some((word) => meant(word, token)) ? i : lastOfJoined(all, i, words);
    if (last === null) continue;
    const before = ranges.at(-1);
    const until = all[last]?.end ?? end;
    if (before && start <= before[1]) before[1] = Math.max(before[1], until);
    else if (ranges.length === MAX_RANGES) break;
    else ranges.push([start, until]);
  }
  return ranges;
}

function meant({ kind, tokens }: ResolvedWord, part: string): boolean {
  return tokens.some(({ token, known }) =>
    known || kind === 'found' ? begins(part, token) : isNear(token, part) || begins(part, token),
  );
}

function begins(part: string, token: string): boolean {
  return part === token || (isPrefix(token) && part.startsWith(stem(token)));
}

type Piece = { token: string; start: number; end: number };

/** Parts in a row that give a word in one: `get`, `User` for `getus`; the index of the last, null when they do not. */
function lastOfJoined(all: readonly Piece[], first: number, words: readonly ResolvedWord[]): number | null {
  for (const { joined, tokens } of words) {
    // A word of one token may also be several parts typed in one.
    const wanted = joined ?? (tokens.length === 1 ? tokens[0] : undefined);
    if (wanted === undefined || wanted.token.length < 3) continue;
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
