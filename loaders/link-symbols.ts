import { nodeId, type GraphEdge } from '../src/model/graph.ts';
import type { Boundary, OutsideReference, Surface } from '../src/model/snapshot.ts';

/** A repository that others may use, by what it gives. */
export interface Provider {
  repository: string;
  surface: Surface;
}

const sureness = { import: 0.9, receiver_type: 0.8, inheritance: 0.9 };

/**
 * IMPORTS, CALLS and INHERITS from one repository to definitions of others, where what its imports lead to is found by the names
 * that those give. Beside each CALLS and INHERITS there is one between the repositories, which adds them up. Sorted.
 */
export function linkSymbols(
  repository: string,
  references: Boundary['references'],
  providers: readonly Provider[],
): GraphEdge[] {
  const edges = new Map<string, GraphEdge>();
  for (const reference of references) {
    const found = providers.flatMap(({ repository: name, surface }) => {
      const target = find(surface, reference);
      return target === null ? [] : [{ name, ...target }];
    });
    for (const { name, to, strategy } of found) {
      const { type, from, weight, file: path, line } = reference;
      // Several publish it: each may be the one that is meant.
      const confidence = sureness[strategy] / found.length;
      const source = from === '' ? nodeId.repository(repository) : `${repository}/${from}`;
      const edge = { type, weight, confidence, strategy, path, line };
      addEdge(edges, { ...edge, from: source, to: `${name}/${to}` });
      if (type === 'IMPORTS') continue;
      addEdge(edges, { ...edge, from: nodeId.repository(repository), to: nodeId.repository(name) });
    }
  }
  return [...edges.values()].sort((a, b) => compare(a.type, b.type) || compare(a.from, b.from) || compare(a.to, b.to));
}

/** Edges of the same ends as one. */
export function addEdge(edges: Map<string, GraphEdge>, edge: GraphEdge): void {
  const key = `${edge.type} ${edge.from} ${edge.to}`;
  const known = edges.get(key);
  if (!known) {
    edges.set(key, edge);
    return;
  }
  known.weight += edge.weight;
  if (edge.confidence > known.confidence) {
    known.confidence = edge.confidence;
    known.strategy = edge.strategy;
  }
}

function find(
  surface: Surface,
  { type, module, path, arguments: count }: OutsideReference,
): { to: string; strategy: keyof typeof sureness } | null {
  const start = enter(surface, module, path);
  if (start === null) return null;
  let { target } = start;
  for (const [index, step] of start.rest.entries()) {
    const isLast = index === start.rest.length - 1;
    const next = follow(surface, target, step, isLast && type === 'CALLS' ? count : null);
    if (next === null) return null;
    target = next;
  }
  const isInstance = target.endsWith('()');
  const to = isInstance ? target.slice(0, -2) : target;
  if (type === 'IMPORTS') return { to, strategy: 'import' };
  if (isInstance || (type === 'INHERITS' && !Object.hasOwn(surface.classes, to))) return null;
  return { to, strategy: type === 'INHERITS' ? 'inheritance' : start.rest.length > 0 ? 'receiver_type' : 'import' };
}

/** What the first names of a way stand for, as many of them as the module knows together. */
function enter(
  surface: Surface,
  module: string,
  path: readonly string[],
): { target: string; rest: readonly string[] } | null {
  const { modules } = surface;
  const names = own(modules, module) ?? own(modules, module.replace(/(?:\/index)?\.[cm]?[jt]sx?$/u, ''));
  if (names) {
    for (let length = path.length; length >= 0; length--) {
      const target = own(names, path.slice(0, length).join('.'));
      if (target !== undefined) return { target, rest: path.slice(length) };
    }
    // The default of a module that has none is the module.
    if (path[0] === 'default') return enter(surface, module, path.slice(1));
  }
  const [first, ...rest] = path;
  const inner = `${module}.${first}`;
  return first !== undefined && Object.hasOwn(modules, inner) ? enter(surface, inner, rest) : null;
}

/** What a name or a call leads to from a definition. */
function follow({ classes, results }: Surface, from: string, step: string, count: number | null): string | null {
  const id = from.replace(/\(\)$/, '');
  const described = own(classes, id);
  if (step === '()') return described ? (from === id ? `${id}()` : null) : (own(results, id) ?? null);
  for (const one of [id, ...(described?.bases ?? [])]) {
    const members = own(classes, one)?.members;
    const found = members && ((count === null ? undefined : own(members, `${step}/${count}`)) ?? own(members, step));
    if (found !== undefined) return found;
  }
  return null;
}

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
