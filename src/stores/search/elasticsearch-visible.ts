import { createHash } from 'node:crypto';
import type { Client, estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import type { Indices, Stored } from './elasticsearch-indices.ts';
import type { IndexState, StateAt } from '../elasticsearch.ts';
import type { State } from './elasticsearch-state.ts';

type Query = estypes.QueryDslQueryContainer;

/** Documents that are shown now of all repositories; Elasticsearch looks them up in the state. */
export function shownNow(state: string): Query {
  return {
    bool: {
      filter: [{ terms: { version: { index: state, id: 'state', path: 'versions' } } }],
      must_not: [{ terms: { key: { index: state, id: 'state', path: 'hidden' } } }],
    },
  };
}

/** Sets of repositories that are kept in memory, by the characters of their keys. */
const maxKeptCharacters = 16 * 2 ** 20;
/** So many hidden keys go with each question; more are kept beside the state, to be looked up there. */
const maxSent = 500;

/** Searches within some repositories. */
export function createVisible(client: Client, indices: Indices, state: IndexState<State>) {
  let known: StateAt<State> | null = null;
  /** What of some versions, which never change, is hidden: those contributors' documents that others of these come before. */
  const hidden = new LRUCache<string, readonly Query[]>({
    maxSize: maxKeptCharacters,
    sizeCalculation: (queries, versions) => versions.length + JSON.stringify(queries).length,
    fetchMethod: async (versions) => hiddenOf(versions.split(' ')),
  });

  async function hiddenOf(versions: string[]): Promise<Query[]> {
    const contributors = [{ terms: { type: ['Contributor'] } }, { terms: { version: versions } }];
    const found = await Array.fromAsync(indices.allOf(contributors, ['key', 'id', 'holder'], 'question'));
    const keys = [...hiddenAmong(found)].flatMap(([key, isHidden]) => (isHidden ? [key] : []));
    if (keys.length === 0) return [];
    const sent = { terms: { key: keys } };
    if (keys.length <= maxSent) return [sent];
    const id = createHash('sha256').update(versions.join(' ')).digest('base64url');
    const document = { of: versions, hidden: keys };
    // Where it is there already, it is the same; where nothing can be written, as the disk is full, they are sent after all.
    return client.create({ index: indices.state, id, document }, { ignore: [409] }).then(
      () => [{ terms: { key: { index: indices.state, id, path: 'hidden' } } }],
      () => [sent],
    );
  }

  async function shownOf({ now }: StateAt<State>, repositories: ReadonlySet<string>): Promise<Query> {
    const versions = now.shown.flatMap(({ repository, version }) => (repositories.has(repository) ? [version] : []));
    if (versions.length === 0) return { match_none: {} };
    const mustNot = (await hidden.fetch(versions.join(' '))) ?? [];
    return { bool: { filter: [{ terms: { version: versions } }], must_not: [...mustNot] } };
  }

  return {
    /**
     * Asks for documents of these repositories alone. The state is taken to be as it was last seen while that is made sure of; what
     * is read anew was read after the question came, and needs no second look.
     */
    async within<T>(repositories: ReadonlySet<string>, ask: (shown: Query) => Promise<T>): Promise<T> {
      const before = known;
      if (before !== null) {
        const [answer, isCurrent] = await Promise.all([shownOf(before, repositories).then(ask), state.isAt(before)]);
        if (isCurrent) return answer;
      }
      known = await state.readAt();
      return ask(await shownOf(known, repositories));
    },
  };
}

/** Which of these contributors' documents to hide: all but that of the first repository by name, of each contributor. */
export function hiddenAmong(found: readonly Stored[]): Map<string, boolean> {
  const first = new Map<string, Stored>();
  for (const each of found) {
    const before = first.get(each.id);
    if (before === undefined || Buffer.compare(Buffer.from(each.holder), Buffer.from(before.holder)) < 0) {
      first.set(each.id, each);
    }
  }
  return new Map(found.map((each) => [each.key, first.get(each.id) !== each]));
}
