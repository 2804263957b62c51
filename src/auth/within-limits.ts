import type { KeyEnvironment, KeyLimits } from '../model/account.ts';

/** What a key can do, beside its role. */
export type KeyRights = KeyLimits & { environment: KeyEnvironment; expires_at: string | null };

/** What of `wanted` is more than `own` allows, by its names in the API; empty where nothing is. */
export function exceeding(own: KeyRights, wanted: KeyRights): string[] {
  const lists = (['products', 'repositories', 'scopes'] as const).filter((name) => !isWithin(own[name], wanted[name]));
  return [
    ...lists,
    ...(own.rate_limit_per_minute !== null && (wanted.rate_limit_per_minute ?? Infinity) > own.rate_limit_per_minute
      ? ['rate_limit_per_minute']
      : []),
    ...(own.environment === 'test' && wanted.environment === 'live' ? ['environment'] : []),
    ...(own.expires_at !== null && (wanted.expires_at ?? '~') > own.expires_at ? ['expires_at'] : []),
  ];
}

const isWithin = (own: readonly string[] | null, wanted: readonly string[] | null) =>
  own === null || (wanted !== null && wanted.every((one) => own.includes(one)));
