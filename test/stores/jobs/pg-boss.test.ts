import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import { openPgBoss } from '../../../src/stores/jobs/pg-boss.ts';
import { openPglite } from '../../../src/stores/relational/pglite.ts';
import type { RelationalStore } from '../../../src/stores/relational/port.ts';
import { jobQueueContract } from '../../contract/job-queue.ts';
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

    jobQueueContract(() => openPgBoss({ url }));
  });

  describe('on pglite', () => {
    let folder: string;
    let store: RelationalStore | undefined;
    const reopen = async () => {
      await store?.close();
      store = await openPglite({ folder: join(folder, 'postgres') });
      return store.jobs();
    };
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'jobs-'));
    });
    after(async () => {
      await store?.close();
      await rm(folder, { recursive: true });
    });

    jobQueueContract(reopen);

    it('answers requests as before when a statement of the queue fails within its transaction', async () => {
      const queue = await reopen();
      // The database refuses it, not the queue.
      const source = 'https://example.org/\0';
      const failed = await queue.enqueue({ kind: 'load', source }).then(
        () => false,
        () => true,
      );
      expect(failed).to.equal(true);
      expect(await store?.ping()).to.be.instanceOf(Date);
      expect(await queue.enqueue({ kind: 'load', source: 'https://example.org/after.git' })).to.equal(true);
    });

    it('counts what waits and runs among the backlog', async () => {
      const queue = await reopen();
      await queue.enqueue({ kind: 'load', source: 'https://example.org/counted.git' });
      const ends = Promise.withResolvers<void>();
      const began = Promise.withResolvers<void>();
      const { jobs_waiting: waiting = 0 } = (await store?.backlog()) ?? {};
      expect(waiting).to.be.at.least(1);
      await queue.work({
        load: {
          concurrency: 1,
          async handle() {
            began.resolve();
            await ends.promise;
            return { status: 'done', repository: 'counted', commit: null, changed: true };
          },
        },
      });
      await began.promise;
      for (;;) {
        const { jobs_running: running } = (await store?.backlog()) ?? {};
        if (running === 1) break;
        await sleep(50);
      }
      ends.resolve();
      await queue.stop({ drainMs: 1_000 });
    });
  });
});
