import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SeenPath } from './level.ts';

/** Where a toolchain keeps the packages that somebody installed into it, below its folder. */
const libraries = [
  { folder: 'lib', holds: /^python3(\.\d+)?$/, packages: ['site-packages', 'dist-packages'] },
  // Where Fedora and its like have those that are compiled.
  { folder: 'lib64', holds: /^python3(\.\d+)?$/, packages: ['site-packages', 'dist-packages'] },
  { folder: 'lib', holds: /^node_modules$/, packages: ['.'] },
];

/** What makes environments and runs tests; a later release of them has no fix of anybody's. */
const tools =
  /^(pip|setuptools|wheel|pkg_resources|_distutils_hack|distutils-precedence\.pth|_?pytest|pluggy|iniconfig|packaging|[pP]ygments|py\.py|exceptiongroup|tomli|typing_extensions|npm|corepack|yarn|pnpm)(-.*|$)/;

/**
 * What a sandbox shows in place of the packages that this machine has installed: of them the tools alone. A task's own packages are in
 * its environment; a later release of what is to be mended may be among the machine's.
 */
export function hiddenPackages(toolchains: readonly string[]): Promise<SeenPath[]> {
  const key = toolchains.join(':');
  const known = made.get(key) ?? withoutPackages(toolchains);
  made.set(key, known);
  // What failed once may go well the next time.
  known.catch(() => made.delete(key));
  return known;
}

/** Once a process, for it takes some copying. */
const made = new Map<string, Promise<SeenPath[]>>();

async function withoutPackages(toolchains: readonly string[]): Promise<SeenPath[]> {
  const folders = await packageFolders([...toolchains, '/usr', '/usr/local']);
  if (folders.length === 0) return [];
  const shown = mkdtempSync(join(tmpdir(), 'repo-intel-packages-'));
  process.once('exit', () => rmSync(shown, { recursive: true, force: true }));
  // Who runs the tests is another user.
  chmodSync(shown, 0o755);
  const seen: SeenPath[] = [];
  for (const [index, to] of folders.entries()) {
    const from = join(shown, String(index));
    const names = (await readdir(to)).filter((name) => !tools.test(name));
    const hidden = new Set(names.map((name) => join(to, name)));
    cpSync(to, from, { recursive: true, verbatimSymlinks: true, filter: (path) => !hidden.has(path) });
    chmodSync(from, 0o755);
    seen.push({ from, to });
  }
  return seen;
}

async function packageFolders(toolchains: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const toolchain of toolchains)
    for (const { folder, holds, packages } of libraries)
      for (const name of await readdir(join(toolchain, folder)).catch(() => []))
        if (holds.test(name))
          for (const each of packages) {
            const path = join(toolchain, folder, name, each);
            if (await readdir(path).catch(() => null)) found.add(await realpath(path));
          }
  return [...found];
}
