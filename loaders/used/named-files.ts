import { dirname, join } from 'node:path/posix';
import type { RunByName } from '../facts/file-use.ts';

/** So many texts of a name are put together, and so far above a file is looked for what it names. */
const maxNames = 8;
const maxAbove = 12;
/** Of a folder whose files are run. */
const maxFiles = 200;
const maxLength = 200;

/** What a module's name may lack. */
const endings = ['', '.js', '.cjs', '.mjs', '.ts', '.py', '.rb', '.php', '.lua', '.sh', '/index.js', '/__init__.py'];

/** Finds the files that are named to what runs them, among those that may be meant. */
export function namedAmong(
  paths: Iterable<string>,
  production: ReadonlySet<string>,
): (from: string, run: RunByName) => readonly string[] {
  const files = new Set(paths);
  // Where production lies, what is put together names it, and not its tests.
  const withProduction = new Set(Array.from(production, (path) => dirname(path)));
  const folders = new Map<string, string[]>();
  const words = new Set<string>();
  for (const path of files) {
    const folder = dirname(path);
    const inside = folders.get(folder);
    if (inside) inside.push(path);
    else folders.set(folder, [path]);
    const base = path.slice(path.lastIndexOf('/') + 1);
    words.add(base).add(base.replace(/\.\w{1,10}$/, ''));
    words.add(folder.slice(folder.lastIndexOf('/') + 1));
  }
  const fileAt = (name: string): string | undefined => {
    const ending = endings.find((each) => files.has(name + each));
    return ending === undefined ? undefined : name + ending;
  };
  // The root is no name of a folder.
  const inFolder = (name: string) =>
    name === '.' || withProduction.has(name) ? [] : (folders.get(name)?.slice(0, maxFiles) ?? []);
  const isKnown = (name: string) => words.has(name.slice(name.lastIndexOf('/') + 1));
  return (from, { names }) => {
    // What stands nearest is meant; of a folder all, where its name is the beginning of what is put together: `./tests/${name}`.
    const begun = names.filter((name) => /[./]$/.test(name));
    for (const [find, some] of [
      [fileAt, names],
      [inFolder, begun],
    ] as const) {
      const known = namesOf(some).filter(isKnown);
      for (const folder of known.length === 0 ? [] : above(from)) {
        const found = known.flatMap((name) => find(join(folder, name)) ?? []);
        if (found.length > 0) return [...new Set(found)].slice(0, maxFiles);
      }
    }
    return [];
  };
}

/**
 * Modules of packages that lie in the tree, by the path that their name has there: a folder of Go's files, a file of JavaScript's
 * with and without its ending, a package by its folder.
 */
export function installedAmong(paths: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const add = (name: string, path: string) => {
    const known = found.get(name);
    if (!known) found.set(name, [path]);
    else if (known.length < maxFiles) known.push(path);
  };
  for (const path of paths) {
    if (!/(?:^|\/)(?:vendor|node_modules)\//.test(path)) continue;
    if (path.endsWith('.go')) {
      if (!path.endsWith('_test.go')) add(dirname(path), path);
      continue;
    }
    const name = path.replace(/\.(?:[cm]?js|json|php|rb|py)$/, '');
    add(path, path);
    if (name !== path) add(name, path);
    if (/\/(?:index|main)$/.test(name)) add(dirname(name), path);
  }
  return found;
}

/** The folders around a file, its own first. */
export function above(path: string): string[] {
  const folders = [dirname(path)];
  while (folders.at(-1) !== '.' && folders.length < maxAbove) folders.push(dirname(folders.at(-1) ?? '.'));
  return folders;
}

/** What texts may name together, the longest first. */
function namesOf(texts: readonly string[]): string[] {
  const parts = texts.slice(0, maxNames).map((text) => text.slice(0, maxLength));
  const found = new Set<string>();
  for (let length = parts.length; length > 0; length--)
    for (let first = 0; first + length <= parts.length; first++) {
      const some = parts.slice(first, first + length);
      for (const name of [some.join('/'), some.join('')]) {
        // Bounded: a few texts of two hundred characters.
        const plain = name.replace(/^(?:file:\/\/)?\/+/, '').replace(/\/+$/, '');
        if (/\w/.test(plain) && !plain.includes('\n')) found.add(plain);
        // A module of Python.
        if (/^\.?\w+(?:\.\w*)+$/.test(plain)) found.add(plain.replaceAll(/^\.|\.$/g, '').replaceAll('.', '/'));
      }
    }
  return [...found];
}
