import type { CodeGraph } from './code-graph.ts';

/** What the worker is given: two coordinates a node, two ends an edge. */
export interface ToLay {
  positions: Float32Array;
  sizes: Float32Array;
  edges: Uint32Array;
  weights: Float32Array;
  iterations: number;
}

/** What it gives back, again and again. */
export interface Laid {
  positions: Float32Array;
  /** How much is done, from 0 to 1. */
  share: number;
}

type Positions = ReadonlyMap<string, { x: number; y: number }>;

/**
 * Finds places for these nodes, by the edges between them, in a worker. The same graph gets the same places, so that an address
 * shows everybody the same. `onPositions` sees them on their way, `onShare` how much is done.
 */
export function layOut(
  graph: CodeGraph,
  nodes: readonly string[],
  {
    onPositions = () => {},
    onShare,
    signal,
  }: { onPositions?: (positions: Positions) => void; onShare: (share: number) => void; signal: AbortSignal },
): Promise<Positions> {
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
  signal.addEventListener('abort', () => worker.terminate());
  const namesOf = ({ positions }: Laid): Positions =>
    new Map(nodes.map((node, index) => [node, { x: positions[2 * index] ?? 0, y: positions[2 * index + 1] ?? 0 }]));
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Laid>) => {
      onShare(data.share);
      if (data.share === 1) {
        worker.terminate();
        resolve(namesOf(data));
      } else onPositions(namesOf(data));
    });
    worker.addEventListener('error', ({ message }) => reject(new Error(`The layout failed: ${message}`)));
    worker.postMessage(questionOf(graph, nodes));
  });
}

function questionOf(graph: CodeGraph, nodes: readonly string[]): ToLay {
  const indexes = new Map(nodes.map((node, index) => [node, index]));
  const edges: number[] = [];
  const weights: number[] = [];
  graph.forEachEdge((_, { kind }, from, to) => {
    const ends = [indexes.get(from), indexes.get(to)];
    if (ends[0] === undefined || ends[1] === undefined || ends[0] === ends[1]) return;
    edges.push(ends[0], ends[1]);
    // Who works together is less near than what needs each other.
    weights.push(kind === 'CONTRIBUTED_TO' ? 0.3 : 1);
  });
  return {
    positions: new Float32Array(nodes.flatMap((_, index) => spiral(index))),
    sizes: new Float32Array(nodes.map((node) => graph.getNodeAttribute(node, 'size'))),
    edges: new Uint32Array(edges),
    weights: new Float32Array(weights),
    iterations: nodes.length < 300 ? 600 : nodes.length < 2_000 ? 300 : 120,
  };
}

/** Evenly over a disc, with no two at one place. */
function spiral(index: number): [number, number] {
  const radius = 10 * Math.sqrt(index + 0.5);
  const angle = index * Math.PI * (3 - Math.sqrt(5));
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** Puts the nodes where they belong. */
export function place(graph: CodeGraph, positions: Positions): void {
  graph.updateEachNodeAttributes((node, attributes) => ({ ...attributes, ...positions.get(node) }), {
    attributes: ['x', 'y'],
  });
}

/** The places of what lies inside something, drawn together into the room that there is around it. */
export function around(graph: CodeGraph, center: string, positions: Positions): Positions {
  const { x, y } = graph.getNodeAttributes(center);
  const nearest = Math.min(
    ...graph.mapNodes((node, other) => (node === center ? Infinity : Math.hypot(other.x - x, other.y - y))),
  );
  const room = Number.isFinite(nearest) ? 0.6 * nearest : 100;
  const all = [...positions.values()];
  const middle = { x: mean(all.map((each) => each.x)), y: mean(all.map((each) => each.y)) };
  const reach = Math.max(1e-6, ...all.map((each) => Math.hypot(each.x - middle.x, each.y - middle.y)));
  const scaled = (value: number) => (value / reach) * room;
  return new Map(
    [...positions].map(([node, each]) => [
      node,
      { x: x + scaled(each.x - middle.x), y: y + scaled(each.y - middle.y) },
    ]),
  );
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
