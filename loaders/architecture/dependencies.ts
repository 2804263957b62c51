import type { Document } from '../facts/document.ts';
import type { FileImport } from '../facts/file-import.ts';
import type { ResolvedEdge } from '../resolution/resolution.ts';
import type { Components } from './components.ts';

/** A place that depends on another one. */
export interface Place {
  path: string;
  line: number;
  to_path: string;
  to_line: number | null;
}

/** What one component uses of another. */
export interface Dependency {
  from: number;
  to: number;
  imports: number;
  types: number;
  calls: number;
  inherits: number;
  example: Place;
}

/** How the files and components of production depend on each other. */
export interface Dependencies {
  /** Of components, the first place each. */
  edges: readonly Dependency[];
  /** Of each component: its files' dependencies that stay inside it, and those that leave it. */
  inside: readonly number[];
  outside: readonly number[];
  /** By path: the files that it imports to run, each with the line that does so first. */
  imported: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By path, tests too: all files of production that it depends on in any way that is known. */
  linked: ReadonlyMap<string, ReadonlySet<string>>;
  ambiguous: number;
}

type Kind = 'imports' | 'types' | 'calls' | 'inherits';

/** A guess by name alone is more often wrong than right. */
const minConfidence = 0.5;

/** One pass over the imports and, where they are known, the edges of the graph. */
export function dependenciesOf(
  components: Components,
  imports: Iterable<FileImport>,
  graph: { documents: readonly Document[]; edges: Iterable<ResolvedEdge> } | null,
): Dependencies {
  const found = new Found(components);
  for (const each of imports) found.addImport(each);
  for (const { type, from, to, weight, confidence, line } of graph?.edges ?? []) {
    if (type === 'IMPORTS' || confidence < minConfidence || from.document === to.document) continue;
    const source = graph?.documents[from.document];
    const target = graph?.documents[to.document];
    if (!source || !target) continue;
    const lineOf = () => target.facts.definitions[to.definition]?.line ?? null;
    found.addEdge(type === 'CALLS' ? 'calls' : 'inherits', weight, source.path, line, target.path, lineOf);
  }
  return found.all();
}

/** Collects them one by one. */
class Found {
  readonly #components: Components;
  readonly #edges = new Map<number, Dependency>();
  readonly #inside: number[];
  readonly #outside: number[];
  readonly #imported = new Map<string, Map<string, number>>();
  readonly #linked = new Map<string, Set<string>>();
  #ambiguous = 0;

  constructor(components: Components) {
    this.#components = components;
    this.#inside = components.list.map(() => 0);
    this.#outside = components.list.map(() => 0);
  }

  addImport({ path, line, to, typeOnly }: FileImport): void {
    const { of } = this.#components;
    const targets = to.filter((other) => of.has(other));
    const [first] = targets;
    if (first === undefined) return;
    for (const other of targets) this.#link(path, other);
    const from = of.get(path);
    if (from === undefined) return;
    const owners = new Set(targets.map((other) => of.get(other) ?? 0));
    const [owner = 0] = owners;
    if (owners.size > 1) {
      // What its own component has a part of needs no other one.
      if (!owners.has(from)) this.#ambiguous += 1;
      return;
    }
    this.#add(from, owner, typeOnly ? 'types' : 'imports', 1, { path, line, to_path: first, to_line: null });
    if (typeOnly || targets.length > 1) return;
    const known = this.#imported.get(path);
    if (known === undefined) this.#imported.set(path, new Map([[first, line]]));
    else if (!known.has(first)) known.set(first, line);
  }

  addEdge(kind: Kind, count: number, path: string, line: number, toPath: string, toLine: () => number | null): void {
    const from = this.#components.of.get(path);
    const to = this.#components.of.get(toPath);
    if (to === undefined) return;
    this.#link(path, toPath);
    if (from === undefined) return;
    const place = { path, line, to_path: toPath, to_line: from === to ? null : toLine() };
    this.#add(from, to, kind, count, place);
  }

  all(): Dependencies {
    return {
      edges: [...this.#edges.values()].sort((a, b) => weightOf(b) - weightOf(a) || a.from - b.from || a.to - b.to),
      inside: this.#inside,
      outside: this.#outside,
      imported: this.#imported,
      linked: this.#linked,
      ambiguous: this.#ambiguous,
    };
  }

  #add(from: number, to: number, kind: Kind, count: number, example: Place): void {
    const counts = from === to ? this.#inside : this.#outside;
    counts[from] = (counts[from] ?? 0) + count;
    if (from === to) return;
    const key = from * this.#inside.length + to;
    let edge = this.#edges.get(key);
    if (!edge) this.#edges.set(key, (edge = { from, to, imports: 0, types: 0, calls: 0, inherits: 0, example }));
    edge[kind] += count;
    if (isBefore(example, edge.example)) edge.example = example;
  }

  #link(from: string, to: string): void {
    const known = this.#linked.get(from);
    if (known) known.add(to);
    else this.#linked.set(from, new Set([to]));
  }
}

/** How much stands behind it. */
export const weightOf = ({ imports, types, calls, inherits }: Dependency) => imports + types + calls + inherits;

/** Types are gone when the program runs. */
export const isOfTypesAlone = ({ imports, calls, inherits }: Dependency) => imports + calls + inherits === 0;

/** A place that leads to a definition says more; else the first one. */
function isBefore(a: Place, b: Place): boolean {
  if ((a.to_line === null) !== (b.to_line === null)) return b.to_line === null;
  return a.path === b.path ? a.line < b.line : a.path < b.path;
}
