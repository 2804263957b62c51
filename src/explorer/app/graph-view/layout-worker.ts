import { MultiDirectedGraph } from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';
import type { Laid, ToLay } from './layout.ts';

/** So many are done between two looks at the outcome. */
const stepIterations = 20;

addEventListener('message', ({ data }: MessageEvent<ToLay>) => {
  const { positions, sizes, edges, weights, iterations } = data;
  const graph = new MultiDirectedGraph<{ x: number; y: number; size: number }, { weight: number }>();
  sizes.forEach((size, index) =>
    graph.addNode(index, { x: positions[2 * index] ?? 0, y: positions[2 * index + 1] ?? 0, size }),
  );
  weights.forEach((weight, index) => graph.addEdge(edges[2 * index], edges[2 * index + 1], { weight }));
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    adjustSizes: graph.order < 300,
    barnesHutOptimize: graph.order > 300,
    edgeWeightInfluence: 1,
    gravity: 1,
  };
  for (let done = 0; done < iterations; done += stepIterations) {
    forceAtlas2.assign(graph, { iterations: stepIterations, settings });
    const laid = new Float32Array(2 * graph.order);
    graph.forEachNode((index, { x, y }) => laid.set([x, y], 2 * Number(index)));
    const share = Math.min(1, (done + stepIterations) / iterations);
    postMessage({ positions: laid, share } satisfies Laid, { transfer: [laid.buffer] });
  }
});
