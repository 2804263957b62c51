import { expect } from 'chai';
import { linkRepositories } from '../../loaders/link.ts';
import type { PackageName, RepositoryInfo, Requirement } from '../../src/model/snapshot.ts';

function repository(name: string, publishes: PackageName[], requires: Partial<Requirement>[]): RepositoryInfo {
  return {
    name,
    source: `/src/${name}`,
    commit: null,
    branch: null,
    committed_at: null,
    fingerprint: name,
    analyzer_version: '1',
    publishes,
    requires: requires.map((requirement) => ({
      ecosystem: 'npm',
      name: '',
      range: null,
      scope: 'runtime',
      path: 'package.json',
      line: 3,
      imports: 0,
      ...requirement,
    })),
    skipped: [],
    completeness: {
      files: 0,
      files_parsed: 0,
      files_skipped: 0,
      files_with_syntax_errors: 0,
      calls: 0,
      calls_resolved: 0,
      calls_external: 0,
      calls_unresolved: 0,
    },
    warnings: [],
  };
}

const links = (...repositories: RepositoryInfo[]) =>
  linkRepositories(repositories).map(({ type, from, to, weight }) => `${type} ${from} ${to} ${weight}`);

describe('linkRepositories', () => {
  const money = repository('money', [{ ecosystem: 'npm', name: '@acme/money' }], []);

  it('makes DEPENDS_ON from a manifest and IMPORTS from the files that import', () => {
    const shop = repository('shop', [], [{ name: '@acme/money', imports: 3 }]);
    expect(links(shop, money)).to.deep.equal(['DEPENDS_ON shop money 1', 'IMPORTS shop money 3']);
  });

  it('adds up the manifests of one repository', () => {
    const shop = repository('shop', [], [{ name: '@acme/money' }, { name: '@acme/money', path: 'b/package.json' }]);
    expect(links(shop, money)).to.deep.equal(['DEPENDS_ON shop money 2']);
  });

  it('takes a name for the same only within one ecosystem', () => {
    const shop = repository('shop', [], [{ ecosystem: 'pypi', name: '@acme/money' }]);
    expect(links(shop, money)).to.deep.equal([]);
  });

  it('leads to every repository that publishes the name, and never to itself', () => {
    const fork = repository('fork', money.publishes, [{ name: '@acme/money' }]);
    const shop = repository('shop', [], [{ name: '@acme/money' }]);
    expect(links(shop, fork, money)).to.deep.equal([
      'DEPENDS_ON fork money 1',
      'DEPENDS_ON shop fork 1',
      'DEPENDS_ON shop money 1',
    ]);
  });
});
