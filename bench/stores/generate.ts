import { nodeId, type EdgeType, type GraphEdge, type GraphNode } from '../../src/model/graph.ts';
import type { SearchDocument } from '../../src/model/search-document.ts';

/** A generated code graph: the same size and seed give the same graph, and nothing of it is kept in memory. */
export interface Corpus {
  repositories: readonly { name: string; symbols: number; edges: number }[];
  nodes(repository: number, generation: string): Generator<GraphNode>;
  edges(repository: number, generation: string): Generator<GraphEdge>;
  documents(repository: number, generation: string): Generator<SearchDocument>;
  /** Edges between repositories: few are needed by very many. */
  links(): GraphEdge[];
}

const REPOSITORIES = 500;
const CONTRIBUTORS = 5;
const WORDS =
  `get set user name file path parse read write open close query model field value index node edge graph search token
  server client http request response route handler session cache store table column row schema migrate load save list map
  filter reduce sort merge split join build run start stop test check verify sign key hash encode decode stream buffer event
  emit listen queue task job worker thread lock time date zone format print log error warn trace config option default env
  plugin module import export class method function type kind scope symbol reference definition call graphics color image
  view render template page form input button menu layout style theme color matrix vector tensor batch epoch loss metric score
  rank weight layer kernel device driver block chunk page frame packet header body footer admin auth login logout role permission`.split(
    /\s+/,
  );

/** The graph of about so many nodes and edges over 500 repositories, whose sizes and degrees follow power laws. */
export function generateCorpus({ nodes, edges }: { nodes: number; edges: number }): Corpus {
  const shares = Array.from({ length: REPOSITORIES }, (_, i) => 1 / (i + 10));
  const sum = shares.reduce((a, b) => a + b, 0);
  const perSymbol = edges / nodes;
  const repositories = shares.map((share, i) => {
    const symbols = Math.max(1, Math.round((share / sum) * nodes) - 1 - CONTRIBUTORS);
    return { name: `${word(i)}-${i}`, symbols, edges: Math.round((symbols + 6) * perSymbol) };
  });
  const at = (repository: number) => {
    const found = repositories[repository];
    if (found === undefined) throw new RangeError(`There are ${repositories.length} repositories.`);
    return found;
  };

  function* symbols(repository: number, generation: string): Generator<GraphNode> {
    const { name, symbols: count } = at(repository);
    const random = randomOf(`${generation} ${repository} symbols`);
    for (let i = 0; i < count; i++) yield symbol(name, i, random);
  }

  function* contributors(repository: number): Generator<GraphNode> {
    const random = randomOf(`${repository} contributors`);
    const chosen = new Set<number>();
    while (chosen.size < CONTRIBUTORS) chosen.add(skewed(random, REPOSITORIES * 2));
    for (const i of chosen) {
      const name = `${capital(word(i))} ${capital(word(i * 7 + 3))}`;
      const properties = { commits: 1 + skewed(random, 1000), bot: false };
      yield { ...PLAIN, id: nodeId.contributor(String(i)), type: 'Contributor', name, properties };
    }
  }

  return {
    repositories,
    *nodes(repository, generation) {
      const { name } = at(repository);
      const properties = { commit: generation, languages: { typescript: 1 } };
      yield { ...PLAIN, id: name, type: 'Repository', name, repository: name, properties };
      yield* symbols(repository, generation);
      yield* contributors(repository);
    },

    *edges(repository, generation) {
      const { name, symbols: count, edges: budget } = at(repository);
      const random = randomOf(`${generation} ${repository} edges`);
      const id = (i: number) => symbolId(name, i);
      for (let i = 0; i < count; i++) yield edge('CONTAINS', name, id(i), 'declaration', i);
      for (const contributor of contributors(repository))
        yield edge('CONTRIBUTED_TO', contributor.id, name, 'history', 0);
      let left = budget - count - CONTRIBUTORS;
      for (let i = 0; i < count && left > 0; i++) {
        const mean = left / (count - i);
        // Pareto with exponent 2: the mean is twice the least.
        const wanted = Math.floor(mean / 2 / Math.sqrt(1 - random()) + random());
        const targets = new Set<number>();
        for (let k = Math.min(wanted, left, count); k > 0; k--) targets.add(skewed(random, count));
        left -= targets.size;
        for (const target of targets) {
          const type = isClass(i) && isClass(target) && target !== i ? 'INHERITS' : 'CALLS';
          yield edge(type, id(i), id(target), 'receiver_type', i);
        }
      }
    },

    *documents(repository, generation) {
      const random = randomOf(`${repository} documents`);
      for (const node of this.nodes(repository, generation)) {
        const { end_line: _, properties: __, ...document } = node;
        yield {
          ...document,
          details: null,
          frameworks: [],
          usage: 0,
          health: null,
          centrality: Math.round(random() ** 4 * 1000) / 1000,
          updated_at: '2026-01-02T03:04:05Z',
          test: random() < 0.2,
        };
      }
    },

    links() {
      const random = randomOf('links');
      return repositories.flatMap(({ name }, i) => {
        const targets = new Set<number>();
        for (let k = 0; k < 4; k++) targets.add(skewed(random, repositories.length));
        targets.delete(i);
        return [...targets].map((target) => edge('DEPENDS_ON', name, at(target).name, 'manifest', 1));
      });
    },
  };
}

/** Whose repositories they are, and what each organization sees: its own and those that are shared with all. By name. */
export interface Organization {
  own: ReadonlySet<string>;
  seen: readonly string[];
}

const ORGANIZATIONS = 50;
const SHARED = 5;

/** The repositories dealt to organizations of about equal size; some that are neither large nor small are shared. */
export function organizationsOf({ repositories }: Corpus): Organization[] {
  const names = repositories.map(({ name }) => name);
  const every = Math.floor(names.length / SHARED);
  const shared = names.filter((_, i) => i % every === Math.floor(every / 2));
  return Array.from({ length: ORGANIZATIONS }, (_, organization) => {
    // Dealt forth and back, so that who gets the largest of one round gets the smallest of the next.
    const own = new Set(
      names.filter((_, i) => {
        const place = i % ORGANIZATIONS;
        return organization === (Math.floor(i / ORGANIZATIONS) % 2 === 0 ? place : ORGANIZATIONS - 1 - place);
      }),
    );
    return { own, seen: [...new Set([...own, ...shared])] };
  });
}

const PLAIN = {
  repository: null,
  kind: null,
  qualified_name: null,
  language: null,
  path: null,
  line: null,
  end_line: null,
  signature: null,
  doc: null,
  exported: false,
} satisfies Partial<GraphNode>;

function isClass(i: number): boolean {
  return i % 8 === 0;
}

/** Twenty symbols a file, a class before its seven methods. */
function pathOf(i: number): string {
  return `src/${word(Math.floor(i / 400))}/${word(Math.floor(i / 20))}-${Math.floor(i / 20)}.ts`;
}

function symbolId(repository: string, i: number): string {
  return nodeId.symbol(repository, pathOf(i), `symbol${i}`);
}

function symbol(repository: string, i: number, random: () => number): GraphNode {
  const words = Array.from({ length: 1 + skewed(random, 4) }, () => WORDS[skewed(random, WORDS.length)] ?? 'x');
  const camel = words.map((each, at) => (at === 0 ? each : capital(each))).join('');
  const name = isClass(i) ? capital(camel) : camel;
  const line = 1 + (i % 20) * 12;
  return {
    id: symbolId(repository, i),
    type: isClass(i) ? 'Class' : 'Function',
    name,
    repository,
    kind: isClass(i) ? 'class' : 'method',
    qualified_name: isClass(i) ? name : `${capital(word(Math.floor(i / 8)))}.${name}`,
    language: i % 3 === 0 ? 'python' : 'typescript',
    path: pathOf(i),
    line,
    end_line: line + 10,
    signature: isClass(i) ? null : `${name}(${word(i)}: string, ${word(i * 3)}: number): ${capital(word(i * 5))}`,
    doc: i % 3 === 0 ? Array.from({ length: 9 }, () => WORDS[skewed(random, WORDS.length)]).join(' ') : null,
    exported: i % 2 === 0,
    properties: {},
  };
}

function edge(type: EdgeType, from: string, to: string, strategy: string, line: number): GraphEdge {
  return { type, from, to, weight: 1 + (line % 3), confidence: 0.9, strategy, path: null, line: 1 + (line % 200) };
}

/** A number below `end`, small ones far more often. */
function skewed(random: () => number, end: number): number {
  return Math.floor(random() ** 3 * end);
}

function word(i: number): string {
  return WORDS[i % WORDS.length] ?? 'x';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Numbers from 0 to 1 by mulberry32, the same for the same seed. */
export function randomOf(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
