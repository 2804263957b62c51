import { isInUse } from '../auth/change-key.ts';
import { atLeast } from '../auth/roles.ts';
import { HttpError, insufficientRole } from '../http/errors.ts';
import { problems } from '../http/problems.ts';
import type { Caller } from '../http/route.ts';
import type { Role } from '../model/account.ts';
import type { RelationalStore, Tenant } from '../stores/relational/port.ts';

/**
 * One transaction in which nobody else changes the organization's members and keys. Who asks is looked up anew in it: they may
 * have been removed, or given another role, while they waited for their turn.
 */
export function changeAccounts<T>(
  { tenant }: Pick<RelationalStore, 'tenant'>,
  caller: Caller,
  work: (tenant: Tenant) => Promise<T>,
): Promise<T> {
  return tenant(caller.organization.id, async (tenant) => {
    await tenant.apiKeys.alone();
    const key = await tenant.apiKeys.get(caller.api_key.id);
    if (!key || !isInUse(key))
      throw new HttpError(problems.invalid_api_key, {
        detail: 'The API key is no longer valid.',
        headers: { 'WWW-Authenticate': 'Bearer realm="ris", error="invalid_token"' },
      });
    const required = atLeast(roleOf(caller));
    if (!required.includes(key.role)) throw insufficientRole(key.role, required);
    return work(tenant);
  });
}

/** What the caller's key may do. */
export const roleOf = ({ member: { role } }: Caller): Role => role as Role;
