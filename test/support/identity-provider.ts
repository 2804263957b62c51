import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey, JWK } from 'jose';

export const issuer = 'https://id.example';
export const audience = 'https://ris.example';

/** An identity provider that signs what it is told to. */
export interface IdentityProvider {
  jwksUrl: URL;
  /** The public keys, as it serves them. */
  keys: JWK[];
  /** How often it was asked for them. */
  asked(): number;
  /** In place of the keys, until told otherwise. */
  answer(instead: ((response: ServerResponse) => void) | null): void;
  /** A new key, published beside those before it. */
  addKey(alg: 'ES256' | 'RS256' | 'EdDSA'): Promise<{ alg: string; kid: string; key: CryptoKey }>;
  /** A good token but for these claims and header fields; undefined takes one out. */
  token(
    claims?: Record<string, unknown>,
    header?: Record<string, unknown>,
    key?: CryptoKey | Uint8Array,
  ): Promise<string>;
  close(): Promise<void>;
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const keys: JWK[] = [];
  let asked = 0;
  let instead: ((response: ServerResponse) => void) | null = null;
  const server = createServer((_, response) => {
    asked += 1;
    if (instead) instead(response);
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const addKey: IdentityProvider['addKey'] = async (alg) => {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    const kid = randomUUID();
    keys.push({ ...(await exportJWK(publicKey)), kid, use: 'sig' });
    return { alg, kid, key: privateKey };
  };
  const { alg, kid, key: privateKey } = await addKey('ES256');

  return {
    jwksUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`),
    keys,
    asked: () => asked,
    answer: (other) => (instead = other),
    addKey,
    token(claims = {}, header = {}, key = privateKey) {
      const now = Math.floor(Date.now() / 1000);
      const good = { iss: issuer, aud: audience, sub: 'u_1', jti: randomUUID(), iat: now, exp: now + 60 };
      return new SignJWT({ ...good, role: 'owner', organization: 'acme', ...claims })
        .setProtectedHeader({ alg, kid, typ: 'JWT', ...header })
        .sign(key);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
