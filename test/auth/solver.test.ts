import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { analyze } from '../../loaders/analyze.ts';
import { underKey } from '../../loaders/under-key.ts';
import { removeRepository, writeSnapshot } from '../../loaders/write.ts';
import { noLimits } from '../../src/model/account.ts';
import type { Scope } from '../../src/model/account.ts';
import { unique } from '../contract/relational-store.ts';
import { gitRepository } from '../support/git-repository.ts';
import { operationsOf } from '../support/operations.ts';
import { describeService } from '../support/service.ts';
import {
  evaluationAttempt,
  evaluationOutcome,
  evaluationRun,
  mintRun,
  taskInstance,
} from '../support/task-instances.ts';

const base = {
  'src/basket.js':
    'export function basketTotal(items) {\n  return items.map(({ cents }) => cents).reduce((a, b) => a + b);\n}\n',
  'test/basket.test.js':
    "import { basketTotal } from '../src/basket.js';\n\nit('adds', () => basketTotal([{ cents: 1 }]));\n",
};
const fixed = {
  'src/basket.js': `/** Of what was bought. */
export function basketTotal(items) {
  let totalOfBasket = startOfSums();
  for (const { cents } of items) totalOfBasket += cents;
  return totalOfBasket;
}

function startOfSums() {
  return 0;
}
`,
  'test/basket.test.js': `import { basketTotal } from '../src/basket.js';

it('adds', () => basketTotal([{ cents: 1 }]));
it('charges nobody for an empty basket', () => expectsNaught(basketTotal([])));
`,
};

describeService('a key for solvers', (service) => {
  const slug = unique('solvers');
  const [name, run_id] = [unique('basket'), unique('run')];
  let key = '';
  let secrets: string[];
  let instanceId: string;
  const keys: Partial<Record<Scope, string>> = {};

  before(async () => {
    const { stores, createKey } = service();
    const { organization, member } = await createKey(slug, 'owner');
    for (const scope of ['solver', 'read'] as const)
      keys[scope] = (
        await createKey(slug, 'owner', null, member.name, { limits: { ...noLimits, scopes: [scope] } })
      ).api_key;
    using repository = gitRepository({ files: base });
    const baseCommit = repository.git('rev-parse', 'HEAD').trim();
    const fixCommit = repository.commit('Nothing costs nothing', { files: fixed });
    const diffOf = (path: string) => repository.git('diff', baseCommit, fixCommit, '--', path);
    const [patch, testPatch] = [diffOf('src'), diffOf('test')];
    key = await stores.relational.repositories.claim(organization.id, name, `solvers/${name}`);
    const { snapshot } = await analyze(repository.path, { name });
    await writeSnapshot(stores, underKey(snapshot, key));
    const blank = taskInstance();
    instanceId = `solvers__${name}-1`;
    const task = taskInstance({
      instance_id: instanceId,
      repo: key,
      base_commit: baseCommit,
      patch,
      test_patch: testPatch,
      hints_text: 'somebody remembered to begin at naught',
      verifying_tests: {
        fail_to_pass: ['charges nobody for an empty basket'],
        pass_to_pass: ['adds whatever is in it'],
        test_files: ['test/basket.test.js'],
        framework: 'mocha',
      },
      provenance: { ...blank.provenance, fix_commit: fixCommit, patch_id: 'c0ffee'.repeat(6) },
      quality: { ...blank.quality, new_symbols_in_tests: ['expectsNaught'] },
    });
    await stores.relational.taskInstances.save([task]);
    await stores.relational.mintRuns.save(mintRun({ run_id, repo: key, head: fixCommit }));
    const run = evaluationRun({ run_id });
    await stores.relational.tenant(
      organization.id,
      async ({ evaluationRuns, evaluationOutcomes, evaluationAttempts }) => {
        await evaluationRuns.save(run);
        await evaluationOutcomes.save(run, [
          evaluationOutcome({ instance_id: instanceId, problem: 'charges nobody for an empty basket: failed' }),
        ]);
        // An attempt may be the fix itself, and logs print what tests expect.
        const told = { text: `${patch}${testPatch}`, cut: null };
        const attempt = { instance_id: instanceId, patch: told, log: told, trajectory: told };
        await evaluationAttempts.save(run, evaluationAttempt(attempt));
      },
    );
    const lines = `${patch}\n${testPatch}`.split('\n').filter((line) => /^\+[^+]/.test(line));
    secrets = [
      ...lines.map((line) => line.slice(1).trim()).filter((line) => /[a-z]{4}/i.test(line)),
      'totalOfBasket',
      'startOfSums',
      'expectsNaught',
      'charges nobody',
      'adds whatever is in it',
      'begin at naught',
      fixCommit.slice(0, 7),
      'c0ffee',
    ].filter((secret) => !Object.values(base).some((text) => text.includes(secret)));
  });
  after(() => removeRepository(service().stores, key));

  /** What every route and every tool answers to this key, asked for this task and its repository in each way that any of them knows. */
  const everyAnswer = async (apiKey: string): Promise<Map<string, string>> => {
    const answers = new Map<string, string>();
    const headers = { authorization: `Bearer ${apiKey}` };
    const node = `${name}/src/basket.js#basketTotal`;
    const values: Record<string, string> = {
      instance_id: instanceId,
      run_id,
      model: evaluationRun().model,
      repository: name,
      repo: name,
      name,
      slug: 'benchmark',
      id: node,
      node,
      from: name,
      to: node,
      symbol: node,
      path: 'src/basket.js',
      q: 'basket',
      query: 'basket',
      view: 'full',
      quality: 'all',
      facets: 'repo',
    };
    for (const { method, path, query: params } of await operationsOf(service())) {
      const to = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(values[param] ?? 'x'));
      const known = params.filter((param) => param in values);
      const pairs = known.map((param) => `${param}=${encodeURIComponent(values[param] ?? '')}`);
      const ways = new Set(['', '?view=solver', `?${pairs.join('&')}`, ...pairs.map((pair) => `?${pair}`)]);
      await Promise.all(
        Array.from(ways, async (query) => {
          const answer = await service().send(to + query, {
            method,
            headers: { ...headers, 'content-type': 'application/json' },
            ...(method === 'GET' || method === 'HEAD' ? {} : { body: '{}' }),
          });
          answers.set(`${method} ${to}${query}`, `${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`);
        }),
      );
    }
    const client = new Client({ name: 'test', version: '1.0.0' });
    const url = new URL(`http://127.0.0.1:${service().port}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const { tools } = await client.listTools();
    for (const { name: tool, inputSchema } of tools) {
      const required = new Set(inputSchema.required ?? []);
      const known = Object.keys(inputSchema.properties ?? {}).filter((param) => param in values);
      for (const given of [known, known.filter((param) => required.has(param))])
        for (const more of [{}, { repository: name }]) {
          const parameters = { ...Object.fromEntries(given.map((param) => [param, values[param]])), ...more };
          const answer = await client.callTool({ name: tool, arguments: parameters }).catch(String);
          answers.set(`${tool} ${JSON.stringify(parameters)}`, JSON.stringify(answer));
        }
    }
    await client.close();
    return answers;
  };
  const found = (answers: ReadonlyMap<string, string>) =>
    [...answers].flatMap(([asked, answer]) => {
      const plain = answer.replaceAll('\\"', '"').replaceAll('\\\\n', '\n');
      return secrets.filter((secret) => plain.includes(secret)).map((secret) => ({ asked, secret }));
    });

  it('gets nothing that a diff of the fix has, by any route or tool; a key that reads does', async function () {
    this.timeout(60_000);
    const told = await everyAnswer(keys.solver ?? '');
    expect([...told.values()].filter((answer) => answer.startsWith('429'))).deep.equals([]);
    expect(found(told)).deep.equals([]);
    const task = [...told].find(([asked]) => asked === `GET /api/benchmark/tasks/${instanceId}?view=solver`);
    expect(task?.[1]).match(/^200 /);
    // What is looked for is there, and would be found.
    const read = found(await everyAnswer(keys.read ?? ''));
    expect(new Set(read.map(({ secret }) => secret))).deep.equals(new Set(secrets));
    for (const way of [
      /^GET \/api\/search/,
      /^GET \/api\/graph/,
      /^GET \/api\/benchmark\/eval-results\/[^/]+\/outcomes\?/,
      /\/outcomes\/[^/]+\?model/,
      /\/log\?model/,
      /\/trajectory\?model/,
      /^(search|read)_/,
    ])
      expect(
        read.some(({ asked }) => way.test(asked)),
        String(way),
      ).equals(true);
  });
});
