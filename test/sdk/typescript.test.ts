import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Client } from '../../sdk/typescript/src/client.ts';
import type * as Errors from '../../sdk/typescript/src/errors.ts';
import { idempotentPosts } from '../../sdk/typescript/src/retries.ts';
import { needsCommand } from '../support/required.ts';
import { describeEmbedded } from '../support/service.ts';
import { operationsOf, sample } from '../suites/operations.ts';
import { openFlaky } from './flaky.ts';

const sdk = join(import.meta.dirname, '../../sdk/typescript');

/** Any path, as those ask who have no types. */
type Untyped = Client<Record<string, Record<'get' | 'post' | 'patch' | 'delete', never>>>;
type Any = (path: string, init?: object) => Promise<Record<string, unknown>>;
interface Package {
  createClient(options: { baseUrl: string; key?: string; maxRetries?: number }): Untyped;
  ApiError: typeof Errors.ApiError;
  NotFoundError: typeof Errors.NotFoundError;
  InvalidRequestError: typeof Errors.InvalidRequestError;
  AuthenticationError: typeof Errors.AuthenticationError;
  ServiceError: typeof Errors.ServiceError;
}

describeEmbedded('the SDK for TypeScript', (service) => {
  let built: Package;
  let flaky: Awaited<ReturnType<typeof openFlaky>>;
  let key: string;
  before(async function () {
    this.timeout(120_000);
    needsCommand(this, 'openapi-typescript', 'one of the tools of test/suites/README.md');
    const { status, stderr } = spawnSync(process.execPath, [join(sdk, 'build.ts')], { encoding: 'utf8' });
    expect(status, stderr).equals(0);
    built = (await import(pathToFileURL(join(sdk, 'dist/index.js')).href)) as Package;
    flaky = await openFlaky(service().port);
    key = (await service().createKey('sdk-typescript', 'owner')).api_key;
  });
  after(() => flaky?.close());
  beforeEach(() => void flaky.plan());

  const client = (more: object = {}) => built.createClient({ baseUrl: flaky.url, key, ...more });
  const get: Any = (path, init = {}) => (client().get as Any)(path, init);
  const errorOf = (asked: Promise<unknown>) =>
    asked.then(
      () => expect.fail('It was answered.'),
      (error: unknown) => error as Errors.ApiError,
    );

  it('asks every operation that there is, and gives what the service answers', async () => {
    const { json } = await service().get('/openapi.json');
    for (const { method, path, parameters } of operationsOf(json).filter((each) => each.method === 'GET')) {
      const given = (place: string) =>
        Object.fromEntries(
          parameters
            .filter((each) => each.in === place && (each.required || place === 'path'))
            .map(({ name, schema }) => [name, sample(schema)]),
        );
      const asked = get(path, { params: { path: given('path'), query: given('query') } });
      const outcome = await asked.then(
        () => 'answered',
        (error: unknown) => error,
      );
      if (outcome === 'answered') continue;
      expect(outcome, `${method} ${path}`).instanceof(built.ApiError);
      expect((outcome as Errors.ApiError).status, `${method} ${path}`).within(400, 499);
      expect((outcome as Errors.ApiError).code).not.equals('unknown');
    }
    expect(await get('/api/repositories')).deep.equals((await service().get('/api/repositories')).json);
  });

  it('goes through all pages of a list', async () => {
    const { total } = (await get('/api/repositories')) as { total: number };
    const all = client().items('/api/repositories', { params: { query: { page_size: 1 } } } as never);
    const names = (await Array.fromAsync(all as AsyncIterable<{ name: string }>)).map(({ name }) => name);
    expect(names)
      .lengthOf(total)
      .and.deep.equals([...new Set(names)]);
    expect(total).above(1);
    const pages = client().pages('/api/graph', { params: { query: { page_size: 5 } } } as never);
    const nodes = (await Array.fromAsync(pages as AsyncIterable<{ nodes: { id: string }[] }>)).flatMap(
      (page) => page.nodes,
    );
    expect(new Set(nodes.map(({ id }) => id)).size)
      .equals(nodes.length)
      .and.equals(((await get('/api/graph')) as { total_nodes: number }).total_nodes);
    const rows = client().items('/api/export/nodes', {
      params: { query: { repo: 'payments-api', limit: 2 } },
    } as never);
    const exported = (await Array.fromAsync(rows as AsyncIterable<{ id: string }>)).map(({ id }) => id);
    const { total: inside } = (await service().get('/api/export/nodes?repo=payments-api')).json;
    expect(exported)
      .lengthOf(Number(inside))
      .and.deep.equals([...new Set(exported)]);
    expect(exported.length).above(4);
    const runs = client().items('/api/benchmark/eval-results', { params: { query: { page_size: 1 } } } as never);
    expect(await Array.fromAsync(runs)).lengthOf(Number((await get('/api/benchmark/eval-results'))['total']));
  });

  it('throws an error of its kind, with what the service says', async () => {
    const missing = await errorOf(get('/api/repositories/{name}', { params: { path: { name: 'none' } } }));
    expect(missing).instanceof(built.NotFoundError).and.includes({ status: 404, code: 'repository_not_found' });
    expect(missing.requestId).match(/\S{8}/);
    const wrong = await errorOf(get('/api/search', { params: { query: { q: 'x', page: 0 } } }));
    expect(wrong).instanceof(built.InvalidRequestError);
    expect(wrong.errors[0]).includes({ in: 'query', name: 'page' });
    const unknown = built.createClient({ baseUrl: flaky.url, key: 'none' });
    expect(await errorOf((unknown.get as Any)('/api/repositories'))).instanceof(built.AuthenticationError);
  });

  it('asks again what was refused or lost, and gives up in the end', async () => {
    flaky.plan('refuse', 'lose');
    expect(await get('/api/repositories')).has.property('items');
    expect(flaky.plan('refuse', 'refuse', 'refuse')).deep.equals(['GET refuse', 'GET lose', 'GET pass']);
    const error = await errorOf((client({ maxRetries: 2 }).get as Any)('/api/repositories'));
    expect(error).instanceof(built.ServiceError).and.includes({ status: 503, code: 'not_ready' });
    expect(flaky.plan()).lengthOf(3);
  });

  it('asks once for what the service would do twice, and as often as it takes for what it does once', async () => {
    const post = client().post as Any;
    flaky.plan('lose', 'pass');
    await post('/v1/reports', { body: { type: 'portfolio_executive', format: 'json' } });
    expect(flaky.plan('lose')).deep.equals(['POST lose', 'POST pass']);
    expect(await get('/v1/reports')).has.property('total', 1);
    flaky.plan('lose');
    await errorOf(post('/v1/api-keys', { body: { member: 'one', role: 'member' } }));
    expect(flaky.plan('refuse')).deep.equals(['POST lose']);
    await post('/v1/api-keys', { body: { member: 'two', role: 'member' } });
    expect(flaky.plan()).deep.equals(['POST refuse', 'POST pass']);
  });

  it('knows which requests the service does once', async () => {
    const { json } = await service().get('/openapi.json');
    const once = operationsOf(json).filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'Idempotency-Key'),
    );
    expect(once.map(({ path }) => path).sort()).deep.equals(idempotentPosts.toSorted());
  });

  it('has types that know every path, parameter and member', async function () {
    this.timeout(60_000);
    const file = join(sdk, 'src/typed.ts');
    const lines = (await readFile(join(import.meta.dirname, 'typed.txt'), 'utf8')).replaceAll(
      "'@repo-intel/sdk'",
      "'./index.ts'",
    );
    try {
      await writeFile(file, lines);
      const { status, stdout } = spawnSync('tsc', ['-p', sdk, '--noEmit'], { encoding: 'utf8' });
      expect(stdout).equals('');
      expect(status).equals(0);
    } finally {
      await rm(file);
    }
  });
});
