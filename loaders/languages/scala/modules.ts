import type { ModuleResolution } from '../language.ts';
import { packageModules } from '../reading/packages.ts';

const packages = packageModules(['.scala', '.sc'], { scala: 'scala/own-types' });

/** Packages by their whole name, or by the rest of it from a package around the file that asks. */
export const modules: ModuleResolution = {
  prepare(repository) {
    const { resolve, ...rest } = packages.prepare(repository);
    return {
      ...rest,
      resolve(specifier, fromPath) {
        const around = (repository.packageOf(fromPath) ?? '').split('.');
        for (let length = around.length; length > 0; length--) {
          const found = resolve([...around.slice(0, length), specifier].filter(Boolean).join('.'), fromPath) ?? [];
          if (specifier !== '' && found.length > 0) return found;
        }
        return resolve(specifier, fromPath);
      },
    };
  },
};
