import type { ModuleResolution } from '../language.ts';

/** Modules that are files by a part of their path: one beside this file, or the nearest whose path ends so. */
export const includedFiles: ModuleResolution = {
  prepare({ paths }) {
    const files = new Set(paths);
    const byName = Map.groupBy(paths, nameOf);
    return {
      resolve(specifier, fromPath) {
        const beside = new URL(specifier, `file:///${fromPath}`).pathname.slice(1);
        if (files.has(beside)) return [beside];
        const plain = specifier.replace(/^(?:\.\.?\/)+/, '');
        const found = (byName.get(nameOf(plain)) ?? []).filter((path) => path === plain || path.endsWith(`/${plain}`));
        return found.sort((a, b) => shared(b, fromPath) - shared(a, fromPath) || a.length - b.length).slice(0, 1);
      },
    };
  },
};

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** How many characters of their paths two files have in common. */
function shared(path: string, other: string): number {
  let at = 0;
  while (at < path.length && path[at] === other[at]) at++;
  return at;
}
