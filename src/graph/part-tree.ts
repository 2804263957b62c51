import type { GraphEdge, GraphNode } from '../model/graph.ts';
import { stronglyConnected } from '../model/strongly-connected.ts';

/** A folder, a file, or what a file defines, with what it holds. */
export interface Part {
  /** Of a symbol its id, else its path with a slash at the end of a folder’s; the root’s is empty. */
  id: string;
  name: string;
  kind: 'folder' | 'file' | 'class' | 'function';
  path: string;
  symbol: string | null;
  line: number | null;
  /** Of code, of all that it holds. */
  lines: number;
  symbols: number;
  findings: number;
  parts: Part[];
  around: Part | null;
}

/** What lies inside one repository, and where each symbol and file of it is. */
export interface PartTree {
  root: Part;
  byId: ReadonlyMap<string, Part>;
  edges: readonly GraphEdge[];
}

/** Puts functions and classes into what is around them, by path and lines. */
export function partTree(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): PartTree {
  const root = emptyPart({ id: '', name: '', kind: 'folder', path: '' }, null);
  const byId = new Map([[root.id, root]]);
  const add = (part: Part) => {
    byId.set(part.id, part);
    part.around?.parts.push(part);
    return part;
  };
  const folder = (path: string): Part => {
    if (path === '') return root;
    const known = byId.get(`${path}/`);
    if (known !== undefined) return known;
    const at = path.lastIndexOf('/');
    const around = folder(path.slice(0, Math.max(0, at)));
    return add(emptyPart({ id: `${path}/`, name: path.slice(at + 1), kind: 'folder', path }, around));
  };
  const file = (path: string): Part => {
    const known = byId.get(path);
    if (known !== undefined) return known;
    const at = path.lastIndexOf('/');
    const around = folder(path.slice(0, Math.max(0, at)));
    return add(emptyPart({ id: path, name: path.slice(at + 1), kind: 'file', path }, around));
  };
  const defined = nodes.filter(({ type, path }) => path !== null && (type === 'Function' || type === 'Class'));
  for (const [path, symbols] of Map.groupBy(defined, (node) => node.path ?? '')) {
    const open: { part: Part; end: number }[] = [];
    for (const node of symbols.toSorted(byPlace)) {
      const line = node.line ?? 1;
      while (open.length > 0 && (open.at(-1)?.end ?? 0) < line) open.pop();
      const around = open.at(-1)?.part ?? file(path);
      const end = node.end_line ?? line;
      const kind = node.type === 'Class' ? ('class' as const) : ('function' as const);
      const part = add(emptyPart({ id: node.id, name: node.name, kind, path }, around));
      part.symbol = node.id;
      part.line = line;
      part.lines = end - line + 1;
      open.push({ part, end });
    }
  }
  for (const { type, path } of nodes) if (type === 'SecurityPattern' && path !== null) file(path).findings += 1;
  sum(root);
  return { root, byId, edges };
}

const byPlace = (a: GraphNode, b: GraphNode) =>
  (a.line ?? 0) - (b.line ?? 0) || (b.end_line ?? 0) - (a.end_line ?? 0) || (a.id < b.id ? -1 : 1);

function emptyPart(own: Pick<Part, 'id' | 'name' | 'kind' | 'path'>, around: Part | null): Part {
  return { ...own, around, symbol: null, line: null, lines: 0, symbols: 0, findings: 0, parts: [] };
}

/** Of a symbol its own lines count, of all else those of what it holds. */
function sum(part: Part): void {
  for (const each of part.parts) sum(each);
  if (part.symbol === null) part.lines = part.parts.reduce((all, { lines }) => all + lines, 0);
  part.symbols = part.parts.reduce((all, { symbols }) => all + symbols, part.symbol === null ? 0 : 1);
  part.findings += part.parts.reduce((all, { findings }) => all + findings, 0);
}

/** A folder that holds nothing but a folder is one with it. */
export function joined(part: Part): Part {
  const [only, another] = part.parts;
  if (part.kind !== 'folder' || only?.kind !== 'folder' || another !== undefined) return part;
  const inner = joined(only);
  return { ...inner, name: `${part.name}/${inner.name}` };
}

/** How often parts refer to each other. */
export interface PartEdge {
  from: string;
  to: string;
  calls: number;
  inherits: number;
}

const counted: Partial<Record<GraphEdge['type'], 'calls' | 'inherits'>> = {
  CALLS: 'calls',
  INHERITS: 'inherits',
};

/**
 * The edges between these parts, those of all that they hold together. Imports are not among them: the graph has each once for the
 * whole repository, and so does not know in which of its files they all are.
 */
export function edgesBetween({ byId, edges }: PartTree, parts: readonly Part[]): PartEdge[] {
  const shown = new Set(parts.map(({ id }) => id));
  const places = new Map<string, string | null>();
  const placeOf = (id: string): string | null => {
    const known = places.get(id);
    if (known !== undefined) return known;
    let part = byId.get(id) ?? null;
    while (part !== null && !shown.has(part.id)) part = part.around;
    places.set(id, part?.id ?? null);
    return part?.id ?? null;
  };
  const found = new Map<string, PartEdge>();
  for (const { type, from, to, weight } of edges) {
    const count = counted[type];
    const source = placeOf(from);
    const target = placeOf(to);
    if (count === undefined || source === null || target === null || source === target) continue;
    const key = `${source}\n${target}`;
    const edge = found.get(key) ?? { from: source, to: target, calls: 0, inherits: 0 };
    edge[count] += weight;
    found.set(key, edge);
  }
  return [...found.values()].sort(
    (a, b) => weightOf(b) - weightOf(a) || (a.from < b.from ? -1 : a.from > b.from ? 1 : a.to < b.to ? -1 : 1),
  );
}

const weightOf = ({ calls, inherits }: PartEdge) => calls + inherits;

/** Of each part that depends on itself by way of others, the number of its cycle, from 1. */
export function cyclesOf(edges: readonly PartEdge[]): Map<string, number> {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const targets = next.get(from);
    if (targets) targets.push(to);
    else next.set(from, [to]);
  }
  const numbers = new Map([...next.keys()].map((id, number) => [id, number]));
  const first = (ids: readonly string[]) => Math.min(...ids.map((id) => numbers.get(id) ?? 0));
  const circles = stronglyConnected(next).sort((a, b) => first(a) - first(b));
  return new Map(circles.flatMap((ids, index) => ids.map((id) => [id, index + 1] as const)));
}
