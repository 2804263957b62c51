import { randomUUID } from 'node:crypto';
import { once as emitted } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import { z } from 'zod';
import { HttpError } from '../../src/http/errors.ts';
import { Reply, route } from '../../src/http/route.ts';
import type { Caller } from '../../src/http/route.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { openPostgres } from '../../src/stores/relational/postgres.ts';
import { onEngine } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer } from '../support/http.ts';
import { anna, startKernel } from '../support/kernel.ts';
import type { Kernel } from '../support/kernel.ts';
import { temporaryPglite } from '../support/temporary-pglite.ts';

const refused = (status: number) => ({ status, code: `refused_${status}`, title: 'Refused', meaning: 'As asked.' });
const note = z.strictObject({ text: z.string(), outcome: z.string().default('kept'), more: z.json().optional() });

describe('http: idempotency', () => {
  describe('embedded', () => suite(temporaryPglite()));
  onEngine('postgres', (url) => {
    let store: RelationalStore;
    const name = `repo_intel_test_${randomUUID().replaceAll('-', '_')}`;
    const at = (path: string) => Object.assign(new URL(url()), { pathname: `/${path}` }).href;
    const administer = async (path: string, statement: string) => {
      const client = new Client({ connectionString: at(path) });
      await client.connect();
      await client.query(statement);
      await client.end();
    };
    before(async () => {
      await administer('postgres', `CREATE DATABASE ${name}`);
      store = await openPostgres({ url: at(name), timeoutMs: 30_000 });
    });
    after(async () => {
      await store.close();
      await administer('postgres', `DROP DATABASE ${name} WITH (FORCE)`);
    });
    suite(
      () => store,
      () => administer(name, `UPDATE idempotency_key SET expires_at = now() - interval '1 second'`),
    );
  });
});

/** A route that keeps notes, as entries of the audit log. */
function suite(store: () => RelationalStore, expireAll?: () => Promise<void>): void {
  let kernel: Kernel;
  let callers: Map<string, Caller>;
  let once: RelationalStore['idempotency']['once'];

  const notes = (ofPath: '/v1/notes' | '/v1/memos', idempotent = true) =>
    route({
      method: 'POST',
      path: ofPath,
      operation_id: `keep${ofPath.replaceAll('/', '_')}`,
      summary: 'Keep a note',
      access: 'tenant',
      product: null,
      credits: 0,
      status: 201,
      idempotent,
      body: note,
      response: z.object({ id: z.string(), text: z.string() }),
      handle: async ({ body: { text, outcome }, caller, request, signal }) => {
        await store()
          .tenant(caller.organization.id, async ({ audit }) => {
            await audit.append({ memberId: null, keyId: null, action: 'noted', subject: text });
            if (outcome === 'slow') await sleep(300);
            if (outcome === 'given up') await emitted(signal, 'abort');
            if (outcome === 'broken') throw new Error('a mistake');
            // Refused by the database, which leaves the transaction unusable.
            if (outcome === 'invalid')
              await audit.append({ memberId: null, keyId: null, action: 'noted', subject: '\0' });
          })
          .catch((cause: unknown) => {
            throw outcome === 'invalid' ? new HttpError(refused(422), { cause }) : cause;
          });
        const status = Number(outcome);
        if (status >= 400) throw new HttpError(refused(status), { headers: { 'X-Hint': 'none' }, members: { text } });
        return new Reply({ id: request.id, text }, { headers: { Location: `${ofPath}/${request.id}` } });
      },
    });

  before(async () => {
    const organizations = await Promise.all(
      ['acme', 'other'].map((slug) =>
        store().accounts.ensureOrganization({ slug: `${slug}-${randomUUID()}`, name: slug }),
      ),
    );
    callers = new Map(['anna', 'olga'].map((name, index) => [name, { ...anna, organization: organizations[index]! }]));
    once = store().idempotency.once;
    kernel = await startKernel([notes('/v1/notes'), notes('/v1/memos')], {
      authenticate: async (bearer) => callers.get(bearer) ?? null,
      idempotency: (request, execute) => once(request, execute),
      // Fifty at once take their turns in an embedded store.
      deadlineMs: 60_000,
    });
  });
  after(() => kernel?.close());

  const post = (
    body: object | string,
    key?: string | string[],
    { path = '/v1/notes', by = 'anna' }: { path?: string; by?: string } = {},
  ) =>
    kernel.send(path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${by}`,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const kept = async (text: string, by = 'anna') => {
    const entries = await store().tenant(callers.get(by)!.organization.id, ({ audit }) => audit.list());
    return entries.filter(({ subject }) => subject === text).length;
  };
  const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true';

  it('the same request with the same key is answered as the first, and done once', async () => {
    const [text, key] = [randomUUID(), randomUUID()];
    const first = await post({ text }, key);
    const again = await post({ text }, key);
    expect([first.status, isReplay(first), first.headers['idempotency-key']]).deep.equals([201, false, key]);
    expect([again.status, isReplay(again), again.headers['idempotency-key']]).deep.equals([201, true, key]);
    expect(again.text).equals(first.text);
    expect(again.headers.location)
      .equals(first.headers.location)
      .and.match(/^\/v1\/notes\/req_/);
    expect(again.headers['cache-control']).equals('no-store');
    expect(again.headers['x-request-id']).match(/^req_/).and.not.equals(first.headers['x-request-id']);
    expect(await kept(text)).equals(1);
  });

  it('without a key, or where a route knows none, each request is done', async () => {
    const text = randomUUID();
    for (const _ of [1, 2]) expect(isReplay(await post({ text }))).equals(false);
    const plain = await startKernel([notes('/v1/notes', false)], {
      authenticate: async () => callers.get('anna') ?? null,
    });
    const answers = await Promise.all(
      [1, 2].map(() =>
        plain.send('/v1/notes', {
          method: 'POST',
          headers: { authorization: 'Bearer anna', 'content-type': 'application/json', 'idempotency-key': '"' },
          body: JSON.stringify({ text }),
        }),
      ),
    );
    await plain.close();
    expect(answers.map(({ status, headers }) => [status, 'idempotency-key' in headers])).deep.equals([
      [201, false],
      [201, false],
    ]);
    expect(await kept(text)).equals(4);
  });

  it('members in another order are the same request; another value, or another route, is another', async () => {
    const [text, key] = [randomUUID(), randomUUID()];
    await post(`{"text":"${text}","more":{"a":[1,{"x":1,"y":2}],"b":2}}`, key);
    const reordered = await post(`{ "more": {"b":2.0,"a":[1,{"y":2,"x":1}]}, "text": "${text}" }`, key);
    expect([reordered.status, isReplay(reordered)]).deep.equals([201, true]);
    const others = await Promise.all([
      post(`{"text":"${text}","more":{"a":[{"x":1,"y":2},1],"b":2}}`, key),
      post(`{"text":"${text}","more":{"a":[1,{"x":1,"y":2}],"b":2}}`, key, { path: '/v1/memos' }),
      post({ text }, key),
    ]);
    // While one holds the key, the others cannot know what it stands for.
    for (const other of others) expect(other.json['code']).oneOf(['idempotency_key_reused', 'idempotency_key_in_use']);
    const { status, json } = await post({ text }, key);
    expect([status, json['code']]).deep.equals([422, 'idempotency_key_reused']);
    expect(await kept(text)).equals(1);
  });

  it('the key of another organization is another key', async () => {
    const [text, key] = [randomUUID(), randomUUID()];
    await post({ text }, key);
    const other = await post({ text, more: 'else' }, key, { by: 'olga' });
    expect([other.status, isReplay(other)]).deep.equals([201, false]);
    expect([await kept(text), await kept(text, 'olga')]).deep.equals([1, 1]);
  });

  it('quoted and unquoted are one key', async () => {
    const text = randomUUID();
    await post({ text }, `k,;=~-${text}`);
    const quoted = await post({ text }, `"k,;=~-${text}"`);
    expect([quoted.status, isReplay(quoted), quoted.headers['idempotency-key']]).deep.equals([
      201,
      true,
      `"k,;=~-${text}"`,
    ]);
  });

  it('255 characters are a key; 256, none, two keys, spaces, quotes and backslashes are not', async () => {
    expect((await post({ text: 'x' }, randomUUID().padEnd(255, 'x'))).status).equals(201);
    for (const key of [
      'x'.repeat(256),
      '',
      '""',
      ['one', 'two'],
      ['one', 'one'],
      'a b',
      'a"b',
      '"a',
      'a\\b',
      '"a";x=1',
      'é',
    ]) {
      const { status, json } = await post({ text: 'refused' }, key);
      expect([status, json['code']], String(key)).deep.equals([400, 'invalid_idempotency_key']);
    }
    expect(await kept('refused')).equals(0);
  });

  it('a body that is not valid is refused before the key is looked at, and takes none', async () => {
    const [text, key] = [randomUUID(), randomUUID()];
    expect((await post({ text, unknown: 1 }, `${key}"`)).json['code']).equals('unknown_parameter');
    expect((await post({ text, unknown: 1 }, key)).status).equals(422);
    expect((await post({ text }, key)).status).equals(201);
  });

  for (const outcome of ['404', '422', 'invalid'])
    it(`what the handler refuses for good (${outcome}) is undone, kept and answered again`, async () => {
      const [text, key] = [randomUUID(), randomUUID()];
      const first = await post({ text, outcome }, key);
      const again = await post({ text, outcome }, key);
      expect(first.status).equals(outcome === 'invalid' ? 422 : Number(outcome));
      expect(first.json['request_id']).equals(first.headers['x-request-id']);
      expect([again.status, again.text, isReplay(again)]).deep.equals([first.status, first.text, true]);
      expect(again.headers).includes({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' });
      if (outcome !== 'invalid') expect(again.headers['x-hint']).equals('none');
      expect(await kept(text)).equals(0);
    });

  for (const outcome of ['409', '429', '500', '503', 'broken'])
    it(`what may go well the next time (${outcome}) is undone and not kept`, async () => {
      const [text, key] = [randomUUID(), randomUUID()];
      const status = outcome === 'broken' ? 500 : Number(outcome);
      expect((await post({ text, outcome }, key)).status).equals(status);
      expect(await kept(text)).equals(0);
      const other = await post({ text }, key);
      expect([other.status, isReplay(other)]).deep.equals([201, false]);
      expect(await kept(text)).equals(1);
    });

  it('a handler that is given up is undone, although it comes to its end', async () => {
    const hasty = await startKernel([notes('/v1/notes')], {
      authenticate: async () => callers.get('anna') ?? null,
      idempotency: once,
      deadlineMs: 1_000,
    });
    const [text, key] = [randomUUID(), randomUUID()];
    const { status } = await hasty.send('/v1/notes', {
      method: 'POST',
      headers: { authorization: 'Bearer anna', 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ text, outcome: 'given up' }),
    });
    expect(status).equals(504);
    await hasty.close();
    // The key is held until what was done is undone.
    const again = await eventually(async () => {
      const answer = await post({ text }, key);
      expect(answer.status).equals(201);
      return answer;
    });
    expect(isReplay(again)).equals(false);
    expect(await kept(text)).equals(1);
  });

  it('a crash between the work and its commit undoes the work; one after the commit loses no answer', async () => {
    const [text, key] = [randomUUID(), randomUUID()];
    const crash = new Error('crashed');
    once = (request, execute) =>
      store().idempotency.once(request, async () => {
        await execute();
        throw crash;
      });
    expect((await post({ text }, key)).status).equals(500);
    expect(await kept(text)).equals(0);
    once = async (request, execute) => {
      await store().idempotency.once(request, execute);
      throw crash;
    };
    expect((await post({ text }, key)).status).equals(500);
    once = store().idempotency.once;
    const again = await post({ text }, key);
    expect([again.status, isReplay(again), again.json['text']]).deep.equals([201, true, text]);
    expect(await kept(text)).equals(1);
    expect(kernel.reported.filter((error) => error === crash)).lengthOf(2);
  });

  it('of 50 parallel requests with one key one is done; the others are told to wait, or its answer', async () => {
    const [text, key] = [randomUUID(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 50 }, () => post({ text, outcome: 'slow' }, key)));
    const done = answers.filter((answer) => answer.status === 201);
    const waiting = answers.filter((answer) => answer.status !== 201);
    expect(done.filter((answer) => !isReplay(answer))).lengthOf(1);
    expect(new Set(done.map((answer) => answer.text)).size).equals(1);
    for (const { status, json, headers } of waiting)
      expect([status, json['code'], headers['retry-after']]).deep.equals([409, 'idempotency_key_in_use', '1']);
    expect(await kept(text)).equals(1);
  });

  if (expireAll)
    it('after 24 hours the key is free', async () => {
      const [text, key] = [randomUUID(), randomUUID()];
      await post({ text }, key);
      await expireAll();
      const other = await post({ text, more: 'else' }, key);
      expect([other.status, isReplay(other)]).deep.equals([201, false]);
      expect(isReplay(await post({ text, more: 'else' }, key))).equals(true);
    });
}
