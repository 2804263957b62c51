import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import fc from 'fast-check';
import { changeSchema } from '../../src/model/change.ts';
import { launcher, repoIntel, runProgram } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { gitRepository } from '../support/git-repository.ts';
import type { FileContent, GitRepository } from '../support/git-repository.ts';

const shop = {
  '.gitignore': '*.log\nbuild/\n',
  'pyproject.toml': '[project]\nname = "shop"\n',
  'shop/__init__.py': '',
  'shop/cart.py': 'def price():\n    return 1\n\ndef total():\n    return price()\n',
  'shop/till.py': 'from shop.cart import total\n\ndef pay():\n    return total()\n',
};

describe('questions about what is not committed yet', () => {
  let data: string;
  let repository: GitRepository;
  let user: GitRepository;
  const ask = (...words: string[]) => runProgram({ launcher, cwd: repository.path }, words, { DATA_DIR: data });
  const callersOf = async (name: string, ...more: string[]) => (await ask('callers', name, ...more)).stdout;

  before(async () => {
    data = await dataFolder();
    repository = gitRepository({ name: 'shop', files: shop });
    repository.git('config', 'user.name', 'Ann Author');
    repository.git('config', 'user.email', 'ann@example.com');
    user = gitRepository({
      name: 'stall',
      files: {
        'pyproject.toml': '[project]\nname = "stall"\ndependencies = ["shop"]\n',
        'stall.py': 'from shop.cart import price\n\ndef sell():\n    return price()\n',
      },
    });
    const loaded = await repoIntel(['load', user.path, repository.path], { DATA_DIR: data });
    expect(loaded.code, loaded.stderr).to.equal(0);
  });
  afterEach(() => {
    repository.git('reset', '--quiet', '--hard');
    repository.git('clean', '-fdxq');
  });
  after(async () => {
    await repoIntel(['stop'], { DATA_DIR: data });
    for (const each of [repository, user]) each.remove();
    rmSync(data, { recursive: true });
  });

  it('know edited, staged, new, renamed and removed files, and none that git ignores', async () => {
    repository.write({
      'shop/cart.py': `${shop['shop/cart.py']}\ndef edited():\n    return price()\n`,
      'shop/new.py': 'from shop.cart import price\n\ndef untracked():\n    return price()\n',
      'build/made.py': 'from shop.cart import price\n\ndef ignored():\n    return price()\n',
    });
    repository.git('mv', 'shop/till.py', 'shop/counter.py');
    const state = repository.git('status', '--porcelain', '--ignored');
    const index = readFileSync(join(repository.path, '.git', 'index'));
    const { code, stdout, stderr } = await ask('callers', 'price');
    expect(code, stderr).to.equal(0);
    expect(stderr).to.match(/^shop: as it lies here, with 4 uncommitted files\.$/m);
    expect(stdout).to.include('edited').and.to.include('untracked').and.not.to.include('ignored');
    expect(stdout).to.include('stall.py#sell');
    expect(await callersOf('total'))
      .to.include('shop/counter.py#pay')
      .and.not.to.include('till.py');
    expect(await callersOf('price', '--no-working-tree')).to.not.include('edited');
    expect(repository.git('status', '--porcelain', '--ignored')).to.equal(state);
    expect(readFileSync(join(repository.path, '.git', 'index')).equals(index)).to.equal(true);
    rmSync(join(repository.path, 'shop/new.py'));
    expect(await callersOf('price')).to.not.include('untracked');
  });

  it('are answered so for who stands there alone: all others see what is committed', async () => {
    repository.write({ 'shop/cart.py': 'def cost():\n    return 1\n' });
    expect((await ask('callers', 'price')).code).to.equal(1);
    const elsewhere = await runProgram({ launcher, cwd: user.path }, ['callees', 'sell'], { DATA_DIR: data });
    expect(elsewhere.stdout).to.include('shop/cart.py#price');
    const { stdout } = await repoIntel(['list', '--json'], { DATA_DIR: data });
    expect(stdout.match(/"source":/g)).to.have.length(2);
    const all = await ask('query', 'MATCH (r:Repository) RETURN r.id AS id ORDER BY id', '--json');
    expect((JSON.parse(all.stdout) as { rows: unknown[] }).rows).to.deep.equal([['shop'], ['stall']]);
    const { stdout: checked, code } = await repoIntel(['check'], { DATA_DIR: data });
    expect(code, checked).to.equal(0);
  });

  it('are those of an agent, who is told what they are of', async () => {
    repository.write({ 'shop/new.py': 'from shop.cart import price\n\ndef untracked():\n    return price()\n' });
    const answerOf = async (...flags: string[]) => {
      const agent = new Client({ name: 'test', version: '1.0.0' });
      const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: data, XDG_CONFIG_HOME: data };
      const args = [launcher, 'mcp', ...flags];
      await agent.connect(
        new StdioClientTransport({ command: process.execPath, args, cwd: repository.path, env, stderr: 'ignore' }),
      );
      const { content } = await agent.callTool({ name: 'impact', arguments: { id: 'shop/shop/cart.py#price' } });
      await agent.close();
      return (content as { text: string }[])[0]?.text;
    };
    expect(await answerOf())
      .to.include('untracked')
      .and.to.include('with 1 uncommitted file.');
    expect(await answerOf('--no-working-tree'))
      .to.not.include('untracked')
      .and.not.to.include('uncommitted');
  });

  it('start nothing that the settings of a repository name', async () => {
    const trap = join(data, 'trap');
    repository.write({ '.gitattributes': '* filter=trap\n', 'shop/new.py': 'def fresh():\n    return 1\n' });
    for (const setting of ['filter.trap.clean', 'core.fsmonitor', 'filter.trap.process'])
      repository.git('config', setting, `touch ${trap}; cat`);
    try {
      expect((await ask('source', 'fresh')).stdout).to.include('def fresh');
      expect(() => readFileSync(trap)).to.throw('ENOENT');
    } finally {
      repository.git('config', '--remove-section', 'filter.trap');
      repository.git('config', '--unset', 'core.fsmonitor');
    }
  });

  it('diff compares with what lies there', async () => {
    repository.write({ 'shop/cart.py': shop['shop/cart.py'].replace('price()', 'price(currency)') });
    const { stdout, stderr, code } = await ask('diff', '--working-tree', '--json');
    expect(code, stderr).to.equal(0);
    const change = changeSchema.parse(JSON.parse(stdout));
    expect(change.files.items.map(({ path }) => path)).to.deep.equal(['shop/cart.py']);
    expect(change.notes.join(' ')).to.include('with 1 uncommitted file');
    expect(change.elsewhere?.items.map(({ repository: name, from }) => `${name} ${from}`)).to.include(
      'stall stall.py#sell',
    );
    const both = await ask('diff', 'HEAD..HEAD', '--working-tree');
    expect(both.code).to.equal(2);
    expect((await ask('diff', 'HEAD')).stdout).to.not.include('price');
  });

  it('are answered as after a commit of the same, whatever was edited', async function () {
    const runs = Number(process.env['WORKING_TREE_RUNS'] ?? 2);
    this.timeout(30_000 * runs);
    for (const edits of fc.sample(fc.array(edit, { minLength: 2, maxLength: 5 }), { seed: 25, numRuns: runs })) {
      for (const make of edits) make(repository);
      const before = await answers();
      // Some edits undo each other, or are of ignored files alone.
      const isDirty = repository.git('status', '--porcelain') !== '';
      expect(before.said.includes('uncommitted')).to.equal(isDirty);
      if (!isDirty) continue;
      const date = repository.git('show', '-s', '--format=%cI').trim();
      repository.git('add', '--all');
      repository.commitStaged('Working tree', date);
      const after = await answers();
      expect(after.said).to.equal('');
      for (const [index, answer] of before.json.entries())
        expect(answer, questions[index]?.join(' ')).to.deep.equal(after.json[index]);
    }
  });

  /** To every question, once what had to be loaded is loaded. */
  async function answers() {
    await ask('callers', 'price');
    const told = await Promise.all(questions.map(async (words) => ask(...words, '--json')));
    return {
      said: told.map(({ stderr }) => stderr).find((said) => said.includes('uncommitted')) ?? '',
      json: told.map(({ code, stdout }) => ({ code, answer: stdout === '' ? null : parsed(stdout) })),
    };
  }
});

const questions = [
  ['query', 'MATCH (f)-[r]->(g) RETURN f.id AS a, type(r) AS t, g.id AS b, r.weight AS w ORDER BY a, t, b'],
  ['query', 'MATCH (n) RETURN n.id AS id, n.signature AS s, n.line AS l, n.doc AS d ORDER BY id'],
  ['callers', 'price'],
  ['impact', 'price'],
  ['path', 'pay', 'price'],
  ['search', 'price'],
  ['source', 'price'],
  ['dd'],
];

const ofTheRun = new Set(['work', 'loaded_at', 'pipeline_run_id', 'completed_at', 'trend']);

/** Without what was counted on the way, and when it was measured, this time and those before. */
const parsed = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) => (ofTheRun.has(name) ? undefined : value));

type Edit = (repository: GitRepository) => void;

const file = fc.constantFrom('shop/cart.py', 'shop/till.py', 'shop/a.py', 'shop/deep/b.py', 'c.py', 'ünï côde.py');
const called = fc.constantFrom('price', 'total', 'pay', 'a', 'b');
const source = fc
  .array(fc.record({ name: called, calls: fc.array(called, { maxLength: 3 }), from: file }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((functions) =>
    functions
      .map(({ name, calls, from }) => {
        const module = from.replace(/\.py$/, '').replaceAll('/', '.').replaceAll(' ', '');
        const imported = calls.length > 0 ? `from ${module} import ${calls.join(', ')}\n\n` : '';
        return `${imported}def ${name}(x):\n    return [${calls.map((each) => `${each}(x)`).join(', ')}]\n`;
      })
      .join('\n'),
  );

/** One edit of a work tree, of whatever is in it. */
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(file, source).map(
    ([path, text]): Edit =>
      (repository) =>
        repository.write({ [path]: text }),
  ),
  fc.tuple(file, source).map(([path, text]): Edit => (repository) => {
    repository.write({ [path]: text });
    repository.git('add', path);
    // What is staged is not what lies there.
    repository.write({ [path]: `${text}\n# more\ndef more():\n    return price()\n` });
  }),
  file.map(
    (path): Edit =>
      (repository) =>
        repository.write({ [path]: null }),
  ),
  fc.tuple(file, file).map(
    ([from, to]): Edit =>
      (repository) =>
        move(repository, from, to),
  ),
  source.map(
    (text): Edit =>
      (repository) =>
        repository.write({ 'shop/ignored.log': text, 'build/made.py': text }),
  ),
  file.map(
    (path): Edit =>
      (repository) =>
        repository.write({ [`${path}.link`]: { symlink: path } }),
  ),
);

function move(repository: GitRepository, from: string, to: string): void {
  let content: FileContent;
  try {
    content = readFileSync(join(repository.path, from));
  } catch {
    return;
  }
  repository.write({ [from]: null, [to]: content });
}
