import { sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { randomUUID } from 'node:crypto';
import { committedKey } from '../../../model/repository-key.ts';
import type { RepositoryInfo } from '../../../model/snapshot.ts';
import type { Aggregate } from '../aggregate.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';
import { tellOwner } from './events.ts';
import { succeed } from './pipeline-runs.ts';
import type { Measured } from './pipeline-runs.ts';
import { visibleKeys } from './repositories.ts';

/** What is known of the snapshots, without their bytes. */
export interface ReadSnapshots {
  /** By repository; of these only, where any are named. */
  list(repositories?: readonly string[]): Promise<StoredSnapshot[]>;
  get(repository: string): Promise<StoredSnapshot | null>;
}

/** The snapshots of the repositories: the truth from which graph and search are made. */
export interface Snapshots extends ReadSnapshots {
  /** Keeps a repository's snapshot in place of the one before, as a whole; `bytes` is the snapshot file (see loaders/records). */
  save(
    repository: RepositoryInfo,
    generation: string,
    bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    /** The pipeline run that made it: it succeeds by the same commit. */
    measured?: Measured,
  ): Promise<void>;
  /** The snapshot file's bytes; null when the repository is not held. */
  read(repository: string): AsyncIterable<Uint8Array>;
  /** False when there was none. */
  remove(repository: string): Promise<boolean>;
}

export interface StoredSnapshot {
  repository: string;
  generation: string;
  info: RepositoryInfo;
  size_bytes: number;
  /** RFC 3339, UTC. */
  loaded_at: string;
}

const chunkSize = 256 * 1024;

/**
 * The repositories' snapshots over any engine. The bytes are written first, under an id that nobody points to yet, and one
 * short transaction then puts them in place: a large snapshot never keeps others waiting, and a killed load leaves the old one.
 */
export const snapshots: Aggregate<Snapshots> = {
  calls: { save: 'unguarded', list: 'read', get: 'read', read: 'unguarded', remove: 'unguarded' },
  open: openSnapshots,
};

/** Those that one organization may read, over any engine. */
export const tenantSnapshots = (database: Database, organizationId: string): ReadSnapshots =>
  readSnapshots(database.selectFrom('snapshot').where('repository', 'in', visibleKeys(database, organizationId)));

function readSnapshots(from: SelectQueryBuilder<Schema, 'snapshot', object>): ReadSnapshots {
  const stored = from.select(['repository', 'generation', 'info', 'size_bytes', 'loaded_at']);
  return {
    list: (repositories) =>
      stored
        .$if(repositories !== undefined, (query) => query.where(sql<boolean>`repository = ANY(${repositories})`))
        .orderBy('repository')
        .execute(),
    get: async (repository) => (await stored.where('repository', '=', repository).executeTakeFirst()) ?? null,
  };
}

function openSnapshots(database: Database): Snapshots {
  return {
    ...readSnapshots(database.selectFrom('snapshot')),

    async save(repository, generation, bytes, measured) {
      const contentId = randomUUID();
      let seq = 0;
      let size = 0;
      for await (const chunk of inChunks(bytes)) {
        await database
          .insertInto('snapshot_chunk')
          .values({ content_id: contentId, seq, repository: repository.name, bytes: chunk })
          .execute();
        seq += 1;
        size += chunk.length;
      }
      const row = {
        generation,
        info: JSON.stringify(repository),
        content_id: contentId,
        size_bytes: size,
        loaded_at: sql<string>`now()`,
      };
      await database.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('snapshot')
          .values({ repository: repository.name, ...row })
          .onConflict((conflict) => conflict.column('repository').doUpdateSet(row))
          .execute();
        await transaction
          .deleteFrom('snapshot_chunk')
          .where('repository', '=', repository.name)
          .where('content_id', '!=', contentId)
          .execute();
        // Two loads of one repository at once: the one that ends first has removed the other's chunks.
        const { count } = await transaction
          .selectFrom('snapshot_chunk')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('content_id', '=', contentId)
          .executeTakeFirstOrThrow();
        if (count !== seq) throw new Error(`${repository.name} was loaded by somebody else at the same time.`);
        // Last, for it holds up other events of the owner.
        const { commit, name } = repository;
        const { run = null, grade = null } = measured ?? {};
        await tellOwner(transaction, name, { type: 'repository.loaded', data: { commit, run_id: run, grade } });
        if (measured) await succeed(transaction, measured);
        // Of a working tree no past is kept.
        if (run !== null && committedKey(name) !== null)
          await transaction.deleteFrom('pipeline_run').where('repository', '=', name).where('id', '!=', run).execute();
      });
    },

    async *read(repository) {
      const snapshot = await database
        .selectFrom('snapshot')
        .select(['content_id', 'size_bytes'])
        .where('repository', '=', repository)
        .executeTakeFirst();
      if (!snapshot) return;
      for (let seq = 0, read = 0; read < snapshot.size_bytes; seq += 1) {
        const chunk = await database
          .selectFrom('snapshot_chunk')
          .select('bytes')
          .where('content_id', '=', snapshot.content_id)
          .where('seq', '=', seq)
          .executeTakeFirst();
        if (!chunk) throw new Error(`The snapshot of ${repository} was replaced while it was read: read it again.`);
        read += chunk.bytes.length;
        yield chunk.bytes;
      }
    },

    async remove(repository) {
      return database.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('snapshot')
          .where('repository', '=', repository)
          .executeTakeFirst();
        await transaction.deleteFrom('snapshot_chunk').where('repository', '=', repository).execute();
        await transaction.deleteFrom('pipeline_run').where('repository', '=', repository).execute();
        return numDeletedRows > 0n;
      });
    },
  };
}

/** Removes what a killed load left; only for an engine that no other process writes to. */
export async function removeUnfinishedSnapshots(database: Database): Promise<void> {
  await database
    .deleteFrom('snapshot_chunk')
    .where('content_id', 'not in', (query) => query.selectFrom('snapshot').select('content_id'))
    .execute();
}

/** The same bytes in pieces of one size; the last is smaller. */
async function* inChunks(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    for (let start = 0; start < part.length;) {
      const piece = part.subarray(start, start + chunkSize - size);
      parts.push(piece);
      size += piece.length;
      start += piece.length;
      if (size === chunkSize) {
        yield Buffer.concat(parts);
        parts = [];
        size = 0;
      }
    }
  }
  if (size > 0) yield Buffer.concat(parts);
}
