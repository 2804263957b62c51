import type { BoundaryRow, OutsideWay } from '../../src/model/snapshot.ts';
import type { Binding, Parameter } from '../facts/fact.ts';
import { isDefined } from './callees.ts';
import { type DefinitionRef, pairKey } from './definition-ref.ts';
import type { Document } from './documents.ts';
import type { Engine } from './engine.ts';
import { takes } from './signatures.ts';
import {
  type FunctionValue,
  type InstanceValue,
  type ModuleValue,
  type Origin,
  type Value,
  type Values,
  wayOf,
} from './value.ts';

/** A module that others can ask for. */
export interface PublishedModule {
  /** As the answer names it. */
  key: string;
  specifier: string;
  paths: readonly string[];
}

/** How what others see is named; each null for what nobody shows. */
export interface SurfaceNames {
  /** A module of the repository's own, by its language. */
  published(language: string, specifier: string): string | null;
  /** The module of a way out of the repository. */
  required(language: string, origin: Origin): string | null;
  definition(ref: DefinitionRef): string | null;
  /** From 0 and below `size`, another for each definition. */
  numberOf(ref: DefinitionRef): number;
  readonly size: number;
}

/** Modules inside modules are looked into so far. */
const maxDepth = 4;

/**
 * What a repository gives to others: the names of its modules, the members of the classes that these lead to, and what its
 * functions give back. Each as it is found: a large repository gives more than memory should hold.
 */
export function* surfaceOf(
  engine: Engine,
  modules: Iterable<PublishedModule>,
  names: Omit<SurfaceNames, 'published'>,
): Generator<BoundaryRow> {
  const surface = new Surface(engine, names);
  for (const module of modules) yield* surface.rowsOf(module);
}

class Surface {
  readonly #engine: Engine;
  readonly #names: Omit<SurfaceNames, 'published'>;
  /** Ways out by their text, each with the target that stands for them. */
  readonly #outsideTargets = new Map<string, string>();
  readonly #keys = new Set<string>();
  /** Modules of the one being shown that were met as what another hands on. */
  readonly #handedOn = new Set<string>();
  /** The definitions that were met. */
  readonly #isMet: Uint8Array;
  /** Rows that are not yet handed out. */
  readonly #found: BoundaryRow[] = [];
  /** Descriptions of definitions that were met, to be made. */
  readonly #waiting: (() => void)[] = [];

  constructor(engine: Engine, names: Omit<SurfaceNames, 'published'>) {
    this.#engine = engine;
    this.#names = names;
    this.#isMet = new Uint8Array(names.size);
  }

  /** A module's names, then what is first met by way of them. */
  *rowsOf({ key, specifier, paths }: PublishedModule): Generator<BoundaryRow> {
    // A manifest may name the same several times, first what is built of it.
    if (this.#keys.has(key)) return;
    const { documents } = this.#engine;
    const files = paths.map((path) => documents.numberOf(path)).filter((index) => index !== undefined);
    const names = emptyNames();
    this.#handedOn.clear();
    const [from] = files;
    if (from !== undefined) this.#addNames(names, '', { kind: 'module', documents: files, specifier, from }, 0);
    this.#engine.forget();
    if (Object.keys(names).length > 0) {
      this.#keys.add(key);
      yield { module: key, names };
    }
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      next();
      this.#engine.forget();
      yield* this.#found.splice(0);
    }
    yield* this.#found.splice(0);
  }

  #addNames(names: Record<string, string>, prefix: string, module: ModuleValue, depth: number): void {
    const { documents, members, expressions } = this.#engine;
    for (const name of new Set(module.documents.flatMap((document) => this.#namesIn(document))))
      this.#add(names, prefix + name, members.of(module.from, module, name), module.from, depth);
    if (module.documents.some((document) => documents.at(document).semantics.explicitExports)) {
      const whole = module.documents.flatMap((document) => expressions.evaluate(document, { kind: 'module' }));
      this.#add(names, prefix === '' ? '' : prefix.slice(0, -1), whole, module.from, depth);
    }
    const elsewhere = module.documents.flatMap((document) => this.#starsOutside(document));
    const target = this.#outsideTarget(elsewhere, module.from);
    if (target !== null) names[`${prefix}*`] = target;
  }

  /** What a name stands for; what holds names of its own without being a class gives these. */
  #add(names: Record<string, string>, name: string, values: Values, document: number, depth: number): void {
    const target = this.#targetOf(values, document);
    if (target !== null) names[name] ??= target;
    if (depth >= maxDepth) return;
    const prefix = name === '' ? '' : `${name}.`;
    for (const value of values) {
      if (value.kind === 'module' && name !== '' && !this.#hasSubmodules(value))
        this.#addNames(names, prefix, value, depth + 1);
      if (value.kind === 'instance' && this.#isObject(value)) this.#addInner(names, prefix, value, depth);
    }
  }

  /** What an object has, or a module in a file, and what that hands on of others. */
  #addInner(names: Record<string, string>, prefix: string, object: InstanceValue, depth: number): void {
    const { classes, members } = this.#engine;
    const { document, definition } = object;
    const own = classes.members(document, definition);
    for (const inner of own.keys())
      this.#add(names, prefix + inner, members.of(document, object, inner), document, depth + 1);
    const opened = this.#opened(object);
    for (const inner of new Set(opened.flatMap((one) => this.#namesOf(one)))) {
      if (own.has(inner)) continue;
      const values = members.of(document, object, inner);
      this.#add(names, prefix + inner, values, document, this.#isAgain(values) ? maxDepth : depth + 1);
    }
    const origins = opened.flatMap((one) => (one.kind === 'external' ? (one.origins ?? []) : []));
    const target = this.#outsideTarget(origins, document);
    if (target !== null) names[`${prefix}*`] = target;
  }

  /** Modules that hand on one another would have each other's names without end: each is gone into once by such a way. */
  #isAgain(values: Values): boolean {
    const keys = values.flatMap((value) => {
      if (value.kind === 'module') return [value.documents.join(' ')];
      return value.kind === 'instance' ? [`${value.document}#${value.definition}`] : [];
    });
    const isAgain = keys.some((key) => this.#handedOn.has(key));
    for (const key of keys) this.#handedOn.add(key);
    return isAgain;
  }

  /** What a module in a file hands on whole. */
  #opened({ document, definition }: DefinitionRef): Values {
    const { handsOn = [] } = this.#definition({ document, definition }) ?? {};
    return handsOn.flatMap((whole) => this.#engine.expressions.evaluate(document, whole));
  }

  /** The names that others have of what is handed on whole. */
  #namesOf(value: Value, seen = { documents: new Set<number>(), objects: new Set<number>() }): string[] {
    if (value.kind === 'module') return value.documents.flatMap((one) => this.#namesIn(one, seen.documents));
    if (value.kind !== 'instance' || !this.#isObject(value)) return [];
    const key = pairKey(value.document, value.definition);
    if (seen.objects.has(key)) return [];
    seen.objects.add(key);
    const own = this.#engine.classes.members(value.document, value.definition).keys();
    return [...own, ...this.#opened(value).flatMap((one) => this.#namesOf(one, seen))];
  }

  /** The first that is the repository's own; else the ways that lead out of it. */
  #targetOf(values: Values, document: number, depth = 0): string | null {
    for (const value of values) {
      const target = this.#ownTarget(value);
      if (target !== null) return target;
    }
    const ways = values.flatMap((value) => (value.kind === 'external' ? (value.origins ?? []) : []));
    return this.#outsideTarget(ways, document) ?? this.#elementTarget(values, document, depth);
  }

  /** Of what holds elements, theirs. */
  #elementTarget(values: Values, document: number, depth: number): string | null {
    const elements = values.flatMap((value) => this.#elementsOf(value));
    const target = elements.length > 0 && depth < maxDepth ? this.#targetOf(elements, document, depth + 1) : null;
    return target === null ? null : `${target}[]`;
  }

  /** Of a container, also of the language's own, whose last type argument is that of its elements. */
  #elementsOf(value: Value): Values {
    if (value.kind === 'array') return value.element;
    const isOfLanguage =
      value.kind === 'external' || (value.kind === 'instance' && this.#engine.documents.at(value.document).library);
    return isOfLanguage ? (value.args.at(-1) ?? []) : [];
  }

  /** A target that names the ways to what another repository gives; null where none of them is needed by a manifest. */
  #outsideTarget(origins: readonly Origin[], document: number): string | null {
    const language = this.#engine.documents.list[document]?.facts.language ?? '';
    const ways = origins.flatMap((origin): OutsideWay[] => {
      const module = this.#names.required(language, origin);
      return module === null ? [] : [wayOf(module, origin)];
    });
    if (ways.length === 0) return null;
    const key = JSON.stringify(ways);
    const known = this.#outsideTargets.get(key);
    if (known !== undefined) return known;
    const target = `>${this.#outsideTargets.size}`;
    this.#outsideTargets.set(key, target);
    this.#found.push({ outside: target, ways });
    return target;
  }

  /** A definition of the repository, which is described when it is met first. */
  #ownTarget(value: Value): string | null {
    const { documents, signatures } = this.#engine;
    if (!isDefined(value) || documents.at(value.document).library) return null;
    const ref = {
      document: value.document,
      definition:
        value.kind === 'function' ? signatures.implementation(value.document, value.definition) : value.definition,
    };
    const id = this.#names.definition(ref);
    if (id === null) return null;
    const number = this.#names.numberOf(ref);
    const isNew = this.#isMet[number] === 0;
    this.#isMet[number] = 1;
    if (value.kind === 'function') {
      if (isNew) this.#waiting.push(() => this.#describeFunction(id, { ...value, ...ref }));
      return id;
    }
    if (isNew) this.#waiting.push(() => this.#describeClass(id, ref));
    return value.kind === 'class' ? id : `${id}()`;
  }

  #describeFunction(id: string, value: FunctionValue): void {
    const results = this.#engine.calls
      .awaitedResult(value)
      .flatMap((one) => (one.kind === 'tuple' ? (one.elements[0] ?? []) : [one]));
    const target = this.#targetOf(results, value.document);
    if (target !== null) this.#found.push({ function: id, result: target });
  }

  #describeClass(id: string, { document, definition }: DefinitionRef): void {
    const members = this.#membersOf({ document, definition });
    const { list, outside: above } = this.#engine.ancestors.of(document, definition);
    const bases = [
      ...list
        .slice(1)
        .map((base) => this.#ownTarget({ kind: 'class', document: base.document, definition: base.definition })),
      ...above.map((base) => this.#outsideTarget(base.origins ?? [], document)),
    ];
    this.#found.push({ class: id, bases: bases.filter((base) => base !== null), members });
  }

  /** What a class gives to others, by name; of overloads each by the numbers of arguments that it takes, too. */
  #membersOf({ document, definition }: DefinitionRef): Record<string, string> {
    const { documents, classes, members } = this.#engine;
    const { semantics } = documents.at(document);
    const found = emptyNames();
    const instance = { kind: 'instance', document, definition, args: [] } as const;
    for (const [name, declared] of classes.members(document, definition)) {
      const definitions = declared.flatMap(({ document: at, member }) =>
        member.definition < 0 ? [] : [{ document: at, definition: member.definition }],
      );
      const isShown = definitions.length === 0 || definitions.some((one) => this.#definition(one)?.exported);
      // Where only a module says what is for others, all members are; those that only a name keeps back are for the classes below.
      if (!semantics.explicitExports && !isShown && !(semantics.namesHide && /^_[^_]/u.test(name))) continue;
      const target =
        this.#targetOf(members.of(document, instance, name), document) ??
        this.#targetOf(members.of(document, { ...instance, kind: 'class' }, name), document);
      if (target === null) continue;
      found[name] = target;
      // Where one of them has the body, it is the one that is called.
      const areSeveral = semantics.overloads || definitions.every((one) => this.#definition(one)?.isAbstract);
      if (definitions.length > 1 && areSeveral) this.#addOverloads(found, name, definitions);
    }
    return found;
  }

  /** Those that take a number of arguments without leaving one out come first; `*` is for more than any says. */
  #addOverloads(found: Record<string, string>, name: string, definitions: readonly DefinitionRef[]): void {
    const given = definitions.filter((one) => !this.#definition(one)?.isExpected);
    const overloads = (given.length > 0 ? given : definitions).flatMap((one) => {
      const target = this.#ownTarget({ kind: 'function', ...one, self: null });
      return target === null ? [] : [{ target, parameters: this.#definition(one)?.parameters ?? [] }];
    });
    const takesAny = (parameters: readonly Parameter[]) => parameters.at(-1)?.rest === true;
    for (const { target, parameters } of overloads)
      if (!takesAny(parameters)) found[`${name}/${parameters.length}`] ??= target;
    const most = Math.max(...overloads.map(({ parameters }) => parameters.length));
    for (let count = 0; count <= most; count++) {
      const one = overloads.find(({ parameters }) => takes(parameters, count));
      if (one) found[`${name}/${count}`] ??= one.target;
    }
    const any = overloads.find(({ parameters }) => takesAny(parameters));
    if (any) found[`${name}/*`] ??= any.target;
  }

  #definition({ document, definition }: DefinitionRef) {
    return this.#engine.documents.at(document).facts.definitions[definition];
  }

  #isObject(ref: DefinitionRef): boolean {
    return this.#definition(ref)?.kind === 'object';
  }

  /** Then they are modules that others ask for by themselves. */
  #hasSubmodules({ from, specifier }: ModuleValue): boolean {
    return this.#engine.documents.at(from).semantics.submodule(specifier, 'it') !== null;
  }

  /** What a file hands on whole of modules outside, its barrels' too. What files of a package import is their own. */
  #starsOutside(document: number, seen = new Set<number>()): Origin[] {
    const { documents } = this.#engine;
    const own = documents.list[document];
    if (!own || own.library || own.semantics.packageScope !== 'none' || seen.has(document)) return [];
    seen.add(document);
    return barrelsOf(own).flatMap((star) => {
      const files = own.modules.resolve(star, own.path);
      if (files?.length === 0) return [{ module: star, path: [] }];
      return (files ?? []).flatMap((path) => this.#starsOutside(documents.numberOf(path) ?? -1, seen));
    });
  }

  /** The names that a file gives, its barrels' too. */
  #namesIn(document: number, seen = new Set<number>()): string[] {
    const { documents } = this.#engine;
    const own = documents.list[document];
    if (!own || own.library || seen.has(document)) return [];
    seen.add(document);
    const { facts, semantics, modules, path } = own;
    const stars = barrelsOf(own);
    const names: string[] = [];
    if (!semantics.explicitExports) {
      for (const binding of facts.scopes[0]?.bindings ?? []) if (isShown(own, binding)) names.push(binding.name);
    }
    for (const { name } of facts.exports) if (name !== '*' && name !== '=') names.push(name);
    for (const star of stars) {
      for (const file of modules.resolve(star, path) ?? []) {
        const index = documents.numberOf(file);
        if (index !== undefined) names.push(...this.#namesIn(index, seen).filter((name) => name !== 'default'));
      }
    }
    return names;
  }
}

/** None yet; a name may be one that every object has. */
const emptyNames = () => Object.create(null) as Record<string, string>;

/** The modules whose names a file hands on whole: where nothing says what is exported, all that it imports whole. */
const barrelsOf = ({ facts, semantics }: Document): string[] => [
  ...facts.exports.flatMap(({ name, from }) => (name === '*' && from !== null ? [from] : [])),
  ...facts.imports.flatMap(({ name, module }) => (name === '**' && !semantics.explicitExports ? [module] : [])),
];

/** Of a definition, what it says itself; of anything else, what its name says. */
function isShown({ facts, semantics }: Document, { name, definition, import: from }: Binding): boolean {
  if (definition >= 0) return facts.definitions[definition]?.exported !== false;
  // `crate` and `self` are names that nobody wrote.
  if (from >= 0 && facts.imports[from]?.line === 0) return false;
  // What files of a package import is their own.
  return !name.startsWith('_') && (from < 0 || semantics.packageScope === 'none');
}
