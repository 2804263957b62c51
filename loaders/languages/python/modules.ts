import { isOutsidePackage, type ModuleResolution, type ModuleResolver, type RepositoryFiles } from '../language.ts';

/** Python's import system, as far as files tell: packages, `src` layouts, scripts beside their modules, PEP 420. */
export const modules: ModuleResolution = {
  prepare(repository: RepositoryFiles): ModuleResolver {
    const files = new Set<string>();
    const folders = new Set<string>();
    for (const path of repository.paths) {
      if (!/\.pyi?$/.test(path)) continue;
      files.add(path);
      for (let folder = parent(path); !folders.has(folder); folder = parent(folder)) {
        folders.add(folder);
        if (folder === '') break;
      }
    }
    const isPackage = (folder: string): boolean =>
      files.has(join(folder, '__init__.py')) || files.has(join(folder, '__init__.pyi'));

    /** Top name → folders that may stand in `sys.path` for it: those that hold a package of that name. */
    const roots = new Map<string, string[]>();
    for (const folder of [...folders].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))) {
      if (folder === '' || !isPackage(folder) || isPackage(parent(folder))) continue;
      const name = folder.slice(folder.lastIndexOf('/') + 1);
      roots.set(name, [...(roots.get(name) ?? []), parent(folder)]);
    }

    const find = (folder: string, names: readonly string[]): readonly string[] | null => {
      const path = join(folder, names.join('/'));
      for (const file of [`${path}.py`, `${path}/__init__.py`, `${path}.pyi`, `${path}/__init__.pyi`])
        if (files.has(path === '' ? file.slice(1) : file)) return [path === '' ? file.slice(1) : file];
      return null;
    };
    /** A folder with modules but no `__init__` (PEP 420): looked for last. */
    const findFolder = (folder: string, names: readonly string[]): readonly string[] | null => {
      const path = join(folder, names.join('/'));
      return folders.has(path) && path !== '' ? [`${path}/`] : null;
    };

    return {
      resolve(specifier, fromPath) {
        const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
        const names = specifier.slice(dots).split('.').filter(Boolean);
        if (dots > 0) {
          let folder = parent(fromPath);
          for (let up = 1; up < dots; up++) {
            if (folder === '') return null;
            folder = parent(folder);
          }
          return find(folder, names) ?? findFolder(folder, names);
        }
        const top = names[0];
        if (top === undefined) return [];
        const ancestors = ancestorsOf(fromPath).filter((folder) => folder === '' || !isPackage(folder));
        const candidates = [...new Set([...ancestors, ...(roots.get(top) ?? [])])];
        let inside = false;
        for (const root of candidates) {
          const found = find(root, names);
          if (found) return found;
          inside ||= find(root, [top]) !== null;
        }
        for (const root of candidates) {
          const found = findFolder(root, names);
          if (found) return found;
        }
        return inside ? null : [];
      },
      *published() {
        const known = new Set<string>();
        for (const path of files) {
          if (isOutsidePackage(path)) continue;
          const names = path.replace(/(?:^|\/)__init__\.pyi?$|\.pyi?$/, '').split('/');
          // From each folder that may stand in `sys.path`.
          const above = names.findIndex((_, index) => isPackage(names.slice(0, index + 1).join('/')));
          for (const from of new Set([above, 0, 1])) {
            const root = names.slice(0, Math.max(from, 0)).join('/');
            const specifier = names.slice(Math.max(from, 0)).join('.');
            const isRoot = from === above || root === '' || root === 'src';
            if (from < 0 || !isRoot || specifier === '' || known.has(specifier)) continue;
            known.add(specifier);
            yield { specifier, paths: [path] };
          }
        }
      },
    };
  },
};

function ancestorsOf(path: string): string[] {
  const folders = [parent(path)];
  while (folders.at(-1) !== '') folders.push(parent(folders.at(-1) ?? ''));
  return folders;
}

function parent(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

function join(folder: string, name: string): string {
  return folder === '' ? name : name === '' ? folder : `${folder}/${name}`;
}

function depth(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
