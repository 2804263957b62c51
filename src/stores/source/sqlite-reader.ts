import type { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { CommitQuery } from '../../search/commits/commit-query.ts';
import { createSearch, pageOf, type Found } from '../../search/text/found.ts';
import { neededBy, type Needed } from '../../search/text/trigrams.ts';
import { connectTo, isDamage, unsealed } from '../sqlite.ts';
import { textOf, type FoundCommits, type TextQuery } from './port.ts';
import { openCommits } from './sqlite-commits.ts';
import { fileOf } from './sqlite-file.ts';
import { sourceSchema } from './sqlite-schema.ts';

/** `repositories`: names in JSON. A damaged file is no error, which loses on its way what it is known by. */
export type Search = (task: Task) => Found | FoundCommits | { damage: string };
type Task = { repositories: string } & ({ query: TextQuery } | { commits: CommitQuery });

let searchIn: ((task: Task) => Found | FoundCommits) | null = null;

/** One task of this thread. */
const search: Search = (task) => {
  try {
    searchIn ??= openReader((workerData as { file: string }).file);
    return searchIn(task);
  } catch (error) {
    if (isDamage(error)) return { damage: (error as Error).message };
    throw error;
  }
};
export default search;

function openReader(file: string): (task: Task) => Found | FoundCommits {
  const database = connectTo(file, sourceSchema);
  const findText = openText(database);
  const findCommits = openCommits(database);
  return ({ repositories, ...task }) =>
    'commits' in task ? findCommits(task.commits, repositories) : findText(task.query, repositories);
}

function openText(database: DatabaseSync): (query: TextQuery, repositories: string) => Found {
  const contentOf = database.prepare('SELECT content FROM blobs WHERE key = ?');
  const filesIn = (tables: string, condition: string) =>
    database.prepare(`
      SELECT r.name AS repository, f.path, f.language, f.test, f.left_out, f.blob_key
      FROM ${tables} WHERE r.name IN (SELECT value FROM json_each(:repositories)) ${condition}
      ORDER BY CASE WHEN f.left_out IS NOT NULL THEN 3 WHEN f.language IS NULL THEN 2 ELSE f.test END, r.name, f.path`);
  const allFiles = filesIn('repositories r JOIN files f ON f.repository_key = r.key', '');
  // From what is found to its files: most often these are few of all.
  const filesWith = filesIn(
    'trigrams t CROSS JOIN files f ON f.blob_key = t.rowid CROSS JOIN repositories r ON r.key = f.repository_key',
    'AND trigrams MATCH :needed',
  );
  const version = database.prepare('PRAGMA data_version');
  /** The texts that were looked at last, by the key of their blob: to unpack one takes longer than to look through it. */
  const texts = new LRUCache<number, string>({ maxSize: 8 * 2 ** 20, sizeCalculation: (text) => text.length + 1 });
  let textsOf = -1;

  const textAt = (key: number) => {
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = textOf(unsealed(contentOf.get(key)?.['content']));
    texts.set(key, text);
    return text;
  };

  return (query, repositories) => {
    const { expression, offset, limit, isAll = false, enough } = query;
    const { gathered, mayFit, look } = createSearch({
      expression,
      best: offset + limit,
      isAll,
      ...(enough !== undefined && { enough }),
    });
    const needed = neededBy(expression);
    // One state of the file.
    database.exec('BEGIN');
    try {
      // A key may be another text's, once something was written.
      const now = Number(version.get()?.['data_version']);
      if (now !== textsOf) texts.clear();
      textsOf = now;
      const candidates =
        needed === null
          ? allFiles.iterate({ repositories })
          : filesWith.iterate({ repositories, needed: matchOf(needed) });
      for (const row of candidates) {
        const candidate = { repository: String(row['repository']), ...fileOf(row) };
        if (!mayFit(candidate)) continue;
        if (!look(candidate, textAt(Number(row['blob_key'])))) break;
      }
      return pageOf(gathered, offset);
    } finally {
      database.exec('ROLLBACK');
    }
  };
}

const trigramsIn = (text: readonly string[]) =>
  new Set(text.slice(2).map((last, at) => `${text[at]}${text[at + 1]}${last}`));

/** Of a longer text these at both ends: the rest hardly tells more apart, and each character is looked up. */
const endLength = 12;

/** As FTS5 asks for it: each trigram, wherever it stands. What is blank at the ends is in most texts, and takes the longest. */
function matchOf(needed: Exclude<Needed, null>): string {
  if (needed.op === 'text') {
    const told = Array.from(needed.text.trim());
    const asked = told.length < 3 ? Array.from(needed.text) : told;
    const whole = trigramsIn(asked);
    const ends = [asked.slice(0, endLength), asked.slice(-endLength)];
    // Of a longer text its ends, unless it repeats itself.
    const trigrams = whole.size <= 2 * endLength ? whole : new Set(ends.flatMap((end) => [...trigramsIn(end)]));
    return `(${Array.from(trigrams, (trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')})`;
  }
  const parts = needed.parts.filter((part) => part !== null).map(matchOf);
  return `(${parts.join(needed.op === 'and' ? ' AND ' : ' OR ')})`;
}
