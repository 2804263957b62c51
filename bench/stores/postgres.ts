import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { UsageEvent } from '../../src/model/account.ts';
import { openPostgres } from '../../src/stores/relational/postgres.ts';
import { compare } from './compare.ts';
import type { Measured } from './engine.ts';

const batchSize = 500;
const BATCHES = 60;

/** What a metered request costs in PostgreSQL, in a database of our own, beside the same statements sent raw. */
export async function measurePostgres({ url }: { url: string }): Promise<Measured> {
  const name = `bench_stores_${process.pid}`;
  const administrator = new Client({ connectionString: url });
  await administrator.connect();
  await administrator.query(`CREATE DATABASE ${name}`);
  const own = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const store = await openPostgres({ url: own });
  const client = new Client({ connectionString: own });
  try {
    const organization = await store.accounts.ensureOrganization({ slug: 'bench', name: 'Bench' });
    const digest = { digest: Buffer.alloc(32, 1), pepperId: 'bench' };
    await store.tenant(organization.id, async ({ members, apiKeys }) => {
      const { id: memberId } = await members.create({ name: 'Ann', role: 'owner' });
      await apiKeys.create({ memberId, name: null, prefix: 'ris_live_', digest, expiresAt: null });
    });
    await client.connect();
    const began = performance.now();
    for (let batch = 0; batch < BATCHES; batch++) await store.usage.append(events(organization.id));
    const rate = (batchSize * BATCHES * 1000) / (performance.now() - began);

    const once = (key: string) => {
      const request = { method: 'POST', route: '/v1/reports', requestId: 'req', fingerprint: Buffer.alloc(32) };
      const answer = { status: 201, headers: {}, body: '{}' };
      return store.idempotency.once({ organizationId: organization.id, key, ...request }, async () => answer);
    };
    const calls = () =>
      store.tenant(organization.id, ({ usage }) => usage.calls({ from: '2026-11-01', to: '2026-11-30' }, ['day']));
    // Its first use is noted, later ones within the minute are not.
    await store.accounts.principalByDigest([digest]);
    const sent = {
      append: await record(() => store.usage.append(events(organization.id))),
      key: await record(() => store.accounts.principalByDigest([digest])),
      calls: await record(calls),
      once: await record(() => once('KEY')),
    };
    const raw = async (statements: readonly Sent[], change: (value: unknown) => unknown = (value) => value) => {
      for (const [text, values] of statements) await client.query(text, values.map(change));
    };
    const samples = Array.from({ length: 40 }, (_, i) => i);
    const comparisons = [
      await compare(`ledger, ${batchSize} events`, samples.slice(0, 10), {
        port: () => store.usage.append(events(organization.id)),
        // The same events would change nothing.
        raw: () => raw(sent.append, (value) => (isIds(value) ? ids() : value)),
      }),
      await compare('whose a key is', samples, {
        port: () => store.accounts.principalByDigest([digest]),
        raw: () => raw(sent.key),
      }),
      await compare('usage of a month by day', samples, { port: calls, raw: () => raw(sent.calls) }),
      await compare('a request done once', samples, {
        port: () => once(randomUUID()),
        raw: () => {
          const key = randomUUID();
          return raw(sent.once, (value) => (typeof value === 'string' ? value.replace('KEY', key) : value));
        },
      }),
    ];
    const { rows } = await client.query<{ size: string }>('SELECT pg_database_size(current_database()) AS size');
    const figures = [
      ['ledger, events/s, one writer', rate.toFixed(0)],
      ['disk', `${(Number(rows[0]?.size) / 1e6).toFixed(0)} MB`],
    ];
    return { figures, comparisons };
  } finally {
    await client.end();
    await store.close();
    await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await administrator.end();
  }
}

function events(organizationId: string): UsageEvent[] {
  return ids().map((id, i) => ({
    event_id: id,
    organization_id: organizationId,
    member_id: `mem_${i % 5}`,
    key_id: 'key_1',
    product: i % 2 === 0 ? 'code-graph' : 'code-search',
    operation: 'search_repositories',
    status: 200,
    class: 'successful',
    credits: 1,
    occurred_at: `2026-11-${String((i % 28) + 1).padStart(2, '0')}T12:00:00.000Z`,
  }));
}

function ids(): string[] {
  return Array.from({ length: batchSize }, () => randomUUID()).toSorted();
}

function isIds(value: unknown): boolean {
  return Array.isArray(value) && /^[\da-f]{8}-/.test(String(value[0]));
}

type Sent = readonly [text: string, values: readonly unknown[]];

/** What one call sends to PostgreSQL. */
async function record(call: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const query = Client.prototype.query as (...call: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, ...given: unknown[]) {
    if (typeof given[0] === 'string') sent.push([given[0], Array.isArray(given[1]) ? given[1] : []]);
    return query.apply(this, given);
  } as typeof Client.prototype.query;
  try {
    await call();
  } finally {
    Client.prototype.query = query as typeof Client.prototype.query;
  }
  return sent;
}
