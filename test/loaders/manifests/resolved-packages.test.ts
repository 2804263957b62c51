import { expect } from 'chai';
import { resolvedPackages } from '../../../loaders/manifests/resolved-packages.ts';
import type { Requirement } from '../../../src/model/snapshot.ts';
import { dedent } from '../../support/dedent.ts';

describe('loaders/manifests: what is locked', () => {
  const asks = (ecosystem: Requirement['ecosystem'], name: string, more: Partial<Requirement> = {}): Requirement => ({
    ecosystem,
    name,
    range: null,
    scope: 'runtime',
    path: 'manifest',
    line: null,
    imports: 0,
    ...more,
  });
  /** `NAME VERSION LICENCE SHIPPED: WAY`. */
  const locked = (files: Record<string, string>, requires: readonly Requirement[]) =>
    resolvedPackages(Object.keys(files), (path) => files[path] ?? null, requires).map(
      ({ name, version, license = '-', shipped = '-', via = ['-'] }) =>
        `${name} ${version} ${license} ${shipped}: ${via.join(' > ')}`,
    );

  it('package-lock.json: the version that Node finds from where it is asked for, and its licence', () => {
    const packages = {
      '': { name: 'shop', dependencies: { a: '1' }, devDependencies: { t: '1' } },
      'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '1', c: '1' } },
      'node_modules/a/node_modules/b': { version: '1.5.0', dependencies: { c: '1' } },
      'node_modules/b': { version: '2.0.0', license: 'GPL-3.0-only' },
      'node_modules/c': { version: '1.1.0', license: 'ISC' },
      'node_modules/t': { version: '1.0.0', dev: true, dependencies: { b: '2', c: '1' } },
      'node_modules/stray': { version: '9.0.0' },
    };
    const files = { 'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }) };
    expect(locked(files, [asks('npm', 'a'), asks('npm', 't', { scope: 'development' })])).to.deep.equal([
      'a 1.0.0 MIT true: a 1.0.0',
      'b 1.5.0 - true: a 1.0.0 > b 1.5.0',
      'b 2.0.0 GPL-3.0-only false: t 1.0.0 > b 2.0.0',
      'c 1.1.0 ISC true: a 1.0.0 > c 1.1.0',
      't 1.0.0 - false: t 1.0.0',
      'stray 9.0.0 - -: -',
    ]);
  });

  it('yarn.lock of both kinds, Cargo.lock, poetry.lock, uv.lock, composer.lock, Gemfile.lock', () => {
    const one = 'a 1.0.0 - true: a 1.0.0';
    const two = 'b 2.0.0 - true: a 1.0.0 > b 2.0.0';
    const yarn =
      '# yarn lockfile v1\n\n\na@^1:\n  version "1.0.0"\n  dependencies:\n    b "^2"\n\nb@^1:\n  version "1.9.0"\n\n"b@^2", b@~2:\n  version "2.0.0"\n';
    expect(locked({ 'yarn.lock': yarn }, [asks('npm', 'a')])).to.deep.equal([one, 'b 1.9.0 - -: -', two]);
    const berry =
      '__metadata:\n  version: 8\n\n"a@npm:^1":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  dependencies:\n    b: "npm:^2"\n  checksum: x\n\n"b@npm:^2":\n  version: 2.0.0\n  resolution: "b@npm:2.0.0"\n';
    expect(locked({ 'yarn.lock': berry }, [asks('npm', 'a')])).to.deep.equal([one, two]);
    const cargo = dedent`
      [[package]]
      name = "shop"
      version = "0.1.0"
      dependencies = ["a"]

      [[package]]
      name = "a"
      version = "1.0.0"
      source = "registry+x"
      dependencies = ["b 2.0.0 (registry+x)"]

      [[package]]
      name = "b"
      version = "1.9.0"
      source = "registry+x"

      [[package]]
      name = "b"
      version = "2.0.0"
      source = "registry+x"

    `;
    expect(locked({ 'Cargo.lock': cargo }, [asks('cargo', 'a')])).to.deep.equal([one, 'b 1.9.0 - -: -', two]);
    const poetry =
      '[[package]]\nname = "A"\nversion = "1.0.0"\n[package.dependencies]\nB = ">=2"\n\n[[package]]\nname = "b"\nversion = "2.0.0"\n';
    expect(locked({ 'poetry.lock': poetry }, [asks('pypi', 'a')])).to.have.length(2);
    const uv =
      'version = 1\n[[package]]\nname = "a"\nversion = "1.0.0"\nsource = { registry = "x" }\ndependencies = [{ name = "b" }]\n[[package]]\nname = "b"\nversion = "2.0.0"\nsource = { registry = "x" }\n';
    expect(locked({ 'uv.lock': uv }, [asks('pypi', 'a')])).to.deep.equal([one, two]);
    const composer = JSON.stringify({
      packages: [
        { name: 'x/a', version: 'v1.0.0', require: { php: '>=8', 'x/b': '^2' }, license: ['MIT', 'GPL-2.0-only'] },
        { name: 'x/b', version: '2.0.0', license: [] },
      ],
    });
    expect(locked({ 'composer.lock': composer }, [asks('composer', 'x/a')])).to.deep.equal([
      'x/a 1.0.0 MIT OR GPL-2.0-only true: x/a 1.0.0',
      'x/b 2.0.0 - true: x/a 1.0.0 > x/b 2.0.0',
    ]);
    const gems = 'GEM\n  remote: x\n  specs:\n    a (1.0.0)\n      b (~> 2.0)\n    b (2.0.0)\n';
    expect(locked({ 'Gemfile.lock': gems }, [asks('rubygems', 'a')])).to.deep.equal([one, two]);
  });

  it('a version that a manifest alone asks for counts where nothing locks its ecosystem', () => {
    const requires = [
      asks('maven', 'org.x:y', { range: '1.2.3', path: 'pom.xml' }),
      asks('maven', 'org.x:z', { range: '[1,2)', path: 'pom.xml' }),
      asks('npm', 'a', { range: '1.0.0' }),
    ];
    const files = {
      'pom.xml': '',
      'package-lock.json': '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.1"}}}',
    };
    expect(locked(files, requires)).to.deep.equal(['a 1.0.1 - true: a 1.0.1', 'org.x:y 1.2.3 - true: org.x:y 1.2.3']);
  });

  it('goes in circles only once, and reads a long chain', () => {
    const count = 3_000;
    const packages = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `node_modules/p${n}`,
        { version: '1.0.0', dependencies: { [`p${(n + 1) % count}`]: '1' } },
      ]),
    );
    const files = { 'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }) };
    const ways = locked(files, [asks('npm', 'p0')]);
    expect(ways.filter((each) => each.includes(': p0 1.0.0'))).to.have.length(count);
    expect(ways.at(-1)?.split(' > ')).to.have.length(64);
  });
});
