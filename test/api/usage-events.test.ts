import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Role } from '../../src/model/account.ts';
import { describeService } from '../support/service.ts';

const path = '/v1/usage/events';

describeService('/v1/usage/events', (service) => {
  let organizations = 0;
  /** An organization of its own, and how it sends and reads. */
  const newcomer = async (role: Role = 'member') => {
    const { api_key, organization, member } = await service().createKey(
      `events-${randomUUID().slice(0, 8)}-${organizations++}`,
      role,
    );
    const authorization = `Bearer ${api_key}`;
    const send = (body: unknown, type = 'application/json', headers: Record<string, string> = {}) =>
      service().send(path, {
        method: 'POST',
        headers: { authorization, 'content-type': type, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const get = async (where: string) => (await service().send(where, { headers: { authorization } })).json;
    return { organization, member, send, get, list: (query = '') => get(path + query) };
  };
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
  const event = (changes: Record<string, unknown> = {}) => ({
    specversion: '1.0',
    id: randomUUID(),
    source: 'repo-intel/laptop-7',
    type: 'cli.analysis.completed',
    time: minutes(-10),
    subject: 'repo/payments-api',
    data: { duration_ms: 1834, repositories: 1 },
    ...changes,
  });

  describe('200', () => {
    it('takes one event or many, in each of the three media types', async () => {
      const { send, list } = await newcomer();
      for (const [body, type, accepted] of [
        [event(), 'application/json', 1],
        [[event(), event()], 'application/json; charset=utf-8', 2],
        [event(), 'application/cloudevents+json', 1],
        [[event(), event(), event()], 'application/cloudevents-batch+json', 3],
      ] as const) {
        const { status, json } = await send(body, type);
        expect([status, json['accepted'], json['duplicates']], type).deep.equals([200, accepted, 0]);
        const items = json['items'] as Record<string, string>[];
        expect(items.map(({ id }) => id)).deep.equals([body].flat().map(({ id }) => id));
        for (const { event_id, status } of items) {
          expect(event_id).match(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/);
          expect(status).equals('accepted');
        }
      }
      expect((await list())['total']).equals(7);
    });

    it('takes an event in binary mode, with its attributes in headers and its data alone in the body', async () => {
      const { send, list } = await newcomer();
      const attributes = {
        specversion: '1.0',
        id: 'b-1',
        source: '/here',
        type: 'cli.done',
        subject: 'Gr%C3%BC%C3%9Fe',
      };
      const headers = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]));
      const { status, json } = await send({ any: ['json'] }, 'application/json', {
        ...headers,
        'ce-traceparent': '00-1-2-01',
      });
      expect([status, json['accepted']], JSON.stringify(json)).deep.equals([200, 1]);
      expect(((await list())['items'] as object[])[0]).deep.include({
        id: 'b-1',
        source: '/here',
        type: 'cli.done',
        subject: 'Grüße',
        datacontenttype: 'application/json',
        extensions: { traceparent: '00-1-2-01' },
        data: { any: ['json'] },
      });
      const wrong = await send({}, 'application/json', { ...headers, 'ce-type': 'NO', 'ce-id': 'b-2' });
      expect([wrong.status, (wrong.json['errors'] as { pointer: string }[])[0]?.pointer]).deep.equals([422, '#/type']);
      const key = { 'idempotency-key': randomUUID() };
      await send({}, 'application/json', { ...headers, ...key, 'ce-id': 'b-3' });
      expect((await send({}, 'application/json', { ...headers, ...key, 'ce-id': 'b-4' })).status).equals(422);
    });

    it('keeps extensions and the schema of data, as they were sent', async () => {
      const { send, list } = await newcomer();
      const extensions = { traceparent: '00-1-2-01', sequence: 7, sampled: false };
      await send([event({ ...extensions, dataschema: 'https://acme.example/s.json' }), event()]);
      const items = (await list())['items'] as Record<string, unknown>[];
      expect(items.find((item) => item['dataschema'] !== null)).deep.include({
        extensions,
        dataschema: 'https://acme.example/s.json',
      });
      expect(items.find((item) => item['dataschema'] === null)?.['extensions']).deep.equals({});
    });

    it('takes an event once, whatever the second one says, and tells which it is', async () => {
      const { send, list } = await newcomer();
      const first = event();
      const { json } = await send(first);
      const again = await send([{ ...first, data: 'another' }, event({ id: first.id, source: 'elsewhere' }), first]);
      expect(again.json).includes({ accepted: 1, duplicates: 2 });
      const [one, , third] = again.json['items'] as Record<string, string>[];
      expect(one).deep.equals({ ...(json['items'] as object[])[0], status: 'duplicate' });
      expect(third).deep.equals(one);
      const { items } = (await list()) as { items: Record<string, unknown>[] };
      expect(items.find((item) => item['event_id'] === one?.['event_id'])?.['data']).deep.equals(first.data);
    });

    it('once, of many requests at once', async () => {
      const { send, get } = await newcomer();
      const events = Array.from({ length: 10 }, () => event());
      const answers = await Promise.all(Array.from({ length: 12 }, () => send(events)));
      expect(answers.map(({ status }) => status)).deep.equals(answers.map(() => 200));
      expect(answers.reduce((sum, { json }) => sum + Number(json['accepted']), 0)).equals(10);
      const usage = await get('/v1/billing/usage?group_by=member');
      expect(usage['totals']).includes({ calls: 0, usage_events: 10, credits_used: 0 });
    });

    it('the same request with the same Idempotency-Key is answered again as it was', async () => {
      const { send, list } = await newcomer();
      const [body, headers] = [event(), { 'idempotency-key': randomUUID() }];
      const first = await send(body, 'application/json', headers);
      const again = await send(body, 'application/json', headers);
      expect(again.text).equals(first.text);
      expect(again.headers['idempotent-replayed']).equals('true');
      expect((await list())['total']).equals(1);
    });

    it('lists all that it knows of the organization’s events, the latest first, by page, type and time', async () => {
      const [{ send, list }, other] = [await newcomer(), await newcomer()];
      const events = [
        event({ time: minutes(-3) }),
        event({ time: minutes(-1), type: 'x.y' }),
        event({ time: minutes(-2) }),
      ];
      await send(events);
      await other.send(event());
      const { items, ...page } = (await list('?page_size=2')) as { items: Record<string, unknown>[] };
      expect(page).deep.equals({ total: 3, page: 1, page_size: 2, total_pages: 2, next_cursor: 'i2' });
      const { specversion: _, ...known } = events[1] ?? event();
      expect(items[0]).deep.include({ ...known, datacontenttype: null });
      expect(items.map(({ id }) => id)).deep.equals([events[1]?.id, events[2]?.id]);
      const ids = async (query: string) => ((await list(query))['items'] as { id: string }[]).map(({ id }) => id);
      expect(await ids('?page=2&page_size=2')).deep.equals([events[0]?.id]);
      expect(await ids('?type=x.y')).deep.equals([events[1]?.id]);
      expect(await ids(`?from=${minutes(-2.5)}&to=${minutes(-1.5)}`)).deep.equals([events[2]?.id]);
    });

    it('of what may be left out: now is the time, and no data is null', async () => {
      const { send, list } = await newcomer();
      await send({ specversion: '1.0', id: '1', source: '/', type: 'a' });
      const [item] = (await list())['items'] as Record<string, string>[];
      expect(item).includes({ id: '1', source: '/', type: 'a', subject: null, data: null, datacontenttype: null });
      expect(Math.abs(Date.now() - Date.parse(item?.['time'] ?? ''))).below(60_000);
    });
  });

  describe('403', () => {
    it('a viewer reads, and tells nothing', async () => {
      const { send, list } = await newcomer('viewer');
      const { status, json } = await send(event());
      expect([status, json['code'], json['required_roles']]).deep.equals([
        403,
        'insufficient_role',
        ['owner', 'admin', 'member'],
      ]);
      expect((await list())['total']).equals(0);
    });
  });

  describe('413', () => {
    it('more than 256 KiB', async () => {
      const { send } = await newcomer();
      const { status } = await send([event({ data: 'x'.repeat(256 * 1024) })]);
      expect(status).equals(413);
    });
  });

  describe('415', () => {
    for (const type of ['text/plain', 'application/xml', 'application/cloudevents+xml'])
      it(type, async () => {
        const { send } = await newcomer();
        const { status, headers } = await send(JSON.stringify(event()), type);
        expect(status).equals(415);
        expect(headers['accept-post']).includes('application/cloudevents-batch+json');
      });
  });

  describe('422', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
    const good = () => event();
    /** What is sent, and where the first error points. */
    const wrong: readonly [string, () => unknown, string][] = [
      ['an empty batch', () => [], '#/'],
      ['101 events', () => Array.from({ length: 101 }, good), '#/'],
      ['a word', () => '"word"', '#/'],
      ['nothing of what is required', () => ({}), '#/specversion'],
      ['another version of CloudEvents', () => event({ specversion: '0.3' }), '#/specversion'],
      ['an empty id', () => event({ id: '' }), '#/id'],
      ['an id of 129 characters', () => event({ id: 'x'.repeat(129) }), '#/id'],
      ['a control character', () => event({ id: 'a\u0000' }), '#/id'],
      ['a line break in the subject', () => event({ subject: 'a\nb' }), '#/subject'],
      ['a source that is no URI reference', () => event({ source: 'my laptop' }), '#/source'],
      ['a type in capitals', () => event({ type: 'Cli' }), '#/type'],
      ['a time that is none', () => event({ time: 'yesterday' }), '#/time'],
      ['36 days ago', () => event({ time: minutes(-36 * 24 * 60) }), '#/time'],
      ['in 6 minutes', () => event({ time: minutes(6) }), '#/time'],
      ['another organization', () => event({ subject: 'org_01JD7Z3M2QK8V6T4R9W5X1Y0AB' }), '#/subject'],
      ['more than 8 KiB of data', () => event({ data: 'x'.repeat(8 * 1024 - 1) }), '#/data'],
      ['data nested 6 deep', () => event({ data: nested(6) }), '#/data'],
      ['an attribute that is named as none can be', () => event({ organization_id: 'org_other' }), '#/'],
      ['an extension that is an object', () => event({ trace: {} }), '#/trace'],
      [
        'too many extensions',
        () => event(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`e${index}`, index]))),
        '#/',
      ],
      ['the third of a batch', () => [good(), good(), event({ type: '!' }), good()], '#/2/type'],
      ['the last of a batch, by its time', () => [good(), event({ time: minutes(10) })], '#/1/time'],
    ];
    for (const [title, body, pointer] of wrong) {
      it(`${title}, and nothing is taken`, async () => {
        const { send, list } = await newcomer();
        const { status, json } = await send(body());
        expect([status, (json['errors'] as { pointer: string }[])[0]?.pointer], JSON.stringify(json)).deep.equals([
          422,
          pointer,
        ]);
        expect((await list())['total']).equals(0);
      });
    }

    it('many where one belongs, and one where many do', async () => {
      const { send } = await newcomer();
      expect((await send([event()], 'application/cloudevents+json')).status).equals(422);
      expect((await send(event(), 'application/cloudevents-batch+json')).status).equals(422);
    });

    it('its own name, 8 KiB and 5 levels are all right', async () => {
      const { send, organization } = await newcomer();
      const { json } = await send([
        event({ subject: organization.id }),
        event({ data: 'x'.repeat(8 * 1024 - 2) }),
        event({ data: nested(5), time: minutes(4) }),
        event({ time: minutes(-34 * 24 * 60).replace('Z', '+00:00') }),
      ]);
      expect(json['accepted']).equals(4);
    });

    for (const query of ['type=Cli', 'from=yesterday', 'organization_id=org_other', 'page_size=101'])
      it(`GET with ${query}`, async () => expect((await service().get(`${path}?${query}`)).status).equals(422));
  });
});
