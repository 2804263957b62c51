import type { BoundaryRow, OutsideWay } from '../../src/model/snapshot.ts';
import type { Document, Evaluator } from './evaluate.ts';
import type { Binding } from '../facts/fact.ts';
import type { ModuleValue, Origin, Value, Values } from './value.ts';

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

/** How what others see is named; each null for what nobody shows. */
export interface SurfaceNames {
  /** A module of the repository's own, by its language. */
  published(language: string, specifier: string): string | null;
  /** The module of a way out of the repository. */
  required(language: string, origin: Origin): string | null;
  definition(place: Place): string | null;
  /** From 0 and below `size`, another for each place. */
  numberOf(place: Place): number;
  readonly size: number;
}

/** Modules inside modules are looked into so far. */
const deepest = 4;

/**
 * What a repository gives to others: the names of its modules, the members of the classes that these lead to, and what its
 * functions give back. Each as it is found: a large repository gives more than memory should hold.
 */
export function* surfaceOf(
  documents: readonly Document[],
  evaluator: Evaluator,
  modules: Iterable<PublishedModule>,
  { definition: idOf, required, numberOf, size }: Omit<SurfaceNames, 'published'>,
): Generator<BoundaryRow> {
  const outsideTargets = new Map<string, string>();
  const keys = new Set<string>();
  /** The definitions that were met. */
  const isMet = new Uint8Array(size);
  const found: BoundaryRow[] = [];
  const waiting: (() => void)[] = [];

  for (const { key, specifier, paths } of modules) {
    // A manifest may name the same several times, first what is built of it.
    if (keys.has(key)) continue;
    const files = paths.map((path) => evaluator.documentAt(path)).filter((index) => index !== undefined);
    const names: Record<string, string> = {};
    const [from] = files;
    if (from !== undefined) addNames(names, '', { kind: 'module', documents: files, specifier, from }, 0);
    evaluator.forget();
    if (Object.keys(names).length > 0) {
      keys.add(key);
      yield { module: key, names };
    }
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      next();
      evaluator.forget();
      yield* found.splice(0);
    }
    yield* found.splice(0);
  }

  function addNames(names: Record<string, string>, prefix: string, module: ModuleValue, depth: number): void {
    for (const name of new Set(module.documents.flatMap((document) => namesIn(document)))) {
      add(names, prefix + name, evaluator.member(module.from, module, name), module.from, depth);
    }
    if (module.documents.some((document) => documents[document]?.semantics.explicitExports)) {
      const whole = module.documents.flatMap((document) => evaluator.evaluate(document, { kind: 'module' }));
      add(names, prefix === '' ? '' : prefix.slice(0, -1), whole, module.from, depth);
      const elsewhere = module.documents.flatMap((document) => starsOutside(document));
      const target = outsideTarget(elsewhere, module.from);
      if (target !== null) names[`${prefix}*`] = target;
    }
  }

  /** What a name stands for; what holds names of its own without being a class gives these. */
  function add(names: Record<string, string>, name: string, values: Values, document: number, depth: number): void {
    const target = targetOf(values, document);
    if (target !== null) names[name] ??= target;
    if (depth >= deepest) return;
    const prefix = name === '' ? '' : `${name}.`;
    for (const value of values) {
      if (value.kind === 'module' && name !== '' && !hasSubmodules(value)) addNames(names, prefix, value, depth + 1);
      if (value.kind !== 'instance' || !isObject(value)) continue;
      for (const inner of evaluator.members(value.document, value.definition).keys())
        add(names, prefix + inner, evaluator.member(value.document, value, inner), value.document, depth + 1);
    }
  }

  /** The first that is the repository's own; else the ways that lead out of it. */
  function targetOf(values: Values, document: number): string | null {
    for (const value of values) {
      const target = one(value);
      if (target !== null) return target;
    }
    const ways = values.flatMap((value) => (value.kind === 'external' ? (value.origins ?? []) : []));
    return outsideTarget(ways, document);
  }

  /** A target that names the ways to what another repository gives; null where none of them is needed by a manifest. */
  function outsideTarget(origins: readonly Origin[], document: number): string | null {
    const language = documents[document]?.facts.language ?? '';
    const ways = origins.flatMap((origin): OutsideWay[] => {
      const module = required(language, origin);
      return module === null ? [] : [{ module, path: [...origin.path] }];
    });
    if (ways.length === 0) return null;
    const key = ways.map(({ module, path }) => [module, ...path].join(' ')).join('\n');
    const known = outsideTargets.get(key);
    if (known !== undefined) return known;
    const target = `>${outsideTargets.size}`;
    outsideTargets.set(key, target);
    found.push({ outside: target, ways });
    return target;
  }

  function one(value: Value): string | null {
    if (value.kind !== 'class' && value.kind !== 'function' && value.kind !== 'instance') return null;
    if (documents[value.document]?.library) return null;
    const place = { document: value.document, definition: value.definition };
    if (value.kind === 'function') place.definition = evaluator.implementation(place.document, place.definition);
    const id = idOf(place);
    if (id === null) return null;
    const number = numberOf(place);
    const isNew = isMet[number] === 0;
    isMet[number] = 1;
    if (value.kind === 'function') {
      if (isNew) waiting.push(() => describeFunction(id, { ...value, ...place }));
      return id;
    }
    if (isNew) waiting.push(() => describeClass(id, place));
    return value.kind === 'class' ? id : `${id}()`;
  }

  function describeFunction(id: string, value: Extract<Value, { kind: 'function' }>): void {
    const results = evaluator.result(value).flatMap((one) => (one.kind === 'tuple' ? (one.elements[0] ?? []) : [one]));
    const target = targetOf(results, value.document);
    if (target !== null) found.push({ function: id, result: target });
  }

  function describeClass(id: string, { document, definition }: Place): void {
    const members: Record<string, string> = {};
    const isExported = (place: Place) =>
      documents[place.document]?.facts.definitions[place.definition]?.exported ?? false;
    // Where only a module says what is for others, all members are.
    const saysSo = documents[document]?.semantics.explicitExports === false;
    for (const [name, declared] of evaluator.members(document, definition)) {
      const places = declared.flatMap(({ document: at, member }) =>
        member.definition < 0 ? [] : [{ document: at, definition: member.definition }],
      );
      if (saysSo && places.length > 0 && !places.some(isExported)) continue;
      const values = evaluator.member(document, { kind: 'instance', document, definition, args: [] }, name);
      const target = targetOf(values, document);
      if (target === null) continue;
      members[name] = target;
      if (places.length < 2 || !documents[document]?.semantics.overloads) continue;
      for (const place of places) {
        const count = documents[place.document]?.facts.definitions[place.definition]?.parameters.length ?? 0;
        const overload = one({ kind: 'function', ...place, self: null });
        if (overload !== null) members[`${name}/${count}`] ??= overload;
      }
    }
    const { list, outside: above } = evaluator.ancestors(document, definition);
    const bases = [
      ...list.slice(1).map((base) => one({ kind: 'class', document: base.document, definition: base.definition })),
      ...above.map((base) => outsideTarget(base.origins ?? [], document)),
    ];
    found.push({ class: id, bases: bases.filter((base) => base !== null), members });
  }

  function isObject({ document, definition }: Place): boolean {
    return documents[document]?.facts.definitions[definition]?.kind === 'object';
  }

  /** Then they are modules that others ask for by themselves. */
  function hasSubmodules({ from, specifier }: ModuleValue): boolean {
    return documents[from]?.semantics.submodule(specifier, 'it') !== null;
  }

  /** What a file hands on whole of modules outside, its barrels' too. */
  function starsOutside(document: number, seen = new Set<number>()): Origin[] {
    const own = documents[document];
    if (!own || own.library || seen.has(document)) return [];
    seen.add(document);
    const stars = own.facts.exports.flatMap(({ name, from }) => (name === '*' && from !== null ? [from] : []));
    return stars.flatMap((star) => {
      const files = own.modules.resolve(star, own.path);
      if (files?.length === 0) return [{ module: star, path: [] }];
      return (files ?? []).flatMap((path) => starsOutside(evaluator.documentAt(path) ?? -1, seen));
    });
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
      for (const file of resolver.resolve(star, path) ?? []) {
        const index = evaluator.documentAt(file);
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
