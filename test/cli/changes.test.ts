import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { changeSchema } from '../../src/model/change.ts';
import { keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { serveGit } from '../support/git-server.ts';
import { gitRepository, type GitRepository } from '../support/git-repository.ts';

describe('the changes that a service measures', function () {
  this.timeout(180_000);
  let data: string;
  let library: GitRepository;
  let user: GitRepository;
  let git: Awaited<ReturnType<typeof serveGit>>;
  let service: Running;
  let authorization: string;
  /** Asks as it is told to, until it is there. */
  const measured = async (path: string) => {
    for (let tries = 0; tries < 200; tries += 1) {
      const answer = await fetch(new URL(path, service.address), { headers: { authorization } });
      if (answer.status !== 202) return answer;
      path = answer.headers.get('location') ?? '';
      await sleep(Number(answer.headers.get('retry-after')) * 100);
    }
    throw new Error('It was never measured.');
  };

  before(async () => {
    data = await dataFolder();
    library = gitRepository({
      name: 'urls',
      files: {
        'package.json': '{"name": "urls", "main": "index.ts"}',
        'index.ts': 'export function parse(text: string) {\n  return text;\n}\n',
      },
    });
    user = gitRepository({
      name: 'till',
      files: {
        'package.json': '{"name": "till", "dependencies": {"urls": "^1.0.0"}}',
        'pay.ts': "import { parse } from 'urls';\n\nexport function pay() {\n  return parse('a');\n}\n",
      },
    });
    library.git('clone', '--quiet', '--bare', '.', '../urls.git');
    git = await serveGit(dirname(library.path));
    const loaded = await repoIntel(['load', user.path, git.url('urls.git')], { DATA_DIR: data });
    expect(loaded.code, loaded.stderr).to.equal(0);
    // Pushed after the load: the commit is fetched because it is asked for.
    library.commit('Parse otherwise', {
      files: { 'index.ts': 'export function read(text: string) {\n  return text;\n}\n' },
    });
    library.git('push', '--quiet', '../urls.git', 'main');
    service = await startRepoIntel(['serve'], { DATA_DIR: data });
    authorization = `Bearer ${keyIn(service.stdout())}`;
  });
  after(async () => {
    await service?.stop();
    await git?.close();
    for (const repository of [library, user]) repository.remove();
    rmSync(data, { recursive: true });
  });

  it('are what `diff --json` says of the same commits, and fetched once', async () => {
    const head = library.git('rev-parse', 'HEAD').trim();
    const base = library.git('rev-parse', 'HEAD~').trim();
    const path = `/api/changes/urls?base=${base}&head=${head}`;
    const answer = await measured(path);
    expect(answer.status).to.equal(200);
    const change = changeSchema.parse(await answer.json());
    expect(change.elsewhere?.items.filter(({ from }) => from !== '')).to.deep.equal([
      { repository: 'till', from: 'pay.ts#pay', path: 'pay.ts', line: 4, to: 'index.ts#parse', broken: true },
    ]);
    const { stdout, stderr } = await repoIntel(['diff', `${base}..${head}`, '--json', '--repo', library.path], {
      DATA_DIR: data,
    });
    expect(changeSchema.parse(JSON.parse(stdout)), stderr).to.deep.equal(change);
    const fetched = git.fetched();
    expect((await measured(path)).status).to.equal(200);
    // Branches stand for the same commits here, and are looked up.
    const named = await measured(`/api/changes/urls?base=${base}&head=main`);
    expect(await named.json()).to.deep.equal(change);
    expect(git.fetched()).to.equal(fetched);
  });

  it('say why there is none, without where the repository lies', async () => {
    const answer = await measured('/api/changes/till?base=nowhere');
    const { code, detail } = (await answer.json()) as { code: string; detail: string };
    expect([answer.status, code]).to.deep.equal([422, 'commits_not_comparable']);
    expect(detail).to.contain('till has no branch, tag or commit nowhere');
    expect(detail).not.to.contain(user.path);
  });
});
