import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readManifests } from '../../../loaders/manifests/read-manifests.ts';
import { openSnapshot } from '../../../loaders/snapshot/open-snapshot.ts';
import { withCpuTime } from '../../support/cpu-time.ts';
import { gitRepository, type FileContent } from '../../support/git-repository.ts';
import { dedent } from '../../support/dedent.ts';

describe('loaders/manifests', () => {
  const manifests = async (files: Record<string, FileContent>) => {
    using repository = gitRepository({ files });
    return await readManifests(await openSnapshot(repository.path));
  };
  const published = async (files: Record<string, FileContent>) =>
    (await manifests(files)).publishes.map(({ ecosystem, name }) => `${ecosystem} ${name}`);
  /** `name range scope line` of each requirement. */
  const required = async (files: Record<string, FileContent>) =>
    (await manifests(files)).requires.map(({ name, range, scope, line }) => `${name} ${range} ${scope} ${line}`);

  it('package.json: four scopes, aliases, the line of each', async () => {
    const text = `{
  "name": "@acme/app", "scripts": { "koa": "^3.0.0" },
  "dependencies": {
    "koa": "^3.0.0",
    "lodash4": "npm:lodash@^4.17.0",
    "local": "workspace:*"
  },
  "devDependencies": { "mocha": "12.x" },
  "optionalDependencies": { "fsevents": "*" },
  "peerDependencies": { "react": ">=18", "koa": ">=2" }
}`;
    expect(await published({ 'package.json': text })).to.deep.equal(['npm @acme/app']);
    const found = await manifests({ 'package.json': text });
    expect(found.requires.map(({ name, range, scope }) => [name, range, scope])).to.deep.equal([
      ['koa', '^3.0.0', 'runtime'],
      ['lodash', '^4.17.0', 'runtime'],
      ['local', 'workspace:*', 'runtime'],
      ['mocha', '12.x', 'development'],
      ['fsevents', '*', 'optional'],
      ['react', '>=18', 'peer'],
    ]);
    expect(found.requires.slice(1).map(({ line }) => line)).to.deep.equal([5, 6, 8, 9, 10]);
    expect(found.requires[0]).to.include({ ecosystem: 'npm', path: 'package.json', imports: 0 });
  });

  it('keeps every package of a workspace, and none of an example or a test', async () => {
    const files = {
      'package.json': '{"private": true, "workspaces": ["packages/*"]}',
      'packages/a/package.json': '{"name": "a", "dependencies": {"b": "workspace:^"}}',
      'packages/b/package.json': '{"name": "b"}',
      'examples/web/package.json': '{"name": "example", "dependencies": {"a": "1"}}',
      'test/fixture/package.json': '{"name": "fixture"}',
      'node_modules/c/package.json': '{"name": "c"}',
      'packages/a/deep/package.json': '{"name": "a/deep", "main": "./x.js"}',
    };
    expect(await published(files)).to.deep.equal(['npm a', 'npm b']);
    expect(await required(files)).to.deep.equal(['a 1 development 1', 'b workspace:^ runtime 1']);
  });

  it('pyproject.toml: PEP 621, extras, dependency groups, names as PyPI compares them', async () => {
    const text = `[build-system]
requires = ["hatchling"]
[project]
name = "Flask_SQL.Alchemy"
dependencies = [
  "Flask>=2.2.5",
  "SQLAlchemy[asyncio] >= 2.0.16 ; python_version >= '3.8'",
  "plain",
  "direct @ https://example.com/direct.zip",
]
[project.optional-dependencies]
async = ["asgiref~=3.2"]
test = ["pytest"]
[dependency-groups]
lint = ["ruff==0.1", {include-group = "x"}]
`;
    expect(await published({ 'pyproject.toml': text })).to.deep.equal(['pypi flask-sql-alchemy']);
    expect(await required({ 'pyproject.toml': text })).to.deep.equal([
      'flask >=2.2.5 runtime 6',
      'sqlalchemy >=2.0.16 runtime 7',
      'plain null runtime 8',
      'direct null runtime 9',
      'asgiref ~=3.2 optional 12',
      'pytest null development 13',
      'ruff ==0.1 development 15',
      'hatchling null development 2',
    ]);
  });

  it('Poetry and Pipenv', async () => {
    const poetry = `[tool.poetry]
name = "My.App"
[tool.poetry.dependencies]
python = "^3.9"
requests = "^2.31"
redis = { version = "^5", optional = true }
[tool.poetry.group.dev.dependencies]
pytest = "^8"
`;
    expect(await published({ 'pyproject.toml': poetry })).to.deep.equal(['pypi my-app']);
    expect(await required({ 'pyproject.toml': poetry })).to.deep.equal([
      'requests ^2.31 runtime 5',
      'redis ^5 optional 6',
      'pytest ^8 development 8',
    ]);
    expect(
      await required({
        Pipfile: dedent`
        [packages]
        flask = "*"
        [dev-packages]
        "black" = {version = "==24"}

      `,
      }),
    ).to.deep.equal(['flask * runtime 2', 'black ==24 development 4']);
  });

  it('requirements files, by any of their names', async () => {
    const text = `# Comment
-r base.txt
--index-url https://example.com/simple
Django>=4.2,<5  # why
requests[socks]==2.31.0 \\
    --hash=sha256:abc
-e git+https://example.com/x.git#egg=Editable_Thing
./local/folder
https://example.com/x.zip
zope.interface
`;
    expect(await required({ 'requirements.txt': text })).to.deep.equal([
      'django >=4.2,<5 runtime 4',
      'requests ==2.31.0 runtime 5',
      'editable-thing null runtime 7',
      'zope-interface null runtime 10',
    ]);
    for (const path of ['requirements-dev.txt', 'dev-requirements.in', 'requirements/test.txt'])
      expect(await required({ [path]: 'a==1' }), path).to.deep.equal(['a ==1 development 1']);
    expect(await required({ 'notes.txt': 'a==1' })).to.deep.equal([]);
  });

  it('setup.cfg and setup.py, as far as they are written down', async () => {
    const cfg = `[metadata]
name = my_package
[options]
install_requires =
    attrs>=19
    # comment
    six; python_version < "3"
[options.extras_require]
docs = sphinx
`;
    expect(await published({ 'setup.cfg': cfg })).to.deep.equal(['pypi my-package']);
    expect(await required({ 'setup.cfg': cfg })).to.deep.equal([
      'attrs >=19 runtime 5',
      'six null runtime 7',
      'sphinx null development 9',
    ]);
    const py = `from setuptools import setup
REQUIRES = [
    "numpy>=1.20",  # comment
    'scipy',
]
setup(
    name='Sci_Thing',
    version=read_version(),
    install_requires=REQUIRES,
    tests_require=["pytest"],
)
`;
    expect(await published({ 'setup.py': py })).to.deep.equal(['pypi sci-thing']);
    expect(await required({ 'setup.py': py })).to.deep.equal([
      'numpy >=1.20 runtime 3',
      'scipy null runtime 4',
      'pytest null development 10',
    ]);
    expect(await manifests({ 'setup.py': 'setup(name=NAME, install_requires=read("x"))' })).to.deep.include({
      publishes: [],
      requires: [],
    });
  });

  it('a wheel’s METADATA', async () => {
    const text = `Metadata-Version: 2.3
Name: Flask
Summary: A simple framework
Requires-Dist: blinker>=1.9.0
Requires-Dist: importlib-metadata>=3.6.0; python_version < '3.10'
Requires-Dist: asgiref>=3.2 ; extra == "async"
Requires-Dist: old (>=1.0)
Project-URL: Source, https://github.com/pallets/flask/

Requires-Dist: not-a-header
`;
    const path = 'flask-3.1.3.dist-info/METADATA';
    expect(await published({ [path]: text })).to.deep.equal(['pypi flask']);
    expect(await required({ [path]: text })).to.deep.equal([
      'blinker >=1.9.0 runtime 4',
      'importlib-metadata >=3.6.0 runtime 5',
      'asgiref >=3.2 optional 6',
      'old >=1.0 runtime 7',
    ]);
    expect((await manifests({ [path]: text })).description).to.include({
      description: 'A simple framework',
      homepage: 'https://github.com/pallets/flask/',
    });
  });

  it('go.mod: major suffix kept, indirect ones left out', async () => {
    const text = `module github.com/go-chi/chi/v5 // comment

go 1.22

require github.com/single/one v1.0.0
require (
	github.com/spf13/cobra v1.8.0
	"gopkg.in/yaml.v3" v3.0.1
	golang.org/x/sys v0.1.0 // indirect
)
replace github.com/spf13/cobra => ../cobra
`;
    expect(await published({ 'go.mod': text })).to.deep.equal(['go github.com/go-chi/chi/v5']);
    expect(await required({ 'go.mod': text })).to.deep.equal([
      'github.com/single/one v1.0.0 runtime 5',
      'github.com/spf13/cobra v1.8.0 runtime 7',
      'gopkg.in/yaml.v3 v3.0.1 runtime 8',
    ]);
  });

  it('pom.xml: parents, properties, managed versions, scopes', async () => {
    const text = `<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>com.acme</groupId><artifactId>parent</artifactId><version>7</version></parent>
  <artifactId>app</artifactId>
  <name>App &amp; more</name>
  <properties><guava.version>33.0</guava.version><g>com.google.guava</g></properties>
  <dependencyManagement><dependencies>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId><version>2.0.1</version></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <dependency><groupId>\${g}</groupId><artifactId>guava</artifactId><version>\${guava.version}</version></dependency>
    <dependency><groupId>\${project.groupId}</groupId><artifactId>core</artifactId><version>\${project.version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId></dependency>
    <dependency>
      <groupId>junit</groupId>
      <artifactId>junit</artifactId>
      <version>\${elsewhere}</version><scope>test</scope>
    </dependency>
  </dependencies>
</project>`;
    expect(await published({ 'pom.xml': text })).to.deep.equal(['maven com.acme:app']);
    expect(await required({ 'pom.xml': text })).to.deep.equal([
      'com.acme:parent 7 development 3',
      'com.google.guava:guava 33.0 runtime 11',
      'com.acme:core 7 runtime 12',
      'org.slf4j:slf4j-api 2.0.1 runtime 13',
      'junit:junit null development 16',
    ]);
  });

  it('Gradle: coordinates in quotes, and the version catalog', async () => {
    const text = `plugins { id 'java' }
group = 'com.acme'
archivesBaseName = 'tool'
dependencies {
    implementation 'com.google.guava:guava:33.0'
    api("org.slf4j:slf4j-api:$slf4j")
    testImplementation group: 'junit', name: 'junit', version: '4.13'
    implementation project(':core')
}
`;
    expect(await published({ 'build.gradle': text })).to.deep.equal(['maven com.acme:tool']);
    expect(await required({ 'build.gradle': text })).to.have.members([
      'com.google.guava:guava 33.0 runtime 5',
      'org.slf4j:slf4j-api null runtime 6',
      'junit:junit 4.13 development 7',
    ]);
    const catalog = `[versions]\nkotlin = "2.0"\n[libraries]\nstdlib = { module = "org.jetbrains.kotlin:kotlin-stdlib", version.ref = "kotlin" }\nokio = "com.squareup.okio:okio:3.9"\n`;
    expect(await required({ 'gradle/libs.versions.toml': catalog })).to.deep.equal([
      'org.jetbrains.kotlin:kotlin-stdlib 2.0 runtime 4',
      'com.squareup.okio:okio 3.9 runtime 5',
    ]);
  });

  it('Cargo.toml: renamed, optional, by target and inherited', async () => {
    const text = `[package]
name = "my_crate"
[dependencies]
serde = { version = "1", optional = true }
rand = "0.8"
js = { package = "wasm-bindgen", version = "0.2" }
shared = { workspace = true }
[dev-dependencies]
criterion = "0.5"
[target.'cfg(unix)'.dependencies]
libc = "0.2"
[workspace.dependencies]
shared = "3"
`;
    expect(await published({ 'Cargo.toml': text })).to.deep.equal(['cargo my_crate']);
    expect(await required({ 'Cargo.toml': text })).to.deep.equal([
      'serde 1 optional 4',
      'rand 0.8 runtime 5',
      'wasm-bindgen 0.2 runtime 6',
      'shared 3 runtime 7',
      'criterion 0.5 development 9',
      'libc 0.2 runtime 11',
    ]);
  });

  it('composer.json: two scopes, without PHP itself', async () => {
    const text = `{
  "name": "Acme/App", "license": ["MIT", "GPL-2.0"],
  "require": {
    "php": ">=8.1", "ext-json": "*",
    "Monolog/monolog": "^3.0"
  },
  "require-dev": { "phpunit/phpunit": "11.*" }
}`;
    expect(await published({ 'composer.json': text })).to.deep.equal(['composer acme/app']);
    expect(await required({ 'composer.json': text })).to.deep.equal([
      'monolog/monolog ^3.0 runtime 5',
      'phpunit/phpunit 11.* development 7',
    ]);
  });

  it('gemspec and Gemfile: ranges, groups, development', async () => {
    const gemspec = `Gem::Specification.new do |spec|
  spec.name = "my-gem"
  spec.summary = 'A gem'
  spec.add_dependency "rack", ">= 2.0", "< 4"
  spec.add_runtime_dependency('tilt', ['~> 2.0'])
  spec.add_development_dependency "rake"
end
`;
    const gemfile = `source "x"
gem 'rails', '~> 7.0' # the framework
gem "pry", group: :development
group :test, :ci do
  gem 'rspec', require: false
end
gem 'puma', git: 'x', branch: '1'
`;
    const files = { 'my.gemspec': gemspec, Gemfile: gemfile };
    expect(await published(files)).to.deep.equal(['rubygems my-gem']);
    expect((await required(files)).sort()).to.deep.equal([
      'pry null development 3',
      'puma null runtime 7',
      'rack >= 2.0, < 4 runtime 4',
      'rails ~> 7.0 runtime 2',
      'rake null development 6',
      'rspec null development 5',
      'tilt ~> 2.0 runtime 5',
    ]);
  });

  it('.NET projects: what they publish, private references, test projects, packages.config', async () => {
    const project = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><PackageId>Acme.Core</PackageId><PackageTags>a;b</PackageTags></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Newtonsoft.Json" Version="13.0.1" />
    <PackageReference Include="StyleCop" Version="1.2" PrivateAssets="all" />
    <PackageReference Include="Central" />
    <PackageReference Include="Variable"><Version>$(X)</Version></PackageReference>
  </ItemGroup>
</Project>`;
    const tests =
      '<Project><ItemGroup><PackageReference Include="Microsoft.NET.Test.Sdk" Version="17" /></ItemGroup></Project>';
    const old = dedent`
        <packages>
        <package id="Old.One" version="1.0" />
        <package id="Tool" version="2" developmentDependency="true" />
        </packages>
      `;
    const files = {
      'src/Core.csproj': project,
      'checks/Checks.csproj': tests,
      'old/packages.config': old,
      'src/Plain.fsproj': '<Project/>',
    };
    expect((await published(files)).sort()).to.deep.equal(['nuget Acme.Core', 'nuget Plain']);
    expect((await required(files)).sort()).to.deep.equal([
      'Central null runtime 6',
      'Microsoft.NET.Test.Sdk 17 development 1',
      'Newtonsoft.Json 13.0.1 runtime 4',
      'Old.One 1.0 runtime 2',
      'StyleCop 1.2 development 5',
      'Tool 2 development 3',
      'Variable null runtime 7',
    ]);
  });

  it('hostile or broken ones are a warning each, and all others are read', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 12 }, (_, i) => `<!ENTITY a${i} "${`&a${i - 1 < 0 ? '' : i - 1};`.repeat(10)}">`).join('')}]>`;
    const broken = {
      'a/package.json': '{"name": "broken", ',
      'b/package.json': '[1, 2]',
      'c/package.json': '{"name": 5, "dependencies": ["x"], "devDependencies": {"": 3}, "keywords": {"a": 1}}',
      'd/package.json': '{"name":"proto","dependencies":{"__proto__":"1","constructor":"2"}}',
      'e/package.json': '['.repeat(100_000),
      'a/pyproject.toml': '[project\nname=',
      'b/pyproject.toml': `x = ${'['.repeat(50_000)}`,
      'c/pyproject.toml': dedent`
        [project]
        name = 7
        dependencies = "not a list ["

      `,
      'a/pom.xml': '<project><artifactId>x',
      'b/pom.xml': `${bomb}<project><groupId>&a11;</groupId><artifactId>&a11;</artifactId></project>`,
      'c/pom.xml':
        '<project><groupId>${a}</groupId><artifactId>x</artifactId><properties><a>${b}${b}</a><b>${a}${a}</b></properties></project>',
      'd/pom.xml': '<a>'.repeat(50_000),
      'a/Cargo.toml': '\0\0\0',
      'a/composer.json': '{"require": [',
      'a/a.csproj': `${bomb}<Project><PropertyGroup><PackageId>&a11;</PackageId></PropertyGroup></Project>`,
      'b/a.csproj': '<Project><ItemGroup>'.repeat(20_000),
      'a/Gemfile': `gem 'x', ${"'1', ".repeat(50_000)}`,
      'a/go.mod': 'module\nrequire (\n',
      'a/setup.py': `setup(name='x', install_requires=[${'"a", '.repeat(1_000)}`,
      'b/setup.py': `${'\n'.repeat(300_000)}setup(`,
      'a/setup.cfg': '[metadata\nname',
      'a/requirements.txt': `${'a-'.repeat(100_000)}\n${'['.repeat(100_000)}`,
      'a/build.gradle': 'implementation '.repeat(20_000),
      'f/package.json': `{"dependencies": {${Array.from({ length: 20_000 }, (_, i) => `"p${i}": "${i}"`).join(',\n')}}}`,
      'README.md': `${'<'.repeat(5_000)}${'!['.repeat(5_000)}${' '.repeat(30_000)}===`,
    };
    using repository = gitRepository({ files: { ...broken, 'package.json': '{"name": "fine"}' } });
    const snapshot = await openSnapshot(repository.path);
    const { value: found, ms } = await withCpuTime(() => readManifests(snapshot));
    expect(ms, 'ms').to.be.below(3_000);
    const names = found.publishes.map(({ name }) => name);
    expect(names).to.include('fine').and.not.include('broken');
    expect(names.every((name) => name.length < 200 && !/[&$]/.test(name))).to.equal(true);
    const warned = found.warnings.map((warning) => /"(.*?)"/.exec(warning)?.[1]);
    expect(warned).to.include.members([
      'a/package.json',
      'e/package.json',
      'a/pyproject.toml',
      'b/pyproject.toml',
      'a/Cargo.toml',
    ]);
    expect(warned).not.to.include('package.json');
    expect(found.requires.filter(({ path }) => path === 'd/package.json').map(({ name }) => name)).to.deep.equal([
      '__proto__',
      'constructor',
    ]);
    expect(found.requires.find(({ name }) => name === 'p19999')).to.include({ line: 20_000 });
  });

  it('say what the repository is: the manifest nearest to the root, then the README', async () => {
    const readme = `<p align="center"><img src="x.png"></p>

[![Of the docs]][docs] [![Of the build][build]](https://ci)

[![Build](https://ci/x.svg)](https://ci) ![Badge](y.svg)

# Title

> Quote

A *fast* web **framework** for [Node](https://nodejs.org),
with \`async\` functions. It does <b>much</b>.

## Install
`;
    expect((await manifests({ 'README.md': readme })).description).to.deep.equal({
      readme: 'A fast web framework for Node, with async functions. It does much.',
      description: 'A fast web framework for Node, with async functions. It does much.',
    });
    const files = {
      'README.rst': 'Title\n=====\n\n.. image:: x.png\n   :alt: y\n\nThe first paragraph of prose,\non two lines.\n',
      'package.json': '{"description": "From the root", "license": "MIT", "keywords": ["a", "b"]}',
      'sub/package.json': '{"description": "From below", "homepage": "https://x.org"}',
    };
    expect((await manifests(files)).description).to.deep.equal({
      description: 'From the root',
      license: 'MIT',
      topics: ['a', 'b'],
      homepage: 'https://x.org',
      readme: 'The first paragraph of prose, on two lines.',
    });
    expect((await manifests({ 'a.py': '' })).description).to.deep.equal({});
    const mit = await readFile(new URL('../../../node_modules/koa/LICENSE', import.meta.url), 'utf8');
    const licensed = async (manifest: object, path = 'package.json') =>
      (await manifests({ LICENSE: mit, [path]: JSON.stringify(manifest) })).description.license;
    expect(await licensed({})).to.equal('MIT');
    expect(await licensed({ license: 'ISC' })).to.equal('ISC');
    expect(await licensed({ license: 'SEE LICENSE IN LICENSE' })).to.equal('MIT');
    expect(await licensed({ license: 'ISC' }, 'website/package.json')).to.equal('MIT');
    const below = { 'README.md': readme, 'website/package.json': '{"description": "The site"}' };
    expect((await manifests(below)).description.description).to.match(/^A fast web framework/);
  });

  for (const [what, readme, said] of [
    [
      'with its title, and no release',
      '# Gin Web Framework\n\n## 📰 Gin 1.12.0 is now available!\n\nIt brings many new features.\n\n---\n\nGin is an HTTP framework written in Go.\n',
      'Gin Web Framework: Gin is an HTTP framework written in Go.',
    ],
    [
      'without a sentence that announces one',
      "# Gin\n\nWe're excited to announce the release of Gin 2!\n\nGin is an HTTP framework.\n",
      'Gin is an HTTP framework.',
    ],
    [
      'behind its news',
      '# Ship\n\n## News\n\nShip runs on more machines than before.\n\n## About\n\nShip carries software to servers.\n',
      'Ship carries software to servers.',
    ],
    ['that a release is all of', '# Gin\n\nWe are happy to announce the release of Gin 2!\n', undefined],
    [
      'below a title that is underlined',
      dedent`
        ripgrep (rg)
        ------------
        ripgrep is a search tool for lines.

      `,
      'ripgrep is a search tool for lines.',
    ],
    [
      'behind a list of its headings',
      '# Node Version Manager\n\n- [Intro](#intro)\n- [About nvm](#about)\n\nnvm installs versions of node.\n',
      'Node Version Manager: nvm installs versions of node.',
    ],
    [
      'behind a sentence that leads elsewhere',
      'OkHttp\n======\n\nSee the [project website][okhttp] for documentation and APIs.\n\nHTTP is how applications network.\n',
      'HTTP is how applications network.',
    ],
    [
      'behind code with empty lines',
      '# A\n\n```js\nconst first = load();\n\nconst other = first.next();\n```\n\nA loads things one by one.\n',
      'A loads things one by one.',
    ],
    [
      'and no later heading',
      'A store of many data structures.\n\n# Inner workings of it\n\nIt is fast.\n',
      'A store of many data structures.',
    ],
    [
      'that tells of releases as its subject',
      '# Ship\n\nShip writes a changelog and release notes of what is new.\n',
      'Ship writes a changelog and release notes of what is new.',
    ],
  ] as const)
    it(`say what a README says: ${what}`, async () => {
      expect((await manifests({ 'README.md': readme })).description.description).to.equal(said);
    });

  it('come with all paths of the snapshot and the texts of its module settings', async () => {
    const files = {
      'package.json': '{}',
      'tsconfig.json': '{"compilerOptions": {}}',
      'src/a.ts': 'source',
      'vendor/x.go': '',
      link: { symlink: 'src' },
      'node_modules/b/package.json': '{}',
    };
    const found = await manifests(files);
    expect(found.paths).to.deep.equal([
      'node_modules/b/package.json',
      'package.json',
      'src/a.ts',
      'tsconfig.json',
      'vendor/x.go',
    ]);
    expect(found.text('tsconfig.json')).to.equal('{"compilerOptions": {}}');
    expect(found.text('src/a.ts')).to.equal(null);
  });
});
