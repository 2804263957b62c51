import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Programs of the machine outside of /usr, as a sandbox shows them. */
export interface Toolchains {
  /** Folders to show, at their own places. */
  folders: string[];
  /** Where programs are looked for before those of the system. */
  path: string[];
  env: Record<string, string>;
}

const interpreters = /^(node|deno|bun|python3?|ruby|java|go|php|perl)$/;

/**
 * The toolchains that a PATH names, one by one: the folder in which each is installed, and never a home folder or one that holds
 * more than programs, such as `~/.local` or `~/.cargo` with its credentials.
 */
export async function findToolchains(path: string, home: string): Promise<Toolchains> {
  const found: Toolchains = { folders: [], path: [], env: {} };
  const isPrivate = (folder: string) =>
    home === folder || home.startsWith(`${folder}/`) || dirname(folder) === home || folder === '/';
  for (const each of new Set(path.split(':'))) {
    // Programs of a project, this one for example, are none of the machine's.
    if (!each.startsWith('/') || /\/node_modules\//.test(each) || !(await isFolder(each))) continue;
    const folder = await realpath(each);
    if (/^\/(usr|bin|sbin)(\/|$)/.test(folder)) {
      if (folder !== '/usr/bin' && folder !== '/usr/sbin') found.path.push(folder);
      continue;
    }
    const pyenv = /^(.*\/\.pyenv)\//.exec(folder)?.[1];
    if (pyenv !== undefined) {
      for (const version of await pyenvVersions(pyenv)) add(found, version, join(version, 'bin'));
    } else if (folder.endsWith('/.cargo/bin')) {
      // These programs look for the chosen compiler in the folder of rustup.
      const rustup = join(dirname(dirname(folder)), '.rustup');
      add(found, folder, folder);
      if (await isFolder(rustup)) {
        found.folders.push(rustup);
        found.env['RUSTUP_HOME'] = rustup;
      }
    } else if (!isPrivate(folder)) {
      add(found, basename(folder) === 'bin' && !isPrivate(dirname(folder)) ? dirname(folder) : folder, folder);
      // What is here may be a link to where it is installed, as in a virtual environment of Python.
      for (const name of (await readdir(folder)).filter((name) => interpreters.test(name))) {
        const program = await realpath(join(folder, name)).catch(() => '/usr/');
        const installed = dirname(dirname(program));
        if (!program.startsWith('/usr/') && !isPrivate(installed)) found.folders.push(installed);
      }
    }
  }
  const folders = [...found.path, '/usr/local/bin', '/usr/bin'];
  const nodes = await Promise.all(folders.map((folder) => exists(join(folder, 'node'))));
  // The service's own, where the machine has no other.
  if (!nodes.includes(true)) add(found, dirname(process.execPath), dirname(process.execPath));
  found.folders = [...new Set(found.folders)];
  found.path = [...new Set(found.path)];
  return found;
}

function add(found: Toolchains, folder: string, path: string): void {
  found.folders.push(folder);
  found.path.push(path);
}

/** The chosen versions of Python; what is in `shims` would first look for them, at each start. */
async function pyenvVersions(pyenv: string): Promise<string[]> {
  const chosen = await readFile(join(pyenv, 'version'), 'utf8').catch(() => '');
  const folders: string[] = [];
  for (const name of chosen.split(/\s+/)) {
    const folder = join(pyenv, 'versions', name);
    if (name !== '' && (await isFolder(folder))) folders.push(await realpath(folder));
  }
  return folders;
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
