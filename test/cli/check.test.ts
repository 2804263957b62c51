import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import type { Finding } from '../../loaders/check.ts';
import { disagreements } from '../../src/cli/answers/agree.ts';
import { NotForThisKey } from '../../src/cli/answers/asking.ts';
import { get, keyIn, repoIntel, startRepoIntel } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { gitRepository } from '../support/git-repository.ts';

type Json = Record<string, unknown>;

const first = (json: Json, list: string) => (json[list] as Json[])[0] ?? {};
const more = (json: Json, name: string) => (json[name] = Number(json[name]) + 1);

/** What a service may say wrongly: where, how, and the words by which it is found. */
const lies: { of: RegExp; tells: (json: Json) => unknown; found: RegExp }[] = [
  {
    of: /^\/api\/repositories\?/,
    tells: (json) => more(json, 'total'),
    found: /total, and different items on all pages: 3 and 2$/,
  },
  {
    of: /^\/api\/graph\?page_size/,
    tells: (json) => more(json, 'total_edges'),
    found: /total_edges, and different edges on all pages/,
  },
  {
    of: /^\/api\/graph\?page_size/,
    tells: (json) => (json['nodes'] as Json[]).shift(),
    found: /edges that end at no node/,
  },
  {
    of: /^\/api\/graph\?page_size/,
    tells: (json) => more((json['totals'] as Record<string, Json>)['nodes'] ?? {}, 'Function'),
    found: /^\/api\/graph totals: Function counted, and found/,
  },
  {
    of: /repo=kit&page_size/,
    tells: (json) => {
      const edges = json['edges'] as Json[];
      edges.push(edges[0] ?? {});
    },
    found: /repo=kit.*edges, and different ones/,
  },
  {
    of: /^\/api\/graph\/neighbors\/shop\?page_size/,
    tells: (json) => more(json, 'total_neighbors'),
    found: /total_neighbors, and different neighbors on all pages/,
  },
  {
    of: /^\/api\/graph\/neighbors\/shop\?level=symbol$/,
    tells: (json) => (first(json, 'neighbors')['id'] = 'shop/nowhere.js#nothing'),
    found: /not in the graph: shop\/nowhere\.js#nothing/,
  },
  {
    of: /^\/api\/graph\/neighbors\/shop\?level=symbol&node=shop%2Fa.js%23close/,
    tells: (json) => more(json, 'total_neighbors'),
    found: /total_neighbors, and what edges of the graph lead to/,
  },
  {
    of: /^\/api\/graph\/references\/shop%2Fa.js%23open\?page/,
    tells: (json) => more(json, 'total_references'),
    found: /total_references, and different references on all pages/,
  },
  {
    of: /^\/api\/graph\/hierarchy\/shop/,
    tells: (json) => more(first(json, 'parts'), 'symbols'),
    found: /symbols of all parts, and functions and classes: 3 and 2$/,
  },
  {
    of: /^\/api\/graph\/map/,
    tells: (json) => more(first(json, 'links'), 'weight'),
    found: /weight of all links, and of the edges of the graph/,
  },
  {
    of: /^\/api\/export\/edges\?repo=shop&limit=1$/,
    tells: (json) => more(json, 'total'),
    found: /total, and total_edges of the graph/,
  },
  {
    of: /^\/api\/export\/nodes\?repo=shop&limit=10000/,
    tells: (json) => (json['items'] as Json[]).pop(),
    found: /total, and different items on all pages/,
  },
  {
    of: /^\/api\/export\/documents\?repo=kit&limit=1$/,
    tells: (json) => more(json, 'total'),
    found: /total, and what search finds with contributors/,
  },
  {
    of: /^\/api\/search\?type=Function/,
    tells: (json) => (first(json, 'items')['id'] = 'shop/nowhere.js#nothing'),
    found: /items that are no node: 1 and 0$/,
  },
  {
    of: /^\/api\/search\?repo=kit$/,
    tells: (json) => more(json, 'total'),
    found: /total, and the facet/,
  },
  {
    of: /^\/api\/dd\/deep\/shop$/,
    tells: (json) =>
      Object.assign((json['matrix'] as Json[]).find(({ id }) => id === 'line_coverage_pct') ?? {}, { value: 0 }),
    found: /line_coverage_pct was not measured and has a value/,
  },
  {
    of: /^\/api\/dd\/repos\/kit\/factors$/,
    tells: (json) => {
      const unknown = (json['factors'] as Json[]).find(({ status }) => status === 'not_measured');
      Object.assign(unknown ?? {}, { score: 0 });
    },
    found: /^\/api\/dd\/repos\/kit\/factors: [\w.]+ was not measured and has a score$/,
  },
  {
    of: /^\/api\/dd\/factors\/maint.debt_ratio\?/,
    tells: (json) => more(first(json, 'distribution'), 'repositories'),
    found: /repositories by grade, and all: 3 and 2$/,
  },
  {
    of: /^\/api\/dd\/deep\/shop$/,
    tells: (json) => more((json['remediation'] as Json)['by_horizon'] as Json, 'post_deal'),
    found: /by_horizon makes up/,
  },
  {
    of: /^\/api\/dd\/executive\?/,
    tells: (json) => (first(json, 'repositories')['repo'] = 'nobody'),
    found: /not in the graph: nobody/,
  },
  {
    of: /^\/v1\/billing\/usage\?group_by=endpoint/,
    tells: (json) => more(first(json, 'meters'), 'credits_used'),
    found: /credits_used of all, and of each meter/,
  },
  { of: /^\/v1\/catalog$/, tells: (json) => more(json, 'coming_soon'), found: /coming_soon counted, and found/ },
  {
    of: /^\/v1\/api-keys\?/,
    tells: (json) => (first(json, 'items')['id'] = 'key_01JD7Z3M2QK8V6T4R9W5X1Y0AP'),
    found: /^\/v1\/api-keys\/key_01JD7Z3M2QK8V6T4R9W5X1Y0AP: \w+_not_found$/,
  },
];

const answersOf = (address: string, key: string) => async (path: string) => {
  const { status, body } = await get<Json>(address, path, key);
  if (status !== 200) throw new Error(String(body['code']));
  return body;
};

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
  let key = '';
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
      key = keyIn(service.stdout());
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

  it('finds that all answers of the service agree, and each lie', async () => {
    const service = await startRepoIntel(['serve'], { DATA_DIR: data, RATE_LIMITS: '*=1000000/60' });
    const ask = answersOf(service.address, key);
    try {
      // What is asked for once is then answered from here, so that a lie is the only difference.
      const answers = new Map<string, string>();
      const { found, notAsked } = await disagreements(async (path) => {
        const json = await ask(path);
        answers.set(path, JSON.stringify(json));
        return json;
      });
      expect([found, notAsked]).deep.equals([[], []]);
      const again = async (path: string): Promise<Json> => {
        const answer = answers.get(path);
        return answer === undefined ? ask(path) : (JSON.parse(answer) as Json);
      };
      for (const { of, tells, found: words } of lies) {
        expect(
          [...answers.keys()].filter((path) => of.test(path)),
          String(of),
        ).not.deep.equals([]);
        const said = await disagreements(async (path) => {
          const json = await again(path);
          if (of.test(path)) tells(json);
          return json;
        });
        expect(said.found.join('\n'), String(of)).match(new RegExp(words.source, 'm'));
      }

      const run = { run_id: 'r', model: 'm', evaluated: 3, solved: 2, counts: { resolved: 2, unresolved: 0 } };
      const said = await disagreements(async (path) => {
        if (path.startsWith('/api/repositories/shop?')) throw new Error('repository_not_found');
        if (path.startsWith('/v1/members')) throw new NotForThisKey(path);
        return path.startsWith('/api/benchmark/eval-results?') ? { items: [run], total: 1 } : again(path);
      });
      expect(said.found).includes('/api/benchmark/eval-results: r m: evaluated, and outcomes: 3 and 2');
      expect(said.notAsked).deep.equals(['/v1/members?page_size=100']);

      // Every list of the contract is walked: a new one is by itself.
      const { paths } = JSON.parse(answers.get('/openapi.json') ?? '{}') as { paths: Record<string, { get?: Json }> };
      const listed = Object.entries(paths).flatMap(([path, { get: operation }]) =>
        JSON.stringify(operation?.['parameters'] ?? []).includes('"page_size"') ? [path] : [],
      );
      expect(listed.length).above(20);
      const unasked = listed.filter((path) => {
        const form = new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);
        return ![...answers.keys()].some((asked) => form.test(asked));
      });
      // There is no run here whose outcomes could be asked for.
      expect(unasked).deep.equals(['/api/benchmark/eval-results/{run_id}/outcomes']);
    } finally {
      await service.stop();
    }
  });

  it('finds that all answers about published packages agree, and what was changed in a store', async () => {
    const folder = await dataFolder();
    const environment = { DATA_DIR: folder, RATE_LIMITS: '*=1000000/60' };
    const packages = ['koa', 'cookies', 'http-errors'].map((name) =>
      join(import.meta.dirname, '../../node_modules', name),
    );
    let packagesKey = '';
    const found = async (...command: string[]) => {
      const service = await startRepoIntel(command, environment);
      try {
        packagesKey ||= keyIn(service.stdout());
        return (await disagreements(answersOf(service.address, packagesKey))).found;
      } finally {
        await service.stop();
      }
    };
    try {
      expect(await found('up', ...packages)).deep.equals([]);
      const graph = new DatabaseSync(join(folder, 'graph.sqlite'));
      graph.exec(`UPDATE counts SET count = count + 1 WHERE what = 'node' AND type = 'Function' AND count > 10`);
      graph.exec(
        `UPDATE nodes SET id = replace(id, '.js#', '.mjs#') WHERE id LIKE 'koa/%#Context' OR id LIKE 'cookies/%#Cookies'`,
      );
      graph.close();
      const said = (await found('serve')).join('\n');

      expect(said).match(/^\/api\/graph\?level=symbol&repo=koa&page_size=1000: Function counted, and found/m);
      expect(said).match(
        /^\/api\/search\?type=Function&page_size=100: total with overloads, and nodes of this type: \d+ and \d+$/m,
      );
      expect(said).match(/^\/api\/graph\/impact\/cookies%2Findex.js%23Cookies: node_not_found$/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
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
