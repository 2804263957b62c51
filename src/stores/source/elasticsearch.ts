import { Client, type estypes } from '@elastic/elasticsearch';
import type { LineHistory } from '../../model/snapshot.ts';
import { pageOf, together, type Found, type Gathered } from '../../search/text/found.ts';
import { compileAll } from '../../search/text/pattern.ts';
import { neededBy, someTrigramsOf, type Needed } from '../../search/text/trigrams.ts';
import { createIndex, createState, isUnavailable, patiently, slow } from '../elasticsearch.ts';
import { StoreUnavailable } from '../errors.ts';
import {
  createWrites,
  emptyState,
  type SourceIndices,
  type SourceState,
  type StoredBlob,
} from './elasticsearch-writes.ts';
import type { Match } from './match-thread.ts';
import { commitsOf, findCommits, isText } from './elasticsearch-commits.ts';
import { textOf, maxSearchMs, type FilePlace, type SourceReader, type SourceStore, type TextQuery } from './port.ts';
import { openSearchThreads } from './search-threads.ts';

/** Changes with index-mappings/source.json or with what is written: another version has indices of its own. */
const MAPPING_VERSION = 5;
/** Texts that are looked at together. */
const pageSize = 64;

/**
 * The text of the repositories in Elasticsearch: a document a text of a repository, found by its trigrams, which we count ourselves.
 * A replacement is written beside the old documents under a version of its own and shown by one write of the state.
 */
export async function openElasticsearchSource({
  url,
  apiKey,
  indexPrefix = 'repo-intel',
  timeoutMs = 2_000,
  limitMs = maxSearchMs,
}: {
  url: string;
  apiKey?: string | undefined;
  /** Begins the names of all indices. */
  indexPrefix?: string;
  /** Of a question; what writes has more time. */
  timeoutMs?: number | undefined;
  /** Of a search. */
  limitMs?: number;
}): Promise<SourceStore> {
  const client = new Client({
    node: url,
    requestTimeout: timeoutMs,
    maxRetries: 0,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
  });
  const indices = createIndices(client, indexPrefix);
  const state = createState<SourceState>(client, indices.state);
  const entry = new URL('./match-thread.ts', import.meta.url);
  const threads = openSearchThreads<Parameters<Match>[0], ReturnType<Match>>(entry, { limitMs });
  const shownIn = (now: SourceState, names: ReadonlySet<string>) =>
    now.shown.filter(({ repository }) => names.has(repository));

  async function* texts(
    filter: estypes.QueryDslQueryContainer[],
    { withHistory = false, ...options }: { requestTimeout?: number; signal?: AbortSignal; withHistory?: boolean } = {},
  ) {
    for (let after: estypes.SortResults | undefined, more = true; more;) {
      const { hits } = await client.search<StoredBlob>(
        {
          index: indices.documents,
          query: { bool: { filter: [isText, ...filter] } },
          sort: ['place', 'repository', 'path', 'key'],
          size: pageSize,
          track_total_hits: false,
          _source: { includes: ['repository', 'files', 'content'], excludes: withHistory ? [] : ['files.history'] },
          ...(after === undefined ? {} : { search_after: after }),
        },
        options,
      );
      const page = hits.hits.flatMap(({ _source }) => (_source === undefined ? [] : [_source]));
      if (page.length > 0) yield page;
      after = hits.hits.at(-1)?.sort;
      more = hits.hits.length === pageSize;
    }
  }

  const search = async (
    { expression, offset, limit, isAll = false, enough, isOptional = false }: TextQuery,
    names: ReadonlySet<string>,
  ): Promise<Found> => {
    compileAll(expression);
    const versions = shownIn(await state.read(), names).map(({ version }) => version);
    const needed = neededBy(expression);
    const filter: estypes.QueryDslQueryContainer[] = [
      { terms: { version: versions } },
      ...(needed === null ? [] : [queryOf(needed)]),
    ];
    return threads.search(async (look, signal) => {
      const sought = { expression, best: offset + limit, isAll, ...(enough !== undefined && { enough }) };
      let all: Gathered = { files: [], total: 0, lines: 0, bytes: 0, isComplete: true };
      for await (const blobs of texts(filter, { signal })) {
        const { total, bytes } = all;
        all = together(all, await look({ sought, blobs, before: { total, bytes } }), sought.best);
        if (!all.isComplete) break;
      }
      return pageOf(all, offset);
    }, isOptional);
  };

  const within = (repositories: readonly string[]): SourceReader => {
    const names = new Set(repositories);
    return {
      kept: () =>
        indices.reachable(
          async () => new Map(shownIn(await state.read(), names).map(({ repository, kept }) => [repository, kept])),
        ),
      read: (repository, path) =>
        indices.reachable(async () => {
          const [shown] = shownIn(await state.read(), names).filter((each) => each.repository === repository);
          if (shown === undefined) return null;
          const filter = [{ term: { version: shown.version } }, { term: { paths: path } }];
          const { hits } = await client.search<StoredBlob>({
            index: indices.documents,
            query: { bool: { filter } },
            size: 1,
          });
          const [found] = hits.hits.map(({ _source }) => _source);
          const file = found?.files.find((each) => each.path === path);
          return found && file ? { ...file, text: textIn(found) } : null;
        }),
      histories: (files) =>
        indices.reachable(async () =>
          historiesOf(client, indices.documents, files, shownIn(await state.read(), names)),
        ),
      search: (query) => indices.reachable(() => search(query, names)),
      commits: (query) =>
        indices.reachable(async () => {
          const versions = shownIn(await state.read(), names).map(({ version }) => version);
          return findCommits(client, indices.documents, query, versions);
        }),
    };
  };

  return {
    engine: 'elasticsearch',
    ...createWrites(client, indices, state),
    generations: () =>
      patiently(() =>
        indices.reachable(
          async () => new Map((await state.read(slow)).shown.map((each) => [each.repository, each.generation])),
        ),
      ),
    async *files(repository) {
      const { shown } = await indices.reachable(() => state.read(slow));
      const version = shown.find((each) => each.repository === repository)?.version;
      if (version === undefined) return;
      for await (const page of texts([{ term: { version } }], { ...slow, withHistory: true }))
        for (const blob of page) for (const file of blob.files) yield { ...file, text: textIn(blob) };
    },
    async *history(repository) {
      const { shown } = await indices.reachable(() => state.read(slow));
      const version = shown.find((each) => each.repository === repository)?.version;
      if (version !== undefined) yield* commitsOf(client, indices.documents, version);
    },
    within,
    ping: () =>
      indices.reachable(async () => {
        await client.cluster.health({ wait_for_status: 'yellow', timeout: '5s' });
      }),
    close: async () => {
      await threads.close();
      await client.close();
    },
  };
}

/** In one request: of each repository the texts that are at any of these paths. */
async function historiesOf(
  client: Client,
  index: string,
  files: readonly FilePlace[],
  shown: SourceState['shown'],
): Promise<(LineHistory | undefined)[]> {
  const asked = Map.groupBy(files, ({ repository }) => repository);
  const should = shown.flatMap(({ repository, version }) => {
    const paths = (asked.get(repository) ?? []).map(({ path }) => path);
    return paths.length === 0 ? [] : [{ bool: { filter: [{ term: { version } }, { terms: { paths } }] } }];
  });
  if (should.length === 0) return files.map(() => undefined);
  const { hits } = await client.search<Pick<StoredBlob, 'repository' | 'files'>>({
    index,
    query: { bool: { should, minimum_should_match: 1 } },
    size: files.length,
    track_total_hits: false,
    _source: ['repository', 'files'],
  });
  const histories = new Map(
    hits.hits.flatMap(({ _source }) =>
      (_source?.files ?? []).map(({ path, history }) => [`${_source?.repository}\n${path}`, history] as const),
    ),
  );
  return files.map(({ repository, path }) => histories.get(`${repository}\n${path}`));
}

const textIn = ({ content }: StoredBlob) => textOf(Buffer.from(content, 'base64'));

function createIndices(client: Client, indexPrefix: string): SourceIndices {
  const source = `${indexPrefix}-source-${MAPPING_VERSION}`;
  const state = `${indexPrefix}-source-state-${MAPPING_VERSION}`;
  let made: Promise<void> | null = null;

  async function make(): Promise<void> {
    await createIndex(client, source, 'source', slow);
    await createIndex(client, state, 'state', slow);
    await client.create({ index: state, id: 'state', document: emptyState }, { ...slow, ignore: [409] });
    // Where another instance was first, its shards may not be there yet.
    await client.cluster.health({ index: [source, state], wait_for_status: 'yellow', timeout: '30s' }, slow);
  }

  return {
    documents: source,
    state,
    /** Works once the indices are there. */
    async reachable(work) {
      try {
        made ??= make();
        await made.catch((error: unknown) => {
          made = null;
          throw error;
        });
        return await work();
      } catch (error) {
        throw isUnavailable(error) ? new StoreUnavailable('source', { cause: error }) : error;
      }
    },
  };
}

function queryOf(needed: Exclude<Needed, null>): estypes.QueryDslQueryContainer {
  if (needed.op === 'text')
    return { bool: { filter: someTrigramsOf(needed.text).map((trigrams) => ({ term: { trigrams } })) } };
  const parts = needed.parts.filter((part) => part !== null).map(queryOf);
  return needed.op === 'and' ? { bool: { filter: parts } } : { bool: { should: parts, minimum_should_match: 1 } };
}
