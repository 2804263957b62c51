import { StoreUnavailable } from '../stores/errors.ts';
import type { QuotedIn, SearchQuery, SearchResult } from '../stores/search/port.ts';
import { SearchTooLong } from '../stores/source/port.ts';
import type { View } from '../tenancy/view.ts';
import { symbolsAt } from './enclosing-symbol.ts';
import { minWordsOfText } from './ranking/query.ts';
import type { Expression } from './text/expression.ts';
import { neededBy } from './text/trigrams.ts';
import type { TypedQuery } from './typed-query.ts';

/** What stands in more files of production says nothing of which is meant: a licence, an import. */
const maxFiles = 20;
/** So many of them are given. */
const maxPlaces = 5;
/** So few words in quotes are a name. */
const minWordsQuoted = 2;

/** So well fits what has the name that is typed, or nearly so: then its places in the code are not looked for. */
const minNamed = 50;
/** Nor where so many have the words that are typed. */
const minFound = 10;

/**
 * Searches by words, and in the code where what is typed is a text, or where hardly anything has its words. `box` is what was typed,
 * `wanted` the search for its words.
 */
export async function searchWithQuoted(
  view: View,
  { box, typed, wanted }: { box: string; typed: TypedQuery; wanted: SearchQuery },
): Promise<SearchResult> {
  const { search } = view;
  const { literal, isText } = literalOf(box, typed);
  const places = () => quotedPlaces(view, literal, wanted);
  // Most texts stand nowhere: then nothing has waited.
  const [byWords, standing] = await Promise.all([search.search(wanted), isText ? places() : undefined]);
  const isRare = async () => {
    if (isText || literal === '' || byWords.total >= minFound) return false;
    const isFirst = wanted.offset === 0 && wanted.sort === 'composite_score' && wanted.order === 'desc';
    const first = { sort: 'composite_score', order: 'desc', offset: 0, limit: 1, after: null } as const;
    const { hits } = isFirst ? byWords : await search.search({ ...wanted, ...first });
    return (hits[0]?.relevance ?? 0) < minNamed;
  };
  const quoted = (await isRare()) ? await places() : standing;
  return quoted === undefined ? byWords : search.search({ ...wanted, quoted });
}

/** What the box has as text, and whether that is one that somebody has seen, and no name. */
function literalOf(box: string, typed: TypedQuery): { literal: string; isText: boolean } {
  const { text, phrases = [], hints: _, ...narrowing } = typed;
  const isQuoted = phrases.length === 1 && phrases[0] === text;
  const literal = isQuoted || Object.keys(narrowing).length > 0 ? text : box.trim();
  const words = literal.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return { literal, isText: words >= (isQuoted ? minWordsQuoted : minWordsOfText) };
}

/**
 * Where a text stands in the code as it is, without regard to case: the innermost functions and classes around it, else files that have
 * any; of production, unless only tests have it. Undefined where that is nowhere or everywhere, would mean to look through all files, or
 * can't be told soon: the search goes on by its words.
 */
async function quotedPlaces(
  view: View,
  literal: string,
  { types, repositories, excluded }: Pick<SearchQuery, 'types' | 'repositories' | 'excluded'>,
): Promise<QuotedIn[] | undefined> {
  const isSymbolAsked = types === undefined || types.includes('Function') || types.includes('Class');
  if (!isSymbolAsked && !types.includes('File')) return undefined;
  const parts: Expression[] = [{ op: 'text', pattern: { source: literal, isRegex: false, matchCase: false } }];
  if (repositories !== undefined) parts.push({ op: 'repositories', keys: repositories });
  if (excluded?.repositories !== undefined)
    parts.push({ op: 'not', part: { op: 'repositories', keys: excluded.repositories } });
  const expression: Expression = { op: 'and', parts };
  if (neededBy(expression) === null) return undefined;
  try {
    const enough = maxFiles + 1;
    const { files, total } = await view.source.search({
      expression,
      offset: 0,
      limit: enough,
      enough,
      isOptional: true,
    });
    // The best come first: source, tests, then what the search has no documents of.
    const source = files.filter(({ language, left_out: leftOut }) => language !== null && leftOut === undefined);
    const production = source.filter(({ test }) => !test);
    const best = production.length > 0 ? production : source;
    if (best.length === 0 || best.length > maxFiles || (production.length === 0 && total > maxFiles)) return undefined;
    const found = best.map(({ repository, path, lines: [first] }) => ({ repository, path, line: first?.line ?? 1 }));
    const symbolAt = await symbolsAt(
      view,
      isSymbolAsked ? found.map(({ line, ...file }) => ({ ...file, lines: [line] })) : [],
    );
    const places = found.map(({ repository, path, line }): QuotedIn => {
      const symbol = symbolAt(repository, path, line);
      // Overloads are one document, which has the id of the first.
      const id = symbol?.id.replace(/@\d+$/, '') ?? `${repository}/${path}`;
      return { id, repository, path, name: symbol?.name ?? null };
    });
    return [...places.filter(({ name }) => name !== null), ...places.filter(({ name }) => name === null)].slice(
      0,
      maxPlaces,
    );
  } catch (error) {
    if (error instanceof SearchTooLong || error instanceof StoreUnavailable) return undefined;
    throw error;
  }
}
