import type { Definition } from '../facts/fact.ts';
import { impossible } from './conversions.ts';
import type { DefinitionRef } from './definition-ref.ts';
import type { Engine } from './engine.ts';
import { type FunctionValue, unite, unknown, type Value, type Values } from './value.ts';

/** A class whose bases are not all known may be what is asked for. */
const perhaps = 60;

type Around = Pick<Engine, 'documents' | 'types' | 'conversions'>;

/**
 * Functions that are called as methods of a type which may lie outside the repository: C#'s `this` parameters, Kotlin's
 * extensions, methods of Scala's implicit classes and of Rust's traits. A type's own members come first; an extension is only
 * seen where it is imported, or in its own package.
 */
export class Extensions {
  readonly #engine: Around;
  readonly #byName = new Map<string, DefinitionRef[]>();

  constructor(engine: Around) {
    this.#engine = engine;
  }

  add(document: number, definition: number): void {
    const { documents } = this.#engine;
    const key = `${documents.at(document).family} ${documents.definition(document, definition).name}`;
    const known = this.#byName.get(key);
    if (known) known.push({ document, definition });
    else this.#byName.set(key, [{ document, definition }]);
  }

  /** What `object.name` is, where `found` is what the object's own type has under that name. */
  orMember(document: number, object: Values, name: string, found: Values): Values {
    const { documents } = this.#engine;
    if (!this.#byName.has(`${documents.at(document).family} ${name}`)) return found;
    if (found.some(({ kind }) => kind === 'function' || kind === 'class')) return found;
    if (object.length === 0) {
      if (found.length > 0 || documents.at(document).semantics.builtins.has(name)) return found;
      // Of a value that nobody knows it can only be told where there is one.
      const [first, another] = this.#visible(document, name);
      return first && !another ? [{ kind: 'function', ...first, self: null }] : unknown;
    }
    const extended = object.map((value): Values => {
      const [first] = this.of(document, value, name);
      return first ? [{ kind: 'function', ...first, self: value }] : unknown;
    });
    return extended.length > 0 ? unite(extended) : found;
  }

  /** The extensions of this name that are seen from a document and fit a value best. */
  of(document: number, value: Value, name: string): readonly DefinitionRef[] {
    if (value.kind === 'class' || value.kind === 'module' || value.kind === 'super') return [];
    const visible = this.#visible(document, name);
    const costs = visible.map((one) => this.#cost(one, value));
    const lowest = Math.min(...costs);
    return lowest >= impossible ? [] : visible.filter((_, index) => costs[index] === lowest);
  }

  /** All that a call of this extension may mean. */
  like(document: number, { document: place, definition, self }: FunctionValue): readonly DefinitionRef[] {
    const { name } = this.#engine.documents.definition(place, definition);
    return self ? this.of(document, self, name) : this.#visible(document, name);
  }

  /** Is it called as a function is, with the object as its first argument: `Texts.Twice("a")`? */
  isStatic({ document, definition, self }: FunctionValue): boolean {
    const { extension, owner, isStatic } = this.#engine.documents.definition(document, definition);
    return extension === 'parameter' && isStatic && owner >= 0 && (self === null || self.kind === 'class');
  }

  #visible(document: number, name: string): readonly DefinitionRef[] {
    const { documents } = this.#engine;
    const all = this.#byName.get(`${documents.at(document).family} ${name}`) ?? [];
    return all.filter((one) => this.#sees(document, one, name));
  }

  #sees(document: number, { document: other, definition }: DefinitionRef, name: string): boolean {
    if (document === other) return true;
    const { documents } = this.#engine;
    const { facts, semantics, modules, path } = documents.at(document);
    if (semantics.packageScope !== 'name') return true;
    const place = documents.at(other).facts;
    const own = documents.definition(other, definition);
    const owner = place.definitions[own.owner];
    // An implicit class stands where it is itself.
    const isNested = own.extension !== 'parameter' && (owner?.extension ? owner.owner : own.owner) >= 0;
    if (!isNested && facts.packageName === place.packageName) return true;
    const around = isNested ? this.#namesAround(other, own) : [];
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

  #namesAround(document: number, { owner }: Definition): string[] {
    const { facts } = this.#engine.documents.at(document);
    const names: string[] = [];
    for (let index = owner; index >= 0; index = facts.definitions[index]?.owner ?? -1)
      names.push(facts.definitions[index]?.name ?? '');
    return names;
  }

  #cost({ document, definition }: DefinitionRef, value: Value): number {
    const { documents, types, conversions } = this.#engine;
    const { receiver } = documents.definition(document, definition);
    if (!receiver) return impossible;
    const declared = types.of(document, receiver);
    // What is asked for is not known.
    if (declared.length === 0) return perhaps;
    return conversions.cost(declared, [value]);
  }
}
