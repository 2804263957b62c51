import { randomInt } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { generateKeyPair } from 'jose';
import type { CryptoKey } from 'jose';
import { pairingRoutes } from '../../src/control-plane/pairing.ts';
import { readQuotas } from '../../src/control-plane/rate-limits.ts';
import type { Role } from '../../src/model/account.ts';
import { memoryLimiter } from '../../src/stores/ephemeral/limiters.ts';
import { unique } from '../contract/relational-store.ts';
import { audience, issuer, startIdentityProvider } from '../support/identity-provider.ts';
import type { IdentityProvider } from '../support/identity-provider.ts';
import { startKernel } from '../support/kernel.ts';
import { describeService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { temporaryPglite } from '../support/temporary-pglite.ts';

const docs = 'https://ris.example/docs';

let provider: IdentityProvider;

/** An organization with an owner who has a subject at the identity provider. */
async function acme(service: TestService, subject = unique('u')) {
  const { organization, member, api_key } = await service.createKey(unique('acme'), 'owner');
  await service.stores.relational.tenant(organization.id, ({ members }) => members.setSubject(member.id, subject));
  // Where a proxy is trusted: counts of addresses outlive a service.
  const address = `10.${[0, 0, 0].map(() => randomInt(256)).join('.')}`;
  const ask = async (target: string, body?: unknown, key?: string) => {
    const [method = '', path = ''] = target.split(' ');
    const { status, headers, text } = await service.send(path, {
      method,
      headers: {
        'x-forwarded-for': address,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status, headers, text, json: (text === '' ? {} : JSON.parse(text)) as Record<string, string> };
  };
  const token = (claims: Record<string, unknown> = {}, ...rest: [Record<string, unknown>?, CryptoKey?]) =>
    provider.token({ sub: subject, organization: organization.slug, ...claims }, ...rest);
  return {
    organization,
    member,
    ownerKey: api_key,
    token,
    ask,
    /** Asks for a code. */
    pair: async (fields: object = {}, claims: Record<string, unknown> = {}) =>
      ask('POST /v1/cli/pair', { owner_jwt: await token(claims), ...fields }),
    exchange: (pairing_code: unknown, more: object = {}) =>
      ask('POST /v1/cli/pair/exchange', { pairing_code, ...more }),
    audit: async () =>
      (await service.stores.relational.tenant(organization.id, ({ audit }) => audit.list())).filter(
        ({ action }) => !action.startsWith('member.'),
      ),
  };
}

const other = (letter: string) => (letter === 'B' ? 'C' : 'B');
/** The same selector with another secret. */
const wrongSecret = (code: string) => code.slice(0, -1) + other(code.at(-1) ?? '');

before(async () => {
  provider = await startIdentityProvider();
});
after(() => provider.close());

const withProvider = () => ({ ownerProof: { issuer, audience, jwksUrl: provider.jwksUrl.href } });
const sameStores = () => ({});

describeService(
  'POST /v1/cli/pair',
  (service) => {
    describe('201', () => {
      it('gives an owner a code for ten minutes, which nothing keeps or compresses', async () => {
        const { pair, organization } = await acme(service());
        const { status, headers, json } = await pair({ device_name: 'anna-laptop', role: 'admin' });
        expect(status).equals(201);
        expect(headers).includes({ 'cache-control': 'no-store', location: `/v1/cli/pair/${json['id']}` });
        expect(headers).not.includes.keys('content-encoding', 'etag');
        const { id, pairing_code, created_at, expires_at, ...rest } = json;
        expect(rest).deep.equals({
          invited_name: null,
          object: 'cli_pairing',
          status: 'pending',
          device_name: 'anna-laptop',
          role: 'admin',
          organization_id: organization.id,
          exchange_url: 'https://ris.example/v1/cli/pair/exchange',
          expires_in: 600,
        });
        expect(id).matches(/^pair_[0-9A-HJKMNP-TV-Z]{26}$/);
        expect(pairing_code).matches(/^[BCDFGHJKLMNPQRSTVWXZ]{4}(-[BCDFGHJKLMNPQRSTVWXZ]{4}){2}$/);
        expect(Date.parse(expires_at ?? '') - Date.parse(created_at ?? '')).equals(600_000);
      });

      it('takes nothing but the token, and an organization by its id', async () => {
        const { pair, organization } = await acme(service());
        const { status, json } = await pair({}, { organization: organization.id });
        expect([status, json['device_name'], json['role']]).deep.equals([201, null, 'member']);
      });

      it('is not replayed: with the same Idempotency-Key a second request gets a second code', async () => {
        const { token } = await acme(service());
        const codes = await Promise.all(
          [1, 2].map(async () => {
            const { json } = await service().send('/v1/cli/pair', {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'idempotency-key': '"once"' },
              body: JSON.stringify({ owner_jwt: await token() }),
            });
            return json['pairing_code'];
          }),
        );
        expect(new Set(codes).size).equals(2);
      });
    });

    describe('401', () => {
      it('owner_jwt_required: without a token, whatever else is sent', async () => {
        const { ask, ownerKey } = await acme(service());
        const answers = [
          await service().send('/v1/cli/pair', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '',
          }),
          await ask('POST /v1/cli/pair', {}),
          await ask('POST /v1/cli/pair', {}, ownerKey),
          await ask('POST /v1/cli/pair', { owner_jwt: null, device_name: 'x' }),
          await ask('POST /v1/cli/pair', { owner_jwt: 7 }),
        ];
        for (const { status, headers, json } of answers) {
          expect([status, json['code']]).deep.equals([401, 'owner_jwt_required']);
          expect(json['docs_url']).equals(`${docs}/authentication`);
          expect(headers['www-authenticate']).matches(/^Bearer /);
        }
      });

      it('owner_jwt_invalid: one answer, whatever is wrong with it; a good API key does not help', async () => {
        const { ask, token, ownerKey } = await acme(service());
        const { privateKey } = await generateKeyPair('ES256');
        const now = Math.floor(Date.now() / 1000);
        const used = await token();
        expect((await ask('POST /v1/cli/pair', { owner_jwt: used })).status).equals(201);
        const tokens = {
          empty: '',
          nonsense: 'x',
          'an API key': ownerKey,
          expired: await token({ exp: now - 31 }),
          foreign: await token({}, {}, privateKey),
          'of another issuer': await token({ iss: 'https://evil.example' }),
          'for others': await token({ aud: 'https://other.example' }),
          used,
          'too long': await token({ filler: 'x'.repeat(9_000) }),
          'with a NUL': await token({ sub: 'u\0' }),
        };
        const bodies = new Set<string>();
        for (const [which, owner_jwt] of Object.entries(tokens)) {
          const { status, json } = await ask('POST /v1/cli/pair', { owner_jwt }, ownerKey);
          expect([which, status]).deep.equals([which, 401]);
          bodies.add(JSON.stringify({ ...json, request_id: '' }));
        }
        expect([...bodies].map((body) => (JSON.parse(body) as { code: string }).code)).deep.equals([
          'owner_jwt_invalid',
        ]);
      });

      it('owner_jwt_invalid: the log tells why, the answer does not', async () => {
        const { pair } = await acme(service());
        const { text } = await pair({}, { aud: 'https://other.example' });
        expect(text).not.includes('aud');
        expect(service().log()).matches(/unexpected \\"aud\\" claim value.*the token of an owner is refused/);
      });

      it('owner_jwt_invalid: of twenty at once with one token one is served, also by tokens of one id', async () => {
        const { ask, token } = await acme(service());
        const same = await token();
        const jti = unique('jti');
        const ofOneId = await Promise.all(Array.from({ length: 20 }, () => token({ jti })));
        for (const tokens of [Array.from({ length: 20 }, () => same), ofOneId]) {
          const answers = await Promise.all(tokens.map((owner_jwt) => ask('POST /v1/cli/pair', { owner_jwt })));
          expect(answers.filter(({ status }) => status === 201)).lengthOf(1);
          expect(answers.filter(({ json }) => json['code'] === 'owner_jwt_invalid')).lengthOf(19);
        }
      });

      it('owner_jwt_invalid: a request that was refused for another reason does not use the token up', async () => {
        const { ask, token } = await acme(service());
        const owner_jwt = await token();
        expect((await ask('POST /v1/cli/pair', { owner_jwt, role: 'owner' })).status).equals(422);
        expect((await ask('POST /v1/cli/pair', { owner_jwt })).status).equals(201);
      });
    });

    describe('403', () => {
      it('owner_role_required: a good token whose role or subject is no owner of the organization here', async () => {
        const one = await acme(service());
        const subject = unique('u');
        const { member } = await service().createKey(one.organization.slug, 'admin', null, 'bob');
        await service().stores.relational.tenant(one.organization.id, ({ members }) =>
          members.setSubject(member.id, subject),
        );
        const elsewhere = await acme(service());
        const claims = [
          { role: 'admin' },
          { role: 'Owner' },
          { role: undefined },
          { role: ['owner'] },
          { sub: subject },
          { sub: 'nobody' },
          { organization: elsewhere.organization.slug },
          { organization: 'no-such' },
          { organization: 'org_none' },
          { organization: undefined },
          { organization: `${one.organization.slug}\0` },
        ];
        for (const each of claims) {
          const { status, json, headers } = await one.pair({}, each);
          expect([each, status, json['code']]).deep.equals([each, 403, 'owner_role_required']);
          expect(json['docs_url']).equals(`${docs}/authentication`);
          expect(headers['cache-control']).equals('no-store');
        }
      });

      it('owner_role_required: who was an owner once', async () => {
        const { pair, organization, member } = await acme(service());
        await service().stores.relational.tenant(organization.id, ({ members }) => members.setRole(member.id, 'admin'));
        expect((await pair()).status).equals(403);
      });
    });

    describe('422', () => {
      for (const [fields, code] of [
        [{ role: 'owner' }, 'not_in_enum'],
        [{ role: 'service' }, 'not_in_enum'],
        [{ device_name: '' }, 'pattern'],
        [{ device_name: 'x'.repeat(65) }, 'pattern'],
        [{ device_name: 'a\0b' }, 'pattern'],
        [{ device_name: 7 }, 'wrong_type'],
        [{ organization_id: 'org_other' }, 'unknown'],
      ] as const)
        it(JSON.stringify(fields), async () => {
          const { status, json } = await (await acme(service())).pair(fields);
          const [error] = json['errors'] as unknown as { code: string }[];
          expect([status, error?.code]).deep.equals([422, code]);
        });
    });
  },
  sameStores,
  withProvider,
);

describeService(
  'POST /v1/cli/pair/exchange',
  (service) => {
    describe('201', () => {
      it('gives a key for 90 days, in the role asked for, that answers for who let it in', async () => {
        const { pair, exchange, organization, member, ask, audit } = await acme(service());
        const pairing = (await pair({ device_name: 'anna-laptop' })).json;
        const client = { name: 'repo-intel', version: '0.1.0', platform: 'linux-x64' };
        const { status, headers, json } = await exchange(pairing['pairing_code'], { client });
        expect(status).equals(201);
        expect(headers['cache-control']).equals('no-store');
        const { id, api_key = '', api_key_id, expires_at, ...rest } = json;
        expect(rest).deep.equals({
          object: 'cli_session',
          role: 'member',
          organization: { id: organization.id, slug: organization.slug },
        });
        expect((Date.parse(expires_at ?? '') - Date.now()) / 86_400_000).within(89.99, 90);
        const root = (await ask('GET /', undefined, api_key)).json as Record<string, unknown>;
        expect(root['member']).deep.equals({ id: member.id, role: 'member' });
        expect(root['api_key']).deep.includes({ id: api_key_id, expires_at });
        expect((await ask('POST /v1/api-keys', { member: 'eve' }, api_key)).status).equals(403);

        const log = await audit();
        const actions = log.map(({ action, subject }) => [action, subject]);
        expect(actions.slice(1)).deep.equals([
          ['cli_pairing.created', pairing['id']],
          ['api_key.created', api_key_id],
          ['cli_pairing.claimed', pairing['id']],
        ]);
        expect(log.at(-1)?.details).deep.equals({ session_id: id, api_key_id });
        expect(JSON.stringify(log)).not.includes(pairing['pairing_code'] ?? '');
      });

      it('whatever the case, the dashes and the spaces of the code', async () => {
        const { pair, exchange } = await acme(service());
        for (const change of [
          (code: string) => code.toLowerCase(),
          (code: string) => code.replaceAll('-', ''),
          (code: string) => ` ${code.replaceAll('-', ' - ')} `,
        ]) {
          const { pairing_code = '' } = (await pair()).json;
          expect((await exchange(change(pairing_code))).status).equals(201);
        }
      });

      it('for one of fifty at once', async () => {
        const { pair, exchange } = await acme(service());
        const { pairing_code } = (await pair()).json;
        const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(pairing_code)));
        expect(answers.filter(({ status }) => status === 201)).lengthOf(1);
        expect(answers.filter(({ json }) => json['code'] === 'invalid_pairing_code')).lengthOf(49);
      });

      it('for the right secret after four wrong ones', async () => {
        const { pair, exchange } = await acme(service());
        const { pairing_code = '' } = (await pair()).json;
        for (let i = 0; i < 4; i += 1) expect((await exchange(wrongSecret(pairing_code))).status).equals(400);
        expect((await exchange(pairing_code)).status).equals(201);
      });

      it('never with more than the owner may do by now', async () => {
        const { pair, exchange, organization, member } = await acme(service());
        const { pairing_code } = (await pair({ role: 'admin' })).json;
        await service().stores.relational.tenant(organization.id, ({ members }) =>
          members.setRole(member.id, 'viewer' satisfies Role),
        );
        expect((await exchange(pairing_code)).json['role']).equals('viewer');
      });
    });

    describe('400', () => {
      it('invalid_pairing_code: the same answer in the same time for every reason', async () => {
        const { pair, exchange, ask, ownerKey, organization } = await acme(service());
        const code = async () => {
          const { id = '', pairing_code = '' } = (await pair()).json;
          return { id, pairing_code };
        };
        const used = await code();
        await exchange(used.pairing_code);
        const revoked = await code();
        await ask(`DELETE /v1/cli/pair/${revoked.id}`, undefined, ownerKey);
        const open = await code();
        const unknown = 'XXXX-XXXX-XXXX';
        const codes = {
          unknown,
          nonsense: 'hello',
          'of other letters': 'AEIO-UAEI-OUAE',
          'with a NUL': 'BBBB\0BBBBBBBB',
          used: used.pairing_code,
          revoked: revoked.pairing_code,
          wrong: wrongSecret(open.pairing_code),
        };
        const bodies = new Set<string>();
        for (const [which, each] of Object.entries(codes)) {
          const began = performance.now();
          const { status, json } = await exchange(each);
          expect([which, status]).deep.equals([which, 400]);
          expect(performance.now() - began, which).greaterThan(245);
          bodies.add(JSON.stringify({ ...json, request_id: '' }));
        }
        expect(bodies.size).equals(1);
        expect([...bodies][0])
          .includes('"code":"invalid_pairing_code"')
          .and.not.includes(organization.slug);
      });

      it('invalid_pairing_code: the right secret after five wrong ones, which revoke the pairing', async () => {
        const { pair, exchange, ask, ownerKey, audit } = await acme(service());
        const { id, pairing_code = '' } = (await pair()).json;
        for (let i = 0; i < 5; i += 1) expect((await exchange(wrongSecret(pairing_code))).status).equals(400);
        expect((await exchange(pairing_code)).status).equals(400);
        expect((await ask(`GET /v1/cli/pair/${id}`, undefined, ownerKey)).json['status']).equals('revoked');
        expect((await audit()).at(-1)).deep.includes({ action: 'cli_pairing.revoked', subject: id, member_id: null });
      });

      it('invalid_pairing_code: of a hundred guesses at once no more than five are compared', async () => {
        const { pair, exchange } = await acme(service());
        const { pairing_code = '' } = (await pair()).json;
        const guesses = Array.from({ length: 99 }, () => exchange(wrongSecret(pairing_code)));
        expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).deep.equals(new Set([400]));
        expect((await exchange(pairing_code)).status).equals(400);
      });
    });

    describe('413 and 422', () => {
      it('more than 4 KiB', async () => {
        const { exchange } = await acme(service());
        expect((await exchange('x'.repeat(4_096))).status).equals(413);
      });

      for (const body of [
        {},
        { pairing_code: 7 },
        { pairing_code: '' },
        { pairing_code: 'BBBB-BBBB-BBBB', client: { name: 'x' } },
        { pairing_code: 'BBBB-BBBB-BBBB', client: { name: 'x', version: '1', platform: 'a\0' } },
        { pairing_code: 'BBBB-BBBB-BBBB', role: 'owner' },
      ])
        it(JSON.stringify(body), async () => {
          const { ask } = await acme(service());
          expect((await ask('POST /v1/cli/pair/exchange', body)).status).equals(422);
        });
    });
  },
  sameStores,
  withProvider,
);

describeService(
  'GET and DELETE /v1/cli/pair/{id}',
  (service) => {
    it('200: what became of it, and never the code', async () => {
      const { pair, exchange, ask, ownerKey } = await acme(service());
      const { pairing_code, exchange_url: _, expires_in: __, ...pairing } = (await pair()).json;
      const path = `/v1/cli/pair/${pairing['id']}`;
      const { status, headers, json } = await ask(`GET ${path}`, undefined, ownerKey);
      expect([status, headers['cache-control']]).deep.equals([200, 'no-store']);
      expect(json).deep.equals(pairing);
      await exchange(pairing_code);
      expect((await ask(`GET ${path}`, undefined, ownerKey)).json['status']).equals('claimed');
    });

    it('204: nobody can exchange the code any more; once more changes nothing', async () => {
      const { pair, ask, ownerKey, audit } = await acme(service());
      const { id } = (await pair()).json;
      for (let i = 0; i < 2; i += 1)
        expect((await ask(`DELETE /v1/cli/pair/${id}`, undefined, ownerKey)).status).equals(204);
      expect((await ask(`GET /v1/cli/pair/${id}`, undefined, ownerKey)).json['status']).equals('revoked');
      expect((await audit()).filter(({ action }) => action === 'cli_pairing.revoked')).lengthOf(1);
    });

    it('403 for members, 404 for another organization and for what is not there, alike', async () => {
      const { pair, exchange, ask, ownerKey } = await acme(service());
      const { id, pairing_code } = (await pair()).json;
      const stranger = await acme(service());
      const cli = (await exchange(pairing_code)).json['api_key'];
      for (const method of ['GET', 'DELETE']) {
        const forMember = await ask(`${method} /v1/cli/pair/${id}`, undefined, cli);
        expect([forMember.status, forMember.json['code']]).deep.equals([403, 'insufficient_role']);
        const foreign = await ask(`${method} /v1/cli/pair/${id}`, undefined, stranger.ownerKey);
        const absent = await ask(`${method} /v1/cli/pair/pair_x`, undefined, ownerKey);
        for (const { status, json } of [foreign, absent])
          expect([status, json['code']]).deep.equals([404, 'pairing_not_found']);
      }
    });
  },
  sameStores,
  withProvider,
);

describeService(
  'pairing while the identity provider is away',
  (service) => {
    it('503: who asks cannot be told yet; to try again', async () => {
      const { pair } = await acme(service());
      const { status, headers, json } = await pair();
      expect([status, json['code'], json['dependency'], headers['retry-after']]).deep.equals([
        503,
        'dependency_unavailable',
        'identity_provider',
        '30',
      ]);
    });
  },
  sameStores,
  // Nobody listens at port 1.
  () => ({ ownerProof: { issuer, audience, jwksUrl: 'http://127.0.0.1:1/jwks' } }),
);

describeService('pairing where no identity provider is set', (service) => {
  it('401: there is nobody whose token would be taken', async () => {
    const { status, json } = await (await acme(service())).pair();
    expect([status, json['code']]).deep.equals([401, 'owner_jwt_invalid']);
  });
});

describeService(
  'pairing: quotas',
  (service) => {
    it('429: the eleventh code of an owner in an hour, and nobody else’s first', async () => {
      const one = await acme(service());
      for (let i = 0; i < 10; i += 1) expect((await one.pair()).status).equals(201);
      const { status, headers, json } = await one.pair();
      expect([status, json['code'], json['violated-policies']]).deep.equals([429, 'rate_limited', ['pair']]);
      expect(Number(headers['retry-after'])).within(3_500, 3_600);
      expect((await (await acme(service())).pair()).status).equals(201);
    });

    it('who sends a token again and again uses up nothing of its owner’s', async () => {
      const { ask, token, pair } = await acme(service());
      const owner_jwt = await token();
      expect((await ask('POST /v1/cli/pair', { owner_jwt })).status).equals(201);
      for (let i = 0; i < 12; i += 1) expect((await ask('POST /v1/cli/pair', { owner_jwt })).status).equals(401);
      expect((await pair()).status).equals(201);
    });

    it('429: the eleventh wrong code of an address in ten minutes, the right one too; right ones are not counted', async () => {
      const { pair, exchange } = await acme(service());
      for (let i = 0; i < 5; i += 1) expect((await exchange((await pair()).json['pairing_code'])).status).equals(201);
      const answers = await Promise.all(Array.from({ length: 12 }, () => exchange('BBBB-BBBB-BBBB')));
      expect(answers.filter(({ status }) => status === 400)).lengthOf(10);
      expect(answers.filter(({ status }) => status === 429)).lengthOf(2);
      const { status, json } = await exchange((await pair()).json['pairing_code']);
      expect([status, json['violated-policies']]).deep.equals([429, ['pair_exchange']]);
    });
  },
  sameStores,
  () => ({
    ...withProvider(),
    trustedProxies: 1,
    quotas: readQuotas('*=1000000/60,pair=10/3600,pair_exchange=10/600'),
  }),
);

describe('pairing: alarm', () => {
  const relational = temporaryPglite();

  it('somebody is told of a hundred wrong codes in ten minutes, from wherever they come, once', async () => {
    const alarms: string[] = [];
    const quota = { name: 'none', requests: 1_000, window_seconds: 60 };
    const routes = pairingRoutes({
      relational: relational(),
      ephemeral: { limiter: memoryLimiter },
      pepper: 'of tests',
      baseUrl: 'https://ris.example',
      quotas: { pair: quota, pair_exchange: quota },
      ownerProof: 'api_key',
      alarm: (message) => alarms.push(message),
    });
    const kernel = await startKernel(routes);
    const wrong = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          kernel.send('/v1/cli/pair/exchange', {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{"pairing_code":"BBBB-BBBB-BBBB"}',
          }),
        ),
      );
    await wrong(99);
    expect(alarms).deep.equals([]);
    await wrong(20);
    expect(alarms).deep.equals(['100 wrong pairing codes in 600 s.']);
    await kernel.close();
  });
});

describeService(
  'pairing with an API key, where there is no identity provider',
  (service) => {
    it('201 for an owner’s key, 403 for another’s, 401 without', async () => {
      const { ask, exchange, ownerKey, organization } = await acme(service());
      const asked = await ask('POST /v1/cli/pair', { device_name: 'x' }, ownerKey);
      expect([asked.status, asked.json['organization_id']]).deep.equals([201, organization.id]);
      expect((await exchange(asked.json['pairing_code'])).status).equals(201);
      const { api_key } = await service().createKey(organization.slug, 'admin', null, 'bob');
      expect((await ask('POST /v1/cli/pair', {}, api_key)).status).equals(403);
      expect((await ask('POST /v1/cli/pair', {})).status).equals(401);
      expect((await ask('POST /v1/cli/pair', { owner_jwt: 'x' }, ownerKey)).status).equals(422);
    });
  },
  sameStores,
  () => ({ ownerProof: 'api_key' }),
);
