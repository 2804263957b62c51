import type { SearchDocument } from '../../model/search-document.ts';
import { listFilters, type SearchFilters } from '../../search/ranking/query.ts';
import type { FacetName } from './port.ts';

/** Before what is no text: the values that searches are narrowed and counted by. */
const MARK = '\ue004';
/** No query and no filter is longer: of longer names there are none to find, and of values this counts. */
const MAX_LENGTH = 256;

type Kind = ReturnType<typeof listFilters>[number]['kind'];

/** The terms by which the index itself filters and counts, so that no row of a document is read for it. */
export function marksOf({ type, name, qualified_name, repository, language, frameworks }: SearchDocument): string[] {
  const names = [name, ...(qualified_name === null ? [] : [qualified_name])];
  return [
    mark('type', type),
    ...(repository === null ? [] : [mark('repository', repository)]),
    ...(language === null ? [] : [mark('language', language.toLowerCase())]),
    ...frameworks.map((each) => mark('framework', each.toLowerCase())),
    ...names.filter(({ length }) => length <= MAX_LENGTH).map(textMark),
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

/** What the terms begin with whose rest is a facet's value. */
export function facetMark(name: FacetName): string {
  return mark(name === 'repo' ? 'repository' : name, '');
}

function mark(kind: Kind, value: string): string {
  return `${MARK}${kind[0]}${value.slice(0, MAX_LENGTH).toWellFormed()}`;
}
