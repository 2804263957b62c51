import type { GraphEdge } from '../src/model/graph.ts';

/**
 * How many other repositories need each one, from the links between them, rounded down to a power of two: so that search documents,
 * which carry it, are seldom written again because of another repository.
 */
export function usageByRepository(links: readonly GraphEdge[]): Map<string, number> {
  const users = new Map<string, number>();
  for (const { type, to } of links) if (type === 'DEPENDS_ON') users.set(to, (users.get(to) ?? 0) + 1);
  return new Map([...users].map(([repository, count]) => [repository, 2 ** Math.floor(Math.log2(count))]));
}
