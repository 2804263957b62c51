import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
// How the tools of this machine are configured is said by their own variables; none of our settings come this way.
import { env } from 'node:process';
import { promisify } from 'node:util';
import { XMLParser } from 'fast-xml-parser';
import { parse as parseToml } from 'smol-toml';

/** Registries that the tools of this machine are configured for, by the person who runs it and never by a repository. */
export interface ConfiguredRegistries {
  /** URLs, without credentials. */
  urls: string[];
  /** Tells the same tools in a sandbox, where the configuration itself is not seen; without credentials. */
  env: Record<string, string>;
}

/** Variables with the URL of a registry, or several, that the tools read themselves. */
const variables =
  /^((?:npm|NPM)_(?:config|CONFIG)_(?:registry|REGISTRY)|PIP_(EXTRA_)?INDEX_URL|UV_(DEFAULT_INDEX|INDEX|INDEX_URL|EXTRA_INDEX_URL)|YARN_(REGISTRY|NPM_REGISTRY_SERVER)|BUN_CONFIG_REGISTRY|GOPROXY|CARGO_REGISTRIES_\w+_INDEX)$/;

/**
 * Asks npm, pip and Go, and reads what Cargo and Maven have in the home folder. All are asked in the home folder: in a repository
 * they would take what that says of itself.
 */
export async function configuredRegistries(): Promise<ConfiguredRegistries> {
  const own = ownVariables();
  const [npm, pip, go, cargo, maven] = await Promise.all([
    ask(own, 'npm', 'config', 'list', '--json').then(npmRegistries),
    Promise.all([ask(own, 'pip', 'config', 'list'), ask(own, 'pip', 'download', '--help')]).then(pipIndexes),
    ask(own, 'go', 'env', '-json', 'GOPROXY', 'GOSUMDB').then(goProxies),
    cargoRegistries(own),
    mavenRepositories(),
  ]);
  const said = Object.entries(own).flatMap(([name, value]) =>
    variables.test(name) ? [[/^npm_/i.test(name) ? 'npm_config_registry' : name, value] as const] : [],
  );
  const found: Record<string, string> = { ...npm.env, ...pip.env, ...go.env, ...Object.fromEntries(said) };
  const shown = Object.entries(found).map(([name, value]) => [name, withoutCredentials(value)] as const);
  const urls = [...npm.urls, ...pip.urls, ...go.urls, ...cargo, ...maven, ...shown.map(([, value]) => value)];
  return {
    urls: [...new Set(urls.flatMap((text) => urlsIn(withoutCredentials(text))))],
    env: Object.fromEntries(shown),
  };
}

/**
 * Of this process, without what npm adds: started by npm or npx in a repository, that has what the repository's `.npmrc` says, and
 * programs of its packages in PATH.
 */
function ownVariables(): Record<string, string> {
  const byNpm = env['npm_execpath'] !== undefined || env['npm_command'] !== undefined;
  const own = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || (byNpm && name.startsWith('npm_')) ? [] : [[name, value] as const],
  );
  const path = (env['PATH'] ?? '').split(':').filter((each) => each.startsWith('/') && !/\/node_modules\//.test(each));
  return { ...Object.fromEntries(own), PATH: path.join(':'), GOTOOLCHAIN: 'local' };
}

/** What a tool prints; nothing where it is not there or fails. */
function ask(own: Record<string, string>, program: string, ...args: string[]): Promise<string> {
  return promisify(execFile)(program, args, { cwd: homedir(), env: own, timeout: 20_000 }).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

function npmRegistries(printed: string) {
  const settings = Object.entries(jsonIn(printed));
  const urls = settings.flatMap(([name, value]) =>
    /(^|:)registry$/.test(name) && typeof value === 'string' ? [value] : [],
  );
  const registry = settings.find(([name]) => name === 'registry')?.[1];
  return { urls, env: typeof registry === 'string' ? { npm_config_registry: registry } : {} };
}

/** Of lines like `global.index-url='https://…'`, of which the first that names an index is in force; else the one that its help names. */
async function pipIndexes([printed, help]: readonly [string, string]) {
  const lines = [...printed.matchAll(/^(\S+)\.((?:extra-)?index-url|find-links)='(.*)'$/gm)];
  const of = (setting: string) => lines.find(([, , name]) => name === setting)?.[3]?.replaceAll('\\n', ' ');
  const [index, extra] = [of('index-url'), of('extra-index-url')];
  return {
    urls: [
      ...lines.map(([, , , value = '']) => value.replaceAll('\\n', ' ')),
      ...(index === undefined ? await byDefault(help) : []),
    ],
    env: {
      ...(index === undefined ? {} : { PIP_INDEX_URL: index }),
      ...(extra === undefined ? {} : { PIP_EXTRA_INDEX_URL: extra }),
    },
  };
}

/** The index that pip uses where it is told of none, and where that keeps its files, which the index says of any package. */
async function byDefault(help: string): Promise<string[]> {
  const [, index] = /\(default\s+(https:\/\/[^\s)]+)\)/.exec(help) ?? [];
  if (index === undefined) return [];
  try {
    const response = await fetch(`${index}/pip/`, {
      headers: { accept: 'application/vnd.pypi.simple.v1+json' },
      signal: AbortSignal.timeout(10_000),
    });
    const { files } = (await response.json()) as { files?: { url: string }[] };
    return [index, ...(files ?? []).slice(-1).map(({ url }) => new URL(url, response.url).origin)];
  } catch {
    return [index];
  }
}

function goProxies(printed: string) {
  const settings = jsonIn(printed);
  const found = Object.entries(settings).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { urls: found.map(([, value]) => value), env: Object.fromEntries(found.filter(([, value]) => value !== '')) };
}

async function cargoRegistries(own: Record<string, string>): Promise<string[]> {
  const folder = own['CARGO_HOME'] ?? join(homedir(), '.cargo');
  const text = await firstOf(join(folder, 'config.toml'), join(folder, 'config'));
  try {
    return textsAt(parseToml(text), ['registry', 'index']);
  } catch {
    return [];
  }
}

async function mavenRepositories(): Promise<string[]> {
  try {
    return textsAt(new XMLParser().parse(await firstOf(join(homedir(), '.m2', 'settings.xml'))), ['url']);
  } catch {
    return [];
  }
}

/** All texts under one of these names, however deep. */
function textsAt(value: unknown, names: readonly string[]): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && names.includes(name) ? [inner] : textsAt(inner, names),
  );
}

async function firstOf(...files: string[]): Promise<string> {
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return text;
  }
  return '';
}

function jsonIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const urlsIn = (text: string) => [...text.matchAll(/https?:\/\/[^\s,|'"]+/g)].map(([url]) => url);
const withoutCredentials = (text: string) => text.replaceAll(/(https?:\/\/)[^\s/@,|]*@/g, '$1');
