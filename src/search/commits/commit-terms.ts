import type { Commit } from '../../model/commit.ts';
import { GAP, join, maxPartsJoined, parts, textTokens } from '../ranking/tokens.ts';

/** What a commit is found by, the same on every engine. */
export interface CommitTerms {
  /** Words of the message in their order, so that phrases are found. */
  subject: readonly string[];
  body: readonly string[];
  /** Each once, in no order: what its author is called, which files and which identifiers it changed, marked by which of these it is. */
  marked: readonly string[];
}

/** Before a term of `marked`; no term of a text begins so. */
export const marks = {
  /** A part of the author's name, or all of it in one. */
  author: '@',
  /** A path from any of its folders on, or the ending of its file. */
  path: '/',
  /** A part of the name of a file or folder. */
  place: ':',
  /** An identifier in one, or a part of it. */
  changed: '=',
} as const;

/** A path from its root on; see `pathTails`. */
export const root = '^';
const maxTailLength = 200;

export function commitTerms({ subject, body, author, files, changed }: Commit): CommitTerms {
  const marked = new Set<string>();
  const mark = (as: keyof typeof marks, terms: Iterable<string>) => {
    for (const term of terms) if (term !== GAP) marked.add(marks[as] + term);
  };
  mark('author', [...textTokens(author.name), join(parts(author.name))]);
  for (const path of new Set(files.flatMap(({ path, now = path }) => [path, now]))) {
    mark('path', pathTails(path));
    mark('place', textTokens(path));
  }
  for (const word of changed === '' ? [] : changed.split(' ')) {
    const own = parts(word);
    mark('changed', own.length > 1 && own.length <= maxPartsJoined ? [...own, join(own)] : own);
  }
  return { subject: textTokens(subject), body: textTokens(body), marked: [...marked] };
}

/** `^src/lib/url.ts`, `src/lib/url.ts`, `lib/url.ts`, `url.ts` and `.ts` of that path, in small letters. */
function pathTails(path: string): string[] {
  const small = path.toLowerCase();
  const tails = [root + small, small];
  for (let at = small.indexOf('/'); at !== -1; at = small.indexOf('/', at + 1)) tails.push(small.slice(at + 1));
  const ending = /\.[^./]+$/.exec(small)?.[0];
  if (ending !== undefined) tails.push(ending);
  return tails.map((tail) => tail.slice(0, maxTailLength).toWellFormed());
}
