import type { Ancestor } from './evaluate.ts';
import type { Definition, Expr } from '../facts/fact.ts';
import type { FunctionValue, InstanceValue, Value, Values } from './value.ts';

interface Place {
  document: number;
  definition: number;
}

/** What choosing needs to know of the rest. */
export interface OverloadContext {
  definitionOf(document: number, definition: number): Definition;
  /** All functions that a call of this one may mean, the nearest class's first. */
  candidates(value: FunctionValue): readonly Place[];
  /** Of each parameter, what it takes. */
  parameterTypes(place: Place): readonly Values[];
  evaluate(document: number, expr: Expr): Values;
  ancestors(document: number, definition: number): { list: readonly Ancestor[]; external: boolean };
  boundOf(value: Extract<Value, { kind: 'variable' }>): Values;
  isLibrary(document: number): boolean;
  /** The one abstract method of an interface, by which a function can stand for it. */
  functionalMethod(value: InstanceValue): Place | null;
}

// Costs of a conversion. An ancestor costs as many steps as it stands away, so that the most specific declaration wins.
const impossible = 1000;
const perhaps = 40;
const unboxed = 24;
const anything = 20;
const farthest = 16;
const variableArity = 100;

/** Says which of several declarations of one name a call means: by how many arguments it has, then by what is known of their types. */
export function createOverloads(context: OverloadContext) {
  const chosen = new WeakMap<readonly Expr[], Map<string, FunctionValue>>();
  const sorted = new WeakMap<readonly Ancestor[], readonly Ancestor[]>();

  return { choose, likeliest };

  /** The declaration that a call with these arguments, and so many type arguments, reaches; the same function where that is the only one. */
  function choose(value: FunctionValue, args: readonly Expr[], callDocument: number, types: number): FunctionValue {
    const self = value.self && 'definition' in value.self ? `${value.self.document} ${value.self.definition}` : '';
    const key = `${value.document} ${value.definition} ${self}`;
    const memory = chosen.get(args) ?? new Map<string, FunctionValue>();
    chosen.set(args, memory);
    const known = memory.get(key);
    if (known) return known;
    // What is asked for while it is being chosen is the function asked for.
    memory.set(key, value);
    const place = best(ofArity(context.candidates(value), types), args, callDocument);
    const result = place ? { ...value, document: place.document, definition: place.definition } : value;
    memory.set(key, result);
    return result;
  }

  /** Those that the arguments speak for; several where they say nothing. */
  function likeliest<P extends Place>(
    candidates: readonly P[],
    args: readonly Expr[],
    callDocument: number,
  ): readonly P[] {
    const values = args.map((arg) => context.evaluate(callDocument, arg));
    const costs = candidates.map((place) => (fits(place, args.length) ? costOf(place, values) : impossible));
    const lowest = Math.min(...costs);
    return candidates.filter((_, index) => costs[index] === lowest);
  }

  /** Those that take so many type arguments, or at least so many, where any are given. */
  function ofArity(candidates: readonly Place[], types: number): readonly Place[] {
    if (types === 0 || candidates.length < 2) return candidates;
    const taken = (place: Place) => context.definitionOf(place.document, place.definition).typeParameters.length;
    const exact = candidates.filter((place) => taken(place) === types);
    const enough = exact.length > 0 ? exact : candidates.filter((place) => taken(place) > types);
    return enough.length > 0 ? enough : candidates;
  }

  function best(candidates: readonly Place[], args: readonly Expr[], callDocument: number): Place | undefined {
    if (candidates.length < 2) return candidates[0];
    const fitting = candidates.filter((place) => fits(place, args.length));
    if (fitting.length < 2) return fitting[0] ?? candidates[0];
    const values = args.map((arg) => context.evaluate(callDocument, arg));
    let winner: Place | undefined;
    let lowest = Infinity;
    for (const place of fitting) {
      const cost = costOf(place, values);
      // Of equals the first, unless another overrides it.
      if (cost > lowest || (cost === lowest && !(winner && overrides(place, winner)))) continue;
      lowest = cost;
      winner = place;
    }
    return winner;
  }

  function overrides(place: Place, other: Place): boolean {
    const { owner } = context.definitionOf(place.document, place.definition);
    const above = {
      document: other.document,
      definition: context.definitionOf(other.document, other.definition).owner,
    };
    // Methods apart from their class are all of the same one.
    if (owner < 0 || above.definition < 0) return false;
    const { list } = context.ancestors(place.document, owner);
    return list.findIndex((one) => same(one, above)) > 0;
  }

  function fits({ document, definition }: Place, count: number): boolean {
    const { parameters } = context.definitionOf(document, definition);
    const needed = parameters.filter((one) => !one.optional && !one.rest && !one.default).length;
    return count >= needed && (count <= parameters.length || parameters.at(-1)?.rest === true);
  }

  function costOf(place: Place, args: readonly Values[]): number {
    const { parameters } = context.definitionOf(place.document, place.definition);
    const types = context.parameterTypes(place);
    const each = (spread: boolean) =>
      args.reduce((sum, have, index) => {
        const last = index >= parameters.length - 1 && parameters.at(-1)?.rest === true;
        const wanted = types[Math.min(index, types.length - 1)] ?? [];
        return (
          sum +
          cost(last && spread ? wanted.flatMap((one) => (one.kind === 'array' ? one.element : [one])) : wanted, have)
        );
      }, 0);
    if (parameters.at(-1)?.rest !== true) return each(false);
    // An array may be passed as it is for a parameter that takes any number.
    const whole = args.length === parameters.length && args.at(-1)?.some(({ kind }) => kind === 'array');
    return Math.min(whole ? each(false) : Infinity, variableArity + each(true));
  }

  function cost(wanted: Values, have: Values): number {
    if (wanted.length === 0 || have.length === 0) return 0;
    let lowest = impossible;
    for (const want of wanted) for (const value of have) lowest = Math.min(lowest, conversion(want, value));
    return lowest;
  }

  function conversion(want: Value, have: Value): number {
    if (have.kind === 'module' || have.kind === 'super' || have.kind === 'container_method') return 0;
    if (want.kind === 'variable') {
      const bound = context.boundOf(want);
      if (bound.length > 0) {
        const values = have.kind === 'variable' ? context.boundOf(have) : [have];
        return values.length > 0 ? 1 + cost(bound, values) : perhaps;
      }
      return isPrimitive(have) ? anything + 1 : anything;
    }
    if (have.kind === 'variable') {
      const bound = context.boundOf(have);
      return bound.length > 0 ? cost([want], bound) : isRoot(want) ? 0 : perhaps;
    }
    if (have.kind === 'function' || have.kind === 'callable' || have.kind === 'class') return asFunction(want, have);
    if (want.kind === 'array') {
      if (have.kind !== 'array') return impossible;
      const each = cost(want.element, have.element);
      // Arrays of primitive values are what they are.
      if (each > 0 && [...want.element, ...have.element].some(isPrimitive)) return impossible;
      return Math.min(each, each < perhaps ? anything - 1 : impossible);
    }
    if (isRoot(want)) return isRoot(have) ? 0 : isPrimitive(have) ? anything + 1 : anything;
    if (isRoot(have) && isPrimitive(want)) return impossible;
    if (want.kind === 'instance' && have.kind === 'instance') {
      const above = context.ancestors(have.document, have.definition);
      const place = nearest(have.document, have.definition).findIndex((one) => same(one, want));
      if (place >= 0) return Math.min(place, farthest);
      const below = nearest(want.document, want.definition).findIndex((one) => same(one, have));
      // Only a value that is known less exactly than it is, or one that is unboxed.
      if (below >= 0) return unboxed + Math.min(below, farthest);
      // Not all bases of what lies outside are known, but no class from there extends one of the repository.
      const isOpen = above.external && context.isLibrary(want.document) && !isPrimitive(want) && !isPrimitive(have);
      return isOpen && context.definitionOf(want.document, want.definition).kind === 'interface' ? perhaps : impossible;
    }
    if (have.kind === 'external') {
      if (want.kind !== 'external') return isPrimitive(want) ? perhaps + 1 : perhaps;
      return isSameName(want.name, have.name) ? 0 : perhaps - 1;
    }
    if (want.kind === 'external') {
      const outside = have.kind === 'instance' && context.ancestors(have.document, have.definition).external;
      return outside ? anything : perhaps + 1;
    }
    return want.kind === have.kind ? 1 : impossible;
  }

  /** A class and what is above it, step by step. */
  function nearest(document: number, definition: number): readonly Ancestor[] {
    const { list } = context.ancestors(document, definition);
    const known = sorted.get(list);
    if (known) return known;
    const steps = list.toSorted((a, b) => a.depth - b.depth);
    sorted.set(list, steps);
    return steps;
  }

  /** The class at the top of all others takes everything. */
  function isRoot(value: Value): boolean {
    if (value.kind !== 'instance' && value.kind !== 'external') return false;
    const name = value.kind === 'external' ? value.name : context.definitionOf(value.document, value.definition).name;
    return name === 'Object';
  }

  /** Of a library's hidden classes, which stand for what are no classes in the language. */
  function isPrimitive(value: Value): boolean {
    return (
      value.kind === 'instance' &&
      context.isLibrary(value.document) &&
      context.definitionOf(value.document, value.definition).name.startsWith('_')
    );
  }

  function asFunction(want: Value, have: Value): number {
    if (want.kind === 'callable' || want.kind === 'function') return 1;
    if (want.kind === 'external') return anything;
    if (want.kind !== 'instance') return impossible;
    const method = context.functionalMethod(want);
    if (!method) return impossible;
    if (have.kind !== 'function') return 2;
    const { name, parameters } = context.definitionOf(have.document, have.definition);
    if (name !== '') return 2;
    const expected = context.definitionOf(method.document, method.definition).parameters;
    return parameters.length === expected.length ? 1 : impossible;
  }
}

/** One of them may be written with its package; a constant of a class is taken for one of its instances. */
function isSameName(type: string, value: string): boolean {
  const name = value.replace(/\.[\p{Lu}\d_]+$/u, '');
  return type === name || type.endsWith(`.${name}`) || name.endsWith(`.${type}`);
}

function same(a: Place, b: Place): boolean {
  return a.document === b.document && a.definition === b.definition;
}
