import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
import { expect } from 'chai';
import { get, keyIn, startRepoIntel } from './cli.ts';
import type { Running } from './cli.ts';
import { dataFolder } from './data-folder.ts';
import { eventually } from './eventually.ts';
import type { SmallDisk } from './small-disk.ts';

const clients = 8;

/** A call that was answered. Those of one client come one after the other, so its time tells which of the ledger's rows it is. */
interface AnsweredCall {
  from: number;
  to: number;
}

/** Fills the disk under a service that is asked, kills it, and again; each call that was answered is in the usage once. */
export function losesNothingWhenFull(disk: () => SmallDisk, rounds: number): void {
  let service: Running | undefined;
  afterEach(() => service?.kill());

  it(`and kill -9, ${rounds} times: each call that was answered is there once`, async function () {
    this.timeout(120_000 + rounds * 30_000);
    const environment = {
      DATA_DIR: await dataFolder(join(disk().folder, 'data')),
      RATE_LIMITS: '*=1000000/60',
      MIN_FREE_MB: '40',
    };
    let key = '';
    /** Of each client: its key, and what was answered. */
    let callers: { id: string; api_key: string; answered: AnsweredCall[] }[] = [];
    const answered = { before: 0, full: 0 };
    /** Refused for want of room, or sent and perhaps counted: the kill came before the answer. */
    let refused = 0;
    let open = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { address, stdout, kill } = (service = await startRepoIntel(['serve'], environment));
      if (key === '') {
        key = keyIn(stdout());
        callers = await Promise.all(
          Array.from({ length: clients }, (_, client) => newCaller(address, key, `client-${client}`)),
        );
      }
      let isFull = false;
      let answeredWhenFull = 0;
      const load = callers.map(async (caller) => {
        for (;;) {
          try {
            const [wasFull, from] = [isFull, Date.now()];
            const { status, body } = await get<Record<string, unknown>>(address, '/api/search?q=a', caller.api_key);
            if (status === 200) {
              caller.answered.push({ from, to: Date.now() });
              answered[wasFull ? 'full' : 'before'] += 1;
              answeredWhenFull += Number(wasFull);
              continue;
            }
            // A busy machine may turn callers away for a moment, and says so.
            expect(`${status} ${String(body['code'])}`).oneOf([
              '507 insufficient_storage',
              '503 overloaded',
              '503 dependency_unavailable',
              '504 deadline_exceeded',
            ]);
            refused += 1;
            await sleep(20);
          } catch (error) {
            // Killed. Whatever else it was is no network error.
            if (!(error instanceof TypeError)) throw error;
            open += 1;
            return;
          }
        }
      });
      await sleep(200 + Math.random() * 300);
      disk().fill();
      isFull = true;
      await Promise.race([eventually(async () => expect(answeredWhenFull).least(50)), Promise.all(load)]);
      // What the ledger gives back is taken again.
      for (let times = 0; times < 4; times += 1) {
        await sleep(Math.random() * 300);
        disk().fill();
      }
      await kill();
      await Promise.all(load);
      disk().makeRoom();
    }
    const { address, stop } = (service = await startRepoIntel(['serve'], environment));
    const usage = await eventually(async () => {
      const { status, body } = await get<Usage>(address, '/v1/billing/usage', key);
      expect([status, body.freshness?.source]).deep.equals([200, 'live']);
      return body;
    });
    const all = answered.before + answered.full;
    console.log(
      `      filled and killed ${rounds} times: ${answered.before} answered before and ${answered.full} while full, ${refused} refused, ${open} open; counted ${usage.totals.calls}`,
    );
    expect(answered.full).least(50 * rounds);
    expect(usage.totals.calls).within(all, all + open + refused);
    expect((await stop()).code).equals(0);
    const ledger = await ledgerOf(environment.DATA_DIR);
    for (const caller of callers) {
      expect(missingIn(ledger.get(caller.id) ?? [], caller.answered), 'answered, and not in the ledger').deep.equals(
        [],
      );
    }
  });
}

async function newCaller(address: string, key: string, member: string) {
  const response = await fetch(`${address}/v1/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ member }),
  });
  expect(response.status).equals(201);
  const { id, api_key } = (await response.json()) as { id: string; api_key: string };
  return { id, api_key, answered: [] as AnsweredCall[] };
}

/** When the calls of each key were booked, in milliseconds, sorted; each id is there once. */
async function ledgerOf(dataDir: string): Promise<Map<string, number[]>> {
  const database = await PGlite.create({ dataDir: join(dataDir, 'postgres') });
  try {
    const { rows } = await database.query<{ event_id: string; key_id: string; occurred_at: Date }>(
      'SELECT event_id, key_id, occurred_at FROM usage_ledger ORDER BY occurred_at',
    );
    expect(new Set(rows.map(({ event_id: id }) => id)).size, 'ids in the ledger').equals(rows.length);
    const times = new Map<string, number[]>();
    for (const { key_id: key, occurred_at: at } of rows) times.set(key, [...(times.get(key) ?? []), at.getTime()]);
    return times;
  } finally {
    await database.close();
  }
}

/** The calls of one client for which there is no row of their own. */
function missingIn(times: readonly number[], calls: readonly AnsweredCall[]): AnsweredCall[] {
  let next = 0;
  return calls.filter(({ from, to }) => {
    while ((times[next] ?? Infinity) < from) next += 1;
    const isThere = (times[next] ?? Infinity) <= to;
    if (isThere) next += 1;
    return !isThere;
  });
}

interface Usage {
  totals: { calls: number };
  freshness: { source: string };
}
