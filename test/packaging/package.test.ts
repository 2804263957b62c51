import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parseSync, Visitor } from 'oxc-parser';
import { languages } from '../../loaders/languages/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { runProgram } from '../support/cli.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import { machineAt, packInto, programsIn, unpackBesideDependencies } from '../support/package.ts';

/** What its imports lead to, as written. */
function importsOf(path: string, program: string): string[] {
  const { module } = parseSync(path, program);
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => program.slice(start, end));
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...dynamic.flatMap((argument) => /^'(.*)'$/.exec(argument)?.[1] ?? []),
  ];
}

describe('the package', () => {
  let folder: string;
  let tarball: string;
  let root: string;
  before(() => {
    folder = temporaryFolder();
    tarball = packInto(folder);
    root = unpackBesideDependencies(tarball, folder);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is at most 25 MB, and brings no sources in TypeScript and no native ones', () => {
    expect(statSync(tarball).size).to.be.lessThan(25e6);
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => /\.(?:tsx?|node|cc?|h|gyp)$/.test(name))).to.deep.equal([]);
  });

  it('imports what it brings, and what package.json says that it depends on', () => {
    const wrong: string[] = [];
    for (const [path, program] of programsIn(root)) {
      // What the browser is sent was bundled.
      if (/dist\/explorer|assets\//.test(path)) continue;
      for (const specifier of importsOf(path, program)) {
        const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
        const isThere = specifier.startsWith('.')
          ? existsSync(join(root, dirname(path), specifier))
          : isBuiltin(specifier) || name in packageJson.dependencies;
        if (!isThere) wrong.push(`${path}: ${specifier}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('asks for nothing that a module of CommonJS has and a bundle has not', () => {
    const wrong: string[] = [];
    for (const [path, program] of programsIn(root)) {
      if (/dist\/explorer|assets\//.test(path)) continue;
      if (!/\b__(?:file|dir)name\b/.test(program)) continue;
      new Visitor({
        Identifier({ name }) {
          if (/^__(?:file|dir)name$/.test(name)) wrong.push(path);
        },
      }).visit(parseSync(path, program).program);
    }
    expect(wrong).to.deep.equal([]);
  });

  it('has no file that can not be imported, also of those that only a seldom command needs', () => {
    const shared = join(root, 'dist/package/shared');
    const program = `import { readdirSync } from 'node:fs';
      for (const name of readdirSync('.')) await import(process.cwd() + '/' + name).catch((error) => console.log(name + ': ' + error.message));`;
    const options = { cwd: shared, encoding: 'utf8', env: machineAt(folder, []) } as const;
    expect(readdirSync(shared)).to.have.length.above(100);
    expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], options)).to.equal('');
  });

  it('starts no thread and reads no file that is not there', () => {
    const wrong: string[] = [];
    for (const [path, program] of programsIn(root))
      for (const [, file = ''] of program.matchAll(/new URL\(\s*'(\.\.?\/[^']+)', import\.meta\.url/g))
        if (!path.includes('explorer') && !existsSync(join(root, dirname(path), file))) wrong.push(`${path}: ${file}`);
    expect(wrong).to.deep.equal([]);
  });

  it('has the grammar of each language, the explorer and the pages of the documentation', () => {
    const assets = readdirSync(join(root, 'dist/package/assets'));
    expect(assets).to.include.members(languages.map(({ grammar }) => grammar.replace(/.*\//, '')));
    expect(assets).to.include.members(['swagger-ui.css', 'swagger-ui-bundle.js']);
    expect(readFileSync(join(root, 'dist/package/dist/explorer/index.html'), 'utf8')).to.include('<script');
  });

  it('says under which licence what it brings of others is', async () => {
    const app = await Array.fromAsync(glob('src/explorer/app/**/*.{ts,tsx}'), (path) => readFileSync(path, 'utf8'));
    const specifiers = [
      ...languages.map(({ grammar }) => grammar),
      ...app.flatMap((source) => [...source.matchAll(/from '([^.'][^']*)'/g)].map(([, specifier = '']) => specifier)),
      'swagger-ui-dist',
    ];
    const names = new Set(specifiers.flatMap((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []));
    expect(names).to.include.all.keys('preact', 'tree-sitter-scala');
    const notices = readFileSync(join(root, 'THIRD-PARTY-NOTICES'), 'utf8');
    expect([...names].filter((name) => !notices.includes(` - ${name}@`))).to.deep.equal([]);
  });

  it('runs below node_modules, from any folder, and writes nothing but into the folder of the user', async () => {
    using repository = gitRepository({
      files: { 'a.py': 'def f():\n    return g()\n\ndef g():\n    return 1\n', 'b.kt': 'fun f() = g()\nfun g() = 1\n' },
    });
    const machine = machineAt(folder, []);
    const program = { launcher: join(root, 'src/cli/repo-intel.js'), cwd: repository.path };
    const { version } = packageJson;
    expect(await runProgram(program, ['--version'], machine)).to.deep.equal({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
    const edgesFile = join(folder, 'edges.jsonl');
    const { code, stderr } = await runProgram(program, ['analyze', '.', '--edges', edgesFile], machine);
    expect(code, stderr).to.equal(0);
    const edges = readFileSync(edgesFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    expect(edges.filter(({ type }) => type === 'CALLS').map(({ from, to }) => `${from} ${to}`)).to.have.members([
      'a.py:1 a.py:4',
      'b.kt:1 b.kt:2',
    ]);
    expect(repository.git('status', '--porcelain', '--ignored')).to.equal('');
    expect(readdirSync(join(folder, 'tmp'))).to.deep.equal([]);
    expect(readdirSync(join(folder, 'home'))).to.deep.equal(['.local']);
    expect(readdirSync(join(folder, 'home/.local/share'))).to.deep.equal(['repo-intel']);
  });
});
