import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import { openPgBoss } from '../../../src/stores/jobs/pg-boss.ts';
import { onEngine } from '../../support/engines.ts';

describe('jobs: pg-boss', () => {
  onEngine('postgres', (server) => {
    const database = `repo_intel_jobs_${process.pid}`;
    let url: string;
    const administer = async (statement: string) => {
      const client = new Client({ connectionString: server() });
      await client.connect();
      await client.query(statement);
      await client.end();
    };
    before(async () => {
      await administer(`CREATE DATABASE ${database}`);
      url = Object.assign(new URL(server()), { pathname: `/${database}` }).href;
    });
    after(async () => {
      if (url) await administer(`DROP DATABASE ${database} WITH (FORCE)`);
    });

    it('makes its tables once when several processes start at once', async () => {
      const queues = await Promise.all(Array.from({ length: 4 }, () => openPgBoss({ url })));
      expect(await queues[0]?.list()).to.deep.equal([]);
      await Promise.all(queues.map((queue) => queue.stop({ drainMs: 0 })));
    });

    it('has one waiting job a source, and takes another while that one runs', async () => {
      const queue = await openPgBoss({ url });
      const source = 'https://example.org/one.git';
      const ends = Promise.withResolvers<void>();
      let running = 0;
      expect(await queue.enqueue({ kind: 'load', source })).to.equal(true);
      expect(await queue.enqueue({ kind: 'load', source, ref: 'main' })).to.equal(false);
      await queue.work({
        load: {
          concurrency: 3,
          async handle() {
            running += 1;
            expect(running, 'one of a source runs').to.equal(1);
            await ends.promise;
            running -= 1;
            return { status: 'done', repository: 'one', commit: null, changed: true };
          },
        },
      });
      while (running === 0) await sleep(50);
      expect(await queue.enqueue({ kind: 'load', source })).to.equal(true);
      await sleep(2_500);
      expect((await queue.list()).map(({ state }) => state)).to.deep.equal(['waiting', 'running']);
      ends.resolve();
      while ((await queue.list()).some(({ state }) => state !== 'done')) await sleep(100);
      expect((await queue.list()).map(({ attempts, repository }) => ({ attempts, repository }))).to.deep.equal([
        { attempts: 1, repository: 'one' },
        { attempts: 1, repository: 'one' },
      ]);
      await queue.stop({ drainMs: 1_000 });
    });

    it('takes jobs of either kind beside the other, each as it was asked for', async () => {
      const queue = await openPgBoss({ url });
      const source = 'https://example.org/both.git';
      const mint = { kind: 'mint', source, name: 'acme/both', settings: { test_cmd: 'make test', runs: 2 } } as const;
      expect(await queue.enqueue({ kind: 'load', source, ref: 'main' })).to.equal(true);
      expect(await queue.enqueue(mint)).to.equal(true);
      expect(await queue.enqueue({ ...mint, name: 'acme/other' })).to.equal(false);
      const done = { status: 'done', repository: 'both', commit: null, changed: true } as const;
      const seen = Promise.all([
        new Promise((resolve) => {
          void queue.work({ load: { concurrency: 1, handle: async (job) => (resolve(job), done) } });
        }),
        new Promise((resolve) => {
          void queue.work({ mint: { concurrency: 1, handle: async (job) => (resolve(job), { ...done, minted: 3 }) } });
        }),
      ]);
      const [loaded, minted] = (await seen) as Record<string, unknown>[];
      expect(loaded).to.include({ kind: 'load', source, ref: 'main' });
      expect(minted).to.deep.include(mint);
      const own = async () => (await queue.list()).filter((job) => job.source === source);
      while ((await own()).some(({ state }) => state !== 'done')) await sleep(100);
      expect((await own()).map((job) => [job.kind, job.minted])).to.deep.equal([
        ['mint', 3],
        ['load', null],
      ]);
      await queue.stop({ drainMs: 1_000 });
    });

    it('gives back what is under way when a worker is stopped', async () => {
      const source = 'https://example.org/slow.git';
      const first = await openPgBoss({ url });
      await first.enqueue({ kind: 'load', source });
      const began = Promise.withResolvers<AbortSignal>();
      await first.work({
        load: {
          concurrency: 1,
          async handle(_job, signal) {
            began.resolve(signal);
            await once(signal, 'abort');
            throw new Error('It was stopped.');
          },
        },
      });
      const signal = await began.promise;
      await first.stop({ drainMs: 1_000 });
      expect(signal.aborted).to.equal(true);
      const second = await openPgBoss({ url });
      const [job] = (await second.list()).filter((each) => each.source === source);
      expect(job).to.include({ state: 'retrying', attempts: 1, error: 'Its worker was stopped.' });
      await second.stop({ drainMs: 0 });
    });
  });
});
