import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import type { JobRecord } from '../../src/stores/jobs/port.ts';
import { get, keyIn, repoIntel, startRepoIntel, startWorker } from '../support/cli.ts';
import type { Running } from '../support/cli.ts';
import { onEngine } from '../support/engines.ts';
import { itTakesLong } from '../support/effort.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import { shopRepository } from '../support/shop-repository.ts';

describe('repo-intel worker', function () {
  // Each look is a start of the program.
  this.timeout(600_000);
  onEngine('postgres', (server) => {
    const database = `repo_intel_worker_${process.pid}`;
    const data = temporaryFolder();
    let environment: Record<string, string>;
    let service: Running;
    let key: string;

    const administer = async (statement: string) => {
      const client = new Client({ connectionString: server() });
      await client.connect();
      await client.query(statement);
      await client.end();
    };
    const jobs = async () => {
      const listed = await repoIntel(['jobs', 'list', '--json'], environment);
      expect(listed.code, listed.stderr).to.equal(0);
      return JSON.parse(listed.stdout) as JobRecord[];
    };
    const jobOf = async (source: string) => {
      const [job, ...others] = (await jobs()).filter((each) => each.source === source);
      expect(others).to.deep.equal([]);
      if (!job) throw new Error(`There is no job for ${source}.`);
      return job;
    };
    let workers: Awaited<ReturnType<typeof startWorker>>[] = [];
    const start = async () => {
      const worker = await startWorker([], environment);
      workers.push(worker);
      return worker;
    };
    afterEach(async () => {
      // Where a test failed, its workers are still there.
      await Promise.all(workers.map((worker) => worker.kill()));
      workers = [];
    });
    /** A worker says that it is done with this source just before its job does, and to ask for the jobs is a start of the program. */
    const ended = (source: string) => {
      const told = (line: string) => line.includes(JSON.stringify(source)) && /"(?:seconds|minted|retry)":/.test(line);
      return until(() => workers.some(({ stderr }) => stderr().split('\n').some(told)), 50);
    };
    const enqueue = (...args: string[]) => repoIntel(['load', '--enqueue', ...args], environment);
    const repositories = async () => {
      const { body } = await get<{ nodes: { name: string }[] }>(service.address, '/api/graph', key);
      return body.nodes.map(({ name }) => name);
    };

    before(async () => {
      await administer(`CREATE DATABASE ${database}`);
      environment = {
        DATABASE_URL: Object.assign(new URL(server()), { pathname: `/${database}` }).href,
        DATA_DIR: data,
        LOG_LEVEL: 'info',
      };
      service = await startRepoIntel(['serve'], environment);
      key = keyIn(service.stdout());
    });
    after(async () => {
      if (!service) return;
      await service.stop();
      await administer(`DROP DATABASE ${database} WITH (FORCE)`);
      rmSync(data, { recursive: true, force: true });
    });

    it('loads what was enqueued, which is served at once, and ends when it is told to', async () => {
      using repository = gitRepository({ name: 'harbour', files: { 'a.js': 'export function moor() {}\n' } });
      const enqueued = await enqueue(repository.path);
      expect(enqueued.stderr).to.contain('waits for a worker');
      expect((await enqueue(repository.path)).stderr, 'one of a source waits').to.contain('waits already');
      expect(await jobOf(repository.path)).to.include({ state: 'waiting', attempts: 0, error: null });

      const worker = await start();
      await ended(repository.path);
      await until(async () => (await jobOf(repository.path)).state === 'done');
      expect(await jobOf(repository.path)).to.include({ repository: 'harbour', attempts: 1, error: null });
      expect(await repositories()).to.include('harbour');
      const { body } = await get<{ items: { name: string }[] }>(service.address, '/api/search?q=moor', key);
      expect(body.items.map(({ name }) => name)).to.include('moor');
      expect((await worker.stop()).code).to.equal(0);
    });

    it('loads for the organization that a job names, a source once for each', async () => {
      using repository = gitRepository({ name: 'quay', files: { 'a.js': 'export function land() {}\n' } });
      const { path } = repository;
      const made = ['keys', 'create', '--organization', 'acme', '--role', 'owner'];
      expect((await repoIntel(made, environment)).code).to.equal(0);
      for (const says of ['waits for a worker', 'waits already'])
        expect((await enqueue(path, '--organization', 'acme')).stderr).to.contain(says);
      expect((await enqueue(path)).stderr).to.contain('waits for a worker');
      await start();
      await ended(path);
      await until(async () => (await jobs()).every(({ source, state }) => source !== path || state === 'done'));
      const told = (await jobs()).filter(({ source }) => source === path);
      expect(told.map(({ organization, repository: name }) => [organization, name])).to.have.deep.members([
        ['acme', 'quay'],
        [null, 'quay'],
      ]);
      const { stdout } = await repoIntel(['list', '--all'], environment);
      const names = stdout.split('\n').map((line) => line.split('\t')[0]);
      expect(names).to.include.members(['quay', 'acme~quay']);
    });

    itTakesLong('mints what was enqueued, which is listed at once', async () => {
      using shop = shopRepository();
      const { test_cmd: command, report } = shop.instance.environment;
      const { path } = shop.repository;
      const options = ['--test-cmd', command, '--report', `${report.format}:${report.path}`, '--runs', '2'];
      const enqueued = await repoIntel(['benchmark', 'mint', path, '--enqueue', ...options], environment);
      expect(enqueued.stderr).to.contain('waits for a worker');
      expect(await jobOf(path)).to.include({ kind: 'mint', state: 'waiting', minted: null });

      await start();
      await ended(path);
      await until(async () => (await jobOf(path)).state !== 'waiting' && (await jobOf(path)).state !== 'running');
      const repo = 'local/shop';
      expect(await jobOf(path)).to.include({ state: 'done', repository: repo, minted: 1, error: null });
      const tasks = `/api/benchmark/tasks?repo=${repo}`;
      const { body } = await get<{ items: { instance_id: string }[] }>(service.address, tasks, key);
      expect(body.items.map(({ instance_id: id }) => id)).to.deep.equal(['local__shop-17']);

      const refused = await repoIntel(['benchmark', 'mint', path, '--enqueue', '--dry-run'], environment);
      expect([refused.code, refused.stderr.includes('--dry-run')]).to.deep.equal([2, true]);
    });

    it('fails a source that is none once, and keeps the sentence with the job', async () => {
      const source = `${data}/nowhere`;
      await enqueue(source);
      const worker = await start();
      await ended(source);
      await until(async () => (await jobOf(source)).state === 'failed');
      await worker.stop();
      expect(await jobOf(source)).to.include({
        attempts: 1,
        error: `${source} does not exist: check the path.`,
        repository: null,
      });
    });

    it('tries a host that does not answer again, later', async () => {
      const port = await freePort();
      const source = `http://127.0.0.1:${port}/acme/api.git`;
      await enqueue(source);
      const worker = await start();
      await ended(source);
      await until(async () => (await jobOf(source)).state === 'retrying');
      await worker.stop();
      const job = await jobOf(source);
      expect(job.error).to.contain('could not be cloned');
      expect(job.attempts).to.equal(1);
    });

    itTakesLong('killed with -9 in a load is replaced by another, and nothing is doubled', async () => {
      const files = Object.fromEntries(
        Array.from({ length: 700 }, (_, index) => [
          `src/f${index}.ts`,
          `export function f${index}() { return ${index}; }\n`,
        ]),
      );
      using repository = gitRepository({ name: 'town', files });
      await enqueue(repository.path);
      const doomed = await start();
      await until(() => doomed.stderr().includes('"msg":"parsing"'), 20);
      await doomed.kill();
      expect((await jobOf(repository.path)).state).to.equal('running');

      const others = [await start(), await start()];
      await ended(repository.path);
      await until(async () => (await jobOf(repository.path)).state === 'done');
      const outcomes = await Promise.all(others.map((worker) => worker.stop()));
      expect(await jobOf(repository.path)).to.include({ attempts: 2, repository: 'town' });
      const begun = outcomes.flatMap(({ stderr }) =>
        stderr.split('\n').filter((line) => line.includes('"msg":"begins"')),
      );
      expect(begun.filter((line) => line.includes(repository.path))).to.have.length(1);
      expect((await repositories()).filter((name) => name.includes('town'))).to.deep.equal(['town']);
      const found = await get<{ total: number }>(service.address, '/api/search?type=Function&repo=town', key);
      expect(found.body.total).to.equal(700);
    });

    it('tells two repositories of one name apart that are loaded at once', async () => {
      using one = gitRepository({ name: 'wharf', files: { 'a.js': 'export const a = 1;\n' } });
      using other = gitRepository({ name: 'wharf', files: { 'b.js': 'export const b = 2;\n' } });
      await enqueue(one.path, other.path);
      const worker = await start();
      await Promise.all([ended(one.path), ended(other.path)]);
      await until(async () =>
        (await jobs()).every(({ source, state }) => !source.endsWith('/wharf') || state === 'done'),
      );
      await worker.stop();
      expect((await repositories()).filter((name) => name.includes('wharf'))).to.have.length(2);
    });
  });

  it('puts no credentials into a job', async () => {
    const { code, stderr } = await repoIntel(['load', '--enqueue', 'https://ann:s3cr3t@example.org/api.git'], {
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    });
    expect(code).to.equal(1);
    expect(stderr).to.contain('credentials').and.not.contain('s3cr3t');
  });
});

async function until(isSo: () => boolean | Promise<boolean>, everyMs = 300, limitMs = 180_000): Promise<void> {
  for (const end = Date.now() + limitMs; !(await isSo()); await sleep(everyMs)) {
    if (Date.now() > end) throw new Error(`Not so after ${limitMs / 1000} s.`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
