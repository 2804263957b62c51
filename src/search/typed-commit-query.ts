import { maxTypedWords, isSmallWord } from './ranking/query.ts';
import {
  askedAuthor,
  askedNotAuthor,
  askedPath,
  askedPhrase,
  askedWord,
  type Asked,
  type CommitQuery,
  type Where,
} from './commits/commit-query.ts';
import { PIECES } from './pieces.ts';

/** What a person asks of the commits in the search box. */
export type TypedCommitQuery = Pick<
  CommitQuery,
  'words' | 'filters' | 'without' | 'since' | 'until' | 'repositories' | 'notRepositories'
> & {
  /** Sentences on what was read in another way than it may have been meant. */
  hints: string[];
};

/** What narrows commits alone, beside `repo:` and `path:`. */
export const commitQualifiers = ['author:', 'before:', 'after:', 'message:', 'file:'] as const;

/** Qualifiers by all their names, as users of Sourcegraph and git type them. */
const names = {
  author: 'author',
  before: 'before',
  until: 'before',
  after: 'after',
  since: 'after',
  message: 'message',
  msg: 'message',
  m: 'message',
  file: 'path',
  f: 'path',
  path: 'path',
  repo: 'repo',
  r: 'repo',
  type: 'type',
} as const;
type Name = (typeof names)[keyof typeof names];

/** Is this the name of a qualifier that only commits have? */
export function isCommitQualifier(name: string): boolean {
  const small = name.toLowerCase();
  return Object.hasOwn(names, small) && !['path', 'repo', 'type', 'm', 'f', 'r'].includes(small);
}

/**
 * Reads `author:anna before:2024-05-01 path:src/ "idle sockets" -fix` of who asks for `type:commit`, and with `type:diff` words of what they
 * changed alone. `now` is when "2 weeks ago" is counted from.
 */
export function typedCommitQuery(box: string, now: Date): TypedCommitQuery {
  const read: TypedCommitQuery = {
    words: [],
    filters: [],
    without: [],
    since: null,
    until: null,
    repositories: null,
    notRepositories: [],
    hints: [],
  };
  const where: Where = /(^|\s)type:diff(?=\s|$)/i.test(box) ? 'changed' : 'anywhere';
  const small: Asked[] = [];
  const words: Asked[] = [];
  const take = (asked: Asked | null, isNot: boolean, typed = '') => {
    if (asked === null) return;
    if (isNot) read.without = [...read.without, asked];
    else if (isSmallWord(typed)) small.push(asked);
    else words.push(asked);
  };
  for (const { 0: piece, groups = {} } of box.matchAll(PIECES)) {
    const { name, quoted, bare } = groups;
    const { key, value, isNot } = partsOf(groups);
    const of = key === undefined ? undefined : nameOf(key);
    if (of === undefined) {
      if (key !== undefined && value !== undefined) hintOnUnknown(read, key, value);
      const plain = quoted !== undefined && name === undefined ? null : (bare ?? piece).replace(isNot ? /^-/ : /^/, '');
      take(plain === null ? askedPhrase(quoted ?? '', where) : askedWord(plain, where), isNot, plain ?? '');
    } else if (value !== undefined && value !== '')
      narrow(read, of, { value, isNot, isQuoted: quoted !== undefined, key: key ?? '', now });
  }
  const said = [...read.words, ...words];
  read.words = (said.length > 0 ? said : small).slice(0, maxTypedWords);
  return read;
}

/** Its qualifier, its value, and whether that must not be. */
function partsOf({ minus, name, quoted, bare = '' }: Partial<Record<string, string>>) {
  const [, dash = minus, key = name, value = quoted] = /^(-?)([a-z]+):(.*)$/iu.exec(bare) ?? [];
  return { key, value, isNot: dash === '-' || (key === undefined && /^-[\p{L}\p{N}]/u.test(bare)) };
}

function nameOf(key: string): Name | undefined {
  const small = key.toLowerCase();
  return Object.hasOwn(names, small) ? names[small as keyof typeof names] : undefined;
}

const unitMs = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 };

/** The beginning of a year, month or day in UTC, a time, or so long ago; null where it is none of these. */
function dateOf(typed: string, now: Date): string | null {
  const text = typed.trim().toLowerCase();
  if (
    /^\d{4}(-\d{2}){0,2}$/.test(text) ||
    /^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(:\d{2}(\.\d+)?)?(z|[+-]\d{2}:\d{2})$/.test(text)
  ) {
    const date = new Date(text.toUpperCase());
    return Number.isNaN(date.getTime()) ? null : date.toISOString();
  }
  const day = { today: 0, yesterday: 1 }[text];
  const [, count, unit = ''] = /^(\d{1,4}|last)[ .](hour|day|week|month|year)s?(?:[ .]ago)?$/.exec(text) ?? [];
  const date = new Date(now);
  if (day !== undefined) date.setUTCHours(-24 * day, 0, 0, 0);
  else if (count === undefined) return null;
  else {
    const many = count === 'last' ? 1 : Number(count);
    if (unit === 'month') date.setUTCMonth(date.getUTCMonth() - many);
    else if (unit === 'year') date.setUTCFullYear(date.getUTCFullYear() - many);
    else date.setTime(date.getTime() - many * unitMs[unit as keyof typeof unitMs]);
  }
  const year = date.getUTCFullYear();
  return year >= 0 && year <= 9999 ? date.toISOString() : null;
}

/** Reads one qualifier. */
function narrow(
  read: TypedCommitQuery,
  of: Name,
  { value, isNot, isQuoted, key, now }: { value: string; isNot: boolean; isQuoted: boolean; key: string; now: Date },
) {
  switch (of) {
    case 'author': {
      const not = isNot ? askedNotAuthor(value) : null;
      if (not !== null) read.without = [...read.without, not];
      if (!isNot) read.filters = [...read.filters, ...askedAuthor(value)];
      break;
    }
    case 'message': {
      const asked = isQuoted ? askedPhrase(value, 'message') : askedWord(value, 'message');
      if (asked !== null && isNot) read.without = [...read.without, asked];
      else if (asked !== null) read.words = [...read.words, asked];
      break;
    }
    case 'path': {
      const asked = askedPath(value);
      if (asked !== null) read[isNot ? 'without' : 'filters'] = [...read[isNot ? 'without' : 'filters'], asked];
      if (/[*+?()[\]{}|]/.test(value))
        read.hints.push(
          `${key}: of commits is a path from any folder on, as far as it is typed: ${value} was looked for as it stands.`,
        );
      break;
    }
    case 'repo': {
      narrowRepositories(read, isQuoted ? [value] : value.split(','), isNot);
      break;
    }
    case 'before':
    case 'after': {
      const date = isNot ? null : dateOf(value, now);
      if (date === null)
        read.hints.push(
          `${isNot ? '-' : ''}${key}:${value} was left out: it takes a date as 2024-05-31, 2024-05 or "2 weeks ago".`,
        );
      else read[of === 'before' ? 'until' : 'since'] = date;
      break;
    }
    case 'type':
  }
}

function hintOnUnknown(read: TypedCommitQuery, key: string, value: string) {
  if (!/^[^\s:/]/.test(value)) return;
  const known = [...commitQualifiers, 'repo:', 'path:'].join(', ');
  read.hints.push(
    `${key}: is no qualifier of commits, so ${key}:${value} was looked for as text; qualifiers are ${known}.`,
  );
}

function narrowRepositories(read: TypedCommitQuery, typed: readonly string[], isNot: boolean) {
  const values = typed.filter((each) => each !== '');
  if (isNot) read.notRepositories = [...read.notRepositories, ...values];
  else read.repositories = [...(read.repositories ?? []), ...values];
}
