import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineVisible } from '../../src/stores/graph/sqlite-visible.ts';
import { openSqliteGraph } from '../../src/stores/graph/sqlite.ts';
import { searchSchema } from '../../src/stores/search/sqlite-schema.ts';
import { searchIn } from '../../src/stores/search/sqlite-search.ts';
import { openSqliteSearch } from '../../src/stores/search/sqlite.ts';
import { openDatabase } from '../../src/stores/sqlite.ts';
import type { GraphEngine, SearchEngine } from './engine.ts';
import { folderSize } from './server-process.ts';

/** The embedded graph in a folder of its own. */
export async function sqliteGraph(): Promise<GraphEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-graph-'));
  const file = join(folder, 'graph.sqlite');
  const store = await openSqliteGraph({ file });
  const replay = replayer(file);
  return {
    store,
    lanes: 1,
    serverPid: null,
    raw: {
      neighbors: (repository) => replay(`neighbors ${repository}`, () => store.everything.neighbors(repository)),
      repositoryGraph: () => replay('repositoryGraph', () => store.everything.repositoryGraph()),
    },
    disk: async () => folderSize(folder),
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The embedded search index in a folder of its own, or in one that is kept. Its raw search is the same without its thread. */
export async function sqliteSearch(kept?: string): Promise<SearchEngine> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'bench-search-'));
  const file = join(folder, 'search.sqlite');
  const store = await openSqliteSearch({ file });
  const database = openDatabase(file, searchSchema);
  const search = searchIn(database);
  return {
    store,
    lanes: 1,
    serverPid: null,
    raw: { search: (query) => search({ query, repositories: null }) },
    disk: async () => folderSize(folder),
    close: async () => {
      database.close();
      await store.close();
      if (kept === undefined) rmSync(folder, { recursive: true });
    },
  };
}

interface Sent {
  sql: string;
  method: 'all' | 'get';
  parameters: Parameters<StatementSync['all']>;
  /** The store prepared it for this question, not when it was opened. */
  fresh: boolean;
}

/** Records once what a question sends to SQLite, and sends the same again on a connection of its own. */
function replayer(file: string) {
  const recorded = new Map<string, Sent[]>();
  const prepared = new Map<string, StatementSync>();
  let database: DatabaseSync | null = null;
  return async (question: string, ask: () => Promise<unknown>): Promise<unknown> => {
    let sent = recorded.get(question);
    if (sent === undefined) {
      sent = await record(ask);
      recorded.set(question, sent);
    }
    database ??= open(file);
    const answers: unknown[] = [];
    for (const { sql, method, parameters, fresh } of sent) {
      let statement = fresh ? undefined : prepared.get(sql);
      if (statement === undefined) {
        statement = database.prepare(sql);
        prepared.set(sql, statement);
      }
      const rows = method === 'all' ? statement.all(...parameters) : [statement.get(...parameters)];
      answers.push(rows.map(decoded));
    }
    return answers;
  };
}

/** What a row keeps as JSON is read, as the other engines' clients do by themselves. */
function decoded(row: Record<string, unknown> | undefined): unknown {
  const json = row?.['node'] ?? row?.['document'];
  return typeof json === 'string' ? [row, JSON.parse(json) as unknown] : row;
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true });
  // As the store has it.
  database.exec('PRAGMA cache_size = -32768');
  defineVisible(database, () => true);
  return database;
}

async function record(ask: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const fresh = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  const { all, get } = StatementSync.prototype;
  DatabaseSync.prototype.prepare = function (sql, ...rest) {
    fresh.add(sql);
    return prepare.call(this, sql, ...rest);
  };
  StatementSync.prototype.all = function (this: StatementSync, ...parameters: Sent['parameters']) {
    sent.push({ sql: this.sourceSQL, method: 'all', parameters, fresh: fresh.delete(this.sourceSQL) });
    return all.apply(this, parameters);
  } as StatementSync['all'];
  StatementSync.prototype.get = function (this: StatementSync, ...parameters: Sent['parameters']) {
    sent.push({ sql: this.sourceSQL, method: 'get', parameters, fresh: fresh.delete(this.sourceSQL) });
    return get.apply(this, parameters);
  } as StatementSync['get'];
  try {
    await ask();
  } finally {
    DatabaseSync.prototype.prepare = prepare;
    StatementSync.prototype.all = all;
    StatementSync.prototype.get = get;
  }
  return sent;
}
