import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { contributorId } from '../../loaders/snapshot/contributors.ts';
import { underKey } from '../../loaders/under-key.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import type { CreatedKey } from '../../src/auth/create-key.ts';
import { factorCatalog } from '../../src/due-diligence/factors/index.ts';
import { noLimits } from '../../src/model/account.ts';
import { unique } from '../contract/relational-store.ts';
import { eventually } from '../support/eventually.ts';
import { gitRepository } from '../support/git-repository.ts';
import { describeService } from '../support/service.ts';
import { evaluationRun, mintRun, saveEvaluationRuns, taskInstance } from '../support/task-instances.ts';

type Json = Record<string, unknown>;

/** What an answer tells, but for what is of the request alone. */
interface Told {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

const ofTheRequest = /^(?:x-request-id|date|(?:x-)?ratelimit.*|connection|keep-alive)$/;

/** Whoever is asked for is somebody that both may have committed with. */
const people = [
  { name: 'Anna Berg', email: 'anna@example.com' },
  { name: 'Bo Dahl', email: 'bo@example.com' },
];

describeService('whose data it is', (service) => {
  const [acme, bolt, cora, aard] = ['acme', 'bolt', 'cora', 'aard'].map((slug) => unique(slug)) as [
    string,
    string,
    string,
    string,
  ];
  const keys: Record<string, CreatedKey> = {};
  const loaded: string[] = [];

  /** Loads a repository of an organization; gives its key. */
  const load = async (
    slug: string,
    name: string,
    files: Record<string, string>,
    { shared = false, authors = people } = {},
  ) => {
    const { stores } = service();
    using repository = gitRepository({ files });
    for (const [n, author] of authors.entries())
      repository.commit(`By ${author.name}`, { author, files: { [`by-${n}.js`]: `export const by${n} = ${n};\n` } });
    const key = await stores.relational.repositories.claim(keys[slug]?.organization.id ?? '', name, `${slug}/${name}`);
    const { snapshot } = await analyze(repository.path, { name });
    await writeSnapshot(stores, underKey(snapshot, key));
    if (shared) await stores.relational.repositories.share(key, true);
    loaded.push(key);
    return key;
  };
  const ask = async (slug: string, path: string, apiKey = keys[slug]?.api_key): Promise<Told> => {
    const { status, headers, text } = await service().send(path, { headers: { authorization: `Bearer ${apiKey}` } });
    // It says what time it is.
    const isOfNow = (name: string) => path === '/api/dd/health' && name === 'etag';
    return {
      status,
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => !ofTheRequest.test(name) && !isOfNow(name)),
      ),
      text: text.replaceAll(/"(?:request_id|timestamp)":"[^"]*"/g, ''),
    };
  };
  const get = async (slug: string, path: string) => {
    const { status, text } = await ask(slug, path);
    expect(status, `${path}: ${text}`).equals(200);
    return JSON.parse(text) as Json;
  };
  const tools = async (slug: string, calls: [string, Json][]) => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const authorization = `Bearer ${keys[slug]?.api_key}`;
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${service().port}/mcp`), {
        requestInit: { headers: { authorization } },
      }),
    );
    const answers: unknown[] = [];
    for (const [name, given] of calls) answers.push((await client.callTool({ name, arguments: given })).content);
    await client.close();
    return answers;
  };
  const names = (slug: string) =>
    get(slug, '/api/repositories?page_size=100').then(({ items }) =>
      (items as { name: string }[]).map(({ name }) => name),
    );

  /** Everything that tells of repositories, of one called so and of its symbol. */
  const pathsOf = (repo: string, symbol: string) => {
    const [r, s] = [encodeURIComponent(repo), encodeURIComponent(`${repo}/src/main.js#${symbol}`)];
    return [
      `/api/repositories/${r}`,
      `/api/repositories/${r}/unparsed`,
      `/api/graph?repo=${r}`,
      `/api/graph?level=symbol&repo=${r}`,
      ...['nodes', 'edges', 'documents', 'metrics', 'scip'].map((rows) => `/api/export/${rows}?repo=${r}`),
      `/api/graph/neighbors/${r}`,
      `/api/graph/neighbors/${r}?level=symbol`,
      `/api/graph/neighbors/${r}?node=${s}`,
      `/api/graph/references/${s}`,
      `/api/graph/occurrences/${r}?path=src%2Fmain.js`,
      `/api/graph/hierarchy/${r}`,
      `/api/graph/impact/${r}`,
      `/api/graph/impact/${s}`,
      `/api/graph/path?from=${r}&to=${s}`,
      `/api/search?q=${symbol}&repo=${r}&facets=repo`,
      `/api/search/suggest?q=repo:${r}`,
      `/api/search/text?q=${symbol}+repo:${r}`,
      `/api/source/${r}?path=src/main.js`,
      `/api/source/${r}?symbol=${s}`,
      `/api/source/${r}/history?path=src/main.js`,
      `/api/source/${r}/history?symbol=${s}`,
      `/api/dd/executive/${r}`,
      `/api/dd/executive/${r}/badge.svg`,
      `/api/dd/deep/${r}`,
      `/api/dd/deep/${r}/report.html`,
      `/api/dd/repos/${r}/factors`,
      `/api/benchmark/tasks?repo=${r}`,
    ];
  };
  // Somebody of these is known to others alone.
  const unseen = contributorId({ name: 'Anna B.', email: 'only@aard.example' });
  const seen = contributorId({ name: 'Anna Berg', email: 'anna@example.com' });
  const general = [
    ...[unseen, seen].flatMap((id) => [
      `/api/graph/impact/${encodeURIComponent(id)}`,
      `/api/graph/references/${encodeURIComponent(id)}`,
      `/api/graph/impact/${encodeURIComponent(id)}?edge_types=CONTRIBUTED_TO`,
      `/api/graph/path?from=${encodeURIComponent(id)}&to=till`,
      `/api/graph/path?from=till&to=${encodeURIComponent(id)}`,
      `/api/graph/neighbors/till?node=${encodeURIComponent(id)}`,
      `/api/graph/neighbors/${encodeURIComponent(id)}`,
    ]),
    '/api/graph?level=symbol&repo=till',
    '/api/search/text?q=function',
    '/api/search/text?q=/acme|common/+-file:test&page_size=2',
    '/api/search?q=annabelle',
    '/api/search?q=anna+bergson&facets=type',
    '/api/search?q=moorVualt&facets=repo,type,language',
    '/api/search?q=quuxzlop',
    '/api/search?q=moorVault',
    '/api/search?q=language:zig',
    '/api/search?q=moor+acme+quuxblop',
    '/api/search?q=moor+common&sort=relevance&facets=repo,type,language',
    '/api/search?q=moor+acme&sort=relevance',
    '/api/search?q=mA',
    '/api/search?q=%22moor+acme%22',
    '/api/search?q=moor+-vault',
    '/api/search?q=the+function+that+moors+common+things',
    '/api/search?q=path:lib',
    '/api/search?q=framework:express',
    '/api/search?q=common&type=Repository',
    '/api/search?q=type:contributor',
    '/api/search?q=&min_score=1&facets=repo,type,language',
    '/api/search/suggest?q=qu',
    '/api/search/suggest?q=moorv',
    '/api/search/suggest?q=anna',
    '/api/search/suggest?q=framework:',
    '/api/repositories?page_size=100',
    '/api/graph',
    '/api/graph?node_types=Contributor',
    '/api/export/nodes',
    '/api/export/edges',
    '/api/export/metrics',
    '/api/search?q=moor&facets=repo,type,language',
    '/api/search?q=&facets=repo,type,language&page_size=100&sort=name&order=asc',
    '/api/search?q=anna+berg',
    '/api/search?q=moot&facets=repo',
    '/api/search/suggest?q=m',
    '/api/search/suggest?q=repo:',
    '/api/search/suggest?q=language:',
    '/api/dd/executive?trend=8',
    '/api/dd/deep',
    '/api/dd/factors/maint.duplication',
    '/api/dd/health',
    '/api/benchmark/tasks?facets=repo,language,difficulty',
    '/api/benchmark/mint-runs',
    '/api/benchmark/eval-results',
  ];
  const toolCalls = (repository: string, symbol: string): [string, Json][] => [
    ['search_code', { query: symbol }],
    ['list_repositories', {}],
    ['neighbors', { repository }],
    ['impact', { id: repository }],
    ['path', { from: repository, to: `${repository}/src/main.js#${symbol}` }],
    ['repository_health', { repository }],
    ['list_tasks', {}],
  ];

  const common = {
    'package.json': '{"name":"common-lib","version":"1.0.0"}\n',
    'src/main.js': 'export function moorCommon() { return 1; }\n',
  };
  const user = (symbol: string) => ({
    'package.json': '{"name":"a-user","dependencies":{"common-lib":"^1"}}\n',
    'src/main.js': `import { moorCommon } from 'common-lib';\nexport function ${symbol}() { return moorCommon(); }\n`,
  });
  let shared = '';
  let atFirst: { general: Told[]; own: Told[]; tools: unknown[] };
  const everything = async (slug: string) => {
    const all = async (paths: string[]) => {
      const answers: Told[] = [];
      for (const path of paths) answers.push(await ask(slug, path));
      return answers;
    };
    return {
      general: await all(general),
      own: await all([...pathsOf('till', 'moorAcme'), ...pathsOf(shared, 'moorCommon')]),
      tools: await tools(slug, toolCalls('till', 'moorAcme')),
    };
  };

  before(async () => {
    for (const slug of [acme, bolt, cora, aard]) keys[slug] = await service().createKey(slug, 'owner');
    shared = await load(cora, 'common', common, { shared: true });
    await load(acme, 'till', user('moorAcme'));
    atFirst = await everything(acme);
    // Another one comes, with the same people, a repository of the same name, and more that uses what is shared.
    await load(bolt, 'till', user('moorBolt'));
    await load(bolt, 'vault', { ...user('moorVault'), 'src/lib.zig': 'fn x() void {}\n' });
    // So does one that comes before all others, whose people write their names in other ways.
    const authors = [
      { name: 'Annabelle Bergson', email: 'anna@example.com' },
      { name: 'Anna B.', email: 'only@aard.example' },
    ];
    await load(
      aard,
      'quuxblop',
      { ...user('quuxblop'), 'src/moor.js': 'export function moorCommonThings() {}\n' },
      { authors },
    );
    // Who shares has what is not shared, too.
    for (const name of ['hidden', 'hidden-too']) await load(cora, name, user('moorHidden'));
    const { relational } = service().stores;
    const bolts = keys[bolt]?.organization.id ?? '';
    const repo = await relational.repositories.claim(bolts, unique('bolt/secret'));
    loaded.push(repo);
    const task = taskInstance({ instance_id: unique('bolt__secret'), repo, language: 'Zig' });
    await relational.taskInstances.save([task]);
    await relational.mintRuns.save(mintRun({ run_id: unique('mint'), repo }));
    await saveEvaluationRuns(relational, bolts, [evaluationRun({ run_id: unique('run') })]);
  });
  after(async () => {
    for (const key of loaded) {
      await removeRepository(service().stores, key);
      await service().stores.relational.repositories.remove(key);
    }
  });

  it('an organization has its own repositories and what others share, by names of its own', async () => {
    expect(await names(acme))
      .includes.members(['till', shared])
      .and.not.includes('vault');
    expect(await names(bolt)).includes.members(['till', 'vault', shared]);
    const { items } = await get(acme, '/api/search?q=moorAcme&type=Function');
    expect((items as Json[]).map(({ id, repository }) => [id, repository])).deep.equals([
      ['till/src/main.js#moorAcme', 'till'],
    ]);
    const { node } = await get(bolt, `/api/graph/impact/${encodeURIComponent('till/src/main.js#moorBolt')}`);
    expect(node).includes({ id: 'till/src/main.js#moorBolt', repository: 'till' });
    // What is one's own is linked with what is shared.
    const { affected } = await get(bolt, `/api/graph/impact/${encodeURIComponent(shared)}`);
    const affects = (affected as Json[]).map(({ id }) => id);
    expect(affects).includes.members(['till', 'vault']);
    expect(await get(bolt, '/api/dd/executive/vault')).property('repo', 'vault');
  });

  it('nothing that another organization loads changes a byte of any answer', async () => {
    const now = await everything(acme);
    for (const [index, answer] of now.general.entries())
      expect(answer, general[index]).deep.equals(atFirst.general[index]);
    expect(now.own).deep.equals(atFirst.own);
    expect(now.tools).deep.equals(atFirst.tools);
  });

  it('another’s repository is an unknown name, byte for byte', async () => {
    const unknown = 'nobodys';
    for (const foreign of ['vault', `${bolt}~vault`, `${bolt}~till`, 'bolt/secret']) {
      const asked = await Promise.all(pathsOf(foreign, 'moorVault').map((path) => ask(acme, path)));
      const expected = await Promise.all(pathsOf(unknown, 'moorVault').map((path) => ask(acme, path)));
      const paths = pathsOf(foreign, 'moorVault');
      for (const [index, { status, headers, text }] of asked.entries()) {
        const other = expected[index];
        expect(text.replaceAll(foreign, unknown).replaceAll(encodeURIComponent(foreign), unknown), paths[index]).equals(
          other?.text,
        );
        const { etag: _, 'content-length': __, ...more } = headers;
        const { etag: ___, 'content-length': ____, ...others } = other?.headers ?? {};
        expect([status, more], paths[index]).deep.equals([other?.status, others]);
      }
    }
    // What another's code has in it is found as little as what nobody's has.
    for (const [path, other] of [
      ['/api/search?q=moorVault', '/api/search?q=moorZqxjk'],
      ['/api/search?q=vault', '/api/search?q=zqxjk'],
      ['/api/search?q=language:zig', '/api/search?q=language:zag'],
      ['/api/search/suggest?q=moorV', '/api/search/suggest?q=moorZ'],
    ] as const) {
      const plain = ({ text }: Told) => text.replaceAll(/vault|zqxjk/gi, '').replaceAll(/zig|zag/g, '');
      expect(plain(await ask(acme, path)), path).equals(plain(await ask(acme, other)));
    }
  });

  it('another’s repository is an unknown name in every spelling of an id', async () => {
    const id = `${bolt}~vault`;
    const paths = (name: string) => {
      const each = encodeURIComponent(name);
      const symbol = `${each}%2Fsrc%2Fmain.js%23moorVault`;
      return [
        `/api/graph/neighbors/till?node=${symbol}`,
        `/api/graph/neighbors/till?node=${each}`,
        `/api/graph/path?from=till&to=${each}`,
        `/api/graph/path?from=till&to=${symbol}`,
        `/api/graph/path?from=${encodeURIComponent(shared)}&to=${symbol}`,
        `/api/graph/path?from=${symbol}&to=till&max_length=20`,
        `/api/search?q=${encodeURIComponent(`repo:${name} moor`)}&facets=repo`,
        `/api/search?q=${encodeURIComponent(`-repo:${name} moor`)}&facets=repo`,
        `/api/search?q=${encodeURIComponent(`repo:"${name}"`)}`,
        `/api/search?q=moor&repo=till,${each}&facets=repo`,
        `/api/search/suggest?q=${encodeURIComponent(`repo:${name.slice(0, 12)}`)}`,
        `/api/benchmark/tasks?repo=${each}&facets=repo,language`,
        `/api/dd/repos/${each}/factors?page_size=0`,
        `/api/dd/deep/${each}?as_of=yesterday`,
        `/api/graph?repo=${each}&level=nothing`,
      ];
    };
    const spelt = [
      id,
      id.toUpperCase(),
      `local/vault`,
      `${id}/`,
      `./${id}`,
      `${bolt}/vault`,
      `${id}\u0000`,
      `~vault`,
      '~',
    ];
    for (const name of spelt) {
      const other = name.replaceAll(/vault/gi, 'nobod').replaceAll(new RegExp(bolt, 'gi'), 'b'.repeat(bolt.length));
      for (const [index, path] of paths(name).entries()) {
        const [one, two] = [await ask(acme, path), await ask(acme, paths(other)[index] ?? '')];
        const same = ({ text }: Told) =>
          text
            .replaceAll(encodeURIComponent(name), '?')
            .replaceAll(encodeURIComponent(other), '?')
            .replaceAll(JSON.stringify(name).slice(1, -1), '?')
            .replaceAll(JSON.stringify(other).slice(1, -1), '?')
            .replace(/"left_out":\[[^\]]*\]/, '')
            .replaceAll(/moorvault/gi, '');
        expect([one.status, same(one)], path).deep.equals([two.status, same(two)]);
        expect(one.status, path).lessThan(500);
      }
    }
  });

  it('an answer that another organization has matches nobody else’s', async () => {
    for (const path of ['/api/repositories', '/api/graph', '/api/search?q=moor', '/api/dd/executive/till']) {
      const { headers } = await ask(bolt, path);
      const { status } = await service().send(path, {
        headers: { authorization: `Bearer ${keys[acme]?.api_key}`, 'if-none-match': String(headers['etag']) },
      });
      expect(status, path).equals(200);
    }
  });

  it('a report tells of what its organization sees when it is made', async () => {
    const make = async (slug: string, type: string, parameters: Json) => {
      const authorization = `Bearer ${keys[slug]?.api_key}`;
      const made = await service().send('/v1/reports', {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/json',
          'idempotency-key': [type, ...Object.values(parameters)].join('-'),
        },
        body: JSON.stringify({ type, format: 'json', parameters }),
      });
      expect(made.status, made.text).equals(202);
      const { id } = JSON.parse(made.text) as { id: string };
      const of = `/v1/reports/${id}`;
      await eventually(async () => {
        const { text } = await service().send(of, { headers: { authorization } });
        const report = JSON.parse(text) as { status: string };
        expect(report.status).oneOf(['succeeded', 'failed']);
      });
      const { text } = await service().send(`${of}/content`, { headers: { authorization } });
      return { id, text };
    };
    for (const [type, parameters] of [
      ['portfolio_executive', {}],
      ['repository_deep_dive', { repo: 'till' }],
      ['repository_deep_dive', { repo: shared }],
      ['repository_deep_dive', { repo: `${bolt}~vault` }],
      ['repository_deep_dive', { repo: 'vault' }],
      ['factor_portfolio', {}],
      ['benchmark_summary', {}],
    ] as const) {
      // The other one asks first, with the same Idempotency-Key.
      await make(bolt, type, parameters);
      const { id, text } = await make(acme, type, parameters);
      expect(text.replaceAll(/No repository is named[^}]*/g, ''), type).not.match(
        /vault|bolt|aard|quuxblop|hidden|Annabelle|Zig|moorBolt/,
      );
      const { status } = await service().send(`/v1/reports/${id}/content`, {
        headers: { authorization: `Bearer ${keys[bolt]?.api_key}` },
      });
      expect(status).equals(404);
    }
  });

  it('a key that is restricted to a repository gets of the rest what a stranger gets', async () => {
    const { api_key } = await service().createKey(bolt, 'member', null, 'robot', {
      limits: { ...noLimits, repositories: ['vault'] },
    });
    const listed = JSON.parse((await ask(bolt, '/api/repositories', api_key)).text) as Json;
    expect(listed).deep.includes({ total: 1 });
    expect((await ask(bolt, '/api/dd/executive/vault', api_key)).status).equals(200);
    for (const [of, symbol] of [
      ['till', 'moorBolt'],
      [shared, 'moorCommon'],
    ] as const)
      for (const path of pathsOf(of, symbol)) {
        const { status, text } = await ask(bolt, path, api_key);
        const same = await ask(bolt, path.replaceAll(encodeURIComponent(of), 'nobodys'), api_key);
        expect(
          [status, text.replaceAll(of, 'nobodys').replaceAll(encodeURIComponent(of), 'nobodys')],
          path,
        ).deep.equals([same.status, same.text]);
      }
    expect((await ask(bolt, '/api/search?q=moorBolt', api_key)).text).not.includes('moorBolt');
    expect(JSON.parse((await ask(bolt, '/api/benchmark/eval-results', api_key)).text)).includes({ total: 0 });
  });

  it('a repository is known by its full name too, in every product, and a task by the short one', async () => {
    const { relational } = service().stores;
    const full = `${bolt}/vault`;
    const key = await relational.repositories.claim(keys[bolt]?.organization.id ?? '', full, full);
    loaded.push(key);
    const task = taskInstance({ instance_id: unique('bolt__vault'), repo: key });
    await relational.taskInstances.save([task]);
    for (const [asked, other] of [pathsOf(full, 'moorVault'), pathsOf('vault', 'moorVault')][0]?.entries() ?? []) {
      const path = pathsOf('vault', 'moorVault')[asked] ?? '';
      const [one, two] = [await ask(bolt, other), await ask(bolt, path)];
      const same = (text: string) =>
        text
          .replaceAll(encodeURIComponent(full), 'vault')
          .replaceAll(full, 'vault')
          .replaceAll(`"full_name":"vault"`, '');
      // What is only completed as it is typed has the name that is shown.
      if (path.startsWith('/api/search/suggest')) continue;
      expect([one.status, same(one.text)], other).deep.equals([two.status, same(two.text)]);
    }
    const { items } = await get(bolt, '/api/benchmark/tasks?repo=vault');
    expect((items as Json[]).map(({ instance_id, repo }) => [instance_id, repo])).deep.equals([
      [task.instance_id, full],
    ]);
    expect(await get(bolt, '/api/repositories/vault')).includes({ name: 'vault', full_name: full });
    // Beside the name that is shown, wherever a repository is.
    const [node] = (await get(bolt, '/api/graph?repo=vault&node_types=Repository'))['nodes'] as Json[];
    expect(node).deep.includes({ id: 'vault' }).and.nested.include({ 'properties.full_name': full });
    const [item] = (await get(bolt, '/api/search?q=moorVault'))['items'] as Json[];
    expect(item).includes({ repository: 'vault', full_name: full });
    for (const path of ['executive/vault', 'deep/vault', 'repos/vault/factors'])
      expect(await get(bolt, `/api/dd/${path}`)).includes({ repo: 'vault', full_name: full });
    for (const path of ['executive', 'deep', `factors/${factorCatalog[0]?.id}`]) {
      const { repositories } = await get(bolt, `/api/dd/${path}`);
      expect((repositories as Json[]).find(({ repo }) => repo === 'vault')).includes({ full_name: full });
    }
  });

  it('what is taken back is gone for others at once, and not for its owner', async () => {
    const { repositories } = service().stores.relational;
    expect((await ask(acme, `/api/graph/neighbors/${encodeURIComponent(shared)}`)).status).equals(200);
    await repositories.share(shared, false);
    expect((await ask(acme, `/api/graph/neighbors/${encodeURIComponent(shared)}`)).status).equals(404);
    expect(await names(cora)).includes('common');
    await repositories.share(shared, true);
    expect((await ask(acme, `/api/graph/neighbors/${encodeURIComponent(shared)}`)).status).equals(200);
  });
});
