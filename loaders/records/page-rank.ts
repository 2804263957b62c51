const damping = 0.85;
const iterations = 30;

/** PageRank of `size` nodes over edges `from[i] → to[i]`; sums to 1. Page et al. 1999; dangling rank is spread evenly. */
export function pageRank(size: number, from: Uint32Array, to: Uint32Array): Float64Array {
  const outDegree = new Uint32Array(size);
  for (const source of from) outDegree[source] = (outDegree[source] ?? 0) + 1;
  let rank = new Float64Array(size).fill(1 / size);
  for (let iteration = 0; iteration < iterations; iteration++) {
    let dangling = 0;
    for (let node = 0; node < size; node++) if (outDegree[node] === 0) dangling += rank[node] ?? 0;
    const next = new Float64Array(size).fill((1 - damping + damping * dangling) / size);
    for (const [edge, source] of from.entries()) {
      const target = to[edge] ?? 0;
      next[target] = (next[target] ?? 0) + (damping * (rank[source] ?? 0)) / (outDegree[source] ?? 1);
    }
    rank = next;
  }
  return rank;
}
