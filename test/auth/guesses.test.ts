import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { expect } from 'chai';
import { generateApiKey } from '../../src/auth/api-key.ts';
import { readQuotas } from '../../src/control-plane/rate-limits.ts';
import { unique } from '../contract/relational-store.ts';
import { countQueries } from '../support/count-queries.ts';
import { describeService } from '../support/service.ts';

/** Any statement that looks a key up. */
const lookUp = /"api_key"\."digest" in/;

/** As many as one instance takes at once are more. */
const atOnce = 100;

/** Sends a request for each bearer on one connection, many at once, and counts the answers of each status. */
function pipeline(port: number, bearers: readonly string[]): Promise<Record<string, number>> {
  return new Promise((resolve, reject) => {
    const statuses: Record<string, number> = {};
    let answered = 0;
    let rest = '';
    const send = (start: number) => {
      const requests = bearers
        .slice(start, start + atOnce)
        .map((bearer) => `GET /api/graph HTTP/1.1\r\nHost: ris\r\nAuthorization: Bearer ${bearer}\r\n\r\n`);
      socket.write(requests.join(''));
    };
    const socket = connect(port, '127.0.0.1', () => send(0));
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, status] = /HTTP\/1\.1 (\d{3}) /.exec(line) ?? [];
        if (status === undefined) continue;
        statuses[status] = (statuses[status] ?? 0) + 1;
        answered += 1;
        if (answered % atOnce === 0 && answered < bearers.length) send(answered);
      }
      if (answered < bearers.length) return;
      socket.destroy();
      resolve(statuses);
    });
  });
}

/** Keys as a person or a scanner gets them wrong: one character flipped, left out, added; a wrong checksum; no key at all. */
function malformed(number: number): string {
  const key = generateApiKey('live');
  const at = number % key.length;
  const flipped = key[at] === 'a' ? 'b' : 'a';
  const ways = [
    key.slice(0, at) + flipped + key.slice(at + 1),
    key.slice(0, at) + key.slice(at + 1),
    `${key}0`,
    key.replace('ris_', 'sk_'),
    key.slice(0, -6) + generateApiKey('live').slice(-6),
    'x'.repeat(1 + (number % 200)),
  ];
  return ways[number % ways.length] ?? '';
}

describeService('wrong bearers', (service) => {
  it('10,000 that can’t be keys are 10,000 times 401 and cost no look-up', async () => {
    const bearers = Array.from({ length: 10_000 }, (_, number) => malformed(number));
    const answers: Record<string, number>[] = [];
    const lookUps = await countQueries(lookUp, async () => {
      // A connection is closed after a thousand requests.
      for (let start = 0; start < bearers.length; start += 1_000)
        answers.push(await pipeline(service().port, bearers.slice(start, start + 1_000)));
    });
    expect(answers).deep.equals(Array.from({ length: 10 }, () => ({ 401: 1_000 })));
    expect(lookUps).equals(0);
  });
});

describeService(
  'guessed keys',
  (service) => {
    it('the 101st of an address within the window is 429 without a look-up; what is no key stays 401, and good keys that were used go on', async () => {
      const { api_key: good } = await service().createKey(unique('guessed'));
      const { api_key: unused } = await service().createKey(unique('guessed'));
      // An address of its own: others have sent keys that have ended from the one of this machine.
      const address = [10, ...randomBytes(3)].join('.');
      const ask = (key: string) =>
        service().send('/', { headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address } });
      expect((await ask(good)).status).equals(200);
      const guess = async () => (await ask(generateApiKey('live'))).status;
      const guesses = await Promise.all(Array.from({ length: 100 }, guess));
      expect(new Set(guesses)).deep.equals(new Set([401]));

      const lookUps = await countQueries(lookUp, async () => {
        const { status, headers, json } = await ask(generateApiKey('live'));
        expect([status, json['code']]).deep.equals([429, 'too_many_failed_authentications']);
        expect(Number(headers['retry-after'])).within(1, 6_000);
        // They would tell of others who share the address.
        expect(headers).not.any.keys('ratelimit', 'ratelimit-policy', 'x-ratelimit-limit');
        expect((await ask(unused)).status).equals(429);
        expect((await ask('no-key')).status).equals(401);
      });
      expect(lookUps).equals(0);
      expect((await ask(good)).status).equals(200);
    });
  },
  () => ({}),
  // So long that no look-up comes back while a busy machine asks.
  () => ({ trustedProxies: 1, quotas: readQuotas('*=1000000/60,auth_lookup=100/6000') }),
);
