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

const service = (name: string, endpoints: string[], requests: string[] = []): RepositoryInfo => ({
  ...repository(name, [], []),
  endpoints: endpoints.map((each) => ({ method: each.split(' ')[0] ?? '', path: each.split(' ')[1] ?? '' })),
  requests: requests.map((each) => {
    const [method = '', path = '', host] = each.split(' ');
    return { method, path, host: host ?? null, file: 'a.ts', line: 7, count: 2 };
  }),
});

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

  describe('requests', () => {
    const users = service('users-api', ['GET /users/{id}', 'POST /users', 'GET /users/me', 'GET /health']);
    const calls = (request: string, ...others: RepositoryInfo[]) =>
      linkRepositories([service('shop', ['GET /own/{id}'], [request]), users, ...others]).map(
        ({ from, to, confidence }) => `${from} ${to} ${confidence}`,
      );

    it('lead to the repository that answers at this method and path', () => {
      expect(linkRepositories([service('shop', [], ['GET /users/{}']), users])).to.deep.equal([
        {
          type: 'CALLS',
          from: 'shop',
          to: 'users-api',
          weight: 2,
          confidence: 0.8,
          strategy: 'http',
          path: 'a.ts',
          line: 7,
        },
      ]);
      expect(calls('GET /users/17')).to.deep.equal(['shop users-api 0.8']);
      expect(calls('DELETE /users/17')).to.deep.equal([]);
      expect(calls('GET /users')).to.deep.equal([]);
    });

    it('that the repository answers itself, or that everybody answers, lead nowhere', () => {
      expect(calls('GET /own/{}', service('other', ['GET /own/{id}']))).to.deep.equal([]);
      expect(calls('GET /health')).to.deep.equal([]);
    });

    it('with a host lead only to a repository of this name, and surely; this machine is no host', () => {
      expect(calls('GET /users/{} users.internal', service('other', ['GET /users/{id}']))).to.deep.equal([
        'shop users-api 0.9',
      ]);
      expect(calls('GET /users/{} api.github.com')).to.deep.equal([]);
      expect(calls('GET /users/{} localhost')).to.deep.equal(['shop users-api 0.8']);
    });

    it('that several answer are less sure; those of too many are nobody’s', () => {
      expect(calls('GET /users/{}', service('other', ['ANY /users/{name}']))).to.deep.equal([
        'shop other 0.4',
        'shop users-api 0.4',
      ]);
      const many = ['a', 'b', 'c'].map((name) => service(name, ['GET /users/{id}']));
      expect(calls('GET /users/{}', ...many)).to.deep.equal([]);
    });
  });
});
