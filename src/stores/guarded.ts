import type { GraphReader, GraphStore } from './graph/port.ts';
import { createGuard, guarded } from './guard.ts';
import type { Calls } from './guard.ts';
import { aggregates } from './relational/aggregates/index.ts';
import type { Aggregates, RelationalStore } from './relational/port.ts';
import type { SearchReader, SearchStore } from './search/port.ts';
import { maxSearchMs, type SourceReader, type SourceStore } from './source/port.ts';

// What requests ask goes through the guard. Loads and exports do not: they take their time, and say when they fail.

/** A graph store on a server, guarded. */
export function guardGraph(store: GraphStore, timeoutMs = 3_000): GraphStore {
  const guard = createGuard('graph', { timeoutMs });
  const questions: Calls<GraphReader> = {
    state: 'read',
    repositoryGraph: 'read',
    neighbors: 'read',
    inside: 'read',
    stateInside: 'read',
    edgesInside: 'read',
    adjacent: 'read',
    outgoing: 'read',
    impact: 'read',
    path: 'read',
    // Never twice: these have limits of their own.
    query: 'write',
    answer: 'write',
    node: 'read',
    definitions: 'read',
  };
  const calls: Calls<Omit<GraphStore, 'circuit'>> = {
    replaceRepository: 'unguarded',
    removeRepository: 'unguarded',
    replaceLinks: 'unguarded',
    linkGenerations: 'unguarded',
    generations: 'unguarded',
    everything: questions,
    within: 'unguarded',
    edges: 'unguarded',
    nodes: 'unguarded',
    ping: 'read',
    close: 'unguarded',
  };
  return {
    ...guarded(store, guard, calls),
    within: (repositories) => guarded(store.within(repositories), guard, questions),
    circuit: guard.circuit,
  };
}

/** A search store on a server, guarded. */
export function guardSearch(store: SearchStore, timeoutMs = 2_000): SearchStore {
  const guard = createGuard('search', { timeoutMs });
  const questions: Calls<SearchReader> = { search: 'read', documents: 'read' };
  const calls: Calls<Omit<SearchStore, 'circuit' | 'within'>> = {
    replaceRepository: 'unguarded',
    removeRepository: 'unguarded',
    generations: 'unguarded',
    documents: 'unguarded',
    everything: questions,
    ping: 'read',
    close: 'unguarded',
  };
  return {
    ...guarded(store, guard, calls),
    within: (repositories) => guarded(store.within(repositories), guard, questions),
    circuit: guard.circuit,
  };
}

/** A source store on a server, guarded; a search ends by itself. */
export function guardSource(store: SourceStore, timeoutMs = 2_000): SourceStore {
  const guard = createGuard('source', { timeoutMs: timeoutMs + maxSearchMs });
  const questions: Calls<SourceReader> = {
    kept: 'read',
    read: 'read',
    histories: 'read',
    search: 'read',
    commits: 'read',
  };
  const calls: Calls<Omit<SourceStore, 'circuit' | 'within'>> = {
    replaceRepository: 'unguarded',
    removeRepository: 'unguarded',
    generations: 'unguarded',
    files: 'unguarded',
    history: 'unguarded',
    ping: 'read',
    close: 'unguarded',
  };
  return {
    ...guarded(store, guard, calls),
    within: (repositories) => guarded(store.within(repositories), guard, questions),
    circuit: guard.circuit,
  };
}

/** A relational store on a server, guarded; an aggregate says itself how it is called. */
export function guardRelational(store: RelationalStore, timeoutMs = 3_000): RelationalStore {
  const guard = createGuard('relational', { timeoutMs });
  const ofAggregates = Object.fromEntries(Object.entries(aggregates).map(([name, { calls }]) => [name, calls]));
  const calls: Calls<Omit<RelationalStore, 'circuit'>> = {
    ...(ofAggregates as unknown as Calls<Aggregates>),
    idempotency: { once: 'write' },
    tenant: 'write',
    purge: 'unguarded',
    jobs: 'unguarded',
    backlog: 'read',
    exclusively: 'unguarded',
    ping: 'read',
    close: 'unguarded',
  };
  return { ...guarded(store, guard, calls), circuit: guard.circuit };
}
