import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Log } from 'sarif';
import { changeSchema } from '../../src/model/change.ts';
import { repoIntel } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { gitRepository, type GitRepository } from '../support/git-repository.ts';

const url =
  'export function parse(text: string): URL {\n  return new URL(text);\n}\n\nexport function join(a: string): string {\n  return a;\n}\n';
const key = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');

describe('repo-intel diff', () => {
  let data: string;
  let library: GitRepository;
  let user: GitRepository;
  const diff = (...words: string[]) =>
    repoIntel(['diff', 'main..next', '--repo', library.path, ...words], { DATA_DIR: data });

  before(async () => {
    data = await dataFolder();
    library = gitRepository({
      name: 'urls',
      files: { 'package.json': '{"name": "urls", "main": "index.ts"}', 'index.ts': url },
    });
    user = gitRepository({
      name: 'till',
      files: {
        'package.json': '{"name": "till", "dependencies": {"urls": "^1.0.0"}}',
        'pay.ts': "import { join, parse } from 'urls';\n\nexport function pay(): void {\n  parse(join('a'));\n}\n",
      },
    });
    library.git('checkout', '--quiet', '-b', 'next');
    library.commit('Parse otherwise', {
      files: {
        'index.ts': url
          .replace('function parse(text: string): URL', 'function parseUrl(text: string): URL')
          .replace('return a', "return a + '/'"),
        'package.json': '{"name": "urls", "main": "index.ts", "dependencies": {"koa": "^3.0.0"}}',
        'settings.ts': `export const key = '${key}';\n`,
      },
    });
  });
  after(async () => {
    await repoIntel(['stop'], { DATA_DIR: data });
    for (const repository of [library, user]) repository.remove();
    rmSync(data, { recursive: true });
  });

  it('says who uses what changed in other repositories, what is new, and refuses it by the first gate', async () => {
    const loaded = await repoIntel(['load', user.path, library.path], { DATA_DIR: data });
    expect(loaded.code, loaded.stderr).to.equal(0);
    const sarif = join(data, 'new.sarif');
    const gates = ['untested-change', 'new-finding', 'broken-caller'].flatMap((gate) => ['--fail-on', gate]);
    const { code, stdout, stderr } = await diff('--json', '--sarif', sarif, ...gates);
    const change = changeSchema.parse(JSON.parse(stdout));
    expect(change.elsewhere?.items.filter(({ from }) => from !== '')).to.deep.equal([
      { repository: 'till', from: 'pay.ts#pay', path: 'pay.ts', line: 4, to: 'index.ts#join', broken: false },
      { repository: 'till', from: 'pay.ts#pay', path: 'pay.ts', line: 4, to: 'index.ts#parse', broken: true },
    ]);
    expect(change.dependencies.items).to.deep.equal([
      {
        ecosystem: 'npm',
        name: 'koa',
        scope: 'runtime',
        path: 'package.json',
        line: change.dependencies.items[0]?.line,
        status: 'added',
        before: null,
        after: '^3.0.0',
      },
    ]);
    expect(change.diligence?.findings.new.items.filter(({ gated }) => gated).map(({ path }) => path)).to.deep.equal([
      'settings.ts',
    ]);
    const log = JSON.parse(readFileSync(sarif, 'utf8')) as Log;
    expect(log.runs[0]?.results?.map(({ ruleId }) => ruleId)).to.include('secret_finding_count');
    expect(code, stderr).to.equal(11);
    expect(stderr)
      .to.match(/broken-caller: .* till\/pay\.ts#pay uses index\.ts#parse/)
      .and.to.match(/new-finding: 1 new/);
    expect(stderr).to.include('untested-change: no test reaches 2');
  });

  it('says the same to people, as text and as a comment, each time in the same bytes', async () => {
    const [text, again, comment] = [await diff(), await diff(), await diff('--markdown')];
    expect(text.stdout).to.equal(again.stdout);
    expect(text.stdout).to.include('till/pay.ts#pay is broken: it uses index.ts#parse');
    expect(comment.stdout).to.include('`till/pay.ts#pay` is broken: it uses `index.ts#parse`');
    expect(comment.stdout.length).to.be.lessThan(6_000);
  });

  it('is used wrongly with a gate that there is not', async () => {
    const { code, stderr } = await diff('--fail-on', 'anything');
    expect(code).to.equal(2);
    expect(stderr).to.include('It is one of broken-caller, new-finding, lower-grade, untested-change.');
  });
});
