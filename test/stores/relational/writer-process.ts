import { randomUUID } from 'node:crypto';
import { openPglite } from '../../../src/stores/relational/pglite.ts';
import { repository } from '../../contract/relational-store.ts';
import { checkoutOf } from '../../support/checkout.ts';
import { addKey, addMember } from '../../support/accounts.ts';

/** Writes to the folder named until it is killed; prints a line for each write that was acknowledged. */
const [folder = ''] = process.argv.slice(2);
const store = await openPglite({ folder });
const { id } = await store.accounts.ensureOrganization({ slug: 'acme', name: 'acme' });
const koa = repository(await store.repositories.claim(id, 'koa'));
const { total } = await store.tenant(id, ({ webhookEndpoints }) => webhookEndpoints.list({ offset: 0, limit: 1 }));
if (total === 0)
  await store.tenant(id, ({ webhookEndpoints }) =>
    webhookEndpoints.create({ url: 'https://hooks.example/', description: null, types: null }),
  );
// On a plan with 10,000 credits a month.
const plan = { provider: 'stripe', event_id: 'evt_plan', type: 'test', body: Buffer.from('{}') };
if ((await store.tenant(id, (acme) => acme.plan())).id === 'beta') {
  const checkout = await store.tenant(id, ({ checkoutSessions }) => checkoutSessions.create(checkoutOf('team')));
  await store.webhooks.keep({ ...plan, event_id: checkout.id });
  const change = { kind: 'checkout', session_id: checkout.id, status: 'complete', payment_status: 'paid' } as const;
  await store.webhooks.workOff(() => ({ ...change, occurred_at: new Date().toISOString() }));
}
const measurements = { metrics: [], people: [], authorship: [] };
for (let number = 0; ; number += 1) {
  const { member } = await addMember(store, 'acme', { name: `Ann ${randomUUID()}` });
  const { digest } = await addKey(store, member);
  process.stdout.write(`key ${Buffer.from(digest.digest).toString('hex')}\n`);
  // Eight tenths of the credits of one month after the other, and all of them.
  for (const credits of [7_999, 1, 2_000])
    await store.usage.append([
      {
        event_id: randomUUID(),
        organization_id: id,
        member_id: member.id,
        key_id: 'key',
        product: 'code-search',
        operation: 'search',
        status: 200,
        class: 'successful',
        credits,
        occurred_at: new Date(Date.UTC(2000 + (process.pid % 90), number, 15)).toISOString(),
      },
    ]);
  const letter = String.fromCharCode(97 + (number % 26));
  const run = await store.runs.begin(koa);
  const grade = number % 2 === 0 ? 'A' : 'B';
  await store.snapshots.save(koa, letter, [Buffer.alloc(1_000_000, letter)], { run, measurements, grade });
  process.stdout.write(`snapshot ${letter}\n`);
}
