import type { Client } from '@elastic/elasticsearch';
import type { IndexedDocument } from '../../model/search-document.ts';
import { documentTokens, qualifiedNames } from '../../search/ranking/document-tokens.ts';
import { licenceNames, topicOf } from '../../search/ranking/query.ts';
import { staticUnits } from '../../search/ranking/score.ts';
import type { Indices } from './elasticsearch-indices.ts';
import { slow, type IndexState } from '../elasticsearch.ts';
import { createVersions, writeDocuments } from '../elasticsearch-versions.ts';
import type { State } from './elasticsearch-state.ts';
import { hiddenAmong } from './elasticsearch-visible.ts';
import type { SearchStore } from './port.ts';

const flushBytes = 5_000_000;
/** As many as one answer has: of more sets nobody searches while a version is shown. */
const maxSets = 10_000;

export function createElasticsearchWrites(
  client: Client,
  indices: Indices,
  state: IndexState<State>,
): Pick<SearchStore, 'replaceRepository' | 'removeRepository'> {
  const contributorsOf = (version: string): Promise<string[]> =>
    Array.fromAsync(indices.allOf([{ term: { version } }, { term: { type: 'Contributor' } }], ['id']), ({ id }) => id);

  /** Deletes what is kept beside the state of sets with any of these versions. */
  const deleteSets = async (of: string[]): Promise<void> => {
    const ofThese = { query: { terms: { of } }, size: maxSets, _source: false };
    const { hits } = await client.search({ index: indices.state, ...ofThese }, slow);
    const operations = hits.hits.map(({ _id }) => ({ delete: { _id } }));
    if (operations.length > 0) await client.bulk({ index: indices.state, operations }, slow);
  };
  const versions = createVersions(client, indices, state, deleteSets);

  return {
    replaceRepository: ({ repository, generation, documents: source }) =>
      versions.replace({ repository, generation }, async (version, before) => {
        const contributors: string[] = [];
        let count = 0;
        async function* records() {
          for await (const document of source) {
            if (document.type === 'Contributor') contributors.push(document.id);
            yield record(document, { version, key: `${version}-${count++}`, holder: repository });
          }
        }
        const what = `a search document of ${repository}`;
        await writeDocuments(client, { index: indices.documents, flushBytes, what }, records());
        if (before !== undefined) contributors.push(...(await contributorsOf(before.version)));
        return (now) => {
          const others = now.shown.filter((each) => each.repository !== repository);
          return show(
            indices,
            now,
            [...others, { repository, generation, version, count }],
            [...new Set(contributors)],
          );
        };
      }),

    removeRepository: (repository) =>
      versions.remove(repository, async (before) => {
        const touched = await contributorsOf(before.version);
        return (now) => {
          const others = now.shown.filter((each) => each.repository !== repository);
          return show(indices, now, others, touched);
        };
      }),
  };
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
function record({ content, ...document }: IndexedDocument, mark: { version: string; key: string; holder: string }) {
  const {
    id,
    type,
    kind,
    name,
    repository,
    language,
    frameworks,
    license = '',
    topics = [],
    test,
    declared,
  } = document;
  const names = [name, ...qualifiedNames(document)];
  const tokens = documentTokens({ ...document, ...(content && { content }) });
  return {
    ...mark,
    id: cut(id),
    ...(type === 'File' ? {} : declared === undefined ? { names } : { declared_names: names }),
    sort_name: cut(name),
    type,
    kind: kind?.toLowerCase() ?? null,
    repository,
    language: language?.toLowerCase() ?? null,
    frameworks: frameworks.map((each) => each.toLowerCase()),
    licenses: licenceNames(license),
    topics: topics.map(topicOf),
    test,
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
    content: tokens.content.join(' '),
    document,
  };
}

/** A key of Lucene's has an upper length. */
function cut(key: string): string {
  return key.slice(0, 8000).toWellFormed();
}
