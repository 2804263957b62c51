import { StoreUnavailable } from '../stores/errors.ts';
import type { QuotedIn } from '../stores/search/port.ts';
import { SearchTooLong } from '../stores/source/port.ts';
import type { View } from '../tenancy/view.ts';
import { symbolsAt } from './enclosing-symbol.ts';
import { minWordsOfText } from './ranking/query.ts';
import type { Expression } from './text/expression.ts';
import type { TypedQuery } from './typed-query.ts';

/** What stands in more files says nothing of which is meant: a licence, an import. */
const maxFiles = 20;
/** So many of them are given. */
const maxPlaces = 5;

/** Is what is typed a text that somebody has seen, and no name? */
export function isText({ text, phrases = [] }: TypedQuery): boolean {
  return phrases.length > 0 || text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length >= minWordsOfText;
}

/**
 * Where the text of a query stands in the code as it is typed, without regard to case: the innermost functions and classes around it,
 * or files; of production, unless only others have it. Undefined where that is nowhere, everywhere, or can't be told now: the search
 * goes on by its words.
 */
export async function quotedPlaces(view: View, typed: TypedQuery): Promise<QuotedIn[] | undefined> {
  const { text, repositories } = typed;
  if (!/[\p{L}\p{N}]{2}/u.test(text)) return undefined;
  const standing: Expression = { op: 'text', pattern: { source: text, isRegex: false, matchCase: false } };
  const parts =
    repositories === undefined ? [standing] : [standing, { op: 'repositories' as const, keys: repositories }];
  try {
    const { files, total } = await view.source.search({
      expression: { op: 'and', parts },
      offset: 0,
      limit: maxFiles,
    });
    if (total === 0 || total > maxFiles) return undefined;
    const read = files.filter(({ left_out: leftOut }) => leftOut === undefined);
    const production = read.filter(({ test }) => !test);
    const best = (production.length > 0 ? production : read).slice(0, maxPlaces);
    const places = best.map(({ repository, path, lines: [first] }) => ({ repository, path, line: first?.line ?? 1 }));
    const symbolAt = await symbolsAt(
      view,
      places.map(({ line, ...file }) => ({ ...file, lines: [line] })),
    );
    return places.map(({ repository, path, line }) => {
      const symbol = symbolAt(repository, path, line);
      return { repository, path, qualified_name: symbol && (symbol.qualified_name ?? symbol.name) };
    });
  } catch (error) {
    if (error instanceof SearchTooLong || error instanceof StoreUnavailable) return undefined;
    throw error;
  }
}
