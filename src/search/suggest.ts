import type { SearchType } from '../model/search-document.ts';
import type { FacetName, SearchHit, SearchReader } from '../stores/search/port.ts';
import { typedQuery } from './typed-query.ts';

/** One way to go on with what is typed. */
export interface Suggestion {
  /** What is typed, with its last word completed. */
  text: string;
  /** The last word. */
  completion: string;
  /** Of the best item that has it; null for the value of a qualifier. */
  type: SearchType | null;
}

const facetOf: Record<string, FacetName> = {
  type: 'type',
  kind: 'kind',
  repo: 'repo',
  language: 'language',
  lang: 'language',
};
const HITS = 50;

/** Completes the last word that is typed: a qualifier's value, or a name or a part of one; where nothing begins so, names that are near. */
export async function suggest(search: SearchReader, box: string, limit: number): Promise<Suggestion[]> {
  const [, head = '', last = ''] = /^(.*?\s)?(\S+)$/su.exec(box) ?? [];
  if (last === '') return [];
  const [, name = '', value = ''] = /^([a-z]+):(.*)$/iu.exec(last) ?? [];
  const facet = facetOf[name.toLowerCase()];
  const found =
    facet === undefined ? await names(search, box, last) : await values(search, head, facet, `${name}:`, value);
  const seen = new Set<string>();
  return found
    .filter(({ completion }) => !seen.has(completion.toLowerCase()) && seen.add(completion.toLowerCase()))
    .slice(0, limit)
    .map(({ completion, type }) => ({ text: head + completion, completion, type }));
}

type Found = Omit<Suggestion, 'text'>;
const everything = { sort: 'composite_score', order: 'desc', offset: 0 } as const;

async function values(
  search: SearchReader,
  head: string,
  facet: FacetName,
  qualifier: string,
  begun: string,
): Promise<Found[]> {
  const { facets } = await search.search({ ...typedQuery(head), ...everything, limit: 0, facets: [facet] });
  const others = facet === 'type' ? [{ value: 'Commit' }] : [];
  return [...(facets[facet] ?? []), ...others]
    .filter(({ value }) => beginsWith(value, begun))
    .map(({ value }) => ({ completion: `${qualifier}${/\s/u.test(value) ? `"${value}"` : value}`, type: null }));
}

async function names(search: SearchReader, box: string, last: string): Promise<Found[]> {
  const { hits } = await search.search({ ...typedQuery(box), ...everything, limit: HITS });
  const completed = hits.flatMap((hit) => completions(hit, last));
  return completed.length > 0 ? completed : hits.map(({ document: { name, type } }) => ({ completion: name, type }));
}

/** The whole name where it begins so, else its parts that do. */
function completions({ document: { name, type }, highlights }: SearchHit, last: string): Found[] {
  if (beginsWith(name, last)) return [{ completion: name, type }];
  const ranges = highlights.find(({ field }) => field === 'name')?.ranges ?? [];
  return ranges
    .map(([start, end]) => name.slice(start, end))
    .filter((part) => beginsWith(part, last))
    .map((completion) => ({ completion, type }));
}

function beginsWith(text: string, begun: string): boolean {
  return text.toLowerCase().startsWith(begun.toLowerCase());
}
