import { workerData } from 'node:worker_threads';
import type { SearchDocument } from '../../model/search-document.ts';
import { connectTo, setWhole } from '../sqlite.ts';
import { answerCalls } from '../writer-thread.ts';
import { contentOf, type Keyed } from './segments/content.ts';
import { jsonOf } from './sqlite-document.ts';
import { searchSchema } from './sqlite-schema.ts';
import { prepareSegmentChanges } from './sqlite-segment-changes.ts';

const { file } = workerData as { file: string };
const database = connectTo(file, searchSchema);

/** Documents that become one segment at first: so many are in memory at a time. */
const GATHERED = 16_384;

const segments = prepareSegmentChanges(database);
const statements = {
  repository: database.prepare('SELECT * FROM repositories WHERE name = ?'),
  next: database.prepare('SELECT coalesce(max(key), 0) + 1 AS key FROM documents'),
  addRepository: database.prepare(
    'INSERT INTO repositories (name, generation, first_document, end_document) VALUES (?, ?, 0, 0) RETURNING key',
  ),
  setRepository: database.prepare(
    'UPDATE repositories SET generation = ?, first_document = ?, end_document = ? WHERE key = ?',
  ),
  removeRepository: database.prepare('DELETE FROM repositories WHERE key = ?'),
  document: database.prepare('INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)'),
  removeDocuments: database.prepare('DELETE FROM documents WHERE key >= ? AND key < ?'),
};

interface RepositoryRow {
  key: number;
  generation: string;
  first_document: number;
  end_document: number;
}

/** The replacement that is under way: one transaction from `begin` to `commit`. */
let current: { key: number; generation: string; first: number; next: number; gathered: Keyed[] } | null = null;

answerCalls({
  /** False when this generation is held already: then there is nothing to do and no transaction. */
  begin({ repository, generation }: { repository: string; generation: string }): boolean {
    database.exec('BEGIN IMMEDIATE');
    const old = held(repository);
    if (old?.generation === generation) {
      database.exec('ROLLBACK');
      return false;
    }
    const first = Number(statements.next.get()?.['key']);
    if (old !== undefined) clear(old);
    const key = old?.key ?? Number(statements.addRepository.get(repository, generation)?.['key']);
    current = { key, generation, first, next: first, gathered: [] };
    return true;
  },

  documents(documents: readonly SearchDocument[]): void {
    const replacement = underWay();
    for (const document of documents) {
      const key = replacement.next++;
      const { id, name, repository } = document;
      statements.document.run(key, replacement.key, Number(repository === null), id, name, jsonOf(document));
      replacement.gathered.push({ key, document });
    }
    if (replacement.gathered.length >= GATHERED) segments.add(contentOf(replacement.gathered.splice(0)));
  },

  commit(): void {
    const { key, generation, first, next, gathered } = underWay();
    segments.add(contentOf(gathered));
    statements.setRepository.run(generation, first, next, key);
    segments.merge();
    database.exec('COMMIT');
    current = null;
  },

  rollback(): void {
    current = null;
    if (database.isTransaction) database.exec('ROLLBACK');
  },

  remove(repository: string): boolean {
    database.exec('BEGIN IMMEDIATE');
    try {
      const old = held(repository);
      if (old !== undefined) {
        clear(old);
        statements.removeRepository.run(old.key);
        segments.merge();
      }
      database.exec('COMMIT');
      return old !== undefined;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  },

  setWhole(whole: boolean): void {
    setWhole(database, searchSchema, whole);
  },

  close(): void {
    database.close();
  },
});

function held(repository: string): RepositoryRow | undefined {
  return statements.repository.get(repository) as RepositoryRow | undefined;
}

function clear({ first_document, end_document }: RepositoryRow): void {
  segments.bury((key) => key >= first_document && key < end_document);
  statements.removeDocuments.run(first_document, end_document);
}

function underWay() {
  if (current === null) throw new Error('No replacement is under way.');
  return current;
}
