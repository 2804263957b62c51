import type { Document } from '../facts/document.ts';
import type { Flow, FlowFunction, FlowTo } from '../facts/flow.ts';
import type { InsecureCode, Place } from '../facts/insecure-code.ts';
import type { Resolution, ResolvedEdge } from './resolution.ts';

/** Data is not followed over more calls. */
export const maxCalls = 8;
/** More insecure places that one parameter comes to are not told. */
const maxSinks = 50;
/** What is insecure where a parameter comes to, if a request fills it. */
interface Sink {
  /** By place and rule. */
  name: string;
  rule: string;
  severity: InsecureCode['severity'];
  at: Place;
  /** From the parameter on. */
  way: readonly Place[];
}

type Argument = Flow & { to: Extract<FlowTo, { kind: 'argument' }> };
export interface Passed {
  path: string;
  flow: Argument;
}

type ToSink = Flow & { to: Extract<FlowTo, { kind: 'sink' }> };

/** Flows by what they say, each with its file. */
export interface Sorted {
  sinks: { path: string; flow: ToSink }[];
  passed: Passed[];
  /** From a request into a call. */
  handed: Passed[];
  returned: { path: string; flow: Flow; of: FlowFunction }[];
}

/** The same findings, and those over calls; what was known of a place is told by the worse of the two. */
export function insecureWith(
  known: ReadonlyMap<string, readonly InsecureCode[]>,
  found: ReadonlyMap<string, readonly InsecureCode[]>,
): Map<string, readonly InsecureCode[]> {
  const result = new Map(known);
  for (const [path, more] of found) {
    const kept = new Map((known.get(path) ?? []).map((each) => [`${each.line} ${each.rule}`, each]));
    for (const each of more) {
      const key = `${each.line} ${each.rule}`;
      const before = kept.get(key);
      if (before === undefined || severities.indexOf(before.severity) < severities.indexOf(each.severity))
        kept.set(key, each);
    }
    result.set(
      path,
      [...kept.values()].sort((a, b) => a.line - b.line || (a.rule < b.rule ? -1 : 1)),
    );
  }
  return result;
}

const severities: readonly InsecureCode['severity'][] = ['low', 'medium', 'high', 'critical'];

/**
 * What is insecure because data of a request comes there over calls, by the path of the file in which it does harm. Of each function it is
 * worked out which of its parameters come to what, from the callee to the caller, along the calls of the graph: `edgesOf` gives those of a
 * file, and is asked only for files that a request's data comes to.
 */
export function insecureOverCalls(
  sorted: Sorted,
  documents: readonly Document[],
  edgesOf: (path: string) => Iterable<ResolvedEdge>,
): Map<string, InsecureCode[]> {
  return byPath(reachedBy(sorted, callsOf(documents, edgesOf)));
}

/** Of a graph that is whole the edges of each file that such data may go on by. */
export function edgesByFile(
  { sinks, passed, handed }: Sorted,
  documents: readonly Document[],
  { edges }: Pick<Resolution, 'edges'>,
): (path: string) => Iterable<ResolvedEdge> {
  const wanted = new Map<string, Set<string>>();
  const want = (path: string, { call, as = call }: { call: string; as?: string }) =>
    wanted.set(path, (wanted.get(path) ?? new Set<string>()).add(call).add(as));
  for (const { path, flow } of [...passed, ...handed]) want(path, flow.to);
  for (const { path, flow } of sinks) if (flow.from.kind === 'result') want(path, flow.from);
  const byFile = new Map<string, ResolvedEdge[]>();
  for (const edge of edges) {
    const { path = '' } = documents[edge.from.document] ?? {};
    const words = edge.type === 'CALLS' ? wanted.get(path) : undefined;
    const target = words && documents[edge.to.document]?.facts.definitions[edge.to.definition];
    if (!target || !(words.has(edge.name) || words.has(target.name))) continue;
    const known = byFile.get(path);
    if (known) known.push(edge);
    else byFile.set(path, [edge]);
  }
  return (path) => byFile.get(path) ?? [];
}

/** Whom a call in a file leads to. */
type Calls = (path: string, at: { call: string; as?: string; line: number }) => readonly Target[];

interface Target {
  path: string;
  of: FlowFunction;
}

/**
 * What a parameter comes to, by the name of the sink; what the round before found of it, and what this one does. A class, as there are very
 * many, of which few come to anything.
 */
class Reached {
  /** A request's data comes to it. */
  isFilled = false;
  /** Where it is handed on. */
  goesOn: Passed[] | null = null;
  sinks: Map<string, Sink> | null = null;
  fresh: readonly Sink[] | null = null;
  next: Sink[] | null = null;
}

/** By place and rule. */
function reachedBy({ sinks, passed, handed, returned }: Sorted, calls: Calls): Map<string, InsecureCode> {
  const reached = new Map<string, Reached>();
  const reachedOf = (path: string, of: FlowFunction, which: number | string): Reached => {
    const key = keyOf(path, of, which);
    let known = reached.get(key);
    if (!known) reached.set(key, (known = new Reached()));
    return known;
  };
  /** A parameter is passed by its place or by its name. */
  const filledBy = (path: string, from: Flow['from']): readonly Reached[] =>
    from.kind === 'parameter' ? [reachedOf(path, from.of, from.index), reachedOf(path, from.of, from.name)] : [];
  const targetsOf = remembered((path, { to }) =>
    calls(path, to).map((target) => reachedOf(target.path, target.of, to.argument)),
  );
  let changed: Reached[] = [];
  /** `way` from the parameter on, which is asked for only where the sink is new. */
  const add = (parameters: readonly Reached[], sink: Omit<Sink, 'way'>, way: () => readonly Place[]) => {
    let made: Sink | undefined;
    for (const parameter of parameters) {
      const known = (parameter.sinks ??= new Map());
      if (known.size >= maxSinks || known.has(sink.name)) continue;
      made ??= { ...sink, way: way() };
      known.set(sink.name, made);
      if (parameter.next) parameter.next.push(made);
      else {
        parameter.next = [made];
        changed.push(parameter);
      }
    }
  };
  const followed = followedFrom(handed, passed, { filledBy, targetsOf });
  for (const { path, flow } of sinks)
    add(filledBy(path, flow.from).filter(isFilled), sinkAt(path, flow.to), () => placesOf(path, flow.steps));
  // Each round goes one call up, so the shortest way is found first. It hands on only what the one before has added, as all else has been
  // handed on by then.
  for (let round = 0; round < maxCalls && changed.length > 0; round++) {
    const before = changed;
    changed = [];
    for (const parameter of before) [parameter.fresh, parameter.next] = [parameter.next, null];
    for (const { path, flow } of followed) {
      const parameters = filledBy(path, flow.from);
      for (const { fresh } of targetsOf(path, flow))
        for (const sink of fresh ?? [])
          if (flow.clean?.includes(sink.rule) !== true)
            add(parameters, sink, () => [...placesOf(path, flow.steps), ...sink.way]);
    }
    for (const parameter of before) parameter.fresh = null;
  }
  const found = new Map<string, InsecureCode>();
  const tell = (sink: Omit<Sink, 'way'>, way: readonly Place[]) => {
    const key = `${sink.at.path} ${sink.at.line} ${sink.rule}`;
    // What stays in one file the file tells by itself.
    if (way.every(({ path }) => path === sink.at.path)) return;
    const known = found.get(key);
    if (known?.way && known.way.length <= way.length) return;
    found.set(key, { rule: sink.rule, line: sink.at.line, severity: sink.severity, way });
  };
  for (const { path, flow } of handed)
    for (const target of targetsOf(path, flow))
      for (const sink of target.sinks?.values() ?? [])
        if (flow.clean?.includes(sink.rule) !== true) tell(sink, [...placesOf(path, flow.steps), ...sink.way]);
  const givers = new Map(returned.map((each) => [keyOf(each.path, each.of, ''), each]));
  for (const { path, flow } of sinks) {
    if (flow.from.kind !== 'result') continue;
    for (const target of calls(path, flow.from)) {
      const giver = givers.get(keyOf(target.path, target.of, ''));
      if (!giver || giver.flow.clean?.includes(flow.to.rule) === true) continue;
      const way = [...placesOf(giver.path, giver.flow.steps), ...placesOf(path, flow.steps)];
      tell(sinkAt(path, flow.to), way);
    }
  }
  return found;
}

const isFilled = (parameter: Reached) => parameter.isFilled;

/** Of what parameters hand on, in its order, that to which data of a request comes; marks the parameters. */
function followedFrom(
  handed: readonly Passed[],
  passed: readonly Passed[],
  among: {
    filledBy(path: string, from: Flow['from']): readonly Reached[];
    targetsOf(path: string, flow: Argument): readonly Reached[];
  },
): Passed[] {
  for (const each of passed)
    for (const parameter of among.filledBy(each.path, each.flow.from)) (parameter.goesOn ??= []).push(each);
  const followed = new Set<Passed>();
  let frontier = new Set(handed);
  // One call more than are followed back: that from which it is handed first.
  for (let round = 0; round <= maxCalls && frontier.size > 0; round++) {
    const next = new Set<Passed>();
    for (const { path, flow } of frontier)
      for (const parameter of among.targetsOf(path, flow)) {
        if (parameter.isFilled) continue;
        parameter.isFilled = true;
        for (const each of parameter.goesOn ?? []) if (!followed.has(each)) next.add(each);
      }
    for (const each of next) followed.add(each);
    frontier = next;
  }
  return passed.filter((each) => followed.has(each));
}

/** So many places are remembered: some calls may lead to all that there is. */
const maxTargets = 200_000;

/** What arguments fill: each round asks for all of it again. */
function remembered(find: (path: string, flow: Argument) => readonly Reached[]): typeof find {
  const known = new Map<Argument, readonly Reached[]>();
  let count = 0;
  return (path, flow) => {
    const before = known.get(flow);
    if (before) return before;
    const targets = find(path, flow);
    count += targets.length;
    if (count <= maxTargets) known.set(flow, targets);
    return targets;
  };
}

const keyOf = (path: string, { name, line }: FlowFunction, which: number | string) =>
  `${path}\n${line} ${name} ${which}`;
const sinkAt = (path: string, to: ToSink['to']): Omit<Sink, 'way'> => {
  const { rule, severity, line } = to;
  return { name: `${rule} ${path} ${line}`, rule, severity, at: { path, line } };
};
const placesOf = (path: string, lines: readonly number[]): Place[] => lines.map((line) => ({ path, line }));

function byPath(found: ReadonlyMap<string, InsecureCode>): Map<string, InsecureCode[]> {
  const result = new Map<string, InsecureCode[]>();
  for (const [key, each] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const path = key.slice(0, key.length - ` ${each.line} ${each.rule}`.length);
    const known = result.get(path);
    if (known) known.push(each);
    else result.set(path, [each]);
  }
  return result;
}

/** A call of the graph: the lines of who calls, and whom. */
interface Called extends Target {
  from: number;
  to: number;
  /** Of who is called, as it is called there and where it is defined. */
  names: readonly string[];
}

/** Whom a call on a line leads to, by edges from the definitions around it that lead to what has its name. */
function callsOf(documents: readonly Document[], edgesOf: (path: string) => Iterable<ResolvedEdge>): Calls {
  const calledIn = (path: string): Called[] => {
    const called: Called[] = [];
    for (const { type, from, to, name, confidence } of edgesOf(path)) {
      // A name that several things may have is a guess.
      if (type !== 'CALLS' || confidence < 0.5) continue;
      const [caller, callee] = [documents[from.document], documents[to.document]];
      const target = callee?.facts.definitions[to.definition];
      if (!caller || !target) continue;
      const around = caller.facts.definitions[from.definition];
      called.push({
        from: around?.line ?? 0,
        to: around?.endLine ?? Infinity,
        names: [name, target.name],
        path: callee.path,
        of: { name: target.name, line: target.line },
      });
    }
    return called;
  };
  const known = new Map<string, Called[]>();
  return (path, { call, as = call, line }) => {
    const called = known.get(path) ?? calledIn(path);
    known.set(path, called);
    return called.filter(
      ({ from, to, names }) => from <= line && line <= to && (names.includes(call) || names.includes(as)),
    );
  };
}
