import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { skipOrFail } from './required.ts';

const run = (command: string, args: string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
const only = (folder: string, ending: string) =>
  join(folder, readdirSync(folder).find((name) => name.endsWith(ending)) ?? '');

/** How each registry's own client gives a published package's source as a folder. */
const clients = {
  npm(name: string, into: string) {
    run('npm', ['pack', '--silent', name], into);
    run('tar', ['xzf', only(into, '.tgz')], into);
    return join(into, 'package');
  },
  pypi(name: string, into: string) {
    run('pip', ['download', '--quiet', '--no-deps', '--dest', into, name], into);
    run('unzip', ['-q', only(into, '.whl'), '-d', 'package'], into);
    return join(into, 'package');
  },
  go(name: string, into: string) {
    const { Dir } = JSON.parse(run('go', ['mod', 'download', '-json', name], into)) as { Dir: string };
    cpSync(Dir, join(into, 'package'), { recursive: true });
    run('chmod', ['-R', 'u+w', 'package'], into);
    return join(into, 'package');
  },
  maven(name: string, into: string) {
    run('mvn', ['-q', 'dependency:copy', `-Dartifact=${name}`, `-DoutputDirectory=${into}`], into);
    mkdirSync(join(into, 'package'));
    run('unzip', ['-q', only(into, '.jar'), '-d', 'package'], into);
    return join(into, 'package');
  },
  cargo(name: string, into: string) {
    run('cargo', ['init', '--quiet', '--vcs', 'none', '--name', 'fetching'], into);
    run('cargo', ['add', '--quiet', name], into);
    run('cargo', ['vendor', '--quiet', 'vendor'], into);
    return join(into, 'vendor', name.slice(0, name.indexOf('@')));
  },
};
export type Registry = keyof typeof clients;

/** Fetches a published package into this folder and gives the root of its source. Throws when the client or registry fails. */
export function fetchPackage(registry: Registry, name: string, into: string): string {
  mkdirSync(into, { recursive: true });
  return clients[registry](name, into);
}

/** The same for a test, which is skipped where the client or registry is not there. */
export function fetchOrSkip(
  context: Mocha.Context,
  ...[registry, name, into]: Parameters<typeof fetchPackage>
): string {
  try {
    return fetchPackage(registry, name, into);
  } catch (error) {
    return skipOrFail(context, `${name} can't be had from ${registry}: ${String(error).split('\n')[0]}`, error);
  }
}
