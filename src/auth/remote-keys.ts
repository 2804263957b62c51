import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, jwksCache } from 'jose';
import type { ExportedJWKSCache, JWKSCacheInput, JWTVerifyGetKey } from 'jose';

/** The identity provider does not answer, and what it said last is too old to count. */
export class IdentityProviderUnavailable extends Error {
  override readonly name = 'IdentityProviderUnavailable';
}

/** Between two questions, whatever became of the first: an unknown key must not make us ask for each request. */
export const coolDownMs = 30_000;
/** For how long the last good set counts while there is nobody to ask. */
const keptMs = 24 * 60 * 60_000;

/** The keys that an identity provider publishes at this URL (a JWKS): fetched at the first need, and again as they age. */
export function remoteKeys(url: URL): JWTVerifyGetKey {
  const known: JWKSCacheInput = {};
  let askAgainAt = 0;
  const remote = createRemoteJWKSet(url, {
    timeoutDuration: 3_000,
    cooldownDuration: coolDownMs,
    cacheMaxAge: 10 * 60_000,
    [jwksCache]: known,
    [customFetch]: async (target, options) => {
      if (Date.now() < askAgainAt) throw new Error('The identity provider was asked a moment ago.');
      askAgainAt = Date.now() + coolDownMs;
      return fetch(target, options);
    },
  });

  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey) throw cause;
      if (!isGood(known) || Date.now() - known.uat > keptMs)
        throw new IdentityProviderUnavailable('The identity provider can’t be reached.', { cause });
      return createLocalJWKSet(known.jwks)(header, token);
    }
  };
}

const isGood = (known: JWKSCacheInput): known is ExportedJWKSCache => 'jwks' in known;
