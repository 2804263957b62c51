import type { Definition, Parameter } from '../facts/fact.ts';
import { impossible } from './conversions.ts';
import { type DefinitionRef, pairKey, sameDefinition } from './definition-ref.ts';
import { isClass } from './documents.ts';
import type { Engine } from './engine.ts';
import { type FunctionValue, unite, unknown, type Value, type Values } from './value.ts';

/** A class whose bases are not all known may be what is asked for. */
const perhaps = 60;

/** An extension; a trait's method of its own is one of all types from outside that one of `by` implements the trait for. */
interface Extension extends DefinitionRef {
  readonly by?: readonly DefinitionRef[];
}

/** What nobody knows the type of. */
const hasNoType: ReadonlySet<Value['kind']> = new Set<Value['kind']>(['variable', 'callable', 'container_method']);

/** The name of a type, and not of a value or of what a call gives. */
const typeName = /(?:^|\.)\p{Lu}\w*$/u;

/** Private at the top of its file. */
const isHidden = ({ exported, owner }: Definition): boolean => !exported && owner < 0;

type Around = Pick<
  Engine,
  | 'documents'
  | 'memory'
  | 'types'
  | 'conversions'
  | 'generics'
  | 'calls'
  | 'members'
  | 'modules'
  | 'starImports'
  | 'ancestors'
  | 'packages'
  | 'classes'
>;

/**
 * Functions that are called as methods of a type which may lie outside the repository: C#'s `this` parameters, Kotlin's
 * extensions, methods of Scala's implicit classes and of Rust's traits. A type's own members come first; an extension is only
 * seen where it is imported, or in its own package.
 */
export class Extensions {
  readonly #engine: Around;
  readonly #byName = new Map<string, Extension[]>();
  /** By family. */
  readonly #conversions = new Map<string, DefinitionRef[]>();

  constructor(engine: Around) {
    this.#engine = engine;
  }

  add(document: number, definition: number, by?: readonly DefinitionRef[]): void {
    const { documents } = this.#engine;
    const key = `${documents.at(document).family} ${documents.definition(document, definition).name}`;
    const known = this.#byName.get(key);
    const added: Extension = by ? { document, definition, by } : { document, definition };
    if (known) known.push(added);
    else this.#byName.set(key, [added]);
  }

  /** A function that is called where a value lacks what its result has: Scala's implicit conversions. */
  addConversion(document: number, definition: number): void {
    const { family } = this.#engine.documents.at(document);
    const known = this.#conversions.get(family);
    if (known) known.push({ document, definition });
    else this.#conversions.set(family, [{ document, definition }]);
  }

  /** What `object.name` is, where `found` is what the object's own type has under that name. */
  orMember(document: number, object: Values, name: string, found: Values): Values {
    if (found.some(({ kind }) => kind === 'function' || kind === 'class')) return found;
    if (this.#engine.documents.at(document).semantics.ofEvery?.has(name)) return found;
    const extended = this.#extended(document, object, name, found);
    if (!this.#conversions.has(this.#engine.documents.at(document).family)) return extended;
    if (extended.some(({ kind }) => kind === 'function' || kind === 'class')) return extended;
    const converted = this.#converted(document, object, name);
    return converted.length > 0 ? converted : extended;
  }

  #extended(document: number, object: Values, name: string, found: Values): Values {
    const { documents } = this.#engine;
    if (!this.has(document, name)) return found;
    const { extensionsAreExact: isExact, builtins } = documents.at(document).semantics;
    if (object.length === 0) {
      if (isExact || found.length > 0 || builtins.has(name)) return found;
      // Of a value that nobody knows it can only be told where there is one.
      const [first, another] = this.#visible(document, name);
      return first && !another ? [{ kind: 'function', ...first, self: null, ofUnknown: true }] : unknown;
    }
    const each = object.map((value): Values => {
      const [first] = this.of(document, value, name);
      return first ? [{ kind: 'function', ...first, self: value }] : unknown;
    });
    // What a class of the repository has comes before what it has as the container that it may be.
    const isOwn = object.some(({ kind }, index) => kind === 'instance' && each[index] !== unknown);
    const extended = unite(isOwn ? each.filter((_, index) => object[index]?.kind !== 'array') : each);
    return extended.length > 0 || !isExact ? extended : found;
  }

  /** What the result of a conversion has under this name, that takes the object and is seen; of those the best. */
  #converted(document: number, object: Values, name: string): Values {
    const { documents, members, calls, types } = this.#engine;
    const { family, semantics } = documents.at(document);
    const isKnown = (value: Value) => value.kind !== 'class' && value.kind !== 'module' && value.kind !== 'super';
    if (!object.every(isKnown)) return unknown;
    // What every class may have is only meant of a type outside that is just the one asked for, or of one that surely lacks it.
    const isUsual = semantics.builtins.has(name);
    if (isUsual && (object.length === 0 || !object.every((one) => one.kind === 'external' || this.#isWhole(one))))
      return unknown;
    let best: Values = unknown;
    let lowest = isUsual ? 1 : impossible;
    let count = 0;
    for (const one of this.#conversions.get(family) ?? []) {
      if (!this.#sees(document, one, documents.definition(one.document, one.definition).name)) continue;
      const results = calls.ofFunction(one.document, { kind: 'function', ...one, self: null }, [], []);
      const given = results.flatMap((result) =>
        result.kind === 'instance' ? (members.find(one.document, result, name, true) ?? unknown) : unknown,
      );
      if (!given.some(({ kind }) => kind === 'function')) continue;
      count++;
      const type = documents.definition(one.document, one.definition).parameters[0]?.type;
      const cost = type ? this.#costOf(types.of(one.document, type), object) : impossible;
      if (cost >= lowest) continue;
      lowest = cost;
      best = given;
    }
    // Of a value that nobody knows it can only be told where there is one.
    return object.length > 0 || count === 1 ? best : unknown;
  }

  /** An instance of a class all of whose bases are known. */
  #isWhole(value: Value): boolean {
    return value.kind === 'instance' && !this.#engine.ancestors.of(value.document, value.definition).external;
  }

  /** The extensions of this name that are seen from a document and fit a value best. */
  of(document: number, value: Value, name: string): readonly DefinitionRef[] {
    if (value.kind === 'class' && this.#isSingleton(value))
      return this.of(document, { ...value, kind: 'instance', args: [] }, name);
    if (value.kind === 'class' || value.kind === 'module' || value.kind === 'super') return [];
    const visible = this.#visible(document, name);
    if (this.#engine.documents.at(document).semantics.extensionsAreExact) {
      const exact = visible.filter(({ document: place, definition, by = [{ document: place, definition }] }) =>
        by.some((one) => this.#isOf(one, value)),
      );
      // What is written for the type comes before what the trait has for all.
      const written = exact.filter(({ by }) => !by);
      return written.length > 0 ? written : exact;
    }
    const costs = visible.map((one) => this.#cost(one, value));
    const lowest = Math.min(...costs);
    // Of what lies outside nobody knows which operators it has.
    const isOperator = value.kind === 'external' && /^\W+$/.test(name);
    return lowest >= (isOperator ? 1 : impossible) ? [] : visible.filter((_, index) => costs[index] === lowest);
  }

  /** The name of an object stands for the one that there is. */
  #isSingleton({ document, definition }: DefinitionRef): boolean {
    const { documents } = this.#engine;
    const { isSingleton } = documents.definition(document, definition);
    return isSingleton === true && documents.at(document).semantics.classNamesAreObjects === true;
  }

  /** All that a call of this extension may mean. */
  like(document: number, { document: place, definition, self }: FunctionValue): readonly DefinitionRef[] {
    const { name } = this.#engine.documents.definition(place, definition);
    return self ? this.of(document, self, name) : this.#visible(document, name);
  }

  /** Is it called as a function is, with the object as its first argument: `Texts.Twice("a")`? */
  isStatic({ document, definition, self, ofUnknown }: FunctionValue): boolean {
    const { documents, classes } = this.#engine;
    const { extension, owner, isStatic } = documents.definition(document, definition);
    if (extension !== 'parameter' || !isStatic || owner < 0 || ofUnknown) return false;
    if (self === null || self.kind === 'class') return true;
    // By its bare name in its own class, which has no instances that could be extended.
    return self.kind === 'instance' && sameDefinition(self, classes.firstPart(document, owner));
  }

  /** What a call takes in parentheses: of an extension that is called as a function is, the object, too. */
  parametersOf({ document, definition }: DefinitionRef, asFunction: boolean): readonly Parameter[] {
    const { parameters, extension, receiver } = this.#engine.documents.definition(document, definition);
    if (!asFunction || extension !== 'parameter' || !receiver) return parameters;
    return [{ name: '', type: receiver, default: null, rest: false, optional: false }, ...parameters];
  }

  /** Is there one of this name? */
  has(document: number, name: string): boolean {
    return this.#byName.has(`${this.#engine.documents.at(document).family} ${name}`);
  }

  #visible(document: number, name: string): readonly Extension[] {
    const { documents } = this.#engine;
    const all = this.#byName.get(`${documents.at(document).family} ${name}`) ?? [];
    return all.filter((one) => this.#sees(document, one, name));
  }

  #sees(document: number, { document: other, definition }: DefinitionRef, name: string): boolean {
    if (document === other) return true;
    const { documents } = this.#engine;
    const { facts, semantics, modules, path } = documents.at(document);
    if (semantics.filesHide && isHidden(documents.definition(other, definition))) return false;
    if (semantics.packageScope !== 'name') return true;
    const place = documents.at(other).facts;
    const own = documents.definition(other, definition);
    const owner = place.definitions[own.owner];
    // An implicit class stands where it is itself.
    const outer = owner?.extension ? owner.owner : own.owner;
    const isNested = own.extension !== 'parameter' && outer >= 0;
    if (!isNested && facts.packageName === place.packageName) return true;
    const around = isNested ? this.#namesAround(other, own) : [];
    const holder = place.definitions[outer];
    if (holder && isClass(holder) && this.#inherits(document, { document: other, definition: outer })) return true;
    return facts.imports.some((one) => {
      const isIts =
        one.module === place.packageName ||
        (semantics.packagesAreNames && modules.resolve(one.module, path)?.includes(documents.at(other).path));
      if (!isIts) return false;
      const names = one.name.split('.');
      const last = names.at(-1) ?? '';
      if (last === '**') return !isNested || around.includes(names.at(-2) ?? '');
      return last === name || around.includes(last);
    });
  }

  /** Has a class here, its package, or an object or package that is imported whole, what this class has? */
  #inherits(document: number, above: DefinitionRef): boolean {
    const { documents, memory, starImports, ancestors, packages } = this.#engine;
    const reached = memory.made(memory.classesReached, document, () => {
      const { facts } = documents.at(document);
      const own = facts.definitions.flatMap((one, definition) => (isClass(one) ? [{ document, definition }] : []));
      const opened = facts.imports
        .filter(({ name }) => name.endsWith('**'))
        .flatMap((one) => starImports.opened(document, one));
      const ofPackages = [
        document,
        ...opened.flatMap((one) => (one.kind === 'module' ? one.documents.slice(0, 1) : [])),
      ];
      const imported = [...opened, ...ofPackages.flatMap((one) => packages.bases(one))].filter(
        (one) => one.kind === 'class' || one.kind === 'instance',
      );
      const all = [...own, ...imported].flatMap((one) => ancestors.of(one.document, one.definition).list);
      return new Set(all.map((one) => pairKey(one.document, one.definition)));
    });
    return reached.has(pairKey(above.document, above.definition));
  }

  #namesAround(document: number, { owner }: Definition): string[] {
    const { facts } = this.#engine.documents.at(document);
    const names: string[] = [];
    for (let index = owner; index >= 0; index = facts.definitions[index]?.owner ?? -1)
      names.push(facts.definitions[index]?.name ?? '');
    return names;
  }

  /** Is it of the value's very type, or of all that are called or are of a class of ours? */
  #isOf(extension: DefinitionRef, value: Value): boolean {
    const declared = this.#receiverOf(extension);
    if (!declared || declared.length === 0 || hasNoType.has(value.kind)) return false;
    // What a function from outside gives is of no type that is known.
    if (value.kind === 'external' && value.name.endsWith(')')) return false;
    const { conversions, generics } = this.#engine;
    const [only] = declared;
    if (only?.kind !== 'variable') return conversions.cost(declared, [value]) === 0;
    const bound = generics.boundOf(only);
    if (value.kind === 'function') return bound.some(({ kind }) => kind === 'callable');
    if (value.kind !== 'instance') return false;
    return bound.some((one) => one.kind === 'instance') && conversions.cost(bound, [value]) < perhaps;
  }

  #receiverOf({ document, definition }: DefinitionRef): Values | null {
    const { documents, types } = this.#engine;
    const { receiver } = documents.definition(document, definition);
    return receiver ? types.of(document, receiver) : null;
  }

  #cost(extension: DefinitionRef, value: Value): number {
    const declared = this.#receiverOf(extension);
    if (!declared) return impossible;
    // What is asked for is not known.
    if (declared.length === 0) return perhaps;
    return this.#costOf(declared, [value]);
  }

  /** What is of a type outside is no instance of a class from here; what a function outside gives may be one that it was given. */
  #costOf(declared: Values, object: Values): number {
    const { documents, conversions } = this.#engine;
    const isOwn = (one: Value) => one.kind === 'instance' && !documents.at(one.document).library;
    const isOutside = object.length > 0 && object.every((one) => one.kind === 'external' && typeName.test(one.name));
    if (isOutside && declared.length > 0 && declared.every(isOwn)) return impossible;
    return conversions.cost(declared, object);
  }
}
