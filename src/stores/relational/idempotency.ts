import { sql } from 'kysely';
import type { Idempotency } from './port.ts';
import type { tenants } from './tenants.ts';

/** For how long a key stands for its first request. */
const retention = sql<string>`now() + interval '24 hours'`;

/** Does a request once, whatever crashes: what it changed and what it was answered are kept by the same commit. */
export function idempotency(inTransaction: ReturnType<typeof tenants>['inTransaction']): Idempotency['once'] {
  return ({ organizationId, key, fingerprint, method, route, requestId }, execute) =>
    inTransaction(organizationId, async ({ transaction }) => {
      const lock = await sql<{ free: boolean }>`
        SELECT pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${organizationId} ${key}`}, 0)) AS free
      `.execute(transaction);
      if (lock.rows[0]?.free !== true) return 'in_use';
      const kept = await transaction
        .selectFrom('idempotency_key')
        .select(['fingerprint', 'status', 'headers', 'body'])
        .where('organization_id', '=', organizationId)
        .where('key', '=', key)
        .where('expires_at', '>', sql<string>`now()`)
        .executeTakeFirst();
      if (kept) {
        if (!Buffer.from(kept.fingerprint).equals(fingerprint)) return 'reused';
        return { replayed: true, answer: { status: kept.status, headers: kept.headers, body: kept.body } };
      }
      await sql`SAVEPOINT untouched`.execute(transaction);
      const answer = await execute();
      if (answer.status >= 400) await sql`ROLLBACK TO SAVEPOINT untouched`.execute(transaction);
      const row = {
        fingerprint: Buffer.from(fingerprint),
        method,
        route,
        status: answer.status,
        headers: JSON.stringify(answer.headers),
        body: answer.body,
        request_id: requestId,
        created_at: sql<string>`now()`,
        expires_at: retention,
      };
      await transaction
        .insertInto('idempotency_key')
        .values({ organization_id: organizationId, key, ...row })
        // One that has expired.
        .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doUpdateSet(row))
        .execute();
      return { replayed: false, answer };
    });
}
