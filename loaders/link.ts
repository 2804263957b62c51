import type { GraphEdge } from '../src/model/graph.ts';
import { nodeId } from '../src/model/graph.ts';
import type { PackageName, RepositoryInfo } from '../src/model/snapshot.ts';
import { linkRequests } from './link-requests.ts';

/**
 * Edges between repositories, by the packages that they publish and need: DEPENDS_ON from a manifest (weight: how many
 * manifest entries), IMPORTS from source files (weight: how many files); and CALLS by the requests that they send each other.
 * Sorted; a repository never depends on itself.
 */
export function linkRepositories(repositories: readonly RepositoryInfo[]): GraphEdge[] {
  const publishers = new Map<string, string[]>();
  for (const { name, publishes } of repositories) {
    for (const published of publishes) {
      const key = packageKey(published);
      publishers.set(key, [...(publishers.get(key) ?? []), name]);
    }
  }
  const edges = new Map<string, GraphEdge>();
  for (const { name: from, requires } of repositories) {
    for (const required of requires) {
      for (const to of new Set(publishers.get(packageKey(required)))) {
        if (to === from) continue;
        const { path, line } = required;
        add(edges, { type: 'DEPENDS_ON', from, to, weight: 1, confidence: 1, strategy: 'manifest', path, line });
        if (required.imports === 0) continue;
        const weight = required.imports;
        add(edges, { type: 'IMPORTS', from, to, weight, confidence: 1, strategy: 'import', path: null, line: null });
      }
    }
  }
  return [...edges.values(), ...linkRequests(repositories)].sort(
    (a, b) => compare(a.type, b.type) || compare(a.from, b.from) || compare(a.to, b.to),
  );
}

function add(edges: Map<string, GraphEdge>, edge: GraphEdge): void {
  const ends = { ...edge, from: nodeId.repository(edge.from), to: nodeId.repository(edge.to) };
  const key = `${edge.type} ${ends.from} ${ends.to}`;
  const known = edges.get(key);
  edges.set(key, known ? { ...known, weight: known.weight + edge.weight } : ends);
}

const packageKey = ({ ecosystem, name }: PackageName) => `${ecosystem} ${name}`;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
