import { expect } from 'chai';
import { createReadStream, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseLocation, repositoryName } from '../../../loaders/snapshot/location.ts';
import { openSnapshot } from '../../../loaders/snapshot/open-snapshot.ts';
import { gitRepository, temporaryFolder, writeFiles } from '../../support/git-repository.ts';
import { failure, readAll } from '../../support/read-all.ts';

describe('loaders/snapshot: a URL', () => {
  let cloneFolder: string;
  beforeEach(() => {
    cloneFolder = temporaryFolder();
  });
  afterEach(() => rmSync(cloneFolder, { recursive: true, force: true }));

  it('is cloned with progress, and fetched again the next time: new commits, forced ones, another default branch', async () => {
    using repository = gitRepository({ name: 'koa', files: { 'a.py': 'one' } });
    const url = `file://${repository.path}`;
    const lines: string[] = [];
    const open = () => openSnapshot(url, { cloneFolder, onProgress: (line) => lines.push(line) });
    const first = await open();
    expect(first).to.include({ name: 'koa', source: url, branch: 'main' });
    expect(lines.join('\n')).to.match(/Receiving objects|Cloning into/);
    repository.commit('Second', { files: { 'a.py': 'two' } });
    expect(await readAll(await open())).to.deep.equal({ 'a.py': 'two' });
    expect(await readAll(first), 'what is open stays').to.deep.equal({ 'a.py': 'one' });
    repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    repository.git('branch', '--move', 'trunk');
    repository.commit('Another second', { files: { 'a.py': 'three' } });
    const last = await open();
    expect(await readAll(last)).to.deep.equal({ 'a.py': 'three' });
    expect(last.branch).to.equal('trunk');
    expect(readdirSync(cloneFolder)).to.have.length(1);
  });

  it('is cloned anew where an earlier clone was interrupted', async () => {
    using repository = gitRepository({ files: { 'a.py': 'one' } });
    const url = `file://${repository.path}`;
    await openSnapshot(url, { cloneFolder });
    const [name = ''] = readdirSync(cloneFolder);
    rmSync(join(cloneFolder, name), { recursive: true });
    writeFiles(cloneFolder, { [`${name}.part/HEAD`]: 'half a clone' });
    expect(await readAll(await openSnapshot(url, { cloneFolder }))).to.deep.equal({ 'a.py': 'one' });
    expect(readdirSync(cloneFolder)).to.deep.equal([name]);
  });

  it('that leads nowhere is said to, and leaves nothing behind', async () => {
    const url = `file://${cloneFolder}/nowhere.git`;
    const error = await failure(openSnapshot(url, { cloneFolder }));
    expect(error).to.include({ name: 'SnapshotError', code: 'clone_failed' });
    expect(error.message)
      .to.contain(url)
      .and.match(/does not (appear|exist)/);
    const refused = await failure(openSnapshot('http://127.0.0.1:1/x.git', { cloneFolder }));
    expect(refused).to.include({ code: 'unreachable' });
    expect(readdirSync(cloneFolder)).to.deep.equal([]);
  });

  it('of a protocol that runs commands is refused', async () => {
    const marker = join(cloneFolder, 'marker');
    for (const url of [`ext::sh -c touch% ${marker}`, `ext://sh -c touch% ${marker}`, 'fd://17', 'ftp://host/x'])
      expect(await failure(openSnapshot(url, { cloneFolder })), url).to.include({ code: 'not_found' });
    expect(await failure(openSnapshot('--upload-pack=touch x@host:y', { cloneFolder }))).to.include({
      code: 'not_found',
    });
    expect(existsSync(marker)).to.equal(false);
  });

  it('that never answers is given up, and one that is no longer wanted is left at once', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/x.git`;
    const error = await failure(openSnapshot(url, { cloneFolder, idleMs: 300 }));
    expect(error).to.include({ name: 'SnapshotError', code: 'timeout' });
    const aborted = await failure(openSnapshot(url, { cloneFolder, signal: AbortSignal.timeout(300) }));
    expect(aborted.name).to.equal('TimeoutError');
    silent.closeAllConnections();
    silent.close();
  });

  describe('with credentials', () => {
    const secret = "s3cr3t'$(x)@:/%";
    let server: Server;
    let address: string;
    let authorized = 0;
    const repository = gitRepository({ name: 'private', files: { 'a.py': 'one' } });

    before(async () => {
      const bare = join(repository.path, '..', 'bare.git');
      repository.git('clone', '--quiet', '--bare', '.', bare);
      repository.git('-C', bare, 'update-server-info');
      const expected = `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}`;
      server = createServer((request, response) => {
        if (request.headers.authorization !== expected)
          return response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
        authorized += 1;
        const path = join(bare, new URL(request.url ?? '', 'http://x').pathname.replace('/private.git', ''));
        if (!existsSync(path)) return response.writeHead(404).end();
        return createReadStream(path).pipe(response);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `127.0.0.1:${(server.address() as AddressInfo).port}/private.git`;
    });
    after(async () => {
      await new Promise((resolve) => server.close(resolve));
      repository.remove();
    });

    it('uses them, and shows and keeps them nowhere', async () => {
      const url = `http://ann:${encodeURIComponent(secret)}@${address}`;
      for (const _ of ['clone', 'fetch']) {
        const lines: string[] = [];
        const before = authorized;
        const snapshot = await openSnapshot(url, { cloneFolder, onProgress: (line) => lines.push(line) });
        expect(await readAll(snapshot)).to.deep.equal({ 'a.py': 'one' });
        expect(authorized).to.be.above(before);
        expect(snapshot.source).to.equal(`http://${address}`);
        expect(JSON.stringify([snapshot, lines])).not.to.contain('s3cr3t');
      }
      for (const name of readdirSync(cloneFolder, { recursive: true, withFileTypes: true }))
        if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name), 'latin1')).not.to.contain('s3cr3t');
    });

    it('says that they are wrong without saying them', async () => {
      const error = await failure(openSnapshot(`http://ann:wr0ng@${address}`, { cloneFolder }));
      expect(error).to.include({ code: 'clone_failed' });
      expect(error.message).to.contain('credentials');
      expect(String(error.stack)).not.to.contain('wr0ng');
    });

    it('asks nobody for them where there are none', async () => {
      expect(await failure(openSnapshot(`http://${address}`, { cloneFolder }))).to.include({ code: 'clone_failed' });
    });
  });

  it('is told from a path, and named by its last part', () => {
    const url = (text: string) => {
      const location = parseLocation(text);
      return location.kind === 'url' ? location.url : null;
    };
    expect(url('https://token@github.com/koajs/koa.git?access_token=x#y')).to.equal('https://github.com/koajs/koa.git');
    expect(url('https://oauth2:token@gitlab.com/a/b/')).to.equal('https://gitlab.com/a/b');
    expect(url('git@github.com:koajs/koa.git')).to.equal('git@github.com:koajs/koa.git');
    expect(url('ssh://git:pass@host:22/a/b.git')).to.equal('ssh://git@host:22/a/b.git');
    for (const path of ['koa', './a:b', '/x/y', 'C:\\x\\y', '../a@b/c']) expect(url(path), path).to.equal(null);
    expect(() => url('')).to.throw('The path is empty');
    for (const [text, name] of [
      ['https://github.com/koajs/koa.git', 'koa'],
      ['git@host:koa.git', 'koa'],
      ['/srv/git/my repo#1', 'my-repo-1'],
      ['/srv/koa/.git', 'koa'],
      ['/', 'repository'],
    ] as const)
      expect(repositoryName(text)).to.equal(name);
  });
});
