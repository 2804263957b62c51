import type { NodeType } from '../../model/graph.ts';
import type { Field } from './document-tokens.ts';
import { relevance, wordShare } from './score.ts';
import { exactToken, isBytes, isWord, join, MAX_PARTS_JOINED, parts, stem, typedAcronym } from './tokens.ts';

/** What narrows a search: each list by what has one of its values, paths by what has all. */
export interface SearchFilters {
  types?: readonly NodeType[];
  repositories?: readonly string[];
  /** In any case, as the frameworks. */
  languages?: readonly string[];
  frameworks?: readonly string[];
  /** Fragments of the path. */
  paths?: readonly string[];
}

/** One word of a query, as typed between spaces: every token must be found. */
export interface QueryWord {
  tokens: string[];
  /** The word in one, where it has several tokens: `OAuth` is also looked for as `oauth`. */
  joined: string | null;
  /** What it may be the acronym of: `gUP`. */
  acronym: string | null;
  /** Says little: it counts where it is found, and is not asked for. */
  optional: boolean;
}

/** What a query asks: its text as written, the token of a name that is just so, its words. What goes beyond the bounds is not looked for. */
export interface ParsedQuery {
  text: string;
  exact: string;
  words: QueryWord[];
}

const MAX_WORDS = 12;
const MAX_QUERY_TOKENS = 24;
/** Words of sentences, not of what they are about. */
const SMALL_WORDS = new Set(
  'a an and are as at be by for from if in into is it of on or that the this to when with'.split(' '),
);

/** Reads any text as a query; never fails, and its size is bounded. */
export function parseQuery(text: string): ParsedQuery {
  const trimmed = text.slice(0, 256).toWellFormed().trim();
  const words: QueryWord[] = [];
  let left = MAX_QUERY_TOKENS;
  for (const typed of trimmed.split(/\s+/u)) {
    const tokens = parts(typed).slice(0, left);
    if (tokens.length === 0) continue;
    if (words.length === MAX_WORDS) break;
    left -= tokens.length;
    const joined = tokens.length > 1 && tokens.length <= MAX_PARTS_JOINED ? join(tokens) : null;
    words.push({ tokens, joined, acronym: typedAcronym(typed), optional: SMALL_WORDS.has(typed) });
    if (left === 0) break;
  }
  const small = words.every(({ optional }) => optional);
  return { text: trimmed, exact: exactToken(trimmed), words: small ? words.map(required) : words };
}

const required = (word: QueryWord): QueryWord => ({ ...word, optional: false });

/** The tokens that must follow one another. */
export function phraseTokens(text: string): string[] {
  return parts(text.slice(0, 256).toWellFormed()).slice(0, MAX_QUERY_TOKENS);
}

/** What each filter that is a list lets through, as an index holds it: languages and frameworks in small letters. */
export function listFilters({ types, repositories, languages, frameworks }: SearchFilters) {
  const small = (values: readonly string[] | undefined) => values?.map((value) => value.toLowerCase());
  const lists = { type: types, repository: repositories, language: small(languages), framework: small(frameworks) };
  return (Object.keys(lists) as (keyof typeof lists)[]).flatMap((kind) => {
    const values = lists[kind];
    return values === undefined ? [] : [{ kind, values }];
  });
}

/** From this length on a token also stands for the words that begin with it. */
export function isPrefix(token: string): boolean {
  return token.length > 1;
}

/** Does the text also stand for the names that begin with it? */
export function isBeginning({ exact }: ParsedQuery): boolean {
  return !isBytes(exact) && isPrefix(exact.slice(1));
}

/** Is it worth to look for names that are the text but for typos? */
export function mayBeMistyped({ exact }: ParsedQuery, words: readonly ResolvedWord[]): boolean {
  return !isBytes(exact) && words.some(({ kind, joined }) => kind === 'mistyped' || joined?.known === false);
}

/** How many typos a token of this length may have; the first letter is never one. */
export function maxTypos(token: string): 0 | 1 | 2 {
  const length = Array.from(token).length - (isWord(token) ? 0 : 1);
  return length < 4 ? 0 : length < 8 ? 1 : 2;
}

/** At most so many terms stand for one mistyped token: the nearest, then the first by code point. */
export const MAX_TYPO_TERMS = 50;

/** A token, and whether any document has one that begins so; where none has, it is taken for mistyped. */
export interface ResolvedToken {
  token: string;
  known: boolean;
}

/**
 * A word of a query against what the index holds: found as typed, or token by token with the terms it may have meant. Each token
 * of `QuerySt` may begin something while the word in one begins no name: then that may be mistyped.
 */
export interface ResolvedWord {
  kind: 'found' | 'mistyped';
  tokens: readonly ResolvedToken[];
  joined: ResolvedToken | null;
  acronym: string | null;
  optional: boolean;
}

/** Does any document have a token that begins so (or is so, see isPrefix), in this field or anywhere? */
export interface Lookup {
  field: 'name' | null;
  token: string;
}

/**
 * Decides for each word whether it is mistyped: when a token of it begins no term at all, and neither the word in one nor its
 * acronym one of a name.
 */
export async function resolveWords(
  words: readonly QueryWord[],
  exist: (lookups: Lookup[]) => Promise<boolean[]>,
): Promise<ResolvedWord[]> {
  const lookups = words.map(({ tokens, joined, acronym }) => [
    ...tokens.map((token): Lookup => ({ field: null, token: stem(token) })),
    ...(joined === null ? [] : [{ field: 'name', token: joined } as const]),
    ...(acronym === null ? [] : [{ field: 'name', token: acronym } as const]),
  ]);
  const answers = words.length === 0 ? [] : await exist(lookups.flat());
  let next = 0;
  return words.map(({ tokens, joined, acronym, optional }, i) => {
    const known = answers.slice(next, (next += lookups[i]?.length ?? 0));
    const each = tokens.map((token, j): ResolvedToken => ({ token, known: known[j] ?? false }));
    const inOne = joined === null ? null : { token: joined, known: known[tokens.length] ?? false };
    const isAcronym = acronym !== null && known.at(-1) === true;
    const found = optional || isAcronym || inOne?.known === true || each.every((token) => token.known);
    return {
      kind: found ? 'found' : 'mistyped',
      tokens: each,
      joined: inOne,
      acronym: isAcronym ? acronym : null,
      optional,
    };
  });
}

/** One thing to look for: all tokens in one field, the last one as a beginning or not; or in a row; or names that are nearly so. */
export type Clause =
  | { how: 'whole' | 'prefix' | 'phrase'; field: Field | 'anywhere'; tokens: readonly string[] }
  | { how: 'nearly'; tokens: readonly ResolvedToken[] };

/** How one of a word's tokens is looked for: who goes on typing has typed those before. */
export function howOf(how: 'whole' | 'prefix', token: number, tokens: readonly string[]): 'whole' | 'prefix' {
  return token < tokens.length - 1 ? 'whole' : how;
}

/** A way in which a word is found: by any of these clauses, for so many points. */
export interface Way {
  points: number;
  clauses: readonly Clause[];
  /** What other ways find, this or another such way finds too. */
  widest?: boolean;
}

/** The ways in which a word of so many is found, the best first. */
export function waysOf(word: ResolvedWord, words: number): Way[] {
  const { joined, acronym } = word;
  const tokens = word.tokens.map(({ token }) => token);
  const ways: Way[] = [];
  if (word.kind === 'mistyped') {
    ways.push({ points: relevance.word.typo, clauses: [{ how: 'nearly', tokens: word.tokens }], widest: true });
  } else {
    for (const field of ['name', 'qualified', 'path', 'anywhere'] as const) {
      for (const how of ['whole', 'prefix'] as const) {
        // Only names are indexed by what their parts give in one.
        const inOne = joined?.known && (field === 'name' || field === 'anywhere') ? joined.token : null;
        const clauses: Clause[] = [{ how, field, tokens }];
        if (inOne !== null) clauses.push({ how, field: 'name', tokens: [inOne] });
        ways.push({ points: relevance.word[field][how], clauses, widest: field === 'anywhere' && how === 'prefix' });
      }
    }
    if (tokens.length > 1)
      ways.push({ points: relevance.word.pathInOrder, clauses: [{ how: 'phrase', field: 'path', tokens }] });
  }
  if (acronym !== null) {
    for (const how of ['whole', 'prefix'] as const) {
      const clauses: Clause[] = [{ how, field: 'name', tokens: [acronym] }];
      ways.push({ points: relevance.word.acronym[how], clauses, widest: how === 'prefix' });
    }
  }
  if (joined !== null && !joined.known)
    ways.push({ points: relevance.word.nearly, clauses: [{ how: 'nearly', tokens: [joined] }], widest: true });
  return ways
    .map(({ points, ...way }) => ({ ...way, points: wordShare(points, words) }))
    .sort((a, b) => b.points - a.points);
}

/** Where nothing has all the words: is it worth to look for what has most of them? */
export function mayRelax(words: readonly ResolvedWord[]): boolean {
  const required = words.filter(({ optional }) => !optional).length;
  return minWords(required) < required;
}

/** How many of so many words must be found then. */
export function minWords(words: number): number {
  return words < 3 ? words : Math.ceil(words * 0.6);
}
