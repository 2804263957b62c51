import { isOutsidePackage, type ModuleResolution, type ModuleResolver, type RepositoryFiles } from '../language.ts';

interface GoModule {
  /** Folder of its go.mod, with `/` at the end; empty for the root. */
  folder: string;
  path: string;
  /** Module path → folder in this repository. */
  replaced: ReadonlyMap<string, string>;
}

/** Import paths by the go.mod files of a repository; where there is none, by the folders that a path ends with. */
export const modules: ModuleResolution = {
  prepare(repository: RepositoryFiles): ModuleResolver {
    const packages = indexPackages(repository);
    const found = repository.paths
      .filter((path) => path === 'go.mod' || path.endsWith('/go.mod'))
      .flatMap((path) => readModule(path, repository.read(path)))
      .sort((a, b) => b.path.length - a.path.length);

    const filesIn = (folder: string): readonly string[] => packages.get(folder) ?? [];
    const within = (modulePath: string, folder: string, specifier: string): readonly string[] | null => {
      if (specifier === modulePath) return filesIn(folder);
      return specifier.startsWith(`${modulePath}/`)
        ? filesIn(`${folder}${specifier.slice(modulePath.length + 1)}/`)
        : null;
    };

    return {
      resolve(specifier, fromPath) {
        if (/^\.\.?(\/|$)/.test(specifier)) return filesIn(join(folderOf(fromPath), specifier));
        const own = found
          .filter(({ folder }) => fromPath.startsWith(folder))
          .sort((a, b) => b.folder.length - a.folder.length)[0];
        for (const [path, folder] of own?.replaced ?? []) {
          const files = within(path, folder, specifier);
          if (files && files.length > 0) return files;
        }
        for (const { path, folder } of found) {
          const files = within(path, folder, specifier);
          if (files && files.length > 0) return files;
        }
        return found.length > 0 ? [] : bySuffix(specifier, filesIn);
      },
      *published() {
        for (const [folder, paths] of packages) {
          const own = found
            .filter((each) => folder.startsWith(each.folder))
            .sort((a, b) => b.folder.length - a.folder.length)[0];
          if (
            !own ||
            isOutsidePackage(folder) ||
            repository.packageOf(paths[0] ?? '') === 'main' ||
            /(?:^|\/)internal\//.test(folder)
          )
            continue;
          yield { specifier: `${own.path}/${folder.slice(own.folder.length)}`.replace(/\/$/, ''), paths };
        }
      },
    };
  },
};

/** Files that an import of each folder gives: one package, without its tests. */
function indexPackages(repository: RepositoryFiles): Map<string, readonly string[]> {
  const sources = repository.paths.filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
  const packages = new Map<string, readonly string[]>();
  for (const [folder, files] of Map.groupBy(sources, folderOf)) {
    const byName = [...Map.groupBy(files, (path) => repository.packageOf(path))].filter(
      ([name]) => name !== null && name !== 'documentation',
    );
    const importable = byName.filter(([name]) => name !== 'main');
    const largest = (importable.length > 0 ? importable : byName).sort(([, a], [, b]) => b.length - a.length)[0];
    if (largest) packages.set(folder, largest[1]);
  }
  return packages;
}

function readModule(path: string, text: string | null): GoModule[] {
  const folder = folderOf(path);
  const code = (text ?? '').replace(/\/\/.*/g, '');
  const name = /^[ \t]*module\s+"?([^\s"]+)/m.exec(code)?.[1];
  if (name === undefined) return [];
  const replaced = new Map<string, string>();
  for (const [, from, to] of code.matchAll(
    /^[ \t]*(?:replace\s+)?"?([^\s"()]+)"?(?:\s+v\S+)?\s*=>\s*"?(\.\.?\/[^\s"]*|\.\.?)"?/gm,
  )) {
    if (from !== undefined && to !== undefined) replaced.set(from, join(folder, to));
  }
  return [{ folder, path: name, replaced }];
}

/** Before modules, a repository lay in GOPATH under its own address: `github.com/owner/name/pkg/x` is its `pkg/x`. */
function bySuffix(specifier: string, filesIn: (folder: string) => readonly string[]): readonly string[] {
  const parts = specifier.split('/');
  if (!parts[0]?.includes('.')) return [];
  for (let from = 2; from < parts.length; from++) {
    const files = filesIn(`${parts.slice(from).join('/')}/`);
    if (files.length > 0) return files;
  }
  return [];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** A folder by a relative path, with `/` at the end. */
function join(folder: string, path: string): string {
  const parts = folder.split('/').filter(Boolean);
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.length > 0 ? `${parts.join('/')}/` : '';
}
