import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';

interface Graph {
  nodes: { id: string; type: string; name: string }[];
  edges: { type: string; from: string; to: string; weight: number }[];
}

const shop = {
  'package.json': '{"name": "shop", "dependencies": {"money": "^1.0.0"}}',
  'src/cart.ts': `import { add } from 'money';
export class Cart {
  total(): number { return add(this.price(), 1); }
  price(): number { return 2; }
}
`,
};
const money = {
  'package.json': '{"name": "money", "version": "1.0.0", "main": "index.js"}',
  'index.js': 'exports.add = function add(a, b) { return round(a + b); };\nfunction round(x) { return x; }\n',
};

describe('repo-intel up', () => {
  let data: string;
  let repositories: GitRepository[];
  let running: Running | null;

  beforeEach(() => {
    data = temporaryFolder();
    repositories = [gitRepository({ name: 'shop', files: shop }), gitRepository({ name: 'money', files: money })];
    running = null;
  });
  afterEach(async () => {
    await running?.kill();
    for (const repository of repositories) repository.remove();
    rmSync(data, { recursive: true, force: true });
  });

  const paths = () => repositories.map(({ path }) => path);
  const up = async (sources = paths()) => {
    running = await startRepoIntel(['up', ...sources], { DATA_DIR: data });
    return running;
  };

  it('loads repositories and prints a key and three curl lines that work as pasted', async () => {
    const { stdout } = await up();
    const lines = stdout()
      .split('\n')
      .filter((line) => line.trim().startsWith('curl '));
    expect(lines).to.have.length(3);
    const bodies = await Promise.all(
      lines.map(
        async (line) => JSON.parse((await promisify(execFile)('sh', ['-c', `${line} --fail`])).stdout) as object,
      ),
    );
    expect(bodies[0]).to.include.keys('nodes', 'edges');
    expect(bodies[1]).to.include.keys('repo', 'total_neighbors', 'neighbors');
    expect(bodies[2]).to.have.all.keys('items', 'total', 'page', 'page_size', 'total_pages');
    expect((bodies[2] as { total: number }).total).to.be.greaterThan(0);
  });

  it('reads paths from where the person stands who runs npm start', async () => {
    const standsIn = { DATA_DIR: data, npm_lifecycle_event: 'start', INIT_CWD: `${repositories[0]?.path}/src` };
    running = await startRepoIntel(['up'], standsIn);
    expect((await running.stop()).stderr).to.include('shop: loaded');
    running = await startRepoIntel(['up', relative(standsIn.INIT_CWD, repositories[1]?.path ?? '')], standsIn);
    expect(running.stderr()).to.include('money: loaded');
  });

  it('links repositories by the packages that they publish and need', async () => {
    const { address, stdout } = await up();
    const { body } = await get<Graph>(address, '/api/graph', keyIn(stdout()));
    const between = body.edges.filter(({ from }) => from === 'shop').map(({ type, to }) => `${type} ${to}`);
    expect(between).to.include.members(['DEPENDS_ON money', 'IMPORTS money']);
    expect(body.edges.some(({ type, to }) => type === 'CONTRIBUTED_TO' && to === 'shop')).to.equal(true);
  });

  it('finds everything at the second start, keeps the key to itself and analyses nothing anew', async () => {
    const first = await up();
    const key = keyIn(first.stdout());
    const before = await get<Graph>(first.address, '/api/graph', key);
    const ended = await first.stop();
    expect(ended.code).to.equal(0);

    const second = await up();
    expect(second.stdout()).not.to.match(/ris_live_/);
    expect(second.stderr()).to.include('shop: nothing changed').and.to.include('money: nothing changed');
    const after = await get<Graph>(second.address, '/api/graph', key);
    expect(after.status).to.equal(200);
    expect(after.body).to.deep.equal(before.body);
  });

  it('analyses only the file that changed', async () => {
    const [first] = repositories;
    await (await up()).stop();
    first?.commit('Add a file', { files: { 'src/order.ts': 'export function order() { return 1; }\n' } });
    const second = await up();
    expect(second.stderr()).to.match(/shop: loaded .* 2 source files \(1 unchanged since last time\)/);
    expect(second.stderr()).to.include('money: nothing changed');
  });

  it('says who has the data folder to a second process that wants to serve', async () => {
    const first = await up();
    const second = await repoIntel(['serve'], { DATA_DIR: data });
    expect(second.code).to.equal(1);
    expect(second.stderr.trim().split('\n')).to.have.length(1);
    expect(second.stderr).to.include(`process ${first.process.pid}`).and.to.include(first.address);
  });

  it('takes the work of a load that is started beside it', async () => {
    const [one, two] = paths();
    const first = await up([one ?? '']);
    const load = await repoIntel(['load', two ?? ''], { DATA_DIR: data });
    expect(load.code, load.stderr).to.equal(0);
    const { body } = await get<Graph>(first.address, '/api/graph', keyIn(first.stdout()));
    const names = body.nodes.filter(({ type }) => type === 'Repository').map(({ name }) => name);
    expect(names).to.have.members(['shop', 'money']);
    expect(body.edges.map(({ type }) => type)).to.include('DEPENDS_ON');
  });

  it('makes, rotates and revokes keys beside a running service, which refuses what has ended at once', async () => {
    const { address } = await up();
    const keys = async (...args: string[]) => {
      const { code, stdout, stderr } = await repoIntel(['keys', ...args], { DATA_DIR: data });
      expect(code, stderr).to.equal(0);
      return stdout;
    };
    type Made = { api_key: string; id: string };
    const first = JSON.parse(await keys('create', '--organization', 'acme', '--role', 'owner', '--json')) as Made;
    const works = async (key: string) => (await get(address, '/', key)).status === 200;
    expect(first.api_key).to.match(/^ris_live_[0-9A-Za-z]{38}$/);
    expect(await works(first.api_key)).to.equal(true);
    const second = JSON.parse(await keys('rotate', first.id, '--overlap-seconds', '60', '--json')) as Made;
    expect([await works(first.api_key), await works(second.api_key)]).to.deep.equal([true, true]);
    const third = (await keys('rotate', second.id)).trim();
    expect([await works(second.api_key), await works(third)]).to.deep.equal([false, true]);
    await keys('revoke', first.id);
    expect(await works(first.api_key)).to.equal(false);
    const { code, stderr } = await repoIntel(['keys', 'rotate', first.id], { DATA_DIR: data });
    expect([code, stderr]).to.deep.equal([1, `${first.id}: there is no such key in use; see repo-intel keys list.\n`]);
  });

  it('sets the hosts that a checkout may lead back to, beside a running service', async () => {
    const { address, stdout } = await up();
    const hosts = (...args: string[]) => repoIntel(['checkout-hosts', ...args], { DATA_DIR: data });
    const checkout = async (host: string) => {
      const urls = { success_url: `https://${host}/`, cancel_url: `https://${host}/` };
      const headers = { authorization: `Bearer ${keyIn(stdout())}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ plan_id: 'team', ...urls });
      return (await fetch(`${address}/v1/checkout/sessions`, { method: 'POST', headers, body })).status;
    };
    expect(await hosts('default', 'App.acme.example', 'b.example')).to.include({
      stdout: 'app.acme.example\nb.example\n',
    });
    expect([await checkout('app.acme.example'), await checkout('evil.example')]).to.deep.equal([201, 422]);
    expect(await hosts('default', '--any')).to.include({ code: 0, stdout: '', stderr: 'default: any host.\n' });
    expect(await checkout('evil.example')).to.equal(201);
  });

  it('ends at once and quietly on a signal in the middle of a load', async () => {
    const functions = Array.from({ length: 60 }, (_, at) => `export function f${at}() { return f${at + 1}(); }\n`);
    const files = Array.from({ length: 150 }, (_, at) => [`src/${at}.ts`, `${functions.join('')}// ${at}\n`]);
    repositories[0]?.commit('Grow', { files: Object.fromEntries(files) as Record<string, string> });
    const launcher = join(import.meta.dirname, '../../src/cli/repo-intel.js');
    const child = spawn(process.execPath, [launcher, 'up', ...paths()], {
      env: { ...process.env, DATA_DIR: data, PORT: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let words = '';
    child.stderr.on('data', (chunk) => {
      words += String(chunk);
      if (words.includes('shop: parsing') && !child.killed) child.kill('SIGINT');
    });
    expect(await once(child, 'close')).to.deep.equal([0, null]);
    expect(words.trim().split('\n').at(-1)).to.match(/^SIGINT: /);
    expect(words).to.not.include('not loaded').and.not.include('money');
    expect((await up()).stdout()).to.include('Serving 2 repositories');
  });

  it('serves the rest when one of its sources is none', async () => {
    const [one] = paths();
    const { address, stdout, stderr } = await up(['/no/such/folder', one ?? '']);
    expect(stderr()).to.include('/no/such/folder: not loaded.');
    const { body } = await get<Graph>(address, '/api/graph', keyIn(stdout()));
    expect(body.nodes.filter(({ type }) => type === 'Repository').map(({ name }) => name)).to.deep.equal(['shop']);
  });

  it('says which port is taken and how to choose another', async () => {
    const { address } = await up();
    const other = temporaryFolder();
    const { port } = new URL(address);
    const second = await repoIntel(['serve'], { DATA_DIR: other, PORT: port });
    rmSync(other, { recursive: true });
    expect(second.code).to.equal(1);
    expect(second.stderr).to.include(`Port ${port}`).and.to.include('PORT=');
  });
});
