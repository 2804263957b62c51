import type { SearchDocument, SearchType } from '../../model/search-document.ts';
import { qualifiedNames } from '../../search/ranking/document-tokens.ts';
import { licenceNames, listFilters, topicOf, type SearchFilters } from '../../search/ranking/query.ts';
import type { FacetName } from './port.ts';

/** Before what is no text: the values that searches are narrowed and counted by. */
const MARK = '\ue004';
/** No query and no filter is longer: of longer names there are none to find, and of values this counts. */
const maxLength = 256;

type Kind = ReturnType<typeof listFilters>[number]['kind'];

/** By which its marks are told apart. */
const letters = {
  type: 't',
  kind: 'k',
  repository: 'r',
  language: 'l',
  framework: 'f',
  license: 'c',
  topic: 'o',
} as const satisfies Record<Kind, string>;

/** The terms by which the index itself filters and counts, so that no row of a document is read for it. */
export function marksOf(document: SearchDocument): string[] {
  const { type, kind, name, repository, language, frameworks, license = '', topics = [], declared, test } = document;
  const names = [name, ...qualifiedNames(document)];
  return [
    mark('type', type),
    ...(kind === null ? [] : [mark('kind', kind.toLowerCase())]),
    ...(repository === null ? [] : [mark('repository', repository)]),
    ...(language === null ? [] : [mark('language', language.toLowerCase())]),
    ...frameworks.map((each) => mark('framework', each.toLowerCase())),
    ...licenceNames(license).map((each) => mark('license', each)),
    ...topics.map((each) => mark('topic', topicOf(each))),
    ...(test ? [markOfTest] : []),
    ...(type === 'File' ? [] : names)
      .filter(({ length }) => length <= maxLength)
      .map(declared === undefined ? textMark : declaredMark),
  ];
}

/** The filters that are marks: each a list of which one must be there. */
export function filterMarks(filters: SearchFilters): string[][] {
  return listFilters(filters).map(({ kind, values }) => values.map((value) => mark(kind, value)));
}

/** The term of a name, letter by letter. */
export function textMark(name: string): string {
  return `${MARK}x${name.toWellFormed()}`;
}

/** The same of a declared name. */
export function declaredMark(name: string): string {
  return `${MARK}d${name.toWellFormed()}`;
}

/** What of the types is no node: how many there are says nothing of how rare a word is. */
export const noNodes = ['Declaration', 'File'] as const satisfies SearchType[];
export const marksOfNoNodes = noNodes.map((type) => mark('type', type));

export const markOfRepository = mark('type', 'Repository');

/** The term of what is part of tests. */
export const markOfTest = `${MARK}y`;

/** What the terms begin with whose rest is a facet's value. */
export function facetMark(name: FacetName): string {
  return mark(name === 'repo' ? 'repository' : name, '');
}

function mark(kind: Kind, value: string): string {
  return `${MARK}${letters[kind]}${value.slice(0, maxLength).toWellFormed()}`;
}
