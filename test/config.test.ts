import { expect } from 'chai';
import { ConfigError, readConfig } from '../src/config.ts';

describe('settings', () => {
  const random = 'rB2jV0Xk7uTQxLw9ZcYh3NfPdEa5MsGt';
  /** What is said of these settings; nothing, when they are valid. */
  const complaint = (environment: Record<string, string>): string => {
    try {
      readConfig(environment);
      return '';
    } catch (error) {
      expect(error).instanceOf(ConfigError);
      return (error as Error).message;
    }
  };

  it('connections of one address are limited, but for a proxy that is trusted or where it is said', () => {
    const limitOf = (environment: Record<string, string>) => readConfig(environment).maxConnectionsPerAddress;
    expect(limitOf({})).equals(1_024);
    expect(limitOf({ MAX_CONNECTIONS_PER_ADDRESS: '20' })).equals(20);
    expect(limitOf({ MAX_CONNECTIONS_PER_ADDRESS: '0' })).equals(undefined);
    expect(limitOf({ MAX_CONNECTIONS_PER_ADDRESS: '20', TRUSTED_PROXIES: '1' })).equals(undefined);
    expect(complaint({ MAX_CONNECTIONS_PER_ADDRESS: 'many' })).includes('MAX_CONNECTIONS_PER_ADDRESS must be a whole');
  });

  it('ALLOWED_HOSTS are names without ports', () => {
    expect(readConfig({}).allowedHosts).deep.equals([]);
    expect(readConfig({ ALLOWED_HOSTS: 'Ris.internal, other' }).allowedHosts).deep.equals(['ris.internal', 'other']);
    expect(complaint({ ALLOWED_HOSTS: 'https://ris.internal:80' })).includes('ALLOWED_HOSTS must be host names');
  });

  for (const name of ['API_KEY_PEPPER', 'API_KEY_PEPPER_PREVIOUS']) {
    it(`${name} has at least 32 characters, anywhere`, () => {
      expect(complaint({ [name]: random.slice(1) })).includes(`${name} must have at least 32 characters`);
      expect(complaint({ [name]: random })).equals('');
      expect(complaint({ [name]: '' })).equals('');
    });

    it(`${name} is no placeholder in production`, () => {
      const placeholders = [
        'x'.repeat(40),
        '0123'.repeat(16),
        'change-me-change-me-change-me-change-me',
        'a-default-that-was-left-in-the-file',
        'AN EXAMPLE, LONG ENOUGH TO BE ONE OF THEM',
        'my-super-secret-value-my-super-value',
      ];
      for (const value of placeholders) {
        const said = complaint({ [name]: value, NODE_ENV: 'production' });
        expect(said).includes(`${name} is a placeholder`).and.not.includes(value);
        expect(complaint({ [name]: value })).equals('');
      }
      for (const value of [random, 'c0ffee1234567890'.repeat(4), 'correct horse battery staple, and so on']) {
        expect(complaint({ [name]: value, NODE_ENV: 'production' })).equals('');
      }
    });
  }

  it('secrets of webhooks have the form of their scheme, several while they are changed', () => {
    const [one, other] = ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
    expect(readConfig({}).webhooks).deep.equals({ provider: { scheme: 'standard', secrets: [] } });
    expect(
      readConfig({ WEBHOOK_SECRETS: `whsec_${one}, whsec_${other}`, STRIPE_WEBHOOK_SECRETS: `whsec_${one}` }).webhooks,
    ).deep.equals({
      provider: { scheme: 'standard', secrets: [`whsec_${one}`, `whsec_${other}`] },
      stripe: { scheme: 'stripe', secrets: [`whsec_${one}`] },
    });
    for (const value of [one, 'whsec_short', `whsec_${one}!`, `whsec_${one.repeat(3)}`, `whsec_${one} nothing`])
      expect(complaint({ WEBHOOK_SECRETS: value })).match(
        /WEBHOOK_SECRETS\.\d must be whsec_ and 24 to 64 bytes in base64/,
      );
    expect(complaint({ STRIPE_WEBHOOK_SECRETS: 'whsec_short' })).includes('STRIPE_WEBHOOK_SECRETS.0 must be whsec_');
    for (const name of ['WEBHOOK_SECRETS', 'STRIPE_WEBHOOK_SECRETS']) {
      const placeholder = { [name]: `whsec_${'A'.repeat(32)}` };
      expect(complaint(placeholder)).equals('');
      expect(complaint({ ...placeholder, NODE_ENV: 'production' })).includes(`${name} has a placeholder`);
    }
  });

  it('the pepper before is another than the one in force', () => {
    expect(complaint({ API_KEY_PEPPER: random, API_KEY_PEPPER_PREVIOUS: random })).includes(
      'API_KEY_PEPPER_PREVIOUS must be another than API_KEY_PEPPER',
    );
  });
});
