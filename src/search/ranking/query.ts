import type { SearchType } from '../../model/search-document.ts';
import { declaredFields, fields, type Anywhere, type AnyField } from './document-tokens.ts';
import { contentBeginning, contentShares, contentToken } from './content.ts';
import { PREFIX_OF_SENTENCE, relevance, wordShare, wordWeight } from './score.ts';
import { exactToken, isBytes, isWord, join, maxPartsJoined, parts, stem, typedAcronym } from './tokens.ts';

/** What narrows a search: each list by what has one of its values, paths by what has all. */
export interface SearchFilters {
  types?: readonly SearchType[];
  /** Finer than the types: `method`, `interface`, `constant`, `enum_member`. In any case. */
  kinds?: readonly string[];
  repositories?: readonly string[];
  /** In any case, as the frameworks. */
  languages?: readonly string[];
  frameworks?: readonly string[];
  /** Of repositories: names of licences, of one version or whichever (`gpl`), and topics. In any case. */
  licenses?: readonly string[];
  topics?: readonly string[];
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
  words: readonly QueryWord[];
  /** Each part of its words, and each word in one, as a word of its own. */
  parts: readonly QueryWord[];
}

/** Of a query so many words are looked for. */
export const maxTypedWords = 12;
const maxQueryTokens = 24;
/** Words of sentences, not of what they are about. */
const SMALL_WORDS = new Set(
  'a an and are as at be by for from if in into is it of on or that the this to when with'.split(' '),
);

/** Does a word say little, as it stands? */
export const isSmallWord = (word: string): boolean => SMALL_WORDS.has(word);

/** Reads any text as a query; never fails, and its size is bounded. */
export function parseQuery(text: string): ParsedQuery {
  const trimmed = text.slice(0, 256).toWellFormed().trim();
  const words: QueryWord[] = [];
  let left = maxQueryTokens;
  for (const typed of trimmed.split(/\s+/u)) {
    const tokens = parts(typed).slice(0, left);
    if (tokens.length === 0) continue;
    if (words.length === maxTypedWords) break;
    left -= tokens.length;
    const joined = tokens.length > 1 && tokens.length <= maxPartsJoined ? join(tokens) : null;
    words.push({ tokens, joined, acronym: typedAcronym(typed), optional: SMALL_WORDS.has(typed) });
    if (left === 0) break;
  }
  return { text: trimmed, exact: exactToken(trimmed), words: asked(words), parts: asked(partsOf(words)) };
}

function partsOf(words: readonly QueryWord[]): QueryWord[] {
  const tokens = new Set(words.flatMap(({ tokens, joined }) => (joined === null ? tokens : [...tokens, joined])));
  return [...tokens].map((token) => ({
    tokens: [token],
    joined: null,
    acronym: null,
    optional: SMALL_WORDS.has(token),
  }));
}

/** Where all words are small, these are asked for. */
function asked<Word extends { optional: boolean }>(words: readonly Word[]): readonly Word[] {
  return words.every(({ optional }) => optional) ? words.map((word) => ({ ...word, optional: false })) : words;
}

/** Of so many words what is typed is a text; one or two are a name as often. */
export const minWordsOfText = 3;

/** How well a place fits in whose text the query stands as it is typed; what is in quotes is meant so. */
export function quotedPoints({ text, words }: ParsedQuery, [phrase]: readonly string[] = []): number {
  return words.length >= minWordsOfText || phrase === text ? relevance.quoted.text : relevance.quoted.words;
}

/** The tokens that must follow one another. */
export function phraseTokens(text: string): string[] {
  return parts(text.slice(0, 256).toWellFormed()).slice(0, maxQueryTokens);
}

/** What each filter that is a list lets through, as an index holds it: languages and frameworks in small letters. */
export function listFilters({ types, kinds, repositories, languages, frameworks, licenses, topics }: SearchFilters) {
  const small = (values: readonly string[] | undefined) => values?.map((value) => value.toLowerCase());
  const lists = {
    type: types,
    kind: small(kinds),
    repository: repositories,
    language: small(languages),
    framework: small(frameworks),
    license: small(licenses),
    topic: topics?.map(topicOf),
  };
  return (Object.keys(lists) as (keyof typeof lists)[]).flatMap((kind) => {
    const values = lists[kind];
    return values === undefined ? [] : [{ kind, values }];
  });
}

/** A topic as it is compared: `Web Framework` is `web-framework`. */
export function topicOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
}

/** By what an expression of SPDX is found: each licence in it, also without `-only`, and whichever version: `gpl-3.0`, `gpl`. */
export function licenceNames(expression: string): string[] {
  const ids = expression
    .toLowerCase()
    .split(/[\s()/,]+/)
    .filter((id) => id !== '' && !/^(or|and|with)$/.test(id));
  const names = ids.flatMap((id) => {
    const plain = id.replace(/(-only|-or-later|\+)$/, '');
    return [id, plain, plain.replace(/-\d[\d.]*(-clause)?$/, '')];
  });
  return [...new Set(names)];
}

/** From this length on a token also stands for the words that begin with it. */
export function isPrefix(token: string): boolean {
  return token.length > 1;
}

/** Does the text also stand for the names that begin with it? */
export function isBeginning({ exact }: ParsedQuery): boolean {
  return !isBytes(exact) && isPrefix(exact.slice(1));
}

/** How many typos a token of this length may have; the first letter is never one. */
export function maxTypos(token: string): 0 | 1 | 2 {
  const length = Array.from(token).length - (isWord(token) ? 0 : 1);
  return length < 4 ? 0 : length < 8 ? 1 : 2;
}

/** At most so many terms stand for one mistyped token: the nearest, then the first by code point. */
export const maxTypoTerms = 50;

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
  /** How much of the text it is: what few documents have says more. */
  weight: number;
}

/** Documents with a token that begins so (or is so, see isPrefix), in this field or anywhere. */
export interface Lookup {
  field: 'name' | 'content' | Anywhere;
  token: string;
}

/**
 * Counts, of the documents that are visible, those of each lookup, and all but declared names; where it is not asked `exactly`, some
 * count as one.
 */
export type CountDocuments = (lookups: Lookup[], exactly: boolean) => Promise<{ found: number[]; all: number }>;

/** One way to take the words of a query. */
export interface Reading {
  words: readonly ResolvedWord[];
  /** Of all words. */
  weight: number;
  /** Is one word enough? What has more of them, or rarer ones, fits better. */
  any: boolean;
  /** What is not looked for, as nobody has it. */
  leftOut: readonly string[];
  /** Of the points of words, those of what is no part of tests; 0 where that does not count. */
  production: number;
  /** What repositories have beside it. */
  repository: number;
  /** Is it worth to look for names that are the text but for typos? */
  nearlyExact: boolean;
}

/** Reads a query as it is typed: all its words. */
export async function readAsTyped({ exact, words }: ParsedQuery, count: CountDocuments): Promise<Reading> {
  // How rare one word is that is alone does not matter.
  const resolved = await resolveWords(words, count, { exactly: words.length > 1, field: 'anywhere' });
  const nearlyExact =
    !isBytes(exact) && resolved.some(({ kind, joined }) => kind === 'mistyped' || joined?.known === false);
  return { ...weighed(resolved), any: false, leftOut: [], ...preferred(words), nearlyExact };
}

/** Reads a query, of which this is the reading as typed, by its parts, any of which is enough. */
export async function readByParts(
  { parts, words }: ParsedQuery,
  { nearlyExact }: Reading,
  count: CountDocuments,
): Promise<Reading> {
  const resolved = await resolveWords(parts, count, { exactly: true, field: 'everywhere' });
  const unknown = resolved.filter(({ kind }) => kind === 'mistyped').flatMap(({ tokens }) => tokens);
  const lookups = unknown.flatMap(({ token }): Lookup[] => [
    { field: 'declared_anywhere', token },
    { field: 'content', token: contentBeginning(stem(token)) },
  ]);
  const { found } = lookups.length === 0 ? { found: [] } : await count(lookups, false);
  const elsewhere = new Set(unknown.filter((_, i) => (found[2 * i] ?? 0) + (found[2 * i + 1] ?? 0) > 0));
  const known = resolved.filter(({ kind, tokens }) => kind === 'found' || tokens.every((each) => elsewhere.has(each)));
  // What nobody has is left out, unless there is nothing else. Of a sentence the small words are asked for where they are all that is
  // left; of a name they say nothing.
  const isSentence = words.length > 1;
  const hasMore = known.some(({ optional }) => !optional);
  const left = isSentence ? asked(known.length > 0 ? known : resolved) : hasMore ? known : resolved;
  const leftOut = resolved
    .filter((part) => !left.includes(part))
    .flatMap(({ tokens }) => tokens.map(({ token }) => token));
  return { ...weighed(left), any: true, leftOut, ...preferred(parts), nearlyExact };
}

const TESTS = new Set(['test', 'tests', 'testing', 'tested', 'spec', 'specs']);

/** Who names a language or what is published means a repository that is about the other words. */
const PUBLISHED = new Set(
  'library libraries lib package framework frameworks toolkit sdk cli tool tools client middleware go golang python java javascript js node nodejs typescript rust php ruby kotlin scala swift elixir lua dart csharp dotnet cpp'.split(
    ' ',
  ),
);

/** Who describes something in several words means what does it, and not its tests, unless he says so. */
function preferred(words: readonly QueryWord[]): Pick<Reading, 'production' | 'repository'> {
  const says = (some: ReadonlySet<string>) => words.some(({ tokens }) => tokens.some((token) => some.has(token)));
  if (words.length < 2) return { production: 0, repository: 0 };
  return {
    production: says(TESTS) ? 0 : relevance.production,
    repository: says(PUBLISHED) ? relevance.repository.asked : relevance.repository.any,
  };
}

function weighed(words: readonly ResolvedWord[]): Pick<Reading, 'words' | 'weight'> {
  return { words, weight: words.reduce((sum, { weight }) => sum + weight, 0) };
}

async function resolveWords(
  words: readonly QueryWord[],
  count: CountDocuments,
  { exactly, field }: { exactly: boolean; field: 'anywhere' | 'everywhere' },
): Promise<ResolvedWord[]> {
  const lookups = words.map((word) => lookupsOf(word, field));
  const { found, all } = words.length === 0 ? { found: [], all: 0 } : await count(lookups.flat(), exactly);
  let next = 0;
  return words.map((word, i) =>
    resolved(word, found.slice(next, (next += lookups[i]?.length ?? 0)), all, field === 'everywhere'),
  );
}

function lookupsOf({ tokens, joined, acronym }: QueryWord, field: Anywhere): Lookup[] {
  return [
    ...tokens.map((token): Lookup => ({ field, token })),
    ...(joined === null ? [] : [{ field: 'name', token: joined } as const]),
    ...(acronym === null ? [] : [{ field: 'name', token: acronym } as const]),
  ];
}

/** A word is mistyped when a token of it begins no term at all, and neither the word in one nor its acronym one of a name. */
function resolved(
  { tokens, joined, acronym, optional }: QueryWord,
  found: readonly number[],
  all: number,
  isOfSentence: boolean,
): ResolvedWord {
  const counts = tokens.map((_, i) => found[i] ?? 0);
  const inOne = joined === null ? 0 : (found[tokens.length] ?? 0);
  const asAcronym = acronym === null ? 0 : (found.at(-1) ?? 0);
  const rarest = Math.min(...counts) || inOne || asAcronym;
  const kind = optional || rarest > 0 ? 'found' : 'mistyped';
  return {
    kind,
    tokens: tokens.map((token, i) => ({ token, known: (counts[i] ?? 0) > 0 })),
    joined: joined === null ? null : { token: joined, known: inOne > 0 },
    acronym: asAcronym > 0 ? acronym : null,
    optional,
    // In how many documents there is what is meant, nobody knows.
    weight: wordWeight(kind === 'found' ? rarest : Math.sqrt(all), all, { isSmall: optional, isOfSentence }),
  };
}

/** One thing to look for: all tokens in one field, the last one as a beginning or not; or in a row; or names that are nearly so. */
export type Clause =
  | { how: 'whole' | 'prefix'; field: AnyField | Anywhere; tokens: readonly string[] }
  | { how: 'phrase'; field: AnyField; tokens: readonly string[] }
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

/** The ways in which a word of a reading is found, the best first. */
export function waysOf(word: ResolvedWord, reading: Reading): Way[] {
  const { joined, acronym } = word;
  const tokens = word.tokens.map(({ token }) => token);
  const ways: Way[] = [];
  if (word.kind === 'mistyped') {
    ways.push({ points: relevance.word.typo, clauses: [{ how: 'nearly', tokens: word.tokens }], widest: true });
  } else {
    const widest = reading.any ? 'everywhere' : 'anywhere';
    for (const field of ['name', 'qualified', 'path', 'anywhere', 'everywhere'] as const) {
      if (field === 'everywhere' && !reading.any) continue;
      for (const how of ['whole', 'prefix'] as const) {
        // Only names are indexed by what their parts give in one.
        const inOne = joined?.known && (field === 'name' || field === 'anywhere') ? joined.token : null;
        const clauses: Clause[] = [{ how, field, tokens }];
        if (inOne !== null) clauses.push({ how, field: 'name', tokens: [inOne] });
        const { [how]: whole } = relevance.word[field];
        const points = reading.any && how === 'prefix' ? Math.floor(whole * PREFIX_OF_SENTENCE) : whole;
        ways.push({ points, clauses, widest: field === widest && how === 'prefix' });
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
  ways.push(...declaredWays(word, reading.words.length > 1));
  if (reading.any) ways.push(...contentWays(tokens));
  return ways
    .map(({ points, ...way }) => ({ ...way, points: wordShare(points, word.weight, reading) }))
    .sort((a, b) => b.points - a.points);
}

/** Those in which it is found in the text of files. */
function contentWays(tokens: readonly string[]): Way[] {
  return contentShares.map((share, level) => ({
    points: Math.round(relevance.word.content * share),
    clauses: [{ how: 'whole', field: 'content', tokens: tokens.map((token) => contentToken(stem(token), level)) }],
    widest: true,
  }));
}

/** Those in which it is found in declared names: as typed, whatever the names of functions and classes are. */
function declaredWays({ joined, ...word }: ResolvedWord, isOfSeveral: boolean): Way[] {
  const tokens = word.tokens.map(({ token }) => token);
  const points = relevance.declared.word;
  return (['whole', 'prefix'] as const).flatMap((how) =>
    (['declared', 'declared_in', 'declared_anywhere'] as const).map((field): Way => {
      const inOne: Clause[] =
        joined === null || field === 'declared_in' ? [] : [{ how, field: 'declared', tokens: [joined.token] }];
      const isWidest = field === 'declared_anywhere' && how === 'prefix';
      const { [how]: alone, ofSeveral } = points[field];
      return { points: isOfSeveral ? ofSeveral : alone, clauses: [{ how, field, tokens }, ...inOne], widest: isWidest };
    }),
  );
}

/** The fields of which something is found anywhere. */
export const fieldsOf = {
  anywhere: fields,
  everywhere: [...fields, 'words'],
  declared_anywhere: declaredFields,
} as const satisfies Record<Anywhere, readonly AnyField[]>;

/** A page of what has all of three words or more is enough; of fewer words, one that has them. */
const minFound = 10;

/** Did the reading as typed find so few that the query is to be read by its parts? */
export function isTooFew(total: number, { parts }: ParsedQuery, { words }: Reading): boolean {
  const required = words.filter(({ optional }) => !optional).length;
  return parts.length > 1 && total < (required < 3 ? 1 : minFound);
}
