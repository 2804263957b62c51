import type { FileImport, FileName } from '../facts/file-import.ts';

/** So many names, or files, of one call are looked at; where there are more, it may be of anything. */
const maxFollowed = 200;
/** What has this name where it is from may have any name there. */
const isWhole = /^(?:default|=|\*)$/;

/** What a call may be of. */
export interface Called {
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
  /** By a name that something has anywhere those that it had before: whoever asks a module for it need not import it. */
  readonly #before: ReadonlyMap<string, readonly FileName[]>;
  readonly #imports: ReadonlyMap<string, readonly FileImport[]>;
  readonly #known = new Map<string, Called>();

  constructor({ inside, names }: { inside: readonly FileImport[]; names: readonly FileName[] }) {
    this.#imports = Map.groupBy(inside, ({ path }) => path);
    for (const [path, each] of Map.groupBy(names, ({ path }) => path))
      this.#names.set(
        path,
        Map.groupBy(each, ({ local }) => local),
      );
    const renamed = names.filter(({ local, name }) => local !== name && !isWhole.test(name));
    this.#before = Map.groupBy(renamed, ({ local }) => local);
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

  /** False where there are too many. */
  #addNames(names: Set<string>): boolean {
    for (const each of names)
      for (const { name } of this.#before.get(each) ?? []) if (names.add(name).size > maxFollowed) return false;
    return true;
  }

  /** Those of which the file has a whole under one of these names; likewise. */
  #addFiles(files: Set<string>, from: string, calls: readonly string[]): boolean {
    const seen = new Map(calls.map((name) => [`${from}\n${name}`, { path: from, name }]));
    for (const { path, name } of seen.values())
      for (const next of this.#names.get(path)?.get(name) ?? [])
        for (const to of next.to) {
          if (isWhole.test(next.name)) files.add(to);
          if (seen.set(`${to}\n${next.name}`, { path: to, name: next.name }).size > maxFollowed) return false;
        }
    // What is made of others' has no name of its own.
    for (const path of [...files])
      for (const { to } of this.#imports.get(path) ?? [])
        for (const each of to) if (files.add(each).size > maxFollowed) return false;
    return true;
  }
}
