import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { analyze } from '../../../loaders/analyze.ts';
import { textsIn } from '../../../loaders/records/body-words.ts';
import { searchDocuments } from '../../../loaders/records/search-documents.ts';
import type { Commit } from '../../../src/model/commit.ts';
import type { SearchDocument } from '../../../src/model/search-document.ts';
import { stem } from '../../../src/search/ranking/tokens.ts';
import { typedQuery } from '../../../src/search/typed-query.ts';
import type { SearchStore } from '../../../src/stores/search/port.ts';
import { openSqliteSearch } from '../../../src/stores/search/sqlite.ts';
import { gitRepository } from '../../support/git-repository.ts';

const files = {
  'package.json': JSON.stringify({
    name: 'shop',
    description: 'Sells things.',
    license: 'MIT',
    keywords: ['commerce', 'checkout'],
    dependencies: { express: '^5.0.0', mongoose: '^8.0.0' },
  }),
  'README.md': '# Shop\n\nA storefront that runs on one machine and needs no cloud.\n',
  'app.js': `import express from 'express';
import { findOrder } from './orders.js';
const app = express();
/** Shows one order. */
function showOrder(request, response) { response.json(findOrder(request.params.id)); }
app.get('/orders/:id', showOrder);
`,
  'orders.js': `import mongoose from 'mongoose';
const invoiceSchema = new mongoose.Schema({ amountDue: Number, customer: String });
export const Invoice = mongoose.model('Invoice', invoiceSchema);
export function findOrder(id) { return internalLookup(id); }
function internalLookup(id) { return Invoice.findById(id); }
`,
  'Texts.java': `class Texts {
  /** Puts a comma between them. */
  static String glue(String[] parts) { return glue(parts, ","); }
  /** Puts this separator between them. */
  static String glue(String[] parts, String separator) { return String.join(separator, parts); }
  static String glue(Iterable<Zebra> zebras) { return ""; }
}
class Others { static String glue() { return ""; } }
`,
  'orders.test.js': `import { findOrder } from './orders.js';\nfunction testFindOrder() { findOrder(1); }\n`,
};

describe('search documents of a repository', () => {
  let folder: string;
  let store: SearchStore;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'documents-'));
    store = await openSqliteSearch({ file: join(folder, 'search.db') });
    using repository = gitRepository({ files });
    const { snapshot } = await analyze(repository.path, { name: 'shop' });
    const { repository: info, nodes, edges, declared = [] } = snapshot;
    const documents = searchDocuments(info, nodes, edges, declared, { usage: 0, health: { score: 0.7, grade: 'B' } });
    await store.replaceRepository({ repository: 'shop', generation: 'one', documents });
  });
  after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  const found = async (box: string): Promise<SearchDocument[]> => {
    const page = { sort: 'composite_score', order: 'desc', offset: 0, limit: 20 } as const;
    return (await store.everything.search({ ...typedQuery(box), ...page })).hits.map(({ document }) => document);
  };
  const names = async (box: string) => (await found(box)).map(({ type, name }) => `${type} ${name}`);

  for (const [need, box, first] of [
    ['an endpoint by method and path', 'GET /orders', 'Endpoint GET /orders/{id}'],
    ['an endpoint by a part of its path', 'type:endpoint orders', 'Endpoint GET /orders/{id}'],
    ['a framework', 'type:framework expr', 'Framework Express'],
    ['a data model by what it is made with', 'type:datamodel mongoose', 'DataModel Invoice'],
    ['a repository by what it is about', 'commerce', 'Repository shop'],
    ['a repository by its README', 'storefront one machine', 'Repository shop'],
    ['a repository by its license', 'type:repository mit', 'Repository shop'],
    ['a repository by its grade', 'type:repository "grade b"', 'Repository shop'],
    ['a repository by a framework', 'type:repository framework:express', 'Repository shop'],
    ['a function by its documentation', 'shows one order', 'Function showOrder'],
  ] as const) {
    it(`finds ${need}: ${box}`, async () => {
      expect((await names(box))[0]).to.equal(first);
    });
  }

  it('has overloads as one item, which is found by what any of them says and opens to all', async () => {
    const [first, second, ...more] = await found('type:function glue');
    expect([first?.qualified_name, second?.qualified_name, more.length]).to.deep.equal([
      'Texts.glue',
      'Others.glue',
      0,
    ]);
    expect(first?.line).to.equal(3);
    expect(first?.doc).to.match(/^Puts a comma/);
    expect(first?.overloads?.count).to.equal(2);
    const places = first?.overloads?.places ?? [];
    expect(places.map(({ line }) => line)).to.deep.equal([5, 6]);
    expect(new Set([first?.id, ...places.map(({ id }) => id)]).size).to.equal(3);
    expect(places[1]?.signature).to.match(/Zebra/);
    expect(second?.overloads).to.equal(undefined);
    for (const box of ['zebra glue', '"this separator"', 'Iterable<Zebra>'])
      expect((await found(box))[0]?.qualified_name, box).to.equal('Texts.glue');
  });

  it('has a repository’s licence and topics, by which it is narrowed', async () => {
    expect((await found('type:repository'))[0]).to.deep.include({ license: 'MIT', topics: ['commerce', 'checkout'] });
    expect(await names('license:mit')).to.deep.equal(['Repository shop']);
    expect(await names('topic:Checkout license:MIT sells')).to.deep.equal(['Repository shop']);
    expect(await names('license:gpl')).to.deep.equal([]);
    expect(await names('javascript storefront')).to.deep.equal(['Repository shop']);
    expect((await names('commerce for node'))[0]).to.equal('Repository shop');
  });

  it('tells one grade from another', async () => {
    expect(await names('"grade a"')).to.deep.equal([]);
    expect(await names('type:repository -"grade b"')).to.deep.equal([]);
  });

  it('narrows by framework what is made with it', async () => {
    expect(await names('framework:express')).to.have.members([
      'Repository shop',
      'Framework Express',
      'Endpoint GET /orders/{id}',
    ]);
  });

  it('says what is the centre of its repository, and what is part of its tests', async () => {
    const [lookup] = await found('internalLookup');
    const [show] = await found('showOrder');
    expect(lookup?.centrality).to.be.greaterThan(show?.centrality ?? 1);
    expect((await found('testFindOrder'))[0]).to.include({ test: true, centrality: 0 });
  });

  it('finds a file by what commits said when they changed it, but for those that changed many', async () => {
    const other = 'export function send(parcel) { return parcel; }\n';
    using repository = gitRepository({
      files: { 'ledger.js': 'export function post(entry) { return entry; }\n', 'parcels.js': other },
    });
    repository.commit('Round halves upwards in quarterly statements', {
      files: { 'ledger.js': 'export function post(entry) { return 2 * entry; }\n' },
    });
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`many/${i}.js`, other]));
    repository.commit('Reindent with tabulators', { files: many });
    repository.write({ 'ledger.js': null, 'books.js': 'export function post(entry) { return 2 * entry; }\n' });
    repository.commit('Rename it');
    const { snapshot } = await analyze(repository.path, { name: 'books', keepSource: true });
    const { repository: info, nodes, edges, declared = [], source, commits = [] } = snapshot;
    const texts = () => textsIn(source ?? []);
    const standing = { usage: 0, health: null };
    const documentsBy = (history: Iterable<Commit>) => [
      ...searchDocuments(info, nodes, edges, declared, standing, texts, history),
    ];
    const documents = documentsBy(commits);
    const contentOf = (path: string, all = documents) =>
      all.flatMap(({ type, path: at, content = [] }) => (type === 'File' && at === path ? content.flat() : []));
    expect(contentOf('books.js')).to.include.members(['quarterly', 'statements'].map(stem));
    expect(contentOf('many/3.js')).to.include(stem('parcel'));
    expect(contentOf('many/3.js')).not.to.include(stem('tabulators'));
    // Of a file the newest thousand count; the newest of all renamed it.
    const later = Array.from({ length: 1_000 }, () => [...commits].slice(0, 1)).flat();
    expect(contentOf('books.js', documentsBy([...later, ...commits]))).not.to.include(stem('quarterly'));

    await store.replaceRepository({ repository: 'books', generation: 'one', documents });
    const [first] = await found('wrong rounding of halves within quarterly statements');
    expect(first?.path).to.equal('books.js');
  });
});
