/** So many paths are remembered, of a repository that is measured at many commits, or of several. */
const maxPaths = 20_000;

/** The same answers, each found once: what many expressions are tried for is asked of the same paths at each commit. */
export function oncePerPath<T>(find: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    if (known.size >= maxPaths) known.clear();
    const found = find(path);
    known.set(path, found);
    return found;
  };
}
