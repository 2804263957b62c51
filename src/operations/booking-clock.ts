import type { EphemeralStore } from '../stores/ephemeral/port.ts';
import type { RelationalStore } from '../stores/relational/port.ts';

/** The time by which usage is booked: this machine's, unless that can't be right. */
export interface BookingClock {
  /** Throws `ClockUnreliable` while it can't be right. */
  time(): Date;
  /** Why it can't be right, in a sentence for the operator; null when nothing speaks against it. */
  problem(): string | null;
  /** Tells from now on, within half a minute, when it is found wrong (why) and when it is right again (null). */
  onChange(hear: (problem: string | null) => void): void;
  close(): void;
}

/** Usage can't be booked: it would be booked on a wrong day. The message is for the operator. */
export class ClockUnreliable extends Error {
  override readonly name = 'ClockUnreliable';
}

interface Options {
  /** Usage that is booked later than this is not compared: it was booked by a clock that was wrong. */
  ignoreAfter?: Date | undefined;
  now?: () => number;
  /** Milliseconds since any moment, whatever becomes of the clock. */
  monotonic?: () => number;
  everyMs?: number;
}

const minute = 60_000;
const day = 24 * 60 * minute;
/** Clocks differ, and are set right. */
const toleranceMs = 5 * minute;
/** While the process runs: a machine that slept is as far ahead of it as it slept. */
const maxLeapMs = 7 * day;

/** Why it can't be this time. */
type Judge = (now: number) => string | null;

/**
 * Compares the clock with the database's, where that is a server; else with the last usage that was booked, and with the time
 * that the process has run.
 */
export async function openBookingClock(
  { relational, ephemeral }: { relational: RelationalStore; ephemeral: Pick<EphemeralStore, 'settle'> },
  { ignoreAfter, now = Date.now, monotonic = () => performance.now(), everyMs = minute / 2 }: Options = {},
): Promise<BookingClock> {
  const isEmbedded = relational.engine === 'pglite';
  /** Neither an error nor a pause of the server is a reason to doubt the clock. */
  const lookAtServer = async () => {
    const time = await relational.ping().catch(() => null);
    if (time) server = { time: time.getTime(), at: monotonic() };
  };
  let server: { time: number; at: number } | null = null;
  let last = -Infinity;
  if (isEmbedded) {
    // What a killed process has left belongs to what is booked; where it can't be read, others say so.
    await ephemeral.settle().catch(() => {});
    const latest = await relational.usage.latest(ignoreAfter).catch(() => null);
    last = latest?.getTime() ?? -Infinity;
  } else await lookAtServer();

  let seen = { time: now(), at: monotonic() };
  const byLedger: Judge = (time) => {
    if (time < last - toleranceMs)
      return `The clock says ${iso(time)}, but usage is booked up to ${iso(last)}: set the clock right; if it was wrong then, see IGNORE_USAGE_AFTER.`;
    const leap = time - seen.time - (monotonic() - seen.at);
    if (leap > maxLeapMs)
      return `The clock went ahead by ${Math.round(leap / day)} days at once, to ${iso(time)}: set it right, or start again if it is right now.`;
    seen = { time, at: monotonic() };
    return null;
  };
  const byServer: Judge = (time) => {
    if (!server) return null;
    const expected = server.time + monotonic() - server.at;
    if (Math.abs(time - expected) <= toleranceMs) return null;
    return `The clock says ${iso(time)}, but the database's says ${iso(expected)}: set the one that is wrong right.`;
  };
  const judge = isEmbedded ? byLedger : byServer;

  const listeners: ((problem: string | null) => void)[] = [];
  let wasRight = true;
  const tell = () => {
    const problem = judge(now());
    if ((problem === null) !== wasRight) for (const hear of listeners) hear(problem);
    wasRight = problem === null;
  };
  const timer = setInterval(() => {
    if (isEmbedded) tell();
    else void lookAtServer().then(tell);
  }, everyMs).unref();

  return {
    time() {
      const time = now();
      const problem = judge(time);
      if (problem !== null) throw new ClockUnreliable(problem);
      last = Math.max(last, time);
      return new Date(time);
    },
    problem: () => judge(now()),
    onChange(hear) {
      listeners.push(hear);
      tell();
    },
    close: () => clearInterval(timer),
  };
}

const iso = (time: number) => new Date(time).toISOString();
