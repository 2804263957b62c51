import type { Document } from './evaluate.ts';

/** The documents that have a name at their top. */
type PackageNames = Map<string, number[]>;

/** What files of one package have in common; undefined where the language has no such packages. */
export function packageKey({ path, facts, semantics, family }: Document): string | undefined {
  if (semantics.packageScope === 'none') return undefined;
  const folder = semantics.packageScope === 'folder' ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  return `${family} ${folder} ${facts.packageName ?? ''}`;
}

/** The top-level names of each package, over its files. */
export interface Packages {
  add(one: Document, document: number): void;
  get(key: string): PackageNames | undefined;
}

/** Without a package. */
export function createPackages(): Packages {
  const packages = new Map<string, PackageNames>();
  return {
    add(one, document) {
      const key = packageKey(one);
      if (key === undefined) return;
      const names: PackageNames = packages.get(key) ?? new Map();
      packages.set(key, names);
      // Imports are a file's own; the rest of its top level is the package's.
      const own = (one.facts.scopes[0]?.bindings ?? []).filter((binding) => binding.import < 0);
      for (const name of new Set(own.map((binding) => binding.name))) {
        const places = names.get(name);
        if (places) places.push(document);
        else names.set(name, [document]);
      }
    },
    get: (key) => packages.get(key),
  };
}
