import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { GraphEdge, NodeType } from '../../model/graph.ts';
import { connectTo } from '../sqlite.ts';
import { readAdjacency, readOrder, type Adjacency, type NodeOrder, type RepositoryRange } from './adjacency.ts';
import type { Over } from './port.ts';
import { EDGE, toEdge, toNode } from './sqlite-rows.ts';
import { graphSchema } from './sqlite-schema.ts';
import type { PrepareVisible, Sent, Visible } from './sqlite-visible.ts';
import type { Steps } from './walk.ts';

/** Of the adjacencies that are kept, in bytes. */
const maxKeptBytes = 192 * 2 ** 20;
/** Likewise of the orders of nodes. */
const maxKeptOrderBytes = 32 * 2 ** 20;
/** Likewise of the ends of links, in number. */
const maxKeptLinkEnds = 500_000;
/** Look-ups before other work gets its turn. */
export const batchSize = 2_000;
/** A repository that is replaced meanwhile is read again; more often than this in a row does not happen by chance. */
const maxAttempts = 10;

type Select = Sent<keyof typeof SQL>;

/** A repository was replaced while it was walked over. */
class Replaced extends Error {}

/** Works on one state of what is visible: again where a repository that it looked at was replaced meanwhile. */
export function createStates(file: string, prepare: PrepareVisible) {
  const statements = prepare(SQL);
  const near = createNear(file, statements(null));
  return (visible: Visible) => {
    const select = statements(visible);
    return async <T>(work: (state: State) => Promise<T>): Promise<T> => {
      for (let attempt = 1; ; attempt++) {
        const state = stateOf(select, near);
        try {
          return await work(state);
        } catch (error) {
          if (!(error instanceof Replaced) || attempt === maxAttempts) throw error;
        }
      }
    };
  };
}

/** What lies next to the nodes of each repository, read when it is first asked for, and kept. */
interface Near {
  adjacencyOf(range: RepositoryRange): Promise<Adjacency>;
  orderOf(range: RepositoryRange): Promise<NodeOrder>;
  /** Ids of symbols from or to which other repositories are linked, by key. */
  linkEndsOf(range: RepositoryRange): ReadonlyMap<number, string>;
}

/** Where these rows are: one that is removed and loaded again may have the same key and generation elsewhere. */
const placeOf = ({ generation, first_node: node, first_edge: edge }: RepositoryRange) =>
  `${generation} ${node} ${edge}`;

function createNear(file: string, select: Select): Near {
  const adjacencies = new LRUCache<string, Adjacency>({
    maxSize: maxKeptBytes,
    sizeCalculation: ({ bytes }) => bytes + 1,
  });
  const orders = new LRUCache<string, NodeOrder>({
    maxSize: maxKeptOrderBytes,
    sizeCalculation: ({ keys }) => 5 * keys.length + 1,
  });
  const linkEnds = new LRUCache<string, ReadonlyMap<number, string>>({
    maxSize: maxKeptLinkEnds,
    sizeCalculation: ({ size }) => size + 1,
  });

  /** What is read over a connection of its own. */
  async function keptOf<T extends object>(
    kept: LRUCache<string, T>,
    range: RepositoryRange,
    read: (database: DatabaseSync, range: RepositoryRange) => Promise<T | null>,
  ): Promise<T> {
    const place = placeOf(range);
    const known = kept.get(place);
    if (known) return known;
    const own = connectTo(file, graphSchema);
    try {
      const found = await read(own, range);
      if (!found) throw new Replaced();
      kept.set(place, found);
      return found;
    } finally {
      own.close();
    }
  }

  return {
    linkEndsOf(range: RepositoryRange) {
      const { links, name, first_node, end_node } = range;
      const place = `${placeOf(range)} ${links}`;
      const known = linkEnds.get(place);
      if (known) return known;
      const rows = select.linkEnds.all({ name, first_node, end_node });
      const ends = new Map(rows.map((row) => [Number(row['key']), String(row['id'])]));
      linkEnds.set(place, ends);
      return ends;
    },

    adjacencyOf: (range) => keptOf(adjacencies, range, readAdjacency),
    orderOf: (range) => keptOf(orders, range, readOrder),
  };
}

/** One state of the store, as far as a walk looks at it. */
export type State = ReturnType<typeof stateOf>;

function stateOf(select: Select, { adjacencyOf, orderOf, linkEndsOf }: Near) {
  const ranges = select.ranges.all() as unknown as RepositoryRange[];
  const looked = new Set<RepositoryRange>();

  const inOrderOfKeys = ranges.toSorted((a, b) => a.first_node - b.first_node);
  const places = new Map(ranges.map((range, place) => [range, place]));

  let last: RepositoryRange | undefined;
  const has = (key: number, { first_node, end_node }: RepositoryRange) => first_node <= key && key < end_node;
  const rangeOf = (key: number) => {
    // Mostly what is next to a node is in its repository.
    if (last && has(key, last)) return last;
    let [low, high] = [0, inOrderOfKeys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((inOrderOfKeys[middle]?.end_node ?? 0) <= key) low = middle + 1;
      else high = middle;
    }
    const range = inOrderOfKeys[low];
    return range && has(key, range) ? (last = range) : undefined;
  };
  /** Of a contributor, as the first repository by name has it. */
  const keyOf = (id: string) => {
    let first: { key: number; place: number } | null = null;
    for (const row of select.keys.all(id)) {
      const key = Number(row['key']);
      const range = rangeOf(key);
      const place = range && places.get(range);
      if (place !== undefined && (first === null || place < first.place)) first = { key, place };
    }
    return first?.key ?? null;
  };

  /** Calls back with each edge at these nodes, and the node at its other end; edges between repositories have no key. */
  async function each(
    keys: readonly number[],
    direction: 'in' | 'out',
    over: Over,
    found: (from: number, other: number, edge: number | GraphEdge) => void,
  ): Promise<void> {
    let count = 0;
    for (const key of keys) {
      if (++count % batchSize === 0) await setImmediate();
      const range = rangeOf(key);
      if (!range) continue;
      looked.add(range);
      const adjacency = await adjacencyOf(range);
      adjacency.each(key, direction, over, (other, edge) => found(key, other, edge));
      const id = adjacency.shared.get(key) ?? linkEndsOf(range).get(key);
      if (id === undefined) continue;
      for (const row of (direction === 'out' ? select.sharedFrom : select.sharedTo).all({ id })) {
        const edge = toEdge(row);
        if (!over.edgeTypes.includes(edge.type) || edge.confidence < over.minConfidence) continue;
        const other = keyOf(direction === 'out' ? edge.to : edge.from);
        if (other !== null) found(key, other, edge);
      }
    }
  }

  const edgeOf = (edge: number | GraphEdge): GraphEdge =>
    typeof edge === 'number' ? toEdge(select.edge.get(edge) ?? {}) : edge;

  const steps: Steps<number> = {
    async next(keys, direction, over) {
      const next = new Set<number>();
      await each(keys, direction, over, (_, other) => next.add(other));
      return next;
    },
    async edgesTo(key, over) {
      const found: { key: number; edge: GraphEdge }[] = [];
      await each([key], 'in', over, (_, other, edge) => found.push({ key: other, edge: edgeOf(edge) }));
      return found;
    },
  };
  /** Throws where what was looked at is no longer there; from here to the answer nothing else may run. */
  const check = () => {
    for (const { key, generation, links } of looked) {
      const now = select.generation.get(key);
      if (now?.['generation'] !== generation || now['links'] !== links) throw new Replaced();
    }
  };
  const nodeOf = (key: number) => toNode(select.node.get(key) ?? {});
  const headOf = (key: number) => {
    const row = select.head.get(key) ?? {};
    return { key, id: String(row['id']), type: row['type'] as NodeType };
  };
  /** Of these nodes those that have these texts in their properties. */
  const matching = (keys: readonly number[], texts: readonly (readonly [string, string])[]): number[] =>
    select.matching
      .all({ keys: JSON.stringify(keys), texts: JSON.stringify(texts.map(([name, text]) => [`$.${name}`, text])) })
      .map((row) => Number(row['key']));
  return {
    ranges,
    looked,
    rangeOf,
    matching,
    keyOf,
    each,
    adjacencyOf,
    orderOf,
    linkEndsOf,
    edgeOf,
    steps,
    check,
    nodeOf,
    headOf,
  };
}

const SQL = {
  ranges: 'SELECT * FROM repositories WHERE is_visible(name) ORDER BY name',
  generation: 'SELECT generation, links FROM repositories WHERE key = ?',
  keys: 'SELECT key FROM nodes WHERE id = ?',
  node: 'SELECT node FROM nodes WHERE key = ?',
  head: 'SELECT id, type FROM nodes WHERE key = ?',
  matching: `
      SELECT n.key FROM json_each(:keys) k CROSS JOIN nodes n ON n.key = k.value
      WHERE NOT EXISTS (
        SELECT 1 FROM json_each(:texts) t WHERE json_extract(n.node, t.value ->> 0) IS NOT t.value ->> 1
      ) ORDER BY k.key`,
  edge: `
      SELECT ${EDGE}, f.id AS from_id, t.id AS to_id
      FROM edges e CROSS JOIN nodes f ON f.key = e.from_key CROSS JOIN nodes t ON t.key = e.to_key WHERE e.key = ?`,
  sharedFrom: `
      SELECT ${EDGE}, from_id, to_id FROM repository_edges e
      WHERE from_id = :id AND is_visible((SELECT name FROM repositories WHERE key = e.repository_key))
      UNION ALL SELECT ${EDGE}, from_id, to_id FROM symbol_links e
      WHERE from_id = :id AND is_visible(from_repository) AND is_visible(to_repository)`,
  sharedTo: `
      SELECT ${EDGE}, from_id, to_id FROM repository_edges e
      WHERE to_id = :id AND is_visible((SELECT name FROM repositories WHERE key = e.repository_key))
      UNION ALL SELECT ${EDGE}, from_id, to_id FROM symbol_links e
      WHERE to_id = :id AND is_visible(from_repository) AND is_visible(to_repository)`,
  linkEnds: `
      SELECT n.key, n.id FROM (
        SELECT from_id AS id FROM symbol_links WHERE from_repository = :name
        UNION SELECT to_id FROM symbol_links WHERE to_repository = :name
      ) ends CROSS JOIN nodes n ON n.id = ends.id WHERE n.key >= :first_node AND n.key < :end_node`,
};
