import type { Client, estypes } from '@elastic/elasticsearch';
import { maxTypos, type ParsedQuery, type Reading } from '../../search/ranking/query.ts';
import { isWord } from '../../search/ranking/tokens.ts';
import { nearestTerms } from '../../search/ranking/typos.ts';

type Query = estypes.QueryDslQueryContainer;

/** The terms of names that each mistyped token may mean. */
export type NearNames = ReadonlyMap<string, readonly string[]>;

/** So many terms of names that are not too far off and begin alike there never are. */
const MAX_TERMS = 10_000;

/**
 * Looks up what the mistyped tokens of a query may mean among the names of what is shown. Elasticsearch's own choice of so many terms
 * is of all that the index holds, shown or not.
 */
export async function nearNames(
  client: Client,
  index: string,
  parsed: ParsedQuery,
  reading: Reading,
  shown: Query,
): Promise<NearNames> {
  const tokens = [...mistyped(parsed, reading)].filter((token) => maxTypos(token) > 0);
  if (tokens.length === 0) return new Map();
  const { responses } = await client.msearch({
    index,
    searches: tokens.flatMap((token) => [{}, nearBody(token, shown)]),
  });
  return new Map(
    tokens.map((token, i) => {
      const answer = responses[i];
      const near = answer !== undefined && 'hits' in answer ? answer.aggregations?.['near'] : undefined;
      const { buckets } = (near ?? { buckets: [] }) as { buckets: { key: string }[] };
      const terms = buckets.map(({ key }) => key);
      return [token, nearestTerms(token, terms, () => true)];
    }),
  );
}

function mistyped(parsed: ParsedQuery, { words, nearlyExact }: Reading): Set<string> {
  const tokens = words.flatMap(({ kind, tokens, joined }) => [
    ...(kind === 'mistyped' ? tokens : []),
    ...(joined === null ? [] : [joined]),
  ]);
  return new Set([
    ...(nearlyExact ? [parsed.exact] : []),
    ...tokens.filter(({ known }) => !known).map(({ token }) => token),
  ]);
}

/** All terms that begin alike, of the names of what has one that is near. */
export function nearBody(token: string, shown: Query): estypes.SearchSearchRequestBody {
  const begun = isWord(token) ? 1 : 2;
  const letters = Array.from(token);
  const most = maxTypos(token);
  const least = Math.max(0, letters.length - begun - most);
  const include = `${letters.slice(0, begun).map(escaped).join('')}.{${least},${letters.length - begun + most}}`;
  const fuzzy = {
    value: token,
    fuzziness: most,
    prefix_length: begun,
    transpositions: true,
    rewrite: 'constant_score',
  };
  return {
    query: { bool: { filter: [{ fuzzy: { name: fuzzy } }, shown] } },
    size: 0,
    track_total_hits: false,
    aggregations: { near: { terms: { field: 'name_terms', size: MAX_TERMS, include } } },
  };
}

function escaped(letter: string): string {
  return /[\p{L}\p{N}]/u.test(letter) ? letter : `\\${letter}`;
}
