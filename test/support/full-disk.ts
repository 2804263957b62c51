import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { get, keyIn, startRepoIntel } from './cli.ts';
import type { Running } from './cli.ts';
import { dataFolder } from './data-folder.ts';
import { eventually } from './eventually.ts';
import type { SmallDisk } from './small-disk.ts';

const clients = 8;

/** Fills the disk under a service that is asked, kills it, and again; each call that was answered is in the usage once. */
export function losesNothingWhenFull(disk: () => SmallDisk, rounds: number): void {
  let service: Running | undefined;
  afterEach(() => service?.kill());

  it(`and kill -9, ${rounds} times: each call that was answered is there once`, async function () {
    this.timeout(120_000 + rounds * 30_000);
    const environment = { DATA_DIR: await dataFolder(join(disk().folder, 'data')), RATE_LIMITS: '*=1000000/60' };
    let key = '';
    const answered = { before: 0, full: 0 };
    /** Refused for want of room, or sent and perhaps counted: the kill came before the answer. */
    let refused = 0;
    let open = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { address, stdout, kill } = (service = await startRepoIntel(['serve'], environment));
      key ||= keyIn(stdout());
      let isFull = false;
      let answeredWhenFull = 0;
      const load = Array.from({ length: clients }, async () => {
        for (;;) {
          try {
            const wasFull = isFull;
            const { status, body } = await get<Record<string, unknown>>(address, '/api/search?q=a', key);
            if (status === 200) {
              answered[wasFull ? 'full' : 'before'] += 1;
              answeredWhenFull += Number(wasFull);
              continue;
            }
            // A busy machine may turn callers away for a moment, and says so.
            expect(`${status} ${String(body['code'])}`).oneOf([
              '507 insufficient_storage',
              '503 overloaded',
              '503 dependency_unavailable',
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
  });
}

interface Usage {
  totals: { calls: number };
  freshness: { source: string };
}
