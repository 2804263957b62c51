import { zstdCompressSync } from 'node:zlib';
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { Commit } from '../../model/commit.ts';
import { maxPoints, type Asked, type CommitQuery, type Way } from '../../search/commits/commit-query.ts';
import { jsonIn, sealed, unsealed } from '../sqlite.ts';
import { maxFacetValues } from '../search/port.ts';
import { textOf, type FoundCommits, type StoredCommit } from './port.ts';

/** Terms as FTS5 takes them: its tokenizer leaves letters and digits of ASCII as they are, and beginnings stay beginnings. */
export function written(terms: readonly string[]): string {
  return terms.map(asTerm).join(' ');
}

const asTerm = (term: string) =>
  term.replaceAll(/[^a-z0-9]/g, (unit) => `zz${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Of a block: many are smaller together, and to read one of them all are unpacked. */
const maxBlockCommits = 64;
const maxBlockLength = 256 * 1024;

/** These commits in blocks, as the file has them. */
export function* blocksOf(commits: Iterable<Commit>): Generator<{ content: Uint8Array; commits: Commit[] }> {
  let block: Commit[] = [];
  let lines: string[] = [];
  let length = 0;
  const packed = () => ({ content: sealed(zstdCompressSync(lines.join('\n'))), commits: block });
  for (const commit of commits) {
    const { changed: _, ...kept } = commit;
    const line = JSON.stringify(kept);
    if (block.length === maxBlockCommits || (block.length > 0 && length + line.length > maxBlockLength)) {
      yield packed();
      [block, lines, length] = [[], [], 0];
    }
    block.push(commit);
    lines.push(line);
    length += line.length;
  }
  if (block.length > 0) yield packed();
}

/** Reads the commit of a row from its block; throws `DamagedFile` when it is not there. One block is held. */
export function openBlocks(database: DatabaseSync): (row: Record<string, SQLOutputValue>) => StoredCommit {
  const contentOf = database.prepare('SELECT content FROM commit_blocks WHERE key = ?');
  let held: { key: number; lines: readonly string[] } | null = null;
  return ({ block_key, line }) => {
    const key = Number(block_key);
    if (held?.key !== key) held = { key, lines: textOf(unsealed(contentOf.get(key)?.['content'])).split('\n') };
    return jsonIn(held.lines[Number(line)]) as StoredCommit;
  };
}

/** Looks for commits of the repositories whose names are given in JSON. */
export function openCommits(database: DatabaseSync): (query: CommitQuery, repositories: string) => FoundCommits {
  return (query, repositories) => {
    // One state of the file.
    database.exec('BEGIN');
    try {
      return find(database, query, repositories);
    } finally {
      database.exec('ROLLBACK');
    }
  };
}

function find(database: DatabaseSync, query: CommitQuery, repositories: string): FoundCommits {
  const { hits, found } = tablesOf(query);
  const shared = { repositories, ...found.values };
  const tables = `WITH hits (key, word, points) AS (${hits.sql}), found AS MATERIALIZED (${found.sql})`;
  const bound = { ...shared, ...hits.values };
  const { sql: page, values } = pageOf(query);
  const rows = database.prepare(`${tables} ${page}`).all({ ...bound, ...values });
  const commitIn = openBlocks(database);
  const commits = rows
    .filter((row) => row['key'] !== null)
    .map((row) => ({ ...commitIn(row), repository: String(row['repository']), points: Number(row['points']) }));
  const last = commits.at(-1);
  const { isAnyEnough, words, withFacet } = query;
  return {
    commits,
    total: Number(rows[0]?.['total']),
    end: last === undefined ? null : [last.points, last.committed_at, last.id, last.repository],
    known: isAnyEnough ? knownWords(database, words, hits, repositories) : [],
    incomplete: Number(
      database
        .prepare(`SELECT count(*) AS count FROM ${COMMITS} WHERE ${VISIBLE} AND c.whole = 0`)
        .get({ repositories })?.['count'],
    ),
    byRepository: withFacet
      ? database
          .prepare(
            `${tables} SELECT repository AS value, count(*) AS count FROM found
             GROUP BY repository ORDER BY count(*) DESC, repository LIMIT ${maxFacetValues}`,
          )
          .all(bound)
          .map(({ value, count }) => ({ value: String(value), count: Number(count) }))
      : [],
  };
}

const COMMITS = 'commits c JOIN repositories r ON r.key = c.repository_key';
const VISIBLE = 'r.name IN (SELECT value FROM json_each(:repositories))';

interface Sql {
  sql: string;
  values: Record<string, SQLInputValue>;
}

/** What each word finds, and with how many points; and the commits that the query is about. */
function tablesOf(query: CommitQuery): { hits: Sql; found: Sql } {
  const { words, isAnyEnough, filters, without, since, until, least, repositories, notRepositories } = query;
  const hits: Sql = { sql: '', values: {} };
  hits.sql = words
    .flatMap(({ ways }, word) =>
      ways.map(({ way, points }, index) => {
        hits.values[`w${word}_${index}`] = matchOf(way);
        return `SELECT rowid, ${word}, ${points} FROM ${tableOf(way)} (:w${word}_${index})`;
      }),
    )
    .join(' UNION ALL ');
  if (hits.sql === '') hits.sql = 'SELECT NULL, NULL, NULL WHERE 0';

  const found: Sql = { sql: '', values: {} };
  const keysOf = ({ ways }: Asked, name: string) => {
    const parts = ways.map(({ way }, index) => {
      found.values[`${name}_${index}`] = matchOf(way);
      return `SELECT rowid FROM ${tableOf(way)} (:${name}_${index})`;
    });
    return parts.join(' UNION ALL ');
  };
  const conditions = [
    VISIBLE,
    ...filters.map((each, index) => `c.key IN (${keysOf(each, `f${index}`)})`),
    ...without.map((each, index) => `c.key NOT IN (${keysOf(each, `n${index}`)})`),
  ];
  const when = (condition: string, name: string, value: string | null) => {
    if (value === null) return;
    conditions.push(condition);
    found.values[name] = value;
  };
  if (words.length > 0 && least > 0) {
    conditions.push('s.points >= :least');
    found.values['least'] = least;
  }
  when('c.committed_at >= :since', 'since', since);
  when('c.committed_at < :until', 'until', until);
  when('r.name IN (SELECT value FROM json_each(:only))', 'only', repositories && JSON.stringify(repositories));
  const not = notRepositories.length === 0 ? null : JSON.stringify(notRepositories);
  when('r.name NOT IN (SELECT value FROM json_each(:not))', 'not', not);
  const [scored, points] =
    words.length === 0
      ? [COMMITS, String(maxPoints)]
      : [
          `(SELECT key, sum(points) AS points FROM (SELECT key, word, max(points) AS points FROM hits GROUP BY key, word)
            GROUP BY key HAVING count(*) >= ${isAnyEnough ? 1 : words.length}) s
            JOIN commits c ON c.key = s.key JOIN repositories r ON r.key = c.repository_key`,
          's.points',
        ];
  found.sql = `SELECT c.key, c.committed_at, c.id, r.name AS repository, ${points} AS points
    FROM ${scored} WHERE ${conditions.join(' AND ')}`;
  return { hits, found };
}

/** The total, with the commits of the page or with nothing. */
function pageOf({ sort, order, offset, limit, after }: CommitQuery): Sql {
  const up = order === 'asc';
  const newest = `committed_at ${sort === 'date' && up ? 'ASC' : 'DESC'}, id, repository`;
  const by = sort === 'date' ? newest : `points ${up ? 'ASC' : 'DESC'}, ${newest}`;
  const values: Sql['values'] = { limit, offset: after === null ? offset : 0 };
  let behind = '';
  if (after !== null) {
    const [points, committedAt, id, repository] = after;
    Object.assign(values, { committedAt, id, repository });
    const tie = '(id, repository) > (:id, :repository)';
    const later = sort === 'date' && up ? '>' : '<';
    const byDate = `(committed_at ${later} :committedAt OR (committed_at = :committedAt AND ${tie}))`;
    behind = sort === 'date' ? byDate : `(points ${up ? '>' : '<'} :points OR (points = :points AND ${byDate}))`;
    if (sort !== 'date') values['points'] = points;
    behind = `WHERE ${behind}`;
  }
  return {
    sql: `SELECT t.total, p.*, c.block_key, c.line FROM (SELECT count(*) AS total FROM found) t
      LEFT JOIN (SELECT * FROM found ${behind} ORDER BY ${by} LIMIT :limit OFFSET :offset) p
      LEFT JOIN commits c ON c.key = p.key ORDER BY ${by.replaceAll(/\b(points|committed_at|id|repository)\b/g, 'p.$1')}`,
    values,
  };
}

function knownWords(database: DatabaseSync, words: readonly Asked[], hits: Sql, repositories: string): boolean[] {
  const rows = database
    .prepare(
      `WITH hits (key, word, points) AS (${hits.sql})
       SELECT DISTINCT word FROM hits h JOIN commits c ON c.key = h.key JOIN repositories r ON r.key = c.repository_key
       WHERE ${VISIBLE}`,
    )
    .all({ ...hits.values, repositories });
  const known = new Set(rows.map(({ word }) => Number(word)));
  return words.map((_, word) => known.has(word));
}

const tableOf = (way: Way) => (way.in === 'marked' ? 'commit_marks' : 'commit_messages');

function matchOf(way: Way): string {
  const column = way.in === 'marked' ? '' : `${way.in} : `;
  if (way.op === 'phrase') return `${column}"${written(way.terms)}"`;
  return `${column}"${asTerm(way.term)}"${way.op === 'prefix' ? ' *' : ''}`;
}
