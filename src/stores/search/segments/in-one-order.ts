/** What several sources give, each in this order, in one; of equals first what an earlier source gives. */
export function* inOneOrder<T>(
  sources: readonly Iterator<T>[],
  compare: (a: T, b: T) => number,
): Generator<T, void, undefined> {
  const heads = sources.map((source) => ({ source, head: source.next() })).filter(({ head }) => head.done !== true);
  while (heads.length > 0) {
    let first = 0;
    for (let i = 1; i < heads.length; i++) {
      const [one, other] = [heads[i], heads[first]];
      if (one && other && compare(one.head.value as T, other.head.value as T) < 0) first = i;
    }
    const next = heads[first];
    if (next === undefined) return;
    yield next.head.value as T;
    next.head = next.source.next();
    if (next.head.done === true) heads.splice(first, 1);
  }
}
