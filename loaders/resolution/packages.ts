import type { Document } from './documents.ts';
import type { Engine } from './engine.ts';
import type { NamePosition } from './names.ts';
import { asTypes, unite, unknown, type Values } from './value.ts';

/** The documents that have a name at their top. */
type PackageNames = ReadonlyMap<string, readonly number[]>;

/** What files of one package have in common; undefined where the language has no such packages. */
export function packageKey({ path, facts, semantics, family }: Document): string | undefined {
  if (semantics.packageScope === 'none') return undefined;
  const folder = semantics.packageScope === 'folder' ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  return `${family} ${folder} ${facts.packageName ?? ''}`;
}

type Around = Pick<Engine, 'documents' | 'scopes' | 'names' | 'modules' | 'members' | 'types'>;

/** Packages whose files see each other's top-level names: Go's folders, Java's and C#'s clauses. */
export class Packages {
  readonly #engine: Around;
  readonly #packages = new Map<string, Map<string, number[]>>();
  /** By document: the names of its package. */
  readonly #ofDocument = new Map<number, PackageNames>();
  /** By package: the documents that say what it inherits. */
  readonly #inheriting = new Map<string, number[]>();

  constructor(engine: Around) {
    this.#engine = engine;
  }

  add(one: Document, document: number): void {
    const key = packageKey(one);
    if (key === undefined) return;
    const names = this.#packages.get(key) ?? new Map<string, number[]>();
    this.#packages.set(key, names);
    this.#ofDocument.set(document, names);
    if (one.facts.packageBases) this.#inheriting.set(key, [...(this.#inheriting.get(key) ?? []), document]);
    // Imports are a file's own; the rest of its top level is the package's.
    const own = (one.facts.scopes[0]?.bindings ?? []).filter((binding) => binding.import < 0);
    for (const name of new Set(own.map((binding) => binding.name))) {
      const places = names.get(name);
      if (places) places.push(document);
      else names.set(name, [document]);
    }
  }

  /** The names of the package that a document is of. */
  namesAround(document: number): PackageNames | undefined {
    return this.#ofDocument.get(document);
  }

  /** What a document's package has under this name; undefined when nothing. */
  member(document: number, name: string, position: NamePosition): Values | undefined {
    const { documents, scopes, names } = this.#engine;
    const found = this.namesAround(document)
      ?.get(name)
      ?.map((one) => ({ document: one }));
    if (!found) return this.#inherited(document, name, position);
    const own = found.length < 2 ? found : found.filter((one) => !this.#handsOn(one.document, name));
    const all = own.length > 0 ? own : found;
    const usable = documents.at(document).semantics.nearestWins
      ? documents.nearest(document, all)
      : documents.ofUsualBuild(document, all);
    return unite(usable.map((one) => names.bound(one.document, scopes.atTop(one.document, name), position)));
  }

  /** Whether a document has the name from elsewhere. */
  #handsOn(document: number, name: string): boolean {
    return this.#engine.scopes.atTop(document, name).every(({ isHandedOn }) => isHandedOn);
  }

  /** What a document's package inherits. */
  bases(document: number): Values {
    const { documents, types } = this.#engine;
    const inheriting = this.#inheriting.get(packageKey(documents.at(document)) ?? '') ?? [];
    return unite(
      inheriting.flatMap((one) => (documents.at(one).facts.packageBases ?? []).map((type) => types.of(one, type))),
    );
  }

  #inherited(document: number, name: string, position: NamePosition): Values | undefined {
    const { members } = this.#engine;
    const found = unite(this.bases(document).map((base) => members.find(document, base, name, true) ?? unknown));
    const inside = found.filter(({ kind }) => kind !== 'external');
    if (inside.length === 0) return undefined;
    return position === 'type' ? asTypes(inside) : inside;
  }

  /** A package has the name of its clause, whatever the last part of its path is: the import that leads to such a one. */
  imported(document: number, name: string): Values | undefined {
    const { documents, modules } = this.#engine;
    const { facts, semantics } = documents.at(document);
    if (semantics.packageScope !== 'folder') return undefined;
    for (const wanted of facts.imports) {
      if (wanted.name !== '*') continue;
      const values = modules
        .of(document, wanted.module)
        .filter(
          (value) =>
            value.kind === 'module' && value.documents.some((one) => documents.at(one).facts.packageName === name),
        );
      if (values.length > 0) return values;
    }
    return undefined;
  }
}
