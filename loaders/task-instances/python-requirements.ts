import { parse } from 'smol-toml';

/** Reads files of a tree; null for one that it has not. */
type Read = (path: string) => Promise<string | null>;
/** The names of what is in a folder of a tree; none where there is no folder. */
type List = (folder: string) => Promise<string[]>;

interface Tree {
  read: Read;
  list: List;
  pyproject: Table;
  /** Rather what the authors wrote than what they pinned from it once. */
  isLoose: boolean;
}

type Table = Record<string, unknown>;

/** What tests need beside the package: arguments of pip's install, not quoted. */
type Needs = { requirements: string[]; files: string[]; extras: string[] };

const none: Needs = { requirements: [], files: [], extras: [] };

/** Words for what tests are run with, as groups, extras, environments and files are called by. */
const forTests = /^(.*[-_])?(tests?|testing|unit-?tests?|pytest|dev|devel|develop|development|ci)([-_].*)?$/i;
/** Also what is the oldest that a package bears: beside the others it conflicts with them. */
const notForTests =
  /(^|[-_])(min|minimum|lowest|oldest)([-_.]|$)|docs?\b|sphinx|lint|style|typ(es|ing)|mypy|release|publish|bench|example|build|deploy/i;
const isForTests = (name: string) => forTests.test(name) && !notForTests.test(name);

/**
 * What pip installs so that the tests of a Python tree run: from the first place that says it, of those where projects say it. Each is an
 * argument, not quoted.
 */
export async function pythonRequirements(read: Read, list: List, { isLoose }: { isLoose: boolean }): Promise<string[]> {
  const pyproject = tableOf(await read('pyproject.toml'));
  const tree = { read, list, pyproject, isLoose };
  const { requirements, files, extras } = await firstOf(tree, [
    groups,
    poetry,
    toolLists,
    pipfile,
    requirementFiles,
    tox,
    nox,
  ]);
  const isPackage =
    'project' in pyproject || 'build-system' in pyproject || ['setup.py', 'setup.cfg'].includes(await setup(tree));
  const wanted = [...new Set([...(await ownExtras(tree)), ...extras])];
  const named = [...new Set(requirements)].filter((each) => !/^pytest$/i.test(each));
  return [
    ...files.flatMap((file) => ['-r', file]),
    ...(isPackage ? ['-e', wanted.length > 0 ? `.[${wanted.join(',')}]` : '.'] : []),
    ...named,
    'pytest',
  ];
}

/** What the package is built with, beside what builds most; each an argument of pip's install, not quoted. */
export async function buildRequirements(read: Read): Promise<string[]> {
  const { requires } = table(tableOf(await read('pyproject.toml'))['build-system']);
  return [...new Set(['setuptools', 'wheel', ...texts(requires)])];
}

async function firstOf(tree: Tree, places: readonly ((tree: Tree) => Promise<Needs>)[]): Promise<Needs> {
  for (const place of places) {
    const found = await place(tree);
    if (Object.values(found).some((each) => each.length > 0)) return found;
  }
  return none;
}

/** The file that builds the package, where it is one of setuptools' own. */
async function setup({ read }: Tree): Promise<string> {
  if ((await read('setup.py')) !== null) return 'setup.py';
  return /^\[metadata\]/m.test((await read('setup.cfg')) ?? '') ? 'setup.cfg' : '';
}

/** Extras of the package that are for tests. */
async function ownExtras({ read, pyproject }: Tree): Promise<string[]> {
  const named = Object.keys(table(table(pyproject['project'])['optional-dependencies']));
  const config = sectionsOf((await read('setup.cfg')) ?? '').get('options.extras_require') ?? new Map<string, string>();
  return [...named, ...config.keys()].filter(isForTests);
}

/** PEP 735. */
function groups({ pyproject }: Tree): Promise<Needs> {
  const all = table(pyproject['dependency-groups']);
  const of = (name: string, within: readonly string[]): string[] =>
    texts(all[name], (entry) => {
      const included = text(table(entry)['include-group']);
      return included === null || within.includes(included) ? [] : of(included, [...within, included]);
    });
  const names = Object.keys(all).filter(isForTests);
  return Promise.resolve({ ...none, requirements: preferred(names).flatMap((name) => of(name, [name])) });
}

/** Where there is a group for tests alone, that of developers brings what tests don't need. */
function preferred(names: readonly string[]): readonly string[] {
  const exact = names.filter((name) => /test/i.test(name));
  return exact.length > 0 ? exact : names;
}

function poetry({ pyproject }: Tree): Promise<Needs> {
  const own = table(table(pyproject['tool'])['poetry']);
  const named = Object.entries(table(own['group'])).filter(([name]) => isForTests(name));
  const tables = [table(own['dev-dependencies']), ...named.map(([, group]) => table(table(group)['dependencies']))];
  return Promise.resolve({ ...none, requirements: tables.flatMap(fromConstraints) });
}

/** PDM's and uv's lists, and Hatch's environments. */
function toolLists({ pyproject }: Tree): Promise<Needs> {
  const { pdm, uv, hatch } = Object.fromEntries(
    Object.entries(table(pyproject['tool'])).map(([name, value]) => [name, table(value)]),
  );
  const lists = Object.entries(table(pdm?.['dev-dependencies'])).filter(([name]) => isForTests(name));
  const environments = Object.entries(table(hatch?.['envs']))
    .filter(([name]) => name === 'default' || isForTests(name))
    .map(([, environment]) => table(environment));
  const ofHatch = environments.flatMap((each) => [
    ...texts(each['dependencies']),
    ...texts(each['extra-dependencies']),
  ]);
  return Promise.resolve({
    requirements: [...lists.flatMap(([, list]) => texts(list)), ...texts(uv?.['dev-dependencies']), ...ofHatch],
    files: [],
    extras: environments.flatMap((each) => texts(each['features'])),
  });
}

async function pipfile({ read }: Tree): Promise<Needs> {
  const all = tableOf(await read('Pipfile'));
  return { ...none, requirements: ['packages', 'dev-packages'].flatMap((name) => fromConstraints(table(all[name]))) };
}

/** `requirements-dev.txt`, `requirements/tests.txt`; beside what was pinned by a tool, the `.in` that it was made from. */
async function requirementFiles({ list, isLoose }: Tree): Promise<Needs> {
  const own = await list('.');
  const inFolder = await list('requirements');
  const stemOf = (name: string) => name.replace(/\.(txt|in)$/, '');
  const chosen = [
    ...own.filter((name) => /requirements.*\.(txt|in)$/.test(name) && !notForTests.test(name)),
    ...preferred(inFolder.filter((name) => /\.(txt|in)$/.test(name) && isForTests(stemOf(name)))).map(
      (name) => `requirements/${name}`,
    ),
  ];
  const [first, second] = isLoose ? ['.in', '.txt'] : ['.txt', '.in'];
  const stems = [...new Set(chosen.map(stemOf))].toSorted();
  return {
    ...none,
    files: stems.map((stem) => (chosen.includes(`${stem}${first}`) ? `${stem}${first}` : `${stem}${second}`)),
  };
}

/** What tox's environments for tests install. Lines for one factor alone are left to it. */
async function tox({ read, pyproject }: Tree): Promise<Needs> {
  const base = table(table(table(pyproject['tool'])['tox'])['env_run_base']);
  const needs = fromLines(texts(base['deps']));
  for (const file of ['tox.ini', 'setup.cfg']) {
    for (const [name, values] of sectionsOf((await read(file)) ?? '')) {
      const environment = name.replace(/^tox:/, '');
      if (!/^testenv(:(py|python|test|tests|unit)[^:]*)?$/.test(environment)) continue;
      const more = fromLines((values.get('deps') ?? '').split('\n'));
      needs.requirements.push(...more.requirements);
      needs.files.push(...more.files);
      needs.extras.push(...linesOf(values.get('extras') ?? '').filter((each) => /^[\w.-]+$/.test(each)));
    }
  }
  return needs;
}

/** What sessions of nox that are called for tests install by words that stand there. */
async function nox({ read }: Tree): Promise<Needs> {
  const words: string[] = [];
  let isTests = false;
  for (const line of ((await read('noxfile.py')) ?? '').split('\n')) {
    const [, name] = /^def (\w+)\(/.exec(line) ?? [];
    if (name !== undefined) isTests = isForTests(name);
    const at = isTests ? line.indexOf('session.install(') : -1;
    if (at !== -1) words.push(...Array.from(line.slice(at).matchAll(/["']([^"']*)["']/g), ([, word = '']) => word));
  }
  const lines = words.flatMap((word, index) =>
    word === '-r' ? [] : [words[index - 1] === '-r' ? `-r ${word}` : word],
  );
  return fromLines(lines);
}

function fromLines(lines: readonly string[]): Needs {
  const needs: Needs = { requirements: [], files: [], extras: [] };
  for (const line of lines.flatMap(linesOf)) {
    const [, file] = /^-r\s*(?:\{toxinidir\}\/|\{tox_root\}\/)?([\w./-]+)$/.exec(line) ?? [];
    const [, extras] = /^\.\[([\w,.-]+)\]$/.exec(line) ?? [];
    if (file !== undefined) needs.files.push(file);
    else if (extras !== undefined) needs.extras.push(...extras.split(','));
    else if (isRequirement(line)) needs.requirements.push(line);
  }
  return needs;
}

/** A name with extras, versions and a marker; no option, path or variable. */
const isRequirement = (line: string) =>
  // Bounded: a line of at most 500 characters.
  line.length <= 500 && /^[A-Za-z0-9][\w.-]*\s*(?:\[[\w,\s.-]+\]\s*)?(?:[<>=!~][^{}$;]*)?(?:;[^{}$]*)?$/.test(line);

const linesOf = (value: string) =>
  value
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');

/** Poetry's and Pipenv's tables: a name with a constraint. What comes from elsewhere than an index is left out. */
function fromConstraints(wanted: Table): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const constraint = text(value) ?? text(table(value)['version']);
    if (name === 'python' || constraint === null) return [];
    const versions = constraint.split(',').map((each) => each.trim());
    if (versions.some((each) => each.includes('||'))) return name;
    return `${name}${versions.map(asSpecifier).filter(Boolean).join(',')}`;
  });
}

/** `^1.2` allows what does not change the first number that is not 0; `~1.2` what does not change the second. */
function asSpecifier(version: string): string {
  const [, sign = '', numbers = ''] = /^(\^|~)\s*(\d+(?:\.\d+)*)/.exec(version) ?? [];
  if (sign === '') return /^\d/.test(version) ? `==${version}` : version === '*' ? '' : version.replaceAll(' ', '');
  const parts = numbers.split('.').map(Number);
  const fixed =
    sign === '~'
      ? Math.min(1, parts.length - 1)
      : Math.max(
          0,
          parts.findIndex((part) => part > 0),
        );
  const next = parts.slice(0, fixed + 1).map((part, index) => (index === fixed ? part + 1 : part));
  return `>=${numbers},<${next.join('.')}`;
}

/** An INI file's sections, each with its values, whose lines go on where they are indented. */
function sectionsOf(source: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let values = new Map<string, string>();
  let key = '';
  for (const line of source.split('\n')) {
    const [, section] = /^\[([^\]]+)\]/.exec(line) ?? [];
    const [, name, value] = /^([\w.-]+)\s*[=:](.*)$/.exec(line) ?? [];
    if (section !== undefined) {
      values = sections.get(section) ?? new Map<string, string>();
      sections.set(section, values);
    } else if (name !== undefined) {
      key = name;
      values.set(key, (value ?? '').trim());
    } else if (/^\s+\S/.test(line)) values.set(key, `${values.get(key) ?? ''}\n${line.trim()}`);
  }
  return sections;
}

const table = (value: unknown): Table => (typeof value === 'object' && value !== null ? (value as Table) : {});
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const texts = (value: unknown, other: (entry: unknown) => string[] = () => []): string[] =>
  Array.isArray(value) ? value.flatMap((entry: unknown) => text(entry) ?? other(entry)) : [];

function tableOf(source: string | null): Table {
  try {
    return parse(source ?? '');
  } catch {
    return {};
  }
}
