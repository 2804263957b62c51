import { includedFiles } from '../reading/included-files.ts';
import type { ModuleResolution } from '../language.ts';

/** What `require` leads to: `a.b` is the nearest file whose path ends in `a/b.lua` or `a/b/init.lua`. */
export const modules: ModuleResolution = {
  prepare(repository) {
    const files = includedFiles.prepare(repository);
    return {
      resolve(specifier, fromPath) {
        if (!/^[\w-]+(?:[./][\w-]+)*$/.test(specifier)) return [];
        const path = specifier.replaceAll('.', '/');
        for (const name of [`${path}.lua`, `${path}/init.lua`]) {
          const found = files.resolve(name, fromPath) ?? [];
          if (found.length > 0) return found;
        }
        return [];
      },
    };
  },
};
