import type { Definition, FileFacts } from '../facts/fact.ts';
import type { ModuleResolver, Semantics } from '../languages/language.ts';
import type { DefinitionRef } from './definition-ref.ts';

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

/** All files of one repository, by number: the order in which they were given. */
export class Documents {
  readonly list: readonly Document[];
  readonly #byPath = new Map<string, number>();

  constructor(list: readonly Document[]) {
    this.list = list;
    for (const [document, { path }] of list.entries()) this.#byPath.set(path, document);
  }

  /** Throws RangeError where there is none. */
  at(document: number): Document {
    const found = this.list[document];
    if (!found) throw new RangeError(`There is no document ${document}.`);
    return found;
  }

  /** Throws RangeError where there is none. */
  definition(document: number, definition: number): Definition {
    const found = this.at(document).facts.definitions[definition];
    if (!found) throw new RangeError(`${this.at(document).path} has no definition ${definition}.`);
    return found;
  }

  /** The number of the document at a path. */
  numberOf(path: string): number | undefined {
    return this.#byPath.get(path);
  }

  /** Of several declarations those of the usual build, unless the one who asks is left out of it too. */
  ofUsualBuild<T extends { document: number }>(asking: number, found: T[]): T[] {
    if (found.length < 2 || this.at(asking).facts.conditional) return found;
    const kept = found.filter(({ document }) => !this.at(document).facts.conditional);
    return kept.length > 0 ? kept : found;
  }

  /** Those whose folder has most in common with that of the one who asks. */
  nearest<T extends { document: number }>(asking: number, found: readonly T[]): readonly T[] {
    if (found.length < 2) return found;
    const folders = this.at(asking).path.split('/').slice(0, -1);
    const shared = found.map(({ document }) => {
      const others = this.at(document).path.split('/').slice(0, -1);
      const different = folders.findIndex((folder, index) => folder !== others[index]);
      return different < 0 ? folders.length : different;
    });
    const most = Math.max(...shared);
    return found.filter((_, index) => shared[index] === most);
  }

  /** Is it a definition that the graph shows? */
  isNode({ document, definition }: DefinitionRef): boolean {
    const { library, facts } = this.at(document);
    if (library) return false;
    const found = facts.definitions[definition];
    return found !== undefined && found.name !== '' && found.kind !== 'object';
  }
}

const classKinds: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'record',
  'annotation',
  'type',
]);

export const isClass = ({ kind }: Definition): boolean => classKinds.has(kind);

export const isFunction = ({ kind }: Definition): boolean =>
  kind === 'function' || kind === 'method' || kind === 'constructor';
