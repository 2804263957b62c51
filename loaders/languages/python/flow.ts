import type { Binding } from '../../facts/fact.ts';
import type { FactsBuilder } from '../reading/facts-builder.ts';

/**
 * What each name of one function holds at each place: an assignment hides the one before it, branches join, a loop sees its own
 * end, a function inside sees all. It is written down as scopes: a name assigned again opens a new block inside the last one.
 */
export interface Flow {
  /** Scope in which names read at this place are looked up. */
  current: number;
  /** Scope of the function's own names. */
  readonly root: number;
  bind(binding: Binding): void;
  /** What a name may hold here; empty where this function has not bound it. */
  find(name: string): readonly Binding[];
  /** Makes a name hold something here without being assigned: what `isinstance` tells. */
  narrow(binding: Binding): void;
  /** Runs each branch from the same state; a branch says whether it leaves (return, raise, break). True when all leave. */
  branches(branches: readonly (() => boolean)[]): boolean;
  /** Runs a body that may run many times or not at all. */
  loop(body: () => void): void;
  /** Runs a body and then its handlers, which may start after any part of the body. */
  attempt(body: () => boolean, handlers: readonly (() => boolean)[]): boolean;
  /** Scope for functions defined inside: all that the names ever hold. */
  closure(): number;
  /** Adds to the closure what was assigned after it was asked for. */
  finish(): void;
}

/** Flow of a function whose own scope exists already; `tracked` is false for modules and classes, whose names outsiders read. */
export function createFlow(file: FactsBuilder, root: number, tracked: boolean): Flow {
  const { scopes } = file.facts;
  const log: Binding[] = [];
  let closure = -1;

  const open = (parent: number, bindings: Binding[]): number => file.addScope(parent, -1, bindings);

  /** Bindings of a name as seen from a scope; empty when the function has not bound it yet. */
  const visible = (name: string, from: number): Binding[] => {
    for (let index = from; ; index = scopes[index]?.parent ?? -1) {
      const scope = scopes[index];
      if (!scope) return [];
      const found = scope.bindings.filter((binding) => binding.name === name);
      if (found.length > 0 || index === root) return found;
    }
  };

  const join = (start: number, since: number, ends: readonly number[]): void => {
    const [first] = ends;
    if (first === undefined || ends.every((end) => end === first)) {
      flow.current = first ?? start;
      return;
    }
    const joined: Binding[] = [];
    for (const name of new Set(log.slice(since).map((binding) => binding.name)))
      joined.push(...new Set(ends.flatMap((end) => visible(name, end))));
    flow.current = joined.length > 0 ? open(start, joined) : start;
  };

  const flow: Flow = {
    current: root,
    root,
    bind(binding) {
      if (!tracked) {
        scopes[root]?.bindings.push(binding);
        return;
      }
      log.push(binding);
      if (visible(binding.name, flow.current).length > 0) flow.current = open(flow.current, [binding]);
      else scopes[flow.current]?.bindings.push(binding);
    },
    find: (name) => visible(name, flow.current),
    narrow(binding) {
      flow.current = open(flow.current, [binding]);
    },
    branches(branches) {
      const start = flow.current;
      const since = log.length;
      const ends: number[] = [];
      for (const branch of branches) {
        flow.current = start;
        if (!branch()) ends.push(flow.current);
      }
      if (tracked) join(start, since, ends);
      else flow.current = start;
      return ends.length === 0;
    },
    loop(body) {
      const before = flow.current;
      const since = log.length;
      if (tracked) flow.current = open(before, []);
      const start = flow.current;
      body();
      flow.current = start;
      if (!tracked) return;
      const scope = scopes[start];
      if (!scope) return;
      const assigned = log.slice(since);
      for (const name of new Set(assigned.map((binding) => binding.name))) {
        const inside = assigned.filter((binding) => binding.name === name);
        const all = new Set([...visible(name, before), ...scope.bindings.filter((b) => b.name === name), ...inside]);
        scope.bindings = [...scope.bindings.filter((binding) => binding.name !== name), ...all];
      }
    },
    attempt(body, handlers) {
      const start = flow.current;
      const since = log.length;
      const ends: number[] = [];
      if (!body()) ends.push(flow.current);
      const names = new Set(log.slice(since).map((binding) => binding.name));
      const possible = [...names].flatMap((name) => [
        ...new Set([...visible(name, start), ...log.slice(since).filter((binding) => binding.name === name)]),
      ]);
      for (const handler of handlers) {
        flow.current = tracked && possible.length > 0 ? open(start, [...possible]) : start;
        if (!handler()) ends.push(flow.current);
      }
      if (tracked) join(start, since, ends);
      else flow.current = start;
      return ends.length === 0;
    },
    closure() {
      if (!tracked) return root;
      if (closure < 0) closure = open(scopes[root]?.parent ?? -1, [...(scopes[root]?.bindings ?? [])]);
      return closure;
    },
    finish() {
      const scope = scopes[closure];
      if (scope && tracked) scope.bindings = [...new Set([...scope.bindings, ...log])];
    },
  };
  return flow;
}
