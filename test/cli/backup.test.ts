import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import { Header } from 'tar';
import { refuseLostDatabase } from '../../src/backup/lost.ts';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { openPglite } from '../../src/stores/relational/pglite.ts';
import { openSqliteGraph } from '../../src/stores/graph/sqlite.ts';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { gitRepository, temporaryFolder } from '../support/git-repository.ts';
import { taskInstance } from '../support/task-instances.ts';

type Row = Record<string, unknown>;

describe('repo-intel backup and restore', () => {
  const home = temporaryFolder();
  const repository = gitRepository({
    name: 'town',
    files: {
      'a.js':
        "import { parse } from './b.js';\nexport function open(text) { return close(parse(text)); }\nfunction close() {}\n",
      'b.js': 'export function parse(text) { return text; }\nexport class Parser { run() { return parse(); } }\n',
    },
  });
  const large = gitRepository({ name: 'large', files: manyFiles() });
  const backup = join(home, 'backup.tar.zst');
  const data = join(home, 'data');
  const original = join(home, 'original');
  let digest = '';
  let key = '';
  let answeredBefore = 0;
  after(() => {
    rmSync(home, { recursive: true });
    repository.remove();
    large.remove();
  });

  it('beside a service under load holds all that was answered before, and after it kill -9 and a restore nothing else', async () => {
    await dataFolder(data);
    const environment = { DATA_DIR: data, RATE_LIMITS: '*=1000000/60' };
    const tasks = join(home, 'tasks.jsonl');
    writeFileSync(tasks, `${JSON.stringify(taskInstance())}\n`);
    const service = await startRepoIntel(['up', repository.path], environment);
    const kept = await repoIntel(['benchmark', 'import', tasks], environment);
    expect(kept.code, kept.stderr).equals(0);
    key = keyIn(service.stdout());
    const { address } = service;
    const authorization = `Bearer ${key}`;
    const post = (path: string, body: unknown) =>
      fetch(`${address}${path}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    let isOver = false;
    const answered = { calls: 0, events: [] as string[], reports: [] as string[] };
    const repeat = async (work: () => Promise<void>) => {
      // A call that the kill cut off was not answered.
      while (!isOver) await work().catch(() => {});
    };
    const load = [
      ...[1, 2].map(() =>
        repeat(async () => {
          if ((await get(address, '/api/search?q=parse', key)).status === 200) answered.calls += 1;
        }),
      ),
      repeat(async () => {
        const id = randomUUID();
        const { status } = await post('/v1/usage/events', { specversion: '1.0', id, source: '/load', type: 'load' });
        if (status === 200) answered.events.push(id);
      }),
      repeat(async () => {
        const response = await post('/v1/reports', { type: 'portfolio_executive', format: 'json' });
        const body = (await response.json()) as { id?: string };
        if (response.ok && body.id !== undefined) answered.reports.push(body.id);
        // To make them is most of the work.
        await sleep(200);
      }),
    ];
    const loading = repoIntel(['load', large.path], environment);
    await eventually(async () => expect(Math.min(answered.calls, answered.events.length)).least(10));
    answeredBefore = answered.calls;
    const [events, reports] = [[...answered.events], [...answered.reports]];
    const made = await repoIntel(['backup', backup], environment);
    const during = answered.calls - answeredBefore;
    expect(made.code, made.stderr).equals(0);
    await eventually(async () => expect(answered.calls).least(answeredBefore + during + 20));
    await service.kill();
    isOver = true;
    await Promise.all([...load, loading]);

    digest = made.stdout.split(' ')[0] ?? '';
    expect(during, 'calls answered while the backup was made').least(1);
    // What the killed service had is read from a copy, as opening it changes it.
    cpSync(data, original, { recursive: true });
    rmSync(data, { recursive: true });
    const restored = await repoIntel(['restore', backup, '--sha256', digest], { DATA_DIR: data });
    expect([restored.code, restored.stdout], restored.stderr).deep.equals([0, '']);
    const [before, now] = [await contentOf(original), await contentOf(data)];

    // Each table is what it was at one moment: the rows that were there first, and each as it was.
    for (const table of ['usage', 'usage_event', 'report', 'audit_log'] as const) {
      const [all, kept] = [before[table], now[table]];
      expect(kept, `${table} at the moment`).deep.equals(all.slice(0, kept.length));
    }
    for (const table of ['api_key', 'organization', 'member', 'task_instance'] as const) {
      expect(now[table], table).deep.equals(before[table]);
      expect(now[table], table).not.deep.equals([]);
    }
    expect(now.snapshot.map(({ repository }) => repository)).include('town');
    for (const row of now.snapshot.filter(({ repository }) => repository === 'town'))
      expect(before.snapshot).deep.include(row);
    const ids = (rows: Row[], column: string) => rows.map((row) => String(row[column]));
    expect(ids(now.usage_event, 'id')).include.members(events);
    expect(ids(now.report, 'id')).include.members(reports);
    const calls = now.usage.filter((row) => row['operation'] === 'search').length;
    expect(calls).within(answeredBefore, answered.calls);
    expect(before.usage.length, 'calls after the moment').greaterThan(now.usage.length);
  });

  it('the restored folder starts: keys are good, each call counts once, graph and search are made anew', async () => {
    const rows = (await contentOf(data)).usage;
    const service = await startRepoIntel(['serve'], { DATA_DIR: data });
    try {
      expect(service.stdout()).not.match(/shown this once/);
      const usage = await eventually(async () => {
        const { body } = await get<{ totals: { calls: number } }>(service.address, '/v1/billing/usage', key);
        expect(body.totals.calls).equals(rows.length);
        return body;
      });
      expect(usage.totals.calls).least(answeredBefore);
      const partial: string[] = [];
      for (const [path, member] of [
        ['/api/search?q=parse&repo=town', 'items'],
        ['/api/graph', 'nodes'],
      ] as const)
        await eventually(async () => {
          // Either it says that it is being made, or it is whole.
          const { status, body } = await get<Record<string, unknown[]>>(service.address, path, key);
          if (status === 200 && body[member]?.length === 0) partial.push(path);
          expect(status, path).equals(200);
        });
      expect(partial, 'answered as if that were all').deep.equals([]);
    } finally {
      await service.stop();
    }
    const { nodes, edges } = await graphOf(data, 'town');
    expect({ nodes, edges }).deep.equals(await graphOf(original, 'town'));
    expect([nodes.length > 5, edges.length > 5], 'there is something to compare').deep.equals([true, true]);
  });

  it('of a folder at rest holds each row of each table, and the pepper', async () => {
    const [file, folder] = [join(home, 'rest.tar.zst'), join(home, 'rest')];
    const made = await repoIntel(['backup', file], { DATA_DIR: data });
    expect(made.code, made.stderr).equals(0);
    await restore(file, folder);
    const [before, now] = [await tablesOf(data), await tablesOf(folder)];
    expect(Object.keys(before)).include.members([
      'usage_ledger',
      'api_key',
      'report',
      'task_instance',
      'snapshot_chunk',
    ]);
    for (const [table, rows] of Object.entries(before)) expect(now[table], table).deep.equals(rows);
    expect(Object.keys(now)).deep.equals(Object.keys(before));
    expect(readFileSync(join(folder, 'pepper'))).deep.equals(readFileSync(join(data, 'pepper')));
  });

  it('is one file that only its owner may read, and never overwrites nor follows what is there', async () => {
    expect(statSync(backup).mode & 0o777).equals(0o600);
    const again = await repoIntel(['backup', backup], { DATA_DIR: data });
    expect([again.code, again.stderr]).deep.equals([
      1,
      `repo-intel: ${backup} is there already: choose another name, or overwrite it with --force.\n`,
    ]);
    const [target, link] = [join(home, 'target'), join(home, 'link')];
    writeFileSync(target, 'precious');
    symlinkSync(target, link);
    expect((await repoIntel(['backup', link, '--force'], { DATA_DIR: data })).code).equals(0);
    expect(readFileSync(target, 'utf8')).equals('precious');
    expect(readdirSync(home).filter((name) => name.includes('unfinished'))).deep.equals([]);
  });

  it('refuses a folder that is not empty, and touches nothing in it', async () => {
    const folder = join(home, 'full');
    mkdirSync(folder);
    writeFileSync(join(folder, 'mine'), 'x');
    const refused = await repoIntel(['restore', backup], { DATA_DIR: folder });
    expect([refused.code, refused.stderr]).deep.equals([
      1,
      `repo-intel: The data folder ${folder} is not empty (mine): move it away, or name another with DATA_DIR. Nothing was restored.\n`,
    ]);
    expect(readdirSync(folder)).deep.equals(['mine']);
  });

  it('refuses what is damaged, cut short, forged or another file, in a sentence, and leaves nothing', async () => {
    const bytes = readFileSync(backup);
    const tar = zstdDecompressSync(bytes);
    const flipped = Buffer.from(tar);
    const at = tar.indexOf('postgres/global/pg_control') + 512 + 40;
    flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
    const cases: [string, Buffer, RegExp, string?][] = [
      ['cut short', bytes.subarray(0, bytes.length / 2), /can't be restored: .*Nothing was restored/],
      ['damaged', Buffer.from(bytes).fill(0, 50_000, 50_100), /can't be restored: .*Nothing was restored/],
      ['changed inside', zstdCompressSync(flipped), /pg_control in it is damaged\. Nothing was restored/],
      ['of no manifest', zstdCompressSync(entry('pepper', 'x')), /cut short/],
      ['that climbs', zstdCompressSync(entry('postgres/../../evil', 'x')), /evil.*which no backup has/],
      ['with an absolute name', zstdCompressSync(entry('/tmp/evil', 'x')), /which no backup has/],
      ['with a link', zstdCompressSync(entry('postgres/link', '', 'SymbolicLink')), /neither a file nor a folder/],
      ['no backup', Buffer.from('hello'), /can't be restored/],
      ['another', bytes, /is not the backup with that digest/, 'a'.repeat(64)],
    ];
    const [file, folder] = [join(home, 'bad'), join(home, 'new')];
    for (const [what, content, message, sha256] of cases) {
      writeFileSync(file, content);
      const refused = await restore(file, folder, sha256).then(
        () => 'restored',
        (error: Error) => error.message,
      );
      expect(refused, what)
        .match(message)
        .and.match(/^[^\n]*$/);
      expect(existsSync(folder), what).equals(false);
    }
    const refused = await repoIntel(['restore', file, '--sha256', 'a'.repeat(64)], { DATA_DIR: folder });
    expect([refused.code, refused.stdout, existsSync(folder)]).deep.equals([1, '', false]);
    expect(refused.stderr).match(/^repo-intel: [^\n]* is not the backup with that digest[^\n]*\n$/);
    expect(existsSync(join(home, 'evil'))).equals(false);
  });

  it('a database or a pepper that is gone is never replaced by a new one', async () => {
    const folder = original;
    const refused = async () => {
      const { code, stdout, stderr } = await repoIntel(['serve'], { DATA_DIR: folder });
      expect([code, stdout]).deep.equals([1, '']);
      return stderr;
    };
    const postgres = join(folder, 'postgres');
    /** As every start asks. */
    const lost = () =>
      refuseLostDatabase({ dataDir: folder, folder: postgres }).then(
        () => 'nothing',
        (error: Error) => error.message,
      );
    const kept = join(home, 'kept');
    cpSync(postgres, kept, { recursive: true });
    const graph = statSync(join(folder, 'graph.sqlite')).size;
    rmSync(postgres, { recursive: true });
    expect(await refused()).match(/postgres is missing.*there is a backup.*repo-intel restore .*backup\.tar\.zst/);
    rmSync(join(folder, 'backup.json'));
    expect(await lost()).match(/postgres is missing, whose pepper is here.*repo-intel restore FILE/);
    mkdirSync(postgres);
    expect(await lost()).match(/postgres is empty/);
    writeFileSync(join(postgres, 'something'), '');
    expect(await lost()).match(/postgres is damaged: it has no PG_VERSION/);
    rmSync(postgres, { recursive: true });
    cpSync(kept, postgres, { recursive: true });
    writeFileSync(join(postgres, 'global/pg_control'), 'nothing of it');
    expect(await refused()).match(/can't be opened.*repo-intel restore FILE/);
    rmSync(postgres, { recursive: true });
    cpSync(kept, postgres, { recursive: true });
    rmSync(join(folder, 'pepper'));
    expect(await refused()).match(/pepper is missing, the secret under which .* kept.*tar .* pepper/);
    expect(statSync(join(folder, 'graph.sqlite')).size, 'graph').least(graph);
  });
});

/** As the command does, in this process. */
const restore = (file: string, dataDir: string, sha256?: string) =>
  restoreBackup({ file, dataDir, sha256, openDatabase: (folder) => openPglite({ folder }) });

/** Enough that the load is still under way when the backup is made. */
function manyFiles(): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`src/f${n}.js`, `export function part${n}() { return ${n}; }\n`]),
  );
}

/** A tar archive of one file, or what else the type says. */
function entry(path: string, content: string, type: 'File' | 'SymbolicLink' = 'File'): Buffer {
  const block = Buffer.alloc(512);
  new Header({
    path,
    size: content.length,
    mode: 0o600,
    type,
    ...(type === 'File' ? {} : { linkpath: '/etc' }),
  }).encode(block);
  const body = Buffer.alloc(content === '' ? 0 : 512);
  body.write(content);
  return Buffer.concat([block, body, Buffer.alloc(1024)]);
}

/** Works on a copy of the database of a data folder that nobody has open. */
async function onCopy<T>(folder: string, work: (database: PGlite) => Promise<T>): Promise<T> {
  const copy = join(temporaryFolder(), 'postgres');
  cpSync(join(folder, 'postgres'), copy, { recursive: true });
  const database = await PGlite.create({ dataDir: copy });
  try {
    return await work(database);
  } finally {
    await database.close();
    rmSync(join(copy, '..'), { recursive: true });
  }
}

/** Every row of every table of the service, by the table's name; a digest of each, as snapshots are long. */
async function tablesOf(folder: string): Promise<Record<string, string[]>> {
  return onCopy(folder, async (database) => {
    const tables = await database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
    );
    const found: Record<string, string[]> = {};
    for (const { name } of tables.rows) {
      const { rows } = await database.query<{ row: string }>(
        `SELECT encode(sha256(convert_to(t::text, 'UTF8')), 'hex') AS row FROM "${name}" AS t ORDER BY 1`,
      );
      found[name] = rows.map(({ row }) => row);
    }
    return found;
  });
}

/** What the graph of a data folder that nobody has open has of a repository, in the order of its text. */
async function graphOf(folder: string, repository: string) {
  const graph = await openSqliteGraph({ file: join(folder, 'graph.sqlite') });
  try {
    const all = async (rows: AsyncIterable<unknown>) =>
      (await Array.fromAsync(rows, (row) => JSON.stringify(row))).sort();
    return { nodes: await all(graph.nodes({ repository })), edges: await all(graph.edges({ repository })) };
  } finally {
    await graph.close();
  }
}

/** The rows of a data folder that nobody has open, in the order they were made; metered calls wherever they are. */
async function contentOf(folder: string) {
  return onCopy(folder, async (database) => {
    const rows = async (query: string) => (await database.query<Row>(query)).rows;
    const journal = existsSync(join(folder, 'usage'))
      ? readdirSync(join(folder, 'usage'))
          .filter((name) => name.endsWith('.jsonl'))
          .flatMap((name) =>
            readFileSync(join(folder, 'usage', name), 'utf8')
              .split('\n')
              .slice(0, -1),
          )
          .map((line) => JSON.parse(line) as Row)
      : [];
    const ledger = await rows('SELECT event_id, operation FROM usage_ledger');
    const usage = new Map(
      [...ledger, ...journal].map(({ event_id, operation }) => [String(event_id), { event_id, operation }]),
    );
    return {
      // Ids begin with the time.
      usage: [...usage.values()].sort((a, b) => (String(a.event_id) < String(b.event_id) ? -1 : 1)),
      usage_event: await rows('SELECT * FROM usage_event ORDER BY event_id'),
      report: await rows('SELECT id, type, format, created_by, created_at FROM report ORDER BY created_at, id'),
      audit_log: await rows('SELECT * FROM audit_log ORDER BY 1'),
      api_key: await rows('SELECT id, member_id, digest, name FROM api_key ORDER BY id'),
      organization: await rows('SELECT * FROM organization ORDER BY id'),
      member: await rows('SELECT * FROM member ORDER BY id'),
      task_instance: await rows('SELECT * FROM task_instance ORDER BY 1'),
      snapshot: await rows('SELECT * FROM snapshot ORDER BY repository'),
    };
  });
}
