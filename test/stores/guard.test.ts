import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { StoreUnavailable } from '../../src/stores/errors.ts';
import { createGuard } from '../../src/stores/guard.ts';

describe('createGuard', () => {
  const away = () => Promise.reject(new StoreUnavailable('graph'));
  const outcome = async (call: Promise<unknown>) => ({ value: await call.catch((error: unknown) => error) });

  it('asks once more when a question failed, and gives that answer', async () => {
    let asked = 0;
    const { read } = createGuard('graph', { timeoutMs: 1_000 });
    expect(await read(() => (++asked === 1 ? away() : Promise.resolve('there')))).equals('there');
    expect(asked).equals(2);
  });

  it('does nothing twice that is no question', async () => {
    let asked = 0;
    const { write } = createGuard('graph', { timeoutMs: 1_000 });
    const { value } = await outcome(write(() => (asked++, away())));
    expect(value).instanceOf(StoreUnavailable);
    expect(asked).equals(1);
  });

  it('adds at most a tenth of repeated questions to what fails now and then', async () => {
    let asked = 0;
    const { read } = createGuard('graph', { timeoutMs: 1_000 });
    for (let call = 0; call < 100; call++) {
      await outcome(read(() => (++asked % 4 === 0 ? away() : Promise.resolve())));
    }
    expect(asked).within(101, 112);
  });

  it('waits no longer than its time, the second try included', async () => {
    let asked = 0;
    const { read } = createGuard('graph', { timeoutMs: 1_000 });
    // In a time of its own the second try would have its answer.
    const { value } = await outcome(read(() => (asked++ === 0 ? sleep(500).then(away) : sleep(900, 'there'))));
    expect(value).instanceOf(StoreUnavailable);
  });

  it('opens after five failures in a row, refuses at once, and closes when one try succeeds', async () => {
    let asked = 0;
    let back = false;
    const { write } = createGuard('search', { timeoutMs: 30_000 });
    const ask = () => outcome(write(() => (asked++, back ? sleep(200, 'there') : away())));
    for (let call = 0; call < 5; call++) await ask();
    const refused: Awaited<ReturnType<typeof ask>>[] = [];
    for (let call = 0; call < 20; call++) void ask().then((one) => refused.push(one));
    // Before anything that waits for a timer or the network could have been answered.
    await new Promise((resolve) => setImmediate(resolve));
    expect(refused).lengthOf(20);
    expect(asked).equals(5);
    for (const { value } of refused) expect(value).instanceOf(StoreUnavailable).includes({ store: 'search' });

    await sleep(5_050);
    await ask();
    expect(asked, 'still away: one try').equals(6);
    expect((await ask()).value, 'and closed to all again').instanceOf(StoreUnavailable);
    expect(asked).equals(6);

    await sleep(5_050);
    back = true;
    const meanwhile = await Promise.all(Array.from({ length: 10 }, ask));
    expect(asked, 'one try, whoever else asks').equals(7);
    expect(meanwhile.map(({ value }) => value).filter((value) => value === 'there')).lengthOf(1);
    expect((await ask()).value).equals('there');
  });

  it('opens when half of ten calls fail, though never five in a row', async () => {
    let asked = 0;
    const { write } = createGuard('graph', { timeoutMs: 1_000 });
    for (let call = 0; call < 20; call++) {
      await outcome(write(() => (asked++ % 2 === 0 ? Promise.resolve() : away())));
    }
    expect(asked).equals(10);
  });

  it('says how its calls went, and when the server is found away', async () => {
    const { write, circuit } = createGuard('graph', { timeoutMs: 1_000 });
    const found: string[] = [];
    circuit.onChange((state) => found.push(state));
    await write(() => sleep(20));
    expect(circuit).includes({ state: 'closed', calls: 1, failures: 0, lastFailure: null });
    expect(circuit.seconds).above(0.015);
    for (let call = 0; call < 6; call++) await outcome(write(away));
    expect(circuit).includes({ state: 'open', calls: 7, failures: 6 });
    expect(circuit.lastFailure?.error).instanceOf(StoreUnavailable);
    expect(found).deep.equals(['open']);
  });

  it('does not take errors for outages: what is wrong with a question stays an error, and the circuit closed', async () => {
    const wrong = new TypeError('wrong');
    const { read } = createGuard('graph', { timeoutMs: 1_000 });
    for (let call = 0; call < 20; call++) {
      expect((await outcome(read(() => Promise.reject(wrong)))).value).equals(wrong);
    }
  });
});
