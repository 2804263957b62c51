import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startHousekeeping } from '../../src/operations/housekeeping.ts';
import { eventually } from '../support/eventually.ts';

describe('housekeeping', () => {
  it('purges at once and again and again, one after the other; what fails is told and tried again', async () => {
    let running = 0;
    let runs = 0;
    const told: unknown[] = [];
    const purge = async () => {
      runs += 1;
      running += 1;
      expect(running).equals(1);
      await sleep(15);
      running -= 1;
      if (runs % 2 === 0) throw new Error('away');
      return 0;
    };
    const { stop } = startHousekeeping({ purge }, { everyMs: 5, report: (error) => told.push(error) });
    await eventually(async () => expect(runs).above(3));
    await stop();
    const after = runs;
    expect([running, told.length]).deep.equals([0, Math.floor(after / 2)]);
    await sleep(30);
    expect(runs).equals(after);
  });
});
