import { expect } from 'chai';
import { analyze } from '../../../loaders/analyze.ts';
import type { Snapshot } from '../../../src/model/snapshot.ts';
import { gitRepository } from '../../support/git-repository.ts';

const sarif = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'scanner' } },
      results: [
        {
          ruleId: 'sql',
          level: 'error',
          locations: [{ physicalLocation: { artifactLocation: { uri: 'app.js' }, region: { startLine: 5 } } }],
        },
      ],
    },
  ],
};

describe('endpoints, models, frameworks and security patterns of a repository', () => {
  let snapshot: Snapshot;
  before(async () => {
    using repository = gitRepository({
      files: {
        'package.json':
          '{"name": "shop", "dependencies": {"express": "^4.18.0"}, "devDependencies": {"mocha": "11.0.0"}}',
        'package-lock.json':
          '{"lockfileVersion": 3, "packages": {"": {}, "node_modules/express": {"version": "4.18.3"}}}',
        'src/view.py': 'import flask\nfrom flask import request\n',
        // Not imported here: the manifest says that it is used.
        'app.js':
          "module.exports = (app) => {\n  app.get('/users/:id', show);\n};\nfunction show(req, res) {\n  return eval(req.id);\n}\n",
        'schema.prisma': 'model User {\n  id Int @id\n}\n',
        'test/app.test.js': "app.get('/only/tested', check);\nfunction check() {}\n",
        'key.js': `const token = '${['ghp', 'R8fJ2kLmN4pQ7sTvW1xYzA3bC5dE6gH9iK0o'].join('_')}';\n`,
        'a/type.go': 'package a\ntype Cart struct{}\n',
        'a/method.go': 'package a\nfunc (c *Cart) Pay() {}\n',
        Dockerfile: 'FROM node:24.1.0\nRUN true\n',
        'bin/tool.exe': new Uint8Array([77, 90, 0, 1, 2]),
        'report.sarif': JSON.stringify(sarif),
      },
    });
    ({ snapshot } = await analyze(repository.path, { name: 'shop' }));
  });

  const named = (name: string) => {
    const node = [...snapshot.nodes].find((each) => each.name === name);
    if (!node) throw new Error(`There is no node ${name}.`);
    return node;
  };
  const edgesOf = (id: string) =>
    [...snapshot.edges]
      .filter(({ from, to }) => from === id || to === id)
      .map(({ type, from, to }) => (from === id ? `${type} ${to}` : `${from} ${type}`));

  it('an endpoint is a node that its repository contains and that calls its handler', () => {
    const endpoint = named('GET /users/{id}');
    expect(endpoint).deep.includes({
      id: 'shop/app.js#endpoint:GET /users/{id}',
      type: 'Endpoint',
      kind: 'express',
      repository: 'shop',
      path: 'app.js',
      line: 2,
      language: 'javascript',
      properties: { method: 'GET', path: '/users/{id}', framework: 'Express' },
    });
    expect(edgesOf(endpoint.id)).deep.equals(['shop CONTAINS', 'CALLS shop/app.js#show']);
    expect(named('GET /only/tested').properties).includes({ test: true });
  });

  it('a schema is read for its models, though it is no source code', () => {
    expect(named('User')).deep.includes({ type: 'DataModel', kind: 'prisma', path: 'schema.prisma', line: 1 });
  });

  it('a framework is told by a manifest, with the version of the lockfile, or by who imports it', () => {
    const { type, kind, path, properties } = named('Express');
    expect([type, kind, path]).deep.equals(['Framework', 'web', 'package.json']);
    expect(properties).deep.equals({
      version: '4.18.3',
      range: '^4.18.0',
      package: 'express',
      ecosystem: 'npm',
      scope: 'runtime',
      importing_files: 0,
    });
    expect(named('Flask')).deep.includes({
      path: 'src/view.py',
      line: 1,
      properties: { version: null, importing_files: 1 },
    });
    expect(named('Mocha').properties).includes({ version: '11.0.0', scope: 'development' });
  });

  it('what is insecure is a node with weakness, severity and message, in the symbol around it', () => {
    const patterns = [...snapshot.nodes].filter(({ type }) => type === 'SecurityPattern');
    expect(
      patterns.map(({ name, kind, path, line, properties }) => [
        name,
        kind,
        path,
        line,
        properties['cwe'],
        properties['severity'],
      ]),
    ).deep.equals([
      ['github', 'secret', 'key.js', 1, 'CWE-798', 'high'],
      ['binary_artifact', 'binary', 'bin/tool.exe', null, 'CWE-506', 'medium'],
      ['dockerfile_root', 'insecure_pattern', 'Dockerfile', 1, 'CWE-250', 'medium'],
      ['scanner: sql (error)', 'insecure_pattern', 'app.js', 5, 'CWE-710', 'high'],
      ['no_security_policy', 'insecure_pattern', null, null, 'CWE-1059', 'low'],
      ['ecmascript_code_from_data', 'insecure_code', 'app.js', 5, 'CWE-95', 'medium'],
    ]);
    for (const { doc } of patterns) expect(doc).to.match(/^[A-Z].+\.$/);
    expect(edgesOf(named('scanner: sql (error)').id)).deep.equals(['shop CONTAINS', 'shop/app.js#show CONTAINS']);
    expect(JSON.stringify(snapshot)).not.include('R8fJ2kLmN4pQ7sTvW1xYzA3bC5dE6gH9iK0o');
  });

  it('the repository says how complete its graph is', () => {
    expect(named('shop').properties['completeness']).deep.equals({
      ...snapshot.repository.completeness,
      skipped_by_reason: { binary: 1, generated: 1 },
    });
    expect(snapshot.repository.completeness).includes({
      files: 12,
      files_parsed: 6,
      files_skipped: 2,
    });
  });

  it('a method that is written apart from its class, in another file, is contained in it', () => {
    expect(edgesOf('shop/a/method.go#Cart.Pay')).deep.equals(['shop/a/type.go#Cart CONTAINS']);
  });

  it('no node is there twice, and no edge leads nowhere', () => {
    const ids = Array.from(snapshot.nodes, ({ id }) => id);
    expect(new Set(ids).size).equals(ids.length);
    for (const { from, to } of snapshot.edges) expect(ids).includes.members([from, to]);
  });
});
