import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { openRedis } from '../../src/stores/ephemeral/redis.ts';
import { compare } from './compare.ts';
import type { Measured } from './engine.ts';

const CALLS = 20_000;
const AT_ONCE = 50;

/** What a metered request costs in Redis, beside the same commands sent raw. The ledger behind it forgets, so it costs nothing. */
export async function measureRedis({ url }: { url: string }): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
  const store = await openRedis({ url, ledger: { append: async () => {} }, folder });
  const client = new Redis(url);
  try {
    const holder = randomUUID();
    const limiter = store.limiter({ name: holder, requests: 1_000_000, window_seconds: 600 });
    const questions = {
      'record a call': () => store.record(event()),
      'take a lock and give it back': async () => {
        await store.lock(holder, holder, 10_000);
        await store.unlock(holder, holder);
      },
      'take one of a quota': () => limiter.take('ann'),
    };
    const began = performance.now();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let i = 0; i < CALLS / AT_ONCE; i++) await store.record(event());
      }),
    );
    const rate = (CALLS * 1000) / (performance.now() - began);
    await store.settle();
    const comparisons = [];
    for (const [question, ask] of Object.entries(questions)) {
      await ask();
      const sent = await record(ask);
      const raw = async () => {
        for (const [name, ...values] of sent) await client.call(name, ...values);
      };
      comparisons.push(await compare(question, Array(200).fill(0), { port: ask, raw }));
      await store.settle();
    }
    // What was sent raw is in the stream.
    await store.settle();
    return { figures: [[`calls recorded/s, ${AT_ONCE} at once`, rate.toFixed(0)]], comparisons };
  } finally {
    client.disconnect();
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

function event() {
  return {
    event_id: randomUUID(),
    organization_id: 'org_bench',
    member_id: 'mem_1',
    key_id: 'key_1',
    product: 'code-search',
    operation: 'search_repositories',
    status: 200,
    class: 'successful' as const,
    credits: 1,
    occurred_at: new Date().toISOString(),
  };
}

type Sent = [name: string, ...values: (string | Buffer | number)[]];

/** What one call sends to Redis; not what the store clears away meanwhile. */
async function record(call: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const { sendCommand } = Redis.prototype;
  Redis.prototype.sendCommand = function (...given: Parameters<typeof sendCommand>) {
    const [{ name, args }] = given;
    if (name !== 'xdel') sent.push([name, ...(args as (string | Buffer | number)[])]);
    return sendCommand.apply(this, given);
  };
  try {
    await call();
  } finally {
    Redis.prototype.sendCommand = sendCommand;
  }
  return sent;
}
