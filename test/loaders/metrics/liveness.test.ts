import { expect } from 'chai';
import { commits, metricsOf, metricsOfFiles, weekly } from './metrics-of.ts';
import { gitRepository } from '../../support/git-repository.ts';
import { dedent } from '../../support/dedent.ts';

const readme = (text: string) => ({ 'README.md': text, 'a.js': 'export const a = 1;\n' });
const manifest = (path: string, text: string) => ({ [path]: text, 'a.js': 'export const a = 1;\n' });

/** Most are as published packages have them. */
const over: readonly [says: string, files: Record<string, string>, where: string][] = [
  ['a heading of its own', readme('\n# Deprecated!\n\nUse another.\n'), 'README.md:2'],
  ['a banner', readme('# JSON 3\n\n:warning: <b>UNMAINTAINED</b> :warning:\n'), 'README.md:3'],
  ['a sentence of the package', readme('# x\n\nThis package has been deprecated in favour of `y`.\n'), 'README.md:3'],
  ['a sentence that begins so', readme('# x\n\n**DEPRECATED**: Use the `uuid` package instead.\n'), 'README.md:3'],
  ['a status', readme('# x\n\n## Status: Deprecated due to security. Use y.\n'), 'README.md:3'],
  ['no longer maintained', readme('# x\n\n> **Warning** This project is no longer maintained.\n'), 'README.md:3'],
  ['its name', readme('# repository\n\n[Repository](https://x.org) is fully deprecated.\n'), 'README.md:3'],
  [
    'a badge',
    readme(dedent`
      [![x](https://img.shields.io/badge/status-archived-red.svg)](https://x.org)
      # x

    `),
    'README.md:1',
  ],
  [
    'pyproject',
    manifest(
      'pyproject.toml',
      dedent`
      [project]
      classifiers = [
        "Development Status :: 7 - Inactive",
      ]

    `,
    ),
    'pyproject.toml:3',
  ],
  ['composer', manifest('composer.json', '{\n  "abandoned": "acme/other"\n}\n'), 'composer.json:2'],
  [
    'Cargo',
    manifest(
      'Cargo.toml',
      dedent`
    [badges]
    maintenance = { status = "deprecated" }

  `,
    ),
    'Cargo.toml:2',
  ],
  [
    'go.mod',
    manifest(
      'go.mod',
      dedent`
    // Deprecated: use v2.
    module example.org/x

  `,
    ),
    'go.mod:1',
  ],
  [
    'npm',
    manifest(
      'package.json',
      dedent`
    {
      "description": "DEPRECATED! A parser of forms"
    }

  `,
    ),
    'package.json:2',
  ],
];

const alive: readonly [says: string, files: Record<string, string>][] = [
  ['an old version is', readme('# x\n\n#### v1 is deprecated\n\nNode 0.10 is no longer supported.\n')],
  ['an option is', readme('# x\n\n- `sync` DEPRECATED: use `glob.sync()` instead.\nThe old parser is obsolete.\n')],
  ['another package is', readme('# open\n\nThe original `opener` was deprecated in favor of this package.\n')],
  ['it finds what is', readme('# x\n\nFinds deprecated dependencies and abandoned branches.\n')],
  ['an example has it', readme('# x\n\n```\n# Deprecated\n```\n')],
  ['far below', readme(`# x\n\n${'A line of it.\n\n'.repeat(40)}# Deprecated\n`)],
  ['a part of it', { ...readme('# x\n'), 'old/README.md': '# Deprecated!\n' }],
];

describe('metrics: liveness', () => {
  for (const [says, files, where] of over)
    it(`is over where it says so: ${says}`, async () => {
      const { liveness } = (await metricsOfFiles(files)).measurements;
      expect(liveness?.notices.map(({ path, line }) => `${path}:${line}`)).to.deep.equal([where]);
    });

  for (const [says, files] of alive)
    it(`is not over where ${says}`, async () => {
      expect((await metricsOfFiles(files)).measurements.liveness?.notices).to.deep.equal([]);
    });

  it('has the last commit of a person, whatever bots did since, and the last tag of a version', async () => {
    using repository = gitRepository();
    commits(repository, 'Ann', ['2024-01-01T00:00:00Z'], () => readme('# x\n'));
    repository.git('tag', 'v1.0.0');
    commits(repository, 'renovate[bot]', weekly('2024-06-01T00:00:00Z', 3), (i) => ({ 'b.js': `b(${i});\n` }));
    repository.git('tag', 'nightly');
    expect((await metricsOf(repository.path)).measurements.liveness).to.deep.equal({
      last_human_commit_at: '2024-01-01T00:00:00.000Z',
      last_release_at: '2024-01-01T00:00:00.000Z',
      notices: [],
    });
  });
});
