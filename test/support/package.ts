import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');

/** Builds the package and packs it into this folder, as `npm pack` does but for the explorer, which is there; the tarball's path. */
export function packInto(folder: string): string {
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'packaging/build.ts'], { cwd: root });
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return join(folder, tarball);
}

/** Puts a tarball below a node_modules of this folder, beside what it says it depends on; the root of the package. */
export function unpackBesideDependencies(tarball: string, folder: string): string {
  const modules = join(folder, 'node_modules');
  const at = join(modules, packageJson.name);
  mkdirSync(at, { recursive: true });
  execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', at]);
  for (const name of Object.keys(packageJson.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  return at;
}

/** Each program in a package with its text, by its path from the root. */
export function programsIn(packageRoot: string): Map<string, string> {
  const names = readdirSync(packageRoot, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.filter((name) => name.endsWith('.js')).map((name) => [name, readFileSync(join(packageRoot, name), 'utf8')]),
  );
}

/** What a machine has that installed the package: a home, a place for temporary files, Node, git and nothing of the checkout. */
export function machineAt(folder: string, path: readonly string[]): Record<string, string> {
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const each of [home, temporary]) mkdirSync(each, { recursive: true });
  // Not what the tests themselves have compiled before.
  return {
    NODE_COMPILE_CACHE: '',
    HOME: home,
    TMPDIR: temporary,
    PATH: [...path, dirname(process.execPath), '/usr/bin', '/bin'].join(':'),
  };
}
