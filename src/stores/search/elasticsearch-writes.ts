import { randomBytes } from 'node:crypto';
import type { Client } from '@elastic/elasticsearch';
import type { SearchDocument } from '../../model/search-document.ts';
import { documentTokens, qualifiedNames } from '../../search/ranking/document-tokens.ts';
import { staticUnits } from '../../search/ranking/score.ts';
import { oneAtATime, oneAtATimeByName } from '../batches.ts';
import type { Indices } from './elasticsearch-indices.ts';
import { patiently, slow, type IndexState } from '../elasticsearch.ts';
import type { State } from './elasticsearch-state.ts';
import { hiddenAmong } from './elasticsearch-visible.ts';
import type { SearchStore } from './port.ts';

const BULK_BYTES = 5_000_000;
/** Documents that are no longer shown stay this long, for the searches that began before. */
const GRACE_MS = 30_000;
/** As many as one answer has: of more sets nobody searches while a version is shown. */
const MAX_SETS = 10_000;
/** A load that has not ended after this long has died. */
const ABANDONED_MS = 6 * 3_600_000;

/**
 * A replacement is written under a version of its own and shown by one write of the state. Two replacements of one repository
 * follow each other; different ones run side by side, but for their changes of the state.
 */
export function createElasticsearchWrites(
  client: Client,
  indices: Indices,
  state: IndexState<State>,
): Pick<SearchStore, 'replaceRepository' | 'removeRepository'> {
  const inTurn = oneAtATimeByName();
  const deleting = oneAtATime();

  /** One change of a repository after the other, once the indices are there. */
  const inTurnOf = <T>(repository: string, work: () => Promise<T>): Promise<T> =>
    inTurn(repository, async () => {
      await patiently(() => indices.reachable(() => Promise.resolve()));
      return indices.reachable(work);
    });
  const shownOf = async (repository: string) =>
    (await patiently(() => state.read(slow))).shown.find((each) => each.repository === repository);
  const contributorsOf = (version: string): Promise<string[]> =>
    Array.fromAsync(indices.allOf([{ term: { version } }, { term: { type: 'Contributor' } }], ['id']), ({ id }) => id);

  /** Deletes what is kept beside the state of sets with any of these versions. */
  const deleteSets = async (versions: string[]): Promise<void> => {
    const ofThese = { query: { terms: { of: versions } }, size: MAX_SETS, _source: false };
    const { hits } = await client.search({ index: indices.state, ...ofThese }, slow);
    const operations = hits.hits.map(({ _id }) => ({ delete: { _id } }));
    if (operations.length > 0) await client.bulk({ index: indices.state, operations }, slow);
  };

  /** Deletes the documents of versions that nobody can still be reading. Their keys follow one another from 0. */
  const deleteRetired = (): Promise<void> =>
    deleting(async () => {
      const due = ({ retired, writing }: State) => [
        ...retired.filter(({ at }) => at < Date.now() - GRACE_MS),
        ...writing.filter(({ at }) => at < Date.now() - ABANDONED_MS),
      ];
      const versions = due(await patiently(() => state.read(slow))).map(({ version }) => version);
      if (versions.length === 0) return;
      for (const version of versions) {
        for (let next = 0, more = true; more; next += 2_000) {
          const operations = Array.from({ length: 2_000 }, (_, i) => ({ delete: { _id: `${version}-${next + i}` } }));
          const { items } = await client.bulk({ index: indices.documents, operations }, slow);
          more = items.some((item) => item.delete?.status === 200);
        }
      }
      await deleteSets(versions);
      await state.change((now) => ({
        ...now,
        retired: now.retired.filter(({ version }) => !versions.includes(version)),
        writing: now.writing.filter(({ version }) => !versions.includes(version)),
      }));
    });

  return {
    replaceRepository: ({ repository, generation, documents: source }) =>
      inTurnOf(repository, async () => {
        const before = await shownOf(repository);
        if (before?.generation === generation) return;
        await deleteRetired();
        const version = randomBytes(9).toString('base64url').replaceAll('-', '_');
        await state.change((now) => ({ ...now, writing: [...now.writing, { version, at: Date.now() }] }));
        try {
          const { count, contributors } = await writeDocuments(client, indices, version, repository, source);
          const touched =
            before === undefined ? contributors : [...contributors, ...(await contributorsOf(before.version))];
          await state.change((now) => {
            const others = now.shown.filter((each) => each.repository !== repository);
            return show(indices, now, [...others, { repository, generation, version, count }], [...new Set(touched)]);
          });
        } catch (error) {
          await state
            .change((now) => ({
              ...now,
              writing: now.writing.filter((each) => each.version !== version),
              retired: [...now.retired, { version, at: 0 }],
            }))
            .catch(() => undefined);
          throw error;
        }
      }),

    removeRepository: (repository) =>
      inTurnOf(repository, async () => {
        const before = await shownOf(repository);
        if (before === undefined) return false;
        const touched = await contributorsOf(before.version);
        await state.change((now) => {
          const others = now.shown.filter((each) => each.repository !== repository);
          return show(indices, now, others, touched);
        });
        await deleteRetired();
        return true;
      }),
  };
}

async function writeDocuments(
  client: Client,
  indices: Indices,
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
      index: indices.documents,
      flushBytes: BULK_BYTES,
      concurrency: 2,
      retries: 5,
      onDocument: ({ key }) => ({ create: { _id: key } }),
      // What was sent twice is there already: the version is nobody else's.
      onDrop: ({ status, error }) => (refused ??= status === 409 ? null : error),
    },
    // The helper keeps settings of its own in what it is given.
    { ...slow, maxRetries: 3 },
  );
  if (failure !== null) throw failure;
  if (refused !== null) throw new Error(`The search index refused a document of ${repository}.`, { cause: refused });
  await patiently(() => client.indices.refresh({ index: indices.documents }, slow));
  return { count, contributors };
}

/** The state with this list of shown repositories; what is no longer in it is retired. */
async function show(
  indices: Indices,
  now: State,
  list: State['shown'],
  contributors: readonly string[],
): Promise<State> {
  const versions = list.map(({ version }) => version);
  const gone = now.versions.filter((version) => !versions.includes(version));
  const touched = await hiddenOf(indices, contributors, versions);
  const kept = now.hidden.filter((key) => !touched.has(key) && !gone.some((version) => key.startsWith(`${version}-`)));
  const at = Date.now();
  return {
    versions,
    hidden: [...kept, ...[...touched].flatMap(([key, isHidden]) => (isHidden ? [key] : []))],
    shown: list.toSorted((a, b) => Buffer.compare(Buffer.from(a.repository), Buffer.from(b.repository))),
    writing: now.writing.filter(({ version }) => !versions.includes(version)),
    retired: [...now.retired, ...gone.map((version) => ({ version, at }))],
  };
}

/** Which contributors' documents to hide among those of these ids, when these versions are shown. */
async function hiddenOf(
  indices: Indices,
  ids: readonly string[],
  versions: readonly string[],
): Promise<Map<string, boolean>> {
  const hidden = new Map<string, boolean>();
  for (let start = 0; start < ids.length; start += 500) {
    const filter = [
      { terms: { id: ids.slice(start, start + 500) } },
      { terms: { type: ['Contributor'] } },
      { terms: { version: [...versions] } },
    ];
    const found = await Array.fromAsync(indices.allOf(filter, ['key', 'id', 'holder']));
    for (const [key, isHidden] of hiddenAmong(found)) hidden.set(key, isHidden);
  }
  return hidden;
}

/** A document as the index keeps it: tokens to look for, and the document itself to give back. */
function record(document: SearchDocument, mark: { version: string; key: string; holder: string }) {
  const { id, type, kind, name, repository, language, frameworks, declared } = document;
  const names = [name, ...qualifiedNames(document)];
  const tokens = documentTokens(document);
  return {
    ...mark,
    id: cut(id),
    ...(declared === undefined ? { names } : { declared_names: names }),
    sort_name: cut(name),
    type,
    kind: kind?.toLowerCase() ?? null,
    repository,
    language: language?.toLowerCase() ?? null,
    frameworks: frameworks.map((each) => each.toLowerCase()),
    static: staticUnits(document),
    name: tokens.name.join(' '),
    name_terms: tokens.name,
    qualified: tokens.qualified.join(' '),
    path: tokens.path.join(' '),
    text: tokens.text.join(' '),
    declared: tokens.declared.join(' '),
    declared_in: tokens.declared_in.join(' '),
    declared_path: tokens.declared_path.join(' '),
    words: tokens.words.join(' '),
    document,
  };
}

/** A key of Lucene's has an upper length. */
function cut(key: string): string {
  return key.slice(0, 8000).toWellFormed();
}
