import type { Client, estypes } from '@elastic/elasticsearch';
import { highlighter } from '../../search/ranking/highlight.ts';
import {
  isTooFew,
  parseQuery,
  readAsTyped,
  readByParts,
  type CountDocuments,
  type Lookup,
  type Reading,
} from '../../search/ranking/query.ts';
import { scoreOf, TEXT_UNITS } from '../../search/ranking/score.ts';
import { secondStep, type Scored } from '../../search/ranking/sentence.ts';
import { StoreUnavailable } from '../errors.ts';
import { asUnavailable, type Indices, type Stored } from './elasticsearch-indices.ts';
import { lookupBody, searchBody } from './elasticsearch-query.ts';
import { nearNames } from './elasticsearch-near-names.ts';
import { patiently, slow, type IndexState } from '../elasticsearch.ts';
import type { State } from './elasticsearch-state.ts';
import { createVisible, shownNow } from './elasticsearch-visible.ts';
import { relaxed } from './relaxed.ts';
import type { FacetValue, Place, SearchQuery, SearchReader, SearchResult, SearchStore } from './port.ts';

/** Lists and searches of what is shown. */
export function createElasticsearchReads(
  client: Client,
  indices: Indices,
  state: IndexState<State>,
): Pick<SearchStore, 'generations' | 'documents' | 'everything' | 'within'> {
  const shown = shownNow(indices.state);
  const visible = createVisible(client, indices, state);
  return {
    generations: () =>
      patiently(() =>
        indices.reachable(
          async () => new Map((await state.read(slow)).shown.map((each) => [each.repository, each.generation])),
        ),
      ),

    async *documents(repository) {
      const { shown } = await indices.reachable(() => state.read());
      const version = shown.find((each) => each.repository === repository)?.version;
      if (version === undefined) return;
      try {
        for await (const { document } of indices.allOf([{ term: { version } }], ['document'])) yield document;
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    everything: {
      search: (query) => indices.reachable(() => relaxed(query, (each) => search(each, shown))),
      documents: page,
    },

    within(names) {
      const repositories = new Set(names);
      return {
        search: (query) =>
          indices.reachable(() =>
            visible.within(repositories, (shownOfThese) => relaxed(query, (each) => search(each, shownOfThese))),
          ),
        documents: async (query) => (repositories.has(query.repository) ? page(query) : null),
      };
    },
  };

  /** Asked for by their keys, which are numbered; what is no longer shown stays for a while, so a page is whole. */
  async function page({
    repository,
    offset,
    limit,
  }: Parameters<SearchReader['documents']>[0]): ReturnType<SearchReader['documents']> {
    return indices.reachable(async () => {
      const held = (await state.read()).shown.find((each) => each.repository === repository);
      if (held === undefined) return null;
      const { version, generation, count: total } = held;
      const keys = Array.from(
        { length: Math.max(0, Math.min(limit, total - offset)) },
        (_, place) => `${version}-${offset + place}`,
      );
      const { hits } = await client.search<Stored>({
        index: indices.documents,
        query: { terms: { key: keys } },
        size: keys.length,
        track_total_hits: false,
        _source: ['key', 'document'],
      });
      const found = new Map(hits.hits.map(({ _source }) => [_source?.key ?? '', _source?.document]));
      const documents = keys.flatMap((key) => found.get(key) ?? []);
      if (documents.length < keys.length) throw new StoreUnavailable('search');
      return { documents, total, generation };
    });
  }

  async function search(query: SearchQuery, shown: estypes.QueryDslQueryContainer): Promise<SearchResult> {
    const index = indices.documents;
    const parsed = parseQuery(query.text);
    const countDocuments: CountDocuments = async (lookups, exactly) => {
      const each = new Map([null, ...lookups].map((lookup) => [keyOf(lookup), lookup]));
      const searches = [...each.values()].flatMap((lookup) => [{}, lookupBody(lookup, shown, exactly)]);
      const { responses } = await client.msearch({ index, searches });
      const counts = responses.map((answer) => ('hits' in answer ? count(answer.hits.total) : 0));
      const countOf = new Map([...each.keys()].map((key, i) => [key, counts[i] ?? 0]));
      const found = (lookup: Lookup | null) => countOf.get(keyOf(lookup)) ?? 0;
      return { found: lookups.map(found), all: found(null) };
    };
    const { quoted, ...byWords } = query;
    const ask = async (reading: Reading, query: SearchQuery) => {
      const near = await nearNames(client, index, parsed, reading, shown);
      const { first, pageOf } = secondStep(query, parsed, reading);
      const answer = await client.search<Stored>({ index, ...searchBody(first, parsed, reading, shown, near) });
      const hits = answer.hits.hits.map((hit) => scoredOf(hit, query.sort === 'relevance'));
      // Of the first step: behind all that is put in order anew, it is that of the page.
      const last = first.offset + hits.length <= query.offset + query.limit ? answer.hits.hits.at(-1)?.sort : undefined;
      return { ...resultOf(answer, reading, pageOf(hits)), end: placeIn(last) };
    };
    const typed = await readAsTyped(parsed, countDocuments);
    const found = await ask(typed, byWords);
    if (isTooFew(found.total, parsed, typed)) return ask(await readByParts(parsed, typed, countDocuments), query);
    return quoted === undefined ? found : ask(typed, query);
  }
}

/** Tells lookups apart; null is of all documents. */
function keyOf(lookup: Lookup | null): string {
  return lookup === null ? '' : `${lookup.field} ${lookup.token}`;
}

function resultOf(
  { hits, aggregations = {} }: estypes.SearchResponse<Stored>,
  { words, any, leftOut }: Reading,
  page: readonly Scored[],
): Omit<SearchResult, 'end'> {
  const facets = Object.entries(aggregations).map(([name, aggregate]) => {
    const { buckets } = aggregate as { buckets: { key: string; doc_count: number }[] };
    return [name, buckets.map(({ key, doc_count }): FacetValue => ({ value: key, count: doc_count }))];
  });
  const highlights = highlighter(words);
  const total = count(hits.total);
  return {
    hits: page.map((hit) => ({ ...hit, highlights: highlights(hit.document) })),
    total,
    leftOut: any && total > 0 ? leftOut : null,
    facets: Object.fromEntries(facets) as SearchResult['facets'],
  };
}

function scoredOf({ _score, _source }: estypes.SearchHit<Stored>, byRelevance: boolean): Scored {
  if (_source === undefined) throw new Error('Elasticsearch gave a hit without its document.');
  const { document, static: ownUnits } = _source;
  const relevance = ((_score ?? 0) - (byRelevance ? 0 : ownUnits)) / TEXT_UNITS;
  return scoreOf(document, relevance);
}

/** By what a hit was sorted: its score unless it was by name, name and id. */
function placeIn(sort: estypes.SortResults | undefined): Place | null {
  if (sort === undefined) return null;
  const [id, name, points = null] = sort.toReversed();
  return [points === null ? null : Number(points), String(name), String(id)];
}

function count(total: number | estypes.SearchTotalHits | undefined): number {
  return typeof total === 'object' ? total.value : (total ?? 0);
}
