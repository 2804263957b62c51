import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { openBookingClock } from '../../src/operations/booking-clock.ts';
import type { BookingClock } from '../../src/operations/booking-clock.ts';
import { openStores, relationalFolder } from '../../src/stores/open.ts';
import type { Stores } from '../../src/stores/open.ts';
import { openPglite } from '../../src/stores/relational/pglite.ts';
import { event } from '../contract/usage.ts';
import { get, keyIn, startRepoIntel } from '../support/cli.ts';
import { dataFolder } from '../support/data-folder.ts';
import { temporaryFolder } from '../support/git-repository.ts';
import { useService } from '../support/service.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('booking clock', () => {
  const today = Date.parse('2026-11-22T12:00:00.000Z');
  /** Of the machine, and of the process. */
  let time: { now: number; running: number };
  let clock: BookingClock;
  let told: (string | null)[];
  const pass = (ms: number) => {
    time.now += ms;
    time.running += ms;
  };
  const open = async (
    relational: { engine: string; last?: string | null; ping?: () => Promise<Date> },
    ignoreAfter?: Date,
  ) => {
    time = { now: today, running: 1_000 };
    told = [];
    const { engine, last = null, ping = () => Promise.reject(new Error('away')) } = relational;
    const usage = {
      latest: async (before?: Date) =>
        last === null || (before && Date.parse(last) > before.getTime()) ? null : new Date(last),
    };
    clock = await openBookingClock(
      {
        relational: { engine, usage, ping } as unknown as Stores['relational'],
        ephemeral: { settle: () => Promise.resolve('live') },
      },
      { ignoreAfter, now: () => time.now, monotonic: () => time.running, everyMs: 1 },
    );
    clock.onChange((problem) => told.push(problem));
  };
  afterEach(() => clock.close());

  it('embedded: does not go back behind what is booked, but for some minutes', async () => {
    await open({ engine: 'pglite', last: '2026-11-22T12:04:00.000Z' });
    expect(clock.time()).deep.equals(new Date(today));
    await open({ engine: 'pglite', last: '2027-11-22T12:00:00.000Z' });
    expect(() => clock.time()).throws(
      'The clock says 2026-11-22T12:00:00.000Z, but usage is booked up to 2027-11-22T12:00:00.000Z',
    );
    expect(told).lengthOf(1);
    pass(366 * day);
    expect(clock.problem()).equals(null);
  });

  it('embedded: what it has booked itself counts, and what it was only asked does not', async () => {
    await open({ engine: 'pglite' });
    time.now += 6 * day;
    expect(clock.problem()).equals(null);
    time.now -= 6 * day;
    expect(clock.problem()).equals(null);
    pass(day);
    clock.time();
    time.now -= 6 * minute;
    expect(() => clock.time()).throws('usage is booked up to 2026-11-23T12:00:00.000Z');
  });

  it('embedded: goes ahead as a machine that slept does, and no further at once', async () => {
    await open({ engine: 'pglite' });
    for (let slept = 0; slept < 5; slept++) {
      time.now += 6 * day;
      expect(clock.time()).deep.equals(new Date(time.now));
    }
    time.now += 365 * day;
    expect(() => clock.time()).throws('went ahead by 365 days at once');
    time.now -= 365 * day;
    expect(clock.time()).deep.equals(new Date(time.now));
  });

  it('embedded: what a wrong clock has booked is not compared, where that is said', async () => {
    const last = '2027-11-22T12:00:00.000Z';
    await open({ engine: 'pglite', last }, new Date('2026-11-22T13:00:00.000Z'));
    expect(clock.time()).deep.equals(new Date(today));
  });

  for (const years of [-1, 1])
    it(`on a server: is compared with the server's (${years} years)`, async () => {
      await open({ engine: 'postgres', ping: async () => new Date(today + (time?.running ?? 1_000) - 1_000) });
      expect(clock.time()).deep.equals(new Date(today));
      pass(100 * day);
      expect(clock.problem()).equals(null);
      time.now += years * 365 * day;
      expect(() => clock.time()).throws("the database's says 2027-03-02T12:00:00.000Z");
      time.now -= years * 365 * day - 4 * minute;
      expect(clock.problem()).equals(null);
    });

  it('on a server: one that is away is no reason to doubt', async () => {
    await open({ engine: 'postgres' });
    time.now += 365 * day;
    expect(clock.problem()).equals(null);
  });
});

describe('a clock that can not be right', () => {
  let aheadMs = 0;
  let folder: string;
  let stores: Stores;
  let clock: BookingClock;
  const service = useService(
    async () => {
      folder = await dataFolder();
      stores = await openStores({ dataDir: folder });
      clock = await openBookingClock(stores, { now: () => Date.now() + aheadMs });
      return stores;
    },
    undefined,
    () => ({ clock }),
  );
  after(async () => {
    clock.close();
    await stores.close();
    rmSync(folder, { recursive: true });
  });

  for (const [ahead, what] of [
    [365 * day, 'a year ahead'],
    [-365 * day, 'a year behind'],
  ] as const)
    it(`refuses what is counted while it is ${what}, books nothing, and goes on when it is right`, async () => {
      aheadMs = 0;
      const usage = async () => {
        const { json } = await service().get('/v1/billing/usage');
        return (json['totals'] as { calls: number }).calls;
      };
      expect((await service().get('/api/graph')).status).equals(200);
      const before = await usage();
      const latest = await stores.relational.usage.latest();
      aheadMs = ahead;
      for (const path of ['/api/graph', '/api/search?q=x']) {
        const { status, headers, json } = await service().get(path);
        expect([status, json['code'], headers['retry-after']]).deep.equals([503, 'clock_unreliable', '60']);
      }
      const { api_key } = await service().createKey('events', 'owner');
      const told = await service().send('/v1/usage/events', {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ specversion: '1.0', id: '1', source: 'test', type: 'a.b' }),
      });
      expect([told.status, told.json['code']]).deep.equals([503, 'clock_unreliable']);
      expect((await service().send('/readyz')).json).deep.includes({ status: 'ready', degraded: ['clock'] });
      expect(await usage()).equals(before);
      expect(await stores.relational.usage.latest()).deep.equals(latest);
      aheadMs = 0;
      expect((await service().get('/api/graph')).status).equals(200);
      expect(await usage()).equals(before + 1);
      expect((await service().send('/readyz')).json).deep.equals({ status: 'ready' });
    });
});

describe('repo-intel serve after a clock that was a year ahead', () => {
  const folder = temporaryFolder();
  after(() => rmSync(folder, { recursive: true }));

  it('refuses what is counted and says why, until it is told when the clock was still right', async () => {
    await dataFolder(folder);
    const store = await openPglite({ folder: relationalFolder({ dataDir: folder }) });
    const booked = new Date(Date.now() + 365 * day).toISOString();
    await store.usage.append([{ ...event('org_1', 0), occurred_at: booked }]);
    await store.close();

    const environment = { DATA_DIR: folder };
    const wrong = await startRepoIntel(['serve'], environment);
    const key = keyIn(wrong.stdout());
    const refused = await get<{ code: string }>(wrong.address, '/api/graph', key);
    expect([refused.status, refused.body.code]).deep.equals([503, 'clock_unreliable']);
    expect((await get(wrong.address, '/v1/billing/usage', key)).status).equals(200);
    const { stderr } = await wrong.stop();
    expect(stderr).include(`usage is booked up to ${booked}`).and.include('IGNORE_USAGE_AFTER');

    const told = await startRepoIntel(['serve'], { ...environment, IGNORE_USAGE_AFTER: new Date().toISOString() });
    expect((await get(told.address, '/api/graph', key)).status).equals(200);
    expect((await told.stop()).stderr).not.include('clock');
  });
});
