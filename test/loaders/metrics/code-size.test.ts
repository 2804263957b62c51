import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { classifyLines } from '../../../loaders/languages/reading/classify-lines.ts';
import { commentSyntax } from '../../../loaders/languages/reading/comment-syntax.ts';
import { gitRepository } from '../../support/git-repository.ts';
import { commits, metricsOf, metricsOfFiles, weekly } from './metrics-of.ts';

describe('metrics: code', () => {
  const kinds = (language: string, ...lines: string[]) =>
    Array.from(classifyLines(lines.join('\n'), commentSyntax(language)), (kind) => ' #c'[kind]).join('');

  it('tells code, comments and blank lines apart in each language’s own way', () => {
    expect(
      kinds('JavaScript', 'a(); // x', '/* a', '', 'b */', '/* a */ b();', '// c', '', '"// d"', '`', '// e', '`'),
    ).to.equal('c###c# cccc');
    expect(kinds('Python', '"""Doc', '', 'more"""', 'x = """not', 'a doc"""', '# y', "z = '#'", '')).to.equal(
      '###cc#c',
    );
    expect(kinds('Rust', '/* a /* b */', 'c */', 'fn main() {}')).to.equal('##c');
    expect(kinds('Java', '/* a /* b */', 'c();')).to.equal('#c');
    expect(kinds('Lua', '-- a', '--[[ b', 'c ]]', 'd()')).to.equal('###c');
    expect(kinds('Ruby', '=begin', 'x', '=end', 'puts "#{a}"')).to.equal('###c');
    expect(kinds('A language that nobody knows', '# a', '', 'b')).to.equal('c c');
    expect(kinds('C', 'a = "\\"/*";', 'b;', '\t', 'c;')).to.equal('cc c');
  });

  it('is code under any name that says no language', async () => {
    const code = `const fs = require('fs');\n\nexports.read = function read(path) {\n  if (path === '') {\n    return null;\n  }\n${'  fs.readFileSync(path);\n'.repeat(9)}  return path;\n};\n`;
    const prose = `${'Read what const and function are for, and return.\n'.repeat(20)}require('fs')\n`;
    const { metric } = await metricsOfFiles({
      'src/a.dat': code,
      'src/b.txt': code,
      'src/c.js': code,
      'src/prose.txt': prose,
      'src/data.csv': 'a;b\n1;2\n'.repeat(50),
      'test/expected.txt': code,
    });
    const { quantities, evidence } = metric('loc_code');
    expect(quantities).to.deep.include({ production: 3 * 16, tests: 0 });
    expect(evidence.map(({ note }) => note)).to.deep.equal(['JavaScript: 48 lines']);
    expect(metric('complex_function_loc_pct').denominator).to.equal(3 * 15);
  });

  it('is code in texts of data, and in texts that a program runs', async () => {
    const body = `import os\n\n\ndef read(path):\n    if path == "":\n        return None\n${'    os.stat(path)\n'.repeat(9)}    return path\n`;
    const script = `import { a } from './a';\n\nexport function f(x) {\n  if (x) {\n    return null;\n  }\n${'  a(x);\n'.repeat(9)}  return x;\n}\n`;
    const lines = body
      .split('\n')
      .map((line) => `    ${JSON.stringify(`${line}\n`)}\n`)
      .join('');
    const encoded = Buffer.from(body).toString('base64');
    const { metric } = await metricsOfFiles({
      'src/a.json': JSON.stringify({ name: 'a', steps: [{ code: body }] }),
      'src/b.yml': `name: b\ncode: |\n${body.replaceAll(/^(?=.)/gm, '  ')}other: 1\n`,
      'src/f.vue': `<template><p>a</p></template>\n<script lang="ts">\n${script}</script>\n`,
      'src/g.ipynb': JSON.stringify({
        nbformat: 4,
        cells: [
          { cell_type: 'markdown', source: ['# Title\n'] },
          { cell_type: 'code', source: body.split(/(?<=\n)/) },
        ],
      }),
      'README.md': `# Title\n\n\`\`\`\n${script}\`\`\`\n`,
      'src/prose.json': JSON.stringify({ text: 'Read what import and def are for, and return.\n'.repeat(20) }),
      'src/c.py': `exec(\n${lines})\n`,
      'src/d.py': `import base64\n\nexec(base64.b64decode("${encoded}"))\n`,
      // Nothing runs it here.
      'src/e.py': `text = (\n${lines})\n`,
    });
    expect(metric('complex_function_loc_pct').denominator).to.equal(5 * 13 + 15);
    const text = lines.split('\n').length + 1;
    expect(metric('loc_code').value).to.equal(3 * 14 + 16 + text + (2 + 14) + text);
  });

  it('is code in prose where there is far more of it than elsewhere, and documentation else', async () => {
    const blocks = (fence: string) =>
      Array.from(
        { length: 30 },
        (_, n) =>
          `Some words.\n\n${fence}js\nfunction f${n}(x) {\n  if (x) return null;\n  const y = require('y');\n  return y(x);\n}\n${fence}\n`,
      ).join('\n');
    const guide = { 'docs/guide.md': `# Guide\n\n${blocks('```')}`, 'api.md': `# API\n\n${blocks('~~~')}` };
    const code = { 'a.js': 'exports.a = 1;\n'.repeat(40) };
    const { metric } = await metricsOfFiles({ ...guide, ...code });
    expect(metric('loc_code').quantities).to.deep.include({ production: 40, documentation: 2 * 30 * 5 });
    const alone = await metricsOfFiles({ ...guide, 'a.js': 'exports.a = 1;\n' });
    expect(alone.metric('loc_code').quantities).to.deep.include({ production: 301, documentation: 0 });
  });

  it('is not seen of packages that no registry has', async () => {
    const address = 'git+https://example.org/core.git';
    const seen: Record<string, [text: string, count: number]> = {
      'a/package.json': [
        JSON.stringify({
          dependencies: { a: address, b: 'me/b#v1', c: '^1.0.0', d: 'npm:c@1', e: 'workspace:*', f: 'file:../lib' },
          optionalDependencies: { g: 'file:../../beyond', h: 'https://example.org/h.tgz', i: 'file:./i.tgz' },
          peerDependencies: { k: 'jsr:^1', l: 'catalog:', m: 'patch:c@^1.0.0#./c.patch' },
          devDependencies: { j: address },
          repository: address,
        }),
        5,
      ],
      'b/requirements.txt': [
        `a @ ${address}\n${address}\n-e ${address}#egg=c\nrequests>=2\nd @ https://a.b/d.whl\n`,
        2,
      ],
      'b/requirements-dev.txt': [`e @ ${address}\n`, 0],
      'docker/requirements.txt': [`e @ ${address}\n`, 1],
      'devices/requirements-latest.txt': [`e @ ${address}\n`, 1],
      'ci/requirements.txt': [`e @ ${address}\n`, 0],
      'b/setup.py': [
        `setup(url="https://a.b", download_url="https://a.b/v1.tar.gz", install_requires=["e @ ${address}%20", "f @ https://a.b/f.zip"])\n`,
        2,
      ],
      'c/Cargo.toml': [
        `[package]\nname = "c"\n[dependencies]\na = { git = "https://example.org/a" }\nb = { path = "../b" }\n[dependencies.d]\ngit = "https://example.org/d"\n[dev-dependencies]\ne = { git = "https://example.org/e" }\n`,
        2,
      ],
      'd/pyproject.toml': [
        `[project]\nname = "d"\ndependencies = ["a @ ${address}", "b"]\n[tool.uv.sources]\nb = { git = "https://example.org/b" }\n`,
        2,
      ],
      'e/Gemfile': [
        "source 'https://rubygems.org'\ngem 'a', github: 'me/a'\ngem 'b', '~> 1'\ngem 'c', :git => 'https://example.org/c.git'\ngem 'd', path: '.'\n",
        2,
      ],
      'f/composer.json': [
        JSON.stringify({
          repositories: [
            { type: 'vcs', url: 'https://example.org/f' },
            { type: 'composer', url: 'x' },
          ],
        }),
        1,
      ],
      'g/go.mod': [
        'module g\n\nreplace (\n\ta.b/c => ../c\n\ta.b/d v1.0.0 => ../../d\n\t// a.b/e => ../../e\n)\n// replace a.b/f => ../../f\n',
        1,
      ],
    };
    for (const [path, [text, count]] of Object.entries(seen)) {
      const { metric } = await metricsOfFiles({ [path]: text, 'a.py': 'x = 1\n' });
      expect(metric('loc_code').quantities['packages_elsewhere'], path).to.equal(count);
    }
  });

  it('knows what was taken out within twelve months, where it was there for a month and no tool’s', async () => {
    const lines = (count: number) => 'exports.a = 1;\n'.repeat(count);
    using repository = gitRepository();
    repository.commit('first', { date: '2024-01-01T00:00:00Z', files: { 'a.js': lines(10) } });
    const goneAfter = async (date: string, files: Record<string, string | null>) => {
      repository.commit(date, { date, files });
      return (await metricsOf(repository.path)).metric('loc_code').quantities['gone'];
    };
    expect(await goneAfter('2024-02-01T00:00:00Z', { 'b.js': lines(700), 'c.js': lines(90) })).to.equal(0);
    expect(await goneAfter('2024-06-01T00:00:00Z', { 'b.js': null })).to.equal(700);
    expect(await goneAfter('2024-07-01T00:00:00Z', { 'test/c.js': lines(300), 'd.js': lines(200) })).to.equal(500);
    expect(await goneAfter('2024-07-20T00:00:00Z', { 'test/c.js': null, 'e.js': lines(4_000) })).to.equal(0);
    expect(await goneAfter('2024-07-25T00:00:00Z', { 'e.js': null, 'f.js': 'let b;\n'.repeat(6_000) })).to.equal(500);
    expect(await goneAfter('2025-07-25T00:00:01Z', { 'f.js': null })).to.equal(0);
    rmSync(join(repository.path, '.git'), { recursive: true });
    expect((await metricsOf(repository.path)).metric('loc_code').quantities).not.to.have.property('gone');
  });

  it('knows of which code a parser read the functions before it got another name', async () => {
    const code = (name: string) => Array.from({ length: 40 }, (_, n) => `exports.${name}${n} = ${n};\n`).join('');
    using repository = gitRepository();
    const renamedAfter = async (date: string, files: Record<string, string | null>) => {
      repository.commit(date, { date, files });
      return (await metricsOf(repository.path)).metric('loc_code').quantities['renamed'];
    };
    expect(await renamedAfter('2024-01-01T00:00:00Z', { 'a.js': code('a'), 'b.tcl': code('b') })).to.equal(0);
    expect(await renamedAfter('2024-02-01T00:00:00Z', { 'b.tcl': null, 'c.tcl': code('b') })).to.equal(0);
    expect(await renamedAfter('2024-03-01T00:00:00Z', { 'a.js': null, 'a.tcl': code('a') })).to.equal(40);
    expect(await renamedAfter('2024-04-01T00:00:00Z', { 'a.tcl': null, 'd.tcl': code('a') })).to.equal(40);
    expect(await renamedAfter('2025-05-01T00:00:00Z', { 'c.tcl': `${code('b')}puts 1\n` })).to.equal(0);
    expect(await renamedAfter('2025-06-01T00:00:00Z', { 'd.tcl': null, 'a.js': code('a') })).to.equal(0);
  });

  it('is code that scripts write to files', async () => {
    const body = `import os\n\n\ndef read(path):\n    if path == "":\n        return None\n${'    os.stat(path)\n'.repeat(9)}    return path\n`;
    const { metric } = await metricsOfFiles({
      'install.sh': `cat > a.py <<'END'\n${body}END\ncat <<WORDS\n${'Some words of help, that is all.\n'.repeat(9)}WORDS\n`,
      Dockerfile: `FROM scratch\nCOPY <<-"END" /b.py\n${body}END\n`,
      'write.sh': `cat > c.py <<\\END\n${body}END\n`,
      'open.sh': `cat <<NEVER\n${body}`,
    });
    expect(metric('complex_function_loc_pct').denominator).to.equal(3 * 13);
    expect(metric('loc_code').value).to.equal(27 + 17 + 16 + 15);
  });

  it('counts the statements of a function where they are more than its lines', async () => {
    const spread = `def f(x):\n${'    g(x)\n'.repeat(70)}\n`;
    const packed = `def f(x):\n${'    g(x); g(x); g(x); g(x); g(x); g(x); g(x)\n'.repeat(10)}\n`;
    const script = `function f(x) {\n${'  if (x) { g(x); g(x); } else { g(x); }\n'.repeat(20)}}\n`;
    for (const [files, size] of [
      [{ 'a.py': spread }, 71],
      [{ 'a.py': packed }, 70],
      [{ 'a.js': script }, 80],
      [{ 'a.js': 'function f(x) {\n  if (x) return null;\n  return g(x);\n}\n' }, 4],
    ] as const) {
      const { metric } = await metricsOfFiles(files);
      expect(metric('long_function_loc_pct').denominator).to.equal(size);
    }
  });

  it('of a repository in two languages', async () => {
    const body = (n: number) => Array.from({ length: n }, (_, i) => `    step(${i})`).join('\n');
    const branches = Array.from({ length: 16 }, (_, i) => `    if a == ${i} or b:\n        pass`).join('\n');
    const { metric } = await metricsOfFiles({
      'a.py': `def long():\n${body(70)}\n\n# comment\ndef tangled(a, b):\n${branches}\n`,
      'b.go': 'package b\n\nfunc F(x int) int {\n\tif x > 0 && x < 9 {\n\t\treturn 1\n\t}\n\treturn 2\n}\n',
      'docs/c.py': 'x = 1\n',
      'vendor/d.py': 'x = 1\n',
    });
    expect(metric('loc_code').value).to.equal(71 + 33 + 7);
    expect(metric('source_file_count').value).to.equal(2);
    expect(metric('language_count').value).to.equal(2);
    expect(metric('long_function_loc_pct')).to.deep.include({ numerator: 71, denominator: 71 + 33 + 6 });
    expect(metric('complex_function_loc_pct')).to.deep.include({ numerator: 33, denominator: 110 });
    expect(metric('complex_function_loc_pct').evidence).to.deep.equal([
      { path: 'a.py', line: 74, commit: null, note: 'tangled: complexity 33' },
    ]);
    expect(metric('complex_function_loc_pct').quantities).to.deep.equal({ functions: 1, points_over: 18 });
    // A long function that is not complex.
    expect(metric('long_function_loc_pct').quantities).to.deep.equal({ functions: 1, files: 0 });
  });

  it('clones are runs of six lines or more, white space and comments aside, in one language', async () => {
    const seven = (indent: string) => Array.from({ length: 7 }, (_, i) => `${indent}call_${i}(x)`).join('\n');
    const { metric } = await metricsOfFiles({
      'a.py': `def a(x):\n${seven('    ')}\n    return 1\n`,
      'b.py': `def b(x):\n\n${seven('\t').replace('\n', '\n\t# a comment\n')}\n\treturn 2\n`,
      'c.rb': `def c(x)\n${seven('  ')}\nend\n`,
      'd.py': Array.from({ length: 5 }, (_, i) => `call_${i}(x)`).join('\n'),
    });
    expect(metric('duplicated_lines_pct')).to.deep.include({ numerator: 14, denominator: 9 + 9 + 9 + 5 });
    expect(metric('duplicated_lines_pct').quantities).to.deep.equal({ blocks: 2, files: 2 });
    expect(metric('duplicated_lines_pct').evidence.map(({ path, line, note }) => [path, line, note])).to.deep.equal([
      ['a.py', 2, '7 lines, repeated elsewhere'],
      ['b.py', 3, '7 lines, as at a.py:2'],
    ]);
  });

  it('hotspots are where changes and complexity meet', async () => {
    using repository = gitRepository();
    const simple = (name: string, i: number) => ({ [`${name}.py`]: `def f():\n    return ${i}\n` });
    const tangled = (i: number) => ({ 'hot.py': `def f(a):\n${'    if a: pass\n'.repeat(9)}    return ${i}\n` });
    commits(repository, 'Ann', ['2024-01-01T00:00:00Z'], (i) =>
      Object.assign({}, ...'abcdefghi'.split('').map((name) => simple(name, i)), tangled(-1)),
    );
    commits(repository, 'Ann', weekly('2024-12-01T00:00:00Z', 30), tangled);
    commits(repository, 'Ben', weekly('2024-12-01T00:00:00Z', 10), (i) => simple('a', i + 1));
    // Hotter than all, and no production.
    commits(repository, 'Ben', weekly('2024-12-01T00:00:00Z', 40), (i) => ({
      'tests/test_hot.py': Object.values(tangled(i))[0] ?? '',
    }));
    const { metric, measurements } = await metricsOf(repository.path);
    // Ten files came with the first commit; the one complex file of ten was changed thirty times more.
    expect(metric('hotspot_change_share_pct')).to.deep.include({ numerator: 31, denominator: 50 });
    expect(metric('hotspot_change_share_pct').evidence[0]?.note).to.equal('31 changes by 1 person, complexity 10');
    expect(measurements.hotspots).to.have.length(11);
    expect(measurements.hotspots?.at(-1)).to.deep.include({ path: 'tests/test_hot.py', changes_12m: 40, test: true });
    expect(measurements.hotspots?.slice(0, 3)).to.deep.equal([
      { path: 'hot.py', code: 11, complexity: 10, changes_12m: 31, people_12m: 1 },
      { path: 'a.py', code: 2, complexity: 1, changes_12m: 11, people_12m: 2 },
      { path: 'b.py', code: 2, complexity: 1, changes_12m: 1, people_12m: 1 },
    ]);
  });

  it('is of production, where what is written many times counts once', async () => {
    const branches = (name: string) => `def ${name}(a):\n${'    if a:\n        pass\n'.repeat(16)}`;
    const own = { 'src/a.py': `${branches('f')}\n\ndef g(a):\n    return a\n` };
    const plain = await metricsOfFiles(own);
    const figures = { numerator: 33, denominator: 35 };
    expect(plain.metric('complex_function_loc_pct')).to.deep.include(figures);
    const many = Array.from({ length: 30 }, (_, n) => `def get_${n}(value):\n    return value["${n}"]\n`).join('\n');
    const beside = await metricsOfFiles({
      ...own,
      'tests/test_a.py': branches('test_f'),
      'pkg/examples/b.py': branches('h'),
      'src/many.py': many,
    });
    // The first of the thirty is left, in its two lines.
    expect(beside.metric('complex_function_loc_pct')).to.deep.include({ numerator: 33, denominator: 37 });
    expect(beside.metric('duplicated_lines_pct').denominator).to.equal(37);
    expect(beside.metric('loc_code').quantities).to.deep.include({
      production: 95,
      repeated: 58,
      tests: 33,
      documentation: 33,
    });
    // Ten copies of what is long or complex are ten.
    const copies = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`src/c${n}.py`, branches(`f${n}`)]));
    expect((await metricsOfFiles(copies)).metric('complex_function_loc_pct')).to.deep.include({ numerator: 330 });
  });

  it('says that there is no source, or no language that it can read', async () => {
    const { metric } = await metricsOfFiles({ 'README.md': '# nothing\n' });
    for (const id of ['loc_code', 'language_count', 'duplicated_lines_pct', 'long_function_loc_pct'] as const)
      expect(metric(id), id).to.deep.include({ value: null, reason: 'no_source_code' });
    expect(metric('source_file_count').value).to.equal(0);
    const haskell = await metricsOfFiles({ 'a.hs': 'main = print 1\n' });
    expect(haskell.metric('loc_code').value).to.equal(1);
    expect(haskell.metric('complex_function_loc_pct')).to.deep.include({ value: null, reason: 'unsupported_language' });
  });
});
