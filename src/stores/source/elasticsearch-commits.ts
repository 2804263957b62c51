import type { Client, estypes } from '@elastic/elasticsearch';
import { maxPoints, type Asked, type CommitQuery, type Way } from '../../search/commits/commit-query.ts';
import { slow } from '../elasticsearch.ts';
import { maxFacetValues } from '../search/port.ts';
import type { FoundCommits, StoredCommit } from './port.ts';

type Query = estypes.QueryDslQueryContainer;

/** A commit as the index gives it back, among the texts. */
interface StoredCommitDocument {
  repository: string;
  commit: StoredCommit;
}

export const isText: Query = { exists: { field: 'place' } };
const isCommit: Query = { exists: { field: 'commit_id' } };

const pageSize = 1_000;

/** A page of commits among those of these versions. */
export async function findCommits(
  client: Client,
  index: string,
  query: CommitQuery,
  versions: readonly string[],
): Promise<FoundCommits> {
  const searches = commitsBody(query, versions).flatMap((body) => [{}, body]);
  const { responses } = await client.msearch<StoredCommitDocument>({ index, searches });
  return foundCommits(query, responses);
}

/** All commits of a version, for who writes. */
export async function* commitsOf(client: Client, index: string, version: string): AsyncGenerator<StoredCommit> {
  for (let after: estypes.SortResults | undefined, more = true; more;) {
    const { hits } = await client.search<StoredCommitDocument>(
      {
        index,
        query: { bool: { filter: [isCommit, { term: { version } }] } },
        sort: ['key'],
        size: pageSize,
        track_total_hits: false,
        ...(after === undefined ? {} : { search_after: after }),
      },
      slow,
    );
    for (const { _source } of hits.hits) if (_source !== undefined) yield _source.commit;
    after = hits.hits.at(-1)?.sort;
    more = hits.hits.length === pageSize;
  }
}

/** The searches that answer a query over documents of these versions: its page, what each word finds, and how many are incomplete. */
function commitsBody(query: CommitQuery, versions: readonly string[]): estypes.SearchSearchRequestBody[] {
  const shown = [isCommit, { terms: { version: [...versions] } }];
  const { words, isAnyEnough } = query;
  const count = (filter: Query[]) => ({ query: { bool: { filter } }, size: 0, track_total_hits: true });
  return [
    pageBody(query, shown),
    count([...shown, { term: { whole: false } }]),
    ...(isAnyEnough ? words.map((word) => ({ ...count([...shown, anyOf(word)]), terminate_after: 1 })) : []),
  ];
}

/** What these searches came to. */
function foundCommits(
  { isAnyEnough, sort, words }: CommitQuery,
  responses: estypes.MsearchResponse<StoredCommitDocument>['responses'],
): FoundCommits {
  const [page, incomplete, ...known] = responses.map(answered);
  const hits = page?.hits.hits ?? [];
  const commits = hits.flatMap(({ _source, _score, sort: by }) => {
    if (_source === undefined) return [];
    // Who sorts by date alone gets no score.
    const points = words.length === 0 ? maxPoints : Number(sort === 'fit' ? by?.[0] : _score);
    return [{ ..._source.commit, repository: _source.repository, points }];
  });
  const last = commits.at(-1);
  const { buckets = [] } = (page?.aggregations?.['repository'] ?? {}) as {
    buckets?: { key: string; doc_count: number }[];
  };
  return {
    commits,
    total: countIn(page),
    end: last === undefined ? null : [last.points, last.committed_at, last.id, last.repository],
    known: isAnyEnough ? known.map((each) => countIn(each) > 0) : [],
    incomplete: countIn(incomplete),
    byRepository: buckets.map(({ key, doc_count }) => ({ value: key, count: doc_count })),
  };
}

type Answer = estypes.SearchResponseBody<StoredCommitDocument>;

function answered(response: estypes.MsearchResponse<StoredCommitDocument>['responses'][number]): Answer {
  if ('hits' in response) return response;
  throw new Error(
    `Elasticsearch could not answer a search for commits: ${response.error.reason ?? response.error.type}`,
  );
}

function countIn(answer: Answer | undefined): number {
  const total = answer?.hits.total;
  return typeof total === 'object' ? total.value : (total ?? 0);
}

function pageBody(query: CommitQuery, shown: readonly Query[]): estypes.SearchSearchRequestBody {
  const { words, isAnyEnough, filters, without, since, until, repositories, notRepositories } = query;
  const { sort, order, offset, limit, after, withFacet, least } = query;
  const range = { ...(since === null ? {} : { gte: since }), ...(until === null ? {} : { lt: until }) };
  const newest: estypes.SortCombinations[] = [
    { committed_at: sort === 'date' ? order : 'desc' },
    { commit_id: 'asc' },
    { repository: 'asc' },
  ];
  const behind = after && (sort === 'date' ? after.slice(1) : [...after]);
  return {
    query: {
      bool: {
        ...(words.length === 0
          ? { must: [{ constant_score: { filter: { match_all: {} }, boost: maxPoints } }] }
          : { should: words.map(pointsOf), minimum_should_match: isAnyEnough ? 1 : words.length }),
        filter: [
          ...shown,
          ...filters.map(anyOf),
          ...(Object.keys(range).length === 0 ? [] : [{ range: { committed_at: range } }]),
          ...(repositories === null ? [] : [{ terms: { repository: [...repositories] } }]),
        ],
        must_not: [
          ...without.map(anyOf),
          ...(notRepositories.length === 0 ? [] : [{ terms: { repository: [...notRepositories] } }]),
        ],
      },
    },
    sort: sort === 'date' ? newest : [{ _score: { order } }, ...newest],
    track_scores: true,
    ...(words.length > 0 && least > 0 ? { min_score: least } : {}),
    track_total_hits: true,
    size: limit,
    ...(behind === null ? { from: offset } : { search_after: behind }),
    ...(withFacet
      ? {
          aggs: {
            repository: {
              terms: {
                field: 'repository',
                size: maxFacetValues,
                order: [{ _count: 'desc' as const }, { _key: 'asc' as const }],
              },
            },
          },
        }
      : {}),
  };
}

/** The best of its ways counts. */
function pointsOf({ ways }: Asked): Query {
  const queries = ways.map(({ way, points }): Query => ({ constant_score: { filter: queryOf(way), boost: points } }));
  return { dis_max: { queries, tie_breaker: 0 } };
}

function anyOf({ ways }: Asked): Query {
  return { bool: { should: ways.map(({ way }) => queryOf(way)), minimum_should_match: 1 } };
}

function queryOf(way: Way): Query {
  switch (way.op) {
    case 'phrase':
      return { match_phrase: { [way.in]: way.terms.join(' ') } };
    case 'prefix':
      return { prefix: { [way.in]: { value: way.term } } };
    case 'term':
      return { term: { [way.in]: { value: way.term } } };
  }
}
