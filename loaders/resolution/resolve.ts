import { languageById } from '../languages/index.ts';
import type { Language, ModuleResolver, RepositoryFiles, Semantics } from '../languages/language.ts';
import { createNumberByText } from '../number-by-text.ts';
import { createNumbers } from '../numbers.ts';
import { createRowSpool } from '../row-spool.ts';
import { openTemporaryFile } from '../temporary-file.ts';
import { createEvaluator, type Document, type Evaluator } from './evaluate.ts';
import type { Call, Definition, Expr, FileFacts, Import } from '../facts/fact.ts';
import { createEdges } from './edges.ts';
import type { Document as SpooledDocument } from '../facts/facts-spool.ts';
import { createLookUp, type LookUp } from './look-up.ts';
import { createOutsideUses } from './outside-uses.ts';
import { type PublishedModule, type SurfaceNames, surfaceOf } from './surface.ts';
import type { BoundaryRow } from '../../src/model/snapshot.ts';
import type { Origin, Value, Values } from './value.ts';

/** A definition by its place: index of its document, index in it; -1 for the document itself. */
export interface Place {
  document: number;
  definition: number;
}

/** One edge between definitions of a repository; (type, from, to) occurs once. */
export interface ResolvedEdge {
  type: 'CALLS' | 'INHERITS' | 'IMPORTS';
  from: Place;
  to: Place;
  /** How many sites stand behind it. */
  weight: number;
  /** 0 to 1; below 0.5 a guess by name alone. */
  confidence: number;
  strategy: Strategy;
  /** Of the first site, in the document of `from`. */
  line: number;
  /** The name at the first site, which an alias makes another than that of `to`. */
  name: string;
}

export type Strategy =
  | 'same_file'
  | 'same_package'
  | 'import'
  | 'self'
  | 'super'
  | 'receiver_type'
  | 'value'
  | 'inheritance'
  | 'computed_base'
  | 'scip'
  | 'unique_name';

/** A use of what lies outside the repository, where an import says where; (type, from, origin) occurs once. */
export interface OutsideUse {
  type: ResolvedEdge['type'];
  from: Place;
  /** It says which ecosystem is meant. */
  language: string;
  origin: Origin;
  weight: number;
  /** Of the first site, and how many arguments it passes. */
  line: number;
  arguments: number;
}

/** An import that leads out of the repository. */
export interface ExternalImport {
  document: number;
  language: string;
  module: string;
  line: number;
}

/** What a compiler says of some files; it outranks what is found here. */
export interface Compiled {
  /**
   * The symbols that a name on a line may stand for, each with its declarations; those outside are left out. Null where nothing is
   * said of it.
   */
  named(document: number, line: number, name: string): readonly (readonly Place[])[] | null;
  /** Classes with what they extend or implement, themselves or through another. */
  bases: readonly { from: Place; to: Place }[];
}

/** What the facts of all files say together. */
export interface Resolution extends LookUp {
  /** Forgets what looking up has remembered: after each document. */
  forget(): void;
  /** By type, then from, then to; many lie on disk. */
  edges: Iterable<ResolvedEdge>;
  calls: { resolved: number; external: number; unresolved: number };
  /** Imports that lead out of the repository: the module as written, by document and line. */
  externalImports: Iterable<ExternalImport>;
  /** In the order of documents and places. */
  outside: Iterable<OutsideUse>;
  /** What others can use of the repository. */
  surface(names: SurfaceNames): Iterable<BoundaryRow>;
}

/** Certainty by how the callee was found; several possible targets lower it. */
const confidences: Readonly<Record<Strategy, number>> = {
  same_file: 0.95,
  same_package: 0.95,
  import: 0.95,
  self: 0.95,
  super: 0.95,
  receiver_type: 0.9,
  value: 0.8,
  inheritance: 0.95,
  computed_base: 0.9,
  scip: 1,
  unique_name: 0.4,
};

/** Brings the facts of all files of one repository together: who calls, extends and imports whom. */
export function resolve(
  files: readonly SpooledDocument[],
  repository: Omit<RepositoryFiles, 'packageOf'>,
  compiled: Compiled | null = null,
  file = openTemporaryFile(),
): Resolution {
  const documents = prepare(files, repository);
  const methods = createUniqueMethods();
  const evaluator = createEvaluator(documents, methods.add);
  const edges = createEdges(file);
  const calls = { resolved: 0, external: 0, unresolved: 0 };
  const externalImports = createRowSpool<ExternalImport>(file);
  const outside = createOutsideUses(file);
  const libraryPaths = pathsOfLibraries(documents);

  /** The document at hand. */
  let current = -1;
  documents.forEach((document, index) => {
    if (document.library) return;
    current = index;
    for (const call of document.facts.calls) {
      const found = addCall(index, call);
      if (!call.isRead || found === 'resolved') calls[found]++;
    }
    addBases(index);
    addImports(index);
    edges.endDocument();
    outside.endDocument();
    evaluator.forget();
  });
  current = -1;
  for (const { from, to } of compiled?.bases ?? []) {
    const isKnown = evaluator.ancestors(from.document, from.definition).list.some((one) => samePlace(one, to));
    if (!isKnown && isClass(from) && isClass(to)) add('INHERITS', from, to, lineOf(from), 'scip', confidences.scip, '');
  }
  evaluator.forgetAll();
  return {
    edges,
    calls,
    externalImports,
    outside,
    surface: (names) => surfaceOf(documents, evaluator, publishedModules(documents, names.published), names),
    forget: evaluator.forget,
    ...createLookUp(documents, evaluator),
  };

  function addCall(document: number, call: Call): keyof typeof calls {
    const { facts, semantics, family } = at(documents, document);
    const from = namedCaller(facts, call.caller, semantics);
    const values = evaluator.evaluate(document, call.callee);
    const found = targetsOf(evaluator, document, call, values, semantics);
    const name = nameOf(call.callee);
    const said = saidOf(document, call.line, name, found);
    const targets = said ?? found;
    if (targets.length > 0 && targets.every((to) => at(documents, to.document).library)) return 'external';
    if (targets.length > 0) {
      const strategy = said
        ? 'scip'
        : strategyOf(
            evaluator,
            document,
            call,
            targets[0]?.document ?? document,
            facts,
            semantics.packageScope !== 'none',
          );
      // Of three that are equally likely each is more likely wrong than right.
      const several = semantics.oneOfSeveral && targets.length > 2 ? 0.5 : 0.75;
      const confidence = confidences[strategy] * (targets.length > 1 ? several : 1);
      for (const to of targets) {
        if (from >= 0 && isNode(at(documents, to.document), to.definition)) {
          add('CALLS', { document, definition: from }, to, call.line, strategy, confidence, name);
        }
      }
      return 'resolved';
    }
    if (from >= 0) {
      for (const value of values.flatMap((one) => outsideOf(one, call)))
        addOutside('CALLS', { document, definition: from }, value, call.line, call.args.length);
    }
    if (said) return 'external';
    if (values.length > 0)
      // A class that is called without making an instance converts a value.
      return values.some(({ kind }) => kind === 'external' || kind === 'container_method' || kind === 'class')
        ? 'external'
        : 'unresolved';
    const guess =
      !call.isRead && call.callee.kind === 'member' && !semantics.builtins.has(name) ? methods.get(family, name) : null;
    if (guess && from >= 0) {
      add('CALLS', { document, definition: from }, guess, call.line, 'unique_name', confidences.unique_name, name);
    }
    return 'unresolved';
  }

  function addBases(document: number): void {
    at(documents, document).facts.definitions.forEach(({ bases, receiver }, definition) => {
      if (bases.length === 0) return;
      const from = receiver ? evaluator.receiverOf(document, definition) : { document, definition };
      if (!from || !isNode(at(documents, from.document), from.definition)) return;
      const owner = { document: from.document, definition: from.definition };
      evaluator.bases(document, definition).forEach((values, index) => {
        const base = bases[index];
        if (!base) return;
        for (const value of values) addOutside('INHERITS', owner, value, base.line, 0, receiver !== undefined);
        const found = values.filter(isPlace);
        const said = saidOf(document, base.line, nameOf(base.expr), found);
        const strategy = said ? 'scip' : base.how === 'subscripts' ? 'computed_base' : 'inheritance';
        const line = from.document === document ? base.line : lineOf(from);
        for (const to of said ?? found) {
          if (isNode(at(documents, to.document), to.definition))
            add('INHERITS', owner, to, line, strategy, confidences[strategy], '');
        }
      });
    });
  }

  /** What a compiler says of a name, if it says one thing; of several, those that were found here too. */
  function saidOf(document: number, line: number, name: string, found: readonly Place[]): readonly Place[] | null {
    const said = name === '' ? null : (compiled?.named(document, line, name) ?? null);
    if (said === null) return null;
    // Which overload is meant is not said.
    const both = found.filter((one) => said.flat().some((other) => samePlace(one, other)));
    if (both.length > 0) return both;
    if (said.length > 1) return null;
    const all = said[0] ?? [];
    const withBody = all.filter((place) => !definitionAt(place)?.isAbstract);
    return withBody.length > 0 ? withBody : all.slice(0, 1);
  }

  function definitionAt({ document, definition }: Place): Definition | undefined {
    return at(documents, document).facts.definitions[definition];
  }

  function isClass(place: Place): boolean {
    const definition = definitionAt(place);
    return isNode(at(documents, place.document), place.definition) && !!definition && !isFunction(definition);
  }

  function lineOf({ document, definition }: Place): number {
    return definitionAt({ document, definition })?.line ?? 1;
  }

  function addImports(document: number): void {
    const { facts, modules, path, language } = at(documents, document);
    const from = { document, definition: -1 };
    facts.imports.forEach((wanted, index) => {
      const paths = modules.resolve(wanted.module, path);
      if (leadsOut(wanted, paths, libraryPaths)) {
        externalImports.add({ document, language, module: wanted.module, line: wanted.line });
      }
      for (const value of evaluator.imported(document, index)) {
        if (
          wanted.line > 0 &&
          value.kind === 'external' &&
          value.origins?.some(({ module }) => module === wanted.module)
        )
          addOutside('IMPORTS', from, value, wanted.line, 0);
        const to = importTarget(value, documents);
        if (to && to.document !== document)
          add('IMPORTS', from, to, wanted.line, 'import', confidences.import, wanted.local);
      }
    });
  }

  /** What a call of this value calls outside: `super()` the bases that lie there. */
  function outsideOf(value: Value, call: Call): Values {
    if (value.kind !== 'super') return [value];
    return call.callee.kind === 'super' ? evaluator.superclasses(value.document, value.definition) : [];
  }

  function addOutside(
    type: OutsideUse['type'],
    from: Place,
    value: Value,
    line: number,
    args: number,
    isApart = false,
  ): void {
    if (value.kind !== 'external') return;
    const { language } = at(documents, from.document);
    for (const origin of value.origins ?? [])
      outside.add({ type, from, language, origin, weight: 1, line, arguments: args }, isApart);
  }

  function add(
    type: ResolvedEdge['type'],
    from: Place,
    { document, definition }: Place,
    line: number,
    strategy: Strategy,
    confidence: number,
    name: string,
  ): void {
    edges.add({ type, from, to: { document, definition }, weight: 1, confidence, strategy, line, name }, current);
  }
}

/** What `resolve` says of imports that lead out of the repository, for who needs nothing else of it. */
export function importsOutside(
  files: readonly SpooledDocument[],
  repository: Omit<RepositoryFiles, 'packageOf'>,
): Pick<Resolution, 'externalImports'> {
  const documents = prepare(files, repository);
  const libraryPaths = pathsOfLibraries(documents);
  const externalImports: ExternalImport[] = [];
  documents.forEach(({ library, facts, modules, path, language }, document) => {
    if (library) return;
    for (const wanted of facts.imports) {
      const { module, line } = wanted;
      if (leadsOut(wanted, modules.resolve(module, path), libraryPaths))
        externalImports.push({ document, language, module, line });
    }
  });
  return { externalImports };
}

const pathsOfLibraries = (documents: readonly Document[]): ReadonlySet<string> =>
  new Set(documents.filter(({ library }) => library).map(({ path }) => path));

/** Line 0: nobody wrote it. */
function leadsOut({ line }: Import, paths: readonly string[] | null, libraryPaths: ReadonlySet<string>): boolean {
  return line > 0 && paths !== null && paths.every((path) => libraryPaths.has(path));
}

function prepare(files: readonly SpooledDocument[], repository: Omit<RepositoryFiles, 'packageOf'>): Document[] {
  const packageNames = new Map<string, string>();
  const languageIds: string[] = [];
  for (const file of files) {
    const { packageName, language } = file.facts;
    if (packageName !== null) packageNames.set(file.path, packageName);
    languageIds.push(language);
    file.release?.();
  }
  const whole: RepositoryFiles = { ...repository, packageOf: (path) => packageNames.get(path) ?? null };
  const resolvers = new Map<Language['modules'], ModuleResolver>();
  const used = new Set<Language>();
  const prepared = files.map<Document>((file, index) => {
    const { path } = file;
    const language = languageById(languageIds[index] ?? '');
    if (!language) throw new Error(`${path} is in ${languageIds[index]}, which is no language that is known.`);
    const modules = resolvers.get(language.modules) ?? memoised(language.modules.prepare(whole));
    resolvers.set(language.modules, modules);
    used.add(language);
    return new PreparedDocument(file, language, modules);
  });
  for (const language of used) {
    const { semantics, family } = language;
    const modules = resolvers.get(language.modules);
    for (const { path, facts } of (modules && language.library?.()) ?? []) {
      if (modules) prepared.push({ path, facts, semantics, modules, family, language: facts.language, library: true });
    }
  }
  return prepared;
}

/** A class, as there are very many: what they share costs each nothing. */
class PreparedDocument implements Document {
  readonly modules: ModuleResolver;
  readonly library = false;
  readonly release?: () => number;
  readonly #file: SpooledDocument;
  readonly #language: Language;

  constructor(file: SpooledDocument, language: Language, modules: ModuleResolver) {
    this.#file = file;
    this.#language = language;
    this.modules = modules;
    if (file.release) this.release = file.release;
  }

  get path(): string {
    return this.#file.path;
  }

  get facts(): FileFacts {
    return this.#file.facts;
  }

  get semantics(): Semantics {
    return this.#language.semantics;
  }

  get family(): string {
    return this.#language.family;
  }

  get language(): string {
    return this.#language.id;
  }
}

/** So many answers of a resolver are remembered: most files ask for what others near them asked for. */
const mostRemembered = 20_000;

/** The same specifier in one folder leads to the same files. */
function memoised(resolver: ModuleResolver): ModuleResolver {
  const known = new Map<string, readonly string[] | null>();
  return {
    resolve(specifier, fromPath) {
      const key = `${fromPath} ${specifier}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const paths = resolver.resolve(specifier, fromPath);
      if (known.size === mostRemembered) known.clear();
      known.set(key, paths);
      return paths;
    },
    ...(resolver.published ? { published: () => resolver.published?.() ?? [] } : {}),
  };
}

/** The modules of all languages that others can ask for. */
function* publishedModules(
  documents: readonly Document[],
  keyOf: SurfaceNames['published'],
): Generator<PublishedModule> {
  const languages = new Map<ModuleResolver, string>();
  for (const one of documents) languages.set(one.modules, one.language);
  for (const [modules, language] of languages) {
    for (const published of modules.published?.() ?? []) {
      const key = keyOf(language, published.specifier);
      if (key !== null) yield { key, ...published };
    }
  }
}

function at(documents: readonly Document[], index: number): Document {
  const document = documents[index];
  if (!document) throw new RangeError(`There is no document ${index}.`);
  return document;
}

function isFunction({ kind }: Definition): boolean {
  return kind === 'function' || kind === 'method' || kind === 'constructor';
}

/** Definitions that the graph shows. */
function isNode({ facts, library }: Document, definition: number): boolean {
  if (library) return false;
  const found = facts.definitions[definition];
  return found !== undefined && found.name !== '' && found.kind !== 'object';
}

/** What an anonymous function calls belongs to the nearest named function around it; -1 at the top of a file. */
function namedCaller(facts: FileFacts, caller: number, { callMakesInstance }: Semantics): number {
  for (let index = caller; index >= 0;) {
    const definition = facts.definitions[index];
    if (!definition) return -1;
    // `new` goes to the class, so what its constructor calls comes from the class; elsewhere the constructor is a method like others.
    if (definition.kind === 'constructor' && definition.owner >= 0 && !callMakesInstance) return definition.owner;
    if (isFunction(definition) && definition.name !== '') return index;
    index = definition.owner;
  }
  return -1;
}

const samePlace = (a: Place, b: Place) => a.document === b.document && a.definition === b.definition;

function isPlace(value: Value): value is Extract<Value, { kind: 'class' | 'instance' | 'function' }> {
  return value.kind === 'class' || value.kind === 'instance' || value.kind === 'function';
}

function nameOf(callee: Expr): string {
  // Where methods have a name space of their own, facts write `name()`.
  return callee.kind === 'name' || callee.kind === 'member' ? callee.name.replace(/\(\)$/, '') : '';
}

function targetsOf(
  evaluator: Evaluator,
  document: number,
  call: Call,
  values: Values,
  { callMember, callMakesInstance, newMember, oneOfSeveral }: Semantics,
): Place[] {
  const targets = new Map<string, Place>();
  const add = (place: Place) => targets.set(`${place.document} ${place.definition}`, place);
  const visit = (value: Value, level: number): void => {
    if (value.kind === 'function') {
      add(evaluator.chooseOverload(value, document, call.args, call.types?.length ?? 0));
    } else if (value.kind === 'class' && (call.isNew || callMakesInstance)) {
      const own = newMember === undefined ? [] : evaluator.member(document, value, newMember);
      const makers = own.filter((one) => one.kind === 'function');
      for (const maker of makers) add(evaluator.chooseOverload(maker, document, call.args));
      if (makers.length === 0) add({ document: value.document, definition: value.definition });
    } else if (value.kind === 'super') {
      for (const base of evaluator.superclasses(value.document, value.definition)) {
        if (base.kind === 'class' || base.kind === 'instance' || base.kind === 'function') {
          add({ document: base.document, definition: base.definition });
        }
      }
    } else if (value.kind === 'instance' && level < 2) {
      const name = call.isNew ? 'new()' : callMember;
      if (name !== null) for (const inner of evaluator.member(document, value, name)) visit(inner, level + 1);
    }
  };
  for (const value of values) visit(value, 0);
  const found = [...targets.values()];
  return found.length > 1 && oneOfSeveral ? [...evaluator.likeliest(found, call.args, document)] : found;
}

function strategyOf(
  evaluator: Evaluator,
  document: number,
  call: Call,
  target: number,
  facts: FileFacts,
  hasPackages: boolean,
): Strategy {
  const { callee } = call;
  if (callee.kind === 'name') {
    if (target === document) return 'same_file';
    const isImported = facts.imports.some(({ local, name }) => local === callee.name || name.endsWith('**'));
    return isImported ? 'import' : hasPackages ? 'same_package' : 'value';
  }
  // Written out with its namespace or class: `port::Compress()`.
  if (callee.kind === 'union' && callee.first === true && hasPackages) {
    return target === document ? 'same_file' : 'same_package';
  }
  if (callee.kind === 'super') return 'super';
  if (callee.kind !== 'member') return 'value';
  if (callee.object.kind === 'self') return 'self';
  if (callee.object.kind === 'super') return 'super';
  return evaluator.evaluate(document, callee.object).some(({ kind }) => kind === 'module') ? 'import' : 'receiver_type';
}

/** A file is no node: an import of a whole module leads to none. */
function importTarget(value: Value, documents: readonly Document[]): Place | null {
  if (value.kind !== 'class' && value.kind !== 'function' && value.kind !== 'instance') return null;
  return isNode(at(documents, value.document), value.definition) ? value : null;
}

/** No number of a place. */
const ambiguous = 2 ** 32 - 1;

/** Methods whose name no other definition of the family has. */
function createUniqueMethods() {
  const byName = createNumberByText();
  const places = { document: createNumbers(), definition: createNumbers() };
  return {
    add({ family, library, facts }: Document, document: number): void {
      if (library) return;
      facts.definitions.forEach((definition, index) => {
        if (!isFunction(definition) || definition.name === '') return;
        const key = `${family} ${definition.name}`;
        if (byName.get(key) !== null || definition.kind !== 'method') byName.set(key, ambiguous);
        else {
          byName.set(key, places.document.length);
          places.document.add(document);
          places.definition.add(index);
        }
      });
    },
    get(family: string, name: string): Place | null {
      const number = byName.get(`${family} ${name}`);
      if (number === null || number === ambiguous) return null;
      return { document: places.document.at(number), definition: places.definition.at(number) };
    },
  };
}
