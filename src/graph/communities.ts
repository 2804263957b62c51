/** How much two of them have to do with each other. */
export interface Tie {
  from: string;
  to: string;
  weight: number;
}

/** Less is an error of rounding. */
const minGain = 1e-9;

/**
 * Parts of a graph with more between their members than chance would have, by Louvain's method: a node goes where modularity rises
 * most, then each part is one node, until nothing rises. Directions do not count. The same graph gives the same parts in whatever
 * order it is given, as nothing is left to chance. Each part is the sorted ids of its members; a node without ties is alone.
 */
export function communitiesOf(ids: readonly string[], ties: readonly Tie[]): string[][] {
  let parts = ids.toSorted().map((id) => [id]);
  for (;;) {
    const partOf = new Map(parts.flatMap((members, part) => members.map((id) => [id, part] as const)));
    const joined = joinedBy(tiesBetween(partOf, ties, parts.length));
    const merged = [...Map.groupBy(parts.keys(), (part) => joined[part])].map(([, own]) =>
      own.flatMap((part) => parts[part] ?? []).sort(),
    );
    if (merged.length === parts.length) return parts;
    parts = merged.sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
  }
}

/** Of each node, what ties it to each other node and to itself; a tie within it counts from both its ends. */
function tiesBetween(nodeOf: ReadonlyMap<string, number>, ties: readonly Tie[], nodes: number): Map<number, number>[] {
  const between = Array.from({ length: nodes }, () => new Map<number, number>());
  const add = (from: number, to: number, weight: number) =>
    between[from]?.set(to, (between[from].get(to) ?? 0) + weight);
  // Sums of fractions depend on their order.
  const ordered = ties.toSorted((a, b) => (`${a.from}\n${a.to}` < `${b.from}\n${b.to}` ? -1 : 1));
  for (const { from, to, weight } of ordered) {
    const [a, b] = [nodeOf.get(from), nodeOf.get(to)];
    if (a === undefined || b === undefined) continue;
    add(a, b, weight);
    add(b, a, weight);
  }
  return between;
}

/** Of each node, the part that it goes to. */
function joinedBy(between: readonly Map<number, number>[]): number[] {
  const part = between.map((_, node) => node);
  const degree = between.map((own) => [...own.values()].reduce((sum, weight) => sum + weight, 0));
  const degreeOfPart = [...degree];
  const all = degree.reduce((sum, each) => sum + each, 0);
  for (let isMoving = all > 0; isMoving;) {
    isMoving = false;
    for (const [node, own] of between.entries()) {
      const [here, weight] = [part[node] ?? node, degree[node] ?? 0];
      degreeOfPart[here] = (degreeOfPart[here] ?? 0) - weight;
      const into = new Map<number, number>([[here, 0]]);
      for (const [other, tie] of own) {
        const there = part[other] ?? other;
        if (other !== node) into.set(there, (into.get(there) ?? 0) + tie);
      }
      const gainOf = (to: number) => (into.get(to) ?? 0) - (weight * (degreeOfPart[to] ?? 0)) / all;
      let best = here;
      for (const there of [...into.keys()].sort((a, b) => a - b))
        if (gainOf(there) > gainOf(best) + minGain * all) best = there;
      degreeOfPart[best] = (degreeOfPart[best] ?? 0) + weight;
      part[node] = best;
      isMoving ||= best !== here;
    }
  }
  return part;
}
