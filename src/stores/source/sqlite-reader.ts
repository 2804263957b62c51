import { workerData } from 'node:worker_threads';
import { createSearch, type Found } from '../../search/text/found.ts';
import { neededBy, type Needed } from '../../search/text/trigrams.ts';
import { connectTo, unsealed } from '../sqlite.ts';
import { answerCalls } from '../writer-thread.ts';
import { textOf, type TextQuery } from './port.ts';
import { fileOf } from './sqlite-file.ts';
import { sourceSchema } from './sqlite-schema.ts';

const { file } = workerData as { file: string };
const database = connectTo(file, sourceSchema);
const contentOf = database.prepare('SELECT content FROM blobs WHERE key = ?');
const filesOf = (condition: string) =>
  database.prepare(`
    SELECT r.name AS repository, f.path, f.language, f.test, f.left_out, f.blob_key
    FROM repositories r JOIN files f ON f.repository_key = r.key
    WHERE r.name IN (SELECT value FROM json_each(?)) ${condition}
    ORDER BY f.left_out IS NOT NULL, f.test, r.name, f.path`);
const allFiles = filesOf('');
const filesWith = filesOf('AND f.blob_key IN (SELECT rowid FROM trigrams WHERE trigrams MATCH ?)');

answerCalls({
  /** `repositories`: names in JSON. */
  search({ query, repositories }: { query: TextQuery; repositories: string }): Found {
    const { expression } = query;
    const search = createSearch(expression);
    const needed = neededBy(expression);
    // One state of the file.
    database.exec('BEGIN');
    try {
      const candidates =
        needed === null ? allFiles.iterate(repositories) : filesWith.iterate(repositories, matchOf(needed));
      for (const row of candidates) {
        const candidate = { repository: String(row['repository']), ...fileOf(row) };
        if (!search.mayFit(candidate)) continue;
        const content = unsealed(contentOf.get(Number(row['blob_key']))?.['content']);
        if (!search.look(candidate, textOf(content))) break;
      }
      return search.page(query);
    } finally {
      database.exec('ROLLBACK');
    }
  },

  close(): void {
    database.close();
  },
});

/** As FTS5 asks for it. */
function matchOf(needed: Exclude<Needed, null>): string {
  if (needed.op === 'trigram') return `"${needed.trigram.replaceAll('"', '""')}"`;
  const parts = needed.parts.filter((part) => part !== null).map(matchOf);
  return `(${parts.join(needed.op === 'and' ? ' AND ' : ' OR ')})`;
}
