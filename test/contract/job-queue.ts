import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { JobQueue } from '../../src/stores/jobs/port.ts';
import { eventually } from '../support/eventually.ts';

/** What every queue of jobs promises; `open` opens the same again, when the one before has stopped. */
export function jobQueueContract(open: () => Promise<JobQueue>): void {
  it('has one waiting job a source, and takes another while that one runs', async () => {
    const queue = await open();
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
    const queue = await open();
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
    const first = await open();
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
    const second = await open();
    const [job] = (await second.list()).filter((each) => each.source === source);
    expect(job).to.include({ state: 'retrying', attempts: 1, error: 'Its worker was stopped.' });
    await second.stop({ drainMs: 0 });
  });

  it('cancels what waits and what runs, and nothing else', async () => {
    const queue = await open();
    const source = 'https://example.org/cancelled.git';
    const [running, waiting, other] = ['running', 'waiting', 'other'].map(
      (name) => ({ kind: 'load', source, name }) as const,
    );
    const began = Promise.withResolvers<AbortSignal>();
    const ends = Promise.withResolvers<void>();
    if (running) await queue.enqueue(running);
    await queue.work({
      load: {
        concurrency: 1,
        async handle({ name }, signal) {
          if (name === 'running') {
            began.resolve(signal);
            await once(signal, 'abort');
            throw new Error('It was cancelled.');
          }
          await ends.promise;
          return { status: 'done', repository: name ?? null, commit: null, changed: true };
        },
      },
    });
    const signal = await began.promise;
    for (const job of [waiting, other]) if (job) await queue.enqueue(job);
    const isSo = ({ name }: { name?: string }) => name !== 'other';
    expect(await queue.cancel('load', (job) => job.source === source && isSo(job))).to.equal(2);
    expect(signal.aborted).to.equal(true);
    ends.resolve();
    const states = async () => {
      const own = (await queue.list()).filter((job) => job.source === source);
      return own.map(({ state, attempts, repository }) => ({ state, attempts, repository }));
    };
    await eventually(async () =>
      expect(await states()).to.have.deep.members([
        { state: 'cancelled', attempts: 1, repository: null },
        { state: 'cancelled', attempts: 0, repository: null },
        { state: 'done', attempts: 1, repository: 'other' },
      ]),
    );
    expect(await queue.cancel('load', (job) => job.source === source)).to.equal(0);
    await queue.stop({ drainMs: 1_000 });
  });

  it('gives a job that failed for good no second try, and one that may pass another, later', async () => {
    const queue = await open();
    const [bad, away] = ['https://example.org/bad.git', 'https://example.org/away.git'];
    for (const source of [bad, away]) await queue.enqueue({ kind: 'load', source });
    await queue.work({
      load: {
        concurrency: 1,
        handle: async ({ source }) => ({ status: 'failed', error: `No ${source}.`, retry: source === away }),
      },
    });
    const stateOf = async (source: string) => (await queue.list()).find((each) => each.source === source);
    while ((await stateOf(bad))?.state !== 'failed' || (await stateOf(away))?.state !== 'retrying') await sleep(50);
    expect(await stateOf(bad)).to.include({ attempts: 1, error: `No ${bad}.` });
    expect(await stateOf(away)).to.include({ attempts: 1, error: `No ${away}.`, ended_at: null });
    await queue.stop({ drainMs: 1_000 });
  });
}
