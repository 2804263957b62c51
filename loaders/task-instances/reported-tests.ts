/**
 * The tests of a report that names from another harness mean, by these names; none for a name of which no test is reported. It knows
 * pytest's names, as they are and as SWE-bench cuts them off at a space, functions alone, and unittest's `test (module.Class)`.
 */
export function reportedTests(names: readonly string[], reported: readonly string[]): Map<string, string[]> {
  const exact = new Set(reported);
  const byFunction = Map.groupBy(reported, (id) => functionOf(id));
  return new Map(names.map((name) => [name, exact.has(name) ? [name] : meant(name, reported, byFunction)]));
}

/** `test_b` of `a.py::Class::test_b[c]`. */
const functionOf = (id: string) => id.slice(id.split('[', 1).join('').lastIndexOf('::') + 2).split('[', 1)[0] ?? '';

function meant(name: string, reported: readonly string[], byFunction: ReadonlyMap<string, string[]>): string[] {
  const [, method, owner] = /^(\w+) \(([\w.]+)\)/.exec(name) ?? [];
  if (method !== undefined && owner !== undefined) {
    const parts = owner.split('.');
    // Newer ones say the method once more.
    if (parts.at(-1) === method) parts.pop();
    const end = `${parts.slice(0, -1).join('/')}.py::${parts.at(-1) ?? ''}::${method}`;
    return reported.filter((id) => id === end || id.endsWith(`/${end}`));
  }
  if (/^\w+$/.test(name)) return byFunction.get(name) ?? [];
  // Cut off within its parameters.
  return name.includes('[') && !name.endsWith(']')
    ? reported.filter((id) => id.startsWith(name) && /\s/.test(id.charAt(name.length)))
    : [];
}
