import { readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { get, keyIn, launcher, repoIntel, runProgram, startRepoIntel } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';

const shop = {
  'cart.py': 'class Cart:\n    def total(self):\n        return price()\n\ndef price():\n    return 1\n',
  'till.py': 'from cart import price\n\nclass Till:\n    def total(self):\n        return price()\n',
};

describe('questions asked on the spot', () => {
  let data: string;
  let repository: GitRepository;
  const askIn = (cwd: string, ...words: string[]) => runProgram({ launcher, cwd }, words, { DATA_DIR: data });
  const ask = (...words: string[]) => askIn(repository.path, ...words);
  const holder = () =>
    JSON.parse(readFileSync(join(data, 'owner.json'), 'utf8')) as {
      pid: number;
      command: string;
      control: { port: number };
    };

  before(async () => {
    data = await dataFolder();
    repository = gitRepository({ name: 'shop', files: shop });
  });
  after(async () => {
    await repoIntel(['stop'], { DATA_DIR: data });
    repository.remove();
    rmSync(data, { recursive: true });
  });

  it('load the repository first, once, however many ask', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('callers', 'price')));
    for (const { code, stdout, stderr } of answers) {
      expect(code, stderr).to.equal(0);
      expect(stdout).to.include('Cart.total').and.to.include('Till.total').and.to.include('2 of 2');
    }
    const { stdout } = await repoIntel(['list', '--json'], { DATA_DIR: data });
    expect(stdout.match(/"source":/g)).to.have.length(1);
    expect(holder().command).to.equal('repo-intel stay');
    // Waits for what follows the graph.
    expect((await ask('dd')).code).to.equal(0);
  });

  it('say what is called so where there are several, and take one as it stands there', async () => {
    const several = await ask('callees', 'total');
    expect(several).to.include({ code: 1, stderr: '' });
    expect(several.stdout.split('\n').slice(0, 3)).to.have.members([
      '2 are called total: ask for one of them as it stands here.',
      '- cart.py#Cart.total (method at cart.py:2)',
      '- till.py#Till.total (method at till.py:4)',
    ]);
    const { ambiguous } = JSON.parse((await ask('callees', '--json', 'total')).stdout) as { ambiguous: object[] };
    expect(ambiguous).to.have.length(2);
    for (const word of ['till.py#Till.total', 'Till.total', 'shop/till.py#Till.total'])
      expect((await ask('callees', word)).stdout, word)
        .to.include('1 of 1')
        .and.to.include('price');
  });

  it('answer any question to the graph, and say where it is wrong', async () => {
    const query = 'MATCH (f {name: "price"})<-[:CALLS]-(g) RETURN g.qualified_name AS caller ORDER BY caller';
    expect((await ask('query', query)).stdout).to.equal('2 rows: caller\n- Cart.total\n- Till.total\n');
    const wrong = await ask('query', 'MATCH (f) RETURN g');
    expect(wrong).to.include({ code: 1, stdout: '' });
    expect(wrong.stderr).to.include('line 1, column 18');
    expect((await ask('query', 'MATCH (f:Function {name: "none"}) RETURN f')).code).to.equal(1);
  });

  it('say what to do where nothing is called so, or no repository is there', async () => {
    const unknown = await ask('callers', 'prices');
    expect(unknown).to.include({ code: 1, stdout: '' });
    expect(unknown.stderr).to.include('shop has no function or class called "prices"').and.to.include('price');
    const elsewhere = temporaryFolder();
    const nowhere = await askIn(elsewhere, 'dd');
    expect(nowhere.code).to.equal(1);
    expect(nowhere.stderr).to.include('repo-intel dd NAME');
    expect((await askIn(elsewhere, 'callers', '--repo', 'shop', 'price')).stdout).to.include('2 of 2');
    rmSync(elsewhere, { recursive: true });
    const none = await ask('search', 'zebracorn');
    expect(none.code).to.equal(1);
    expect(none.stdout).to.include('0 of 0');
    const unheard = await ask('search', '--repo', 'nope', 'price');
    expect(unheard).to.include({ code: 1, stdout: '' });
    expect(unheard.stderr).to.include('No repository is named "nope".');
    const noWay = await ask('path', 'price', 'Cart.total');
    expect(noWay.code).to.equal(1);
    expect(noWay.stdout).to.include('No way leads');
    const wrong = await ask('path', 'price');
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.include("missing required argument 'to'");
  });

  it('are answered for a path, source, search, impact and due diligence as well', async () => {
    expect((await ask('path', 'Cart.total', 'price')).stdout).to.include('1 edges');
    expect((await ask('source', 'price')).stdout).to.include('5\tdef price():\n6\t    return 1');
    expect((await ask('source', 'till.py:1-2')).stdout).to.include('1\tfrom cart import price');
    expect((await ask('search', 'total')).stdout).to.include('Cart.total');
    expect((await ask('impact', 'price')).stdout).to.include('Till.total');
    expect((await ask('dd')).stdout).to.match(/^shop: grade /);
  });

  it('know a commit that was made since', async () => {
    repository.commit('Another', {
      files: { 'new.py': 'from cart import price\n\ndef fresh():\n    return price()\n' },
    });
    const { stdout, stderr } = await ask('callers', 'price');
    expect(stderr).to.include('shop: loaded at');
    expect(stdout).to.include('3 of 3').and.to.include('fresh');
    expect((await ask('callers', 'price')).stderr).to.equal('');
    expect(repository.git('status', '--porcelain', '--ignored')).to.equal('');
  });

  it('come from agents as well, over standard input and output without login', async () => {
    const agent = new Client({ name: 'test', version: '1.0.0' });
    const environment = { PATH: process.env['PATH'] ?? '', DATA_DIR: data, XDG_CONFIG_HOME: data };
    await agent.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [launcher, 'mcp'],
        cwd: repository.path,
        env: environment,
        stderr: 'ignore',
      }),
    );
    expect((await agent.listTools()).tools.map(({ name }) => name)).to.include('impact');
    repository.commit('One more', {
      files: { 'last.py': 'from cart import price\n\ndef last():\n    return price()\n' },
    });
    const { content } = await agent.callTool({ name: 'impact', arguments: { id: 'shop/cart.py#price' } });
    // Before it can fail: a child that is there keeps this process.
    await agent.close();
    expect((content as { text: string }[])[0]?.text).to.include('Function last');
  });

  it('tell nothing to who does not know the token', async () => {
    for (const begin of ['x\n', `${'x'.repeat(43)}\n`, 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n' + 'x'.repeat(43)]) {
      const socket = connect(holder().control.port, '127.0.0.1');
      socket.end(`${begin}{"command":"keys.list","options":{}}`);
      expect(await text(socket)).to.equal('');
    }
  });

  describe('of a repository that nobody has loaded', () => {
    let fresh: GitRepository;
    const here = (...words: string[]) => askIn(fresh.path, ...words);
    const infoOf = async (name: string) => {
      const { code, stdout, stderr } = await repoIntel(['list', '--json'], { DATA_DIR: data });
      expect(code, stderr).to.equal(0);
      const listed = JSON.parse(stdout) as { repository: string }[];
      return JSON.stringify(listed.find(({ repository: listedAs }) => listedAs === name));
    };
    beforeEach(() => (fresh = gitRepository({ name: 'fresh', files: shop })));
    afterEach(async () => {
      await repoIntel(['remove', 'fresh'], { DATA_DIR: data });
      fresh.remove();
    });

    it('know the graph at once, and the rest for whoever asks for it', async () => {
      const first = await here('callers', 'price');
      expect(first.stdout).to.include('2 of 2');
      expect(first.stderr).to.include('Of fresh only the graph is read yet').and.not.include('contributors');
      expect((await here('dd')).stdout).to.match(/^fresh: grade /);
      expect((await here('query', 'MATCH (c:Contributor) RETURN count(c) AS many')).stdout).to.include('- 1');
      const { code, stderr } = await here('callers', 'price');
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    });

    it('know the text of the files at once where it is asked for, and soon where it was not', async () => {
      const first = await here('source', 'price');
      expect(first.stdout).to.include('def price');
      expect(first.stderr).to.include('Of fresh only the graph is read yet').and.not.include('contributors');
      // Whether the load of the rest is over, or under way and would bring it back.
      await repoIntel(['remove', 'fresh'], { DATA_DIR: data });
      expect(await infoOf('fresh')).to.equal(undefined);
      expect((await here('callers', 'price')).stderr).to.include('Of fresh only the graph is read yet');
      const next = await here('source', 'price');
      expect(next.stdout).to.include('def price');
      expect(await infoOf('fresh')).to.not.include('only_graph');
    });

    it('lose nothing where all is killed in between, and are told that there is more to come', async () => {
      expect((await here('callers', 'price')).stdout).to.include('2 of 2');
      const { pid } = holder();
      process.kill(pid, 'SIGKILL');
      await eventually(async () => expect(() => process.kill(pid, 0)).to.throw('ESRCH'));
      expect(await infoOf('fresh')).to.include('only_graph');
      const again = await here('callers', 'price');
      expect(again.stdout).to.include('2 of 2');
      expect(again.stderr).to.include('Of fresh only the graph is read yet');
      expect((await here('search', 'price')).stdout).to.include('price');
      expect(await infoOf('fresh')).to.not.include('only_graph');
    });
  });

  describe('beside a service', () => {
    let service: Running;
    before(async () => {
      service = await startRepoIntel(['serve'], { DATA_DIR: data });
    });
    after(() => service.kill());

    it('it takes over from what stayed in the background, and gives the answers of its API', async () => {
      expect(holder().pid).to.equal(service.process.pid);
      const path = '/api/graph/neighbors/shop?node=shop%2Fcart.py%23price&direction=in&edge_types=CALLS&page_size=50';
      const { body } = await get(service.address, path, keyIn(service.stdout()));
      expect(JSON.parse((await ask('callers', '--json', 'price')).stdout)).to.deep.equal(body);
      const stop = await repoIntel(['stop'], { DATA_DIR: data });
      expect(stop.code).to.equal(1);
      expect(stop.stderr).to.include('was started by hand');
    });
  });
});
