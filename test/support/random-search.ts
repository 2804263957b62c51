import fc from 'fast-check';
import type { SearchDocument } from '../../src/model/search-document.ts';
import type { SearchQuery } from '../../src/stores/search/port.ts';
import { declared, document, file } from '../contract/search-store.ts';

const word = fc.constantFrom(
  'get',
  'set',
  'User',
  'Users',
  'Profile',
  'HTTP',
  'Server',
  'parse',
  'parser',
  '2',
  'id',
  'é',
  '$',
);
const name = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('')),
  fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_')),
);

function documentOf(repository: string): fc.Arbitrary<SearchDocument> {
  return fc
    .record({
      name,
      type: fc.constantFrom('Function', 'Class', 'Endpoint', 'Contributor', 'Declaration', 'File'),
      qualified_name: fc.option(name.map((each) => `Application.${each}`)),
      path: fc.option(name.map((each) => `src/${each}.ts`)),
      language: fc.option(fc.constantFrom('typescript', 'python')),
      doc: fc.option(fc.array(word, { maxLength: 4 }).map((words) => words.join(' '))),
      words: fc.uniqueArray(
        word.map((each) => each.toLowerCase()),
        { maxLength: 3 },
      ),
      frameworks: fc.subarray(['Flask', 'express']),
      exported: fc.boolean(),
      usage: fc.nat({ max: 9 }),
      health: fc.option(fc.constantFrom(0, 0.5, 1)),
      centrality: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
      test: fc.boolean(),
    })
    .map((more) =>
      more.type === 'Declaration'
        ? declaredOf(repository, more)
        : more.type === 'File'
          ? file(repository, more.path ?? 'a.ts', more.words.join(' '), { test: more.test, language: more.language })
          : document(repository, more.name, { ...more, repository: more.type === 'Contributor' ? null : repository }),
    );
}

/** A declared name in place of a function of that. */
function declaredOf(
  repository: string,
  { name, path, qualified_name, language, test, usage, health }: Partial<SearchDocument> & { name: string },
): SearchDocument {
  const around = qualified_name?.split('.', 2)[0];
  const place = { path: path ?? 'a.ts', line: 1, ...(around === undefined ? {} : { in: around }) };
  const more = {
    kind: 'field',
    language: language ?? null,
    test: test ?? false,
    usage: usage ?? 0,
    health: health ?? null,
  };
  return declared(repository, name, more, [place, { path: 'src/other.ts', line: 2, in: `Other${name}` }]);
}

/** So many documents of a repository; some are contributors, whom others of these have, too. */
export function documentsOf(repository: string, count: number): fc.Arbitrary<SearchDocument[]> {
  return fc
    .array(documentOf(repository), { minLength: count, maxLength: count })
    .map((documents) => documents.map(numbered));
}

/** With an id of its own; a contributor's is his name, so that repositories share some. */
function numbered(each: SearchDocument, i: number, all: SearchDocument[]): SearchDocument {
  if (each.type !== 'Contributor') return { ...each, id: `${String(each.repository)}/${i}` };
  const first = all.findIndex((other) => other.type === 'Contributor' && other.name === each.name) === i;
  return { ...each, id: first ? `contributor:${each.name}` : `contributor:${each.name}${i}` };
}

const places = ['koa', 'flask'].flatMap((repository) => [
  ...['get', 'User', 'parse'].map((each, i) => ({
    id: `${repository}/${i}`,
    repository,
    path: `src/${each}.ts`,
    name: each,
  })),
  { id: `${repository}/3`, repository, path: 'src/User.ts', name: null },
]);
const mistyped = name.map((each) => each.slice(0, 3) + each.slice(4));
const acronym = fc.constantFrom('gUP', 'HS', 'pId', 'GET');
const small = fc.constantFrom('the', 'of', 'zebra');
const begun = name.map((each) => each.slice(0, -1));
/** What people may type and choose. */
export const searchQueries: fc.Arbitrary<SearchQuery> = fc
  .record({
    text: fc
      .array(fc.oneof(name, word, mistyped, begun, acronym, small), { maxLength: 4 })
      .map((words) => words.join(' ')),
    sort: fc.constantFrom('composite_score', 'relevance', 'name'),
    order: fc.constantFrom('asc', 'desc'),
    offset: fc.constantFrom(0, 0, 7),
    limit: fc.constantFrom(5, 50),
    filter: fc.constantFrom<Partial<SearchQuery>>(
      {},
      {},
      { types: ['Function', 'Contributor'] },
      { kinds: ['FIELD'], facets: ['kind', 'type'] },
      { excluded: { types: ['Declaration'] } },
      { repositories: ['koa', 'flask'] },
      { languages: ['python'] },
      { minScore: 40, facets: ['type', 'repo'] },
      { facets: ['language', 'type', 'repo'], types: ['Function', 'Class'] },
      { phrases: ['user profile'], facets: ['repo'] },
      { without: ['http', 'parse id'] },
      { excluded: { types: ['Class'], paths: ['src/get'], repositories: ['koa'] } },
      { paths: ['src/get'], frameworks: ['FLASK'] },
      { minScore: 66.3, types: ['Class'] },
      { quoted: places },
      { quoted: places, phrases: ['user profile'] },
    ),
  })
  .map(({ filter, ...rest }) => ({ ...rest, ...filter }));
