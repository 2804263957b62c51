import { repositoryOf } from '../../model/repository-of.ts';
import type { GraphStore } from '../../stores/graph/port.ts';

/** What a graph has of these repositories, in their order: no link to others, and each contributor once, at the end. */
export function ofRepositories(
  graph: Pick<GraphStore, 'nodes' | 'edges'>,
  keys: readonly string[],
): Pick<GraphStore, 'nodes' | 'edges'> {
  const held = new Set(keys);
  const wanted = (repository: string | undefined) =>
    keys.filter((key) => repository === undefined || key === repository);
  const isHeld = (id: string) => held.has(repositoryOf(id)) || id.startsWith('contributor:');
  return {
    async *nodes({ repository, types } = {}) {
      const contributors = new Set<string>();
      const of = types === undefined ? {} : { types };
      for (const key of wanted(repository))
        for await (const node of graph.nodes({ ...of, repository: key })) if (node.type !== 'Contributor') yield node;
      if (types !== undefined && !types.includes('Contributor')) return;
      for (const key of wanted(repository))
        for await (const node of graph.nodes({ repository: key, types: ['Contributor'] })) {
          if (contributors.has(node.id)) continue;
          contributors.add(node.id);
          yield node;
        }
    },
    async *edges({ repository, types } = {}) {
      const of = types === undefined ? {} : { types };
      for (const key of wanted(repository))
        for await (const edge of graph.edges({ ...of, repository: key }))
          if (isHeld(edge.from) && isHeld(edge.to)) yield edge;
    },
  };
}
