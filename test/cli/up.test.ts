import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';
import { needsCommand } from '../support/required.ts';

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
const bank = {
  'package.json': '{"name": "bank", "dependencies": {"money": "^1.0.0"}}',
  'index.js': "const { add } = require('money');\nexports.save = (a) => add(a, 1);\n",
};

describe('repo-intel up', () => {
  let data: string;
  let repositories: GitRepository[];
  let service: Running;

  const begin = (folder: string) => {
    data = folder;
    repositories = [gitRepository({ name: 'shop', files: shop }), gitRepository({ name: 'money', files: money })];
  };
  const end = async () => {
    await service.kill();
    for (const repository of repositories) repository.remove();
    rmSync(data, { recursive: true, force: true });
  };
  const paths = () => repositories.map(({ path }) => path);
  const up = async (sources = paths()) => startRepoIntel(['up', ...sources], { DATA_DIR: data });

  describe('in an empty folder, and in it again', () => {
    let key: string;

    before(async () => {
      begin(temporaryFolder());
      service = await up();
      key = keyIn(service.stdout());
    });
    after(end);

    it('loads repositories and prints a key and three curl lines that work as pasted', async function () {
      needsCommand(this, 'curl');
      const lines = service
        .stdout()
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

    it('links repositories by the packages that they publish and need', async () => {
      const { body } = await get<Graph>(service.address, '/api/graph', key);
      const between = body.edges.filter(({ from }) => from === 'shop').map(({ type, to }) => `${type} ${to}`);
      expect(between).to.include.members(['DEPENDS_ON money', 'IMPORTS money']);
      expect(body.edges.some(({ type, to }) => type === 'CONTRIBUTED_TO' && to === 'shop')).to.equal(true);
    });

    it('says who has the data folder to a second process that wants to serve', async () => {
      const second = await repoIntel(['serve'], { DATA_DIR: data });
      expect(second.code).to.equal(1);
      expect(second.stderr.trim().split('\n')).to.have.length(1);
      expect(second.stderr).to.include(`process ${service.process.pid}`).and.to.include(service.address);
    });

    it('makes, rotates and revokes keys beside a running service, which refuses what has ended at once', async () => {
      const keys = async (...args: string[]) => {
        const { code, stdout, stderr } = await repoIntel(['keys', ...args], { DATA_DIR: data });
        expect(code, stderr).to.equal(0);
        return stdout;
      };
      type Made = { api_key: string; id: string };
      const first = JSON.parse(await keys('create', '--organization', 'acme', '--role', 'owner', '--json')) as Made;
      const works = async (key: string) => (await get(service.address, '/', key)).status === 200;
      expect(first.api_key).to.match(/^ris_live_[0-9A-Za-z]{38}$/);
      expect(await works(first.api_key)).to.equal(true);
      const second = JSON.parse(await keys('rotate', first.id, '--overlap-seconds', '60', '--json')) as Made;
      expect([await works(first.api_key), await works(second.api_key)]).to.deep.equal([true, true]);
      const third = (await keys('rotate', second.id)).trim();
      expect([await works(second.api_key), await works(third)]).to.deep.equal([false, true]);
      await keys('revoke', first.id);
      expect(await works(first.api_key)).to.equal(false);
      const { code, stderr } = await repoIntel(['keys', 'rotate', first.id], { DATA_DIR: data });
      expect([code, stderr]).to.deep.equal([
        1,
        `${first.id}: there is no such key in use; see repo-intel keys list.\n`,
      ]);
    });

    it('sets the hosts that a checkout may lead back to, beside a running service', async () => {
      const hosts = (...args: string[]) => repoIntel(['checkout-hosts', ...args], { DATA_DIR: data });
      const checkout = async (host: string) => {
        const urls = { success_url: `https://${host}/`, cancel_url: `https://${host}/` };
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ plan_id: 'team', ...urls });
        return (await fetch(`${service.address}/v1/checkout/sessions`, { method: 'POST', headers, body })).status;
      };
      expect(await hosts('default', 'App.acme.example', 'b.example')).to.include({
        stdout: 'app.acme.example\nb.example\n',
      });
      expect([await checkout('app.acme.example'), await checkout('evil.example')]).to.deep.equal([201, 422]);
      expect(await hosts('default', '--any')).to.include({ code: 0, stdout: '', stderr: 'default: any host.\n' });
      expect(await checkout('evil.example')).to.equal(201);
    });

    it('serves nothing where none of what is named is there', async () => {
      const { code, stderr, stdout } = await repoIntel(['up', '/no/such', './nor-this'], {
        DATA_DIR: join(data, 'none'),
      });
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.include('there is no "/no/such", no "./nor-this"');
    });

    it('says which port is taken and how to choose another', async () => {
      const other = await dataFolder();
      const { port } = new URL(service.address);
      const second = await repoIntel(['serve'], { DATA_DIR: other, PORT: port });
      rmSync(other, { recursive: true });
      expect(second.code).to.equal(1);
      expect(second.stderr).to.include(`Port ${port}`).and.to.include('PORT=');
    });

    it('finds everything at the second start, keeps the key to itself and analyses nothing anew', async () => {
      const before = await get<Graph>(service.address, '/api/graph', key);
      const ended = await service.stop();
      expect(ended.code).to.equal(0);

      service = await up();
      expect(service.stdout()).not.to.match(/ris_live_/);
      expect(service.stderr()).to.include('shop: nothing changed').and.to.include('money: nothing changed');
      const after = await get<Graph>(service.address, '/api/graph', key);
      expect(after.status).to.equal(200);
      expect(after.body).to.deep.equal(before.body);
    });

    it('analyses only the file that changed', async () => {
      await service.stop();
      repositories[0]?.commit('Add a file', { files: { 'src/order.ts': 'export function order() { return 1; }\n' } });
      service = await up();
      expect(service.stderr()).to.match(/shop: loaded .* 2 source files \(1 unchanged since last time\)/);
      expect(service.stderr()).to.include('money: nothing changed');
    });

    it('takes the work of a load that is started beside it', async () => {
      const third = gitRepository({ name: 'bank', files: bank });
      repositories.push(third);
      const load = await repoIntel(['load', third.path], { DATA_DIR: data });
      expect(load.code, load.stderr).to.equal(0);
      const { body } = await get<Graph>(service.address, '/api/graph', key);
      const names = body.nodes.filter(({ type }) => type === 'Repository').map(({ name }) => name);
      expect(names).to.have.members(['shop', 'money', 'bank']);
      expect(body.edges.filter(({ from }) => from === 'bank').map(({ type, to }) => `${type} ${to}`)).to.include(
        'DEPENDS_ON money',
      );
    });
  });

  describe('in a folder of its own', () => {
    beforeEach(async () => begin(await dataFolder()));
    afterEach(end);

    it('reads paths from where the person stands who runs npm start: of sources, and of an index that a compiler made', async () => {
      const standsIn = { DATA_DIR: data, npm_lifecycle_event: 'start', INIT_CWD: `${repositories[0]?.path}/src` };
      service = await startRepoIntel(['up'], standsIn);
      expect((await service.stop()).stderr).to.include('shop: loaded');
      const [money, index] = [repositories[1]?.path ?? '', join(import.meta.dirname, '../fixtures/scip/kinds.scip')];
      const from = (path: string) => relative(standsIn.INIT_CWD, path);
      service = await startRepoIntel(['up', from(money), '--scip', from(index)], standsIn);
      expect(service.stderr()).to.include('money: loaded').and.to.include('scip_foreign: 2 of 2 files');
      expect((await repoIntel(['up', ...paths(), '--scip', index], { DATA_DIR: data })).code).to.equal(2);
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
      service = await up();
      expect(service.stdout()).to.include('Serving 2 repositories');
    });

    it('serves the rest when one of its sources is none', async () => {
      const [one] = paths();
      service = await up(['/no/such/folder', one ?? '']);
      expect(service.stderr()).to.include('/no/such/folder: not loaded.');
      const { body } = await get<Graph>(service.address, '/api/graph', keyIn(service.stdout()));
      expect(body.nodes.filter(({ type }) => type === 'Repository').map(({ name }) => name)).to.deep.equal(['shop']);
    });
  });
});
