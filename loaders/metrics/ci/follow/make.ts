import { posix } from 'node:path';
import { folderFrom } from '../shell-script.ts';
import type { Follower, Sources, Step } from './follow.ts';
import { toolOf } from './wrappers.ts';

/** A rule of a makefile. */
interface Rule {
  targets: readonly string[];
  needs: readonly string[];
  recipe: readonly string[];
}

interface Makefile {
  path: string;
  rules: readonly Rule[];
  variables: ReadonlyMap<string, string>;
  /** Every line's failure is passed over. */
  ignores: boolean;
}

const names = ['GNUmakefile', 'makefile', 'Makefile'];
/** What a Makefile that is not in the tree is made from. */
const sourcesOfMakefiles = [
  'CMakeLists.txt',
  'configure',
  'configure.ac',
  'configure.in',
  'Makefile.am',
  'Makefile.in',
  'Makefile.PL',
  'meson.build',
  'Makefile.PL',
  'extconf.rb',
  'Makefile.pre.in',
];
const maxIncludeDepth = 4;
const maxNeeds = 200;
const withValue = new Set(['-f', '--file', '--makefile', '-C', '--directory', '-I', '-o', '-W']);

/** `make TARGET`: the recipes of a target and of what it needs. */
export const make: Follower = ({ words, dir }, sources) => {
  if (!/^(g|b|re)?make$/.test(toolOf(words))) return null;
  const { folder, file, targets, given, ignores, dry } = optionsOf(words, dir);
  if (dry) return { fails: 'only shows what it would run' };
  const path = file ?? names.map((name) => posix.join(folder, name)).find((each) => sources.paths.has(each));
  const text = path === undefined ? null : sources.text(path);
  if (path === undefined || text === null) {
    const isMade = sourcesOfMakefiles.some(
      (name) => sources.paths.has(posix.join(folder, name)) || sources.paths.has(name),
    );
    return isMade ? null : { fails: 'there is no makefile' };
  }
  const makefile = readMakefile(path, text, folder, given, sources);
  const wanted =
    targets.length > 0 ? targets.flatMap((target) => beginningWith(target, makefile)) : defaultTargets(makefile);
  const steps: Step[] = [];
  const done = new Set<string>();
  let isMissing = false;
  for (const target of wanted) if (!collect(target, makefile, folder, { steps, done, sources })) isMissing = true;
  if (wanted.some((target) => target.includes('$'))) return steps.length > 0 ? steps : null;
  if (isMissing && steps.length === 0) return { fails: `${path} has no target \`${wanted.join(' ')}\`` };
  return ignores || makefile.ignores
    ? steps.map((step) => ({ ...step, hidden: 'make is told to ignore failures' }))
    : steps;
};

const isLenient = (option: string) =>
  (/^-[a-zA-Z]{1,20}$/.test(option) && option.includes('i')) || option === '--ignore-errors';
const isDry = /^(-n|-q|-t|--dry-run|--just-print|--question|--touch)$/;

function optionsOf(words: readonly string[], dir: string) {
  let folder = dir;
  let file: string | undefined;
  let ignores = false;
  let dry = false;
  const targets: string[] = [];
  const given = new Map<string, string>();
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const assigned = /^(\w+)[:?+]?=([^]*)$/.exec(word);
    if (assigned?.[1] !== undefined) given.set(assigned[1], assigned[2] ?? '');
    else if (word.startsWith('-')) {
      const [name = '', value] = word.startsWith('--') ? word.split('=', 2) : [word];
      const argument = value ?? (withValue.has(name) ? words[(at += 1)] : undefined);
      if (name === '-C' || name === '--directory') folder = folderFrom(folder, argument ?? '');
      else if (name.startsWith('-C') && name.length > 2) folder = folderFrom(folder, name.slice(2));
      else if (/^(-f|--file|--makefile)$/.test(name)) file = posix.join(folder, argument ?? '');
      else if (isLenient(name)) ignores = true;
      else if (isDry.test(name)) dry = true;
      // The number of jobs may stand apart.
      if (/^(-j|-l)$/.test(name) && /^[\d$]/.test(words[at + 1] ?? '')) at += 1;
    } else if (!/^[$\d<>]/.test(word)) targets.push(word);
  }
  return { folder, file, targets, given, ignores, dry };
}

function defaultTargets({ rules, variables }: Makefile): string[] {
  const goal = variables.get('.DEFAULT_GOAL');
  if (goal !== undefined) return [goal.trim()];
  const first = rules
    .flatMap(({ targets }) => targets)
    .find((target) => !target.startsWith('.') && !target.includes('%'));
  return first === undefined ? [] : [first];
}

/** A target that only the run can tell the end of is all that begin like it. */
function beginningWith(target: string, { rules }: Makefile): string[] {
  const at = target.indexOf('$');
  if (at === -1) return [target];
  const begin = target.slice(0, at);
  const found = rules
    .flatMap(({ targets }) => targets)
    .filter((each) => each.startsWith(begin) && !each.startsWith('.'));
  return at > 0 && found.length > 0 ? found.slice(0, maxAlike) : [target];
}

const maxAlike = 8;

/** Adds the recipes of a target, what it needs first; false where no rule makes it and it is no file. */
function collect(
  target: string,
  makefile: Makefile,
  dir: string,
  into: { steps: Step[]; done: Set<string>; sources: Sources },
): boolean {
  if (into.done.has(target) || into.done.size > maxNeeds) return true;
  into.done.add(target);
  const exact = makefile.rules.filter(({ targets }) => targets.includes(target));
  const matching = exact.length > 0 ? exact : patternRules(target, makefile);
  const found = matching.length > 0 ? matching : makefile.rules.filter(({ targets }) => targets.includes('.DEFAULT'));
  if (found.length === 0) return into.sources.paths.has(posix.join(dir, target));
  for (const { needs } of found) for (const need of needs) collect(need, makefile, dir, into);
  const { flags, shell } = shellOf(makefile.variables);
  for (const { targets, needs, recipe } of found) {
    const stem = stemOf(target, targets);
    const own = new Map([
      ...makefile.variables,
      ['@', target],
      ['<', needs[0] ?? ''],
      ['^', needs.join(' ')],
      ['*', stem ?? ''],
    ]);
    for (const line of recipe) {
      const written = expand(line, own);
      const command = written.replace(/^[-@+\s]+/, '');
      const signs = written.slice(0, written.length - command.length);
      const hidden = signs.includes('-') ? 'its recipe begins with `-`, which hides its failure' : shell;
      into.steps.push({ text: command, dir, ...flags, hidden });
    }
  }
  return true;
}

function shellOf(variables: ReadonlyMap<string, string>) {
  const flags = `${variables.get('.SHELLFLAGS') ?? ''} ${variables.get('SHELL') ?? ''}`;
  const program = (variables.get('SHELL') ?? 'sh').trim().split(/\s/)[0] ?? 'sh';
  const isShell =
    /(sh|env|cmd\.exe|pwsh|powershell)$/.test(posix.basename(program)) || program.includes('$') || program === '';
  return {
    flags: { errexit: /-\w*e|errexit/.test(flags), pipefail: flags.includes('pipefail') },
    shell: isShell ? null : `the makefile’s SHELL is \`${program.slice(0, 40)}\``,
  };
}

function patternRules(target: string, { rules }: Makefile): Rule[] {
  return rules
    .filter(({ targets }) => stemOf(target, targets) !== null)
    .slice(0, 1)
    .map((rule) => ({
      ...rule,
      needs: rule.needs.map((need) => need.replace('%', stemOf(target, rule.targets) ?? '')),
    }));
}

function stemOf(target: string, patterns: readonly string[]): string | null {
  for (const pattern of patterns) {
    const [begin = '', end] = pattern.split('%', 2);
    if (end === undefined || pattern === '%') continue;
    if (target.length >= begin.length + end.length && target.startsWith(begin) && target.endsWith(end))
      return target.slice(begin.length, target.length - end.length);
  }
  return null;
}

function readMakefile(
  path: string,
  text: string,
  dir: string,
  given: ReadonlyMap<string, string>,
  sources: Sources,
): Makefile {
  const variables = new Map<string, string>([
    ['MAKE', 'make'],
    ['CURDIR', '.'],
  ]);
  const rules: Rule[] = [];
  readInto(text, dir, { variables, rules, given, sources }, 0);
  for (const [name, value] of given) variables.set(name, value);
  const expanded = rules.map(({ targets, needs, recipe }) => ({
    targets: words(expand(targets.join(' '), variables)),
    needs: words(expand(needs.join(' '), variables)),
    recipe,
  }));
  const ignores = expanded.some(({ targets, needs }) => targets.includes('.IGNORE') && needs.length === 0);
  return { path, rules: expanded, variables, ignores: ignores || /(^|\s)-\w*i/.test(variables.get('MAKEFLAGS') ?? '') };
}

interface Reading {
  variables: Map<string, string>;
  rules: Rule[];
  given: ReadonlyMap<string, string>;
  sources: Sources;
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');

function readInto(text: string, dir: string, into: Reading, depth: number): void {
  let rule: { targets: string[]; needs: string[]; recipe: string[] } | null = null;
  let isDefinition = false;
  for (const line of text
    .replaceAll('\r', '')
    .replaceAll(/\\\n[ \t]*/g, ' ')
    .split('\n')) {
    if (line.startsWith('\t')) {
      if (line.trim() !== '' && !/^(#|\$\((error|warning|info)\b)/.test(line.trim())) rule?.recipe.push(line.trim());
      continue;
    }
    const bare = withoutComment(line).trim();
    if (/^define\b/.test(bare)) isDefinition = true;
    else if (/^endef\b/.test(bare)) isDefinition = false;
    if (bare === '' || isDefinition || /^(ifn?eq|ifn?def|else|endif|endef|export|unexport|vpath)\b(?!.*=)/.test(bare))
      continue;
    const included = /^-?s?include\s(.*)$/.exec(bare)?.[1];
    if (included !== undefined) {
      if (depth >= maxIncludeDepth) continue;
      for (const name of words(expand(included, into.variables))) {
        const path = posix.join(dir, name);
        const other = into.sources.paths.has(path) ? into.sources.text(path) : null;
        if (other !== null) readInto(other, dir, into, depth + 1);
      }
      continue;
    }
    if (assign(bare, into.variables)) continue;
    rule = ruleIn(bare);
    if (rule) into.rules.push(rule);
  }
}

function withoutComment(line: string): string {
  const at = line.indexOf('#');
  return at === -1 || line[at - 1] === '\\' ? line : line.slice(0, at);
}

function assign(line: string, variables: Map<string, string>): boolean {
  const at = line.indexOf('=');
  if (at === -1) return false;
  const [, name, sign] =
    /^(?:(?:export|override)\s)?\s*([\w.-]+)\s{0,20}([:?+!]{0,3})$/.exec(line.slice(0, at).trim()) ?? [];
  if (name === undefined) return false;
  const value = line.slice(at + 1).trim();
  const before = variables.get(name);
  if (sign === '?' && before !== undefined) return true;
  variables.set(name, (sign === '+' && before !== undefined ? `${before} ${value}` : value).slice(0, 4_000));
  return true;
}

function ruleIn(line: string) {
  // A colon within `$(…)` or a target-specific variable is none of a rule's.
  const flat = line.replaceAll(/\$\([^()]*\)/g, (part) => part.replaceAll(':', '\u0000'));
  const at = flat.indexOf(':');
  if (at <= 0) return null;
  const [behind = '', ...commands] = flat
    .slice(at + 1)
    .replace(/^:/, '')
    .split(';');
  if (/^\s*[\w.-]+\s{0,20}[:?+]?=/.test(behind)) return null;
  const restored = (text: string) => text.replaceAll('\u0000', ':');
  return {
    targets: words(restored(flat.slice(0, at))),
    needs: words(restored(behind)).filter((word) => word !== '|'),
    recipe: commands.length > 0 ? [restored(commands.join(';')).trim()].filter((text) => text !== '') : [],
  };
}

const maxVariableDepth = 6;
const maxTextLength = 8_000;

/** Text with the variables that are known; what functions of make come to is left as a variable. */
function expand(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > maxVariableDepth || !text.includes('$')) return depth > 0 ? text : text.replaceAll('$$', '$');
  const expanded = text
    .slice(0, maxTextLength)
    .replaceAll(
      /\$\$|\$\((?<round>[^()$\s]{1,80})\)|\$\{(?<curly>[^{}$\s]{1,80})\}|\$(?<sign>[@<^*])|\$\(addprefix (?<prefix>[^,$()]{1,80}),(?<list>[^()]*)\)|\$\([a-z-]+ [^()]*\)/g,
      (written: string, ...rest: unknown[]) => {
        const { round, curly, sign, prefix, list } = rest.at(-1) as Record<string, string | undefined>;
        if (written === '$$') return '\u0001';
        if (prefix !== undefined)
          return words(expand(list ?? '', variables, depth + 1))
            .map((word) => prefix + word)
            .join(' ');
        const name = round ?? curly ?? sign;
        if (name === undefined) return '$_';
        const [plain = ''] = name.split(':', 2);
        const value = variables.get(plain);
        return value ?? (round === undefined ? written : `\${${plain}}`);
      },
    );
  const again = expanded === text || !/\$[({@<^*]/.test(expanded) ? expanded : expand(expanded, variables, depth + 1);
  return depth > 0 ? again : again.replaceAll('\u0001', '$').slice(0, maxTextLength);
}
