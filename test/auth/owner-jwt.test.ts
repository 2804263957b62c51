import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { base64url, createLocalJWKSet, decodeProtectedHeader, errors, exportJWK, generateKeyPair } from 'jose';
import type { JSONWebKeySet, JWK } from 'jose';
import { createOwnerJwtVerifier, OwnerJwtInvalid } from '../../src/auth/owner-jwt.ts';
import { coolDownMs, IdentityProviderUnavailable, remoteKeys } from '../../src/auth/remote-keys.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/git-repository.ts';
import { audience, issuer, startIdentityProvider } from '../support/identity-provider.ts';
import type { IdentityProvider } from '../support/identity-provider.ts';
import { fetchOrSkip } from '../support/packages.ts';

let provider: IdentityProvider;
const newVerifier = () => createOwnerJwtVerifier({ issuer, audience, keys: remoteKeys(provider.jwksUrl) });
const seconds = () => Math.floor(Date.now() / 1000);

/** Why the token is refused; null when it is not. */
async function refusal(verify: ReturnType<typeof newVerifier>, token: string): Promise<unknown> {
  try {
    await verify(token);
    return null;
  } catch (error) {
    if (error instanceof OwnerJwtInvalid) return error.cause ?? error;
    throw error;
  }
}

describe('owner JWT', () => {
  let verify: ReturnType<typeof newVerifier>;
  before(async () => {
    provider = await startIdentityProvider();
    verify = newVerifier();
  });
  after(() => provider.close());

  it('says who speaks, for which organization, in which role, and until when the token must be remembered', async () => {
    const now = seconds();
    const token = await provider.token({ jti: 'token-1', iat: now - 20, exp: now + 60 });
    expect(await verify(token)).to.deep.equal({
      subject: 'u_1',
      organization: 'acme',
      role: 'owner',
      digest: createHash('sha256').update('token-1').digest(),
      expires_at: new Date((now + 120) * 1000).toISOString(),
    });
    const long = await verify(await provider.token({ iat: now, exp: 1e15 }));
    expect(long.expires_at).to.equal(new Date((now + 660) * 1000).toISOString());
  });

  for (const alg of ['RS256', 'EdDSA', 'ES256'] as const)
    it(`takes a key of ${alg}`, async () => {
      const other = await startIdentityProvider();
      const { kid, key } = await other.addKey(alg);
      const keys = remoteKeys(other.jwksUrl);
      const claims = await createOwnerJwtVerifier({ issuer, audience, keys })(await other.token({}, { alg, kid }, key));
      expect(claims.subject).to.equal('u_1');
      await other.close();
    });

  it('takes clocks that differ by less than 30 s', async () => {
    const now = seconds();
    for (const claims of [{ exp: now - 28 }, { nbf: now + 28 }, { iat: now + 28 }, { iat: now - 628, exp: now + 60 }])
      expect(await refusal(verify, await provider.token(claims)), JSON.stringify(claims)).to.equal(null);
  });

  it('knows a role or an organization only where the token names one', async () => {
    for (const claims of [
      { role: undefined, organization: undefined },
      { role: ['owner'], organization: { id: 'acme' } },
      { role: null, organization: 'a\0b' },
    ])
      expect(await verify(await provider.token(claims))).to.include({ role: null, organization: null });
  });

  const wrongClaims: [string, (now: number) => Record<string, unknown>][] = [
    ['of another issuer', () => ({ iss: 'https://id.example.evil' })],
    ['without an issuer', () => ({ iss: undefined })],
    ['for another audience', () => ({ aud: 'https://other.example' })],
    ['without an audience', () => ({ aud: undefined })],
    ['that expired 31 s ago', (now) => ({ exp: now - 31 })],
    ['without an expiry', () => ({ exp: undefined })],
    ['with an expiry that is text', () => ({ exp: '2999-01-01' })],
    ['that is not valid yet', (now) => ({ nbf: now + 40 })],
    ['issued in the future', (now) => ({ iat: now + 40 })],
    ['issued more than ten minutes ago', (now) => ({ iat: now - 640 })],
    ['that does not say when it was issued', () => ({ iat: undefined })],
    ['of no subject', () => ({ sub: undefined })],
    ['of an empty subject', () => ({ sub: '' })],
    ['of a subject that no database can hold', () => ({ sub: 'u\0' })],
    ['of an endless subject', () => ({ sub: 'u'.repeat(256) })],
    ['without an id', () => ({ jti: undefined })],
    ['with an empty id', () => ({ jti: '' })],
    ['with an id that is no text', () => ({ jti: 7 })],
  ];
  for (const [which, claims] of wrongClaims)
    it(`refuses a token ${which}`, async () => {
      expect(await refusal(verify, await provider.token(claims(seconds())))).to.be.an('error');
    });

  describe('refuses a token that brings its own trust', () => {
    let theirs: Awaited<ReturnType<typeof generateKeyPair>>;
    let jwk: JWK;
    before(async () => {
      theirs = await generateKeyPair('ES256');
      jwk = await exportJWK(theirs.publicKey);
    });

    it('signed by another key under a known kid', async () => {
      expect(await refusal(verify, await provider.token({}, {}, theirs.privateKey))).to.be.instanceOf(
        errors.JWSSignatureVerificationFailed,
      );
    });

    it('of an unknown kid, and of none', async () => {
      const token = (kid?: string) => provider.token({}, { kid }, theirs.privateKey);
      expect(await refusal(verify, await token('unknown'))).to.be.instanceOf(errors.JWKSNoMatchingKey);
      expect(await refusal(verify, await token())).to.have.property('message', 'The header names no key.');
      expect(await refusal(verify, await provider.token({}, { kid: undefined }))).to.be.an('error');
    });

    for (const field of ['jku', 'x5u', 'jwk', 'x5c'])
      it(`with ${field}, even from the identity provider`, async () => {
        const value = { jku: 'https://evil.example/jwks', x5u: 'https://evil.example/x', jwk, x5c: ['MIIB'] }[field];
        for (const key of [theirs.privateKey, undefined])
          expect(await refusal(verify, await provider.token({}, { [field]: value }, key))).to.have.property(
            'message',
            `The header has ${field}.`,
          );
      });

    it('with crit', async () => {
      const [, payload, signature] = (await provider.token()).split('.');
      const { kid } = decodeProtectedHeader(await provider.token());
      const header = base64url.encode(JSON.stringify({ alg: 'ES256', kid, typ: 'JWT', crit: ['exp'], exp: 1 }));
      expect(await refusal(verify, `${header}.${payload}.${signature}`)).to.be.an('error');
    });

    it('not signed at all: alg none', async () => {
      const { kid } = decodeProtectedHeader(await provider.token());
      const [, payload, signature] = (await provider.token()).split('.');
      for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null]) {
        const header = base64url.encode(JSON.stringify({ alg, kid, typ: 'JWT' }));
        for (const token of [`${header}.${payload}.`, `${header}.${payload}.${signature}`, `${header}.${payload}`])
          expect(await refusal(verify, token)).to.be.an('error');
      }
    });

    it('signed by HMAC with the public key as its secret', async () => {
      const rsa = await provider.addKey('RS256');
      const published = provider.keys.find(({ kid }) => kid === rsa.kid);
      for (const secret of [JSON.stringify(published), published?.n ?? '', JSON.stringify({ keys: provider.keys })])
        for (const kid of [rsa.kid, undefined])
          expect(
            await refusal(verify, await provider.token({}, { alg: 'HS256', kid }, Buffer.from(secret))),
          ).to.be.instanceOf(errors.JOSEAlgNotAllowed);
    });

    it('of an algorithm that is not ours, though the identity provider has a key for it', async () => {
      const es384 = await generateKeyPair('ES384');
      provider.keys.push({ ...(await exportJWK(es384.publicKey)), kid: 'es384' });
      const token = await provider.token({}, { alg: 'ES384', kid: 'es384' }, es384.privateKey);
      expect(await refusal(newVerifier(), token)).to.be.instanceOf(errors.JOSEAlgNotAllowed);
    });

    it('of another type: made for something else', async () => {
      for (const typ of ['at+jwt', 'logout+jwt', undefined])
        expect(await refusal(verify, await provider.token({}, { typ }))).to.be.an('error');
    });
  });

  it('refuses what is not three parts of base64url, and more than 8 KiB, before anything decodes it', async () => {
    const good = await provider.token();
    const [header = '', payload = '', signature = ''] = good.split('.');
    const asked = provider.asked();
    const malformed = [
      '',
      'a.b',
      `${good}.`,
      `${good}.${signature}`,
      `${good}=`,
      `${good} `,
      `${good}\n`,
      ` ${good}`,
      `${header}..${signature}`,
      `${header}.${payload}=.${signature}`,
      `${header}.${payload} .${signature}`,
      good.replaceAll('-', '+').replaceAll('_', '/').replace('.', '+.'),
      JSON.stringify({ payload, protected: header, signature }),
      `${header}.${'A'.repeat(8 * 1024)}.${signature}`,
      'a'.repeat(100 * 1024),
    ];
    for (const token of malformed)
      expect(await refusal(verify, token), token.slice(0, 80)).to.have.property('message', 'The token is malformed.');
    expect(provider.asked()).to.equal(asked);
    expect(await refusal(verify, await provider.token({ filler: 'x'.repeat(7_000) }))).to.be.an('error');
    expect(await refusal(verify, await provider.token({ filler: 'x'.repeat(5_000) }))).to.equal(null);
  });

  describe('keys of the identity provider', () => {
    const realNow = Date.now;
    let aheadMs = 0;
    beforeEach(() => {
      aheadMs = 0;
      Date.now = () => realNow() + aheadMs;
    });
    afterEach(() => {
      Date.now = realNow;
      provider.answer(null);
    });
    /** Of a token whose times are now, whatever the clock of the keys says. */
    const tokenNow = async (...parameters: Parameters<IdentityProvider['token']>) => {
      const ahead = aheadMs;
      aheadMs = 0;
      const token = await provider.token(...parameters);
      aheadMs = ahead;
      return token;
    };
    const away: Record<string, Parameters<IdentityProvider['answer']>[0]> = {
      'answers 503': (response) => response.writeHead(503).end(),
      'drops connections': (response) => response.destroy(),
      'answers nonsense': (response) => response.end('<html>'),
      'has no key list': (response) => response.end('{"keys": 1}'),
      'leads elsewhere': (response) => response.writeHead(302, { location: provider.jwksUrl.href }).end(),
    };

    it('are asked for once, however many tokens come, and for unknown kids once in 30 s', async () => {
      const verify = newVerifier();
      const { privateKey } = await generateKeyPair('ES256');
      const before = provider.asked();
      await Promise.all(Array.from({ length: 20 }, async () => verify(await provider.token())));
      expect(provider.asked() - before).to.equal(1);
      const unknown = await provider.token({}, { kid: 'unknown' }, privateKey);
      const guesses = async () => {
        for (let i = 0; i < 500; i += 1)
          expect(await refusal(verify, unknown)).to.be.instanceOf(errors.JWKSNoMatchingKey);
      };
      await guesses();
      expect(provider.asked() - before).to.equal(1);
      aheadMs = coolDownMs + 1_000;
      await guesses();
      expect(provider.asked() - before).to.equal(2);
    });

    it('are found when they are new, 30 s after the last question', async () => {
      const verify = newVerifier();
      expect(await refusal(verify, await provider.token())).to.equal(null);
      const { alg, kid, key } = await provider.addKey('ES256');
      expect(await refusal(verify, await tokenNow({}, { alg, kid }, key))).to.be.an('error');
      aheadMs = coolDownMs + 1_000;
      expect(await refusal(verify, await tokenNow({}, { alg, kid }, key))).to.equal(null);
    });

    it('no longer count 10 min after they were withdrawn', async () => {
      const verify = newVerifier();
      const { alg, kid, key } = await provider.addKey('ES256');
      expect(await refusal(verify, await provider.token({}, { alg, kid }, key))).to.equal(null);
      provider.keys.pop();
      aheadMs = 10 * 60_000 + 1_000;
      expect(await refusal(verify, await tokenNow({}, { alg, kid }, key))).to.be.instanceOf(errors.JWKSNoMatchingKey);
    });

    for (const [how, answer] of Object.entries(away)) {
      it(`count for 24 h after the last good answer, when the provider ${how}`, async () => {
        const verify = newVerifier();
        expect(await refusal(verify, await provider.token())).to.equal(null);
        provider.answer(answer);
        for (const hours of [1, 23]) {
          aheadMs = hours * 3_600_000;
          expect(await refusal(verify, await tokenNow())).to.equal(null);
        }
        aheadMs = 25 * 3_600_000;
        expect(await thrownBy(verify(await tokenNow()))).to.be.instanceOf(IdentityProviderUnavailable);
        provider.answer(null);
        aheadMs += coolDownMs + 1_000;
        expect(await refusal(verify, await tokenNow())).to.equal(null);
      });

      it(`are asked for once in 30 s, when the provider ${how} from the start`, async () => {
        const verify = newVerifier();
        provider.answer(answer);
        const before = provider.asked();
        for (let i = 0; i < 20; i += 1)
          expect(await thrownBy(verify(await provider.token()))).to.be.instanceOf(IdentityProviderUnavailable);
        expect(provider.asked() - before).to.equal(1);
      });
    }

    it('are waited for 3 s', async () => {
      provider.answer(() => {});
      // More than once on a machine that is busy with other things.
      await eventually(async () => {
        const verify = newVerifier();
        const token = await provider.token();
        const began = performance.now();
        expect(await thrownBy(verify(token))).to.be.instanceOf(IdentityProviderUnavailable);
        expect(performance.now() - began).to.be.within(2_900, 4_500);
      });
    });
  });

  describe('Wycheproof', () => {
    interface Group {
      public?: JWK | JSONWebKeySet;
      private: JWK | JSONWebKeySet;
      tests: { tcId: number; jws?: unknown; result: 'valid' | 'invalid' }[];
    }
    const algorithms = ['ES256', 'RS256', 'EdDSA'];
    // What the vectors say and the verifier does differ in these alone, beside algorithms that it refuses.
    const files: Record<string, { vectors: number; accepted: number; exceptions: Record<number, string> }> = {
      'json_web_signature_test.json': {
        vectors: 401,
        accepted: 9,
        exceptions: { 259: 'valid, but an empty payload is no set of claims' },
      },
      'json_web_crypto_test.json': {
        vectors: 48,
        accepted: 3,
        exceptions: { 46: 'a weak key (ROCA): keys are the identity provider’s, which is trusted' },
      },
    };
    let folder: string;
    before(function () {
      const fetched = temporaryFolder();
      // Vectors are Apache-2.0; they are read from the published module and not kept.
      const name = 'github.com/c2sp/wycheproof@v0.0.0-20260902155932-3fa63dd0344a';
      folder = join(fetchOrSkip(this, 'go', name, fetched), 'testvectors_v1');
    });
    after(async () => {
      if (folder) await rm(join(folder, '../..'), { recursive: true });
    });

    for (const [file, { vectors, accepted, exceptions }] of Object.entries(files))
      it(`${file}: agrees on every vector but those listed`, async () => {
        const { testGroups } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { testGroups: Group[] };
        const differ: number[] = [];
        let tried = 0;
        let taken = 0;
        for (const group of testGroups) {
          const published = group.public ?? group.private;
          const keys = createLocalJWKSet('keys' in published ? published : { keys: [published] });
          const verify = createOwnerJwtVerifier({ issuer, audience, keys });
          for (const { tcId, jws, result } of group.tests) {
            if (typeof jws !== 'string') continue;
            tried += 1;
            // The payloads are no claims, and that is looked at only when the signature is good.
            const isSigned = (await refusal(verify, jws)) instanceof errors.JWTInvalid;
            if (isSigned) taken += 1;
            if (isSigned !== (result === 'valid') && (isSigned || algorithms.includes(algorithmOf(jws))))
              differ.push(tcId);
          }
        }
        expect(differ).to.deep.equal(Object.keys(exceptions).map(Number));
        expect({ tried, taken }).to.deep.equal({ tried: vectors, taken: accepted });
      });
  });
});

function algorithmOf(jws: string): string {
  try {
    return String(decodeProtectedHeader(jws).alg);
  } catch {
    return 'unreadable';
  }
}

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
