import { isOutsidePackage, type ModuleResolution } from '../language.ts';

/**
 * Modules that are packages or namespaces: all files of these endings that say so, in whatever folders they are; `library` has the
 * packages that the language itself brings, each one document.
 */
export function packageModules(
  endings: readonly string[],
  library: Readonly<Record<string, string>> = {},
): ModuleResolution {
  return {
    prepare({ paths, packageOf }) {
      const sources = paths.filter((path) => endings.some((ending) => path.endsWith(ending)));
      const packages = Map.groupBy(sources, packageOf);
      return {
        resolve(specifier) {
          const own = packages.get(specifier) ?? [];
          const brought = library[specifier];
          return brought === undefined ? own : [...own, brought];
        },
        published: () => packagesOf(packages),
      };
    },
  };
}

/** Packages that other repositories can ask for. */
export function* packagesOf(
  packages: ReadonlyMap<string | null, readonly string[]>,
): Generator<{ specifier: string; paths: readonly string[] }> {
  for (const [specifier, all] of packages) {
    const paths = all.filter((path) => !isOutsidePackage(path));
    if (specifier !== null && paths.length > 0) yield { specifier, paths };
  }
}
