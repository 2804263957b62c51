/** One sentence for who loads, where files could not be looked through for insecure code; by path, why not. */
export function uninspectedWarning(uninspected: ReadonlyMap<string, string>): string[] {
  const [first] = [...uninspected].sort(([a], [b]) => (a < b ? -1 : 1));
  if (!first) return [];
  const [path, why] = first;
  return [
    `insecure_code_unread: ${uninspected.size} of the files that may hold insecure code could not be looked through, the first ` +
      `"${path}": load it where npm has a build of @ast-grep/napi and its languages (Linux with glibc, macOS or Windows, on x64 ` +
      `or arm64), or put a scanner's SARIF report into the tree. ${why.split('\n', 1)[0]}`,
  ];
}
