// Our own embedded index beside SQLite's FTS5 (words with BM25, and trigrams) and Tantivy, on the same generated documents, each in a
// process of its own: time to write, size, memory, what a page of 20 with its exact total takes, and whether who types a name gets it
// first. Prints a table in markdown. Arguments: --documents 100000 --engines ours,fts5,trigram,tantivy; Tantivy is its Python package
// `tantivy`, whose interpreter --python names (it is left out where there is none). --one ENGINE measures only that, and prints JSON.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { SearchDocument } from '../src/model/search-document.ts';
import { documentTokens, fields } from '../src/search/ranking/document-tokens.ts';
import { parts } from '../src/search/ranking/tokens.ts';
import { generateDocuments } from './stores/generate-documents.ts';
import { randomOf } from './stores/generate.ts';
import { folderSize } from './stores/server-process.ts';
import { sqliteSearch } from './stores/sqlite.ts';

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    engines: { type: 'string', default: 'ours,fts5,trigram,tantivy' },
    python: { type: 'string', default: 'python3' },
    one: { type: 'string' },
  },
});
const corpus = generateDocuments(Number(options.documents));
const SAMPLES = 60;
const PAGE = 20;

/** What one engine answers: the ids of the first page, and how many there are. */
interface Answer {
  ids: readonly string[];
  total: number;
}
interface Engine {
  write: (documents: Iterable<SearchDocument>) => Promise<void>;
  /** Words any of which is enough (of a sentence), or all of which are typed; the last one may go on. */
  search: (text: string, any: boolean) => Promise<Answer>;
  /** Of its file or folder, in MB. */
  size: () => number;
  /** Of another process that does the work: its most memory in MB, and its seconds of processor time. */
  other?: () => Promise<{ memory: number; processor: number }>;
  close: () => void;
}
interface Figures {
  engine: string;
  seconds: number;
  processor: number;
  disk: number;
  memory: number;
  /** Of each kind of query: p50 and p99 in milliseconds, and the share whose item was the first. */
  asked: Record<string, { p50: number; p99: number; first: number }>;
}

const folder = mkdtempSync(join(tmpdir(), 'search-index-'));
try {
  if (options.one === undefined) report(options.engines.split(',').filter(isThere).map(measuredApart));
  else console.log(JSON.stringify(await measured(options.one)));
} finally {
  rmSync(folder, { recursive: true });
}

function isThere(engine: string): boolean {
  if (engine !== 'tantivy') return true;
  const found = spawnSync(options.python, ['-c', 'import tantivy']).status === 0;
  if (!found) console.log(`Tantivy is left out: ${options.python} has no package "tantivy".\n`);
  return found;
}

function measuredApart(engine: string): Figures {
  const { documents, python } = options;
  const args = [import.meta.filename, '--one', engine, '--documents', documents, '--python', python];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
}

function report(all: readonly Figures[]): void {
  const kinds = Object.keys(questions());
  const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`);
  row(`${options.documents} documents`, ...all.map(({ engine }) => engine));
  row('---', ...all.map(() => '---'));
  row('written in, s', ...all.map(({ seconds }) => seconds.toFixed(1)));
  row('processor time of it, s', ...all.map(({ processor }) => processor.toFixed(1)));
  row('on disk, MB', ...all.map(({ disk }) => disk.toFixed(0)));
  row('most memory, MB', ...all.map(({ memory }) => memory.toFixed(0)));
  for (const kind of kinds)
    row(
      `${kind}: p50 / p99 ms, first`,
      ...all.map(({ asked }) => {
        const { p50 = 0, p99 = 0, first = 0 } = asked[kind] ?? {};
        return `${p50.toFixed(1)} / ${p99.toFixed(1)}, ${first.toFixed(2)}`;
      }),
    );
}

async function measured(name: string): Promise<Figures> {
  const make = { ours, fts5, trigram, tantivy }[name];
  if (make === undefined) throw new Error(`There is no engine ${name}.`);
  const engine = await make();
  const [began, busy] = [performance.now(), process.cpuUsage()];
  await engine.write(everything());
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(busy);
  const processor = (user + system) / 1e6 + ((await engine.other?.())?.processor ?? 0);
  const asked: Figures['asked'] = {};
  for (const [kind, samples] of Object.entries(questions())) {
    const times: number[] = [];
    let first = 0;
    for (const round of [0, 1])
      for (const { text, any, name: wanted } of samples) {
        const before = performance.now();
        const { ids } = await engine.search(text, any);
        if (round === 0) continue;
        times.push(performance.now() - before);
        if (nameOf(ids[0]) === wanted) first++;
      }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    asked[kind] = { p50: at(0.5), p99: at(0.99), first: first / samples.length };
  }
  const memory = (await engine.other?.())?.memory ?? process.resourceUsage().maxRSS / 1024;
  const figures = { engine: name, seconds, processor, disk: engine.size(), memory, asked };
  engine.close();
  return figures;
}

function* everything(): Generator<SearchDocument> {
  for (const index of corpus.repositories.keys()) yield* corpus.documents(index);
}

/** By its id, as generate-documents.ts makes it. */
function nameOf(id = ''): string {
  return /#(?:.*\.)?([^.@]+)@\d+$/.exec(id)?.[1] ?? '';
}

/** What people type who know some name that is there; those of one word are found by any item of that name. */
function questions(): Record<string, { text: string; any: boolean; name: string }[]> {
  const random = randomOf('questions');
  const names: string[] = [];
  while (names.length < SAMPLES) {
    const index = Math.floor(random() * corpus.repositories.length);
    const skip = Math.floor(random() * 300);
    let i = 0;
    for (const { name } of corpus.documents(index))
      if (i++ >= skip && name.length >= 8 && /[a-z][A-Z]/.test(name)) {
        names.push(name);
        break;
      }
  }
  const ask = (text: (words: readonly string[], name: string) => string, any = false) =>
    names.map((name) => ({ text: text(parts(name), name), any, name }));
  return {
    'a name': ask((_, name) => name),
    'its beginning': ask((_, name) => name.slice(0, -2)),
    'its words': ask((words) => words.toReversed().join(' ')),
    'one frequent word': ask((words) => words[0] ?? ''),
    'a sentence': ask(
      (words) => `fix the ${words.join(' when the ')} of a response is not ${words[0] ?? ''} yet`,
      true,
    ),
  };
}

async function ours(): Promise<Engine> {
  const { store, raw } = await sqliteSearch(folder);
  return {
    async write() {
      for (const [index, repository] of corpus.repositories.entries())
        await store.replaceRepository({ repository, generation: 'one', documents: corpus.documents(index) });
    },
    async search(text) {
      const asked = { text, sort: 'composite_score', order: 'desc', offset: 0, limit: PAGE } as const;
      const { hits, total } = (await raw.search(asked)) as Awaited<ReturnType<typeof store.everything.search>>;
      return { ids: hits.map(({ document }) => document.id), total };
    },
    size: () => folderSize(folder),
    close: () => void store.close(),
  };
}

/** The same words in the same fields, by BM25 with the weights that our points of these fields have; documents beside them, as we keep them. */
async function fts5(): Promise<Engine> {
  return fts({
    table: `fts5 (name, qualified, path, text, content = '', tokenize = "unicode61 tokenchars '=.'", prefix = '2 3')`,
    rank: 'bm25(words, 7.4, 5.6, 4.4, 3.3)',
    row: (document) => {
      const tokens = documentTokens(document);
      return fields.map((field) => tokens[field].filter((token) => /^[\p{L}\p{N}]/u.test(token)).join(' '));
    },
    match: (text, any) =>
      parts(text)
        .map((token) => `"${token}" *`)
        .join(any ? ' OR ' : ' '),
  });
}

/** Texts as they are, found by any three letters; a sentence has no row that has all of it. */
async function trigram(): Promise<Engine> {
  return fts({
    table: `fts5 (name, qualified, path, text, content = '', tokenize = 'trigram')`,
    rank: 'bm25(words, 7.4, 5.6, 4.4, 3.3)',
    row: ({ name, qualified_name, path, signature, doc }) => [
      name,
      qualified_name,
      path,
      `${signature ?? ''} ${doc ?? ''}`,
    ],
    match: (text, any) =>
      text
        .split(' ')
        .filter(({ length }) => length > 2)
        .map((word) => `"${word}"`)
        .join(any ? ' OR ' : ' '),
  });
}

async function fts(given: {
  table: string;
  rank: string;
  row: (document: SearchDocument) => readonly (string | null)[];
  match: (text: string, any: boolean) => string;
}): Promise<Engine> {
  const database = new DatabaseSync(join(folder, 'fts.sqlite'));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;
    CREATE TABLE documents (key INTEGER PRIMARY KEY, id TEXT NOT NULL, document TEXT NOT NULL) STRICT;
    CREATE VIRTUAL TABLE words USING ${given.table}`);
  const document = database.prepare('INSERT INTO documents VALUES (?, ?, ?)');
  const words = database.prepare('INSERT INTO words (rowid, name, qualified, path, text) VALUES (?, ?, ?, ?, ?)');
  const page = database.prepare(
    `SELECT rowid FROM words WHERE words MATCH ? ORDER BY ${given.rank}, rowid LIMIT ${PAGE}`,
  );
  const count = database.prepare('SELECT count(*) AS total FROM words WHERE words MATCH ?');
  const read = database.prepare('SELECT id, document FROM documents WHERE key = ?');
  return {
    async write(documents) {
      let key = 0;
      database.exec('BEGIN');
      for (const each of documents) {
        document.run(++key, each.id, JSON.stringify(each));
        words.run(key, ...(given.row(each) as [string, string, string, string]));
        if (key % 16_384 === 0) database.exec('COMMIT; BEGIN');
      }
      database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    },
    async search(text, any) {
      const match = given.match(text, any);
      if (match === '') return { ids: [], total: 0 };
      const found = page.all(match).map(({ rowid }) => read.get(Number(rowid)));
      for (const each of found) JSON.parse(String(each?.['document']));
      return { ids: found.map((each) => String(each?.['id'])), total: Number(count.get(match)?.['total']) };
    },
    size: () => folderSize(folder),
    close: () => database.close(),
  };
}

/** In Python, a line of JSON there and one back. */
async function tantivy(): Promise<Engine> {
  const program = `
import json, resource, sys, tantivy
builder = tantivy.SchemaBuilder()
for field in ("name", "qualified", "path", "text"):
    builder.add_text_field(field, stored=False, tokenizer_name="whitespace")
builder.add_text_field("document", stored=True, tokenizer_name="raw", index_option="basic")
schema = builder.build()
index = tantivy.Index(schema, path=sys.argv[1])
index.register_tokenizer("whitespace", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
writer = index.writer(heap_size=128_000_000, num_threads=1)
fields, weights = ["name", "qualified", "path", "text"], {"name": 7.4, "qualified": 5.6, "path": 4.4, "text": 3.3}
for line in sys.stdin:
    asked = json.loads(line)
    if "row" in asked:
        writer.add_document(tantivy.Document(document=asked["document"], **dict(zip(fields, asked["row"]))))
        continue
    if "commit" in asked:
        writer.commit(); writer.wait_merging_threads(); index.reload(); searcher = index.searcher()
        print(json.dumps({}), flush=True); continue
    if "used" in asked:
        used = resource.getrusage(resource.RUSAGE_SELF)
        print(json.dumps({"memory": used.ru_maxrss / 1024, "processor": used.ru_utime + used.ru_stime}), flush=True); continue
    def ways(token):
        for field in fields:
            term = tantivy.Query.term_query(schema, field, token)
            yield tantivy.Occur.Should, tantivy.Query.boost_query(term, weights[field])
            begun = tantivy.Query.regex_query(schema, field, token + ".*")
            yield tantivy.Occur.Should, tantivy.Query.boost_query(begun, weights[field] * 0.8)
    occur = tantivy.Occur.Should if asked["any"] else tantivy.Occur.Must
    query = tantivy.Query.boolean_query([(occur, tantivy.Query.boolean_query(list(ways(t)))) for t in asked["tokens"]])
    result = searcher.search(query, limit=${PAGE}, count=True)
    ids = [json.loads(searcher.doc(address)["document"][0])["id"] for _, address in result.hits]
    print(json.dumps({"ids": ids, "total": result.count}), flush=True)
`;
  const child = spawn(options.python, ['-c', program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: unknown) =>
    new Promise<void>((resolve) => child.stdin.write(`${JSON.stringify(message)}\n`, () => resolve()));
  const ask = async <T>(message: unknown): Promise<T> => {
    await send(message);
    return JSON.parse(String((await lines.next()).value)) as T;
  };
  return {
    async write(documents) {
      for (const document of documents) {
        const tokens = documentTokens(document);
        await send({ row: fields.map((field) => tokens[field].join(' ')), document: JSON.stringify(document) });
      }
      await ask({ commit: true });
    },
    search: (text, any) => ask<Answer>({ tokens: parts(text), any }),
    size: () => folderSize(folder),
    other: () => ask({ used: true }),
    close: () => child.stdin.end(),
  };
}
