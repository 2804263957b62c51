import type { Client } from '@elastic/elasticsearch';
import type { Commit } from '../../model/commit.ts';
import { commitTerms } from '../../search/commits/commit-terms.ts';
import { placeOf } from '../../search/text/match.ts';
import { trigramsOf } from '../../search/text/trigrams.ts';
import type { IndexState } from '../elasticsearch.ts';
import { createVersions, writeDocuments, type Versions } from '../elasticsearch-versions.ts';
import { textOf, type SourceBlob, type SourceStore, type StoredFile } from './port.ts';

/** What readers see; `kept`: whether the repository was loaded with its text. */
export interface SourceState extends Versions {
  shown: (Versions['shown'][number] & { kept: boolean })[];
}

export const emptyState: SourceState = { shown: [], writing: [], retired: [] };

/** The names of the indices, and what works once they are there. */
export interface SourceIndices {
  documents: string;
  state: string;
  reachable<T>(work: () => Promise<T>): Promise<T>;
}

/** A text as the index gives it back. */
export interface StoredBlob {
  repository: string;
  files: StoredFile[];
  /** The text, compressed, in base64. */
  content: string;
}

/** A document has all trigrams of its text: many small ones keep neither side waiting. */
const flushBytes = 2_000_000;

export function createWrites(
  client: Client,
  indices: SourceIndices,
  state: IndexState<SourceState>,
): Pick<SourceStore, 'replaceRepository' | 'removeRepository'> {
  const versions = createVersions(client, indices, state);
  return {
    replaceRepository: ({ repository, generation, isKept: kept, blobs, commits }) =>
      versions.replace({ repository, generation }, async (version) => {
        await writeDocuments(
          client,
          { index: indices.documents, flushBytes, what: `a text or a commit of ${repository}` },
          documentsOf({ version, repository }, blobs, commits),
        );
        return showing(repository, { repository, generation, version, kept });
      }),

    removeRepository: (repository) => versions.remove(repository, () => Promise.resolve(showing(repository, null))),
  };
}

/** The change that shows this in place of what is shown of the repository; null: nothing. */
function showing(repository: string, shown: SourceState['shown'][number] | null) {
  return (now: SourceState): SourceState => {
    const gone = now.shown.filter((each) => each.repository === repository);
    return {
      shown: [...now.shown.filter((each) => !gone.includes(each)), ...(shown === null ? [] : [shown])],
      writing: now.writing.filter(({ version }) => version !== shown?.version),
      retired: [...now.retired, ...gone.map(({ version }) => ({ version, at: Date.now() }))],
    };
  };
}

async function* documentsOf(
  mark: { version: string; repository: string },
  blobs: Iterable<SourceBlob> | AsyncIterable<SourceBlob>,
  commits: Iterable<Commit> | AsyncIterable<Commit>,
) {
  let count = 0;
  for await (const { content, files } of blobs) {
    yield {
      ...mark,
      key: `${mark.version}-${count++}`,
      place: Math.min(...files.map(placeOf)),
      path: files[0]?.path ?? '',
      paths: files.map(({ path }) => path),
      trigrams: [...trigramsOf(textOf(content))],
      files,
      content: Buffer.from(content).toString('base64'),
    };
  }
  for await (const { changed, ...commit } of commits) {
    const { subject, body, marked } = commitTerms({ ...commit, changed });
    yield {
      ...mark,
      key: `${mark.version}-${count++}`,
      commit_id: commit.id,
      committed_at: commit.committed_at,
      whole: commit.changed_kept === 'whole',
      subject: subject.join(' '),
      body: body.join(' '),
      marked,
      commit,
    };
  }
}
