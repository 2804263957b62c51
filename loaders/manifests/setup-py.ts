import { pypiName } from '../../src/model/ecosystems/pypi.ts';
import type { Requirement } from '../../src/model/snapshot.ts';
import { described, lineIndex, words, type ManifestFormat } from './manifest.ts';
import { pythonRequirements, scopeOfExtra } from './python-requirement.ts';

/** setuptools' setup.cfg. */
export const setupCfg: ManifestFormat = {
  matches: (path) => /(^|\/)setup\.cfg$/.test(path),
  read(text, path) {
    const sections = ini(text);
    const metadata = sections.get('metadata') ?? new Map<string, string>();
    const name = words(metadata.get('name'));
    const line = lineIndex(text, /^(?:[\w.-]+[ \t]*=)?[ \t]*([^\s=#][^\n]*)$/gm, ([, value]) => value?.trim());
    const list = (value: string | undefined, scope: Requirement['scope']) =>
      pythonRequirements(
        (value ?? '').split('\n').map((each) => each.trim()),
        scope,
        path,
        line,
      );
    return {
      // `attr:` and `file:` are read when it is built.
      publishes: name === undefined || /^(attr|file):/.test(name) ? [] : [{ ecosystem: 'pypi', name: pypiName(name) }],
      requires: [
        ...list(sections.get('options')?.get('install_requires'), 'runtime'),
        ...list(sections.get('options')?.get('setup_requires'), 'development'),
        ...list(sections.get('options')?.get('tests_require'), 'development'),
        ...Array.from(sections.get('options.extras_require') ?? []).flatMap(([extra, value]) =>
          list(value, scopeOfExtra(extra)),
        ),
      ],
      description: described({
        description: words(metadata.get('description')),
        license: words(metadata.get('license')),
        homepage: words(metadata.get('url')),
        topics: (metadata.get('keywords') ?? '')
          .split(/[,\n]+/)
          .map((each) => each.trim())
          .filter(Boolean),
      }),
    };
  },
};

/** setup.py as far as it is written down and not computed: literals, and lists that have a name. Nothing is run. */
export const setupPy: ManifestFormat = {
  matches: (path) => /(^|\/)setup\.py$/.test(path),
  read(text, path) {
    const source = text.replace(/^[ \t]*#.*$/gm, '');
    const start = source.search(/\bsetup\s*\(/);
    if (start === -1) return { publishes: [], requires: [], description: {} };
    const call = source.slice(start);
    // Bounded: the names are our own.
    const literal = (argument: string) =>
      words(new RegExp(String.raw`\b${argument}\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')`).exec(call)?.slice(1).find(Boolean));
    const name = literal('name');
    const line = lineIndex(text, /"([^"\n]+)"|'([^'\n]+)'/g, ([, double, single]) => double ?? single);
    const list = (argument: string, scope: Requirement['scope']) =>
      pythonRequirements(listed(source, call, argument), scope, path, line);
    return {
      publishes: name === undefined ? [] : [{ ecosystem: 'pypi', name: pypiName(name) }],
      requires: [
        ...list('install_requires', 'runtime'),
        ...list('setup_requires', 'development'),
        ...list('tests_require', 'development'),
      ],
      description: described({
        description: literal('description'),
        license: literal('license'),
        homepage: literal('url'),
      }),
    };
  },
};

/** The strings of `argument=[…]`, or of the list that the argument names. */
function listed(source: string, call: string, argument: string): string[] {
  // Bounded: the names are our own.
  const value = new RegExp(String.raw`\b${argument}\s*=\s*(\[|[A-Za-z_]\w*)`).exec(call);
  if (value === null) return [];
  if (value[1] === '[') return stringsUpToBracket(call.slice(value.index + value[0].length));
  // Bounded: of an identifier, and each line is begun with once.
  const named = new RegExp(String.raw`^${value[1] ?? ''}\s*(?::[^=\n]*)?=\s*\[`, 'm').exec(source);
  return named === null ? [] : stringsUpToBracket(source.slice(named.index + named[0].length));
}

function stringsUpToBracket(text: string): string[] {
  const found: string[] = [];
  for (const [token, double, single] of text.matchAll(/"([^"\n]*)"|'([^'\n]*)'|\]/g)) {
    if (token === ']') return found;
    found.push(double ?? single ?? '');
  }
  return [];
}

/** Sections of keys and values; a value goes on in indented lines. */
function ini(text: string): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  let key = '';
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const [, heading] = /^\[([^\]]+)\]/.exec(line) ?? [];
    const [, name, value] = /^([\w.-]+)\s*[=:]\s*(?!\s)(.*)$/.exec(line) ?? [];
    if (heading !== undefined)
      sections.set(heading.trim(), (section = sections.get(heading.trim()) ?? new Map<string, string>()));
    else if (name !== undefined) section.set((key = name), value ?? '');
    else if (/^\s/.test(line) && section.has(key)) section.set(key, `${section.get(key) ?? ''}\n${line.trim()}`);
  }
  return sections;
}
