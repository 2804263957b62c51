import type { ModuleResolution } from '../language.ts';
import { isOutsidePackage } from '../language.ts';

/** What a URI leads to: a file beside this one, or `package:name/path` in the `lib` of the package that says to be so. */
export const modules: ModuleResolution = {
  prepare({ paths, read }) {
    const files = new Set(paths.filter((path) => path.endsWith('.dart')));
    const folders = new Map<string, string>();
    for (const path of paths) {
      if (!/(?:^|\/)pubspec\.yaml$/.test(path)) continue;
      const [, name] = /^name:\s*["']?(\w+)/m.exec(read(path) ?? '') ?? [];
      if (name !== undefined && !folders.has(name)) folders.set(name, path.slice(0, -'pubspec.yaml'.length));
    }
    return {
      resolve(specifier, fromPath) {
        const [, name = '', inside = ''] = /^package:(\w+)\/(.+)$/.exec(specifier) ?? [];
        const folder = folders.get(name);
        if (/^\w+:/.test(specifier)) {
          const path = `${folder}lib/${inside}`;
          return folder !== undefined && files.has(path) ? [path] : [];
        }
        if (!/^[\w./-]+\.dart$/.test(specifier) || specifier.startsWith('//')) return [];
        const path = decodeURI(new URL(specifier, `file:///${encodeURI(fromPath)}`).pathname.slice(1));
        return files.has(path) ? [path] : null;
      },
      *published() {
        for (const [name, folder] of folders)
          for (const path of files)
            if (path.startsWith(`${folder}lib/`) && !isOutsidePackage(path.slice(folder.length)))
              yield { specifier: `package:${name}/${path.slice(folder.length + 4)}`, paths: [path] };
      },
    };
  },
};
