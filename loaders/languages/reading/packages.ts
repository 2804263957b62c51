import type { ModuleResolution } from '../language.ts';

/** Modules that are packages or namespaces: all files of these endings that say so, in whatever folders they are. */
export function packageModules(endings: readonly string[]): ModuleResolution {
  return {
    prepare({ paths, packageOf }) {
      const sources = paths.filter((path) => endings.some((ending) => path.endsWith(ending)));
      const packages = Map.groupBy(sources, packageOf);
      return { resolve: (specifier) => packages.get(specifier) ?? [] };
    },
  };
}
