import type { Definition, Expr, FileFacts, Parameter } from '../facts/fact.ts';
import { stepsApart, unusualCalls } from './builds.ts';
import { type DefinitionRef, pairKey, sameDefinition } from './definition-ref.ts';
import { type Conversions, impossible } from './conversions.ts';
import type { FoundMember } from './classes.ts';
import { isClass } from './documents.ts';
import type { Engine } from './engine.ts';
import { takes } from './signatures.ts';
import { type FunctionValue, isOpen, unknown, type Value, type Values } from './value.ts';

/** A call that spreads its arguments over a parameter that takes any number is the last choice. */
const variableArity = 100;
/** Less than any conversion costs. */
const byDefault = 0.5;
/** Likewise: a method for constant objects where the object is none, or the other way round. */
const byConst = 0.25;
/** Likewise: a method for lvalues where the object is an rvalue, or the other way round. */
const byCategory = 0.3;
/** Likewise: of what several builds have in their own way, for each step that it is less likely. */
const byBuild = 0.02;

type Around = Pick<
  Engine,
  | 'documents'
  | 'memory'
  | 'trace'
  | 'scopes'
  | 'packages'
  | 'classes'
  | 'ancestors'
  | 'extensions'
  | 'types'
  | 'generics'
  | 'expressions'
> & { readonly conversions: Conversions };

/**
 * Says which of several functions of one name a call means, where they are different functions, as in Java: by how many arguments
 * it has, then by what is known of their types.
 */
export class Overloads {
  readonly #engine: Around;
  /** Of each file, the arguments of calls that no ordinary build makes. */
  readonly #unusual = new WeakMap<FileFacts, ReadonlySet<readonly Expr[]>>();

  /** Of each class, by name and number of parameters: how many arguments methods above it need at least. */
  readonly #least = new WeakMap<Definition, Map<string, ReadonlyMap<number, number>>>();
  /** Of what extends a class under one name, what is a member of no class. */
  readonly #free = new WeakMap<readonly FoundMember[], readonly DefinitionRef[]>();
  /** Of each class, itself and those around it, with all above them. */
  readonly #classesAround = new WeakMap<Definition, readonly DefinitionRef[]>();
  readonly #keysAround = new WeakMap<readonly DefinitionRef[], ReadonlySet<ReturnType<typeof pairKey>>>();
  /** By these, of what extends a class under one name, what is a member of one of them. */
  readonly #seenAround = new WeakMap<readonly DefinitionRef[], Map<readonly FoundMember[], readonly DefinitionRef[]>>();
  /** Of each file, by the arguments of a call, the definition in which it stands. */
  readonly #callers = new WeakMap<FileFacts, ReadonlyMap<readonly Expr[], number>>();

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** The function that a call with these arguments, and so many type arguments, reaches; the same where that is the only one. */
  choose(value: FunctionValue, args: readonly Expr[], callDocument: number, types: number): FunctionValue {
    const { memory, trace } = this.#engine;
    const self = value.self && 'definition' in value.self ? `${value.self.document} ${value.self.definition}` : '';
    const key = `${value.document} ${value.definition} ${self} ${value.ofConst ?? ''} ${value.category ?? ''} ${value.ofUnknown ?? ''}`;
    const chosen = memory.overloads.get(args) ?? new Map<string, FunctionValue>();
    memory.overloads.set(args, chosen);
    const known = chosen.get(key);
    if (known) return known;
    // What is asked for while it is being chosen is the function asked for.
    chosen.set(key, value);
    const candidates = this.#ofArity(this.#candidates(value, args, callDocument), types);
    const best = this.#given(this.#best(candidates, args, callDocument, value), candidates);
    const chosenOne = this.#extensionInstead(value, best, args, callDocument) ?? best;
    const result = chosenOne ? { ...value, document: chosenOne.document, definition: chosenOne.definition } : value;
    if (candidates.length > 1) trace?.overload(result, candidates.length);
    chosen.set(key, result);
    return result;
  }

  /** Can this function be called with these arguments? What extends a library's type stands beside methods that nobody lists. */
  takes(value: FunctionValue, args: readonly Expr[], callDocument: number): boolean {
    const { documents, extensions, expressions } = this.#engine;
    if (extensions.isStatic(value)) return this.#fits(value, args, true);
    if (!this.#fits(value, args) && !this.#isExpectedWith(value, args, callDocument)) return false;
    const { self } = value;
    const { extension, name } = documents.definition(value.document, value.definition);
    if (!extension || self?.kind !== 'instance' || !documents.at(self.document).library) return true;
    const values = args.map((arg) => expressions.evaluate(callDocument, arg));
    // Numbers have operators of their own, which are meant where nothing speaks for another.
    if (/^\W+$/.test(name) && values.some((one) => one.every(({ kind }) => kind === 'external'))) return false;
    return this.#cost(value, args, values, value.self) < impossible;
  }

  /** Those that the arguments speak for; several where they say nothing. */
  likeliest<Candidate extends DefinitionRef>(
    candidates: readonly Candidate[],
    args: readonly Expr[],
    callDocument: number,
  ): readonly Candidate[] {
    const values = args.map((arg) => this.#engine.expressions.evaluate(callDocument, arg));
    const costs = candidates.map((one) => (this.#fits(one, args) ? this.#cost(one, args, values, null) : impossible));
    const lowest = Math.min(...costs);
    return candidates.filter((_, index) => costs[index] === lowest);
  }

  /** Of a class and functions of its name those that the arguments speak for. */
  classOrFunction(
    candidates: readonly DefinitionRef[],
    args: readonly Expr[],
    callDocument: number,
  ): readonly DefinitionRef[] {
    const { documents } = this.#engine;
    const definitionOf = (one: DefinitionRef) => documents.definition(one.document, one.definition);
    const classes = candidates.filter((one) => isClass(definitionOf(one)));
    const isMadeOtherwise = classes.some((one) => definitionOf(one).members.some(({ name }) => name === 'new()'));
    if (classes.length === 0 || classes.length === candidates.length || isMadeOtherwise) return candidates;
    return this.likeliest(candidates, args, callDocument);
  }

  /** All functions that a call of this one may mean: those of its name in its class and in the classes above, the nearest first. */
  #candidates(value: FunctionValue, args: readonly Expr[], callDocument: number): readonly DefinitionRef[] {
    const { documents, classes, extensions } = this.#engine;
    const { owner, extension } = documents.definition(value.document, value.definition);
    // Inside what extends something, its own methods are methods like others.
    const isOwn =
      owner >= 0 && value.self?.kind === 'instance' && sameDefinition(value.self, { ...value, definition: owner });
    if (extension && !isOwn && !extensions.isStatic(value)) {
      const alike = extensions.like(callDocument, value);
      if (alike.some((one) => sameDefinition(one, value))) return this.#seen(alike, args, callDocument);
    }
    const isApart = owner < 0 || (extension === 'receiver' && !isOwn);
    const apart = isApart ? classes.receiver(value.document, value.definition) : undefined;
    if (apart) {
      const attached = this.#extending(value, apart, args, callDocument);
      if (owner < 0) return attached;
      // Beside those are what its class has under the name.
      const known = new Set(attached.map((one) => pairKey(one.document, one.definition)));
      const beside = this.#inClass(value, owner).filter((one) => !known.has(pairKey(one.document, one.definition)));
      return [...attached, ...beside];
    }
    return owner < 0 ? this.#inPackage(value) : this.#inClass(value, owner);
  }

  #inClass(value: FunctionValue, owner: number): readonly DefinitionRef[] {
    const { documents, classes, ancestors } = this.#engine;
    const { kind } = documents.definition(value.document, value.definition);
    const member = documents
      .definition(value.document, owner)
      .members.find((one) => one.definition === value.definition);
    if (!member) return [value];
    const { self } = value;
    const whole = classes.firstPart(value.document, owner);
    let line: readonly DefinitionRef[] = [whole];
    if (kind !== 'constructor' && (self?.kind === 'instance' || self?.kind === 'class')) {
      const { list } = ancestors.of(self.document, self.definition);
      const start = list.findIndex((one) => sameDefinition(one, whole));
      if (start >= 0) line = list.slice(start);
    }
    const found = line
      .flatMap((one) => classes.members(one.document, one.definition).get(member.name) ?? [])
      .filter((one) => one.member.definition >= 0);
    // An instance has none of its class's own where they are apart, nor is one of them meant by a bare name that stands for another.
    const areApart = documents.at(value.document).semantics.classMethodsApart === true;
    const apart = self?.kind === 'instance' && areApart;
    const own =
      self?.kind === 'class' || (self === null && areApart && member.isStatic)
        ? found.filter((one) => one.member.isStatic)
        : apart
          ? found.filter((one) => !one.member.isStatic)
          : [];
    const all = (own.length > 0 ? own : found).map((one) => ({
      document: one.document,
      definition: one.member.definition,
    }));
    // Where nothing tells them apart, a class is made by what it takes.
    const isOne = (one: DefinitionRef) => isClass(documents.definition(one.document, one.definition));
    return [...all.filter(isOne), ...all.filter((one) => !isOne(one))];
  }

  /** Functions outside classes that a package has under one name. */
  #inPackage(value: FunctionValue): readonly DefinitionRef[] {
    const { documents, scopes, packages } = this.#engine;
    const name = scopes.topNames(value.document).get(value.definition);
    if (name === undefined) return this.#inScope(value);
    const around = name === undefined ? undefined : packages.namesAround(value.document)?.get(name);
    const all = (around ?? []).flatMap((document) =>
      scopes
        .atTop(document, name ?? '')
        .map(({ definition }) => ({ document, definition }))
        .filter((one) => one.definition >= 0),
    );
    const functions = all.filter((one) => {
      const { kind, receiver } = documents.definition(one.document, one.definition);
      return kind === 'function' && !receiver;
    });
    return functions.some((one) => sameDefinition(one, value)) ? functions : [value];
  }

  /** Those that a scope inside the file has under one name. */
  #inScope(value: FunctionValue): readonly DefinitionRef[] {
    const { documents, scopes } = this.#engine;
    const { facts } = documents.at(value.document);
    const { name, scope } = documents.definition(value.document, value.definition);
    for (let at = facts.scopes[scope]?.parent ?? -1; at >= 0; at = facts.scopes[at]?.parent ?? -1) {
      const found = (scopes.table(value.document, at).get(name) ?? []).map(({ definition }) => definition);
      if (found.includes(value.definition))
        return found
          .filter((one) => one >= 0 && documents.definition(value.document, one).kind === 'function')
          .map((definition) => ({ document: value.document, definition }));
    }
    return [value];
  }

  /** Of what extends a class under a name: what is a member of no class, and what is one of a class around the call or above that. */
  #extending(
    value: FunctionValue,
    apart: DefinitionRef,
    args: readonly Expr[],
    callDocument: number,
  ): readonly DefinitionRef[] {
    const { classes, documents } = this.#engine;
    const { name } = documents.definition(value.document, value.definition);
    const attached = classes.members(apart.document, apart.definition).get(name) ?? [];
    const free =
      this.#free.get(attached) ??
      attached.flatMap((one) => (this.#isOfClass(one.document, one.member.definition) ? [] : refOf(one)));
    this.#free.set(attached, free);
    const around = this.#around(args, callDocument);
    if (around.length === 0) return attached.flatMap(refOf);
    const seenHere = this.#seenAround.get(around) ?? new Map<readonly FoundMember[], readonly DefinitionRef[]>();
    this.#seenAround.set(around, seenHere);
    const seen =
      seenHere.get(attached) ??
      around.flatMap((one) =>
        (classes.members(one.document, one.definition).get(name) ?? [])
          .filter((each) => this.#isOfClass(each.document, each.member.definition) && this.#extends(each, apart))
          .flatMap(refOf),
      );
    seenHere.set(attached, seen);
    // One of another class is what a lambda around receives: by that its name was found.
    const { document, definition } = value;
    const received =
      this.#isOfClass(document, definition) && !seen.some((one) => sameDefinition(one, value))
        ? [{ document, definition }]
        : [];
    const found = [...free, ...seen, ...received];
    return found.length > 0 ? found : attached.flatMap(refOf);
  }

  /** Of functions that extend what they are called on, those that are seen from the call; all where none is. */
  #seen(alike: readonly DefinitionRef[], args: readonly Expr[], callDocument: number): readonly DefinitionRef[] {
    const { documents } = this.#engine;
    if (!alike.some((one) => this.#isOfClass(one.document, one.definition))) return alike;
    const classes = this.#around(args, callDocument);
    const around =
      this.#keysAround.get(classes) ?? new Set(classes.map((one) => pairKey(one.document, one.definition)));
    this.#keysAround.set(classes, around);
    // Outside of classes what is received by a lambda around may have it.
    if (around.size === 0) return alike;
    const seen = alike.filter(
      ({ document, definition }) =>
        !this.#isOfClass(document, definition) ||
        around.has(pairKey(document, documents.definition(document, definition).owner)),
    );
    return seen.length > 0 ? seen : alike;
  }

  /** The classes around a call, and all above them; the same list for all calls in one of them. */
  #around(args: readonly Expr[], callDocument: number): readonly DefinitionRef[] {
    const { facts } = this.#engine.documents.at(callDocument);
    const { definitions } = facts;
    let index = this.#callerOf(facts, args);
    for (let one = definitions[index]; one && !isClass(one); one = definitions[index]) index = one.owner;
    const around = definitions[index];
    if (!around) return [];
    const found = this.#classesAround.get(around) ?? this.#classesAbove(callDocument, index);
    this.#classesAround.set(around, found);
    return found;
  }

  #classesAbove(document: number, innermost: number): readonly DefinitionRef[] {
    const { documents, ancestors } = this.#engine;
    const { definitions } = documents.at(document).facts;
    const found: DefinitionRef[] = [];
    for (let index = innermost, one = definitions[index]; one; index = one.owner, one = definitions[index])
      if (isClass(one)) found.push(...ancestors.of(document, index).list);
    return found;
  }

  /** Is it an extension that is a member of a class? */
  #isOfClass(document: number, definition: number): boolean {
    if (definition < 0) return false;
    const { documents } = this.#engine;
    const { extension, owner } = documents.definition(document, definition);
    return extension === 'receiver' && owner >= 0 && isClass(documents.definition(document, owner));
  }

  #extends({ document, member }: FoundMember, apart: DefinitionRef): boolean {
    return this.#engine.classes.receivers(document, member.definition).some((one) => sameDefinition(one, apart));
  }

  /** The definition in which the call of these arguments stands; -1 where none is known. */
  #callerOf(facts: FileFacts, args: readonly Expr[]): number {
    const known = this.#callers.get(facts) ?? new Map(facts.calls.map((call) => [call.args, call.caller]));
    this.#callers.set(facts, known);
    return known.get(args) ?? -1;
  }

  /** Those that take so many type arguments, or at least so many, where any are given. */
  #ofArity(candidates: readonly DefinitionRef[], types: number): readonly DefinitionRef[] {
    if (types === 0 || candidates.length < 2) return candidates;
    const { documents } = this.#engine;
    const taken = (one: DefinitionRef) => documents.definition(one.document, one.definition).typeParameters.length;
    const exact = candidates.filter((one) => taken(one) === types);
    const enough = exact.length > 0 ? exact : candidates.filter((one) => taken(one) > types);
    return enough.length > 0 ? enough : candidates;
  }

  #best(
    candidates: readonly DefinitionRef[],
    args: readonly Expr[],
    callDocument: number,
    value: FunctionValue,
  ): DefinitionRef | undefined {
    candidates = this.#callable(candidates);
    if (candidates.length < 2) return candidates[0];
    const { ofConst, category } = value;
    const asFunction = this.#isCalledAsFunction(value);
    const fitting = candidates.filter((one) => this.#fits(one, args, asFunction));
    if (fitting.length < 2) return fitting[0] ?? candidates[0];
    const values = args.map((arg) => this.#engine.expressions.evaluate(callDocument, arg));
    const isUnusual = this.#isUnusual(callDocument, args);
    let winner: DefinitionRef | undefined;
    let lowest = Infinity;
    for (const one of fitting) {
      // What needs no default is meant before what does.
      const { isConst, refQualifier, unlikely = 0 } = this.#engine.documents.definition(one.document, one.definition);
      const parameters = this.#engine.extensions.parametersOf(one, asFunction);
      const defaults = parameters.slice(args.length).some(({ rest }) => !rest) ? byDefault : 0;
      const isOther = refQualifier !== undefined && category !== 'unknown' && refQualifier !== (category ?? 'lvalue');
      const cost =
        this.#cost(one, args, values, value.self, asFunction) +
        this.#receiverCost(one, value.self) +
        defaults +
        (isConst === ofConst ? 0 : byConst) +
        (isOther ? byCategory : 0) +
        stepsApart(unlikely, isUnusual && one.document === callDocument) * byBuild;
      // Of equals the first, unless another overrides it.
      if (cost > lowest || (cost === lowest && !(winner && this.#overrides(one, winner)))) continue;
      lowest = cost;
      winner = one;
    }
    return winner;
  }

  /** An extension, where none of the object's own methods can be called so. */
  #extensionInstead(
    value: FunctionValue,
    best: DefinitionRef | undefined,
    args: readonly Expr[],
    callDocument: number,
  ): DefinitionRef | undefined {
    const { documents, extensions, expressions } = this.#engine;
    const { self } = value;
    if (!documents.at(callDocument).semantics.extensionsAreCalled || self?.kind !== 'instance') return undefined;
    const { name, extension } = documents.definition(value.document, value.definition);
    if (extension || !extensions.has(callDocument, name)) return undefined;
    const one = best ?? value;
    const values = args.map((arg) => expressions.evaluate(callDocument, arg));
    if (this.#fits(one, args, true) && this.#cost(one, args, values, self, true) < impossible) return undefined;
    const others = extensions.of(callDocument, self, name).filter((other) => this.#fits(other, args));
    const [first] = others;
    return first && this.#best(others, args, callDocument, { kind: 'function', ...first, self });
  }

  /** Of what extends a type, how far the object is from it. */
  #receiverCost({ document, definition }: DefinitionRef, self: Value | null): number {
    const { documents, types, conversions } = this.#engine;
    const { extension, receiver } = documents.definition(document, definition);
    if (extension !== 'receiver' || !receiver || self?.kind !== 'instance') return 0;
    return conversions.cost(types.of(document, receiver), [self]);
  }

  /** Whether no ordinary build makes the call of these arguments. */
  #isUnusual(document: number, args: readonly Expr[]): boolean {
    const { facts } = this.#engine.documents.at(document);
    const known = this.#unusual.get(facts) ?? unusualCalls(facts);
    this.#unusual.set(facts, known);
    return known.has(args);
  }

  /** Defaults stand where a function is only expected. */
  #isExpectedWith(value: FunctionValue, args: readonly Expr[], callDocument: number): boolean {
    const { documents } = this.#engine;
    return this.#candidates(value, args, callDocument).some(
      (one) => documents.definition(one.document, one.definition).isExpected && this.#fits(one, args),
    );
  }

  /** What gives a function that is only expected, where one alone does. */
  #given(best: DefinitionRef | undefined, candidates: readonly DefinitionRef[]): DefinitionRef | undefined {
    const { documents } = this.#engine;
    const expected = best && documents.definition(best.document, best.definition);
    if (!expected?.isExpected) return best;
    const names = (parameters: readonly Parameter[]) => parameters.map(({ name }) => name).join(' ');
    const given = candidates.filter((one) => {
      const { isExpected, parameters } = documents.definition(one.document, one.definition);
      return !isExpected && names(parameters) === names(expected.parameters);
    });
    return given.length === 1 ? given[0] : best;
  }

  /** Does a method above it, which it overrides, say what the arguments are that are left out? */
  #inheritsDefaults({ document, definition }: DefinitionRef, count: number): boolean {
    const { documents } = this.#engine;
    const { owner, name, parameters } = documents.definition(document, definition);
    if (owner < 0 || !documents.at(document).semantics.defaultsAreInherited) return false;
    const least = this.#leastAbove(document, owner, name).get(parameters.length);
    return least !== undefined && count >= least && count <= parameters.length;
  }

  /** How many arguments the methods of a name above a class need at least, by how many parameters they have. */
  #leastAbove(document: number, owner: number, name: string): ReadonlyMap<number, number> {
    const { documents, ancestors, classes } = this.#engine;
    const ofClass = documents.definition(document, owner);
    const byName = this.#least.get(ofClass) ?? new Map<string, ReadonlyMap<number, number>>();
    this.#least.set(ofClass, byName);
    const known = byName.get(name);
    if (known) return known;
    const least = new Map<number, number>();
    for (const one of ancestors.of(document, owner).list.slice(1)) {
      for (const { document: place, member } of classes.members(one.document, one.definition).get(name) ?? []) {
        if (member.definition < 0) continue;
        const { parameters } = documents.definition(place, member.definition);
        const needed = parameters.filter((each) => !each.optional && !each.rest && !each.default).length;
        least.set(parameters.length, Math.min(least.get(parameters.length) ?? needed, needed));
      }
    }
    byName.set(name, least);
    return least;
  }

  #overrides(one: DefinitionRef, other: DefinitionRef): boolean {
    const { documents, ancestors } = this.#engine;
    const { owner } = documents.definition(one.document, one.definition);
    const above = {
      document: other.document,
      definition: documents.definition(other.document, other.definition).owner,
    };
    // Methods apart from their class are all of the same one.
    if (owner < 0 || above.definition < 0) return false;
    const { list } = ancestors.of(one.document, owner);
    return list.findIndex((each) => sameDefinition(each, above)) > 0;
  }

  /** Without what no source can call, where there is another. */
  #callable(candidates: readonly DefinitionRef[]): readonly DefinitionRef[] {
    const { documents } = this.#engine;
    const isUncallable = (one: DefinitionRef) =>
      documents.definition(one.document, one.definition).isUncallable === true;
    if (!candidates.some(isUncallable)) return candidates;
    const left = candidates.filter((one) => !isUncallable(one));
    return left.length > 0 ? left : candidates;
  }

  /** Among what is called so, an extension takes its object as an argument. */
  #isCalledAsFunction(value: FunctionValue): boolean {
    const { documents, extensions } = this.#engine;
    return !documents.definition(value.document, value.definition).extension || extensions.isStatic(value);
  }

  #fits(one: DefinitionRef, args: readonly Expr[], asFunction = false): boolean {
    const parameters = this.#engine.extensions.parametersOf(one, asFunction);
    const isNone = (one: Expr) => one.kind === 'named' && parameters.every(({ name }) => name !== one.name);
    if (parameters.length > 0 && args.some(isNone)) return false;
    if (takes(parameters, args.length)) return true;
    // What takes any number need not be the last.
    if (args.length >= parameters.length) return args.length > parameters.length && parameters.some(({ rest }) => rest);
    return this.#inheritsDefaults(one, args.length);
  }

  /** What a parameter takes, in terms of the object that the method is taken from. */
  #takenFrom(self: Value | null, one: DefinitionRef, values: Values): Values {
    if (self?.kind !== 'instance' || (self.args.length === 0 && !this.#isInherited(one, self))) return values;
    if (!values.some((value) => isOpen(value))) return values;
    const { generics } = this.#engine;
    return generics.substitute(values, generics.ofMethod({ kind: 'function', ...one, self }));
  }

  #isInherited({ document, definition }: DefinitionRef, self: DefinitionRef): boolean {
    const { owner } = this.#engine.documents.definition(document, definition);
    return owner >= 0 && !sameDefinition(self, { document, definition: owner });
  }

  /** What it costs to convert all arguments to what the parameters take. */
  #cost(
    one: DefinitionRef,
    args: readonly Expr[],
    values: readonly Values[],
    self: Value | null,
    asFunction = false,
  ): number {
    const { documents, types: typing, conversions, extensions } = this.#engine;
    const { document } = one;
    const parameters = extensions.parametersOf(one, asFunction);
    const types = parameters.map(({ type }) =>
      type ? this.#takenFrom(self, one, typing.of(document, type)) : unknown,
    );
    const takesAny = parameters.at(-1)?.rest === true;
    const each = (spread: boolean) =>
      values.reduce((sum, have, at) => {
        const index = placeOf(args[at], parameters) ?? at;
        const last = takesAny && index >= parameters.length - 1;
        const wanted = types[Math.min(index, types.length - 1)] ?? unknown;
        return sum + conversions.cost(!last ? wanted : spread ? elementsOf(wanted) : arrayOf(wanted), have);
      }, 0);
    if (!takesAny) return each(false);
    // An array may be passed as it is for a parameter that takes any number.
    const { spreadsByWord } = documents.at(document).semantics;
    const whole =
      !spreadsByWord && values.length === parameters.length && values.at(-1)?.some(({ kind }) => kind === 'array');
    return Math.min(whole ? each(false) : Infinity, variableArity + each(true));
  }
}

const refOf = ({ document, member }: FoundMember): DefinitionRef[] =>
  member.definition < 0 ? [] : [{ document, definition: member.definition }];

/** The parameter that an argument names, by its index. */
function placeOf(arg: Expr | undefined, parameters: readonly Parameter[]): number | undefined {
  if (arg?.kind !== 'named') return undefined;
  const index = parameters.findIndex(({ name }) => name === arg.name);
  return index < 0 ? undefined : index;
}

/** Some languages write down the array, some what is in it. */
const arrayOf = (values: Values): Values =>
  values.every(({ kind }) => kind === 'array') ? values : [{ kind: 'array', element: values }];

const elementsOf = (values: Values): Values => values.flatMap((one) => (one.kind === 'array' ? one.element : [one]));
