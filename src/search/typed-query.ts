import { searchTypeSchema } from '../model/search-document.ts';
import type { SearchQuery } from '../stores/search/port.ts';
import type { SearchFilters } from './ranking/query.ts';
import { PIECES } from './pieces.ts';
import { commitQualifiers, isCommitQualifier } from './typed-commit-query.ts';

/** What a person asks in the search box: text, and what narrows it. */
export type TypedQuery = SearchFilters &
  Pick<SearchQuery, 'text' | 'phrases' | 'without' | 'excluded'> & {
    /** Sentences on what was read in another way than it may have been meant. */
    hints?: string[];
  };

/** A qualifier of the box, by the filter that it sets. */
export const qualifiers = {
  type: 'types',
  kind: 'kinds',
  repo: 'repositories',
  language: 'languages',
  lang: 'languages',
  framework: 'frameworks',
  license: 'licenses',
  licence: 'licenses',
  topic: 'topics',
  path: 'paths',
} as const satisfies Record<string, keyof SearchFilters>;
type Qualifier = keyof typeof qualifiers;

const typeNames = new Map([
  ...searchTypeSchema.options.map((type) => [type.toLowerCase(), type] as const),
  // Commits by what they changed.
  ['diff', 'Commit'] as const,
]);

/**
 * Reads `type:class repo:koa "quoted phrase" -not`. Whatever is no such syntax (a qualifier that there is not, a lone quote, a
 * dash before no word) is text.
 */
export function typedQuery(box: string): TypedQuery {
  const texts: string[] = [];
  const phrases: string[] = [];
  const without: string[] = [];
  const filters: Filters = {};
  const excluded: Filters = {};
  const hints: string[] = [];
  for (const { 0: piece, groups = {} } of box.matchAll(PIECES)) {
    const { minus, name, quoted, bare } = groups;
    const [, dash = minus, key = name, value = quoted] = /^(-?)([a-z]+):(.*)$/iu.exec(bare ?? '') ?? [];
    const set = key === undefined ? null : filterOf(key.toLowerCase(), value ?? '', quoted === undefined);
    if (set !== null) {
      // One that has no value yet is still being typed.
      if (set.values.length > 0) ((dash ? excluded : filters)[set.filter] ??= []).push(...set.values);
    } else if (quoted !== undefined && name === undefined) {
      (minus ? without : phrases).push(quoted);
      if (!minus) texts.push(quoted);
    } else if (bare !== undefined && /^-[\p{L}\p{N}]/u.test(bare)) {
      without.push(bare.slice(1));
    } else {
      hints.push(...hintsOn(key, value));
      texts.push(piece);
    }
  }
  return {
    text: texts.join(' '),
    ...some('phrases', phrases),
    ...some('without', without),
    ...(filters as SearchFilters),
    ...(Object.keys(excluded).length === 0 ? {} : { excluded: excluded as SearchFilters }),
    ...some('hints', hints),
  };
}

const some = <Name extends string>(name: Name, values: string[]): Partial<Record<Name, string[]>> =>
  values.length === 0 ? {} : ({ [name]: values } as Record<Name, string[]>);

/** On what looks like a qualifier and is none: `size:large`, and not `std::vector` or `http://`. */
function hintsOn(name: string | undefined, value = ''): string[] {
  if (name === undefined || !/^[^\s:/]/.test(value)) return [];
  const isType = name.toLowerCase() === 'type';
  if (isCommitQualifier(name))
    return [`${name}: narrows commits, so ${name}:${value} was looked for as text: add type:commit.`];
  const known = isType ? searchTypeSchema.options : Object.keys(qualifiers).map((each) => `${each}:`);
  const isNone = isType ? `${value} is no type` : `${name}: is no qualifier of this search`;
  return [
    `${isNone}, so ${name}:${value} was looked for as text; ${isType ? 'types' : 'qualifiers'} are ${known.join(', ')}${isType ? '' : `; with type:commit ${commitQualifiers.join(', ')}`}.`,
  ];
}

/** Values of `types` are types: see filterOf. */
type Filters = Partial<Record<keyof SearchFilters, string[]>>;

/** Null where the name is no qualifier or has no such value. */
function filterOf(name: string, value: string, listed: boolean) {
  if (!isQualifier(name)) return null;
  const filter = qualifiers[name];
  const values = (listed ? value.split(',') : [value]).map((each) => each.trim()).filter((each) => each !== '');
  if (filter !== 'types') return { filter, values };
  const types = values.map((each) => typeNames.get(each.toLowerCase()));
  return types.every((type) => type !== undefined) ? { filter, values: types } : null;
}

/** Is this the name of a qualifier? */
export function isQualifier(name: string): name is Qualifier {
  return Object.hasOwn(qualifiers, name);
}
