import { posix } from 'node:path';
import { foldersUp } from '../../folders-up.ts';
import { asRecord } from '../triggers.ts';
import { folderFrom } from '../shell-script.ts';
import type { Command, Follower, Sources, Step } from './follow.ts';
import { asScript } from './as-script.ts';
import { toolOf } from './wrappers.ts';

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun', 'cnpm']);
/** Commands of the managers themselves, which a script of the same name does not replace. */
const own =
  /^(i|ci|install|add|remove|rm|uninstall|up|update|upgrade|publish|pack|version|config|cache|audit|outdated|list|ls|login|link|dedupe|prune|rebuild|help|init|create|info|view|set|plugin|import|fetch|store|dlx|whoami|tag|dist-tag|owner|why|node|pm|x|deploy|changeset|-v|--version)$/;
/** How many packages of a workspace are looked into. */
const maxPackages = 20;
const withValue = new Set([
  '--prefix',
  '-C',
  '--dir',
  '--cwd',
  '-w',
  '--workspace',
  '-F',
  '--filter',
  '--scope',
  '--loglevel',
  '--concurrency',
  '-j',
]);

/** Scripts of a package.json: `npm test`, `yarn lint`, `pnpm -r run build`, `run-s a b`, `lerna run test`, `turbo run lint`. */
export const npmScripts: Follower = (command, sources) => {
  const tool = toolOf(command.words);
  if (managers.has(tool)) return ofManager(tool, command, sources);
  const [, first = '', second] = command.words;
  if (/^(run-s|run-p|npm-run-all2?)$/.test(tool)) return namedScripts(command.words.slice(1), command.dir, sources);
  if (tool === 'concurrently' || tool === 'conc') return together(command, sources);
  if (/^(lerna|turbo|wsrun|ultra)$/.test(tool)) {
    const names = command.words.slice(1).filter((word) => !word.startsWith('-') && word !== 'run');
    return everywhere(names.slice(0, 1), command.dir, sources);
  }
  if (tool === 'nx' && first !== '') return everywhere([nxTarget(command.words) ?? second ?? ''], command.dir, sources);
  return null;
};

function nxTarget(words: readonly string[]): string | null {
  const at = words.findIndex((word) => /^(-t|--targets?)(=|$)/.test(word));
  if (at === -1) return null;
  const written = words[at]?.split('=')[1] ?? words[at + 1] ?? '';
  return written.split(',')[0] ?? null;
}

function ofManager(tool: string, { words, dir }: Command, sources: Sources): ReturnType<Follower> {
  const { folder, isEverywhere, rest } = optionsOf(words, dir);
  const isOfWorkspace = rest[0] === 'workspace' || rest[0] === 'workspaces';
  const [verb = '', ...more] = isOfWorkspace
    ? rest.slice(rest[0] === 'workspace' ? 2 : 1).filter((word) => word !== 'foreach')
    : rest;
  if (verb === 'exec' || verb === 'dlx' || (verb === 'x' && tool !== 'yarn'))
    return [{ text: asScript(withoutDashes(more)), dir: folder }];
  const asked = scriptAsked(tool, verb, more);
  if (asked === null) return null;
  const { name, given } = asked;
  if (isEverywhere || isOfWorkspace)
    return everywhere([name], folder, sources) ?? { fails: `no package.json has the script \`${name}\`` };
  const path = packageOf(folder, sources);
  const script = path === null ? null : scriptOf(path, name, given, sources);
  if (script) return script;
  if (words.includes('--if-present')) return [];
  // Yarn, pnpm and Bun look for a program where there is no script.
  if (!tool.endsWith('npm') || tool === 'pnpm')
    if (name !== 'test') return [{ text: asScript([name, ...given]), dir: folder }];
  return { fails: path === null ? 'there is no package.json' : `${path} has no script \`${name}\`` };
}

/** The script that a verb asks for, and what it is given; null for what the manager does itself. */
function scriptAsked(
  tool: string,
  verb: string,
  more: readonly string[],
): { name: string; given: readonly string[] } | null {
  if (/^(run|run-script|rum)$/.test(verb)) {
    const [name = '', ...given] = more.filter((word) => word !== '--');
    return name === '' ? null : { name, given };
  }
  const given = withoutDashes(more);
  if (/^(t|tst|test|it|cit|install-test)$/.test(verb)) return tool === 'bun' ? null : { name: 'test', given };
  return tool === 'npm' || tool === 'cnpm' || verb === '' || own.test(verb) ? null : { name: verb, given };
}

function optionsOf(words: readonly string[], dir: string) {
  let folder = dir;
  let isEverywhere = false;
  const rest: string[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') {
      rest.push(...words.slice(at));
      break;
    }
    const [name = '', value] = word.startsWith('--') ? word.split('=', 2) : [word];
    const isAsked = rest.length === 0 || withValue.has(name);
    if (!word.startsWith('-') || !isAsked) {
      rest.push(word);
      continue;
    }
    if (/^(-r|-ws|--workspaces|--recursive|-A|--all|-w|--workspace|-F|--filter|--scope)$/.test(name))
      isEverywhere = true;
    const given = value ?? (withValue.has(name) ? words[(at += 1)] : undefined);
    if (/^(--prefix|-C|--dir|--cwd)$/.test(name)) folder = folderFrom(dir, given ?? '');
  }
  // pnpm -w is the root of the workspace, not one of its packages.
  return { folder, isEverywhere, rest };
}

const withoutDashes = (words: readonly string[]) => (words[0] === '--' ? words.slice(1) : words);

/** The package.json of a folder, or of the nearest one above it. */
function packageOf(dir: string, { paths }: Sources): string | null {
  const folders = foldersUp(dir);
  return folders.map((folder) => posix.join(folder, 'package.json')).find((path) => paths.has(path)) ?? null;
}

function scriptsIn(path: string, sources: Sources): Record<string, unknown> {
  try {
    return asRecord(asRecord(JSON.parse(sources.text(path) ?? '{}'))['scripts']);
  } catch {
    return {};
  }
}

/** A script with those that run before and after it; null where there is none. */
function scriptOf(path: string, name: string, more: readonly string[], sources: Sources): Step[] | null {
  const scripts = scriptsIn(path, sources);
  if (typeof scripts[name] !== 'string') return null;
  const dir = posix.dirname(path);
  return [`pre${name}`, name, `post${name}`].flatMap((each) => {
    const text = scripts[each];
    if (typeof text !== 'string') return [];
    return [{ text: each === name && more.length > 0 ? `${text} ${asScript(more)}` : text, dir }];
  });
}

/** `run-s clean build:*`: each script of these names in the nearest package.json. */
function namedScripts(patterns: readonly string[], dir: string, sources: Sources): Step[] {
  const path = packageOf(dir, sources);
  if (path === null) return [];
  const names = Object.keys(scriptsIn(path, sources));
  return patterns
    .filter((pattern) => !pattern.startsWith('-'))
    .flatMap((pattern) => {
      const [written = ''] = pattern.split(' ');
      const [begin = '', end] = written.split('*', 2);
      const matching = names.filter((name) =>
        end === undefined ? name === written : name.startsWith(begin) && name.endsWith(end),
      );
      return matching.flatMap((name) => scriptOf(path, name, [], sources) ?? []);
    });
}

/** `concurrently "npm:lint" "tsc -w"`. */
function together({ words, dir }: Command, sources: Sources): Step[] {
  return words.slice(1).flatMap((word) => {
    const [, name] = /^(?:npm|yarn|pnpm|bun):(.*)$/.exec(word) ?? [];
    if (name !== undefined) return namedScripts([name], dir, sources);
    return word.includes(' ') ? [{ text: word, dir }] : [];
  });
}

/** A script in every package below a folder that has it; null where none has. */
function everywhere(names: readonly string[], dir: string, sources: Sources): Step[] | null {
  const prefix = dir === '.' ? '' : `${dir}/`;
  const all = [...sources.paths]
    .filter((path) => path.startsWith(prefix) && posix.basename(path) === 'package.json')
    .flatMap((path) =>
      names.flatMap((name) => {
        const steps = scriptOf(path, name, [], sources) ?? [];
        // What only hands on to all packages would come here again.
        return steps.map((step) => ({ ...step, via: `${path}: ${name}` }));
      }),
    );
  return all.length > 0 ? all.slice(0, maxPackages) : null;
}
