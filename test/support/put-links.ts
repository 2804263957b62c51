import type { GraphEdge } from '../../src/model/graph.ts';
import type { GraphStore } from '../../src/stores/graph/port.ts';

/** Puts these edges in place of all that lead from any repository to another. */
export async function putLinks(
  store: Pick<GraphStore, 'generations' | 'replaceLinks'>,
  edges: readonly GraphEdge[],
): Promise<void> {
  for (const repository of (await store.generations()).keys()) {
    const own = edges.filter(({ from }) => from.split('/')[0] === repository);
    await store.replaceLinks({ repository, generation: JSON.stringify(own), edges: own });
  }
}
