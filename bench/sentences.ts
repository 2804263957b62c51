// How well search answers what somebody wrote for another purpose (test/ranking/drawn.ts): subjects of commits, titles of pull
// requests, sentences that commits add to prose, headings of guides, and what is remembered of documentation, over all repositories of a half and within
// their own; and sentences of documentation that is not there. Prints a table in markdown. Arguments: --histories FOLDER has the bare
// clones NAME.git, made from GitHub where they are missing; --half reported, tuned, fresh or apart; --engine sqlite, elasticsearch (whose server is
// found by ELASTICSEARCH_TEST_URL), minisearch or fts5 (plain BM25 over the same documents, of fts5 with the words of bodies); --misses lists what is not among the first five.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import MiniSearch from 'minisearch';
import type { SearchDocument } from '../src/model/search-document.ts';
import type { SearchQuery } from '../src/stores/search/port.ts';
import { typedQuery } from '../src/search/typed-query.ts';
import { maxDepth, qualityOf } from '../test/ranking/measure.ts';
import { halves } from '../test/ranking/drawn.ts';
import { fts5, type Hits } from './search/fts5.ts';
import { drawAll } from './search/histories.ts';
import { elasticsearchSearch } from './stores/elasticsearch.ts';
import { sqliteSearch } from './stores/sqlite.ts';

const { values: options } = parseArgs({
  options: {
    histories: { type: 'string', default: join(tmpdir(), 'histories') },
    half: { type: 'string', default: 'reported' },
    engine: { type: 'string', default: 'sqlite' },
    misses: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'sentences-'));
const half = (Object.keys(halves) as (keyof typeof halves)[]).find((each) => each === options.half) ?? 'reported';
const drawn = await drawAll(halves[half], { clones: options.histories, folder });
const { search, close } = await open();
try {
  console.log('| asked | queries | R@1 | R@5 | without result |\n|---|---|---|---|---|');
  await measure('subject of a commit', 'subjects', false);
  await measure('the same within its repository', 'subjects', true);
  await measure('sentence of documentation', 'sentences', false);
  await measure('sentence of a changelog or guide', 'intents', false);
  await measure('the same within its repository', 'intents', true);
  await measure('title of a pull request', 'titles', false);
  await measure('the same within its repository', 'titles', true);
  await measure('heading of a guide', 'headings', false);
  await measure('the same within its repository', 'headings', true);
  await measure('name', 'names', false);
  await measure('remembered documentation', 'remembered', false);
  await measure('the same within its repository', 'remembered', true);
} finally {
  await close();
  rmSync(folder, { recursive: true });
}

/** The engine with all that was drawn. */
async function open() {
  if (options.engine === 'minisearch') return miniSearch(drawn.flatMap(({ documents }) => documents));
  if (options.engine === 'fts5') return fts5(drawn.flatMap(({ documents }) => documents));
  const { store, close } =
    options.engine === 'sqlite'
      ? await sqliteSearch()
      : await elasticsearchSearch({ url: process.env['ELASTICSEARCH_TEST_URL'] ?? 'http://localhost:9200' });
  for (const { name, documents } of drawn)
    await store.replaceRepository({ repository: name, generation: 'drawn', documents });
  return { search: (query: SearchQuery): Promise<Hits> => store.everything.search(query), close };
}

function miniSearch(documents: readonly SearchDocument[]) {
  const fields = ['name', 'qualified_name', 'repository', 'path', 'type', 'language', 'signature', 'doc', 'details'];
  const index = new MiniSearch<SearchDocument>({ fields, idField: 'id' });
  const byId = new Map(documents.map((document) => [document.id, document]));
  index.addAll([...byId.values()]);
  const search = async ({ text, repositories, limit }: SearchQuery): Promise<Hits> => ({
    hits: index
      .search(text)
      .map(({ id, score }) => ({ document: byId.get(String(id)) as SearchDocument, score }))
      .filter(({ document: { repository } }) => repositories?.includes(repository ?? '') ?? true)
      .slice(0, limit),
  });
  return { search, close: async () => {} };
}

async function measure(
  title: string,
  kind: 'subjects' | 'sentences' | 'intents' | 'titles' | 'headings' | 'remembered' | 'names',
  within: boolean,
): Promise<void> {
  const ranks: number[] = [];
  let empty = 0;
  for (const { text, repository, isWanted } of drawn.flatMap((each) => each[kind])) {
    const { hits } = await search({
      ...typedQuery(text),
      ...(within ? { repositories: [repository] } : {}),
      sort: 'composite_score',
      order: 'desc',
      offset: 0,
      limit: maxDepth,
    });
    const rank = 1 + hits.findIndex(({ document }) => isWanted(document));
    ranks.push(rank);
    if (hits.length === 0) empty++;
    if (options.misses && (rank === 0 || rank > 5))
      console.log(
        `${repository}: ${text}\n    ${hits.map(({ document, score }) => `${score} ${document.id}`).join('\n    ')}`,
      );
  }
  const { queries, recallAt1, recallAt5 } = qualityOf(ranks);
  console.log(`| ${[title, queries, recallAt1.toFixed(3), recallAt5.toFixed(3), empty].join(' | ')} |`);
}
