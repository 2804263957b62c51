import type { Export, Import } from '../facts/fact.ts';
import type { Engine } from './engine.ts';
import { type ModuleValue, unite, unknown, type Value, type Values } from './value.ts';

type Around = Pick<
  Engine,
  'documents' | 'memory' | 'trace' | 'scopes' | 'names' | 'packages' | 'starImports' | 'members' | 'expressions'
>;

/** Where imports lead, and what modules give: through re-exports, barrels and packages, to the definition. */
export class Modules {
  readonly #engine: Around;

  constructor(engine: Around) {
    this.#engine = engine;
  }

  /** The module that an import's text asks for, or something external; unknown where it should be here and is not. */
  of(document: number, specifier: string): Values {
    const { documents } = this.#engine;
    const { modules, path, semantics } = documents.at(document);
    const paths = modules.resolve(specifier, path);
    if (paths === null) return unknown;
    const found = paths.map((each) => documents.numberOf(each)).filter((index) => index !== undefined);
    // A folder without a file of its own may still hold modules.
    const isFolder = paths.length > 0 && semantics.submodule(specifier, '') !== null;
    if (found.length > 0 || isFolder) return [{ kind: 'module', documents: found, specifier, from: document }];
    if (paths.length > 0) return unknown;
    return [{ kind: 'external', name: specifier, args: [], origins: [{ module: specifier, path: [] }] }];
  }

  /** What an import's name stands for: definitions, a module, or something external. */
  imported(document: number, index: number): Values {
    const wanted = this.#engine.documents.at(document).facts.imports[index];
    return wanted ? this.import(document, wanted) : unknown;
  }

  import(document: number, wanted: Import): Values {
    const { documents, memory, members } = this.#engine;
    return memory.cycles.remember(memory.imports, wanted, unknown, () => {
      const name = wanted.name.slice(wanted.name.lastIndexOf('.') + 1);
      const held = unite(
        this.holders(document, wanted).map((one) => members.find(document, one, name, true) ?? unknown),
      );
      if (held.length > 0) return held;
      const modules = this.of(document, wanted.module);
      this.#engine.trace?.import(document, wanted, modules);
      const values = this.#named(document, modules, wanted.name);
      const ofLibrary = (value: Value) =>
        value.kind === 'module' && value.documents.every((one) => documents.at(one).library);
      return values.length === 0 && modules.some(ofLibrary)
        ? [{ kind: 'external', name: wanted.name, args: [] }]
        : values;
    });
  }

  /** What an import takes its names from that is no module, of what is in the repository. */
  holders(document: number, { holder }: Import): Values {
    if (!holder) return unknown;
    const { memory, expressions } = this.#engine;
    return memory.cycles.remember(memory.holders, holder, unknown, () =>
      expressions.evaluate(document, holder).filter(({ kind }) => kind === 'class' || kind === 'instance'),
    );
  }

  /** `module.exports = …`: the module is that value. */
  whole(module: ModuleValue): Values | undefined {
    const values = unite(module.documents.map((document) => this.#exported(document, '=') ?? unknown));
    return values.length > 0 ? values : undefined;
  }

  /** What a module has under this name; undefined when nothing. */
  member(module: ModuleValue, name: string): Values | undefined {
    const { documents, packages } = this.#engine;
    const [first] = module.documents;
    // A package that is known by its clause is looked into once, not file by file; what its files import is their own.
    if (first !== undefined && documents.at(first).semantics.packageScope === 'name')
      return packages.member(first, name, 'all') ?? this.#submodule(module, name);
    const found = module.documents.flatMap((document) => {
      const values = this.#exported(document, name);
      return values ? [{ document, values }] : [];
    });
    if (found.length > 0) return unite(documents.ofUsualBuild(module.from, found).map(({ values }) => values));
    return this.#submodule(module, name);
  }

  /** The module of this name in a module. */
  #submodule(module: ModuleValue, name: string): Values | undefined {
    const inner = this.#engine.documents.at(module.from).semantics.submodule(module.specifier, name);
    if (inner === null) return undefined;
    const values = this.of(module.from, inner).filter((value) => value.kind === 'module');
    return values.length > 0 ? values : undefined;
  }

  /** What a module gives under this name, as imports and re-exports write it. */
  #named(document: number, modules: Values, name: string): Values {
    const { members } = this.#engine;
    return unite(
      modules.map((value): Values => {
        if (name === '' || name.endsWith('**')) return unknown;
        if (value.kind !== 'module') return name === '*' ? [value] : members.of(document, value, name);
        if (name === '*') return this.whole(value) ?? [value];
        if (name === 'default') return this.member(value, 'default') ?? this.whole(value) ?? [value];
        return name
          .split('.')
          .reduce<Values>(
            (objects, part) => unite(objects.map((object) => members.of(document, object, part))),
            [value],
          );
      }),
    );
  }

  #exportTable(document: number): Map<string, Export[]> {
    const { documents, memory } = this.#engine;
    return memory.made(memory.exportTables, document, () =>
      Map.groupBy(documents.at(document).facts.exports, ({ name }) => name),
    );
  }

  /** What one file gives under this name; undefined when nothing. */
  #exported(document: number, name: string): Values | undefined {
    const { documents, memory, scopes } = this.#engine;
    const values = memory.cycles.remember(memory.moduleMembers, `${document} ${name}`, unknown, () =>
      this.#exportedOnce(document, name),
    );
    if (values.length > 0) return values;
    const declared =
      this.#exportTable(document).has(name) ||
      (!documents.at(document).semantics.explicitExports && scopes.table(document, 0).has(name));
    return declared ? values : undefined;
  }

  #exportedOnce(document: number, name: string): Values {
    const { documents, scopes, names, starImports } = this.#engine;
    const entries = this.#exportTable(document).get(name);
    if (entries) return unite(entries.map((entry) => this.#exportValue(document, entry)));
    if (!documents.at(document).semantics.explicitExports) {
      const bindings = scopes.table(document, 0).get(name);
      if (bindings) return names.bound(document, bindings, 'all');
      return starImports.named(document, name, 'all') ?? unknown;
    }
    if (name === '=' || name === 'default') return unknown;
    return this.#ofStars(document, name);
  }

  /** `export * from …`: the first of them that has it. */
  #ofStars(document: number, name: string): Values {
    const { expressions, members } = this.#engine;
    for (const star of this.#exportTable(document).get('*') ?? []) {
      const { from, value } = star;
      if (from === null) {
        const found = value
          ? unite(expressions.evaluate(document, value).map((one) => members.of(document, one, name)))
          : unknown;
        if (found.length > 0) return found;
        continue;
      }
      for (const module of this.of(document, from)) {
        const found = module.kind === 'module' ? this.member(module, name) : undefined;
        if (!found || found.length === 0) continue;
        this.#engine.trace?.export(document, star, name);
        return found;
      }
    }
    return unknown;
  }

  #exportValue(document: number, entry: Export): Values {
    const { trace, names, expressions } = this.#engine;
    trace?.export(document, entry, entry.name);
    if (entry.from !== null) return this.#named(document, this.of(document, entry.from), entry.imported ?? entry.name);
    if (entry.value?.kind === 'name') return names.lookUp(document, entry.value.scope, entry.value.name, 'all');
    return entry.value ? expressions.evaluate(document, entry.value) : unknown;
  }
}
