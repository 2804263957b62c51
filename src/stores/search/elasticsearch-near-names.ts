import type { Client, estypes } from '@elastic/elasticsearch';
import { maxTypoTerms, maxTypos, type ParsedQuery, type Reading } from '../../search/ranking/query.ts';
import { isWord } from '../../search/ranking/tokens.ts';
import { nearestTerms } from '../../search/ranking/typos.ts';

type Query = estypes.QueryDslQueryContainer;

/** The terms of names that each mistyped token may mean. */
export type NearNames = ReadonlyMap<string, readonly string[]>;

/** So many terms of names that are not too far off and begin alike there never are. */
const maxTerms = 10_000;

/**
 * Looks up what the mistyped tokens of a query may mean among the names of what is shown. Elasticsearch lists the near terms of all
 * that the index holds, in next to no time. Terms of what is not shown find nothing: only where there are more than a token may
 * mean, those of what is shown are asked for, since it is among these that the nearest are chosen.
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
  const near = await nearInIndex(client, index, tokens);
  const crowded = tokens.filter((token) => (near.get(token)?.length ?? 0) > maxTypoTerms);
  if (crowded.length > 0) {
    const terms = await Promise.all(crowded.map((token) => thoseShown(client, index, near.get(token) ?? [], shown)));
    for (const [i, token] of crowded.entries())
      near.set(
        token,
        nearestTerms(token, terms[i] ?? [], () => true),
      );
  }
  return near;
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

/** For each of these tokens the terms near it, and itself, of all names that the index holds, shown or not. */
async function nearInIndex(client: Client, index: string, tokens: readonly string[]): Promise<Map<string, string[]>> {
  const searches = tokens.flatMap((token) => [{}, { size: 0, suggest: { near: suggester(token) } }]);
  const { responses } = await client.msearch({ index, searches });
  return new Map(
    tokens.map((token, i) => {
      const answer = responses[i];
      const near = answer !== undefined && 'suggest' in answer ? (answer.suggest?.['near'] ?? []) : [];
      const terms = near.flatMap(({ options }) => [options].flat().map(({ text }) => text ?? ''));
      return [token, [token, ...terms]];
    }),
  );
}

/** Lists, and chooses nothing: with its own settings it leaves out what is rare, short, or more typos away than another. */
function suggester(token: string): estypes.SearchFieldSuggester {
  return {
    text: token,
    term: {
      field: 'name',
      suggest_mode: 'always',
      max_edits: maxTypos(token),
      prefix_length: isWord(token) ? 1 : 2,
      min_word_length: 1,
      min_doc_freq: 0,
      max_term_freq: 2 ** 30,
      max_inspections: 1,
      size: maxTerms,
      shard_size: maxTerms,
    },
  };
}

/** Those of the terms that a name has of what is shown. */
async function thoseShown(client: Client, index: string, terms: readonly string[], shown: Query): Promise<string[]> {
  const include = [...terms];
  const { aggregations = {} } = await client.search({
    index,
    query: { bool: { filter: [{ terms: { name: include } }, shown] } },
    size: 0,
    track_total_hits: false,
    aggregations: { terms: { terms: { field: 'name_terms', size: include.length, include } } },
  });
  const { buckets } = aggregations['terms'] as { buckets: { key: string }[] };
  return buckets.map(({ key }) => key);
}
