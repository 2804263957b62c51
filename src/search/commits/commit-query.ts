import { join, parts, stem, textTokens, GAP, maxPartsJoined } from '../ranking/tokens.ts';
import { marks, root } from './commit-terms.ts';

/** One way in which a commit can be found. */
export type Way =
  /** A term of its marked ones, or of its subject or body, that is so or begins so. */
  | { in: 'subject' | 'body' | 'marked'; op: 'term' | 'prefix'; term: string }
  /** Terms that follow one another. */
  | { in: 'subject' | 'body'; op: 'phrase'; terms: readonly string[] };

/** What is asked for: any of these ways, each with what it is worth; the best counts. */
export interface Asked {
  /** As it was typed. */
  typed: string;
  ways: readonly { way: Way; points: number }[];
}

/** A question to the commits of some repositories. */
export interface CommitQuery {
  /** Each must be found; where `isAnyEnough`, one of them. */
  words: readonly Asked[];
  isAnyEnough: boolean;
  /** Each must be found, or must not, and says nothing of how well a commit fits. */
  filters: readonly Asked[];
  without: readonly Asked[];
  /** By the committer's clock: not before, and before; RFC 3339. */
  since: string | null;
  until: string | null;
  /** At least so many points. */
  least: number;
  /** Names; null: all. */
  repositories: readonly string[] | null;
  notRepositories: readonly string[];
  /** Of equal ones the newest are first. */
  sort: 'fit' | 'date';
  order: 'asc' | 'desc';
  /** From 0. */
  offset: number;
  limit: number;
  /** Goes on behind a commit instead: the `place` of the last one. */
  after: CommitPlace | null;
  /** Whether to count by repository. */
  withFacet: boolean;
}

/** Behind a commit in the order of the search: its points, when it was committed, its id and repository. */
export type CommitPlace = readonly [points: number, committedAt: string, id: string, repository: string];

/** The most that a word gives. */
export const maxPoints = 100;
/** A commit is about what its subject says. */
const points = { subject: maxPoints, body: 60, changed: 45, place: 40 };
const maxTerms = 8;

/** Where words are looked for. */
export type Where = 'anywhere' | 'message' | 'changed';

/** A word as it is typed, whole or as it begins; null where it has no letter or digit. */
export function askedWord(typed: string, where: Where): Asked | null {
  const own = parts(typed).slice(0, maxTerms);
  const [first] = own;
  if (first === undefined) return null;
  const inOne = own.length > 1 ? join(own.slice(0, maxPartsJoined)) : stem(first);
  // A file by its name.
  const asPath = where === 'anywhere' && /[./]/.test(typed) ? (askedPath(typed)?.ways ?? []) : [];
  const ways = waysIn(where, (field) => [
    field === 'subject' || field === 'body'
      ? { in: field, op: 'prefix', term: inOne }
      : { in: 'marked', op: 'prefix', term: marks[field] + inOne },
    ...(own.length > 1 && (field === 'subject' || field === 'body')
      ? [{ in: field, op: 'phrase', terms: own } as const]
      : []),
  ]);
  return { typed, ways: [...ways, ...asPath.map(({ way }) => ({ way, points: points.place }))] };
}

/** What stands in quotes: words that follow one another, or an identifier of just these parts. */
export function askedPhrase(typed: string, where: Where): Asked | null {
  const own = textTokens(typed);
  const words = own.includes(GAP) ? own.slice(0, own.indexOf(GAP)) : own;
  const [first] = words;
  if (first === undefined) return null;
  return {
    typed: `"${typed}"`,
    ways: waysIn(where, (field) => [
      field === 'subject' || field === 'body'
        ? words.length > 1
          ? { in: field, op: 'phrase', terms: words }
          : { in: field, op: 'term', term: first }
        : { in: 'marked', op: 'term', term: marks[field] + join(words) },
    ]),
  };
}

function waysIn(
  where: Where,
  waysOf: (field: 'subject' | 'body' | 'changed' | 'place') => readonly Way[],
): Asked['ways'] {
  const fields = {
    anywhere: ['subject', 'body', 'changed', 'place'],
    message: ['subject', 'body'],
    changed: ['changed'],
  } as const;
  return fields[where].flatMap((field) => waysOf(field).map((way) => ({ way, points: points[field] })));
}

/** Parts of an author's name, each as it begins: all must be found. */
export function askedAuthor(typed: string): Asked[] {
  return parts(typed)
    .slice(0, maxTerms)
    .map((term) => ({ typed, ways: [{ way: { in: 'marked', op: 'prefix', term: marks.author + term }, points: 0 }] }));
}

/** Whose commits are not meant: a part of a name, or all of it, as it begins. */
export function askedNotAuthor(typed: string): Asked | null {
  const own = parts(typed);
  if (own.length === 0) return null;
  return { typed, ways: [{ way: { in: 'marked', op: 'prefix', term: marks.author + join(own) }, points: 0 }] };
}

/** A path from its root (`^src/`) or from one of its folders on, or its ending (`.ts`), as far as it is typed. */
export function askedPath(typed: string): Asked | null {
  // As who is used to regular expressions writes it.
  const plain = typed.toLowerCase().replace(/\$$/, '').replaceAll('\\', '').replace(/^\/+/, '');
  if (plain === '' || plain === root) return null;
  return { typed, ways: [{ way: { in: 'marked', op: 'prefix', term: marks.path + plain }, points: 0 }] };
}
