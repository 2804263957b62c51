import { randomBytes } from 'node:crypto';
import type { Client } from '@elastic/elasticsearch';
import { placeOf } from '../../search/text/match.ts';
import { trigramsOf } from '../../search/text/trigrams.ts';
import { oneAtATime, oneAtATimeByName } from '../batches.ts';
import { patiently, slow, type IndexState } from '../elasticsearch.ts';
import { textOf, type SourceBlob, type SourceStore, type StoredFile } from './port.ts';

/** What readers see, in one document, so that it changes at one moment. */
export interface SourceState {
  shown: { repository: string; generation: string; version: string; kept: boolean }[];
  /** Versions that are being written, or wait to be deleted; since when. */
  writing: { version: string; at: number }[];
  retired: { version: string; at: number }[];
}

export const emptyState: SourceState = { shown: [], writing: [], retired: [] };

/** The names of the indices, and what works once they are there. */
export interface SourceIndices {
  source: string;
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
const BULK_BYTES = 2_000_000;
/** Documents that are no longer shown stay this long, for the searches that began before. */
const GRACE_MS = 30_000;
/** A load that has not ended after this long has died. */
const ABANDONED_MS = 6 * 3_600_000;

/** Two replacements of one repository follow each other; different ones run side by side, but for their changes of the state. */
export function createWrites(
  client: Client,
  indices: SourceIndices,
  state: IndexState<SourceState>,
): Pick<SourceStore, 'replaceRepository' | 'removeRepository'> {
  const inTurn = oneAtATimeByName();
  const deleting = oneAtATime();

  const inTurnOf = <T>(repository: string, work: () => Promise<T>): Promise<T> =>
    inTurn(repository, async () => {
      await patiently(() => indices.reachable(() => Promise.resolve()));
      return indices.reachable(work);
    });
  const shownOf = async (repository: string) =>
    (await patiently(() => state.read(slow))).shown.find((each) => each.repository === repository);

  /** Deletes the documents of versions that nobody can still be reading. Their keys follow one another from 0. */
  const deleteRetired = (): Promise<void> =>
    deleting(async () => {
      const { retired, writing } = await patiently(() => state.read(slow));
      const versions = [
        ...retired.filter(({ at }) => at < Date.now() - GRACE_MS),
        ...writing.filter(({ at }) => at < Date.now() - ABANDONED_MS),
      ].map(({ version }) => version);
      if (versions.length === 0) return;
      for (const version of versions) {
        for (let next = 0, more = true; more; next += 2_000) {
          const operations = Array.from({ length: 2_000 }, (_, i) => ({ delete: { _id: `${version}-${next + i}` } }));
          const { items } = await client.bulk({ index: indices.source, operations }, slow);
          more = items.some((item) => item.delete?.status === 200);
        }
      }
      const isKept = ({ version }: { version: string }) => !versions.includes(version);
      await state.change((now) => ({
        ...now,
        retired: now.retired.filter(isKept),
        writing: now.writing.filter(isKept),
      }));
    });

  /** Shows this in place of what is shown of the repository; null: nothing. */
  const show = (repository: string, shown: SourceState['shown'][number] | null): Promise<void> =>
    state.change((now) => {
      const others = now.shown.filter((each) => each.repository !== repository);
      const gone = now.shown.filter((each) => each.repository === repository);
      return {
        shown: [...others, ...(shown === null ? [] : [shown])],
        writing: now.writing.filter(({ version }) => version !== shown?.version),
        retired: [...now.retired, ...gone.map(({ version }) => ({ version, at: Date.now() }))],
      };
    });

  return {
    replaceRepository: ({ repository, generation, isKept: kept, blobs }) =>
      inTurnOf(repository, async () => {
        if ((await shownOf(repository))?.generation === generation) return;
        await deleteRetired();
        const version = randomBytes(9).toString('base64url').replaceAll('-', '_');
        await state.change((now) => ({ ...now, writing: [...now.writing, { version, at: Date.now() }] }));
        try {
          await writeBlobs(client, indices.source, { version, repository }, blobs);
          await show(repository, { repository, generation, version, kept });
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
        if ((await shownOf(repository)) === undefined) return false;
        await show(repository, null);
        await deleteRetired();
        return true;
      }),
  };
}

async function writeBlobs(
  client: Client,
  index: string,
  mark: { version: string; repository: string },
  blobs: Iterable<SourceBlob> | AsyncIterable<SourceBlob>,
): Promise<void> {
  let count = 0;
  let refused: unknown = null;
  let failure: unknown = null;
  async function* records() {
    try {
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
    } catch (error) {
      // The bulk helper would not end on it.
      failure = error;
    }
  }
  await client.helpers.bulk(
    {
      datasource: records(),
      index,
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
  if (refused !== null)
    throw new Error(`The index of source refused a text of ${mark.repository}.`, { cause: refused });
  await patiently(() => client.indices.refresh({ index }, slow));
}
