import type { Client, estypes } from '@elastic/elasticsearch';
import type { SearchDocument } from '../../model/search-document.ts';
import { SCORE_VERSION } from '../../search/ranking/score.ts';
import { StoreUnavailable } from '../errors.ts';
import { createIndex, isUnavailable, patiently, slow } from '../elasticsearch.ts';
import { emptyState } from './elasticsearch-state.ts';

/** Changes with index-mappings/ or with what is written: another version has indices of its own. */
const MAPPING_VERSION = `${SCORE_VERSION}.1`;
/** Documents of one answer where all that fit are read. */
const pageSize = 2_000;

/** Fields of a stored document that are read back. */
export interface Stored {
  key: string;
  id: string;
  holder: string;
  static: number;
  document: SearchDocument;
}

/** The indices of this version, made where they are not there yet. */
export type Indices = ReturnType<typeof createIndices>;

export function createIndices(client: Client, indexPrefix: string) {
  const documents = `${indexPrefix}-documents-${MAPPING_VERSION}`;
  const state = `${indexPrefix}-state-${MAPPING_VERSION}`;
  let made: Promise<void> | null = null;

  async function make(): Promise<void> {
    await createIndex(client, documents, 'documents', slow);
    await createIndex(client, state, 'state', slow);
    await client.create({ index: state, id: 'state', document: emptyState }, { ...slow, ignore: [409] });
    const alias = `${indexPrefix}-documents`;
    const actions = [
      { remove: { index: `${alias}-*`, alias, must_exist: false } },
      { add: { index: documents, alias } },
    ];
    await client.indices.updateAliases({ actions }, slow);
    // Where another instance was first, its shards may not be there yet.
    await client.cluster.health({ index: [documents, state], wait_for_status: 'yellow', timeout: '30s' }, slow);
  }

  /** Works once the indices are there: a service starts, and answers what it can, while Elasticsearch is away. */
  async function reachable<T>(work: () => Promise<T>): Promise<T> {
    try {
      made ??= make();
      await made.catch((error: unknown) => {
        made = null;
        throw error;
      });
      return await work();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** How a page is asked for. */
  const ask = {
    load: (page: estypes.SearchRequest) => patiently(() => client.search<Stored>(page, slow)),
    question: (page: estypes.SearchRequest) => client.search<Stored>(page),
  };

  /** All documents that fit, page by page. */
  async function* allOf(
    filter: estypes.QueryDslQueryContainer[],
    fields: (keyof Stored)[],
    purpose: keyof typeof ask = 'load',
  ): AsyncGenerator<Stored> {
    for (let after: estypes.SortResults | undefined, more = true; more;) {
      const page = {
        index: documents,
        query: { bool: { filter } },
        sort: [{ key: 'asc' as const }],
        size: pageSize,
        track_total_hits: false,
        _source: fields,
        ...(after === undefined ? {} : { search_after: after }),
      };
      const { hits } = await ask[purpose](page);
      for (const { _source } of hits.hits) if (_source !== undefined) yield _source;
      after = hits.hits.at(-1)?.sort;
      more = hits.hits.length === pageSize;
    }
  }

  return { documents, state, reachable, allOf };
}

/** `StoreUnavailable` for what says that the server does not answer now; else the error itself. */
export function asUnavailable(error: unknown): unknown {
  return isUnavailable(error) ? new StoreUnavailable('search', { cause: error }) : error;
}
