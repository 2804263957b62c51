import { library } from './library.ts';
import { packagesOf } from '../reading/packages.ts';
import type { ModuleResolution, RepositoryFiles } from '../language.ts';

/** Java's packages: a package is all files that say so, in whatever folders they are. */
export const modules: ModuleResolution = {
  prepare(repository: RepositoryFiles) {
    const packages = new Map<string, string[]>();
    for (const path of repository.paths) {
      if (!path.endsWith('.java')) continue;
      const name = repository.packageOf(path);
      if (name === null) continue;
      const files = packages.get(name);
      if (files) files.push(path);
      else packages.set(name, [path]);
    }
    const own = new Map(packages);
    for (const { path, facts } of library()) {
      const name = facts.packageName ?? '';
      if (!packages.has(name)) packages.set(name, [path]);
    }
    return { resolve: (specifier) => packages.get(specifier) ?? [], published: () => packagesOf(own) };
  },
};
