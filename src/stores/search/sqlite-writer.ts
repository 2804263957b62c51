import { workerData } from 'node:worker_threads';
import type { IndexedDocument } from '../../model/search-document.ts';
import { connectTo } from '../sqlite.ts';
import { answerReplacements } from '../sqlite-replacements.ts';
import { contentOf, type Keyed } from './segments/content.ts';
import { jsonOf } from './sqlite-document.ts';
import { searchSchema } from './sqlite-schema.ts';
import { prepareSegmentChanges } from './sqlite-segment-changes.ts';

const { file } = workerData as { file: string };
const database = connectTo(file, searchSchema);

/** Documents that become one segment at first: so many are in memory at a time. */
const maxGathered = 16_384;

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

/** The replacement that is under way; documents are gathered until they make a segment. */
interface Replacement {
  key: number;
  generation: string;
  first: number;
  next: number;
  gathered: Keyed[];
}

answerReplacements<RepositoryRow, { repository: string; generation: string }, Replacement>(database, searchSchema, {
  held: (repository) => statements.repository.get(repository) as RepositoryRow | undefined,

  begin({ repository, generation }, old) {
    const first = Number(statements.next.get()?.['key']);
    if (old !== undefined) clear(old);
    const key = old?.key ?? Number(statements.addRepository.get(repository, generation)?.['key']);
    return { key, generation, first, next: first, gathered: [] };
  },

  batches: {
    documents(replacement, documents: readonly IndexedDocument[]) {
      for (const document of documents) {
        const key = replacement.next++;
        const { id, name, repository } = document;
        statements.document.run(key, replacement.key, Number(repository === null), id, name, jsonOf(document));
        replacement.gathered.push({ key, document });
      }
      if (replacement.gathered.length >= maxGathered) segments.add(contentOf(replacement.gathered.splice(0)));
    },
  },

  end({ key, generation, first, next, gathered }) {
    segments.add(contentOf(gathered));
    statements.setRepository.run(generation, first, next, key);
    segments.merge();
  },

  remove(old) {
    clear(old);
    statements.removeRepository.run(old.key);
    segments.merge();
  },
});

function clear({ first_document, end_document }: RepositoryRow): void {
  segments.bury((key) => key >= first_document && key < end_document);
  statements.removeDocuments.run(first_document, end_document);
}
