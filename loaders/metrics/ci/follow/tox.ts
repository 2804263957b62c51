import { posix } from 'node:path';
import { parse } from 'smol-toml';
import { asRecord } from '../triggers.ts';
import { folderFrom } from '../shell-script.ts';
import { asScript } from './as-script.ts';
import type { Follower, Sources, Step } from './follow.ts';
import { toolOf } from './wrappers.ts';

/** What an environment of tox runs. */
interface Environment {
  commands: string[];
  ignores: boolean;
  dir: string | null;
}

interface Configuration {
  path: string;
  list: string[];
  base: Environment | null;
  environments: Map<string, Partial<Environment>>;
}

const maxEnvironments = 60;

/** `tox`, `tox -e py313,lint`: the commands of the environments, in tox.ini, setup.cfg, pyproject.toml or tox.toml. */
export const tox: Follower = ({ words, dir }, sources) => {
  if (!/^(tox|detox)$/.test(toolOf(words))) return null;
  const file = words.findIndex((word) => word === '-c' || word === '--conf');
  const folder = file === -1 ? dir : folderFrom(dir, posix.dirname(words[file + 1] ?? '.'));
  const configuration = configurationOf(folder, sources);
  if (!configuration) return { fails: 'there are no settings of tox' };
  const asked = askedFor(words);
  const wanted = asked.length > 0 ? asked : configuration.list.length > 0 ? configuration.list : ['py'];
  const seen = new Set<string>();
  return wanted.slice(0, maxEnvironments).flatMap((name) => stepsOf(name, configuration, folder, seen));
};

function askedFor(words: readonly string[]): string[] {
  const found: string[] = [];
  for (const [at, word] of words.entries()) {
    if (word === '--') break;
    const value = /^(-e|--env)$/.test(word) ? words[at + 1] : /^(?:-e|--env=)([^]+)$/.exec(word)?.[1];
    if (value !== undefined && at > 0) found.push(...expandBraces(value));
  }
  return found.filter((name) => name !== 'ALL');
}

function stepsOf(name: string, { path, base, environments }: Configuration, dir: string, seen: Set<string>): Step[] {
  const own = environments.get(name);
  const factors = new Set(name.split('-'));
  const commands = own?.commands ?? base?.commands ?? [];
  const hidden = (own?.ignores ?? base?.ignores ?? false) ? 'tox is told to ignore its outcome' : null;
  const from = folderFrom(dir, own?.dir ?? base?.dir ?? '');
  return commands.flatMap((line) => {
    const command = forFactors(line, factors);
    if (command === null) return [];
    const isForgiven = /^-\s/.test(command) || (command.startsWith('-') && !command.startsWith('--'));
    const text = substitute(command.replace(/^[-!]\s?/, ''), { base, environments });
    if (seen.has(text)) return [];
    seen.add(text);
    const forgiven = isForgiven ? 'its line begins with `-`, which hides its failure' : hidden;
    return [{ text, dir: from, hidden: forgiven, errexit: true, via: `${path} [${own?.commands ? name : 'testenv'}]` }];
  });
}

/** `py38,py39: pytest` is for those; null for others. */
function forFactors(line: string, factors: ReadonlySet<string>): string | null {
  const [, condition, command] = /^([\w!{},.-]{1,120}):\s([^]*)$/.exec(line) ?? [];
  if (condition === undefined || command === undefined) return line;
  const isFor = expandBraces(condition).some((all) =>
    all.split('-').every((factor) => (factor.startsWith('!') ? !factors.has(factor.slice(1)) : factors.has(factor))),
  );
  return isFor ? command : null;
}

function substitute(text: string, { base, environments }: Pick<Configuration, 'base' | 'environments'>): string {
  return text
    .replaceAll(/\{\[testenv(?::([\w.-]{1,60}))?\]commands\}/g, (_, name?: string) =>
      ((name === undefined ? base?.commands : environments.get(name)?.commands) ?? []).join(' && '),
    )
    .replaceAll(/\{posargs:([^{}]*)\}/g, '$1')
    .replaceAll(/\{(posargs|tty:[^{}]*)\}/g, '')
    .replaceAll(/\{env:\w+:([^{}]*)\}/g, '$1')
    .replaceAll(/\{envpython\}/g, 'python')
    .replaceAll(/\{(toxinidir|tox_root)\}\/?/g, './')
    .replaceAll(/\{[\w:]{1,80}\}/g, '$_');
}

/** `py{38,39}-{a,b}` and lists with commas. */
function expandBraces(text: string): string[] {
  // Bounded: 2,000 characters.
  const parts = text.slice(0, 2_000).split(/,(?![^{}]*\})|\s+/);
  return parts
    .filter((part) => part !== '')
    .flatMap((part) => expandOne(part, 0))
    .slice(0, 500);
}

function expandOne(text: string, depth: number): string[] {
  const open = text.indexOf('{');
  const close = text.indexOf('}', open);
  if (open === -1 || close === -1 || depth > 5) return [text];
  return text
    .slice(open + 1, close)
    .split(',')
    .flatMap((choice) => expandOne(`${text.slice(0, open)}${choice.trim()}${text.slice(close + 1)}`, depth + 1));
}

function configurationOf(dir: string, sources: Sources): Configuration | null {
  const text = (name: string) => {
    const path = posix.join(dir, name);
    return sources.paths.has(path) ? sources.text(path) : null;
  };
  const ini = text('tox.ini') ?? (text('setup.cfg')?.includes('[testenv') ? text('setup.cfg') : null);
  if (ini !== null) return fromIni(text('tox.ini') === null ? 'setup.cfg' : 'tox.ini', ini);
  try {
    const toml = text('tox.toml');
    if (toml !== null) return fromToml('tox.toml', asRecord(parse(toml)));
    const settings = asRecord(asRecord(asRecord(parse(text('pyproject.toml') ?? ''))['tool'])['tox']);
    const legacy = settings['legacy_tox_ini'];
    if (typeof legacy === 'string') return fromIni('pyproject.toml', legacy);
    return Object.keys(settings).length > 0 ? fromToml('pyproject.toml', settings) : null;
  } catch {
    return null;
  }
}

function fromIni(path: string, text: string): Configuration {
  const sections = iniSections(text);
  const environmentOf = (section: ReadonlyMap<string, string>): Partial<Environment> => ({
    ...(section.has('commands') && { commands: linesOf(section.get('commands') ?? '') }),
    ...(section.has('ignore_outcome') && { ignores: /^\s*true/i.test(section.get('ignore_outcome') ?? '') }),
    ...(section.has('changedir') && { dir: section.get('changedir')?.trim() ?? null }),
  });
  const environments = new Map<string, Partial<Environment>>();
  for (const [name, section] of sections)
    if (name.startsWith('testenv:'))
      for (const each of expandBraces(name.slice('testenv:'.length))) environments.set(each, environmentOf(section));
  const general = sections.get('tox') ?? sections.get('tox:tox') ?? new Map<string, string>();
  return {
    path,
    list: expandBraces(
      (general.get('envlist') ?? general.get('env_list') ?? '')
        .split('\n')
        .map((line) => line.split('#')[0] ?? '')
        .join('\n'),
    ),
    base: { commands: [], ignores: false, dir: null, ...environmentOf(sections.get('testenv') ?? new Map()) },
    environments,
  };
}

const linesOf = (text: string) =>
  text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Sections of an INI file with their values, which go on over indented lines. */
export function iniSections(text: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  let key: string | null = null;
  for (const line of text.replaceAll('\r', '').split('\n')) {
    const name = /^\[([^\]\n]{1,200})\]/.exec(line)?.[1];
    if (name !== undefined) {
      section = new Map();
      sections.set(name.trim(), section);
      key = null;
    } else if (/^[ \t]/.test(line)) {
      if (key !== null) section.set(key, `${section.get(key) ?? ''}\n${line}`);
    } else if (!/^[#;]/.test(line)) {
      const at = line.search(/[=:]/);
      key = at > 0 ? line.slice(0, at).trim() : key;
      if (at > 0 && key !== null) section.set(key, line.slice(at + 1));
    }
  }
  return sections;
}

function fromToml(path: string, settings: Record<string, unknown>): Configuration {
  const environmentOf = (table: Record<string, unknown>): Partial<Environment> => ({
    ...(Array.isArray(table['commands']) && { commands: table['commands'].map(commandOf) }),
    ...(table['ignore_outcome'] !== undefined && { ignores: table['ignore_outcome'] === true }),
    ...(typeof table['change_dir'] === 'string' && { dir: table['change_dir'] }),
  });
  const named = Object.entries(asRecord(settings['env']));
  return {
    path,
    list: [settings['env_list']].flat().filter((name) => typeof name === 'string'),
    base: { commands: [], ignores: false, dir: null, ...environmentOf(asRecord(settings['env_run_base'])) },
    environments: new Map(named.map(([name, table]) => [name, environmentOf(asRecord(table))])),
  };
}

/** A list of words; tables stand for words that only the run can tell. */
function commandOf(words: unknown): string {
  return Array.isArray(words) ? asScript(words.filter((word) => typeof word === 'string')) : String(words);
}
