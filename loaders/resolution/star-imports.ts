import type { Import } from '../facts/fact.ts';
import type { Document } from './documents.ts';
import type { Engine } from './engine.ts';
import type { NamePosition } from './names.ts';
import { asTypes, type Origin, unite, unknown, type Values } from './value.ts';

type Around = Pick<Engine, 'names' | 'documents' | 'memory' | 'trace' | 'modules' | 'members'>;

/** Imports of all names of a module: `from models import *`, `import java.util.*`, C#'s `using`. */
export class StarImports {
  readonly #engine: Around;
  /** Files whose imports hold for all around them. */
  readonly #sharing: Document[] = [];

  constructor(engine: Around) {
    this.#engine = engine;
  }

  add(one: Document): void {
    if (one.facts.imports.some(({ everywhere }) => everywhere)) this.#sharing.push(one);
  }

  /** What they give under this name; undefined when nothing that is inside the repository. */
  named(document: number, name: string, position: NamePosition): Values | undefined {
    const { members, names } = this.#engine;
    for (const wanted of this.#all(document)) {
      const values = unite(
        this.opened(document, wanted).map((value) => members.find(document, value, name, false) ?? unknown),
      );
      const inside = values.filter((value) => value.kind !== 'external');
      if (inside.length === 0) continue;
      this.#engine.trace?.star(document, wanted, name);
      if (position === 'all') return inside;
      return position === 'type' ? asTypes(names.preferred(inside, true)) : names.preferred(inside, false);
    }
    return undefined;
  }

  /** What an import of all names takes them from: a module, or what has the rest of the way in it. */
  opened(document: number, wanted: Import): Values {
    const { documents, modules, members } = this.#engine;
    const held = modules.holders(document, wanted);
    if (held.length > 0) return held;
    const inside = (from: Values, path: readonly string[]) =>
      path.reduce<Values>(
        (objects, part) => unite(objects.map((object) => members.find(document, object, part, false) ?? unknown)),
        from,
      );
    const path = wanted.name.split('.').slice(0, -1);
    const found = inside(modules.of(document, wanted.module), path);
    const end = wanted.module.lastIndexOf('.');
    if (end < 0 || !documents.at(document).semantics.packagesAreNames) return found;
    if (found.some(({ kind }) => kind !== 'external')) return found;
    // What looks like a package may be an object in one.
    const holder = modules.of(document, wanted.module.slice(0, end));
    const objects = inside(holder, [wanted.module.slice(end + 1), ...path]).filter(({ kind }) => kind === 'class');
    return objects.length > 0 ? objects : found;
  }

  /** Where names may come from that this repository has not. */
  foreignOrigins(document: number): readonly Origin[] {
    const { documents, memory } = this.#engine;
    const { semantics, modules, path: asking } = documents.at(document);
    if (semantics.foreignNames === undefined) return [];
    return memory.made(memory.foreignOrigins, document, () => {
      // Of a package that the repository has itself, all names are known.
      const stars = this.#all(document)
        .filter(({ module }) => module === '' || modules.resolve(module, asking)?.length === 0)
        .map(({ module, name }) => ({ module, path: name.split('.').slice(0, -1) }));
      const all = [...stars, ...(semantics.foreignNames === 'paths' ? [{ module: '', path: [] }] : [])];
      return [...new Map(all.map((one) => [[one.module, ...one.path].join(' '), one])).values()];
    });
  }

  #all(document: number): readonly Import[] {
    const { documents, memory } = this.#engine;
    return memory.made(memory.starImports, document, () =>
      [...documents.at(document).facts.imports, ...this.#shared(document)].filter(({ name }) => name.endsWith('**')),
    );
  }

  /** What other files import for all around them. */
  #shared(document: number): Import[] {
    const { path, family } = this.#engine.documents.at(document);
    const around = this.#sharing.filter(
      (one) => one.family === family && path.startsWith(one.path.slice(0, one.path.lastIndexOf('/') + 1)),
    );
    return around.flatMap(({ facts }) => facts.imports.filter(({ everywhere }) => everywhere));
  }
}
