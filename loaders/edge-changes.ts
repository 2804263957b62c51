import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EdgeChanges, EdgeList } from '../src/model/event.ts';
import type { EdgeType, GraphEdge } from '../src/model/graph.ts';

/** So many of each type that appeared, and that are gone, are named. */
const maxNamed = 10;
/** Edges that are looked at before others have a turn. */
const batchSize = 5_000;

/** In this order they are named: what somebody wrote first, where something stands last. */
const order: readonly EdgeType[] = ['DEPENDS_ON', 'INHERITS', 'IMPORTS', 'CALLS', 'CONTRIBUTED_TO', 'CONTAINS'];

type Edges = AsyncIterable<GraphEdge> | Iterable<GraphEdge>;

/**
 * What edges one of two graphs has and the other has not, by type and ends. Holds eight bytes an edge; `before` is gone through again
 * where something is gone.
 */
export async function edgeChanges(before: () => Edges, after: Edges): Promise<EdgeChanges> {
  const [held, now] = [await digestsOf(before()), await digestsOf(after)];
  const appeared = await thoseWithout(held, after);
  const kept = now.length - appeared.total;
  const gone = kept === held.length ? { total: 0, by_type: {}, edges: [] } : await thoseWithout(now, before());
  return { appeared, gone };
}

/** Sorted. */
async function digestsOf(edges: Edges): Promise<BigUint64Array> {
  let digests = new BigUint64Array(1_024);
  let count = 0;
  for await (const edge of inTurns(edges)) {
    if (count === digests.length) {
      const larger = new BigUint64Array(count * 2);
      larger.set(digests);
      digests = larger;
    }
    digests[count++] = digestOf(edge);
  }
  return digests.subarray(0, count).sort();
}

const digestOf = ({ type, from, to }: GraphEdge) =>
  Buffer.from(hash('sha1', `${type}\0${from}\0${to}`, 'buffer')).readBigUInt64LE(0);

/** Those whose digests are not among these. */
async function thoseWithout(digests: BigUint64Array, edges: Edges): Promise<EdgeList> {
  const named = new Map<EdgeType, EdgeList['edges']>();
  const counts = new Map<EdgeType, number>();
  for await (const edge of inTurns(edges)) {
    if (isAmong(digests, digestOf(edge))) continue;
    const { type, from, to } = edge;
    counts.set(type, (counts.get(type) ?? 0) + 1);
    const first = named.get(type) ?? [];
    named.set(type, first);
    if (first.length < maxNamed) first.push({ type, from, to });
  }
  return {
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    by_type: Object.fromEntries(counts),
    edges: order.flatMap((type) => named.get(type) ?? []),
  };
}

function isAmong(sorted: BigUint64Array, wanted: bigint): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0n) < wanted) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === wanted;
}

async function* inTurns(edges: Edges): AsyncGenerator<GraphEdge> {
  let count = 0;
  for await (const edge of edges) {
    if (++count % batchSize === 0) await setImmediate();
    yield edge;
  }
}
