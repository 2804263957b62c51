import type { Surface } from '../../src/model/snapshot.ts';
import type { Document, Evaluator } from './evaluate.ts';
import type { Binding } from './fact.ts';
import type { ModuleValue, Value, Values } from './value.ts';

/** A module that others can ask for. */
export interface PublishedModule {
  /** As the answer names it. */
  key: string;
  specifier: string;
  paths: readonly string[];
}

interface Place {
  document: number;
  definition: number;
}

/** Modules inside modules are looked into so far. */
const deepest = 4;

/**
 * What a repository gives to others: the names of its modules, the members of the classes that these lead to, and what its
 * functions give back. `idOf` names a definition; null for one that nobody shows.
 */
export function surfaceOf(
  documents: readonly Document[],
  evaluator: Evaluator,
  modules: Iterable<PublishedModule>,
  idOf: (place: Place) => string | null,
): Surface {
  const surface: Surface = { modules: {}, classes: {}, results: {} };
  const byPath = new Map(documents.map(({ path }, index) => [path, index]));
  const waiting: (() => void)[] = [];

  for (const { key, specifier, paths } of modules) {
    // A manifest may name the same several times, first what is built of it.
    if (key in surface.modules) continue;
    const found = paths.map((path) => byPath.get(path)).filter((index) => index !== undefined);
    const names: Record<string, string> = {};
    const [from] = found;
    if (from !== undefined) addNames(names, '', { kind: 'module', documents: found, specifier, from }, 0);
    if (Object.keys(names).length > 0) surface.modules[key] = names;
    evaluator.forget();
  }
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    next();
    evaluator.forget();
  }
  return surface;

  function addNames(names: Record<string, string>, prefix: string, module: ModuleValue, depth: number): void {
    for (const name of new Set(module.documents.flatMap((document) => namesIn(document)))) {
      add(names, prefix + name, evaluator.member(module.from, module, name), depth);
    }
    if (module.documents.some((document) => documents[document]?.semantics.explicitExports)) {
      const whole = module.documents.flatMap((document) => evaluator.evaluate(document, { kind: 'module' }));
      add(names, prefix === '' ? '' : prefix.slice(0, -1), whole, depth);
    }
  }

  /** What a name stands for; what holds names of its own without being a class gives these. */
  function add(names: Record<string, string>, name: string, values: Values, depth: number): void {
    const target = targetOf(values);
    if (target !== null) names[name] ??= target;
    if (depth >= deepest) return;
    const prefix = name === '' ? '' : `${name}.`;
    for (const value of values) {
      if (value.kind === 'module' && name !== '' && !hasSubmodules(value)) addNames(names, prefix, value, depth + 1);
      if (value.kind !== 'instance' || !isObject(value)) continue;
      for (const inner of evaluator.members(value.document, value.definition).keys())
        add(names, prefix + inner, evaluator.member(value.document, value, inner), depth + 1);
    }
  }

  function targetOf(values: Values): string | null {
    for (const value of values) {
      const target = one(value);
      if (target !== null) return target;
    }
    return null;
  }

  function one(value: Value): string | null {
    if (value.kind !== 'class' && value.kind !== 'function' && value.kind !== 'instance') return null;
    if (documents[value.document]?.library) return null;
    const place = { document: value.document, definition: value.definition };
    if (value.kind === 'function') place.definition = evaluator.implementation(place.document, place.definition);
    const id = idOf(place);
    if (id === null) return null;
    if (value.kind === 'function') {
      if (!(id in surface.results)) {
        surface.results[id] = '';
        waiting.push(() => describeFunction(id, { ...value, ...place }));
      }
      return id;
    }
    if (!(id in surface.classes)) {
      surface.classes[id] = { bases: [], members: {} };
      waiting.push(() => describeClass(id, place));
    }
    return value.kind === 'class' ? id : `${id}()`;
  }

  function describeFunction(id: string, value: Extract<Value, { kind: 'function' }>): void {
    const results = evaluator.result(value).flatMap((one) => (one.kind === 'tuple' ? (one.elements[0] ?? []) : [one]));
    const target = targetOf(results);
    if (target === null) delete surface.results[id];
    else surface.results[id] = target;
  }

  function describeClass(id: string, { document, definition }: Place): void {
    const members: Record<string, string> = {};
    const isExported = (place: Place) =>
      documents[place.document]?.facts.definitions[place.definition]?.exported ?? false;
    // Where only a module says what is for others, all members are.
    const saysSo = documents[document]?.semantics.explicitExports === false;
    for (const [name, found] of evaluator.members(document, definition)) {
      const places = found.flatMap(({ document: at, member }) =>
        member.definition < 0 ? [] : [{ document: at, definition: member.definition }],
      );
      if (saysSo && places.length > 0 && !places.some(isExported)) continue;
      const target = targetOf(evaluator.member(document, { kind: 'instance', document, definition, args: [] }, name));
      if (target === null) continue;
      members[name] = target;
      if (places.length < 2 || !documents[document]?.semantics.overloads) continue;
      for (const place of places) {
        const count = documents[place.document]?.facts.definitions[place.definition]?.parameters.length ?? 0;
        const overload = targetOf([{ kind: 'function', ...place, self: null }]);
        if (overload !== null) members[`${name}/${count}`] ??= overload;
      }
    }
    const bases = evaluator
      .ancestors(document, definition)
      .list.slice(1)
      .map((base) => one({ kind: 'class', document: base.document, definition: base.definition }));
    surface.classes[id] = { bases: bases.filter((base) => base !== null), members };
  }

  function isObject({ document, definition }: Place): boolean {
    return documents[document]?.facts.definitions[definition]?.kind === 'object';
  }

  /** Then they are modules that others ask for by themselves. */
  function hasSubmodules({ from, specifier }: ModuleValue): boolean {
    return documents[from]?.semantics.submodule(specifier, 'it') !== null;
  }

  /** The names that a file gives, its barrels' too. */
  function namesIn(document: number, seen = new Set<number>()): string[] {
    const own = documents[document];
    if (!own || own.library || seen.has(document)) return [];
    seen.add(document);
    const { facts, semantics, modules: resolver, path } = own;
    const stars = [
      ...facts.exports.flatMap(({ name, from }) => (name === '*' && from !== null ? [from] : [])),
      ...(semantics.explicitExports
        ? []
        : facts.imports.filter(({ name }) => name === '**').map(({ module }) => module)),
    ];
    const names = semantics.explicitExports
      ? []
      : (facts.scopes[0]?.bindings ?? []).filter(isShown).map(({ name }) => name);
    for (const { name } of facts.exports) if (name !== '*' && name !== '=') names.push(name);
    for (const star of stars) {
      for (const found of resolver.resolve(star, path) ?? []) {
        const index = byPath.get(found);
        if (index !== undefined) names.push(...namesIn(index, seen).filter((name) => name !== 'default'));
      }
    }
    return names;

    /** Of a definition, what it says itself; of anything else, what its name says. */
    function isShown({ name, definition, import: from }: Binding): boolean {
      if (definition >= 0) return facts.definitions[definition]?.exported !== false;
      // What files of a package import is their own.
      return !name.startsWith('_') && (from < 0 || semantics.packageScope === 'none');
    }
  }
}
