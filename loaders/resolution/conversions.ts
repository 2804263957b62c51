import type { Ancestor } from './ancestors.ts';
import { sameDefinition } from './definition-ref.ts';
import { conversionName, type Definition } from '../facts/fact.ts';
import type { Engine } from './engine.ts';
import {
  type ClassValue,
  type FunctionValue,
  type InstanceValue,
  unknown,
  type Value,
  type Values,
  type VariableValue,
} from './value.ts';

// Costs of a conversion. An ancestor costs as many steps as it stands away, so that the most specific declaration wins.
export const impossible = 1000;
const perhaps = 40;
const unboxed = 24;
const anything = 20;
const farthest = 16;
const converted = 38;
/** Less than a step upwards. */
const byVariable = 0.1;
/** What may only be a container is taken for one after any number of arguments that fit. */
const perhapsContainer = 120;

/** Classes above all others, by the names that languages give them. */
const roots: ReadonlySet<string> = new Set(['Object', 'object', 'Any', 'AnyRef']);

type Around = Pick<Engine, 'documents' | 'memory' | 'ancestors' | 'generics' | 'classes' | 'types' | 'calls'>;

/** What it costs to take a value where a type is asked for: 0 for the same, more the further away, `impossible` where it can't be. */
export class Conversions {
  readonly #engine: Around;
  /** Of each class, how many parameters its methods have that have one name. */
  readonly #counts = new WeakMap<Definition, Map<string, readonly number[]>>();

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** The cheapest of what is wanted and what is there; 0 where nothing is known. */
  cost(wanted: Values, have: Values): number {
    if (wanted.length === 0 || have.length === 0) return 0;
    let lowest = impossible;
    for (const want of wanted) for (const value of have) lowest = Math.min(lowest, this.#conversion(want, value));
    return lowest;
  }

  #conversion(want: Value, have: Value): number {
    if (have.kind === 'module' || have.kind === 'super' || have.kind === 'container_method') return 0;
    if (want.kind === 'variable') return this.#toVariable(want, have);
    if (have.kind === 'variable') {
      const bound = this.#engine.generics.boundOf(have);
      return bound.length > 0 ? this.cost([want], bound) : this.#isRoot(want) ? 0 : perhaps;
    }
    if (have.kind === 'class' && want.kind === 'instance' && this.#isObject(have))
      return this.#conversion(want, { ...have, kind: 'instance', args: [] });
    if (have.kind === 'function' || have.kind === 'callable' || have.kind === 'class')
      return this.#fromFunction(want, have);
    if (want.kind === 'array') {
      if (have.kind === 'array') return this.#arrays(want.element, have.element) + betweenContainers(want.as, have.as);
      return this.#mayBeContainer(have) ? perhapsContainer : impossible;
    }
    if (this.#isRoot(want)) return this.#isRoot(have) ? 0 : this.#isPrimitive(have) ? anything + 1 : anything;
    if (this.#isRoot(have) && this.#isPrimitive(want)) return impossible;
    if (want.kind === 'instance' && have.kind === 'instance') return this.#instances(want, have);
    return this.#external(want, have);
  }

  /** Where a class's name stands for a value, it is the class's one object. */
  #isObject({ document }: ClassValue): boolean {
    return this.#engine.documents.at(document).semantics.classNamesAreObjects === true;
  }

  #toVariable(want: VariableValue, have: Value): number {
    const { generics } = this.#engine;
    const bound = generics.boundOf(want);
    if (bound.length === 0) return this.#isPrimitive(have) ? anything + 1 : anything;
    const values = have.kind === 'variable' ? generics.boundOf(have) : [have];
    return values.length > 0 ? 1 + this.cost(bound, values) : perhaps;
  }

  /** A class that has bases outside, where containers are classes. */
  #mayBeContainer(have: Value): boolean {
    const { documents, ancestors } = this.#engine;
    if (have.kind !== 'instance' || !documents.at(have.document).semantics.openContainers) return false;
    return ancestors.of(have.document, have.definition).external;
  }

  #arrays(want: Values, have: Values): number {
    const each = this.cost(want, have);
    // Arrays of primitive values are what they are.
    const isAny = want.some((one) => one.kind === 'variable' && this.#takesPrimitives(one));
    if (each > 0 && !isAny && [...want, ...have].some((value) => this.#isPrimitive(value))) return impossible;
    return Math.min(each, each < perhaps ? anything - 1 : impossible);
  }

  #takesPrimitives({ document }: VariableValue): boolean {
    return this.#engine.documents.at(document).semantics.parametersTakePrimitives === true;
  }

  #instances(want: InstanceValue, have: InstanceValue): number {
    const { documents, ancestors } = this.#engine;
    const above = ancestors.of(have.document, have.definition);
    const distance = this.#nearest(have).findIndex((one) => sameDefinition(one, want));
    if (distance === 0) return this.#argumentsApart(want, have);
    if (distance > 0) return Math.min(distance, farthest);
    const below = this.#nearest(want).findIndex((one) => sameDefinition(one, have));
    // Only a value that is known less exactly than it is, or one that is unboxed.
    if (below >= 0) return unboxed + Math.min(below, farthest);
    if (this.#converts(want, have)) return converted;
    // Not all bases of what lies outside are known, but no class from there extends one of the repository.
    const isOpen =
      above.external && documents.at(want.document).library && !this.#isPrimitive(want) && !this.#isPrimitive(have);
    return isOpen && documents.definition(want.document, want.definition).kind === 'interface' ? perhaps : impossible;
  }

  /** Of one class, how far its type arguments are from those that are asked for: any is less exact than the very one. */
  #argumentsApart(want: InstanceValue, have: InstanceValue): number {
    const isOf = (one: InstanceValue, other: InstanceValue) =>
      this.#nearest(one).some((above) => sameDefinition(above, other));
    let cost = 0;
    for (const [index, wanted] of want.args.entries()) {
      const [first, ...more] = wanted;
      const [own, ...others] = have.args[index] ?? unknown;
      if (!first || !own || more.length > 0 || others.length > 0) continue;
      if (first.kind === 'variable') cost += byVariable;
      else if (first.kind === 'instance' && own.kind === 'instance' && !isOf(first, own) && !isOf(own, first))
        cost += unboxed;
    }
    return cost;
  }

  /** A class may say what it is made from, and what it becomes, without being asked. */
  #converts(want: InstanceValue, have: InstanceValue): boolean {
    const { documents, classes, types } = this.#engine;
    return [want, have].some((one) =>
      (classes.members(one.document, one.definition).get(conversionName) ?? []).some(({ document, member }) => {
        const { parameters, returnType } = documents.definition(document, member.definition);
        const [taken] = parameters;
        if (!taken?.type || !returnType) return false;
        const isFrom = types.of(document, taken.type).some((value) => isSameInstance(value, have));
        return isFrom && types.of(document, returnType).some((value) => isSameInstance(value, want));
      }),
    );
  }

  /** One of them, at most, is of the repository. */
  #external(want: Value, have: Value): number {
    if (have.kind === 'external') {
      if (want.kind !== 'external') return this.#isPrimitive(want) ? perhaps + 1 : perhaps;
      return isSameName(want.name, have.name) ? 0 : perhaps - 1;
    }
    if (want.kind === 'external') {
      if (have.kind !== 'instance') return perhaps + 1;
      const { documents, ancestors } = this.#engine;
      const isHeld = documents.at(have.document).semantics.wrappers?.has(want.name) === true;
      return !isHeld && ancestors.of(have.document, have.definition).external ? anything : perhaps + 1;
    }
    if (want.kind === 'tuple' && have.kind === 'tuple' && want.elements.length !== have.elements.length)
      return impossible;
    return want.kind === have.kind ? 1 : impossible;
  }

  #fromFunction(want: Value, have: Value): number {
    const { documents, ancestors } = this.#engine;
    if (want.kind === 'callable') {
      const counts = this.#parameterCounts(have);
      if (counts && !counts.includes(want.parameters.length)) return impossible;
      const isOther = this.#givesOther(want, have);
      if (isOther) return isOther;
      const cost = this.cost(want.returns, this.#returnsOf(have));
      return cost < impossible ? 1 + Math.min(cost, anything) : this.#areTuples(want.returns) ? impossible : perhaps;
    }
    if (want.kind === 'function') return 1;
    if (want.kind === 'external' || this.#isRoot(want)) return anything;
    if (want.kind !== 'instance') return impossible;
    const method = ancestors.functionalMethod(want);
    if (!method) return impossible;
    if (have.kind !== 'function') return 2;
    const { name, parameters } = documents.definition(have.document, have.definition);
    if (name !== '') return 2;
    const expected = documents.definition(method.document, method.definition).parameters;
    return parameters.length === expected.length ? 1 : impossible;
  }

  /** Of a function written in place: does it give something where nothing is asked for, or nothing where something is? */
  #givesOther(want: Extract<Value, { kind: 'callable' }>, have: Value): number {
    if (have.kind !== 'function') return 0;
    const { documents } = this.#engine;
    const { nothing } = documents.at(have.document).semantics;
    if (nothing === undefined || documents.definition(have.document, have.definition).name !== '') return 0;
    const isNothing = (one: Value) => one.kind === 'external' && one.name === nothing;
    const gives = this.#gives(have, isNothing);
    if (gives === null) return 0;
    if (want.returns.some(isNothing)) return gives ? anything : 0;
    return gives ? 0 : perhaps;
  }

  /** Whether a function gives something; null where it gives what it calls gives, and nobody knows what that is. */
  #gives(have: FunctionValue, isNothing: (value: Value) => boolean): boolean | null {
    const { documents, calls } = this.#engine;
    const [only, ...more] = documents.definition(have.document, have.definition).returns;
    if (only?.kind !== 'result' || more.length > 0) return only !== undefined;
    const given = calls.ofFunction(have.document, have, [], []);
    return given.length === 0 ? null : !given.some(isNothing);
  }

  /** What a function gives, where it says so; unknown where only its caller may tell. */
  #returnsOf(value: Value): Values {
    if (value.kind === 'callable') return value.returns;
    if (value.kind !== 'function') return unknown;
    const { documents, types, calls } = this.#engine;
    const { returnType, parameters } = documents.definition(value.document, value.definition);
    if (returnType) return types.of(value.document, returnType);
    const isTyped = parameters.length > 0 && parameters.every(({ type }) => type !== null);
    return isTyped ? calls.ofFunction(value.document, value, [], []) : unknown;
  }

  /** Tuples are told apart by their lengths, in containers, too. */
  #areTuples(values: Values): boolean {
    return (
      values.length > 0 &&
      values.every((one) => one.kind === 'tuple' || (one.kind === 'array' && this.#areTuples(one.element)))
    );
  }

  /** How many a function takes, where that is certain: one that is written in place may leave out its only one. */
  #parameterCounts(value: Value): readonly number[] | undefined {
    if (value.kind === 'callable') return [value.parameters.length];
    if (value.kind !== 'function') return undefined;
    const { documents } = this.#engine;
    const { name, parameters } = documents.definition(value.document, value.definition);
    const { lambdasListParameters } = documents.at(value.document).semantics;
    if (name !== '') return lambdasListParameters ? this.#countsOf(value, name) : undefined;
    const isOpen = lambdasListParameters ? parameters.some(({ rest }) => rest) : parameters.length === 0;
    return isOpen ? undefined : [parameters.length];
  }

  /** Of a method that is named where a function is asked for: of all that have its name. */
  #countsOf({ document, definition }: FunctionValue, name: string): readonly number[] | undefined {
    const { documents, classes, ancestors } = this.#engine;
    const { owner, kind, extension } = documents.definition(document, definition);
    if (owner < 0 || kind !== 'method' || extension) return undefined;
    const ofClass = documents.definition(document, owner);
    const byName = this.#counts.get(ofClass) ?? new Map<string, readonly number[]>();
    this.#counts.set(ofClass, byName);
    const known = byName.get(name);
    if (known) return known;
    const all = ancestors
      .of(document, owner)
      .list.flatMap((one) => classes.members(one.document, one.definition).get(name) ?? [])
      .filter(({ member }) => member.definition >= 0)
      .map((one) => documents.definition(one.document, one.member.definition).parameters.length);
    const counts = [...new Set(all)];
    byName.set(name, counts);
    return counts;
  }

  /** A class and what is above it, step by step. */
  #nearest({ document, definition }: InstanceValue): readonly Ancestor[] {
    const { memory, ancestors } = this.#engine;
    const { list } = ancestors.of(document, definition);
    const known = memory.byDistance.get(list);
    if (known) return known;
    const steps = list.toSorted((a, b) => a.depth - b.depth);
    memory.byDistance.set(list, steps);
    return steps;
  }

  /** The class at the top of all others takes everything. */
  #isRoot(value: Value): boolean {
    if (value.kind !== 'instance' && value.kind !== 'external') return false;
    const name =
      value.kind === 'external' ? value.name : this.#engine.documents.definition(value.document, value.definition).name;
    return roots.has(name);
  }

  /** Of a library's hidden classes, which stand for what are no classes in the language. */
  #isPrimitive(value: Value): boolean {
    const { documents } = this.#engine;
    return (
      value.kind === 'instance' &&
      documents.at(value.document).library &&
      documents.definition(value.document, value.definition).name.startsWith('_')
    );
  }
}

/** Where arrays and containers are types of their own: what is only a container is no array; the more general costs more. */
function betweenContainers(want: string | undefined, have: string | undefined): number {
  if (want === have) return 0;
  if (want === undefined) return impossible;
  const steps = generality.findIndex((one) => one.test(want));
  return steps < 0 ? perhaps : steps + 1;
}

const generality = [/^I(?:ReadOnly)?(?:List|Set)$/, /^I(?:ReadOnly)?Collection$/, /^IEnumerable$/];

const isSameInstance = (value: Value, other: InstanceValue): boolean =>
  value.kind === 'instance' && sameDefinition(value, other);

/** One of them may be written with its package; a constant of a class is taken for one of its instances. */
function isSameName(type: string, value: string): boolean {
  const name = value.replace(/\.[\p{Lu}\d_]+$/u, '');
  return type === name || type.endsWith(`.${name}`) || name.endsWith(`.${type}`);
}
