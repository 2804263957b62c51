import { DatabaseSync } from 'node:sqlite';
import type { IndexedDocument } from '../../src/model/search-document.ts';
import type { SearchQuery, SearchResult } from '../../src/stores/search/port.ts';

export interface Hits {
  hits: readonly Pick<SearchResult['hits'][number], 'document' | 'score'>[];
}

/** SQLite's full-text index with what it has by itself: any word of the text is enough. */
export function fts5(documents: readonly IndexedDocument[]) {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE documents USING fts5 (repository UNINDEXED, text, tokenize = 'unicode61')`);
  const nodes = documents.filter(({ type }) => type !== 'File' && type !== 'Declaration');
  const insert = database.prepare('INSERT INTO documents (rowid, repository, text) VALUES (?, ?, ?)');
  for (const [i, document] of nodes.entries()) {
    const { name, qualified_name, repository, path, type, language, signature, doc, details, words = [] } = document;
    const text = [name, qualified_name, repository, path, type, language, signature, doc, details, ...words];
    insert.run(i, repository, text.filter((each) => each !== null).join(' '));
  }
  const select = database.prepare(
    `SELECT rowid, -rank AS score FROM documents WHERE documents MATCH ? AND (? IS NULL OR repository = ?) ORDER BY rank LIMIT ?`,
  );
  const search = async ({ text, repositories, limit }: SearchQuery): Promise<Hits> => {
    const words = [...new Set(text.match(/[\p{L}\p{N}]+/gu))].map((word) => `"${word}"`);
    const within = repositories?.[0] ?? null;
    const found = words.length === 0 ? [] : select.all(words.join(' OR '), within, within, limit);
    return {
      hits: found.map(({ rowid, score }) => ({
        document: nodes[Number(rowid)] as IndexedDocument,
        score: Number(score),
      })),
    };
  };
  return { search, close: async () => database.close() };
}
