import { workerData } from 'node:worker_threads';
import type { SearchDocument } from '../../model/search-document.ts';
import { connectTo, setWhole } from '../sqlite.ts';
import { answerCalls } from '../writer-thread.ts';
import { contentOf, type Keyed } from './segments/content.ts';
import { documentIn, jsonOf } from './sqlite-document.ts';
import { searchSchema } from './sqlite-schema.ts';
import { prepareSegmentChanges } from './sqlite-segment-changes.ts';

const { file } = workerData as { file: string };
const database = connectTo(file, searchSchema);
database.exec('CREATE TEMP TABLE touched (id TEXT PRIMARY KEY) WITHOUT ROWID');

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
  document: database.prepare('INSERT INTO documents VALUES (?, ?, 0, ?, ?, ?, ?)'),
  removeDocuments: database.prepare('DELETE FROM documents WHERE key >= ? AND key < ?'),
  touch: database.prepare(
    'INSERT OR IGNORE INTO touched SELECT id FROM documents WHERE key >= ? AND key < ? AND shared = 1',
  ),
  /** Contributors that are shown and must not be, or the other way round. */
  otherwise: database.prepare(`
    SELECT key, hidden, id, name, document FROM documents
    WHERE shared = 1 AND id IN (SELECT id FROM touched) AND hidden = (key = (
      SELECT d.key FROM documents d JOIN repositories r ON r.key = d.repository_key
      WHERE d.id = documents.id AND d.shared = 1 ORDER BY r.name LIMIT 1
    ))`),
  setHidden: database.prepare('UPDATE documents SET hidden = ? WHERE key = ?'),
  untouch: database.prepare('DELETE FROM touched'),
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
    statements.touch.run(first, next);
    showFirst();
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
        showFirst();
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
  statements.touch.run(first_document, end_document);
  segments.bury((key) => key >= first_document && key < end_document);
  statements.removeDocuments.run(first_document, end_document);
}

/** What is hidden is in no segment, so that nothing finds it. */
function showFirst(): void {
  const hidden = new Set<number>();
  const shown: Keyed[] = [];
  for (const row of statements.otherwise.all()) {
    const key = Number(row['key']);
    statements.setHidden.run(1 - Number(row['hidden']), key);
    if (row['hidden'] === 0) hidden.add(key);
    else shown.push({ key, document: documentIn(row) });
  }
  if (hidden.size > 0) segments.bury((key) => hidden.has(key));
  segments.add(contentOf(shown));
  statements.untouch.run();
}

function underWay() {
  if (current === null) throw new Error('No replacement is under way.');
  return current;
}
