import { createHmac, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { eventually, within } from '../support/eventually.ts';
import { serveGit } from '../support/git-server.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';

describe('repositories that are kept fresh', function () {
  this.timeout(300_000);
  const data = temporaryFolder();
  const environment = { DATA_DIR: data, DATABASE_URL: '', LOG_LEVEL: 'info' };
  const repository = gitRepository({ name: 'shop', files: { 'a.js': 'export function first() {}\n' } });
  let service: Running;
  let key: string;
  let git: Awaited<ReturnType<typeof serveGit>>;
  /** How many functions the graph has of it. */
  const functions = async () => {
    const { body } = await get<{ nodes: { name: string; counts: { nodes: { Function?: number } } | null }[] }>(
      service.address,
      '/api/graph',
      key,
    );
    return body.nodes.find(({ name }) => name === 'shop')?.counts?.nodes.Function;
  };
  const source = async () => {
    const { body } = await get<{ source: { state: string; checked_at: string | null; error: string | null } }>(
      service.address,
      '/api/repositories/shop',
      key,
    );
    return body.source;
  };

  before(async () => {
    repository.git('clone', '--quiet', '--bare', '.', '../shop.git');
    git = await serveGit(dirname(repository.path));
    service = await startRepoIntel(['serve'], environment);
    key = keyIn(service.stdout());
  });
  after(async () => {
    await service?.stop();
    await git?.close();
    repository.remove();
    rmSync(data, { recursive: true, force: true });
  });

  it('shows a push that its forge has told of within ten seconds, fetches only what changed, and says the age of what it knows', async () => {
    const url = git.url('shop.git');
    const added = await repoIntel(['add', url, '--json'], environment);
    expect(added.code, added.stderr).to.equal(0);
    const { secret } = JSON.parse(added.stdout) as { secret: string };
    expect((await repoIntel(['add', url.replace(/\.git$/, '')], environment)).stderr).to.contain(
      'among the sources already',
    );
    await eventually(async () => expect(await functions()).to.equal(1));
    await eventually(async () => expect(await source()).to.include({ state: 'fresh', error: null }));

    repository.commit('Add more', { files: { 'b.js': 'export function second() {}\n' } });
    repository.git('push', '--quiet', '../shop.git', 'main');
    const tell = async (signedWith: string) => {
      const body = JSON.stringify({ ref: 'refs/heads/main', repository: { clone_url: url } });
      const signature = createHmac('sha256', signedWith).update(body).digest('hex');
      return fetch(`${service.address}/v1/sources/webhooks/github`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-github-event': 'push',
          'x-github-delivery': randomUUID(),
          'x-hub-signature-256': `sha256=${signature}`,
        },
        body,
      });
    };
    expect((await tell('another')).status).to.equal(401);
    const fetchedBefore = git.fetched();
    expect((await tell(secret)).status).to.equal(200);
    await within(10, async () => expect(await functions()).to.equal(2));
    expect(git.fetched()).to.be.above(fetchedBefore);

    // Pushed to a thousand times, of which nothing is new: asked for its commit now and then, and never for objects.
    const fetchedAfter = git.fetched();
    const told = await Promise.all(Array.from({ length: 40 }, () => tell(secret)));
    expect(told.every(({ status }) => status === 200)).to.equal(true);
    const { stdout } = await repoIntel(['jobs', 'list', '--json'], environment);
    const jobs = (JSON.parse(stdout) as { state: string }[]).filter(({ state }) => state !== 'done');
    expect(jobs.length).to.be.at.most(2);
    expect(git.fetched()).to.equal(fetchedAfter);
  });

  it('keeps what it has of one that can’t be reached, and says so', async () => {
    const listed = await repoIntel(['sources', '--json'], environment);
    const [{ address } = { address: '' }] = JSON.parse(listed.stdout) as { address: string }[];
    expect(address).to.equal(git.url('shop.git'));
    rmSync(join(dirname(repository.path), 'shop.git'), { recursive: true });
    expect((await repoIntel(['load', '--enqueue', address], environment)).code).to.equal(0);
    await eventually(async () => expect(await source()).to.include({ state: 'failed' }));
    const { error, checked_at } = await source();
    expect(error).to.contain('could not be cloned');
    expect(checked_at).to.be.a('string');
    expect(await functions()).to.equal(2);

    expect((await repoIntel(['remove', 'shop'], environment)).code).to.equal(0);
    expect((await repoIntel(['sources'], environment)).stderr).to.contain('Nothing is kept fresh');
  });
});
