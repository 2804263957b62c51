import { randomBytes } from 'node:crypto';
import type { Client } from '@elastic/elasticsearch';
import { oneAtATime, oneAtATimeByName } from './batches.ts';
import { patiently, slow, type IndexState } from './elasticsearch.ts';

/** What readers see, in one document, so that it changes at one moment. */
export interface Versions {
  /** Which documents are a repository's: those of this version. */
  shown: { repository: string; generation: string; version: string }[];
  /** Versions that are being written, or wait to be deleted; since when, in milliseconds since 1970. */
  writing: { version: string; at: number }[];
  retired: { version: string; at: number }[];
}

/** Documents that are no longer shown stay this long, for the searches that began before. */
const graceMs = 30_000;
/** A load that has not ended after this long has died. */
const maxLoadMs = 6 * 3_600_000;
/** Documents that one request deletes. */
const maxDeleted = 2_000;

/**
 * Replaces what an index holds of a repository: the new documents are written beside the old ones under a version of their own, with
 * the keys `VERSION-0`, `VERSION-1` and so on, and shown by one change of the state. Two replacements of one repository follow each
 * other; different ones run side by side, but for their changes of the state.
 */
export function createVersions<State extends Versions>(
  client: Client,
  index: {
    documents: string;
    /** Works once the indices are there. */
    reachable<T>(work: () => Promise<T>): Promise<T>;
  },
  state: IndexState<State>,
  /** Deletes what is kept of versions besides their documents. */
  deleteBesides: (versions: string[]) => Promise<void> = () => Promise.resolve(),
) {
  const inTurn = oneAtATimeByName();
  const deleting = oneAtATime();

  const inTurnOf = <T>(repository: string, work: () => Promise<T>): Promise<T> =>
    inTurn(repository, async () => {
      await patiently(() => index.reachable(() => Promise.resolve()));
      return index.reachable(work);
    });
  const shownOf = async (repository: string): Promise<State['shown'][number] | undefined> =>
    (await patiently(() => state.read(slow))).shown.find((each) => each.repository === repository);

  /** Deletes the documents of versions that nobody can still be reading. */
  const deleteRetired = (): Promise<void> =>
    deleting(async () => {
      const { retired, writing } = await patiently(() => state.read(slow));
      const versions = [
        ...retired.filter(({ at }) => at < Date.now() - graceMs),
        ...writing.filter(({ at }) => at < Date.now() - maxLoadMs),
      ].map(({ version }) => version);
      if (versions.length === 0) return;
      for (const version of versions) {
        for (let next = 0, more = true; more; next += maxDeleted) {
          const operations = Array.from({ length: maxDeleted }, (_, i) => ({
            delete: { _id: `${version}-${next + i}` },
          }));
          const { items } = await client.bulk({ index: index.documents, operations }, slow);
          more = items.some((item) => item.delete?.status === 200);
        }
      }
      await deleteBesides(versions);
      const isKept = ({ version }: { version: string }) => !versions.includes(version);
      await state.change((now) => ({
        ...now,
        retired: now.retired.filter(isKept),
        writing: now.writing.filter(isKept),
      }));
    });

  return {
    /**
     * Does nothing where this generation is shown already. `write` writes the documents of a version and gives the change of the state
     * that shows them in place of `before`.
     */
    replace: (
      { repository, generation }: { repository: string; generation: string },
      write: (
        version: string,
        before: State['shown'][number] | undefined,
      ) => Promise<(now: State) => Promise<State> | State>,
    ): Promise<void> =>
      inTurnOf(repository, async () => {
        const before = await shownOf(repository);
        if (before?.generation === generation) return;
        await deleteRetired();
        const version = randomBytes(9).toString('base64url').replaceAll('-', '_');
        await state.change((now) => ({ ...now, writing: [...now.writing, { version, at: Date.now() }] }));
        try {
          await state.change(await write(version, before));
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

    /** False where nothing is shown of it. `hide` gives the change of the state that shows nothing in place of `before`. */
    remove: (
      repository: string,
      hide: (before: State['shown'][number]) => Promise<(now: State) => Promise<State> | State>,
    ): Promise<boolean> =>
      inTurnOf(repository, async () => {
        const before = await shownOf(repository);
        if (before === undefined) return false;
        await state.change(await hide(before));
        await deleteRetired();
        return true;
      }),
  };
}

/** Writes documents, each under its `key`; `what` names one of them in the error when it is refused. */
export async function writeDocuments(
  client: Client,
  { index, flushBytes, what }: { index: string; flushBytes: number; what: string },
  documents: AsyncIterable<{ key: string }>,
): Promise<void> {
  let refused: unknown = null;
  let failure: unknown = null;
  async function* untilFailure() {
    try {
      yield* documents;
    } catch (error) {
      // The bulk helper would not end on it.
      failure = error;
    }
  }
  await client.helpers.bulk(
    {
      datasource: untilFailure(),
      index,
      flushBytes,
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
  if (refused !== null) throw new Error(`Elasticsearch refused ${what}.`, { cause: refused });
  await patiently(() => client.indices.refresh({ index }, slow));
}
