import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Client } from 'pg';
import type { Report } from '../../src/model/report.ts';
import { ReportFailure } from '../../src/reports/report-type.ts';
import { createReportRunner } from '../../src/reports/runner.ts';
import { StoreUnavailable } from '../../src/stores/errors.ts';
import { openPglite } from '../../src/stores/relational/pglite.ts';
import type { ClaimedReport, RelationalStore } from '../../src/stores/relational/port.ts';
import { openPostgres } from '../../src/stores/relational/postgres.ts';
import { unique } from '../contract/relational-store.ts';
import { onEngine } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';

const worker = fileURLToPath(new URL('./runner-process.ts', import.meta.url));

/** On an empty database at this place, which any number of processes may open, or one after the other. */
function runnerSuite(place: () => Promise<string>, open: (place: string) => Promise<RelationalStore>): void {
  let store: RelationalStore;
  let organizationId = '';
  before(async () => {
    store = await open(await place());
    ({ id: organizationId } = await store.accounts.ensureOrganization({ slug: unique('org'), name: 'Acme' }));
  });
  after(() => store.close());

  const ask = (type = 'novel') =>
    store.tenant(organizationId, ({ reports }) =>
      reports.create({ type, name: null, format: 'json', parameters: {}, createdBy: 'mem_ann' }),
    );
  const becomes = (id: string, status: Report['status']) =>
    eventually(async () => {
      const report = await store.tenant(organizationId, ({ reports }) => reports.get(id));
      expect(report?.status).equals(status);
      return report!;
    });
  const done = { content: Buffer.from('done'), contentType: 'text/plain' };
  /** A runner that has each report made so, and what went wrong with it. */
  const start = (make: (claimed: ClaimedReport) => Promise<typeof done>, pollMs = 100) => {
    const wrong: unknown[] = [];
    const runner = createReportRunner({ queue: store.reports, make, report: (error) => wrong.push(error), pollMs });
    runner.start();
    return { runner, wrong };
  };

  it('a report whose maker is killed with kill -9 is made by another, once', async () => {
    const { id } = await ask();
    // Where one process has the database, it must be the other's for a while.
    await store.close();
    const child = spawn(process.execPath, [worker, await place()], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(line.toString()).equals(`${id} 1\n`);
    child.kill('SIGKILL');
    await once(child, 'close');
    store = await open(await place());
    expect((await becomes(id, 'running')).started_at).is.a('string');
    const made: string[] = [];
    const make = async ({ id, attempt }: ClaimedReport) => {
      made.push(`${id} ${attempt}`);
      return done;
    };
    const runners = [start(make), start(make)];
    await becomes(id, 'succeeded');
    await Promise.all(runners.map(({ runner }) => runner.stop({ drainMs: 1_000 })));
    expect(made).deep.equals([`${id} 2`]);
  });

  it('a stop waits for the report under way, gives back what takes longer, and takes no more', async () => {
    const [short, long] = [await ask('short'), await ask('long')];
    const began = { short: Promise.withResolvers<void>(), long: Promise.withResolvers<void>() };
    const ends = Promise.withResolvers<typeof done>();
    const { runner } = start(({ type }) => {
      began[type as keyof typeof began].resolve();
      return type === 'short' ? ends.promise : new Promise(() => {});
    });
    await Promise.all([began.short.promise, began.long.promise]);
    const stopped = runner.stop({ drainMs: 3_000 });
    const late = await ask();
    ends.resolve(done);
    await stopped;
    expect((await becomes(short.id, 'succeeded')).result).deep.include({ size_bytes: 4 });
    await becomes(long.id, 'pending');
    await becomes(late.id, 'pending');
    const { runner: next } = start(async () => done);
    await becomes(long.id, 'succeeded');
    await becomes(late.id, 'succeeded');
    await next.stop({ drainMs: 1_000 });
  });

  it('a mistake fails its report without telling what it was, and the runner goes on', async () => {
    const [bad, wrong, good] = [await ask('bad'), await ask('wrong'), await ask('good')];
    const { runner, wrong: told } = start(async ({ type }) => {
      if (type === 'bad') throw new TypeError('secret');
      if (type === 'wrong') throw new ReportFailure('repository_not_found', 'No repository is named "x".');
      return done;
    });
    const { error } = await becomes(bad.id, 'failed');
    expect(error?.code).equals('internal_error');
    expect(error?.message).not.include('secret');
    expect(told.map(String)).deep.equals(['TypeError: secret']);
    const failed = await becomes(wrong.id, 'failed');
    expect(failed.error).deep.equals({ code: 'repository_not_found', message: 'No repository is named "x".' });
    await becomes(good.id, 'succeeded');
    await runner.stop({ drainMs: 1_000 });
  });

  it('a report whose source is away waits for another try', async () => {
    const { id } = await ask();
    const { runner, wrong } = start(async () => {
      throw new StoreUnavailable('graph');
    });
    await eventually(async () => expect((await becomes(id, 'pending')).started_at).is.a('string'));
    await runner.stop({ drainMs: 1_000 });
    expect(wrong).deep.equals([]);
    await store.tenant(organizationId, ({ reports }) => reports.remove(id));
  });
}

describe('reports: runner', () => {
  describe('embedded', () => {
    let folder: string;
    before(async () => (folder = await mkdtemp(join(tmpdir(), 'reports-'))));
    after(() => rm(folder, { recursive: true }));
    runnerSuite(
      async () => join(folder, 'postgres'),
      (folder) => openPglite({ folder }),
    );
  });

  onEngine('postgres', (server) => {
    const database = unique('repo_intel_test').replaceAll('-', '_');
    const administer = async (statement: string) => {
      const client = new Client({ connectionString: server() });
      await client.connect();
      await client.query(statement);
      await client.end();
    };
    before(() => administer(`CREATE DATABASE ${database}`));
    after(() => administer(`DROP DATABASE ${database} WITH (FORCE)`));
    runnerSuite(
      async () => Object.assign(new URL(server()), { pathname: `/${database}` }).href,
      (url) => openPostgres({ url, timeoutMs: 30_000 }),
    );
  });
});
