import type { FileImport, FileName } from '../facts/file-import.ts';

/** So many names, and imports, are looked at for one call; where there are more, it may be of anything. */
const maxNames = 20;
const maxImports = 100;
/** What is asked for by this name may have any name in its own file. */
const isWhole = /^(?:default|=|\*)$/;

/** What a call may be of. */
interface Called {
  /** By these names. */
  names: ReadonlySet<string>;
  /** Anything in these files. */
  within: ReadonlySet<string>;
  isAny: boolean;
}

/** What a call may be of, for all that files say of names: an import gives a new one, and so may each file that hands it on. */
export class CalledNames {
  /** By file and the name in it. */
  readonly #names = new Map<string, Map<string, FileName[]>>();
  /** The earlier names of what has this one, in any file: `lib.go()` needs no import of `go`. */
  readonly #before = new Map<string, Set<string>>();
  readonly #imports: ReadonlyMap<string, readonly FileImport[]>;
  readonly #known = new Map<string, Called>();

  constructor({ inside, names }: { inside: readonly FileImport[]; names: readonly FileName[] }) {
    this.#imports = Map.groupBy(inside, ({ path }) => path);
    for (const [path, each] of Map.groupBy(names, ({ path }) => path))
      this.#names.set(
        path,
        Map.groupBy(each, ({ local }) => local),
      );
    for (const { local, name } of names)
      if (local !== name && !isWhole.test(name))
        this.#before.set(local, (this.#before.get(local) ?? new Set<string>()).add(name));
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
    const isAny = !this.#addNames(names) || !this.#addFiles(within, path, calls);
    return { names, within, isAny };
  }

  /** Adds the earlier names of these; false where there are too many. */
  #addNames(names: Set<string>): boolean {
    for (const each of names)
      for (const name of this.#before.get(each) ?? []) if (names.add(name).size > maxNames) return false;
    return true;
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
