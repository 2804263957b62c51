import type { estypes } from '@elastic/elasticsearch';
import { phraseFields, type AnyField } from '../../search/ranking/document-tokens.ts';
import type { NearNames } from './elasticsearch-near-names.ts';
import { noNodes } from './marks.ts';
import { maxFacetValues, type FacetName, type QuotedIn, type SearchQuery } from './port.ts';
import {
  howOf,
  isBeginning,
  isPrefix,
  listFilters,
  phraseTokens,
  quotedPoints,
  waysOf,
  type Clause,
  type Lookup,
  type ParsedQuery,
  type Reading,
  type ResolvedWord,
  type SearchFilters,
} from '../../search/ranking/query.ts';
import { minUnits, relevance, TEXT_UNITS } from '../../search/ranking/score.ts';
import { stem } from '../../search/ranking/tokens.ts';

type Query = estypes.QueryDslQueryContainer;

const facetFields: Record<FacetName, string> = {
  type: 'type',
  kind: 'kind',
  language: 'language',
  repo: 'repository',
};

/**
 * The body of a search: what fits, scored in units by the text and what the document has for it. `shown` is the filter of what readers
 * see, `near` has what mistyped tokens may mean.
 */
export function searchBody(
  query: SearchQuery,
  parsed: ParsedQuery,
  reading: Reading,
  shown: Query,
  near: NearNames,
): estypes.SearchRequest {
  const text =
    parsed.text === '' ? points(relevance.exact, { match_all: {} }) : textQuery(query, parsed, reading, near);
  const { phrases = [], without = [], excluded = {} } = query;
  const inFields = phrases.flatMap(phraseAnywhere);
  const fitting: Query = {
    bool: {
      must: [text],
      filter: [
        shown,
        ...filters(query),
        ...(inFields.length === 0 ? [] : [either([all(inFields), ...quotedIn(query.quoted)])]),
      ],
      must_not: [...without.flatMap(phraseAnywhere), ...filters(excluded)],
    },
  };
  const least = minUnits(query.minScore ?? 0);
  const composite: Query = {
    function_score: {
      query: fitting,
      functions: [{ field_value_factor: { field: 'static' } }],
      boost_mode: 'sum',
      ...(least > 0 ? { min_score: least } : {}),
    },
  };
  const order = { order: query.order };
  const ties = [{ sort_name: { order: 'asc' } }, { id: { order: 'asc' } }] satisfies estypes.SortCombinations[];
  return {
    // The lowest score is of the composite one, also where the order is by relevance alone.
    query:
      query.sort === 'relevance'
        ? { bool: { must: [fitting], ...(least > 0 ? { filter: [composite] } : {}) } }
        : composite,
    sort: query.sort === 'name' ? [{ sort_name: order }, ...ties.slice(1)] : [{ _score: order }, ...ties],
    track_scores: true,
    track_total_hits: true,
    ...fromOn(query),
    size: query.limit,
    _source: ['document', 'static'],
    ...(query.facets === undefined ? {} : { aggregations: aggregations(query.facets) }),
  };
}

/** How many documents have such a token, or how many nodes there are; if not exactly, whether any has: a search for the count of one. */
export function lookupBody(lookup: Lookup | null, shown: Query, exactly: boolean): estypes.SearchSearchRequestBody {
  const query: estypes.QueryDslBoolQuery =
    lookup === null
      ? { filter: [shown], must_not: [{ terms: { type: [...noNodes] } }] }
      : { filter: [tokenQuery(lookup.field, lookup.token, 'prefix'), shown] };
  return {
    query: { bool: query },
    size: 0,
    ...(exactly ? {} : { terminate_after: 1 }),
    track_total_hits: true,
  };
}

function textQuery({ quoted, phrases }: SearchQuery, parsed: ParsedQuery, reading: Reading, near: NearNames): Query {
  const { words, any, nearlyExact, production, repository } = reading;
  const { text, exact } = parsed;
  const { declared, beginning } = relevance;
  const spelled = (...named: AnyField[]) => either(named.map((field) => tokenQuery(field, exact, 'whole')));
  const begun = (field: AnyField) => tokenQuery(field, exact, 'prefix');
  const ways = [
    points(relevance.exact, { term: { names: text } }),
    points(relevance.sameKey, spelled('name', 'qualified')),
    ...quotedIn(quoted).map((each) => points(quotedPoints(parsed, phrases), each)),
    points(declared.exact, { term: { declared_names: text } }),
    points(declared.sameKey, spelled('declared', 'declared_in')),
  ];
  if (isBeginning(parsed))
    ways.push(
      points(beginning.name, begun('name')),
      points(beginning.qualified, begun('qualified')),
      points(declared.beginning.name, begun('declared')),
      points(declared.beginning.qualified, begun('declared_in')),
    );
  if (nearlyExact) ways.push(points(relevance.nearlyExact, typo(exact, near)));
  const required = words.filter(({ optional }) => !optional);
  if (required.length > 0) {
    const each = (some: readonly ResolvedWord[]) => some.map((word) => wordQuery(word, reading, near));
    const enough: Query = { bool: { [any ? 'should' : 'must']: each(required) } };
    const more = each(words.filter(({ optional }) => optional));
    if (production > 0) more.push(points(production, { term: { test: false } }));
    if (repository > 0) more.push(points(repository, { term: { type: 'Repository' } }));
    ways.push({ bool: { must: [enough], should: more } });
  }
  return { dis_max: { queries: ways } };
}

/** Behind a hit, as it is sorted; else from a place that is counted to, within Elasticsearch's window. */
function fromOn({ after = null, offset, sort }: SearchQuery): Pick<estypes.SearchRequest, 'from' | 'search_after'> {
  if (after === null) return { from: offset };
  const [points, name, id] = after;
  return { search_after: sort === 'name' || points === null ? [name, id] : [points, name, id] };
}

function wordQuery(word: ResolvedWord, reading: Reading, near: NearNames): Query {
  const ways = waysOf(word, reading).map((way) =>
    points(way.points, either(way.clauses.map((clause) => clauseQuery(clause, near)))),
  );
  return { dis_max: { queries: ways } };
}

function clauseQuery(clause: Clause, near: NearNames): Query {
  if (clause.how === 'nearly') {
    return all(
      clause.tokens.map(({ token, known }) => (known ? tokenQuery('anywhere', token, 'prefix') : typo(token, near))),
    );
  }
  const { how, field, tokens } = clause;
  return how === 'phrase'
    ? phrase(field, tokens)
    : all(tokens.map((token, i) => tokenQuery(field, token, howOf(how, i, tokens))));
}

function tokenQuery(field: string, token: string, how: 'whole' | 'prefix'): Query {
  // Written twice, the words of all bodies would take as much room again.
  if (field === 'everywhere') return either(['anywhere', 'words'].map((each) => tokenQuery(each, token, how)));
  return how === 'prefix' && isPrefix(token) ? { prefix: { [field]: stem(token) } } : { term: { [field]: token } };
}

function phrase(field: string, tokens: readonly string[]): Query {
  return { match_phrase: { [field]: tokens.join(' ') } };
}

function typo(token: string, near: NearNames): Query {
  return { terms: { name: [...(near.get(token) ?? [])] } };
}

function points(relevance: number, filter: Query): Query {
  return { constant_score: { filter, boost: relevance * TEXT_UNITS } };
}

function all(filter: Query[]): Query {
  return filter.length === 1 && filter[0] ? filter[0] : { bool: { filter } };
}

function either(should: Query[]): Query {
  return should.length === 1 && should[0] ? should[0] : { bool: { should } };
}

/** The fields that hold several values, by what is asked for. */
const listFields: Partial<Record<ReturnType<typeof listFilters>[number]['kind'], string>> = {
  framework: 'frameworks',
  license: 'licenses',
  topic: 'topics',
};

function filters({ paths = [], ...lists }: SearchFilters): Query[] {
  const fragments = paths.map(phraseTokens).filter((tokens) => tokens.length > 0);
  return [
    ...listFilters(lists).map(({ kind, values }) => ({
      terms: { [listFields[kind] ?? kind]: [...values] },
    })),
    ...fragments.map((tokens) =>
      either(
        ['path', 'declared_path'].map((field) =>
          all(tokens.map((token, i) => tokenQuery(field, token, howOf('prefix', i, tokens)))),
        ),
      ),
    ),
  ];
}

/** In whose text the query stands as it is typed. */
function quotedIn(places: readonly QuotedIn[] = []): Query[] {
  return places.map(({ id, repository, path, name }) =>
    all([
      { term: { id } },
      ...filters({ repositories: [repository], paths: [path] }),
      { term: name === null ? { type: 'File' } : { names: name } },
    ]),
  );
}

function phraseAnywhere(text: string): Query[] {
  const tokens = phraseTokens(text);
  return tokens.length === 0 ? [] : [either(phraseFields.map((field) => phrase(field, tokens)))];
}

function aggregations(names: readonly FacetName[]): Record<string, estypes.AggregationsAggregationContainer> {
  const order: estypes.AggregationsAggregateOrder = [{ _count: 'desc' }, { _key: 'asc' }];
  return Object.fromEntries(
    names.map((name) => [name, { terms: { field: facetFields[name], size: maxFacetValues, order } }]),
  );
}
