import { SignJWT, generateKeyPair } from 'jose';
import { expect } from 'chai';
import { generateApiKey } from '../../src/auth/api-key.ts';
import { createRedactor } from '../../src/operations/redact.ts';
import { StoreUnavailable } from '../../src/stores/errors.ts';
import { withCpuTime } from '../support/cpu-time.ts';
import { describeService } from '../support/service.ts';

const key = generateApiKey('live');
const testKey = generateApiKey('test');
const code = 'WDJB-MJHT-KQRZ';
const webhookSecret = `whsec_${Buffer.from('a secret of webhooks, long').toString('base64')}`;
const signature = Buffer.from('a signature of some webhook, 32').toString('base64');
const password = 'hunter2-hunter2';
const { privateKey } = await generateKeyPair('ES256');
const jwt = await new SignJWT({ role: 'owner' }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
const all = [key, testKey, code, webhookSecret, signature, password, jwt];

/** As drivers do it: values in the message, in the cause, and in properties. */
function talkative(message: string, values: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(message), values);
}

const errors = [
  talkative(`duplicate key value violates unique constraint: Key (api_key)=(${key})`, { detail: `(${testKey})` }),
  talkative('ERR syntax', { command: { name: 'set', args: [password, jwt] } }),
  talkative('response', { meta: { request: { headers: { authorization: `ApiKey ${signature}` } } } }),
  talkative(`connect ECONNREFUSED postgres://ris:${password}@db.internal:5432/ris`),
  talkative(`Unexpected token 'r', "${key.slice(0, 20)}"... is not valid JSON`),
  talkative(`Authorization: Bearer ${jwt}; t=1,v1=${signature}; ${webhookSecret}`),
  talkative(JSON.stringify({ pairing_code: code, owner_jwt: jwt, headers: { cookie: `s=${password}` } })),
  talkative(`code ${code}`),
  new AggregateError([talkative(key), talkative(jwt)], code),
  new StoreUnavailable('graph', { cause: talkative(`redis://:${password}@cache`) }),
];
let next = 0;
const fail = () => Promise.reject(errors[next++ % errors.length] ?? new Error());

describeService(
  'the log',
  (service) => {
    it('tells of each request and of each failure, and holds no secret wherever it came', async () => {
      const { send, get, createKey } = service();
      const own = await createKey('talkative', 'owner');
      const bearer = { authorization: `Bearer ${own.api_key}` };
      for (const secret of all) {
        const inPath = encodeURIComponent(secret);
        await send(`/api/graph/neighbors/${inPath}?token=${inPath}`, { headers: bearer });
        await send(`/${inPath}`, { headers: { authorization: `Bearer ${secret}`, cookie: `session=${secret}` } });
        await send('/', { headers: { ...bearer, 'idempotency-key': secret, 'webhook-signature': `v1,${secret}` } });
        await send('/v1/api-keys', { method: 'POST', headers: bearer, body: JSON.stringify({ name: secret }) });
      }
      // Logged as it came, if it looks harmless: a secret of ours is seen there too.
      for (const secret of [key, testKey, code]) await send('/', { headers: { ...bearer, 'x-request-id': secret } });
      const answers = await Promise.all(errors.map(() => get('/api/graph')));
      expect(answers.map(({ status }) => status)).include.members([500, 503]);
      const lines = service().log().trim().split('\n');
      const records = lines.map((line) => JSON.parse(line) as { msg: string; operation?: string });
      expect(records.filter(({ msg }) => msg === 'request')).lengthOf(all.length * 4 + 3 + errors.length);
      expect(records.filter(({ msg }) => msg === 'request failed')).lengthOf.at.least(errors.length);
      for (const secret of [...all, own.api_key, key.slice(0, 20)])
        expect(lines.filter((line) => line.includes(secret))).deep.equals([]);
    });
  },
  ({ graph }) => ({
    graph: { ...graph, within: (repositories) => ({ ...graph.within(repositories), repositoryGraph: fail }) },
  }),
);

describe('createRedactor', () => {
  const redact = createRedactor(['the pepper "in" force', 'short']);

  it('hides the values it is told, as they stand in JSON too', () => {
    expect(redact('the pepper "in" force')).equals('the pepper "in" force');
    expect(redact(JSON.stringify({ a: 'the pepper "in" force' }))).equals('{"a":"[secret]"}');
  });

  it('leaves JSON that can be parsed, and everything else as it was', () => {
    const line = { api_key: 'x"y\\', n: 1, err: { message: `a "${key}" b` }, url: `http://u:p@h/?q=1`, short: 'short' };
    expect(JSON.parse(redact(JSON.stringify(line)))).deep.equals({
      api_key: '[secret]',
      n: 1,
      err: { message: 'a "[secret]" b' },
      url: 'http://[secret]@h/?q=1',
      short: 'short',
    });
    const plain = JSON.stringify({
      request_id: 'req_01JD7Z3M2QK8V6T4R9W5X1Y0AD',
      event_id: '019ab3cd-1234-7abc-8def-0123456789ab',
      prefix: 'ris_live_0Xcs',
      stack: 'Error: no\n    at file:///srv/src/http/serve.ts:10:3',
      time: '2026-11-21T11:08:12.345Z',
    });
    expect(redact(plain)).equals(plain);
  });

  it('takes no longer for a line that was made to take long', async () => {
    for (const piece of ['ris_live_', 'eyJ', '://', 'Bearer ', 'v1,', 'BCDF-', '"api_key":"\\']) {
      const line = piece.repeat(20_000);
      expect((await withCpuTime(() => redact(line))).ms, piece).below(500);
    }
  });
});
