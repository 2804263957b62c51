import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import type { Finding } from '../../loaders/check.ts';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { gitRepository } from '../support/git-repository.ts';

describe('repo-intel check', () => {
  const kit = gitRepository({
    name: 'kit',
    files: {
      'package.json': '{"name":"@acme/kit","version":"1.0.0","main":"index.js"}',
      'index.js': 'export function parse(text) { return text; }\n',
    },
  });
  const shop = gitRepository({
    name: 'shop',
    files: {
      'package.json': '{"name":"shop","dependencies":{"@acme/kit":"^1.0.0"}}',
      'a.js':
        "import { parse } from '@acme/kit';\nexport function open() { return close(); }\nfunction close() { return parse('x'); }\n",
    },
  });
  let data = '';
  after(() => {
    for (const repository of [kit, shop]) repository.remove();
    rmSync(data, { recursive: true });
  });
  const check = async () => {
    const { code, stdout, stderr } = await repoIntel(['check', '--json'], { DATA_DIR: data });
    expect(stderr).not.match(/repo-intel:/);
    const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
    const wrong = findings
      .filter(({ status }) => status !== 'ok')
      .map(({ repository, thing, status, detail }) => `${repository ?? '-'} ${thing} ${status}: ${detail}`);
    return { code, ok, wrong, helps: findings.flatMap(({ way_out: wayOut }) => wayOut ?? []) };
  };
  const inDatabase = async (statement: string) => {
    const database = await PGlite.create({ dataDir: join(data, 'postgres') });
    await database.exec(statement);
    await database.close();
  };

  it('finds nothing in what loads and calls have left, beside a running service', async () => {
    data = await dataFolder();
    const service = await startRepoIntel(['up', kit.path, shop.path], { DATA_DIR: data });
    try {
      const key = keyIn(service.stdout());
      for (let call = 0; call < 3; call++)
        expect((await get(service.address, '/api/search?q=parse', key)).status).equals(200);
      const { code, stdout, stderr } = await repoIntel(['check'], { DATA_DIR: data });
      expect(stderr).match(/All is well\.\n$/);
      expect(code).equals(0);
      const lines = stdout.trim().split('\n');
      expect(lines.map((line) => line.split('\t').slice(0, 3).join(' '))).deep.equals([
        'kit snapshot ok',
        'kit graph ok',
        'kit search ok',
        'kit source ok',
        'shop snapshot ok',
        'shop graph ok',
        'shop search ok',
        'shop source ok',
        'kit links ok',
        'shop links ok',
        '- usage ok',
      ]);
      expect(lines.find((line) => line.startsWith('shop\tlinks'))).match(/\t[1-9]\d* edges$/);
      expect(lines.at(-1)).match(/^-\tusage\tok\t3 calls in the ledger, 0 on their way/);
    } finally {
      await service.stop();
    }
  });

  it('names a node, a link and a document that are gone, and what makes them anew', async () => {
    const graph = new DatabaseSync(join(data, 'graph.sqlite'));
    graph.exec(`DELETE FROM nodes WHERE id LIKE 'kit/%#parse'; DELETE FROM repository_edges WHERE link = 1`);
    graph.close();
    const search = new DatabaseSync(join(data, 'search.sqlite'));
    search.exec(`DELETE FROM documents WHERE name = 'open'`);
    search.close();
    const found = await check();
    expect([found.code, found.ok]).deep.equals([1, false]);
    expect(found.wrong[0]).match(/^kit graph wrong: \d+ nodes, and \d+ by the snapshot/);
    expect(found.wrong[1]).match(/^shop search wrong: \d+ documents, and \d+ by the snapshot/);
    expect(found.wrong[2]).match(/^shop links wrong: \d+ edges, and \d+ by the snapshot/);
    expect(found.wrong).length(3);
    expect(new Set(found.helps)).deep.equals(new Set(['repo-intel rebuild graph', 'repo-intel rebuild search']));
    expect((await repoIntel(['rebuild', 'all'], { DATA_DIR: data })).code).equals(0);
    expect((await check()).wrong).deep.equals([]);
  });

  it('names a node and an edge that are as many and not the same', async () => {
    const graph = new DatabaseSync(join(data, 'graph.sqlite'));
    graph.exec(`UPDATE nodes SET node = replace(node, '"line":2', '"line":7') WHERE id LIKE 'shop/%#open'`);
    graph.close();
    expect((await check()).wrong.join()).match(/^shop graph wrong: nodes are not as in the snapshot \(\d+ as there\)$/);
    expect((await repoIntel(['rebuild', 'graph'], { DATA_DIR: data })).code).equals(0);
  });

  it('names a sum of usage that is not the ledger’s, and a call that is there twice', async () => {
    await inDatabase(`
      UPDATE usage_rollup SET calls = calls + 1;
      INSERT INTO usage_ledger SELECT (period - interval '1 month')::date, event_id, organization_id, member_id, key_id, product,
        operation, status, class, credits, occurred_at - interval '1 month' FROM usage_ledger LIMIT 1;
    `);
    const { code, wrong } = await check();
    expect(code).equals(1);
    expect(wrong).length(1);
    expect(wrong[0]).match(
      /^- usage wrong: 1 calls are in the ledger twice; the sums of 2 differ from the ledger: on /,
    );
    await inDatabase(
      'UPDATE usage_rollup SET calls = calls - 1; DELETE FROM usage_ledger WHERE period = (SELECT min(period) FROM usage_ledger)',
    );
    expect((await check()).wrong).deep.equals([]);
  });

  it('names a snapshot in which a byte is another one', async () => {
    await inDatabase(
      `UPDATE snapshot_chunk SET bytes = set_byte(bytes, length(bytes) / 2, 255 - get_byte(bytes, length(bytes) / 2)) WHERE repository = 'kit'`,
    );
    const { code, wrong, helps } = await check();
    expect(code).equals(1);
    expect(wrong[0]).match(/^kit snapshot wrong: it can't be read/);
    expect(wrong.slice(1, 3)).deep.equals([
      'kit graph unknown: there is no snapshot to compare it with',
      'kit search unknown: there is no snapshot to compare it with',
    ]);
    expect(helps).include('load it again, or repo-intel restore a backup');
  });
});
