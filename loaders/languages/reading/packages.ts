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

/**
 * Likewise, where a package is also named by the rest of its name from a package around the file that asks. One that only holds
 * packages has no files, but is there.
 */
export function nestedPackages(
  endings: readonly string[],
  library: Readonly<Record<string, string>> = {},
): ModuleResolution {
  const packages = packageModules(endings, library);
  return {
    prepare(repository) {
      const { resolve, ...rest } = packages.prepare(repository);
      const holders = new Set(
        repository.paths
          .filter((path) => endings.some((ending) => path.endsWith(ending)))
          .flatMap((path) => packagesAround(repository.packageOf(path) ?? '')),
      );
      return {
        ...rest,
        resolve(specifier, fromPath) {
          for (const around of specifier === '' ? [] : packagesAround(`${repository.packageOf(fromPath) ?? ''}.`)) {
            const name = `${around}.${specifier}`;
            const found = resolve(name, fromPath) ?? [];
            if (found.length > 0) return found;
            if (holders.has(name)) return [name];
          }
          const found = resolve(specifier, fromPath) ?? [];
          return found.length === 0 && holders.has(specifier) ? [specifier] : found;
        },
      };
    },
  };
}

/** `a.b` and `a` of `a.b.c`, the innermost first. */
function packagesAround(name: string): string[] {
  const parts = name.split('.').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'));
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
