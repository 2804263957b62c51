import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files by which it is decided what a setup installs. */
// Bounded: names of files.
const manifests = new RegExp(
  `^(${[
    /package(-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-(lock|workspace)\.yaml|bun\.lock|\.npmrc|\.yarnrc(\.yml)?|\.nvmrc/,
    /pyproject\.toml|setup\.(py|cfg)|.*requirements.*\.(txt|in)|constraints.*\.txt|Pipfile(\.lock)?|(poetry|uv|pdm)\.lock|tox\.ini|noxfile\.py/,
    /environment\.ya?ml|\.python-version|\.tool-versions|mise\.toml/,
    /go\.(mod|sum|work|work\.sum)|Cargo\.(toml|lock)|rust-toolchain(\.toml)?/,
    /pom\.xml|(build|settings)\.gradle(\.kts)?|gradle\.(lockfile|properties)|gradle-wrapper\.properties|libs\.versions\.toml/,
    /Gemfile(\.lock)?|composer\.(json|lock)/,
  ]
    .map(({ source }) => source)
    .join('|')})$`,
);

/**
 * What decides what a setup does: manifests and lockfiles of the tree, the commands, the tools, the system. The same key is the
 * same setup, as far as registries give the same twice.
 */
export async function environmentKey(
  tree: string,
  setupCommands: readonly string[],
  runtime: Readonly<Record<string, string>>,
): Promise<string> {
  const digest = createHash('sha256');
  const tools = Object.entries(runtime).toSorted(([a], [b]) => (a < b ? -1 : 1));
  digest.update(JSON.stringify([setupCommands, tools, process.platform, process.arch]));
  for (const path of (await manifestsIn(tree, '')).toSorted())
    digest.update(`\0${path}\0`).update(await readFile(join(tree, path)));
  return digest.digest('hex');
}

const isRequirements = (path: string) => /(^|\/)requirements\/[^/]+\.(txt|in)$/.test(path);

async function manifestsIn(tree: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(tree, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules')
      found.push(...(await manifestsIn(tree, path)));
    // A link could lead out of the tree.
    else if (entry.isFile() && (manifests.test(entry.name) || isRequirements(path))) found.push(path);
  }
  return found;
}
