import type { SearchDocument } from '../../model/search-document.ts';
import { aboutOf } from './document-tokens.ts';
import { inBytes } from './in-bytes.ts';
import type { ParsedQuery, Reading } from './query.ts';
import { maxUnits, relevance, scoreOf, type ScoreBreakdown } from './score.ts';
import { SENTENCE_WEIGHTS } from './sentence-weights.ts';
import { join, parts, stem } from './tokens.ts';

/**
 * The second step of a sentence's search: the first hits, by their words alone, are put in order anew by what each one's fields, file
 * and repository say together. It sees only what every engine returns, so that all have the same order.
 */

/** So many of the first step's hits are looked at again. */
export const maxReordered = 100;
/** Of fewer words a text is a name as somebody remembers it. */
const minWords = 3;
/** What each item loses for every better one of its file: who describes something does not know which file it is in. */
const SAME_FILE = 1;

/** Of a repository, how much of the words it is about counts so much: nothing that the weights are learned from asks for one. */
const ABOUT = 5;

/** A hit without its highlights. */
export interface Scored {
  document: SearchDocument;
  relevance: number;
  score: number;
  breakdown: ScoreBreakdown;
}

/** A part of the hits, best first. */
interface Page {
  /** In whose text the query stands as it is typed. */
  quoted?: readonly { id: string }[];
  sort: string;
  order: string;
  offset: number;
  limit: number;
  after?: unknown;
}

/** The hits that the first step is asked for, and what makes a page of them. */
export function secondStep<Query extends Page>(
  query: Query,
  parsed: ParsedQuery,
  reading: Reading,
): { first: Query; pageOf: (hits: readonly Scored[]) => readonly Scored[] } {
  const { quoted = [], sort, order, offset, limit, after = null } = query;
  const kept = new Set(quoted.map(({ id }) => id));
  const isSentence = reading.any && parsed.words.filter(({ optional }) => !optional).length >= minWords;
  if (
    !isSentence ||
    sort !== 'composite_score' ||
    order !== 'desc' ||
    after !== null ||
    offset >= maxReordered ||
    limit === 0
  )
    return { first: query, pageOf: (hits) => hits };
  return {
    first: { ...query, offset: 0, limit: Math.max(maxReordered, offset + limit) },
    pageOf: (hits) =>
      [...inOrderAnew(reading, hits.slice(0, maxReordered), kept), ...hits.slice(maxReordered)].slice(
        offset,
        offset + limit,
      ),
  };
}

/** The same hits by what they have together, between the scores that the first and the last of them had; those `kept` by id stay. */
function inOrderAnew(reading: Reading, hits: readonly Scored[], kept: ReadonlySet<string>): Scored[] {
  const features = featuresOf(reading, hits, kept);
  // What is named so, or has all words in its name, is what fits best as it is.
  const isMoved = hits.map(
    (hit, i) =>
      !kept.has(hit.document.id) &&
      (isFile(hit) || (hit.relevance * 100 <= relevance.word.name.whole && !features[i]?.isNamed)),
  );
  const found = hits.filter((_, i) => isMoved[i]);
  const own = weighed(features.filter((_, i) => isMoved[i]));
  const points = apartByFile(found, behindSymbols(hits, found, own));
  const [low, high] = rangeOf(points);
  const [last] = rangeOf(found.map(({ score }) => score));
  // The words of a text are counted otherwise: so a file's score says nothing of how well others fit.
  const others = found.filter((hit) => !isFile(hit));
  const [, best] = rangeOf((others.length > 0 ? others : found).map(({ score }) => score));
  const units = (score: number) => Math.round((score / 100) * maxUnits);
  const moved = new Map(
    found.map((hit, i) => {
      const share = high > low ? ((points[i] ?? 0) - low) / (high - low) : 1;
      return [hit, Math.round(units(last) + share * (units(best) - units(last)))];
    }),
  );
  return hits
    .map((hit) => ({ hit, to: moved.get(hit) ?? units(hit.score) }))
    .sort(
      (a, b) =>
        b.to - a.to ||
        inBytes(a.hit.document.name, b.hit.document.name) ||
        inBytes(a.hit.document.id, b.hit.document.id),
    )
    .map(({ hit, to }) => scoreOf(hit.document, Math.round(hit.relevance * 100), to - units(hit.score)));
}

function rangeOf(values: readonly number[]): [least: number, most: number] {
  return [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
}

/** Puts each file last of which a function or class is among the hits: that has its place, as the file's text counts for it. */
function behindSymbols(hits: readonly Scored[], found: readonly Scored[], points: readonly number[]): number[] {
  const withSymbols = new Set(hits.filter((hit) => !isFile(hit)).map(({ document }) => fileOf(document)));
  const [last] = rangeOf(points);
  return found.map((hit, i) => (isFile(hit) && withSymbols.has(fileOf(hit.document)) ? last : (points[i] ?? last)));
}

const isFile = ({ document }: Scored) => document.type === 'File';

/** Takes from each item what better ones of its file cost it. */
function apartByFile(hits: readonly Scored[], points: readonly number[]): number[] {
  const before = new Map<string, number>();
  const apart = [...points];
  for (const i of [...points.keys()].sort((a, b) => (points[b] ?? 0) - (points[a] ?? 0) || a - b)) {
    const file = fileOf(hits[i]?.document);
    const better = before.get(file) ?? 0;
    apart[i] = (points[i] ?? 0) - SAME_FILE * better;
    before.set(file, better + 1);
  }
  return apart;
}

function fileOf(document: SearchDocument | undefined): string {
  return `${document?.repository} ${document?.path}`;
}

const names = Object.keys(SENTENCE_WEIGHTS) as Feature[];

/** The sum of the features by their weights. */
function weighed(features: readonly Features[]): number[] {
  return features.map((each) =>
    names.reduce((sum, name) => sum + each[name] * SENTENCE_WEIGHTS[name], each.about * ABOUT),
  );
}

const fields = ['name', 'path', 'signature', 'words'] as const;
type Field = (typeof fields)[number];

/** What of an item counts. Each is about 0 to 1; of words, shares of the weight of all words that are asked for. */
export type Features = Record<Feature, number> & {
  isNamed: boolean;
  /** Of a repository: its name, what it says that it is about, and its language. */
  about: number;
};
type Feature =
  | Exclude<Field, 'name'>
  /** In any field of the item; and whether all are but the small ones. */
  | 'anywhere'
  | 'all'
  /** Words that follow one another in the text and in the documentation, where at most one may be between them. */
  | 'doc_in_order'
  /** How well its file fits by its text and what was said of it, as BM25 has it, against the best; and the inverse of its place among those. */
  | 'content'
  | 'content_place'
  /** How much of its name is asked for, alone and times what the name has of the words. */
  | 'of_name'
  | 'of_name_by_name'
  /** Words that follow one another in the text and in its name. */
  | 'in_order'
  /** How much of the first step's hits its repository has, those before counting more. */
  | 'repository'
  /** The place in the first step, on a logarithmic scale. */
  | 'place'
  | 'test'
  | 'class'
  /** It is no function, class, declared name or file: a person, a repository, a framework. */
  | 'other'
  | 'depth'
  /** How many words of the body are kept: of many, some fit by chance. */
  | 'body_length';

/** The features of each hit, in the order of the first step. */
export function featuresOf(
  reading: Pick<Reading, 'words' | 'production'>,
  hits: readonly Scored[],
  kept: ReadonlySet<string> = new Set(),
): Features[] {
  const { places, weights, required } = wordsOf(reading);
  const all = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const share = (found: readonly boolean[]) =>
    found.reduce((sum, isFound, i) => sum + (isFound ? (weights[i] ?? 0) : 0), 0) / all;
  const found = hits.map(({ document }) => foundIn(document, { places, count: weights.length, required }));
  const repositories = shareByPlace(hits);
  // Their points are for having the text as it stands, and say nothing of how well the words of a file fit.
  const contents = contentByFile(
    hits.filter(({ document }) => !kept.has(document.id)),
    reading.production,
  );
  return hits.map(({ document }, i) => {
    const { in: inField, anywhere = [], ofName = 0, inOrder = 0, docInOrder = 0 } = found[i] ?? {};
    const inOne = (field: Field) => share(inField?.[field] ?? []);
    const { type, test, path, repository, words = [] } = document;
    return {
      path: inOne('path'),
      signature: inOne('signature'),
      words: inOne('words'),
      anywhere: share(anywhere),
      all: Number(required.every((place) => anywhere[place] === true)),
      doc_in_order: Math.min(1, docInOrder / 3),
      ...(contents.get(fileOf(document)) ?? { content: 0, content_place: 0 }),
      of_name: ofName,
      of_name_by_name: ofName * inOne('name'),
      in_order: Math.min(1, inOrder / 2),
      repository: repositories.get(repository) ?? 0,
      place: Math.log2(1 + i) / 8,
      test: Number(test && reading.production > 0),
      class: Number(type === 'Class'),
      other: Number(type !== 'Class' && type !== 'Function' && type !== 'Declaration' && type !== 'File'),
      depth: Math.min(1, (path ?? '').split('/').length / 8),
      body_length: Math.min(1, words.length / 60),
      about: type === 'Repository' ? share(found[i]?.about ?? []) : 0,
      isNamed: required.every((place) => inField?.name[place] === true),
    };
  });
}

/** The words that are asked for, each once whatever its form, with what they weigh; and the places of those that are not small. */
function wordsOf({ words }: Pick<Reading, 'words'>) {
  const places = new Map<string, number>();
  const weights: number[] = [];
  const required: number[] = [];
  for (const { tokens, weight, optional } of words) {
    const form = stem(tokens[0]?.token ?? '');
    if (places.has(form)) continue;
    if (!optional) required.push(weights.length);
    places.set(form, weights.length);
    weights.push(weight);
  }
  return { places, weights, required };
}

interface Found {
  in: Record<Field, boolean[]>;
  anywhere: boolean[];
  ofName: number;
  inOrder: number;
  docInOrder: number;
  /** Of a repository. */
  about: boolean[];
}

/** Which of the words stand where in a document. */
function foundIn(
  document: SearchDocument,
  { places, count, required }: { places: ReadonlyMap<string, number>; count: number; required: readonly number[] },
): Found {
  const anywhere = Array.from({ length: count }, () => false);
  const placeOf = (token: string) => places.get(formOf(token)) ?? null;
  const lookAt = (where: readonly (number | null)[]) => {
    const found = Array.from({ length: count }, () => false);
    for (const place of where) if (place !== null) anywhere[place] = found[place] = true;
    return found;
  };
  const look = (tokens: readonly string[]) => lookAt(tokens.map(placeOf));
  const { name, declared, details, doc, kind, path, qualified_name, signature, words = [] } = document;
  const own = parts(name);
  const around = declared?.places.flatMap((each) => each.in ?? []) ?? [];
  const paths = declared?.places.map((each) => each.path) ?? [path];
  const where = own.map(placeOf);
  const told = textParts(doc).map(placeOf);
  lookAt(told);
  look(textParts(qualified_name, details, ...around));
  return {
    in: {
      name: look(own.length > 1 ? [...own, join(own)] : own),
      path: look(textParts(...paths)),
      signature: look(textParts(kind, signature)),
      words: look(words),
    },
    anywhere,
    ofName: where.filter((place) => place !== null).length / Math.max(1, own.length),
    inOrder: where.filter((place, i) => place !== null && i > 0 && where[i - 1] === place - 1).length,
    docInOrder: followed(told, required),
    about: document.type === 'Repository' ? look(textParts(name, aboutOf(document))) : [],
  };
}

/** How many neighbours of the text, of which one at least is no small word, follow one another here. */
function followed(where: readonly (number | null)[], required: readonly number[]): number {
  const found = new Set<number>();
  for (const [i, place] of where.entries()) {
    if (place === null || place === 0 || (where[i - 1] !== place - 1 && where[i - 2] !== place - 1)) continue;
    if (required.includes(place) || required.includes(place - 1)) found.add(place);
  }
  return found.size;
}

/** Of each file that is a hit itself, how well its text fits. */
function contentByFile(
  hits: readonly Scored[],
  production: number,
): Map<string, { content: number; content_place: number }> {
  const files = hits
    .filter(isFile)
    .map((hit) => ({ file: fileOf(hit.document), points: hit.relevance * 100 - (hit.document.test ? 0 : production) }))
    .sort((a, b) => b.points - a.points);
  const best = Math.max(1, files[0]?.points ?? 0);
  return new Map(
    files.map(({ file, points }) => {
      const place = files.findIndex((each) => each.points === points);
      return [file, { content: points / best, content_place: 1 / (1 + place) }];
    }),
  );
}

/** Of each repository, its share of the hits, of which each counts less than the one before. */
function shareByPlace(hits: readonly Scored[]): Map<string | null, number> {
  const shares = new Map<string | null, number>();
  const counts = hits.map((_, i) => 1 / (3 + i));
  const all = counts.reduce((sum, each) => sum + each, 0);
  for (const [i, { document }] of hits.entries())
    shares.set(document.repository, (shares.get(document.repository) ?? 0) + (counts[i] ?? 0) / all);
  return shares;
}

const IDENTIFIERS = /[\p{L}\p{M}\p{N}_$]+/gu;
/** Of a long text the end is not looked at, as in the index. */
const maxLength = 2_000;

function textParts(...texts: (string | null)[]): string[] {
  return texts.flatMap((text) =>
    text === null ? [] : (text.slice(0, maxLength).match(IDENTIFIERS) ?? []).flatMap((each) => parts(each)),
  );
}

/** The same few thousand words make up most of what is found. */
const forms = new Map<string, string>();
const maxForms = 20_000;

function formOf(token: string): string {
  const before = forms.get(token);
  if (before !== undefined) return before;
  if (forms.size >= maxForms) forms.clear();
  const form = stem(token);
  forms.set(token, form);
  return form;
}
