import { expect } from 'chai';
import fc from 'fast-check';
import { digestApiKey, generateApiKey, parseApiKey } from '../../src/auth/api-key.ts';
import { keyDigester } from '../../src/auth/pepper.ts';
import { withCpuTime } from '../support/cpu-time.ts';

describe('api keys', () => {
  // API_KEYS=1000000 for a million: ten times the time and the memory.
  const count = Number(process.env['API_KEYS'] ?? 100_000);
  const made = Array.from({ length: count }, (_, index) => generateApiKey(index % 2 ? 'live' : 'test'));

  it('have the documented form, a valid checksum, and never repeat', () => {
    for (const key of made) {
      expect(/^ris_(live|test)_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/.test(key)).to.equal(true);
      expect(parseApiKey(key)?.prefix).to.equal(key.slice(0, 13));
    }
    expect(new Set(made).size).to.equal(made.length);
    expect(parseApiKey(made[1] ?? '')?.environment).to.equal('live');
    expect(parseApiKey(made[0] ?? '')?.environment).to.equal('test');
  });

  it('use each character of the alphabet equally often', () => {
    const counts = new Map<string, number>();
    for (const key of made) for (const letter of key.slice(9, 41)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).to.equal(62);
    const expected = (made.length * 32) / 62;
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 61 degrees of freedom: a fair alphabet exceeds 130 less than once in a million runs.
    expect(chiSquare).to.be.below(130);
  });

  it('are told from a key with any one character changed, left out or added', () => {
    const key = generateApiKey('live');
    const letters = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 });
    fc.assert(
      fc.property(fc.nat(key.length - 1), letters, (at, letter) => {
        const changed = key.slice(0, at) + letter + key.slice(at + 1);
        if (changed !== key) expect(parseApiKey(changed)).to.equal(null);
        expect(parseApiKey(key.slice(0, at) + key.slice(at + 1))).to.equal(null);
        expect(parseApiKey(key.slice(0, at) + letter + key.slice(at))).to.equal(null);
      }),
      { numRuns: 2000 },
    );
  });

  it('cost less than a millisecond to refuse, and less than one to look for', async () => {
    const wrong = made.slice(0, 5_000).map((key) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`);
    const digest = keyDigester('p'.repeat(32));
    const refusing = await withCpuTime(() => wrong.map((key) => parseApiKey(key)));
    expect(refusing.ms / wrong.length).to.be.below(1);
    const digesting = await withCpuTime(() => wrong.map((key) => digest(key)));
    expect(digesting.ms / wrong.length).to.be.below(1);
  });

  it('are never found in arbitrary text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => parseApiKey(text) === null));
    expect(parseApiKey(`${generateApiKey('live')}\n`)).to.equal(null);
  });

  it('have a digest of 32 bytes that depends on key and pepper', () => {
    const [first, second] = [generateApiKey('live'), generateApiKey('live')];
    const digest = Buffer.from(digestApiKey(first, 'pepper')).toString('hex');
    expect(digest).to.have.lengthOf(64);
    expect(Buffer.from(digestApiKey(first, 'pepper')).toString('hex')).to.equal(digest);
    expect(Buffer.from(digestApiKey(second, 'pepper')).toString('hex')).to.not.equal(digest);
    expect(Buffer.from(digestApiKey(first, 'other')).toString('hex')).to.not.equal(digest);
  });

  it('are digested by HMAC-SHA-256, as RFC 4231 has it', () => {
    expect(Buffer.from(digestApiKey('what do ya want for nothing?', 'Jefe')).toString('hex')).to.equal(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});
