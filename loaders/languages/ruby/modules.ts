import { isOutsidePackage, type ModuleResolution } from '../language.ts';

/** What `require` leads to: a file beside this one, or one in a folder that gems put on the load path. */
export const modules: ModuleResolution = {
  prepare({ paths }) {
    const files = new Set(paths.filter((path) => path.endsWith('.rb')));
    const loadPaths = new Set(['']);
    for (const path of files) {
      const [folder] = /^(?:.*\/)?(?:lib|app|test|spec)\//.exec(path) ?? [];
      if (folder) loadPaths.add(folder);
    }
    return {
      resolve(specifier, fromPath) {
        const name = specifier.endsWith('.rb') ? specifier : `${specifier}.rb`;
        if (name.startsWith('.')) {
          const path = new URL(name, `file:///${fromPath}`).pathname.slice(1);
          return files.has(path) ? [path] : null;
        }
        const found = [...loadPaths].map((folder) => folder + name).filter((path) => files.has(path));
        return found.slice(0, 1);
      },
      /** Constants are everybody's, whatever file was required. */
      *published() {
        const own = [...files].filter((path) => !isOutsidePackage(path));
        if (own.length > 0) yield { specifier: '', paths: own };
      },
    };
  },
};
