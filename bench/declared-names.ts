// Whether search finds the names that are declared: of each language and kind some are drawn from what ctags lists, which nobody here
// wrote, and each is asked for by its name alone, as one types it: within its repository, there among what is declared (by `kind:`), and over
// all. Prints how many are first and among the first five. Arguments: folders with sources on which nothing was tuned; --seed of the draw; --count of names of a kind and language;
// --engine sqlite or elasticsearch (whose server is found by ELASTICSEARCH_TEST_URL); --misses lists those that are not found.
// Needs Universal Ctags. It has no Scala and no variables of scripts: these are listed by the beginnings of their lines.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { analyze } from '../loaders/analyze.ts';
import { searchDocuments } from '../loaders/records/search-documents.ts';
import { declaredKindSchema } from '../src/model/declared-name.ts';
import type { SearchDocument } from '../src/model/search-document.ts';
import type { SearchFilters } from '../src/search/ranking/query.ts';
import { elasticsearchSearch } from './stores/elasticsearch.ts';
import { sqliteSearch } from './stores/sqlite.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '20' },
    count: { type: 'string', default: '15' },
    engine: { type: 'string', default: 'sqlite' },
    misses: { type: 'boolean', default: false },
  },
});

/** A name as the independent list has it. */
interface Listed {
  repository: string;
  language: string;
  kind: string;
  name: string;
  path: string;
  line: number;
}

/** Kinds of ctags that are declared names; what else it lists are functions, classes, modules and keys of objects. */
const kinds: Readonly<Record<string, string>> = {
  const: 'constant',
  constant: 'constant',
  define: 'constant',
  var: 'variable',
  variable: 'variable',
  member: 'field',
  field: 'field',
  property: 'field',
  event: 'field',
  accessor: 'field',
  enumerator: 'enum member',
  enumConstant: 'enum member',
  talias: 'type alias',
  typedef: 'type alias',
  typealias: 'type alias',
  alias: 'type alias',
  macro: 'macro',
};
/** What of these is something else in one language: methods, keys of objects, imports, names of methods and commands. */
const others = new Set(['Python member', 'JavaScript property', 'PHP alias', 'Ruby alias', 'Sh alias']);
const ownLists = [
  '--langdef=Scala',
  '--map-Scala=.scala',
  String.raw`--kinddef-Scala=v,variable,values`,
  String.raw`--kinddef-Scala=t,typealias,types`,
  String.raw`--regex-Scala=/^(  )?((private|protected|final|lazy|implicit|override)(\[[a-z]+\])? )*va[lr] ([A-Za-z_][A-Za-z0-9_]*)/\5/v/`,
  String.raw`--regex-Scala=/^(  )?((private|protected|final|override) )*type ([A-Z][A-Za-z0-9_]*)/\4/t/`,
  String.raw`--kinddef-Sh=v,variable,variables`,
  String.raw`--regex-Sh=/^((readonly|export|declare( -[A-Za-z]+)?) )?([A-Za-z_][A-Za-z0-9_]*)=("[^"]*"|'[^']*'|[^ ]*)$/\4/v/`,
];

/** An alias of a type may be a class of the graph. */
const declaredKinds = [...declaredKindSchema.options, 'type'];

const { store, close } =
  options.engine === 'sqlite'
    ? await sqliteSearch()
    : await elasticsearchSearch({ url: process.env['ELASTICSEARCH_TEST_URL'] ?? 'http://localhost:9200' });
const folder = mkdtempSync(join(tmpdir(), 'declared-'));
const listed: Listed[] = [];
let nodes = 0;
let names = 0;
try {
  for (const source of positionals) await load(resolve(source), basename(source));
  console.log(`${nodes} nodes and ${names} declared names of ${positionals.length} repositories\n`);
  await measure(drawn(listed, Number(options.count), Number(options.seed)));
} finally {
  await close();
  rmSync(folder, { recursive: true });
}

async function load(source: string, name: string): Promise<void> {
  const { snapshot, documents, close: closeAnalysis } = await analyze(source, { name });
  try {
    const { repository, declared = [] } = snapshot;
    nodes += snapshot.nodes.length;
    names += [...declared].length;
    await store.replaceRepository({
      repository: name,
      generation: 'one',
      documents: searchDocuments(repository, snapshot.nodes, snapshot.edges, declared, { usage: 0, health: null }),
    });
    const paths = documents.map(({ path }) => path).filter((path) => !path.includes('\n'));
    listed.push(...listedIn(source, name, paths));
  } finally {
    closeAnalysis();
  }
}

function listedIn(source: string, repository: string, paths: readonly string[]): Listed[] {
  const args = [...ownLists, '--output-format=json', '--fields=+nlKs', '--sort=no', '-f', '-', '-L', '-'];
  const text = execFileSync('ctags', args, {
    cwd: source,
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = new Map<string, string[]>();
  const lineOf = (path: string, line: number) => {
    const known = lines.get(path) ?? readFileSync(join(source, path), 'utf8').split('\n');
    lines.set(path, known);
    return known[line - 1] ?? '';
  };
  return text
    .split('\n')
    .filter((each) => each.startsWith('{'))
    .flatMap((each) => {
      const tag = JSON.parse(each) as Record<string, string | undefined>;
      const { name = '', path = '', language = '', kind: written = '', scopeKind = '' } = tag;
      const line = Number(tag['line']);
      const known = kinds[written];
      if (known === undefined || others.has(`${language} ${written}`)) return [];
      // What ctags gives a name of its own, and what is local or imported.
      if (/^__anon|^_$/.test(name) || /function|method|getter|setter/.test(scopeKind)) return [];
      const text = lineOf(path, line);
      if (/\brequire\s*\(|\bimport\b/.test(text) || isLocal(language, known, text)) return [];
      const kind = known === 'variable' && /class|trait|struct|object|interface/.test(scopeKind) ? 'field' : known;
      // An accessor is listed for reading and for writing.
      return [{ repository, language, kind, name: name.replace(/=$/, ''), path, line }];
    });
}

/** ctags knows no arrow functions, no classes in functions and no tests made by macros: what is further in than at the top is in such. */
function isLocal(language: string, kind: string, line: string): boolean {
  const [indent = ''] = /^\s*/.exec(line) ?? [];
  const width = indent.replaceAll('\t', '    ').length;
  if (/^C(?:\+\+)?$/.test(language)) return kind === 'variable' && width > 0;
  if (!/^(?:JavaScript|TypeScript|Python)$/.test(language)) return false;
  return kind === 'constant' || kind === 'variable' ? width > (language === 'Python' ? 4 : 0) : width > 4;
}

/** Of each language and kind so many different names; the same for the same seed and sources. */
function drawn(all: readonly Listed[], count: number, seed: number): Map<string, Listed[]> {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const groups = Map.groupBy(all, ({ language, kind }) => `${language} | ${kind}`);
  return new Map(
    [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, members]) => {
        const left = [...members];
        const chosen = new Map<string, Listed>();
        while (left.length > 0 && chosen.size < count) {
          const [one] = left.splice(Math.floor(random() * left.length), 1);
          if (one && !chosen.has(one.name)) chosen.set(one.name, one);
        }
        return [group, [...chosen.values()]];
      }),
  );
}

async function measure(groups: ReadonlyMap<string, Listed[]>): Promise<void> {
  const asked = ['within its repository', 'among what is declared', 'over all'];
  const titles = ['language', 'kind', 'drawn', ...asked.flatMap((each) => [`${each}: first`, 'of five'])];
  console.log(`| ${titles.join(' | ')} |\n|${titles.map(() => '---|').join('')}`);
  const sums = titles.slice(2).map(() => 0);
  for (const [group, wanted] of groups) {
    const within = await Promise.all(wanted.map((each) => rankOf(each, { repositories: [each.repository] })));
    const among = await Promise.all(
      wanted.map((each) => rankOf(each, { repositories: [each.repository], kinds: declaredKinds })),
    );
    const overAll = await Promise.all(wanted.map((each) => rankOf(each)));
    const figures = [
      wanted.length,
      ...[within, among, overAll].flatMap((ranks) => [1, 5].map((most) => ranks.filter((rank) => rank <= most).length)),
    ];
    for (const [i, figure] of figures.entries()) sums[i] = (sums[i] ?? 0) + figure;
    console.log(`| ${group} | ${figures.join(' | ')} |`);
    if (options.misses)
      for (const [i, { repository, name, path, line }] of wanted.entries())
        if ((within[i] ?? 0) > 5)
          console.log(
            `    ${name} of ${repository}/${path}:${line}${(among[i] ?? 0) > 5 ? '' : ', among what is declared'}`,
          );
  }
  console.log(`| all | | ${sums.join(' | ')} |`);
}

/** At which place it is found by its name; Infinity where it is not among the first fifty. */
async function rankOf(wanted: Listed, filters: SearchFilters = {}): Promise<number> {
  const page = { sort: 'composite_score', order: 'desc', offset: 0, limit: 50 } as const;
  const { hits } = await store.everything.search({ text: wanted.name, ...filters, ...page });
  const place = hits.findIndex(({ document }) => isOf(document, wanted));
  return place < 0 ? Infinity : place + 1;
}

/** The item of the name in the file, or of one that has more places than are kept. */
function isOf({ repository, name, path, declared }: SearchDocument, wanted: Listed): boolean {
  const bare = (text: string) => text.replace(/^[@$#]+/, '');
  if (repository !== wanted.repository || bare(name) !== bare(wanted.name)) return false;
  if (declared === undefined) return path === wanted.path;
  return declared.count > declared.places.length || declared.places.some((place) => place.path === wanted.path);
}
