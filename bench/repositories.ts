// How well search finds a repository by what somebody else says of it (test/ranking/described.ts): the sentence of a list of packages,
// and the heading that it stands under with the language (`job scheduler go`), which any repository of that heading answers. Asked are
// all repositories of a half whose clone OWNER+NAME (or its repo folder) is in --clones FOLDER, among all that are there, with their
// functions and classes. Prints a table in markdown. Arguments: --half reported or tuned, --engine sqlite or elasticsearch (found by
// ELASTICSEARCH_TEST_URL) or fts5 (plain BM25 over the same documents), --most 600 files, --misses, --kept
// FILE has the documents from one run to the next.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { analyze } from '../loaders/analyze.ts';
import { textsIn } from '../loaders/records/body-words.ts';
import { searchDocuments } from '../loaders/records/search-documents.ts';
import type { IndexedDocument, SearchDocument } from '../src/model/search-document.ts';
import { typedQuery } from '../src/search/typed-query.ts';
import { describedIn, isReported, lists, readmeOf } from '../test/ranking/described.ts';
import { maxDepth, qualityOf } from '../test/ranking/measure.ts';
import { fts5, type Hits } from './search/fts5.ts';
import { elasticsearchSearch } from './stores/elasticsearch.ts';
import { sqliteSearch } from './stores/sqlite.ts';

const { values: options } = parseArgs({
  options: {
    clones: { type: 'string', default: join(tmpdir(), 'clones') },
    half: { type: 'string', default: 'reported' },
    engine: { type: 'string', default: 'sqlite' },
    most: { type: 'string', default: '600' },
    kept: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'repositories-'));
const nameOf = (repository: string) => repository.slice(repository.indexOf('/') + 1);
const cloneOf = (repository: string) => {
  const clone = join(options.clones, repository.replace('/', '+'));
  return existsSync(join(clone, 'repo')) ? join(clone, 'repo') : clone;
};
try {
  const described = lists
    .flatMap((list) => describedIn(readmeOf(list, cloneOf(list.repository)), list.language))
    .filter(({ repository }) => existsSync(cloneOf(repository)));
  const ofLists = new Set<string>(lists.map(({ repository }) => repository));
  const present = readdirSync(options.clones)
    .filter((each) => /^[\w.-]+\+[\w.-]+$/.test(each))
    .map((each) => each.replace('+', '/'))
    .filter((each) => !ofLists.has(each));
  const documents =
    options.kept !== undefined && existsSync(options.kept)
      ? new Map(JSON.parse(readFileSync(options.kept, 'utf8')) as [string, IndexedDocument[]][])
      : await readAll(present);
  if (options.kept !== undefined) writeFileSync(options.kept, JSON.stringify([...documents]));
  const { search, close } = await open([...documents.values()]);
  const loaded = described.filter(({ repository }) => documents.has(repository));
  const asked = loaded.filter((each) => isReported(each) === (options.half === 'reported'));
  console.log(`${documents.size} repositories, ${[...documents.values()].flat().length} documents\n`);
  console.log('| asked | queries | R@1 | R@5 |\n|---|---|---|---|');
  await measure(
    'sentence of a list',
    asked.map(({ text, repository }) => ({ text, wanted: [nameOf(repository)] })),
  );
  const headings = new Map(asked.map(({ heading, language }) => [`${heading} ${language}`, { heading, language }]));
  await measure(
    'its heading and language',
    [...headings].map(([text, of]) => ({
      text,
      wanted: loaded
        .filter(({ heading, language }) => heading === of.heading && language === of.language)
        .map(({ repository }) => nameOf(repository)),
    })),
  );
  await close();

  async function measure(title: string, queries: readonly { text: string; wanted: readonly string[] }[]) {
    const ranks: number[] = [];
    for (const { text, wanted } of queries) {
      const { hits } = await search({
        ...typedQuery(text.slice(0, 256)),
        sort: 'composite_score',
        order: 'desc',
        offset: 0,
        limit: maxDepth,
      });
      const isWanted = ({ type, name }: SearchDocument) => type === 'Repository' && wanted.includes(name);
      const rank = 1 + hits.findIndex(({ document }) => isWanted(document));
      ranks.push(rank);
      if (options.misses && rank !== 1)
        console.log(
          `${rank} ${wanted.join(', ')}: ${text}\n    ${hits.map(({ document, score }) => `${score} ${document.type} ${document.id}`).join('\n    ')}`,
        );
    }
    const { queries: count, recallAt1, recallAt5 } = qualityOf(ranks);
    console.log(`| ${[title, count, recallAt1.toFixed(3), recallAt5.toFixed(3)].join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function readAll(repositories: readonly string[]): Promise<Map<string, IndexedDocument[]>> {
  const documents = new Map<string, IndexedDocument[]>();
  for (const repository of repositories) {
    try {
      const found = await documentsOf(repository);
      if (found !== null) documents.set(repository, found);
    } catch (error) {
      console.log(
        `${repository} is left out: ${error instanceof Error ? error.message.split('\n')[1] : String(error)}`,
      );
    }
  }
  return documents;
}

/** Null of a repository that is too large to be read beside so many. */
async function documentsOf(repository: string): Promise<IndexedDocument[] | null> {
  const git = (...args: string[]) => execFileSync('git', ['-C', cloneOf(repository), ...args], { encoding: 'utf8' });
  if (git('ls-tree', '-r', '--name-only', 'HEAD').split('\n').length > Number(options.most)) return null;
  const name = nameOf(repository);
  const source = join(folder, repository.replace('/', '+'), name);
  mkdirSync(source, { recursive: true });
  git('archive', '--output', join(source, '..', 'archive.tar'), 'HEAD');
  execFileSync('tar', ['-xf', join(source, '..', 'archive.tar'), '-C', source]);
  const { snapshot } = await analyze(source, { name, keepSource: true });
  const { nodes, edges, declared = [] } = snapshot;
  const texts = [...textsIn(snapshot.source ?? [])];
  return [...searchDocuments(snapshot.repository, nodes, edges, declared, { usage: 0, health: null }, () => texts)];
}

async function open(all: readonly IndexedDocument[][]) {
  if (options.engine === 'fts5') return fts5(all.flat());
  const { store, close } =
    options.engine === 'sqlite'
      ? await sqliteSearch()
      : await elasticsearchSearch({ url: process.env['ELASTICSEARCH_TEST_URL'] ?? 'http://localhost:9200' });
  for (const documents of all)
    await store.replaceRepository({
      repository: documents[0]?.repository ?? '',
      generation: 'described',
      documents,
    });
  const search = (query: Parameters<typeof store.everything.search>[0]): Promise<Hits> =>
    store.everything.search(query);
  return { search, close };
}
