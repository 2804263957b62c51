import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { createAdmission } from '../../src/http/admission.ts';
import type { Admission, AdmissionLimits } from '../../src/http/admission.ts';
import { HttpError } from '../../src/http/errors.ts';
import { eventually } from '../support/eventually.ts';

const limits = { maxInFlight: () => 12, maxInFlightOfOne: 100, maxWaiting: 100, maxWaitMs: 60_000 };
const acme = { id: 'acme', hasKey: true };
const other = { id: 'other', hasKey: true };
const third = { id: 'third', hasKey: true };
const stranger = { id: '192.0.2.1', hasKey: false };

describe('http: admission', () => {
  let admission: Admission;
  /** How each that was let in ends, by party, in the order of their turns. */
  let working: Record<string, (() => void)[]>;
  let order: string[];
  let refused: unknown[];
  let response: EventEmitter;
  const start = (changed: Partial<AdmissionLimits> = {}) => {
    admission = createAdmission({ ...limits, ...changed });
    working = {};
    order = [];
    refused = [];
    response = new EventEmitter().setMaxListeners(0);
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const come = async (party: typeof acme, times = 1, from = response) => {
    for (let i = 0; i < times; i++)
      admission.enter(party, from).then(
        (leave) => {
          (working[party.id] ??= []).push(leave);
          order.push(party.id);
        },
        (error: unknown) => refused.push(error),
      );
    await settled();
  };
  const go = async (party: typeof acme, times = 1) => {
    for (const leave of working[party.id]?.splice(0, times) ?? []) leave();
    await settled();
  };
  const inFlight = () => Object.fromEntries(Object.entries(working).map(([id, all]) => [id, all.length]));

  it('one party alone has half, whoever comes next finds room at once, and in the end they share alike', async () => {
    start();
    await come(acme, 50);
    expect(inFlight()).deep.equals({ acme: 6 });
    await come(other, 50);
    expect(inFlight()).deep.equals({ acme: 6, other: 3 });
    for (let i = 0; i < 20; i++) {
      await go(acme);
      await go(other);
    }
    expect(inFlight()).deep.equals({ acme: 5, other: 4 });
    await come(third);
    expect(inFlight()).deep.equals({ acme: 5, other: 4, third: 1 });
  });

  it('one party has no more than its most, however much is free', async () => {
    start({ maxInFlightOfOne: 2 });
    await come(acme, 50);
    expect(inFlight()).deep.equals({ acme: 2 });
  });

  it('turns go round, and within a party to who waits longest', async () => {
    start({ maxInFlight: () => 1 });
    await come(acme);
    await come(acme);
    await come(other);
    await come(third);
    expect(order).deep.equals(['acme']);
    for (const [done, next] of [
      [acme, 'acme'],
      [acme, 'other'],
      [other, 'third'],
    ] as const) {
      await go(done);
      expect(order.at(-1)).equals(next);
    }
  });

  it('those who show no key have half at most, however many addresses they have', async () => {
    start();
    for (let i = 0; i < 50; i++) await come({ id: `192.0.2.${i}`, hasKey: false });
    expect(order).lengthOf(6);
    await come(acme, 3);
    expect(inFlight()).includes({ acme: 3 });
    expect(admission.hasRoom(stranger)).equals(false);
    expect(admission.hasRoom(other)).equals(true);
  });

  it('an address can not be taken for an organization of the same name', async () => {
    start();
    await come({ id: 'acme', hasKey: false }, 50);
    expect(order).lengthOf(6);
    expect(admission.hasRoom(acme)).equals(true);
  });

  it('who waits too long is refused, and so is who finds no place to wait: a party has half of what is left', async () => {
    start({ maxWaiting: 4, maxWaitMs: 1_000 });
    await come(acme, 6 + 3);
    expect(refused).lengthOf(1);
    await eventually(async () => expect(refused).lengthOf(3));
    for (const error of refused) {
      if (!(error instanceof HttpError)) throw error;
      expect([error.problem.code, error.headers['Retry-After']]).deep.equals(['overloaded', '1']);
    }
    // Places are free again.
    await come(acme);
    await go(acme);
    expect(order).lengthOf(7);
  });

  it('who has gone is not waited for, and takes no turn', async () => {
    start({ maxInFlight: () => 1 });
    await come(acme);
    const gone = new EventEmitter();
    await come(acme, 1, gone);
    await come(acme);
    gone.emit('close');
    await settled();
    expect(refused).lengthOf(1);
    await go(acme);
    expect(order).lengthOf(2);
    expect(response.listenerCount('close')).equals(0);
  });

  it('nobody gets in, nor waits, while nothing may be in flight', async () => {
    let most = 0;
    start({ maxInFlight: () => most });
    await come(acme);
    expect(refused).lengthOf(1);
    most = 1;
    await come(acme);
    expect(order).lengthOf(1);
  });

  it('who leaves twice has left once', async () => {
    start({ maxInFlight: () => 2 });
    await come(acme, 5);
    const [leave] = working['acme'] ?? [];
    leave?.();
    leave?.();
    await settled();
    expect(order).lengthOf(2);
  });
});
