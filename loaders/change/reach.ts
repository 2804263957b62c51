import type { AffectedSymbol, ChangeSymbol } from '../../src/model/change.ts';
import type { SideEdge } from './side.ts';

/** Who leads to whom, backwards. */
export type Callers = ReadonlyMap<string, readonly string[]>;

/** The callers and heirs of each, by id. */
export function callersOf(edges: readonly SideEdge[]): Callers {
  const callers = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const known = callers.get(to) ?? new Set();
    callers.set(to, known.add(from));
  }
  return new Map([...callers].map(([to, from]) => [to, [...from].sort()]));
}

/** How one was reached: over how many edges, and which stands next on the way to where it began. */
interface Step {
  depth: number;
  next: string | null;
}

/** Everything from which edges lead to one of these, over at most so many of them; each by one of its shortest ways. */
export function reach(callers: Callers, starts: Iterable<string>, longest = Infinity): Map<string, Step> {
  const reached = new Map<string, Step>([...starts].sort().map((id) => [id, { depth: 0, next: null }]));
  // A map gives what is added while it is walked through, too: breadth first.
  for (const [id, { depth }] of reached) {
    if (depth >= longest) continue;
    for (const from of callers.get(id) ?? []) if (!reached.has(from)) reached.set(from, { depth: depth + 1, next: id });
  }
  return reached;
}

/** From one that was reached to where that began. */
export function wayFrom(reached: ReadonlyMap<string, Step>, id: string): string[] {
  const way = [id];
  for (let at = reached.get(id)?.next ?? null; at !== null; at = reached.get(at)?.next ?? null) way.push(at);
  return way;
}

/** What was reached and is none of the change itself, the nearest first, then production before tests, then by id. */
export function affectedBy(
  reached: ReadonlyMap<string, Step>,
  symbols: ReadonlyMap<string, ChangeSymbol>,
  isChange: (id: string) => boolean,
): AffectedSymbol[] {
  const affected = [...reached].flatMap(([id, { depth }]) => {
    const symbol = symbols.get(id);
    if (depth === 0 || !symbol || isChange(id)) return [];
    const { name, path, line, test } = symbol;
    return [{ id, name, path, line, test, depth, way: wayFrom(reached, id) }];
  });
  return affected.sort((a, b) => a.depth - b.depth || Number(a.test) - Number(b.test) || (a.id < b.id ? -1 : 1));
}
