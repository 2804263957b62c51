import { expect } from 'chai';
import { ConfigError, readConfig } from '../../src/config.ts';

describe('RATE_LIMITS', () => {
  const quotas = (RATE_LIMITS?: string) => readConfig(RATE_LIMITS === undefined ? {} : { RATE_LIMITS }).quotas;

  it('unset, the quotas are those of the beta', () => {
    const { default: all, burst, search, pair } = quotas();
    expect([all, burst, search, pair].map(({ requests, window_seconds }) => [requests, window_seconds])).deep.equals([
      [600, 60],
      [100, 1],
      [120, 60],
      [10, 3600],
    ]);
  });

  it('changes those that it names, and leaves the others', () => {
    const changed = quotas('default=6000/60,search=7/30');
    expect(changed.default).deep.equals({ name: 'default', requests: 6000, window_seconds: 60 });
    expect(changed.search).deep.equals({ name: 'search', requests: 7, window_seconds: 30 });
    expect(changed.burst).deep.equals(quotas().burst);
  });

  it('changes all with *, and what comes later stands', () => {
    const changed = quotas('*=1000000/60,pair=1/2');
    expect(changed.auth_lookup).deep.equals({ name: 'auth_lookup', requests: 1_000_000, window_seconds: 60 });
    expect(changed.pair).deep.equals({ name: 'pair', requests: 1, window_seconds: 2 });
  });

  for (const wrong of ['nothing=1/1', 'default=0/60', 'default=10', 'default=10/60;search=1/1', 'default = 1/1', 'x'])
    it(`refuses ${wrong}, and says what it takes`, () => {
      expect(() => quotas(wrong)).throws(ConfigError, /RATE_LIMITS must be like default=6000\/60,search=1200\/60/);
    });
});
