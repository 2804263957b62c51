import type { ModuleResolver, Semantics } from '../languages/language.ts';
import type { Binding, Call, Definition, Export, Expr, FileFacts, Import, Member, TypeExpr } from '../facts/fact.ts';
import { firstOfEach, mergeC3, same } from './linearise.ts';
import { createOverloads } from './overloads.ts';
import { createPackages, packageKey } from './packages.ts';
import { createPassed } from './argument-inference.ts';
import {
  beyond,
  isOpen,
  type ExternalValue,
  type FunctionValue,
  type InstanceValue,
  type ModuleValue,
  type Origin,
  type Value,
  type Values,
  unite,
  unknown,
} from './value.ts';

/** One file with what its language says of names and modules. */
export interface Document {
  path: string;
  facts: FileFacts;
  semantics: Semantics;
  modules: ModuleResolver;
  /** Languages that see each other's definitions. */
  family: string;
  /** Id, see loaders/languages. */
  language: string;
  /** What the language brings: known, but no part of the repository, and not all of it. */
  library: boolean;
  /** As of a spooled document; absent where facts stay in memory. */
  release?(): number;
}

/** A base of a class in the order of member look-up; `args` are in terms of the class that was asked for. */
export interface Ancestor {
  document: number;
  definition: number;
  args: readonly Values[];
  /** Steps up from the class that was asked for. */
  depth: number;
}

/** A class, it itself first, and all above it in the order of member look-up. */
export interface Ancestry {
  list: readonly Ancestor[];
  /** Modules whose names are members too: `{ ...module }`. */
  modules: readonly ModuleValue[];
  /** A base lies outside the repository. */
  external: boolean;
  /** Those of them that an import leads to. */
  outside: readonly ExternalValue[];
}

/** Says what expressions stand for. Answers are remembered; cycles and depth end in "unknown". */
export interface Evaluator {
  /** Its number. */
  documentAt(path: string): number | undefined;
  evaluate(document: number, expr: Expr): Values;
  /** What a value has under this name. */
  member(document: number, value: Value, name: string): Values;
  /** What an import's name stands for: definitions, a module, or something external. */
  imported(document: number, index: number): Values;
  /** The class and all above it. */
  ancestors(document: number, definition: number): Ancestry;
  /** The class's own members by name, those written apart from it too. */
  members(document: number, definition: number): ReadonlyMap<string, readonly Found[]>;
  /** What calling a function gives, whatever is passed. */
  result(value: FunctionValue): Values;
  /** The bases whose constructor `super(…)` is: not the interfaces. */
  superclasses(document: number, definition: number): Values;
  /** The class that a definition written apart from it belongs to. */
  receiverOf(document: number, definition: number): InstanceValue | undefined;
  /** What a base in a class's head stands for. */
  bases(document: number, definition: number): readonly Values[];
  /** The function that a call of this function reaches: overloads are chosen by the arguments. */
  chooseOverload(value: FunctionValue, callDocument: number, args: readonly Expr[], types?: number): FunctionValue;
  /** Of functions of one name those that these arguments speak for. */
  likeliest<P extends { document: number; definition: number }>(
    candidates: readonly P[],
    args: readonly Expr[],
    callDocument: number,
  ): readonly P[];
  /** The declaration with the body, where this one has none. */
  implementation(document: number, definition: number): number;
  /** Forgets what was remembered of single expressions, and all else with the facts that it was remembered of. */
  forget(): void;
  /** Forgets all that can be found again. */
  forgetAll(): void;
}

const deepest = 80;
/** A mixin of more classes than these finds nothing in them. */
const mostUsers = 4;
/** So many answers are remembered; then all are forgotten: what a document needs is mostly near it. */
const mostRemembered = 150_000;
/** Of these, another possibility may say more. */
const saysLittle: ReadonlySet<Value['kind']> = new Set(['variable', 'external', 'container_method']);
const classKinds: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'record',
  'annotation',
  'type',
]);

/** Where a name stands: a name may be a type and a value at once. */
type NamePosition = 'value' | 'type' | 'all';

/** What a call says beside its callee. */
type CallSite = Pick<Call, 'args' | 'types' | 'expected'>;

/** A member, and the document that says so. */
export interface Found {
  document: number;
  member: Member;
}

type Place = Pick<Ancestor, 'document' | 'definition'>;

/** An evaluator over all files of one repository; `visit` is shown each, too, so that they are gone through once less. */
export function createEvaluator(
  documents: readonly Document[],
  visit?: (one: Document, document: number) => void,
): Evaluator {
  const byPath = new Map<string, number>();
  for (const [document, { path }] of documents.entries()) byPath.set(path, document);
  const packages = createPackages();
  const scopeTables = new Map<number, Map<string, Binding[]>>();
  const ownTables = new Map<number, Map<string, Binding[]>>();
  const topNamesOf = new Map<number, ReadonlyMap<number, string>>();
  const starImports = new Map<number, readonly Import[]>();
  const foreignOrigins = new Map<number, readonly Origin[]>();
  const exportTables = new Map<number, Map<string, Export[]>>();
  const memberTables = new Map<Definition, Map<string, Found[]>>();
  const expressions = new Map<Expr, Values>();
  const types = new Map<TypeExpr, Values>();
  const bindingValues = new Map<Binding[], Record<NamePosition, Values>>();
  const importValues = new Map<Import, Values>();
  const moduleMembers = new Map<string, Values>();
  const returnValues = new Map<Definition, Values>();
  const ancestorLists = new Map<Definition, Ancestry>();
  const passed = createPassed({ documents, evaluate, constructorOf });
  /** Of what facts say; it goes with them. */
  const memories = [
    scopeTables,
    ownTables,
    topNamesOf,
    starImports,
    foreignOrigins,
    exportTables,
    memberTables,
    expressions,
    types,
    bindingValues,
    importValues,
    moduleMembers,
    returnValues,
    ancestorLists,
    passed.answers,
  ];
  let released = 0;
  /** What is being computed, the innermost last; the outermost of them that the answer at hand rests on; and what to forget therefore. */
  const computing: unknown[] = [];
  let restsOn = Infinity;
  const provisional: (() => void)[] = [];

  // What holds for the whole repository, by places.
  /** Files whose imports hold for all around them. */
  const sharing: Document[] = [];
  /** Of every declaration but the first of one class, the first, which stands for all. */
  const firstParts = new Map<number, Place>();
  /** The other declarations of a class, and methods that are written apart from it. */
  const partsOf = new Map<number, Place[]>();
  const methodsApart = new Map<number, Place[]>();
  /** Definitions whose bases a class has too: its other declarations, `impl Trait for Class`. */
  const basesApart = new Map<number, Place[]>();
  /** The classes that a mixin is mixed into. */
  const usersOf = new Map<number, Place[]>();
  let mixing = 0;

  const { choose: overload, likeliest } = createOverloads({
    definitionOf,
    candidates: overloadsOf,
    parameterTypes: ({ document, definition }) =>
      definitionOf(document, definition).parameters.map(({ type }) => (type ? typeOf(document, type) : unknown)),
    evaluate,
    ancestors,
    boundOf,
    isLibrary: (document) => at(document).library,
    functionalMethod,
  });

  const partsByName = new Map<string, Place>();
  const withReceivers: number[] = [];
  const withBases: number[] = [];
  documents.forEach((one, document) => {
    const { imports, definitions } = one.facts;
    packages.add(one, document);
    passed.add(one, document);
    visit?.(one, document);
    if (imports.some(({ everywhere }) => everywhere)) sharing.push(one);
    if (definitions.some(({ receiver }) => receiver)) withReceivers.push(document);
    if (!one.library && definitions.some(({ bases }) => bases.length > 0)) withBases.push(document);
    addParts(one, document);
    releaseFacts(one);
  });
  for (const document of withReceivers) attachReceivers(document);
  // All ancestors first: met deep inside an expression, they would be cut off with it, and remembered so.
  withBases.forEach((document) => {
    const one = at(document);
    one.facts.definitions.forEach(({ bases }, index) => {
      if (bases.length === 0) return;
      ancestors(document, index);
      if (!one.semantics.mixins) return;
      for (const { expr, how } of bases)
        for (const value of how === 'implements' ? evaluate(document, expr) : unknown)
          if (value.kind === 'class')
            append(usersOf, placeKey(value.document, value.definition), firstPart(document, index));
    });
    forgetMany();
    releaseFacts(one);
  });

  return {
    documentAt: (path) => byPath.get(path),
    evaluate,
    member,
    imported: (document, index) => {
      const wanted = at(document).facts.imports[index];
      return wanted ? importValue(document, wanted) : unknown;
    },
    ancestors,
    members: memberTable,
    result: (value) => unite(functionResult(value.document, value, [], []).map((one) => awaited(one))),
    receiverOf: (document, definition) => receiverClass(document, definitionOf(document, definition))[0],
    superclasses: (document, definition) =>
      unite(
        definitionOf(document, definition)
          .bases.filter(({ how }) => how === 'extends')
          .map((base) => evaluate(document, base.expr)),
      ),
    bases: (document, definition) => {
      // First all ancestors: a name in a class's head is looked up among its inherited members too, and they rest on this.
      ancestors(document, definition);
      return definitionOf(document, definition).bases.map(({ expr }) => {
        const values = evaluate(document, expr);
        // What a call gives is the base where it is a class; an object is at most something that makes one.
        return expr.kind === 'result' || expr.kind === 'call'
          ? unite(values.map((value) => constructed(document, value))).filter(({ kind }) => kind !== 'instance')
          : values;
      });
    },
    chooseOverload,
    likeliest,
    implementation,
    forget: () => {
      expressions.clear();
      forgetMany();
      for (const one of documents.slice(0, 1)) releaseFacts(one);
    },
    forgetAll,
  };

  /** Only between two questions: within one, facts stay the same objects. */
  function releaseFacts({ release }: Document): void {
    const times = release?.() ?? released;
    if (times === released) return;
    released = times;
    forgetAll();
  }

  function forgetMany(): void {
    if (memories.reduce((count, { size }) => count + size, 0) > mostRemembered) forgetAll();
  }

  function forgetAll(): void {
    for (const memory of memories) memory.clear();
  }

  function at(document: number): Document {
    const found = documents[document];
    if (!found) throw new RangeError(`There is no document ${document}.`);
    return found;
  }

  function definitionOf(document: number, definition: number): Definition {
    const found = at(document).facts.definitions[definition];
    if (!found) throw new RangeError(`${at(document).path} has no definition ${definition}.`);
    return found;
  }

  /**
   * Runs `compute` once for a key; a key that is asked for while it is being computed is unknown. Nothing known that rests on such
   * an answer holds for this one question: from elsewhere in the circle more can be known.
   */
  function remember<K, V>(memory: Map<K, V>, key: K, whileComputing: V, compute: () => V): V {
    const known = memory.get(key);
    if (known !== undefined) {
      const own = known === whileComputing ? computing.lastIndexOf(key) : -1;
      if (own !== -1) restsOn = Math.min(restsOn, own);
      return known;
    }
    if (computing.length > deepest) {
      restsOn = 0;
      return whileComputing;
    }
    const around = restsOn;
    const own = computing.length;
    memory.set(key, whileComputing);
    computing.push(key);
    restsOn = Infinity;
    try {
      const value = compute();
      memory.set(key, value);
      if (restsOn < own && Array.isArray(value) && value.length === 0) provisional.push(() => memory.delete(key));
      return value;
    } finally {
      computing.pop();
      restsOn = Math.min(around, restsOn < own ? restsOn : Infinity);
      if (own === 0) for (let forget = provisional.pop(); forget; forget = provisional.pop()) forget();
    }
  }

  // ---- values

  function evaluate(document: number, expr: Expr): Values {
    switch (expr.kind) {
      case 'unknown':
        return unknown;
      case 'name':
        if (!expr.isType) return lookUp(document, expr.scope, expr.name, 'value');
        return lookUp(document, expr.scope, expr.name, 'type').map((value) =>
          value.kind === 'instance' ? { kind: 'class', document: value.document, definition: value.definition } : value,
        );
      case 'typed':
        return typeOf(document, expr.type);
      case 'definition':
        return [valueOf(document, expr.definition)];
      case 'self':
        return self(document, expr.definition);
      case 'module': {
        const module: ModuleValue = { kind: 'module', documents: [document], specifier: '', from: document };
        return wholeModule(module) ?? [module];
      }
      case 'super':
        return self(document, expr.definition).map((value) =>
          value.kind === 'instance' || value.kind === 'class'
            ? { kind: 'super', document: value.document, definition: value.definition, self: value }
            : value,
        );
      default:
        return remember(expressions, expr, unknown, () => evaluateOnce(document, expr));
    }
  }

  function evaluateOnce(document: number, expr: Expr): Values {
    switch (expr.kind) {
      case 'member':
        return preferred(
          unite(evaluate(document, expr.object).map((value) => member(document, value, expr.name))),
          false,
        );
      case 'index':
        return unite(evaluate(document, expr.object).map((value) => elementOf(value, expr.at)));
      case 'iterate':
        return unite(evaluate(document, expr.object).map((value) => iterate(document, value)));
      case 'await':
        return unite(evaluate(document, expr.value).map((value) => awaited(value)));
      case 'call':
        return callResult(document, expr);
      case 'tested':
        return firstKnown([
          () => unite(evaluate(document, expr.test).map((test) => predicated(test))),
          () => evaluate(document, expr.value),
        ]);
      case 'without': {
        const refused = typeOf(document, expr.type);
        return evaluate(document, expr.value).filter(
          (value) => value.kind !== 'instance' || !refused.some((one) => one.kind === 'instance' && same(one, value)),
        );
      }
      case 'import': {
        const wanted = at(document).facts.imports[expr.import];
        return wanted ? preferred(importValue(document, wanted), false) : unknown;
      }
      case 'result': {
        const call = at(document).facts.calls[expr.call];
        return call ? callResult(document, call) : unknown;
      }
      case 'argument': {
        const call = at(document).facts.calls[expr.call];
        if (!call) return unknown;
        return unite(evaluate(document, call.callee).map((value) => parameterOf(document, value, expr.index, call)));
      }
      case 'parameter':
        return unite(evaluate(document, expr.function).map((value) => parameterOf(document, value, expr.index, null)));
      case 'array':
        return [{ kind: 'array', element: unite(expr.elements.map((element) => evaluate(document, element))) }];
      case 'map':
        return [{ kind: 'map', key: unknown, value: unite(expr.values.map((value) => evaluate(document, value))) }];
      case 'tuple':
        return [{ kind: 'tuple', elements: expr.elements.map((element) => evaluate(document, element)) }];
      case 'union':
        if (expr.first) return firstKnown(expr.options.map((option) => () => evaluate(document, option)));
        return unite(expr.options.map((option) => evaluate(document, option)));
      default:
        return unknown;
    }
  }

  /** What a function's predicate says of its argument. */
  function predicated(test: Value): Values {
    if (test.kind !== 'function') return unknown;
    const { returnType } = definitionOf(test.document, test.definition);
    return returnType?.kind === 'predicate' ? typeOf(test.document, returnType.type) : unknown;
  }

  function firstKnown(options: readonly (() => Values)[]): Values {
    let last: Values = unknown;
    for (const option of options) {
      last = option();
      if (last.some(({ kind }) => !saysLittle.has(kind))) return last;
    }
    return last;
  }

  function valueOf(document: number, definition: number): Value {
    const { kind } = definitionOf(document, definition);
    if (kind === 'object') return { kind: 'instance', document, definition, args: [] };
    if (kind === 'function' || kind === 'method' || kind === 'constructor') {
      return { kind: 'function', document, definition, self: null };
    }
    return { kind: 'class', ...firstPart(document, definition) };
  }

  function firstPart(document: number, definition: number): { document: number; definition: number } {
    return firstParts.get(placeKey(document, definition)) ?? { document, definition };
  }

  /** The class seen from inside: its type arguments are its own parameters. */
  function instanceOf(part: number, ofPart: number): InstanceValue {
    const { document, definition } = firstPart(part, ofPart);
    const args = definitionOf(document, definition).typeParameters.map<Values>((_, index) => [
      { kind: 'variable', document, definition, index },
    ]);
    return { kind: 'instance', document, definition, args };
  }

  function self(document: number, definition: number): Values {
    for (let index = definition, isStatic = false; index >= 0;) {
      const { kind, owner, members, isStatic: here } = definitionOf(document, index);
      if (classKinds.has(kind)) {
        return [isStatic ? valueOf(document, index) : instanceOf(document, index)];
      }
      if (kind === 'object') return [{ kind: 'instance', document, definition: index, args: [] }];
      // A constructor function: `this` in it, and in its prototype's methods, is what `new` makes of it.
      if (members.some((member) => !member.isStatic)) return [instanceOf(document, index)];
      isStatic = here;
      index = owner;
    }
    return unknown;
  }

  // ---- names

  function scopeTable(document: number, scope: number): Map<string, Binding[]> {
    return made(scopeTables, placeKey(document, scope), () =>
      Map.groupBy(at(document).facts.scopes[scope]?.bindings ?? [], ({ name }) => name),
    );
  }

  /** What the top of a file says of a name itself: no imports. */
  function ownBindings(document: number, name: string): Binding[] {
    const table = made(ownTables, document, () =>
      Map.groupBy(
        (at(document).facts.scopes[0]?.bindings ?? []).filter((binding) => binding.import < 0),
        (binding) => binding.name,
      ),
    );
    return table.get(name) ?? [];
  }

  function lookUp(document: number, from: number, name: string, position: NamePosition): Values {
    const { facts, semantics } = at(document);
    let insideFunction = false;
    let inherited: readonly ExternalValue[] = [];
    for (let index = from; index >= 0;) {
      const scope = facts.scopes[index];
      if (!scope) break;
      const owner = scope.definition >= 0 ? facts.definitions[scope.definition] : undefined;
      const ofClass = owner !== undefined && classKinds.has(owner.kind);
      if (owner && position === 'type') {
        const parameter = owner.typeParameters.findIndex((parameter) => parameter.name === name);
        if (parameter >= 0) {
          return [{ kind: 'variable', document, definition: scope.definition, index: parameter }];
        }
      }
      if (!(ofClass && insideFunction && semantics.classScopeHidden)) {
        const bindings = scopeTable(document, index).get(name);
        if (bindings) return bound(document, bindings, position);
      }
      if (ofClass && semantics.membersAreNames) {
        const values = memberOf(document, instanceOf(document, scope.definition), name, true);
        if (values && position === 'value') return values;
        if (position === 'value' && inherited.length === 0) inherited = ancestors(document, scope.definition).outside;
        const classes = (values ?? unknown).filter((value) => value.kind === 'class');
        if (classes.length > 0) return asTypes(classes);
      }
      if (position === 'value' && owner?.receiver && owner.owner < 0 && !ofClass && semantics.membersAreNames) {
        // Of a method apart from its class, the members of that class.
        const [around] = receiverClass(document, owner);
        const values = around && memberOf(document, around, name, true);
        if (values) return values;
      }
      for (const prefix of scope.prefixes ?? []) {
        const values = packageMember(document, prefix + name, position);
        if (values) return values;
      }
      if (owner && !ofClass && owner.kind !== 'object') insideFunction = true;
      index = scope.parent;
    }
    return (
      packageMember(document, name, position) ??
      starImport(document, name, position) ??
      importedPackage(document, name) ??
      foreign(document, name, inherited)
    );
  }

  /** What nobody here has: inherited, where a base lies outside, or of what is imported whole. */
  function foreign(document: number, name: string, inherited: readonly ExternalValue[]): Values {
    const { semantics, modules, path } = at(document);
    const mayBeModule = semantics.foreignNames === 'paths' && semantics.packageScope === 'none';
    if (mayBeModule && (modules.resolve(name, path) ?? []).length > 0) return moduleOf(document, name);
    const origins = [...inherited.flatMap(({ origins = [] }) => origins), ...foreignPlaces(document)];
    const whole: ExternalValue = { kind: 'external', name: '', args: inherited[0]?.args ?? [], origins };
    return [beyond(whole, name, name)];
  }

  /** Where names may come from that this repository has not. */
  function foreignPlaces(document: number): readonly Origin[] {
    const { semantics, modules, path: asking } = at(document);
    if (semantics.foreignNames === undefined) return [];
    return made(foreignOrigins, document, () => {
      // Of a package that the repository has itself, all names are known.
      const stars = starImportsOf(document)
        .filter(({ module }) => module === '' || modules.resolve(module, asking)?.length === 0)
        .map(({ module, name }) => ({ module, path: name.split('.').slice(0, -1) }));
      const all = [...stars, ...(semantics.foreignNames === 'paths' ? [{ module: '', path: [] }] : [])];
      return [...new Map(all.map((one) => [[one.module, ...one.path].join(' '), one])).values()];
    });
  }

  function packageMember(document: number, name: string, position: NamePosition): Values | undefined {
    const names = packages.get(packageKey(at(document)) ?? '');
    const found = names?.get(name);
    const places = found?.map((one) => ({ document: one }));
    const usable = places && (at(document).semantics.nearestWins ? nearest(document, places) : usual(document, places));
    return usable && unite(usable.map((one) => bound(one.document, ownBindings(one.document, name), position)));
  }

  /** Those whose folder has most in common with that of the one who asks. */
  function nearest<T extends { document: number }>(asking: number, found: readonly T[]): readonly T[] {
    if (found.length < 2) return found;
    const folders = at(asking).path.split('/').slice(0, -1);
    const shared = found.map(({ document }) => {
      const others = at(document).path.split('/').slice(0, -1);
      const different = folders.findIndex((folder, index) => folder !== others[index]);
      return different < 0 ? folders.length : different;
    });
    const most = Math.max(...shared);
    return found.filter((_, index) => shared[index] === most);
  }

  /** A package has the name of its clause, whatever the last part of its path is. */
  function importedPackage(document: number, name: string): Values | undefined {
    if (at(document).semantics.packageScope !== 'folder') return undefined;
    for (const wanted of at(document).facts.imports) {
      if (wanted.name !== '*') continue;
      const values = moduleOf(document, wanted.module).filter(
        (value) => value.kind === 'module' && value.documents.some((one) => at(one).facts.packageName === name),
      );
      if (values.length > 0) return values;
    }
    return undefined;
  }

  function starImport(document: number, name: string, position: NamePosition): Values | undefined {
    for (const wanted of starImportsOf(document)) {
      const values = unite(
        moduleOf(document, wanted.module).map((value) => {
          const path = [...wanted.name.split('.').slice(0, -1), name];
          return path.reduce<Values>(
            (objects, part) => unite(objects.map((object) => memberOf(document, object, part, false) ?? unknown)),
            [value],
          );
        }),
      );
      const inside = values.filter((value) => value.kind !== 'external');
      if (inside.length > 0) return position === 'type' ? asTypes(inside) : inside;
    }
    return undefined;
  }

  function starImportsOf(document: number): readonly Import[] {
    return made(starImports, document, () =>
      [...at(document).facts.imports, ...sharedImports(document)].filter(({ name }) => name.endsWith('**')),
    );
  }

  /** What other files import for all around them. */
  function sharedImports(document: number): Import[] {
    const { path, family } = at(document);
    const around = sharing.filter(
      (one) => one.family === family && path.startsWith(one.path.slice(0, one.path.lastIndexOf('/') + 1)),
    );
    return around.flatMap(({ facts }) => facts.imports.filter(({ everywhere }) => everywhere));
  }

  function bound(document: number, bindings: Binding[], position: NamePosition): Values {
    if (position === 'type') {
      // What is written as a type needs no look at values, which may be declared by it.
      const classes = bindings.filter(
        ({ definition }) => definition >= 0 && classKinds.has(definitionOf(document, definition).kind),
      );
      if (classes.length > 0) return asTypes(classes.map(({ definition }) => valueOf(document, definition)));
    }
    const values = remember(bindingValues, bindings, { value: unknown, type: unknown, all: unknown }, () => {
      const all = bindingsOf(document, bindings);
      return { value: preferred(all, false), type: asTypes(preferred(all, true)), all };
    });
    return values[position];
  }

  function bindingsOf(document: number, bindings: readonly Binding[]): Values {
    const defined = bindings.filter((binding) => binding.definition >= 0);
    const withBody = defined.filter((binding) => !definitionOf(document, binding.definition).isAbstract);
    const results = (withBody.length > 0 ? withBody : defined).map<Values>((binding) => [
      valueOf(document, binding.definition),
    ]);
    const typed = bindings.filter((binding) => binding.definition < 0 && binding.type);
    for (const { type } of typed) if (type) results.push(typeOf(document, type));
    for (const binding of bindings) {
      if (binding.definition >= 0) continue;
      const wanted = binding.import >= 0 ? at(document).facts.imports[binding.import] : undefined;
      if (wanted) results.push(importValue(document, wanted));
      else if (typed.length === 0 && binding.value) results.push(heldBy(document, evaluate(document, binding.value)));
    }
    return unite(results);
  }

  /** What a variable that was given these values stands for. */
  function heldBy(document: number, values: Values): Values {
    if (!at(document).semantics.variablesHoldTypes) return values;
    return values.map((value): Value => {
      if (value.kind !== 'function') return value;
      const { parameters } = definitionOf(value.document, value.definition);
      return {
        kind: 'callable',
        parameters: parameters.map(({ type }) => (type ? typeOf(value.document, type) : unknown)),
        returns: functionResult(document, value, [], []),
      };
    });
  }

  /** Of a name that is both a type and a value, the one that the position asks for. */
  function preferred(values: Values, type: boolean): Values {
    if (values.length < 2) return values;
    const isType = (value: Value) =>
      value.kind === 'class' && ['interface', 'type'].includes(definitionOf(value.document, value.definition).kind);
    const chosen = values.filter((value) => isType(value) === type || (type && value.kind === 'class'));
    return chosen.length > 0 ? chosen : values;
  }

  /** From a class to its instances, from an alias to what it stands for. */
  function asTypes(values: Values): Values {
    return unite(
      values.map((value): Values => {
        if (value.kind === 'class') return [{ ...value, kind: 'instance', args: [] }];
        if (value.kind === 'function') return [{ ...value, kind: 'instance', args: [] }];
        return [value];
      }),
    );
  }

  // ---- modules

  function moduleOf(document: number, specifier: string): Values {
    const paths = at(document).modules.resolve(specifier, at(document).path);
    if (paths === null) return unknown;
    const found = paths.map((path) => byPath.get(path)).filter((index) => index !== undefined);
    // A folder without a file of its own may still hold modules.
    const isFolder = paths.length > 0 && at(document).semantics.submodule(specifier, '') !== null;
    if (found.length > 0 || isFolder) return [{ kind: 'module', documents: found, specifier, from: document }];
    if (paths.length > 0) return unknown;
    return [{ kind: 'external', name: specifier, args: [], origins: [{ module: specifier, path: [] }] }];
  }

  function importValue(document: number, wanted: Import): Values {
    return remember(importValues, wanted, unknown, () => {
      const modules = moduleOf(document, wanted.module);
      const values = named(document, modules, wanted.name);
      const ofLibrary = (value: Value) => value.kind === 'module' && value.documents.every((one) => at(one).library);
      return values.length === 0 && modules.some(ofLibrary)
        ? [{ kind: 'external', name: wanted.name, args: [] }]
        : values;
    });
  }

  /** What a module gives under this name, as imports and re-exports write it. */
  function named(document: number, modules: Values, name: string): Values {
    return unite(
      modules.map((value): Values => {
        if (name === '' || name.endsWith('**')) return unknown;
        if (value.kind !== 'module') return name === '*' ? [value] : member(document, value, name);
        if (name === '*') return wholeModule(value) ?? [value];
        if (name === 'default') return moduleMember(value, 'default') ?? wholeModule(value) ?? [value];
        return name
          .split('.')
          .reduce<Values>((objects, part) => unite(objects.map((object) => member(document, object, part))), [value]);
      }),
    );
  }

  /** `module.exports = …`: the module is that value. */
  function wholeModule(module: ModuleValue): Values | undefined {
    const values = unite(module.documents.map((document) => exported(document, '=') ?? unknown));
    return values.length > 0 ? values : undefined;
  }

  function moduleMember(module: ModuleValue, name: string): Values | undefined {
    const [first] = module.documents;
    // A package that is known by its clause is looked into once, not file by file; what its files import is their own.
    if (first !== undefined && at(first).semantics.packageScope === 'name') return packageMember(first, name, 'value');
    const found = module.documents.flatMap((document) => {
      const values = exported(document, name);
      return values ? [{ document, values }] : [];
    });
    if (found.length > 0) return unite(usual(module.from, found).map(({ values }) => values));
    const inner = at(module.from).semantics.submodule(module.specifier, name);
    if (inner === null) return undefined;
    const values = moduleOf(module.from, inner).filter((value) => value.kind === 'module');
    return values.length > 0 ? values : undefined;
  }

  function exportTable(document: number): Map<string, Export[]> {
    return made(exportTables, document, () => Map.groupBy(at(document).facts.exports, ({ name }) => name));
  }

  /** What one file gives under this name; undefined when nothing. */
  function exported(document: number, name: string): Values | undefined {
    const values = remember(moduleMembers, `${document} ${name}`, unknown, () => {
      const entries = exportTable(document).get(name);
      if (entries) return unite(entries.map((entry) => exportValue(document, entry)));
      if (!at(document).semantics.explicitExports) {
        const bindings = scopeTable(document, 0).get(name);
        if (bindings) return bound(document, bindings, 'all');
        return starImport(document, name, 'all') ?? unknown;
      }
      if (name === '=' || name === 'default') return unknown;
      const stars = exportTable(document).get('*') ?? [];
      for (const { from, value } of stars) {
        if (from === null) {
          const found = value ? unite(evaluate(document, value).map((one) => member(document, one, name))) : unknown;
          if (found.length > 0) return found;
          continue;
        }
        for (const value of moduleOf(document, from)) {
          const found = value.kind === 'module' ? moduleMember(value, name) : undefined;
          if (found && found.length > 0) return found;
        }
      }
      return unknown;
    });
    if (values.length > 0) return values;
    const declared =
      exportTable(document).has(name) || (!at(document).semantics.explicitExports && scopeTable(document, 0).has(name));
    return declared ? values : undefined;
  }

  function exportValue(document: number, entry: Export): Values {
    if (entry.from !== null) return named(document, moduleOf(document, entry.from), entry.imported ?? entry.name);
    if (entry.value?.kind === 'name') return lookUp(document, entry.value.scope, entry.value.name, 'all');
    return entry.value ? evaluate(document, entry.value) : unknown;
  }

  // ---- members

  function memberTable(document: number, definition: number): Map<string, Found[]> {
    const key = definitionOf(document, definition);
    const known = memberTables.get(key);
    if (known) return known;
    const own = key.members.map((member) => ({ document, member }));
    const parts = (partsOf.get(placeKey(document, definition)) ?? []).flatMap((part) =>
      definitionOf(part.document, part.definition).members.map((member) => ({ document: part.document, member })),
    );
    const table = Map.groupBy<string, Found>([...own, ...parts], ({ member }) => member.name);
    for (const place of methodsApart.get(placeKey(document, definition)) ?? []) addApart(table, document, place);
    memberTables.set(key, table);
    return table;
  }

  function addApart(table: Map<string, Found[]>, document: number, place: Place): void {
    const { name, isStatic } = definitionOf(place.document, place.definition);
    const member: Member = { name, definition: place.definition, value: null, type: null, isStatic };
    table.set(name, usual(document, [...(table.get(name) ?? []), { document: place.document, member }]));
  }

  /** Several declarations of one class have all their members and bases together. */
  function addParts(one: Document, document: number): void {
    one.facts.definitions.forEach((part, definition) => {
      if (!part.isPart) return;
      const key = `${packageKey(one) ?? one.path} ${part.qualifiedName} ${part.typeParameters.length}`;
      const first = partsByName.get(key);
      if (!first) {
        partsByName.set(key, { document, definition });
        return;
      }
      const whole = placeKey(first.document, first.definition);
      firstParts.set(placeKey(document, definition), first);
      append(partsOf, whole, { document, definition });
      if (part.bases.length > 0) append(basesApart, whole, { document, definition });
    });
  }

  /** Methods that are written apart from their class become its members. */
  function attachReceivers(document: number): void {
    const one = at(document);
    one.facts.definitions.forEach((definition, index) => {
      if (!definition.receiver) return;
      const place = { document, definition: index };
      if (definition.bases.length > 0) {
        const owner = receiverClass(document, definition)[0];
        if (owner) append(basesApart, placeKey(owner.document, owner.definition), place);
      }
      if (definition.name === '') return;
      for (const value of receiverClass(document, definition)) {
        const known = memberTables.get(definitionOf(value.document, value.definition));
        if (known) addApart(known, value.document, place);
        append(methodsApart, placeKey(value.document, value.definition), place);
      }
    });
    releaseFacts(one);
  }

  /** Of several declarations those of the usual build, unless the one who asks is left out of it too. */
  function usual<T extends { document: number }>(asking: number, found: T[]): T[] {
    if (found.length < 2 || at(asking).facts.conditional) return found;
    const kept = found.filter(({ document }) => !at(document).facts.conditional);
    return kept.length > 0 ? kept : found;
  }

  /** The class that a method belongs to which is written apart from it. */
  function receiverClass(document: number, { receiver }: Definition): InstanceValue[] {
    if (receiver?.kind !== 'reference') return [];
    const values = receiver.name.includes('.')
      ? typeOf(document, receiver)
      : lookUp(document, receiver.scope, receiver.name, 'type');
    return values.filter((value) => value.kind === 'instance');
  }

  function member(document: number, value: Value, name: string): Values {
    return memberOf(document, value, name, false) ?? unknown;
  }

  /** What a value has under this name; undefined when it certainly has nothing of ours. */
  function memberOf(document: number, value: Value, name: string, nameOnly: boolean): Values | undefined {
    switch (value.kind) {
      case 'instance':
        if (name === at(document).semantics.classMember) return [{ ...value, kind: 'class' }];
        return classMember(document, value, value, name, 0, nameOnly);
      case 'class':
        return classMember(document, value, value, name, 0, nameOnly);
      case 'super':
        return classMember(document, value, value.self, name, 1, nameOnly);
      case 'function':
        if (definitionOf(value.document, value.definition).members.length > 0) {
          const found = classMember(document, value, value, name, 0, nameOnly);
          if (found) return found;
        }
        return [{ kind: 'external', name, args: [] }];
      case 'module':
        return moduleMember(value, name) ?? wholeModule(value)?.flatMap((whole) => member(document, whole, name));
      case 'variable': {
        const bound = boundOf(value);
        return bound.length > 0 ? unite(bound.map((one) => member(document, one, name))) : undefined;
      }
      case 'external':
        return [beyond(value, `${value.name}.${name}`, name)];
      case 'array':
      case 'map':
      case 'tuple':
        return [{ kind: 'container_method', container: value, name }];
      case 'callable':
      case 'container_method':
        return [{ kind: 'external', name, args: [] }];
    }
  }

  function boundOf(value: Extract<Value, { kind: 'variable' }>): Values {
    const definition = definitionOf(value.document, value.definition);
    const bound = definition.typeParameters[value.index]?.bound;
    if (bound) return typeOf(value.document, bound);
    // A method apart from its class names the class's parameters anew; their bounds are written there.
    return unite(
      receiverClass(value.document, definition).map((owner) =>
        boundOf({ ...owner, kind: 'variable', index: value.index }),
      ),
    );
  }

  function classMember(
    document: number,
    owner: { document: number; definition: number },
    receiver: Value,
    name: string,
    skip: number,
    nameOnly: boolean,
  ): Values | undefined {
    const { list, modules, external, outside } = ancestors(owner.document, owner.definition);
    for (const ancestor of list.slice(skip)) {
      const all = memberTable(ancestor.document, ancestor.definition).get(name);
      if (!all) continue;
      const values = memberValues(all, receiver);
      if (ancestor.args.length === 0 && !(receiver.kind === 'instance' && receiver.args.length > 0)) return values;
      return substitute(values, environment(receiver, ancestor));
    }
    const definition = definitionOf(owner.document, owner.definition);
    if (definition.kind === 'type' && definition.returnType) {
      const values = typeOf(owner.document, definition.returnType).filter((value) => value.kind !== 'external');
      if (values.length > 0) return unite(values.map((value) => member(document, value, name)));
    }
    for (const module of modules) {
      const values = moduleMember(module, name);
      if (values) return values;
    }
    const mixed = nameOnly ? [] : ofUsers(document, owner, receiver, name);
    if (mixed.length > 0) return mixed;
    if (!external || nameOnly) return undefined;
    return outside.length > 0
      ? outside.map((base) => beyond(base, name, name))
      : [{ kind: 'external', name, args: [] }];
  }

  /** What a mixin finds in the classes that it is mixed into; of many, nobody knows which is meant. */
  function ofUsers(document: number, owner: Place, receiver: Value, name: string): Values {
    const users = usersOf.get(placeKey(owner.document, owner.definition)) ?? [];
    if (receiver.kind !== 'instance' || users.length > mostUsers || mixing >= 2) return unknown;
    mixing++;
    const found = users.map((user) =>
      (memberOf(document, instanceOf(user.document, user.definition), name, false) ?? unknown).filter(
        ({ kind }) => kind !== 'external',
      ),
    );
    mixing--;
    return unite(found);
  }

  function memberValues(all: readonly Found[], receiver: Value): Values {
    const wanted = all.filter(({ member }) => member.isStatic === (receiver.kind === 'class'));
    const found = wanted.length > 0 ? wanted : all;
    const withBody = found.filter(
      ({ document, member }) => member.definition < 0 || !definitionOf(document, member.definition).isAbstract,
    );
    const [first] = found;
    // Which of several declarations is meant is said by the call.
    if (first && first.member.definition >= 0 && at(first.document).semantics.overloads) {
      const value = valueOf(first.document, first.member.definition);
      return [value.kind === 'function' ? { ...value, self: receiver } : value];
    }
    const typed = found.filter(({ member }) => member.definition < 0 && member.type);
    const defined = found.filter(({ member }) => member.definition >= 0);
    // Of declarations without a body the first stands for all; the call's arguments choose.
    const declared = defined.length === found.length ? found.slice(0, 1) : found;
    const chosen = typed.length > 0 && defined.length === 0 ? typed : withBody.length > 0 ? withBody : declared;
    return unite(
      chosen.map(({ document, member }): Values => {
        if (member.definition >= 0) {
          const value = valueOf(document, member.definition);
          if (value.kind !== 'function') return [value];
          const method: Value = { ...value, self: receiver };
          return definitionOf(document, member.definition).isProperty
            ? functionResult(document, method, [], [])
            : [method];
        }
        if (member.type) return typeOf(document, member.type);
        return member.value ? evaluate(document, member.value) : unknown;
      }),
    );
  }

  function ancestors(part: number, ofPart: number): Ancestry {
    const { document, definition } = firstPart(part, ofPart);
    const owner = definitionOf(document, definition);
    const own: Ancestor = { document, definition, args: [], depth: 0 };
    const apart = (basesApart.get(placeKey(document, definition)) ?? []).flatMap((place) =>
      definitionOf(place.document, place.definition).bases.map((base) => ({ document: place.document, base })),
    );
    if (owner.bases.length === 0 && apart.length === 0) {
      const known = ancestorLists.get(owner);
      if (known) return known;
      const alone: Ancestry = { list: [own], modules: [], external: false, outside: [] };
      ancestorLists.set(owner, alone);
      return alone;
    }
    const unfinished: Ancestry = { list: [own], modules: [], external: false, outside: [] };
    return remember<Definition, Ancestry>(ancestorLists, owner, unfinished, () => {
      let external = false;
      const outside: ExternalValue[] = [];
      const modules: ModuleValue[] = [];
      const lines: Ancestor[][] = [];
      const direct: Ancestor[] = [];
      const all = [...owner.bases.map((base) => ({ document, base })), ...apart];
      for (const { document: place, base } of all) {
        const values = unite(evaluate(place, base.expr).map((value) => constructed(place, value)));
        if (values.length === 0) external = true;
        for (const value of values) {
          if (value.kind === 'module') {
            modules.push(value);
            continue;
          }
          if (value.kind !== 'class' && value.kind !== 'instance' && value.kind !== 'function') {
            external = true;
            if (value.kind === 'external' && value.origins) outside.push(value);
            continue;
          }
          if (value.document === document && value.definition === definition) continue;
          const args = value.kind === 'instance' ? value.args : [];
          const above = ancestors(value.document, value.definition);
          // What of a library's classes is not listed lies outside; of the class above all others nothing is left out.
          modules.push(...above.modules);
          outside.push(...above.outside);
          external ||= above.external || (at(value.document).library && above.list.length > 1);
          direct.push({ document: value.document, definition: value.definition, args, depth: 1 });
          lines.push(
            above.list.map((ancestor, place) => ({
              ...ancestor,
              depth: ancestor.depth + 1,
              args:
                place === 0
                  ? args
                  : args.length > 0
                    ? ancestor.args.map((arg) => substitute(arg, [{ ...value, args }]))
                    : ancestor.args,
            })),
          );
        }
      }
      const { memberOrder } = at(document).semantics;
      const merged = memberOrder === 'c3' ? mergeC3([...lines, direct]) : null;
      const flat = lines.flat();
      if (memberOrder === 'breadth_first') flat.sort((a, b) => a.depth - b.depth);
      return { list: [own, ...(merged ?? firstOfEach(flat))], modules, external, outside };
    });
  }

  /** Of a value whose type says what `new` makes of it, that; of a class the class itself. */
  function constructed(document: number, value: Value): Values {
    if (value.kind === 'callable') return value.returns;
    if (value.kind !== 'instance' || definitionOf(value.document, value.definition).kind !== 'interface')
      return [value];
    const made = memberTable(value.document, value.definition).has('new()')
      ? valueResult(document, value, [], [], true)
      : unknown;
    return made.length > 0 ? made : [value];
  }

  // ---- type arguments

  type Environment = readonly { document: number; definition: number; args: readonly Values[] }[];

  function environment(receiver: Value, ancestor: Ancestor): Environment {
    const own = receiver.kind === 'super' ? receiver.self : receiver;
    if (own.kind !== 'instance') return [ancestor];
    const outer = [{ document: own.document, definition: own.definition, args: own.args }];
    if (ancestor.document === own.document && ancestor.definition === own.definition) return outer;
    return [{ ...ancestor, args: ancestor.args.map((arg) => substitute(arg, outer)) }, ...outer];
  }

  function substitute(values: Values, replacements: Environment, level = 0): Values {
    if (replacements.length === 0 || level > 4 || !values.some((value) => isOpen(value))) return values;
    return unite(
      values.map((value): Values => {
        switch (value.kind) {
          case 'variable': {
            const found = replacements.find(
              (one) => one.document === value.document && one.definition === value.definition,
            );
            const arg = found?.args[value.index];
            return arg && arg.length > 0 ? arg : [value];
          }
          case 'instance':
          case 'external':
            return [{ ...value, args: value.args.map((arg) => substitute(arg, replacements, level + 1)) }];
          case 'array':
            return [{ kind: 'array', element: substitute(value.element, replacements, level + 1) }];
          case 'map':
            return [
              {
                kind: 'map',
                key: substitute(value.key, replacements, level + 1),
                value: substitute(value.value, replacements, level + 1),
              },
            ];
          case 'tuple':
            return [{ kind: 'tuple', elements: value.elements.map((e) => substitute(e, replacements, level + 1)) }];
          case 'callable':
            return [
              {
                ...value,
                parameters: value.parameters.map((p) => substitute(p, replacements, level + 1)),
                returns: substitute(value.returns, replacements, level + 1),
              },
            ];
          default:
            return [value];
        }
      }),
    );
  }

  /** Learns type arguments by laying what is passed beside what is declared. */
  function infer(
    pattern: Values,
    actual: Values,
    learnt: Values[],
    document: number,
    definition: number,
    level = 0,
  ): void {
    if (level > 3 || actual.length === 0) return;
    for (const wanted of pattern) {
      if (wanted.kind === 'variable') {
        if (wanted.document === document && wanted.definition === definition) {
          learnt[wanted.index] = unite([learnt[wanted.index] ?? unknown, actual]);
        }
        continue;
      }
      if (!isOpen(wanted)) continue;
      const go = (inner: Values | undefined, given: Values | undefined) =>
        infer(inner ?? unknown, given ?? unknown, learnt, document, definition, level + 1);
      for (const value of actual) {
        if (wanted.kind === 'instance' && value.kind === 'instance') {
          const { list } = ancestors(value.document, value.definition);
          const place = list.find((one) => one.document === wanted.document && one.definition === wanted.definition);
          if (!place) continue;
          const outer = [{ document: value.document, definition: value.definition, args: value.args }];
          const same = value.document === wanted.document && value.definition === wanted.definition;
          wanted.args.forEach((inner, index) =>
            go(inner, same ? value.args[index] : substitute(place.args[index] ?? unknown, outer)),
          );
        } else if (wanted.kind === 'instance' && (value.kind === 'function' || value.kind === 'class')) {
          const method = functionalMethod(wanted);
          const type = method && definitionOf(method.document, method.definition).returnType;
          if (!method || !type) continue;
          const pattern = substitute(
            typeOf(method.document, type),
            receiverEnvironment({ kind: 'function', ...method, self: wanted }),
          );
          go(pattern, valueResult(document, value, [], [], value.kind === 'class'));
        } else if (wanted.kind === 'external' && value.kind === 'external') {
          wanted.args.forEach((inner, index) => go(inner, value.args[index]));
        } else if (wanted.kind === 'external' || wanted.kind === 'array') {
          const inner = wanted.kind === 'array' ? wanted.element : wanted.args.at(-1);
          go(inner, wanted.kind === 'array' || value.kind === 'array' ? elementOf(value, undefined) : unknown);
        } else if (wanted.kind === 'map' && value.kind === 'map') {
          go(wanted.key, value.key);
          go(wanted.value, value.value);
        } else if (wanted.kind === 'tuple' && value.kind === 'tuple') {
          wanted.elements.forEach((inner, index) => go(inner, value.elements[index]));
        } else if (wanted.kind === 'callable') {
          if (value.kind === 'callable') go(wanted.returns, value.returns);
          if (value.kind === 'function') go(wanted.returns, functionResult(value.document, value, [], []));
          if (value.kind === 'class') go(wanted.returns, [{ ...value, kind: 'instance', args: [] }]);
        }
      }
    }
  }

  // ---- calls

  function callResult(document: number, call: Pick<Call, 'callee' | 'args' | 'isNew' | 'types'>): Values {
    return unite(
      evaluate(document, call.callee).map((value) =>
        valueResult(document, value, call.args, call.types ?? [], call.isNew),
      ),
    );
  }

  function valueResult(
    document: number,
    value: Value,
    args: readonly Expr[],
    types: readonly TypeExpr[],
    isNew: boolean,
  ): Values {
    switch (value.kind) {
      case 'class':
        return [instantiate(document, value, args, types)];
      case 'function':
        if (isNew) return [{ kind: 'instance', document: value.document, definition: value.definition, args: [] }];
        return functionResult(document, value, args, types);
      case 'instance': {
        const name = isNew ? 'new()' : at(document).semantics.callMember;
        return name === null
          ? unite(meaningOf(value).map((one) => valueResult(document, one, args, types, isNew)))
          : unite(member(document, value, name).map((one) => valueResult(document, one, args, types, false)));
      }
      case 'callable':
        return value.returns;
      case 'container_method':
        return containerResult(document, value.container, value.name, args);
      case 'variable':
        return unite(boundOf(value).map((one) => valueResult(document, one, args, types, isNew)));
      case 'external': {
        const native = at(document).semantics.functions[value.name];
        const first = args[0];
        if (native && first) {
          return unite(evaluate(document, first).map((one) => given(document, one, native, args)));
        }
        const made = isNew ? value : beyond(value, `${value.name}()`, '()');
        return [types.length > 0 ? { ...made, args: types.map((type) => typeOf(document, type)) } : made];
      }
      default:
        return unknown;
    }
  }

  function instantiate(
    document: number,
    value: Extract<Value, { kind: 'class' }>,
    args: readonly Expr[],
    types: readonly TypeExpr[],
  ): Value {
    const { typeParameters } = definitionOf(value.document, value.definition);
    const instance: InstanceValue = { ...value, kind: 'instance', args: [] };
    if (typeParameters.length === 0) return instance;
    if (types.length > 0) return { ...instance, args: types.map((type) => typeOf(document, type)) };
    const constructor = constructorOf(value);
    if (!constructor) return instance;
    const learnt: Values[] = typeParameters.map(() => unknown);
    const { parameters } = definitionOf(constructor.document, constructor.definition);
    args.forEach((arg, index) => {
      const type = parameters[Math.min(index, parameters.length - 1)]?.type;
      if (type) {
        const pattern = typeOf(constructor.document, type);
        infer(pattern, evaluate(document, arg), learnt, value.document, value.definition);
      }
    });
    return learnt.some((values) => values.length > 0) ? { ...instance, args: learnt } : instance;
  }

  function constructorOf(value: {
    document: number;
    definition: number;
  }): { document: number; definition: number } | null {
    for (const ancestor of ancestors(value.document, value.definition).list) {
      for (const { member, document: place } of [
        ...memberTable(ancestor.document, ancestor.definition).values(),
      ].flat()) {
        if (member.definition >= 0 && definitionOf(place, member.definition).kind === 'constructor') {
          return { document: place, definition: member.definition };
        }
      }
    }
    return null;
  }

  function functionResult(
    document: number,
    value: Extract<Value, { kind: 'function' }>,
    args: readonly Expr[],
    types: readonly TypeExpr[],
  ): Values {
    if (at(value.document).semantics.overloads) value = overload(value, args, document, types.length);
    const chosen = args.length > 0 || types.length > 0 ? signatureFor(value, args, document) : value.definition;
    const definition = definitionOf(value.document, chosen);
    const { returnType } = definition;
    if (returnType?.kind === 'typeof' && returnType.value.kind === 'self' && value.self) return [value.self];
    const returned = remember<Definition, Values>(returnValues, definition, unknown, () => {
      if (returnType) return typeOf(value.document, returnType);
      const results = unite(
        definition.returns.map((one) => (isOwnParameter(one, chosen) ? unknown : evaluate(value.document, one))),
      );
      return definition.isGenerator && results.length > 0 ? [{ kind: 'array', element: results }] : results;
    });
    // What a function hands back of its parameters is what this call passed.
    const handed = returnType ? [] : definition.returns.filter((one) => isOwnParameter(one, chosen));
    if (handed.length > 0) {
      const values = handed.map((one) => {
        const arg = args[one.index];
        return arg ? evaluate(document, arg) : evaluate(value.document, one);
      });
      return unite([...values, returned]);
    }
    // What a method gives back of itself is the object that it was called on, not its own class's instance.
    const fluent =
      value.self && !returnType && definition.returns.some((one) => one.kind === 'self') ? [value.self] : unknown;
    const results = fluent.length > 0 ? unite([fluent, returned.filter((one) => one.kind !== 'instance')]) : returned;
    if (!results.some((one) => isOpen(one))) return results;
    const outer = value.self ? receiverEnvironment(value) : [];
    return substitute(substitute(results, [ownEnvironment(document, value, chosen, args, types)]), outer);
  }

  function receiverEnvironment(value: Extract<Value, { kind: 'function' }>): Environment {
    const { self } = value;
    if (self?.kind !== 'instance' && self?.kind !== 'super') return [];
    const { list } = ancestors(self.document, self.definition);
    const definition = definitionOf(value.document, value.definition);
    const apart = receiverClass(value.document, definition)[0];
    const owner = apart ?? { document: value.document, definition: definition.owner };
    const place = list.find((one) => same(one, owner)) ?? list[0];
    if (!place) return [];
    const replacements = environment(self, place);
    const args = apart && replacements.find((one) => same(one, apart))?.args;
    return args ? [...replacements, { document: value.document, definition: value.definition, args }] : replacements;
  }

  /** The function's own type parameters, as given or as learnt from the arguments. */
  function ownEnvironment(
    document: number,
    value: Extract<Value, { kind: 'function' }>,
    chosen: number,
    args: readonly Expr[],
    types: readonly TypeExpr[],
    expected: TypeExpr | null = null,
  ): Environment[number] {
    const { typeParameters, parameters, returnType } = definitionOf(value.document, chosen);
    if (types.length > 0) {
      return { document: value.document, definition: chosen, args: types.map((type) => typeOf(document, type)) };
    }
    const learnt: Values[] = typeParameters.map(() => unknown);
    if (typeParameters.length > 0) {
      args.forEach((arg, index) => {
        const parameter = parameters[Math.min(index, parameters.length - 1)];
        if (!parameter?.type) return;
        const pattern = typeOf(value.document, parameter.type);
        const inner = parameter.rest && pattern[0]?.kind === 'array' ? pattern[0].element : pattern;
        infer(inner, evaluate(document, arg), learnt, value.document, chosen);
      });
      if (expected && returnType && learnt.some((values) => values.length === 0)) {
        const asked: Values[] = typeParameters.map(() => unknown);
        infer(typeOf(value.document, returnType), typeOf(document, expected), asked, value.document, chosen);
        asked.forEach((values, index) => {
          if (learnt[index]?.length === 0) learnt[index] = values;
        });
      }
    }
    return { document: value.document, definition: chosen, args: learnt };
  }

  /** What a callee expects at this place; `asArgument`: the value is called there, otherwise it is itself the function asked. */
  function parameterOf(document: number, value: Value, index: number, site: CallSite | null): Values {
    const args = site?.args ?? [];
    switch (value.kind) {
      case 'function': {
        if (site && at(value.document).semantics.overloads) {
          value = overload(value, args, document, site.types?.length ?? 0);
        }
        const chosen = site ? signatureFor(value, args, document) : value.definition;
        const { parameters } = definitionOf(value.document, chosen);
        if (index < 0) return unknown;
        const last = parameters.at(-1);
        const parameter = parameters[index] ?? (last?.rest ? last : undefined);
        if (!parameter?.type)
          return !site && at(value.document).semantics.argumentsTellParameters
            ? passed.at(value.document, value.definition, index)
            : unknown;
        const declared = typeOf(value.document, parameter.type);
        const values = parameter.rest && declared[0]?.kind === 'array' ? declared[0].element : declared;
        if (!values.some((one) => isOpen(one))) return values;
        const others = args.map<Expr>((arg, place) => (place === index ? { kind: 'unknown' } : arg));
        return substitute(
          substitute(values, [
            ownEnvironment(document, value, chosen, others, site?.types ?? [], site?.expected ?? null),
          ]),
          value.self ? receiverEnvironment(value) : [],
        );
      }
      case 'class': {
        const constructor = constructorOf(value);
        if (!constructor) return unknown;
        const values = parameterOf(document, { kind: 'function', ...constructor, self: null }, index, site);
        if (!site || !values.some((one) => isOpen(one))) return values;
        const others = args.map<Expr>((arg, place) => (place === index ? { kind: 'unknown' } : arg));
        const made = instantiate(document, value, others, site.types ?? []);
        return made.kind === 'instance' ? substitute(values, [made]) : values;
      }
      case 'super': {
        const base = ancestors(value.document, value.definition).list[1];
        return base ? parameterOf(document, { ...base, kind: 'class' }, index, site) : unknown;
      }
      case 'callable':
        return (index < 0 ? value.self : value.parameters[index]) ?? unknown;
      case 'instance': {
        const method = functionalMethod(value);
        if (method) return parameterOf(document, { kind: 'function', ...method, self: value }, index, null);
        const name = at(document).semantics.callMember;
        return name === null
          ? unknown
          : unite(member(document, value, name).map((one) => parameterOf(document, one, index, site)));
      }
      case 'variable':
        return unite(boundOf(value).map((one) => parameterOf(document, one, index, site)));
      case 'container_method': {
        const { semantics } = at(document);
        const table = value.container.kind === 'map' ? semantics.mapMembers : semantics.arrayMembers;
        const callback = table[value.name]?.callback;
        if (callback === undefined) return unknown;
        const parameters: Values[] = [];
        parameters[callback] =
          value.container.kind === 'map' ? value.container.value : elementOf(value.container, undefined);
        return [{ kind: 'callable', parameters: Array.from(parameters, (one) => one ?? unknown), returns: unknown }];
      }
      case 'external': {
        const inner = value.args.at(-1);
        return inner && inner.length > 0 ? [{ kind: 'callable', parameters: [inner], returns: unknown }] : unknown;
      }
      default:
        return unknown;
    }
  }

  // ---- overloads

  function siblings(document: number, definition: number): readonly number[] {
    const { facts } = at(document);
    const own = definitionOf(document, definition);
    const owner = own.owner >= 0 ? facts.definitions[own.owner] : undefined;
    const inClass = owner?.members.filter((one) => one.name === own.name && one.definition >= 0);
    if (inClass && inClass.length > 0) return inClass.map((one) => one.definition);
    const scope = own.scope >= 0 ? (facts.scopes[own.scope]?.parent ?? 0) : 0;
    const bindings = scopeTable(document, Math.max(scope, 0)).get(own.name) ?? [];
    const found = bindings.map((binding) => binding.definition).filter((index) => index >= 0);
    return found.includes(definition) ? found : [definition];
  }

  /** The declaration whose types hold for a call with these arguments. */
  function signatureFor(
    value: { document: number; definition: number },
    args: readonly Expr[],
    callDocument: number,
  ): number {
    if (at(value.document).semantics.overloads) return value.definition;
    const all = siblings(value.document, value.definition);
    if (all.length < 2) return value.definition;
    const declared = all.filter((index) => definitionOf(value.document, index).isAbstract);
    return best(value.document, declared.length > 0 ? declared : all, callDocument, args) ?? value.definition;
  }

  function chooseOverload(value: FunctionValue, callDocument: number, args: readonly Expr[], types = 0): FunctionValue {
    if (at(value.document).semantics.overloads) return overload(value, args, callDocument, types);
    const implemented = implementation(value.document, value.definition);
    const isAbstract = definitionOf(value.document, implemented).isAbstract;
    return { ...value, definition: isAbstract ? signatureFor(value, args, callDocument) : implemented };
  }

  /** All functions that a call of this one may mean: those of its name in its class and in the classes above. */
  function overloadsOf(value: FunctionValue): readonly { document: number; definition: number }[] {
    const { owner, kind, name } = definitionOf(value.document, value.definition);
    const apart =
      owner < 0 ? receiverClass(value.document, definitionOf(value.document, value.definition))[0] : undefined;
    if (apart) {
      const all = memberTable(apart.document, apart.definition).get(name) ?? [];
      return all
        .map(({ document, member }) => ({ document, definition: member.definition }))
        .filter((one) => one.definition >= 0);
    }
    if (owner < 0) return functionsOfName(value);
    const own = definitionOf(value.document, owner).members.find((one) => one.definition === value.definition);
    if (!own) return [value];
    const { self } = value;
    const whole = firstPart(value.document, owner);
    const isOf = (one: Ancestor) => one.document === whole.document && one.definition === whole.definition;
    let line: readonly { document: number; definition: number }[] = [whole];
    if (kind !== 'constructor' && (self?.kind === 'instance' || self?.kind === 'class')) {
      const { list } = ancestors(self.document, self.definition);
      const start = list.findIndex(isOf);
      if (start >= 0) line = list.slice(start);
    }
    const found = line
      .flatMap((one) => memberTable(one.document, one.definition).get(own.name) ?? [])
      .filter(({ member }) => member.definition >= 0);
    const ofClass = self?.kind === 'class' ? found.filter(({ member }) => member.isStatic) : [];
    return (ofClass.length > 0 ? ofClass : found).map((one) => ({
      document: one.document,
      definition: one.member.definition,
    }));
  }

  /** Functions outside classes that a package has under one name. */
  function functionsOfName(value: FunctionValue): readonly { document: number; definition: number }[] {
    const own = at(value.document);
    const name = topNames(value.document).get(value.definition);
    const places = name === undefined ? undefined : packages.get(packageKey(own) ?? '')?.get(name);
    const all = (places ?? []).flatMap((document) =>
      ownBindings(document, name ?? '')
        .map(({ definition }) => ({ document, definition }))
        .filter((one) => one.definition >= 0),
    );
    const functions = all.filter((one) => {
      const { kind, receiver } = definitionOf(one.document, one.definition);
      return kind === 'function' && !receiver;
    });
    return functions.some((one) => same(one, value)) ? functions : [value];
  }

  /** The name at the top of a file of each definition that has one. */
  function topNames(document: number): ReadonlyMap<number, string> {
    return made(topNamesOf, document, () => {
      const bindings = at(document).facts.scopes[0]?.bindings ?? [];
      return new Map(bindings.map(({ definition, name }) => [definition, name] as const));
    });
  }

  /** The one abstract method of an interface, where a function can stand for it. */
  function functionalMethod(value: InstanceValue): { document: number; definition: number } | null {
    const { semantics } = at(value.document);
    if (!semantics.functionalInterfaces) return null;
    if (definitionOf(value.document, value.definition).kind !== 'interface') return null;
    const known = new Set<string>();
    const methods: { document: number; definition: number }[] = [];
    for (const one of ancestors(value.document, value.definition).list) {
      for (const { definition } of definitionOf(one.document, one.definition).members) {
        if (definition < 0) continue;
        const { name, kind, isAbstract, parameters } = definitionOf(one.document, definition);
        const key = `${name} ${parameters.length}`;
        if (kind !== 'method' || semantics.builtins.has(name) || known.has(key)) continue;
        known.add(key);
        if (isAbstract) methods.push({ document: one.document, definition });
      }
    }
    return methods.length === 1 ? (methods[0] ?? null) : null;
  }

  function implementation(document: number, definition: number): number {
    if (!definitionOf(document, definition).isAbstract) return definition;
    return siblings(document, definition).find((index) => !definitionOf(document, index).isAbstract) ?? definition;
  }

  /** By number of arguments first, then by what is known of their types; the first of equals. */
  function best(
    document: number,
    candidates: readonly number[],
    callDocument: number,
    args: readonly Expr[],
  ): number | undefined {
    const fitting = candidates.filter((index) => {
      const { parameters } = definitionOf(document, index);
      const needed = parameters.filter((one) => !one.optional && !one.rest && !one.default).length;
      return args.length >= needed && (args.length <= parameters.length || parameters.at(-1)?.rest === true);
    });
    if (fitting.length < 2) return fitting[0];
    let winner = fitting[0];
    let highest = -Infinity;
    for (const index of fitting) {
      const { parameters } = definitionOf(document, index);
      let score = 0;
      args.forEach((arg, place) => {
        const parameter = parameters[Math.min(place, parameters.length - 1)];
        if (!parameter?.type) return;
        const wanted = typeOf(document, parameter.type);
        const inner = parameter.rest && wanted[0]?.kind === 'array' ? wanted[0].element : wanted;
        score += likeness(inner, evaluate(callDocument, arg));
        if (parameter.rest) score -= 0.5;
      });
      if (score > highest) {
        highest = score;
        winner = index;
      }
    }
    return winner;
  }

  /** 2 for the same, 1 for a subclass, 0 where nothing is known, -2 for what can't be. */
  function likeness(wanted: Values, actual: Values): number {
    if (wanted.length === 0 || actual.length === 0) return 0;
    let highest = -2;
    for (const want of wanted) {
      for (const have of actual) highest = Math.max(highest, alike(want, have));
    }
    return highest;
  }

  function alike(want: Value, have: Value): number {
    if (want.kind === 'variable') {
      const bound = boundOf(want);
      return bound.length > 0 ? likeness(bound, [have]) : 0;
    }
    if (have.kind === 'variable' || have.kind === 'module') return 0;
    if (want.kind === 'instance' && have.kind === 'instance') {
      if (want.document === have.document && want.definition === have.definition) return 2;
      const { list, external } = ancestors(have.document, have.definition);
      if (list.some((one) => one.document === want.document && one.definition === want.definition)) return 1;
      return external ? 0 : -2;
    }
    const callable = (value: Value) => value.kind === 'function' || value.kind === 'callable';
    if (callable(want)) return callable(have) ? 2 : have.kind === 'class' || have.kind === 'container_method' ? 0 : -2;
    if (callable(have)) return want.kind === 'instance' || want.kind === 'external' ? 0 : -2;
    if (want.kind === 'external' && have.kind === 'external') return want.name === have.name ? 2 : -1;
    if (want.kind === 'array' && have.kind === 'array') return 1 + likeness(want.element, have.element) / 2;
    if (want.kind === have.kind) return 1;
    return want.kind === 'external' || have.kind === 'external' ? -1 : -2;
  }

  // ---- containers

  function containerResult(document: number, container: Value, name: string, args: readonly Expr[]): Values {
    const { semantics } = at(document);
    const table = container.kind === 'map' ? semantics.mapMembers : semantics.arrayMembers;
    const rule = table[name];
    return rule ? given(document, container, rule, args) : unknown;
  }

  function given(
    document: number,
    container: Value,
    rule: Semantics['functions'][string],
    args: readonly Expr[],
  ): Values {
    const element = container.kind === 'map' ? container.value : elementOf(container, undefined);
    switch (rule.gives) {
      case 'self':
        return [container];
      case 'element':
        return element;
      case 'elements':
        return [{ kind: 'array', element }];
      case 'keys':
        return [{ kind: 'array', element: container.kind === 'map' ? container.key : unknown }];
      case 'entries': {
        const key = container.kind === 'map' ? container.key : unknown;
        return [{ kind: 'array', element: [{ kind: 'tuple', elements: [key, element] }] }];
      }
      case 'mapped': {
        const callback = args.find((arg) => evaluate(document, arg).some((one) => one.kind === 'function'));
        const results = callback
          ? unite(evaluate(document, callback).map((one) => valueResult(document, one, [], [], false)))
          : unknown;
        return [{ kind: 'array', element: unite(results.map((one) => flattened(one))) }];
      }
      case 'unknown':
        return unknown;
    }
  }

  function flattened(value: Value): Values {
    return [value];
  }

  function elementOf(value: Value, place: number | undefined): Values {
    switch (value.kind) {
      case 'array':
        return value.element;
      case 'map':
        return value.value;
      case 'tuple':
        return place === undefined ? unite(value.elements) : (value.elements[place] ?? unknown);
      case 'external':
        // One of several results of a function outside is from outside too; the first is the one that is named by the function.
        return (
          value.args.at(-1) ??
          (place === undefined ? unknown : [place === 0 ? value : { kind: 'external', name: value.name, args: [] }])
        );
      case 'variable':
        return unite(boundOf(value).map((one) => elementOf(one, place)));
      case 'instance':
        return indexed(value, place);
      // `make[User]`: the function itself, for one type.
      case 'function':
      case 'class':
        return [value];
      default:
        return unknown;
    }
  }

  function indexed(value: InstanceValue, place: number | undefined): Values {
    const meaning = meaningOf(value);
    const name = at(value.document).semantics.indexMember;
    if (meaning.length > 0 || name === undefined) return unite(meaning.map((one) => elementOf(one, place)));
    const methods = member(value.document, value, name).filter(({ kind }) => kind === 'function');
    return unite(methods.map((one) => valueResult(value.document, one, [], [], false)));
  }

  /** What a named type stands for beside its own members: `type Names []string`, the fields of a named tuple. */
  function meaningOf({ document, definition, args }: InstanceValue): Values {
    const { returnType } = definitionOf(document, definition);
    if (!returnType) return unknown;
    const meaning = typeOf(document, returnType);
    return args.length > 0 ? substitute(meaning, [{ document, definition, args }]) : meaning;
  }

  function nextOf(document: number, iterator: InstanceValue): Values {
    const name = at(document).semantics.nextMember;
    if (name === undefined) return unknown;
    return unite(member(document, iterator, name).map((one) => valueResult(document, one, [], [], false)));
  }

  function iterate(document: number, value: Value): Values {
    if (value.kind === 'map')
      return at(document).semantics.mapIteration === 'entries'
        ? [{ kind: 'tuple', elements: [value.key, value.value] }]
        : value.key;
    if (value.kind === 'instance') {
      for (const name of at(document).semantics.iterationMembers) {
        const method = member(document, value, name).filter((one) => one.kind === 'function');
        if (method.length === 0) continue;
        return unite(
          method
            .flatMap((one) => valueResult(document, one, [], [], false))
            .map((one) => (one.kind === 'instance' ? nextOf(document, one) : elementOf(one, undefined))),
        );
      }
      return unite(meaningOf(value).map((one) => iterate(document, one)));
    }
    return elementOf(value, undefined);
  }

  function awaited(value: Value): Values {
    if (value.kind === 'external' && value.args.length > 0) return value.args.at(-1) ?? unknown;
    return [value];
  }

  // ---- types

  function typeOf(document: number, type: TypeExpr): Values {
    if (type.kind === 'unknown') return unknown;
    return remember(types, type, unknown, () => typeOnce(document, type));
  }

  function typeOnce(document: number, type: TypeExpr): Values {
    switch (type.kind) {
      case 'reference':
        return referenced(document, type);
      case 'array':
        return [{ kind: 'array', element: typeOf(document, type.element) }];
      case 'map':
        return [{ kind: 'map', key: typeOf(document, type.key), value: typeOf(document, type.value) }];
      case 'tuple':
        return [{ kind: 'tuple', elements: type.elements.map((element) => typeOf(document, element)) }];
      case 'union':
        return unite(type.options.map((option) => typeOf(document, option)));
      case 'function':
        return [
          {
            kind: 'callable',
            parameters: (type.parameters ?? []).map((one) => (one ? typeOf(document, one) : unknown)),
            ...(type.self ? { self: typeOf(document, type.self) } : {}),
            returns: type.returns ? typeOf(document, type.returns) : unknown,
          },
        ];
      case 'typeof':
        return evaluate(document, type.value);
      case 'definition':
        return [instanceOf(document, type.definition)];
      case 'member': {
        const found = unite(typeOf(document, type.object).map((value) => member(document, value, type.name)));
        return preferred(found, true).flatMap((value) => (value.kind === 'class' ? asTypes([value]) : [value]));
      }
      default:
        return unknown;
    }
  }

  function referenced(document: number, type: Extract<TypeExpr, { kind: 'reference' }>): Values {
    const [first = '', ...rest] = type.name.split('.');
    let values = lookUp(document, type.scope, first, rest.length > 0 ? 'all' : 'type');
    for (const part of rest) {
      values = unite(
        values.map((value) =>
          member(
            document,
            // A type nested in a type belongs to the class itself.
            value.kind === 'instance'
              ? { kind: 'class', document: value.document, definition: value.definition }
              : value,
            part,
          ),
        ),
      );
    }
    if (rest.length > 0) values = asTypes(preferred(values, true));
    const args = type.args.map((arg) => typeOf(document, arg));
    return unite(
      values.map((value): Values => {
        if (value.kind === 'external') return [{ ...value, args }];
        if (value.kind !== 'instance') return [value];
        const { kind, returnType, members } = definitionOf(value.document, value.definition);
        if (kind === 'type' && returnType && members.length === 0 && !hasMethods(value)) {
          const meaning = typeOf(value.document, returnType);
          return args.length > 0
            ? substitute(meaning, [{ document: value.document, definition: value.definition, args }])
            : meaning;
        }
        return [args.length > 0 ? { ...value, args } : value];
      }),
    );
  }

  function hasMethods(value: InstanceValue): boolean {
    return memberTable(value.document, value.definition).size > 0;
  }
}

/** What was made for this key before, or is made now. */
function made<K, V>(memory: Map<K, V>, key: K, make: () => V): V {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const value = make();
  memory.set(key, value);
  return value;
}

/** A file has fewer definitions, and scopes, than that. */
const placeKey = (document: number, inside: number) => document * 2 ** 24 + inside;

function append<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

function isOwnParameter(expr: Expr, definition: number): expr is Extract<Expr, { kind: 'parameter' }> {
  return expr.kind === 'parameter' && expr.function.kind === 'definition' && expr.function.definition === definition;
}
