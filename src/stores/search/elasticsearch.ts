import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, errors, type estypes } from '@elastic/elasticsearch';
import type { SearchDocument } from '../../model/search-document.ts';
import { oneAtATime, oneAtATimeByName } from '../batches.ts';
import { StoreUnavailable } from '../errors.ts';
import { documentTokens } from '../../search/ranking/document-tokens.ts';
import { lookupBody, searchBody } from './elasticsearch-query.ts';
import { highlighter } from '../../search/ranking/highlight.ts';
import type { FacetValue, SearchHit, SearchResult, SearchStore } from './port.ts';
import { mayRelax, parseQuery, resolveWords, type ResolvedWord } from '../../search/ranking/query.ts';
import { scoreOf, SCORE_VERSION, staticUnits, TEXT_UNITS } from '../../search/ranking/score.ts';

/** Changes with index-mappings/ or with what is written: another version has indices of its own. */
const MAPPING_VERSION = `${SCORE_VERSION}.2`;
const WRITE_TIMEOUT_MS = 60_000;
const BULK_BYTES = 5_000_000;
/** Documents of one answer where all that fit are read. */
const PAGE = 2_000;
/** Documents that are no longer shown stay this long, for the searches that began before. */
const GRACE_MS = 30_000;
/** A load that has not ended after this long has died. */
const ABANDONED_MS = 6 * 3_600_000;

/** What readers see, in one document, so that it changes at one moment; searches look up `versions` and `hidden` in it. */
interface State {
  versions: string[];
  /** Keys of contributors' documents that are not shown: another repository, first by name, has the same contributor. */
  hidden: string[];
  shown: { repository: string; generation: string; version: string; count: number }[];
  /** Versions that are being written, or wait to be deleted; since when. */
  writing: { version: string; at: number }[];
  retired: { version: string; at: number }[];
}

/** Fields of a stored document that are read back. */
interface Stored {
  key: string;
  id: string;
  holder: string;
  static: number;
  document: SearchDocument;
}

/**
 * The search index in Elasticsearch. A replacement is written beside the old documents under a version of its own and shown by
 * one write of the state document. Indices carry the mapping's version in their names; the alias leads to the newest.
 */
export async function openElasticsearch({
  url,
  apiKey,
  indexPrefix = 'repo-intel',
  timeoutMs = 2_000,
}: {
  url: string;
  apiKey?: string | undefined;
  /** Begins the names of all indices. */
  indexPrefix?: string;
  /** Of a question; what writes has more time. */
  timeoutMs?: number;
}): Promise<SearchStore> {
  const client = new Client({
    node: url,
    requestTimeout: timeoutMs,
    // A question is asked again by the guard, if at all; what writes must not be sent twice.
    maxRetries: 0,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
  });
  const documents = `${indexPrefix}-documents-${MAPPING_VERSION}`;
  const state = `${indexPrefix}-state-${MAPPING_VERSION}`;
  /** Two replacements of one repository follow each other; different ones run side by side, but for their changes of the state. */
  const inTurn = oneAtATimeByName();
  const changing = oneAtATime();
  const deleting = oneAtATime();
  const shown: estypes.QueryDslQueryContainer = {
    bool: {
      filter: [{ terms: { version: { index: state, id: 'state', path: 'versions' } } }],
      must_not: [{ terms: { key: { index: state, id: 'state', path: 'hidden' } } }],
    },
  };

  /** With the timeout of writes. */
  const slow = { requestTimeout: WRITE_TIMEOUT_MS };
  let indices: Promise<void> | null = null;

  async function createIndices(): Promise<void> {
    await createIndex(client, documents, 'documents', slow);
    await createIndex(client, state, 'state', slow);
    const empty: State = { versions: [], hidden: [], shown: [], writing: [], retired: [] };
    await client.create({ index: state, id: 'state', document: empty }, { ...slow, ignore: [409] });
    const alias = `${indexPrefix}-documents`;
    const actions = [
      { remove: { index: `${alias}-*`, alias, must_exist: false } },
      { add: { index: documents, alias } },
    ];
    await client.indices.updateAliases({ actions }, slow);
  }

  /** Works once the indices are there: a service starts, and answers what it can, while Elasticsearch is away. */
  async function reachable<T>(work: () => Promise<T>): Promise<T> {
    try {
      indices ??= createIndices();
      await indices.catch((error: unknown) => {
        indices = null;
        throw error;
      });
      return await work();
    } catch (error) {
      throw isUnavailable(error) ? new StoreUnavailable('search', { cause: error }) : error;
    }
  }

  async function readState(): Promise<State> {
    const { _source: now } = await client.get<State>({ index: state, id: 'state' });
    return now as State;
  }

  /** Changes the state in one step; begins anew when somebody else changed it meanwhile. */
  const changeState = (change: (now: State) => Promise<State> | State): Promise<void> =>
    changing(async () => {
      for (let attempt = 1; ; attempt++) {
        const { _source, _seq_no, _primary_term } = await client.get<State>({ index: state, id: 'state' }, slow);
        const document = await change(_source as State);
        try {
          const at = { if_seq_no: _seq_no ?? 0, if_primary_term: _primary_term ?? 0 };
          await client.index({ index: state, id: 'state', document, ...at }, slow);
          return;
        } catch (error) {
          if (attempt === 20 || !(error instanceof errors.ResponseError) || error.statusCode !== 409) throw error;
          await sleep(Math.random() * 50 * attempt);
        }
      }
    });

  /** All documents that fit, page by page. */
  async function* allOf(filter: estypes.QueryDslQueryContainer[], fields: (keyof Stored)[]): AsyncGenerator<Stored> {
    for (let after: estypes.SortResults | undefined, more = true; more;) {
      const { hits } = await client.search<Stored>(
        {
          index: documents,
          query: { bool: { filter } },
          sort: [{ key: 'asc' }],
          size: PAGE,
          track_total_hits: false,
          _source: fields,
          ...(after === undefined ? {} : { search_after: after }),
        },
        slow,
      );
      for (const { _source } of hits.hits) if (_source !== undefined) yield _source;
      after = hits.hits.at(-1)?.sort;
      more = hits.hits.length === PAGE;
    }
  }

  /** Which contributors' documents to hide among those of these ids, when these versions are shown. */
  async function hiddenAmong(ids: readonly string[], versions: readonly string[]): Promise<Map<string, boolean>> {
    const hidden = new Map<string, boolean>();
    for (let start = 0; start < ids.length; start += 500) {
      const filter = [
        { terms: { id: ids.slice(start, start + 500) } },
        { terms: { type: ['Contributor'] } },
        { terms: { version: [...versions] } },
      ];
      const found = await Array.fromAsync(allOf(filter, ['key', 'id', 'holder']));
      const first = new Map<string, Stored>();
      for (const each of found) {
        const before = first.get(each.id);
        if (before === undefined || Buffer.compare(Buffer.from(each.holder), Buffer.from(before.holder)) < 0) {
          first.set(each.id, each);
        }
      }
      for (const each of found) hidden.set(each.key, first.get(each.id) !== each);
    }
    return hidden;
  }

  const contributorsOf = (version: string): Promise<string[]> =>
    Array.fromAsync(allOf([{ term: { version } }, { term: { type: 'Contributor' } }], ['id']), ({ id }) => id);

  /** The state with this list of shown repositories; what is no longer in it is retired. */
  async function show(now: State, list: State['shown'], contributors: readonly string[]): Promise<State> {
    const versions = list.map(({ version }) => version);
    const gone = now.versions.filter((version) => !versions.includes(version));
    const touched = await hiddenAmong(contributors, versions);
    const kept = now.hidden.filter(
      (key) => !touched.has(key) && !gone.some((version) => key.startsWith(`${version}-`)),
    );
    const at = Date.now();
    return {
      versions,
      hidden: [...kept, ...[...touched].flatMap(([key, isHidden]) => (isHidden ? [key] : []))],
      shown: list.toSorted((a, b) => Buffer.compare(Buffer.from(a.repository), Buffer.from(b.repository))),
      writing: now.writing.filter(({ version }) => !versions.includes(version)),
      retired: [...now.retired, ...gone.map((version) => ({ version, at }))],
    };
  }

  /** Deletes the documents of versions that nobody can still be reading. Their keys follow one another from 0. */
  const deleteRetired = (): Promise<void> =>
    deleting(async () => {
      const due = ({ retired, writing }: State) => [
        ...retired.filter(({ at }) => at < Date.now() - GRACE_MS),
        ...writing.filter(({ at }) => at < Date.now() - ABANDONED_MS),
      ];
      const versions = due(await readState()).map(({ version }) => version);
      if (versions.length === 0) return;
      for (const version of versions) {
        for (let next = 0, more = true; more; next += 2_000) {
          const operations = Array.from({ length: 2_000 }, (_, i) => ({ delete: { _id: `${version}-${next + i}` } }));
          const { items } = await client.bulk({ index: documents, operations }, slow);
          more = items.some((item) => item.delete?.status === 200);
        }
      }
      await changeState((now) => ({
        ...now,
        retired: now.retired.filter(({ version }) => !versions.includes(version)),
        writing: now.writing.filter(({ version }) => !versions.includes(version)),
      }));
    });

  async function write(
    version: string,
    repository: string,
    source: Iterable<SearchDocument> | AsyncIterable<SearchDocument>,
  ): Promise<{ count: number; contributors: string[] }> {
    const contributors: string[] = [];
    let count = 0;
    let refused: unknown = null;
    let failure: unknown = null;
    async function* records() {
      try {
        for await (const document of source) {
          if (document.type === 'Contributor') contributors.push(document.id);
          yield record(document, { version, key: `${version}-${count++}`, holder: repository });
        }
      } catch (error) {
        // The bulk helper would not end on it.
        failure = error;
      }
    }
    await client.helpers.bulk(
      {
        datasource: records(),
        index: documents,
        flushBytes: BULK_BYTES,
        concurrency: 2,
        retries: 5,
        onDocument: ({ key }) => ({ create: { _id: key } }),
        onDrop: ({ error }) => (refused ??= error),
      },
      // The helper keeps settings of its own in what it is given.
      { ...slow },
    );
    if (failure !== null) throw failure;
    if (refused !== null) throw new Error(`The search index refused a document of ${repository}.`, { cause: refused });
    await client.indices.refresh({ index: documents }, slow);
    return { count, contributors };
  }

  return {
    engine: 'elasticsearch',

    replaceRepository: ({ repository, generation, documents: source }) =>
      inTurn(repository, () =>
        reachable(async () => {
          const before = (await readState()).shown.find((each) => each.repository === repository);
          if (before?.generation === generation) return;
          await deleteRetired();
          const version = randomBytes(9).toString('base64url').replaceAll('-', '_');
          await changeState((now) => ({ ...now, writing: [...now.writing, { version, at: Date.now() }] }));
          try {
            const { count, contributors } = await write(version, repository, source);
            const touched =
              before === undefined ? contributors : [...contributors, ...(await contributorsOf(before.version))];
            await changeState((now) => {
              const others = now.shown.filter((each) => each.repository !== repository);
              return show(now, [...others, { repository, generation, version, count }], [...new Set(touched)]);
            });
          } catch (error) {
            await changeState((now) => ({
              ...now,
              writing: now.writing.filter((each) => each.version !== version),
              retired: [...now.retired, { version, at: 0 }],
            })).catch(() => undefined);
            throw error;
          }
        }),
      ),

    removeRepository: (repository) =>
      inTurn(repository, () =>
        reachable(async () => {
          const before = (await readState()).shown.find((each) => each.repository === repository);
          if (before === undefined) return false;
          const touched = await contributorsOf(before.version);
          await changeState((now) => {
            const others = now.shown.filter((each) => each.repository !== repository);
            return show(now, others, touched);
          });
          await deleteRetired();
          return true;
        }),
      ),

    generations: () =>
      reachable(async () => new Map((await readState()).shown.map((each) => [each.repository, each.generation]))),

    async *documents(repository) {
      const { shown } = await reachable(readState);
      const version = shown.find((each) => each.repository === repository)?.version;
      if (version === undefined) return;
      try {
        for await (const { document } of allOf([{ term: { version } }], ['document'])) yield document;
      } catch (error) {
        throw isUnavailable(error) ? new StoreUnavailable('search', { cause: error }) : error;
      }
    },

    search: (query) =>
      reachable(async () => {
        const parsed = parseQuery(query.text);
        const words = await resolveWords(parsed.words, async (lookups) => {
          const { responses } = await client.msearch({
            index: documents,
            searches: lookups.flatMap((lookup) => [{}, lookupBody(lookup, shown)]),
          });
          return responses.map((answer) => 'hits' in answer && count(answer.hits.total) > 0);
        });
        const ask = async (relaxed: boolean) =>
          resultOf(
            await client.search<Stored>({ index: documents, ...searchBody(query, parsed, words, shown, relaxed) }),
            words,
            query.sort === 'relevance',
          );
        const strict = await ask(false);
        return strict.total === 0 && mayRelax(words) ? ask(true) : strict;
      }),

    ping: () =>
      reachable(async () => {
        await client.cluster.health({ wait_for_status: 'yellow', timeout: '5s' });
      }),

    close: () => client.close(),
  };
}

async function createIndex(
  client: Client,
  index: string,
  mapping: string,
  options: { requestTimeout: number },
): Promise<void> {
  if (await client.indices.exists({ index })) return;
  const body = JSON.parse(
    readFileSync(new URL(`../../../index-mappings/${mapping}.json`, import.meta.url), 'utf8'),
  ) as Omit<estypes.IndicesCreateRequest, 'index'>;
  try {
    await client.indices.create({ index, ...body }, options);
  } catch (error) {
    // Another instance was first.
    if (!(error instanceof errors.ResponseError) || error.body?.error?.type !== 'resource_already_exists_exception')
      throw error;
  }
}

/** A document as the index keeps it: tokens to look for, and the document itself to give back. */
function record(document: SearchDocument, mark: { version: string; key: string; holder: string }) {
  const { id, type, name, qualified_name, repository, language, frameworks } = document;
  const tokens = documentTokens(document);
  return {
    ...mark,
    id: cut(id),
    names: qualified_name === null ? [name] : [name, qualified_name],
    sort_name: cut(name),
    type,
    repository,
    language: language?.toLowerCase() ?? null,
    frameworks: frameworks.map((each) => each.toLowerCase()),
    static: staticUnits(document),
    name: tokens.name.join(' '),
    qualified: tokens.qualified.join(' '),
    path: tokens.path.join(' '),
    text: tokens.text.join(' '),
    document,
  };
}

/** A key of Lucene's has an upper length. */
function cut(key: string): string {
  return key.slice(0, 8000).toWellFormed();
}

function resultOf(
  { hits, aggregations = {} }: estypes.SearchResponse<Stored>,
  words: readonly ResolvedWord[],
  byRelevance: boolean,
): SearchResult {
  const facets = Object.entries(aggregations).map(([name, aggregate]) => {
    const { buckets } = aggregate as { buckets: { key: string; doc_count: number }[] };
    return [name, buckets.map(({ key, doc_count }): FacetValue => ({ value: key, count: doc_count }))];
  });
  const highlights = highlighter(words);
  return {
    hits: hits.hits.map((hit) => toHit(hit, highlights, byRelevance)),
    total: count(hits.total),
    facets: Object.fromEntries(facets) as SearchResult['facets'],
  };
}

function toHit(
  { _score, _source }: estypes.SearchHit<Stored>,
  highlights: ReturnType<typeof highlighter>,
  byRelevance: boolean,
): SearchHit {
  if (_source === undefined) throw new Error('Elasticsearch gave a hit without its document.');
  const { document, static: ownUnits } = _source;
  const relevance = ((_score ?? 0) - (byRelevance ? 0 : ownUnits)) / TEXT_UNITS;
  return { document, relevance, ...scoreOf(document, relevance), highlights: highlights(document) };
}

function count(total: number | estypes.SearchTotalHits | undefined): number {
  return typeof total === 'object' ? total.value : (total ?? 0);
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return [401, 403, 429, 502, 503, 504].includes(error.statusCode ?? 0);
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError
  );
}
