import { expect } from 'chai';
import fc from 'fast-check';
import { isSignedBy } from '../../src/auth/webhook-signature.ts';
import { signStandard, signStripe, webhookSigners } from '../support/webhooks.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const { provider, stripe } = webhookSigners;

describe('webhook signatures', () => {
  it('the vector that Standard Webhooks prints', () => {
    const signer = { scheme: 'standard', secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] } as const;
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const at = (body: string) => isSignedBy(signer, { headers, body: Buffer.from(body), now: 1_614_265_330_000 });
    expect(at('{"test": 2432232314}')).equals(true);
    expect(at('{"test":2432232314}')).equals(false);
  });

  for (const [name, signer, sign] of [
    ['standard', provider, (body: string, options: object) => signStandard('msg_1', body, options)],
    ['stripe', stripe, signStripe],
  ] as const) {
    describe(`as ${name}`, () => {
      const at = new Date(now);
      const verify = (body: Uint8Array | string, headers: Record<string, string>, when = now) =>
        isSignedBy(signer, { headers, body: Buffer.from(body), now: when });

      it('takes what the library of the scheme has signed, whatever it is', () => {
        fc.assert(
          fc.property(fc.string({ unit: 'grapheme' }), (body) => verify(body, sign(body, { at }))),
          { numRuns: 200 },
        );
      });

      it('takes nothing that differs by a bit, in the body or in the headers', () => {
        const body = '{"type":"x"}';
        const headers = sign(body, { at });
        fc.assert(
          fc.property(fc.nat(Buffer.byteLength(body) * 8 - 1), (bit) => {
            const bytes = Buffer.from(body);
            bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
            return !verify(bytes, headers);
          }),
        );
        for (const [header, value] of Object.entries(headers)) {
          for (let index = 0; index < value.length; index += 1) {
            const other = value[index] === '1' ? '2' : '1';
            const changed = value.slice(0, index) + other + value.slice(index + 1);
            expect(verify(body, { ...headers, [header]: changed }), `${header}: ${changed}`).equals(false);
          }
          const { [header]: _, ...rest } = headers;
          expect(verify(body, rest)).equals(false);
        }
      });

      it('takes bytes that are no text as they are', () => {
        // Both are U+FFFD to who reads them as UTF-8.
        const headers = sign('\uFFFD', { at });
        expect(verify('\uFFFD', headers)).equals(true);
        expect(verify(Buffer.from([0xff]), headers)).equals(false);
      });

      it('is good for 300 s, by a clock that goes wrong either way', () => {
        const headers = sign('{}', { at });
        expect([-301, -300, 0, 300, 301].map((seconds) => verify('{}', headers, now + seconds * 1_000))).deep.equals([
          false,
          true,
          true,
          true,
          false,
        ]);
      });

      it('takes each secret that is in force, and no other', () => {
        const [first, second] = signer.secrets;
        expect(verify('{}', sign('{}', { at, secret: second }))).equals(true);
        const headers = sign('{}', { at, secret: first });
        expect(isSignedBy({ ...signer, secrets: [second] }, { headers, body: Buffer.from('{}'), now })).equals(false);
        expect(isSignedBy({ ...signer, secrets: [] }, { headers, body: Buffer.from('{}'), now })).equals(false);
      });
    });
  }

  it('one of several signatures is enough; other versions count for nothing', () => {
    const body = Buffer.from('{}');
    const standard = signStandard('msg_1', '{}', { at: new Date(now) });
    const signature = standard['webhook-signature'] ?? '';
    const takesStandard = (given: string) =>
      isSignedBy(provider, { headers: { ...standard, 'webhook-signature': given }, body, now });
    expect(takesStandard(`v1,AAAA v1a,BBBB ${signature} v1,`)).equals(true);
    expect(takesStandard(signature.replace('v1,', 'v2,'))).equals(false);
    expect(takesStandard(signature.replace('v1,', 'v1a,'))).equals(false);
    expect(takesStandard(signature.slice(3))).equals(false);

    const header = signStripe('{}', { at: new Date(now) })['stripe-signature'] ?? '';
    const takesStripe = (given: string) => isSignedBy(stripe, { headers: { 'stripe-signature': given }, body, now });
    expect(takesStripe(header.replace('v1=', 'v1=00,v0=11,v1='))).equals(true);
    expect(takesStripe(header.replace('v1=', 'v0='))).equals(false);
    expect(takesStripe(header.replace('v1=', 'v2='))).equals(false);
    expect(takesStripe(`t=1,${header}`)).equals(false);
  });

  it('a time is digits and nothing else', () => {
    const seconds = now / 1_000;
    const body = Buffer.from('{}');
    for (const odd of [
      `${seconds}abc`,
      `${seconds}.0`,
      `+${seconds}`,
      ` ${seconds}`,
      `0x${seconds.toString(16)}`,
      '1e9',
      '',
    ]) {
      const headers = { ...signStandard('msg_1', '{}', { at: new Date(now) }), 'webhook-timestamp': odd };
      expect(isSignedBy(provider, { headers, body, now }), odd).equals(false);
    }
  });

  it('no dot in an id, so that nobody can say where the body begins', () => {
    const inner = `{"text":".${now / 1_000}.{}"}`;
    const headers = signStandard('msg_1', inner, { at: new Date(now) });
    const [before, after] = inner.split(`.${now / 1_000}.`);
    expect(
      isSignedBy(provider, {
        headers: { ...headers, 'webhook-id': `msg_1.${now / 1_000}.${before}` },
        body: Buffer.from(after ?? ''),
        now,
      }),
    ).equals(false);
  });
});
