import { languageOf } from './languages/index.ts';
import type { Semantics } from './languages/language.ts';
import { ecosystemById } from '../src/model/ecosystems/index.ts';
import { nodeId, type GraphEdge } from '../src/model/graph.ts';
import type { Boundary, OutsideReference, OutsideWay, Surface } from '../src/model/snapshot.ts';

/** A repository that others may use, by what it gives. */
export interface Provider {
  repository: string;
  surface: Surface;
}

/** A definition where a way ends, and whether its last steps were members of something. */
interface Arrival extends Provider {
  target: string;
  byMember: boolean;
}

/** What stays the same on a way: where it may lead on to, and how many arguments its end is called with. */
interface Journey {
  beyond: readonly Provider[];
  count: number | null;
  /** What the containers of the language have that the way is written in. */
  containers: Semantics['arrayMembers'];
}

const sureness = { import: 0.9, receiver_type: 0.8, inheritance: 0.9 };
/** Repositories that a way may lead through. */
const maxHops = 4;

/**
 * IMPORTS, CALLS and INHERITS from one repository to definitions of others, where what its imports lead to is found by the names
 * that those give, or that they in turn have from `beyond`. Beside each CALLS and INHERITS there is one between the repositories,
 * which adds them up. Sorted.
 */
export function linkSymbols(
  repository: string,
  references: Boundary['references'],
  providers: readonly Provider[],
  beyond: readonly Provider[] = providers,
): GraphEdge[] {
  const edges = new Map<string, GraphEdge>();
  for (const reference of references) {
    const { type, from, weight, file: path, line } = reference;
    const found = ends(repository, reference, providers, beyond);
    for (const { name, to, strategy } of found) {
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

interface End {
  name: string;
  to: string;
  strategy: keyof typeof sureness;
}

/** The definitions that a use may mean, each once. */
function ends(
  repository: string,
  { type, module, path, around, file, arguments: count }: OutsideReference,
  providers: readonly Provider[],
  beyond: readonly Provider[],
): End[] {
  const containers = containersOf(file);
  const journey = { beyond, count: type === 'CALLS' ? count : null, containers };
  const found = new Map<string, End>();
  const direct = arrive(journey, providers, { module, path, around }, maxHops);
  // What a dependency brings along can be imported too.
  const arrivals = direct.length > 0 ? direct : arrive(journey, beyond, { module, path, around }, maxHops);
  for (const { repository: name, surface, target, byMember } of arrivals) {
    // Several of something are no definition.
    if (target.endsWith('[]')) continue;
    const isInstance = target.endsWith('()');
    const to = isInstance ? target.slice(0, -2) : target;
    // It may lead back to where it comes from.
    if (name === repository) continue;
    if (type !== 'IMPORTS' && (isInstance || (type === 'INHERITS' && !Object.hasOwn(surface.classes, to)))) continue;
    const strategy = type === 'INHERITS' ? 'inheritance' : byMember && type === 'CALLS' ? 'receiver_type' : 'import';
    found.set(`${name}/${to}`, { name, to, strategy });
  }
  return [...found.values()];
}

/** Where a way ends in each of these repositories that has its beginning. */
function arrive(
  journey: Journey,
  among: readonly Provider[],
  { module, path, around = [] }: OutsideWay,
  hops: number,
): Arrival[] {
  for (const start of [...around, '']) {
    // A name in a module is one step, also of a class in it.
    const steps = [start, ...path].filter((step) => step !== '').flatMap((step) => step.split('.'));
    const found = among.flatMap((provider) => {
      const begun = enter(provider.surface, module, steps);
      return begun ? goOn(journey, provider, begun.target, begun.rest, hops) : [];
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** Where the rest of a way ends, from a definition; some lead on to other repositories. */
function goOn(
  journey: Journey,
  provider: Provider,
  target: string,
  rest: readonly string[],
  hops: number,
  byMember = false,
): Arrival[] {
  const { classes, results, outside } = provider.surface;
  const ways = own(outside, target);
  if (ways) {
    const on = ways.map((way) => ({ ...way, path: [...way.path, ...rest] }));
    return hops === 0 ? [] : on.flatMap((way) => arrive(journey, journey.beyond, way, hops - 1));
  }
  const [step, ...further] = rest;
  if (step === undefined) return [{ ...provider, target, byMember }];
  if (target.endsWith('[]')) return inContainer(journey, provider, target, rest, hops);
  const id = target.replace(/\(\)$/, '');
  const described = own(classes, id);
  if (step === '()') {
    const next = described ? (target === id ? `${id}()` : undefined) : own(results, id);
    return next === undefined ? [] : goOn(journey, provider, next, further, hops, true);
  }
  const count = further.length === 0 ? journey.count : null;
  for (const one of [id, ...(described?.bases ?? [])]) {
    const members = own(classes, one)?.members;
    const ofCount =
      members && count !== null ? (own(members, `${step}/${count}`) ?? own(members, `${step}/*`)) : undefined;
    const next = ofCount ?? (members && own(members, step));
    if (next !== undefined) return goOn(journey, provider, next, further, hops, true);
    const above = Object.hasOwn(outside, one) ? goOn(journey, provider, one, rest, hops) : [];
    if (above.length > 0) return above;
  }
  return [];
}

/** Where a way goes on from several of something: to one of them, or by what the language's own containers have. */
function inContainer(
  journey: Journey,
  provider: Provider,
  target: string,
  [step = '', ...further]: readonly string[],
  hops: number,
): Arrival[] {
  const element = target.slice(0, -2);
  if (step === '[]') return goOn(journey, provider, element, further, hops, true);
  if (further[0] !== '()' || !Object.hasOwn(journey.containers, step)) return [];
  const gives = journey.containers[step]?.gives;
  const next = gives === 'element' ? element : gives === 'self' || gives === 'elements' ? target : null;
  return next === null ? [] : goOn(journey, provider, next, further.slice(1), hops, true);
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
      const name = path.slice(0, length).join('.');
      const rest = path.slice(length);
      // A module in it may hand on all names of another repository.
      const any = length > 0 && rest.length > 0 ? own(names, `${name}.*`) : undefined;
      const target = any ?? own(names, name);
      if (target !== undefined) return { target, rest };
    }
    // The default of a module that has none is the module.
    if (path[0] === 'default') return enter(surface, module, path.slice(1));
    const any = own(names, '*');
    if (any !== undefined) return { target: any, rest: path };
  }
  if (module.endsWith(' ')) return enterInFull(surface, module, path);
  const [first, ...rest] = path;
  const inner = `${module}.${first}`;
  return first !== undefined && Object.hasOwn(modules, inner) ? enter(surface, inner, rest) : null;
}

/** The same where the names begin with those of the module itself. */
function enterInFull(surface: Surface, ecosystem: string, path: readonly string[]): ReturnType<typeof enter> {
  const separator = ecosystemById(ecosystem.trim())?.moduleSeparator ?? '.';
  for (let length = path.length; length > 0; length--) {
    const module = ecosystem + path.slice(0, length).join(separator);
    if (Object.hasOwn(surface.modules, module)) return enter(surface, module, path.slice(length));
  }
  return null;
}

const containersOf = (file: string): Semantics['arrayMembers'] => languageOf(file)?.semantics.arrayMembers ?? {};

const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
