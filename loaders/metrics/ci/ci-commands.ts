import type { LineCounter } from 'yaml';
import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Document as YamlDocument, Node as YamlNode, YAMLMap } from 'yaml';
import { readCiYaml } from './read-ci-yaml.ts';
import type { MetricInput } from '../metric.ts';
import { isNeverTrue } from './expressions.ts';
import type { Asked } from './expressions.ts';
import { isCalled } from './is-called.ts';
import { folderFrom } from './shell-script.ts';
import { asRecord, asTexts, changeEvents, isPlausibleBranch } from './triggers.ts';
import { ciSystem, commandKeys } from './workflow.ts';
import { asScript } from './follow/as-script.ts';

/** A command, or an action that is used, where it stands in a CI file. */
export interface CiCommand {
  kind: 'run' | 'uses';
  text: string;
  path: string;
  line: number;
  /** From the root of the repository. */
  dir: string;
  errexit: boolean;
  pipefail: boolean;
  variables: ReadonlyMap<string, string>;
  /** Why it counts for nothing, whatever it says; null where it may. */
  hidden: string | null;
}

type Family = 'github' | 'gitlab' | 'circle' | 'travis' | 'azure' | 'other';

const maxCommands = 3_000;
const deepest = 40;
const maxCombinations = 12;
/** GitHub runs no larger workflow. */
const maxCharacters = 512 * 1024;

/** What stands around a command. */
interface Around {
  hidden: string | null;
  /** Null where nobody has said. */
  shell: string | null;
  dir: string;
  variables: ReadonlyMap<string, string>;
  matrix: ReadonlyMap<string, readonly string[] | null>;
}

interface Reading {
  path: string;
  family: Family;
  input: MetricInput;
  document: YamlDocument;
  lines: LineCounter;
  events: readonly string[];
  into: CiCommand[];
  /** Files that led here, so that none leads to itself. */
  files: readonly string[];
  /** Why a job never runs, by its name. */
  never: ReadonlyMap<string, string>;
}

/** Every command of the CI files, with the reason where it never counts. */
export function ciCommands(input: MetricInput): CiCommand[] {
  const into: CiCommand[] = [];
  for (const path of input.paths)
    if (ciSystem(path) !== null) readFile(path, input, into, { hidden: null, files: [], events: null });
  return into;
}

function familyOf(path: string): Family {
  if (/^\.(github|forgejo|gitea)\//.test(path)) return 'github';
  if (path.startsWith('.circleci/')) return 'circle';
  if (/gitlab/.test(path)) return 'gitlab';
  if (/travis/.test(path)) return 'travis';
  return /azure/.test(path) ? 'azure' : 'other';
}

interface From {
  hidden: string | null;
  files: readonly string[];
  /** Of the file that calls this one; null where it stands for itself. */
  events: readonly string[] | null;
  family?: Family;
}

function readFile(path: string, input: MetricInput, into: CiCommand[], from: From): void {
  const text = input.text(path);
  if (text === null || text.length > maxCharacters || from.files.includes(path) || from.files.length > 6) return;
  const family = from.family ?? familyOf(path);
  if (!/\.ya?ml$/.test(path)) {
    into.push(...linesOf(path, text));
    return;
  }
  let read: ReturnType<typeof readCiYaml>;
  try {
    read = readCiYaml(text);
  } catch {
    return;
  }
  const root = asRecord(read.value);
  const { events, never } = from.events ? { events: from.events, never: null } : startedBy(family, root, input);
  const reading: Reading = {
    path,
    family,
    input,
    document: read.document,
    lines: read.lines,
    events,
    into,
    files: [...from.files, path],
    never: neverRun(family, root, { events, input }),
  };
  const around = { hidden: from.hidden ?? never, shell: null, dir: '.', variables: new Map(), matrix: new Map() };
  walk(read.document.contents, around, reading, []);
  for (const other of includedBy(family, root, input))
    readFile(other, input, into, { hidden: from.hidden ?? never, files: reading.files, events, family });
}

function startedBy(family: Family, root: Record<string, unknown>, input: MetricInput) {
  if (family === 'github') {
    const started = changeEvents(root, input);
    const on = root['on'] ?? root['true'];
    const isCalled = started.never !== null && JSON.stringify(on ?? '').includes('workflow_call');
    return isCalled ? { events: [], never: 'is only called by other workflows' } : started;
  }
  const events = ['push', 'pull_request'];
  const never =
    family === 'azure' && root['trigger'] === 'none' && root['pr'] === 'none'
      ? 'its trigger is none'
      : family === 'gitlab' && areNever(asRecord(root['workflow'])['rules'])
        ? 'its workflow’s rules are all `when: never`'
        : null;
  return { events, never };
}

const areNever = (rules: unknown): boolean =>
  Array.isArray(rules) && rules.length > 0 && rules.every((rule) => asRecord(rule)['when'] === 'never');

/** Files whose jobs are this one's. */
function includedBy(family: Family, root: Record<string, unknown>, { paths }: MetricInput): string[] {
  if (family !== 'gitlab') return [];
  const all = new Set(paths);
  return [root['include']]
    .flat()
    .flatMap((each) => asTexts(typeof each === 'string' ? each : asRecord(each)['local']))
    .map((name) => name.replace(/^\//, ''))
    .filter((name) => all.has(name));
}

/** A Jenkinsfile's and its like: each line is a command, as far as anybody can tell. */
function linesOf(path: string, text: string): CiCommand[] {
  return text.split('\n').flatMap((line, index) => {
    const bare = line.slice(0, 2_000).trim();
    if (bare === '' || /^(\/\/|#|\*|\/\*)/.test(bare)) return [];
    const quoted = /\b(?:sh|bat|powershell|pwsh)\b[\s(]{0,9}(?:script:\s{0,9})?(["'])(.{1,1000})\1/.exec(bare)?.[2];
    return [
      {
        kind: 'run' as const,
        text: quoted ?? bare,
        path,
        line: index + 1,
        dir: '.',
        errexit: true,
        pipefail: false,
        variables: new Map<string, string>(),
        hidden: null,
      },
    ];
  });
}

/** Why a job of a file never runs. */
function neverRun(
  family: Family,
  root: Record<string, unknown>,
  at: { events: readonly string[]; input: MetricInput },
): Map<string, string> {
  if (family === 'github') return neverNeeded(asRecord(root['jobs']), at);
  const never = new Map<string, string>();
  if (family === 'circle') {
    const workflows = root['workflows'];
    const used = JSON.stringify(workflows ?? 'build');
    for (const name of Object.keys(asRecord(root['jobs'])))
      if (workflows === undefined ? name !== 'build' : !used.includes(`"${name}"`))
        never.set(name, `no workflow has the job ${name}`);
  }
  if (family === 'gitlab') {
    const used = JSON.stringify(
      Object.values(root).map((job) => [
        asRecord(job)['extends'],
        asRecord(job)['script'],
        asRecord(job)['before_script'],
      ]),
    );
    for (const name of Object.keys(root))
      if (name.startsWith('.') && !used.includes(`"${name}"`)) never.set(name, `no job extends ${name}`);
  }
  return never;
}

/** Jobs that need one which never runs, unless they say `always()`. */
function neverNeeded(
  jobs: Record<string, unknown>,
  at: { events: readonly string[]; input: MetricInput },
): Map<string, string> {
  const never = new Map<string, string>();
  const asked = askedOf(at.events, at.input, new Map());
  for (let round = 0, before = -1; round < 20 && never.size !== before; round += 1) {
    before = never.size;
    for (const [name, value] of Object.entries(jobs)) {
      const { if: condition, needs, strategy } = asRecord(value);
      const missing = asTexts(needs).find((need) => never.has(need) || !(need in jobs));
      if (never.has(name)) continue;
      if (condition !== undefined && isNeverTrue(conditionText(condition), asked))
        never.set(name, `\`if: ${conditionText(condition).slice(0, 60)}\` is never true on a change`);
      else if (isEmptyMatrix(strategy)) never.set(name, 'its matrix is empty');
      else if (missing !== undefined && !/always\(\)|!\s?cancelled\(\)/.test(conditionText(condition)))
        never.set(name, `needs the job ${missing}, which never runs`);
    }
  }
  return never;
}

const askedOf = (events: readonly string[], input: MetricInput, matrix: Asked['matrix']): Asked => ({
  events,
  isBranch: (name) => isPlausibleBranch(name, input.branch),
  isCalled: (name) => isCalled(input, name),
  matrix,
});

const conditionText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

function isEmptyMatrix(strategy: unknown): boolean {
  const matrix = asRecord(strategy)['matrix'];
  if (matrix === undefined || typeof matrix === 'string') return false;
  const { include, exclude: _, ...axes } = asRecord(matrix);
  const hasIncluded = typeof include === 'string' || (Array.isArray(include) && include.length > 0);
  if (hasIncluded) return false;
  const values = Object.values(axes);
  return values.length === 0 || values.some((axis) => Array.isArray(axis) && axis.length === 0);
}

/** Those, and what some systems run before or after. */
const keysOfCommands = new Set([
  ...commandKeys,
  'after_success',
  'after_failure',
  'after_deploy',
  'before_build',
  'before_test',
]);
const withoutCommands = new Set([
  'env',
  'environment',
  'services',
  'with',
  'inputs',
  'outputs',
  'variables',
  'parameters',
  'permissions',
  'cache',
  'artifacts',
  'on',
  'concurrency',
  'matrix',
  'strategy',
  'image',
  'docker',
  'only',
  'except',
]);
const afterwards = new Set(['after_script', 'after_success', 'after_failure', 'after_deploy']);

function walk(node: unknown, around: Around, reading: Reading, trail: readonly string[]): void {
  if (trail.length > deepest || reading.into.length > maxCommands) return;
  if (isAlias(node)) {
    walk(node.resolve(reading.document), around, reading, [...trail, '*']);
    return;
  }
  if (isSeq(node)) for (const item of node.items) walk(item, around, reading, [...trail, '-']);
  if (!isMap(node)) return;
  const here = within(node, around, reading, trail);
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : '';
    const resolved = isAlias(value) ? value.resolve(reading.document) : value;
    if (name === 'uses' && reading.family === 'github') uses(node, resolved, here, reading);
    else if (name === 'template' && reading.family === 'azure') template(resolved, here, reading);
    else if (keysOfCommands.has(name))
      commands(
        resolved,
        afterwards.has(name) && here.hidden === null ? { ...here, hidden: `\`${name}\` never fails a job` } : here,
        reading,
        name,
      );
    if (!withoutCommands.has(name) && (!keysOfCommands.has(name) || isMap(resolved)))
      walk(resolved, here, reading, [...trail, name]);
  }
}

/** What a map says of all that stands in it. */
function within(node: YAMLMap, around: Around, reading: Reading, trail: readonly string[]): Around {
  const get = (...way: string[]): unknown => {
    const found: unknown = node.getIn(way);
    return isAlias(found) ? undefined : found;
  };
  const text = (...way: string[]) => {
    const found = get(...way);
    return typeof found === 'string' ? found : null;
  };
  const matrix = matrixOf(node, reading) ?? around.matrix;
  const isWindows = /^windows/i.test(text('runs-on') ?? '');
  const folder =
    text('working-directory') ??
    text('workingDirectory') ??
    text('working_directory') ??
    text('defaults', 'run', 'working-directory');
  const job = trail.at(-1);
  const isJob = reading.family === 'gitlab' ? trail.length === 1 : trail.length === 2 && trail[0] === 'jobs';
  const here = { ...around, matrix };
  return {
    hidden:
      around.hidden ??
      (isJob && job !== undefined ? reading.never.get(job) : undefined) ??
      hiddenBy(get, here, reading),
    shell: text('shell') ?? text('defaults', 'run', 'shell') ?? (isWindows ? 'pwsh' : around.shell),
    dir: folder === null ? around.dir : folderFrom('.', folder.replaceAll(/\$\{\{\s*github\.workspace\s*\}\}\/?/g, '')),
    variables: withVariables(around.variables, [get('env'), get('variables'), get('environment')]),
    matrix,
  };
}

function withVariables(known: ReadonlyMap<string, string>, maps: readonly unknown[]): ReadonlyMap<string, string> {
  const found = maps
    .flatMap((map) => (isMap(map) ? map.items : []))
    .flatMap(({ key, value }) => {
      const plain: unknown = isScalar(value) ? value.value : undefined;
      return isScalar(key) && typeof plain === 'string' && !plain.includes('${{')
        ? [[String(key.value), plain] as const]
        : [];
    });
  return found.length > 0 ? new Map([...known, ...found]) : known;
}

function matrixOf(node: YAMLMap, { family, document }: Reading): Map<string, readonly string[] | null> | null {
  const found: unknown = family === 'github' ? node.getIn(['strategy', 'matrix']) : undefined;
  if (!isMap(found)) return null;
  const matrix = asRecord(found.toJS(document));
  const values = new Map<string, string[] | null>();
  const add = (key: string, value: unknown) => {
    if (typeof value === 'string' && value.includes('${{')) values.set(key, null);
    else if (values.get(key) !== null) values.set(key, [...(values.get(key) ?? []), ...asTexts(value)]);
  };
  for (const [key, value] of Object.entries(matrix)) if (key !== 'include' && key !== 'exclude') add(key, value);
  for (const entry of [matrix['include']].flat())
    for (const [key, value] of Object.entries(asRecord(entry))) add(key, value);
  if (typeof matrix['include'] === 'string') for (const key of values.keys()) values.set(key, null);
  return values;
}

/** Why what stands in a map counts for nothing, by each system's own words. */
function hiddenBy(
  get: (...way: string[]) => unknown,
  around: Around,
  { family, events, input }: Reading,
): string | null {
  const is = (key: string, value: unknown) => {
    const found = get(key);
    return found === value || (typeof found === 'string' && found.replaceAll(/[${}\s]/g, '') === String(value));
  };
  if (family === 'github') {
    const condition = get('if');
    const asked = askedOf(events, input, around.matrix);
    if (condition !== undefined && !isMap(condition) && isNeverTrue(conditionText(condition), asked))
      return `\`if: ${conditionText(condition).slice(0, 60)}\` is never true on a change`;
    return is('continue-on-error', true) ? '`continue-on-error: true` hides its failure' : null;
  }
  if (family === 'gitlab') {
    if (is('allow_failure', true)) return '`allow_failure: true` hides its failure';
    const rules = get('rules');
    const js: unknown = isSeq(rules) ? rules.toJSON() : undefined;
    if (is('when', 'never') || areNever(js)) return '`when: never` never runs';
    return is('when', 'manual') ? '`when: manual` runs only when somebody asks' : null;
  }
  if (family === 'azure') {
    if (is('enabled', false)) return '`enabled: false` never runs';
    if (is('condition', false) || is('condition', 'never()')) return '`condition: false` never runs';
    return is('continueOnError', true) ? '`continueOnError: true` hides its failure' : null;
  }
  if (family === 'circle' && is('when', 'on_fail')) return '`when: on_fail` runs only after a failure';
  return is('if', false) ? '`if: false` never runs' : null;
}

/** A step that is a file of this repository, or somebody's action. */
function uses(step: YAMLMap, value: unknown, around: Around, reading: Reading): void {
  if (!isScalar(value) || typeof value.value !== 'string') return;
  const { input, into, files, events } = reading;
  const text = value.value;
  if (text.startsWith('./')) {
    const path = text.slice(2).replace(/\/$/, '');
    const candidates = /\.ya?ml$/.test(path) ? [path] : [`${path}/action.yml`, `${path}/action.yaml`];
    const found = candidates.find((each) => input.text(each) !== null);
    if (found !== undefined) readFile(found, input, into, { hidden: around.hidden, files, events, family: 'github' });
    return;
  }
  const at = { path: reading.path, line: reading.lines.linePos(value.range?.[0] ?? 0).line };
  const common = { ...at, dir: around.dir, variables: around.variables, hidden: around.hidden };
  into.push({ kind: 'uses', text, errexit: true, pipefail: true, ...common });
  const given: unknown = step.get('with', true);
  const command = commandOfAction(text, isMap(given) ? asRecord(given.toJSON()) : {});
  if (command !== null)
    for (const each of forMatrix(command, around))
      into.push({ kind: 'run', text: each, errexit: true, pipefail: false, ...common });
}

/** The command that some actions are given. */
function commandOfAction(action: string, given: Record<string, unknown>): string | null {
  const of = (key: string) => (typeof given[key] === 'string' ? given[key] : '');
  if (/^gradle\/(gradle-build-action|setup-gradle|actions)/.test(action))
    return of('arguments') && `gradle ${of('arguments')}`;
  if (/^(actions-rs|clechasseur\/rs|houseabsolute\/actions-rust)/.test(action))
    return of('command') && `cargo ${of('command')} ${of('args')}`;
  if (
    /^(nick-fields|nick-invision)\/retry|^reactivecircus\/|^GabrielBB\/xvfb|^coactions\/setup-xvfb|^Wandalen\//i.test(
      action,
    )
  )
    return of('command') || of('script') || of('run');
  if (action.startsWith('ruby/setup-ruby'))
    return given['bundler-cache'] === true || of('bundler-cache') === 'true' ? 'bundle install' : null;
  if (action.startsWith('ramsey/composer-install')) return 'composer install';
  if (action.startsWith('bahmutov/npm-install')) return 'npm ci';
  if (/^(php-actions|pavelzw)\//.test(action)) return asScript([action.split(/[/@]/)[1] ?? '']);
  return null;
}

function template(value: unknown, around: Around, { input, into, files, events, path }: Reading): void {
  const name: unknown = isScalar(value) ? value.value : null;
  if (typeof name !== 'string') return;
  const found = [
    folderFrom(path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.', name),
    name.replace(/^\//, ''),
  ].find((each) => input.text(each) !== null);
  if (found !== undefined) readFile(found, input, into, { hidden: around.hidden, files, events, family: 'azure' });
}

function commands(node: unknown, around: Around, reading: Reading, key: string): void {
  if (isAlias(node)) commands(node.resolve(reading.document), around, reading, key);
  else if (isSeq(node)) for (const item of node.items) commands(item, around, reading, key);
  else if (isMap(node)) return;
  else if (isScalar(node) && typeof node.value === 'string')
    push(node as YamlNode & { value: string }, around, reading, key);
}

function push(
  node: YamlNode & { value: string },
  around: Around,
  { family, path, lines, into }: Reading,
  key: string,
): void {
  const shell = key === 'pwsh' || key === 'powershell' ? 'pwsh' : around.shell;
  const runs = shellKind(shell);
  if (runs === 'program') return;
  const hidden =
    around.hidden ??
    (runs === 'nothing' ? `its shell is \`${(shell ?? '').slice(0, 40)}\`, which does not run it` : null);
  const line = lines.linePos(node.range?.[0] ?? 0).line;
  for (const text of forMatrix(node.value.slice(0, 100_000), around))
    into.push({
      kind: 'run',
      text,
      path,
      line,
      dir: around.dir,
      ...endsAtFailure(family, shell),
      variables: around.variables,
      hidden,
    });
}

function shellKind(shell: string | null): 'shell' | 'program' | 'nothing' {
  if (shell === null || /\b(bash|sh|zsh|dash|ksh|pwsh|powershell|cmd|nix|msys2|alpine\.sh|cygwin)\b|\$\{\{/.test(shell))
    return 'shell';
  return /^(python|node|ruby|perl|deno|php|rscript)/i.test(shell) ? 'program' : 'nothing';
}

function endsAtFailure(family: Family, shell: string | null): { errexit: boolean; pipefail: boolean } {
  if (family === 'gitlab' || family === 'circle') return { errexit: true, pipefail: true };
  if (family === 'travis' || family === 'azure') return { errexit: shell === 'pwsh', pipefail: shell === 'pwsh' };
  if (family !== 'github' || shell === null) return { errexit: true, pipefail: false };
  if (/pwsh|powershell|cmd/.test(shell)) return { errexit: true, pipefail: true };
  const isPlain = /^\w+$/.test(shell);
  return { errexit: isPlain || /\s-\w*e/.test(shell), pipefail: shell === 'bash' || shell.includes('pipefail') };
}

const ofMatrix = /\$\{\{\s{0,9}matrix\.([\w-]{1,60})\s{0,9}\}\}/g;

/** The text once for each value of the matrix that it names; what only the run can tell is a variable. */
function forMatrix(text: string, { matrix, variables }: Around): string[] {
  let texts = [text];
  for (const used of new Set([...text.matchAll(ofMatrix)].map(([, name = '']) => name))) {
    const values = new Set(matrix.get(used));
    if (values.size === 0) continue;
    const withValue = (each: string, value: string) =>
      each.replaceAll(ofMatrix, (written: string, name: string) => (name === used ? value : written));
    texts = texts.flatMap((each) => [...values].map((value) => withValue(each, value))).slice(0, maxCombinations);
  }
  return texts.map((each) =>
    each
      .replaceAll(/\$\{\{\s{0,9}env\.(\w{1,60})\s{0,9}\}\}/g, (_, name: string) => variables.get(name) ?? '$_')
      .replaceAll(/\$\{\{(?:[^}]|\}(?!\})){0,400}\}\}/g, '$_'),
  );
}

/** Files beside the CI's own that their commands lead into. */
export const readsCiParts = (path: string): boolean =>
  /^\.(github|gitea|forgejo)\/.*\/action\.ya?ml$|(^|\/)action\.ya?ml$|^\.gitlab\/.*\.ya?ml$|(^|\/)(ci|\.ci|\.azure[\w-]*|azure[\w-]*|templates)\/[^/]+\.ya?ml$/.test(
    path,
  );
