import { workerData } from 'node:worker_threads';
import type { SearchDocument } from '../../model/search-document.ts';
import { openDatabase } from '../sqlite.ts';
import { answerCalls } from '../writer-thread.ts';
import { documentTokens, fields } from './document-tokens.ts';
import { marksOf } from './marks.ts';
import { staticUnits } from './score.ts';
import { searchSchema } from './sqlite-schema.ts';
import { exactToken, isWord } from './tokens.ts';

const { file } = workerData as { file: string };
const database = openDatabase(file, searchSchema);
database.exec('CREATE TEMP TABLE touched (id TEXT PRIMARY KEY) WITHOUT ROWID');

const statements = {
  repository: database.prepare('SELECT * FROM repositories WHERE name = ?'),
  next: database.prepare('SELECT coalesce(max(key), 0) + 1 AS key FROM documents'),
  addRepository: database.prepare(
    "INSERT INTO repositories (name, generation, first_document, end_document, terms) VALUES (?, ?, 0, 0, '') RETURNING key",
  ),
  setRepository: database.prepare(
    'UPDATE repositories SET generation = ?, first_document = ?, end_document = ?, terms = ? WHERE key = ?',
  ),
  removeRepository: database.prepare('DELETE FROM repositories WHERE key = ?'),
  document: database.prepare('INSERT INTO documents VALUES (?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
  words: database.prepare('INSERT INTO words (rowid, name, qualified, path, text, marks) VALUES (?, ?, ?, ?, ?, ?)'),
  removeDocuments: database.prepare('DELETE FROM documents WHERE key >= ? AND key < ?'),
  removeWords: database.prepare('DELETE FROM words WHERE rowid >= ? AND rowid < ?'),
  addTerm: database.prepare(
    'INSERT INTO terms VALUES (?, 1) ON CONFLICT DO UPDATE SET repositories = repositories + 1',
  ),
  leaveTerm: database.prepare('UPDATE terms SET repositories = repositories - 1 WHERE term = ?'),
  removeTerm: database.prepare('DELETE FROM terms WHERE term = ? AND repositories <= 0'),
  touch: database.prepare(
    'INSERT OR IGNORE INTO touched SELECT id FROM documents WHERE key >= ? AND key < ? AND repository IS NULL',
  ),
  /** Contributors that are shown and must not be, or the other way round. */
  otherwise: database.prepare(`
    SELECT key, hidden, document FROM documents
    WHERE repository IS NULL AND id IN (SELECT id FROM touched) AND hidden = (key = (
      SELECT d.key FROM documents d JOIN repositories r ON r.key = d.repository_key
      WHERE d.id = documents.id AND d.repository IS NULL ORDER BY r.name LIMIT 1
    ))`),
  setHidden: database.prepare('UPDATE documents SET hidden = ? WHERE key = ?'),
  removeWord: database.prepare('DELETE FROM words WHERE rowid = ?'),
  untouch: database.prepare('DELETE FROM touched'),
};

interface RepositoryRow {
  key: number;
  generation: string;
  first_document: number;
  end_document: number;
  terms: string;
}

/** The replacement that is under way: one transaction from `begin` to `commit`. */
let current: {
  key: number;
  generation: string;
  first: number;
  next: number;
  terms: Set<string>;
  oldTerms: string[];
} | null = null;

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
    const oldTerms = old === undefined ? [] : clear(old);
    const key = old?.key ?? Number(statements.addRepository.get(repository, generation)?.['key']);
    current = { key, generation, first, next: first, terms: new Set(), oldTerms };
    return true;
  },

  documents(documents: readonly SearchDocument[]): void {
    const replacement = underWay();
    for (const document of documents) {
      const key = replacement.next++;
      const { id, type, name, qualified_name, repository, language, frameworks } = document;
      statements.document.run(
        key,
        replacement.key,
        id,
        type,
        name,
        qualified_name,
        repository,
        language === null ? null : language.toLowerCase(),
        JSON.stringify(frameworks.map((each) => each.toLowerCase())),
        staticUnits(document),
        JSON.stringify(document),
      );
      const tokens = documentTokens(document);
      const exact = exactToken(name);
      for (const term of tokens.name) if (isWord(term) || term === exact) replacement.terms.add(term);
      addWords(key, document, tokens);
    }
  },

  commit(): void {
    const { key, generation, first, next, terms, oldTerms } = underWay();
    for (const term of terms) statements.addTerm.run(term);
    for (const term of oldTerms) statements.removeTerm.run(term);
    statements.setRepository.run(generation, first, next, [...terms].join(' '), key);
    statements.touch.run(first, next);
    showFirst();
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
        for (const term of clear(old)) statements.removeTerm.run(term);
        statements.removeRepository.run(old.key);
        showFirst();
      }
      database.exec('COMMIT');
      return old !== undefined;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  },

  close(): void {
    database.close();
  },
});

function held(repository: string): RepositoryRow | undefined {
  return statements.repository.get(repository) as RepositoryRow | undefined;
}

/** Takes the documents out; gives the terms that may now be nobody's. */
function clear({ first_document, end_document, terms }: RepositoryRow): string[] {
  statements.touch.run(first_document, end_document);
  statements.removeWords.run(first_document, end_document);
  statements.removeDocuments.run(first_document, end_document);
  const left = terms === '' ? [] : terms.split(' ');
  for (const term of left) statements.leaveTerm.run(term);
  return left;
}

/** What is hidden has no words, so that nothing finds it. */
function showFirst(): void {
  for (const row of statements.otherwise.all()) {
    const [key, hidden] = [Number(row['key']), Number(row['hidden'])];
    statements.setHidden.run(1 - hidden, key);
    const document = JSON.parse(String(row['document'])) as SearchDocument;
    if (hidden === 0) statements.removeWord.run(key);
    else addWords(key, document, documentTokens(document));
  }
  statements.untouch.run();
}

function addWords(key: number, document: SearchDocument, tokens: ReturnType<typeof documentTokens>): void {
  const marks = marksOf(document, staticUnits(document));
  const columns = [...fields.map((field) => tokens[field]), marks].map((each) => each.join(' '));
  statements.words.run(key, ...columns);
}

function underWay() {
  if (current === null) throw new Error('No replacement is under way.');
  return current;
}
