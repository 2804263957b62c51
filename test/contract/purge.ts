import { expect } from 'chai';
import type { RelationalStore } from '../../src/stores/relational/port.ts';
import { addMember } from '../support/accounts.ts';
import { unique } from './relational-store.ts';

/** What every relational store promises of what is kept for a time; `administer` runs a statement past the store. */
export function purgeContract(store: () => RelationalStore, administer: (statement: string) => Promise<unknown>): void {
  it('removes idempotency keys that have had their time, however many, and no other', async () => {
    const { organization } = await addMember(store(), unique('org'));
    let executed = 0;
    const send = (key: string) =>
      store().idempotency.once(
        {
          organizationId: organization.id,
          key,
          fingerprint: Buffer.alloc(32),
          method: 'POST',
          route: '/',
          requestId: 'r',
        },
        () => Promise.resolve({ status: 201, headers: {}, body: String((executed += 1)) }),
      );
    await send('kept');
    await send('expired');
    await administer(`
      UPDATE idempotency_key SET expires_at = now() - interval '1 second'
      WHERE organization_id = '${organization.id}' AND key = 'expired';
      INSERT INTO idempotency_key
        (organization_id, key, fingerprint, method, route, status, headers, body, request_id, expires_at)
      SELECT organization_id, 'old ' || number, fingerprint, method, route, status, headers, body, request_id, expires_at
      FROM idempotency_key, generate_series(1, 2500) AS number
      WHERE organization_id = '${organization.id}' AND key = 'expired'`);
    const purged = await Promise.all([store().purge(), store().purge()]);
    expect(purged[0] + purged[1]).to.be.at.least(2501);
    expect(await store().purge()).to.equal(0);
    expect(await send('kept')).to.deep.include({ replayed: true });
    expect(await send('expired')).to.deep.include({ replayed: false });
  });

  it('forgets an event of a provider after 90 days, and none that waits', async () => {
    const provider = unique('provider');
    const keep = (event_id: string) =>
      store().webhooks.keep({ provider, event_id, type: 'test', body: Buffer.from('{}') });
    for (const id of ['old', 'young', 'waiting']) await keep(id);
    await administer(`
      UPDATE webhook_inbox SET received_at = now() - interval '1 day' * CASE event_id WHEN 'young' THEN 89 ELSE 91 END
        WHERE provider = '${provider}';
      UPDATE webhook_inbox SET processed_at = now(), outcome = 'ignored'
        WHERE provider = '${provider}' AND event_id <> 'waiting'`);
    await store().purge();
    expect([await keep('old'), await keep('young'), await keep('waiting')]).to.deep.equal([true, false, false]);
  });
}
