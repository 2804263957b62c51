/**
 * The component that a path lies in, by the folders (with `/` at the end; the root's is empty) and files that each has: the longest one
 * that the path begins with. Null of a path in none.
 */
function componentIn(
  components: readonly { name: string; paths: readonly string[] }[],
): (path: string) => string | null {
  const byPath = new Map(components.flatMap(({ name, paths }) => paths.map((path) => [path, name] as const)));
  return (path) => {
    for (let prefix = path; prefix !== ''; prefix = prefix.slice(0, prefix.lastIndexOf('/', prefix.length - 2) + 1)) {
      const name = byPath.get(prefix);
      if (name !== undefined) return name;
    }
    return byPath.get('') ?? null;
  };
}

/** The component that all of a folder (with `/` at the end) or file lies in; null where it holds several. */
export function componentAround(
  components: readonly { name: string; paths: readonly string[] }[],
): (path: string) => string | null {
  const of = componentIn(components);
  const all = components.flatMap(({ name, paths }) => paths.map((path) => ({ name, path })));
  return (path) => {
    const name = of(path);
    return all.some((each) => each.name !== name && each.path.startsWith(path)) ? null : name;
  };
}
