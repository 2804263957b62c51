import { pypiName } from '../../src/model/ecosystems/pypi.ts';
import { parse } from 'smol-toml';
import type { Requirement } from '../../src/model/snapshot.ts';
import { described, lineIndex, strings, table, words, type ManifestFormat } from './manifest.ts';
import { pythonRequirements, scopeOfExtra } from './python-requirement.ts';

/** Python's pyproject.toml: PEP 621, dependency groups, Poetry's, PDM's and uv's own tables. */
export const pyproject: ManifestFormat = {
  matches: (path) => /(^|\/)pyproject\.toml$/.test(path),
  read(text, path) {
    const manifest = parse(text);
    const project = table(manifest['project']);
    const tool = table(manifest['tool']);
    const poetry = table(tool['poetry']);
    const name = words(project['name']) ?? words(poetry['name']);
    const quoted = lineIndex(text, /"([^"\n]+)"|'([^'\n]+)'/g, ([, double, single]) => double ?? single);
    const list = (value: unknown, scope: Requirement['scope']) =>
      pythonRequirements(strings(value), scope, path, quoted);
    const groups = (value: unknown, scope?: Requirement['scope']) =>
      Object.entries(table(value)).flatMap(([group, texts]) => list(texts, scope ?? scopeOfExtra(group)));
    return {
      publishes: name === undefined ? [] : [{ ecosystem: 'pypi', name: pypiName(name) }],
      requires: [
        ...list(project['dependencies'], 'runtime'),
        ...groups(project['optional-dependencies']),
        ...groups(manifest['dependency-groups'], 'development'),
        ...groups(table(tool['pdm'])['dev-dependencies'], 'development'),
        ...list(table(tool['uv'])['dev-dependencies'], 'development'),
        ...list(table(manifest['build-system'])['requires'], 'development'),
        ...poetryRequirements(poetry, text, path),
      ],
      description: described({
        description: words(project['description']) ?? words(poetry['description']),
        license: words(project['license']) ?? words(table(project['license'])['text']) ?? words(poetry['license']),
        homepage: homepage(table(project['urls'])) ?? words(poetry['homepage']) ?? words(poetry['repository']),
        topics: [
          ...strings(project['keywords'] ?? poetry['keywords']),
          ...topicsOf(strings(project['classifiers'] ?? poetry['classifiers'])),
        ],
      }),
    };
  },
};

/** `Topic :: Internet :: WWW/HTTP` is about `WWW/HTTP`. */
const topicsOf = (classifiers: readonly string[]) =>
  classifiers.flatMap((each) => (each.startsWith('Topic ::') ? (each.split(' :: ').at(-1) ?? []) : []));

/** The Pipenv file: two tables of name and range. */
export const pipfile: ManifestFormat = {
  matches: (path) => /(^|\/)Pipfile$/.test(path),
  read(text, path) {
    const manifest = parse(text);
    const requires = [
      ...keyed(manifest['packages'], 'runtime', text, path),
      ...keyed(manifest['dev-packages'], 'development', text, path),
    ];
    return { publishes: [], requires, description: {} };
  },
};

function poetryRequirements(poetry: Record<string, unknown>, text: string, path: string): Requirement[] {
  return [
    ...keyed(poetry['dependencies'], 'runtime', text, path),
    ...keyed(poetry['dev-dependencies'], 'development', text, path),
    ...Object.values(table(poetry['group'])).flatMap((group) =>
      keyed(table(group)['dependencies'], 'development', text, path),
    ),
  ];
}

/** `name = "^1.0"` or `name = { version = "^1.0", optional = true }`. */
function keyed(value: unknown, scope: Requirement['scope'], text: string, path: string): Requirement[] {
  const line = lineIndex(text, /^[ \t]*"?([A-Za-z0-9][\w.-]*)"?[ \t]*=/gm);
  return Object.entries(table(value))
    .filter(([name]) => name.toLowerCase() !== 'python')
    .map(([name, asked]) => ({
      ecosystem: 'pypi',
      name: pypiName(name),
      range: words(asked) ?? words(table(asked)['version']) ?? null,
      scope: table(asked)['optional'] === true ? 'optional' : scope,
      path,
      line: line(name),
      imports: 0,
    }));
}

function homepage(urls: Record<string, unknown>): string | undefined {
  const byLabel = new Map(Object.entries(urls).map(([label, url]) => [label.toLowerCase(), words(url)]));
  return ['homepage', 'home', 'source', 'repository', 'documentation'].map((label) => byLabel.get(label)).find(Boolean);
}
