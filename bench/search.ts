// Search among very many documents: what each kind of query takes on both engines, through the port and sent raw, in one run.
// Prints a table in markdown for each engine, and which limits hold. Arguments: --documents 1000000
// --engines sqlite,elasticsearch; the server is found by ELASTICSEARCH_TEST_URL. --keep FOLDER has the embedded index there and
// loads only what it does not hold yet. Or in real sources, over HTTP and beside zoekt's web server: --sources FOLDER,FOLDER (work
// trees of git) --zoekt FOLDER (of zoekt-index and zoekt-webserver), and names beside another checkout with --before FOLDER.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { SearchQuery } from '../src/stores/search/port.ts';
import { measureBeside } from './search/beside.ts';
import { compare } from './stores/compare.ts';
import { elasticsearchSearch } from './stores/elasticsearch.ts';
import type { SearchEngine } from './stores/engine.ts';
import { generateDocuments } from './stores/generate-documents.ts';
import { randomOf } from './stores/generate.ts';
import { sqliteSearch } from './stores/sqlite.ts';

const { values: options } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    engines: { type: 'string', default: 'sqlite,elasticsearch' },
    keep: { type: 'string' },
    sources: { type: 'string' },
    zoekt: { type: 'string' },
    before: { type: 'string' },
  },
});
const corpus = generateDocuments(Number(options.documents));
const open: Record<string, () => Promise<SearchEngine>> = {
  sqlite: () => sqliteSearch(options.keep),
  elasticsearch: () => elasticsearchSearch({ url: process.env['ELASTICSEARCH_TEST_URL'] ?? 'http://localhost:9200' }),
};
/** Of the embedded engine, in milliseconds at p99. */
const maxMs: Record<string, number> = { exact: 50, prefix: 50, filtered: 50, typo: 150 };
/** Of a server's port to the same sent raw, at p50. */
const maxRatio = 1.15;
const SAMPLES = 150;
/** Deep pages of very many matches take a server so long that fewer are asked for. */
const DEEP_SAMPLES = 30;
const ROUNDS = 1;
const verdicts: string[] = [];

console.log(
  `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}, load ${loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')}`,
);
if (options.sources !== undefined) {
  const { sources, zoekt = '', before } = options;
  for (const each of await measureBeside(sources.split(','), { zoekt, before })) verdict(...each);
}
for (const name of options.sources === undefined ? options.engines.split(',') : []) {
  const engine = await open[name]?.();
  if (engine === undefined) throw new Error(`There is no engine ${name}: choose of ${Object.keys(open).join(', ')}.`);
  try {
    await measure(name, engine);
  } finally {
    await engine.close();
  }
}
console.log(`\n## Limits\n\n${verdicts.join('\n')}`);
process.exitCode = verdicts.some((verdict) => verdict.includes('FAILS')) ? 1 : 0;

async function measure(name: string, engine: SearchEngine): Promise<void> {
  const [began, busy] = [performance.now(), process.cpuUsage()];
  let loaded = 0;
  function* counted(index: number) {
    for (const document of corpus.documents(index)) {
      loaded++;
      yield document;
    }
  }
  const left = corpus.repositories.keys();
  const lane = async () => {
    for (const index of left) {
      const repository = corpus.repositories[index] ?? '';
      await engine.store.replaceRepository({ repository, generation: options.documents, documents: counted(index) });
    }
  };
  await Promise.all(Array.from({ length: engine.lanes }, lane));
  const seconds = (performance.now() - began) / 1000;
  const disk = ((await engine.disk()) ?? Number.NaN).toFixed(0);
  console.log(`\n## ${name}\n`);
  console.log(
    `${loaded} documents in ${seconds.toFixed(0)} s (${(spent(busy) / 1000).toFixed(0)} s of processor time here); ${disk} MB on disk\n`,
  );
  console.log(
    '| query | samples | found, median | port p50 | p99 | raw p50 | p99 (ms) | ratio | processor ms p50 | p99 |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|');
  for (const [kind, queries] of Object.entries(questions())) {
    const { samples, port, raw, ratio } = await compare(
      kind,
      queries.slice(0, queries.length / 2),
      { port: (query) => engine.store.everything.search(query), raw: (query) => engine.raw.search(query) },
      ROUNDS,
    );
    const { totals, work } = await alone(engine, queries.slice(queries.length / 2));
    const times = [port.p50, port.p99, raw.p50, raw.p99].map((each) => each.toFixed(1));
    const row = [
      kind,
      samples,
      at(totals, 0.5),
      ...times,
      ratio.toFixed(2),
      at(work, 0.5).toFixed(1),
      at(work, 0.99).toFixed(1),
    ];
    console.log(`| ${row.join(' | ')} |`);
    const most = maxMs[kind];
    // Where others use the processors too, the time on the clock says nothing of the engine.
    if (engine.serverPid === null && most !== undefined) {
      verdict(
        `${name}, ${kind}: p99 ${at(work, 0.99).toFixed(0)} ms of processor time (${port.p99.toFixed(0)} on the clock), at most ${most}`,
        at(work, 0.99) <= most,
      );
    } else if (engine.serverPid !== null) {
      verdict(`${name}, ${kind}: port to raw ${ratio.toFixed(2)}, at most ${maxRatio}`, ratio <= maxRatio);
    }
  }
  console.log(`\n${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB resident in this process`);
}

/** Each query, which nobody has asked before: what it finds, and the processor time that it takes in this process. */
async function alone({ store }: SearchEngine, queries: readonly SearchQuery[]) {
  const totals: number[] = [];
  const work: number[] = [];
  for (const query of queries) {
    const before = process.cpuUsage();
    totals.push((await store.everything.search(query)).total);
    work.push(spent(before));
  }
  return { totals, work };
}

/** Processor time of this process since then, in milliseconds. */
function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** What people type who know some name that is there, in the ways in which they know it. */
function questions(): Record<string, SearchQuery[]> {
  const random = randomOf('questions');
  const names: { name: string; path: string; repository: string }[] = [];
  while (names.length < 2 * SAMPLES) {
    const index = Math.floor(random() * corpus.repositories.length);
    const skip = Math.floor(random() * 300);
    let i = 0;
    for (const { name, path, repository } of corpus.documents(index)) {
      if (i++ < skip || name.length < 8) continue;
      names.push({ name, path: path ?? '', repository: repository ?? '' });
      break;
    }
  }
  const first: SearchQuery = { text: '', sort: 'composite_score', order: 'desc', offset: 0, limit: 20 };
  const ask = (
    text: (name: (typeof names)[number]) => string,
    more: (name: (typeof names)[number]) => Partial<SearchQuery> = () => ({}),
  ) => names.map((each): SearchQuery => ({ ...first, text: text(each), ...more(each) }));
  const words = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  return {
    exact: ask(({ name }) => name),
    prefix: ask(({ name }) => name.slice(0, -2)),
    filtered: ask(
      ({ name }) => words(name)[0] ?? name,
      ({ repository }) => ({ repositories: [repository], types: ['Function'] }),
    ),
    subtokens: ask(({ name }) => words(name).toReversed().join(' ')),
    // Its words are in very many documents, and no document has all.
    sentence: ask(
      ({ name }) => `fix the ${words(name).join(' when the ')} of a response is not ${words(name)[0] ?? ''} yet`,
    ),
    'one word': ask(({ name }) => words(name).at(-1) ?? name),
    typo: ask(({ name }) => name.slice(0, 3) + name.slice(4)),
    acronym: ask(({ name }) =>
      words(name)
        .map(([letter = '']) => letter.toUpperCase())
        .join(''),
    ),
    path: ask(({ path }) => path.slice(4)),
    phrase: ask(
      ({ name }) => words(name).join(' '),
      ({ name }) => ({ phrases: [words(name).join(' ')] }),
    ),
    'without, by facets': ask(
      ({ name }) => name,
      () => ({ without: ['break'], facets: ['type', 'language', 'repo'] }),
    ),
    'page 50': ask(
      ({ name }) => name.slice(0, 3),
      () => ({ offset: 49 * first.limit }),
    ).slice(0, 2 * DEEP_SAMPLES),
  };
}

function verdict(sentence: string, holds: boolean): void {
  verdicts.push(`- ${sentence}: ${holds ? 'holds' : 'FAILS'}`);
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
