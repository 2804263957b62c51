import type { Rows, Snapshot } from '../src/model/snapshot.ts';

/** The same snapshot of a repository that is kept under another key: every id in it begins with that. */
export function underKey(snapshot: Snapshot, key: string): Snapshot {
  const { repository, nodes, edges } = snapshot;
  const { name } = repository;
  if (name === key) return snapshot;
  const idOf = (id: string) => (id === name || id.startsWith(`${name}/`) ? `${key}${id.slice(name.length)}` : id);
  return {
    ...snapshot,
    repository: { ...repository, name: key },
    nodes: mapped(nodes, (node) => ({
      ...node,
      id: idOf(node.id),
      repository: node.repository === name ? key : node.repository,
    })),
    edges: mapped(edges, (edge) => ({ ...edge, from: idOf(edge.from), to: idOf(edge.to) })),
  };
}

function mapped<T>(rows: Rows<T>, change: (row: T) => T): Rows<T> {
  return {
    length: rows.length,
    *[Symbol.iterator]() {
      for (const row of rows) yield change(row);
    },
  };
}
