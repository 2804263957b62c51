import type { FileImport, FileName } from '../facts/file-import.ts';

/** So many imports are looked at for one call; where there are more, it may be of anything. */
const maxImports = 100;
/** What is asked for by this name may have any name in its own file. */
export const isWhole = /^(?:default|=|\*)$/;

/** What a call may be of. */
interface Called {
  /** By these names. */
  names: ReadonlySet<string>;
  /** Anything in these files. */
  within: ReadonlySet<string>;
  isAny: boolean;
}

/** What a call may be of, for all that files say of imports: by name, or anything in what is imported as a whole. */
export class CalledNames {
  /** By file and the name in it. */
  readonly #names = new Map<string, Map<string, FileName[]>>();
  readonly #imports: ReadonlyMap<string, readonly FileImport[]>;
  readonly #known = new Map<string, Called>();

  constructor({ inside, names }: { inside: readonly FileImport[]; names: readonly FileName[] }) {
    this.#imports = Map.groupBy(inside, ({ path }) => path);
    for (const [path, each] of Map.groupBy(names, ({ path }) => path))
      this.#names.set(
        path,
        Map.groupBy(each, ({ local }) => local),
      );
  }

  /** `as`: what is called had this name before. */
  of(path: string, { call, as = call }: { call: string; as?: string }): Called {
    const key = `${path}\n${call} ${as}`;
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = this.#follow(path, [call, as])));
    return known;
  }

  #follow(path: string, calls: readonly string[]): Called {
    const names = new Set(calls);
    const within = new Set<string>();
    const isAny = !this.#addFiles(within, path, calls);
    return { names, within, isAny };
  }

  /** Adds the files that one of these names may stand for as a whole; false where there are too many. */
  #addFiles(files: Set<string>, from: string, calls: readonly string[]): boolean {
    const seen = new Map(calls.map((name) => [`${from}\n${name}`, { path: from, name }]));
    let steps = 0;
    for (const { path, name } of seen.values())
      for (const next of this.#names.get(path)?.get(name) ?? [])
        for (const to of next.to) {
          if (++steps > maxImports) return false;
          if (isWhole.test(next.name)) files.add(to);
          seen.set(`${to}\n${next.name}`, { path: to, name: next.name });
        }
    // A module may hand on what others give without naming it.
    for (const path of new Set(files))
      for (const each of this.#imports.get(path) ?? [])
        for (const to of each.to) {
          if (++steps > maxImports) return false;
          files.add(to);
        }
    return true;
  }
}
