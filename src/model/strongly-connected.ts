/** What depends on itself by way of others: sets of two or more that all reach each other (Tarjan 1972), in linear time. */
export function stronglyConnected<T>(next: ReadonlyMap<T, Iterable<T>>): T[][] {
  const index = new Map<T, number>();
  const low = new Map<T, number>();
  const open: T[] = [];
  const isOpen = new Set<T>();
  const found: T[][] = [];
  const enter = (node: T) => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, rest: (next.get(node) ?? [])[Symbol.iterator]() };
  };
  const lower = (node: T, to: number) => low.set(node, Math.min(low.get(node) ?? to, to));
  for (const start of next.keys()) {
    if (index.has(start)) continue;
    const path = [enter(start)];
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const { value: other, done } = at.rest.next();
      if (!done) {
        if (!index.has(other)) path.push(enter(other));
        else if (isOpen.has(other)) lower(at.node, index.get(other) ?? 0);
        continue;
      }
      path.pop();
      const own = low.get(at.node) ?? 0;
      const around = path.at(-1);
      if (around) lower(around.node, own);
      if (own !== index.get(at.node)) continue;
      const all = open.splice(open.lastIndexOf(at.node));
      for (const each of all) isOpen.delete(each);
      if (all.length > 1) found.push(all);
    }
  }
  return found;
}
