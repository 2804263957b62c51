import { parse } from 'smol-toml';
import type { ModuleResolution, ModuleResolver, RepositoryFiles } from '../language.ts';

/** Rust's modules: files by the `mod` that names them, crates by their Cargo.toml. */
export const modules: ModuleResolution = {
  prepare(repository: RepositoryFiles): ModuleResolver {
    const files = new Set(repository.paths.filter((path) => path.endsWith('.rs')));
    const existing = (...paths: string[]): string[] => paths.filter((path) => files.has(path));
    const crates = cratesOf(repository, existing);
    return {
      resolve(specifier, fromPath) {
        const [, how, name] = /^(mod|file) (.+)$/.exec(specifier) ?? [];
        if (how === 'mod')
          return existing(`${innerFolder(fromPath)}${name}.rs`, `${innerFolder(fromPath)}${name}/mod.rs`);
        if (how === 'file') return existing(`${folderOf(fromPath)}${name}`);
        if (specifier === 'self') return [fromPath];
        if (specifier === 'crate') return rootsOf(fromPath, existing);
        if (specifier.startsWith('super')) return above(fromPath, specifier.split('::').length, existing);
        return crates.get(specifier) ?? [];
      },
      *published() {
        for (const [specifier, paths] of crates) if (paths.length > 0) yield { specifier, paths };
      },
    };
  },
};

/** Of each crate in the repository the file where it starts, by the name that programs use. */
function cratesOf({ paths, read }: RepositoryFiles, existing: (...paths: string[]) => string[]): Map<string, string[]> {
  const crates = new Map<string, string[]>();
  for (const path of paths) {
    if (path !== 'Cargo.toml' && !path.endsWith('/Cargo.toml')) continue;
    const manifest = manifestOf(read(path));
    const name = manifest.lib?.name ?? manifest.package?.name;
    if (typeof name !== 'string') continue;
    crates.set(name.replaceAll('-', '_'), existing(folderOf(path) + (manifest.lib?.path ?? 'src/lib.rs')));
  }
  return crates;
}

function manifestOf(text: string | null): { package?: { name?: string }; lib?: { name?: string; path?: string } } {
  try {
    return parse(text ?? '');
  } catch {
    return {};
  }
}

/** Files that start a crate in which this one is. */
function rootsOf(path: string, existing: (...paths: string[]) => string[]): string[] {
  // A test, an example, a benchmark or a second program is a crate of its own.
  const [own] = /^(?:.*\/)?(?:tests|examples|benches|src\/bin)\/[^/]+\.rs$/.exec(path) ?? [];
  if (own) return [own];
  for (let folder = folderOf(path); ; folder = folderOf(folder.slice(0, -1))) {
    const found = existing(`${folder}lib.rs`, `${folder}main.rs`);
    if (found.length > 0) return found;
    if (folder === '') return existing(path);
  }
}

/** The module so many levels above a file's own. */
function above(path: string, levels: number, existing: (...paths: string[]) => string[]): string[] | null {
  let folder = innerFolder(path);
  for (let level = 0; level < levels; level++) folder = folderOf(folder.slice(0, -1));
  const found = existing(
    `${folder}mod.rs`,
    `${folder}lib.rs`,
    `${folder}main.rs`,
    ...(folder === '' ? [] : [`${folder.slice(0, -1)}.rs`]),
  );
  return found.length > 0 ? found : null;
}

/** The folder in which a file's inner modules lie. */
function innerFolder(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isRoot =
    ['mod.rs', 'lib.rs', 'main.rs', 'build.rs'].includes(name) ||
    /(?:^|\/)(?:tests|examples|benches|src\/bin)\/[^/]+$/.test(path);
  return isRoot ? folderOf(path) : `${path.slice(0, -'.rs'.length)}/`;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
