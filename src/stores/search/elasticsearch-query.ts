import type { estypes } from '@elastic/elasticsearch';
import type { SearchQuery } from './port.ts';
import {
  isBeginning,
  isPrefix,
  maxTypos,
  MAX_TYPO_TERMS,
  type Lookup,
  type ParsedQuery,
  type ResolvedWord,
} from './query.ts';
import { relevance, wordShare } from './score.ts';

type Query = estypes.QueryDslQueryContainer;

/** The body of a search: what fits, scored by constants times the document's boost. `shown` is the filter of what readers see. */
export function searchBody(
  query: SearchQuery,
  parsed: ParsedQuery,
  words: readonly ResolvedWord[],
  shown: Query,
): estypes.SearchRequest {
  const text = parsed.text === '' ? constant(relevance.exact, { match_all: {} }) : textQuery(parsed, words);
  const fitting: Query = { bool: { must: [text], filter: [shown, ...filters(query)] } };
  const least = query.minScore ?? 0;
  const composite: Query = {
    function_score: {
      query: fitting,
      functions: [{ field_value_factor: { field: 'boost' } }],
      boost_mode: 'multiply',
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
    from: query.offset,
    size: query.limit,
    _source: ['document', 'boost'],
  };
}

/** Whether any document has such a token: a search for the count of one. */
export function lookupBody({ field, token }: Lookup, shown: Query): estypes.SearchSearchRequestBody {
  return {
    query: { bool: { filter: [tokenQuery(field ?? 'anywhere', token, 'prefix'), shown] } },
    size: 0,
    terminate_after: 1,
    track_total_hits: true,
  };
}

function textQuery(parsed: ParsedQuery, words: readonly ResolvedWord[]): Query {
  const { text, exact } = parsed;
  const named = (how: 'whole' | 'prefix'): Query => ({
    bool: { should: [tokenQuery('name', exact, how), tokenQuery('qualified', exact, how)] },
  });
  const ways = [constant(relevance.exact, { term: { names: text } }), constant(relevance.sameKey, named('whole'))];
  if (isBeginning(parsed)) ways.push(constant(relevance.beginning, named('prefix')));
  if (words.length > 0) ways.push({ bool: { must: words.map((word) => wordQuery(word, words.length)) } });
  return { dis_max: { queries: ways } };
}

function wordQuery(word: ResolvedWord, count: number): Query {
  const { joined } = word;
  const nearly =
    joined === null || joined.known ? [] : [constant(wordShare(relevance.word.nearly, count), typo(joined.token))];
  if (word.kind === 'mistyped') {
    const tokens = word.tokens.map(({ token, known }) =>
      known ? tokenQuery('anywhere', token, 'prefix') : typo(token),
    );
    return {
      dis_max: { queries: [...nearly, constant(wordShare(relevance.word.typo, count), { bool: { filter: tokens } })] },
    };
  }
  const ways = (['name', 'qualified', 'path', 'anywhere'] as const).flatMap((field) =>
    (['whole', 'prefix'] as const).map((how) => {
      const all: Query = { bool: { filter: word.tokens.map((token) => tokenQuery(field, token, how)) } };
      // Only names are indexed by what their parts give in one.
      const inOne = joined?.known && (field === 'name' || field === 'anywhere') ? joined.token : null;
      const found: Query = inOne === null ? all : { bool: { should: [all, tokenQuery('name', inOne, how)] } };
      return constant(wordShare(relevance.word[field][how], count), found);
    }),
  );
  return { dis_max: { queries: [...ways, ...nearly] } };
}

function tokenQuery(field: string, token: string, how: 'whole' | 'prefix'): Query {
  return how === 'prefix' && isPrefix(token) ? { prefix: { [field]: token } } : { term: { [field]: token } };
}

function typo(token: string): Query {
  return {
    fuzzy: {
      name: {
        value: token,
        fuzziness: maxTypos(token),
        prefix_length: 1,
        max_expansions: MAX_TYPO_TERMS,
        transpositions: true,
      },
    },
  };
}

function constant(boost: number, filter: Query): Query {
  return { constant_score: { filter, boost } };
}

function filters({ types, repositories, languages }: SearchQuery): Query[] {
  const lists = { type: types, repository: repositories, language: languages };
  return Object.entries(lists).flatMap(([field, values]) =>
    values === undefined ? [] : [{ terms: { [field]: [...values] } }],
  );
}
