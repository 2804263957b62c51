import type { EventEmitter } from 'node:events';
import { HttpError } from './errors.ts';
import { problems } from './problems.ts';

/** Whom a piece of work is done for: an organization, or an address that has shown no valid key. */
export interface Party {
  id: string;
  hasKey: boolean;
}

/** How much may be under way, and how much may wait for it. */
export interface AdmissionLimits {
  /** Asked anew each time: it may change. 0 lets nobody in. */
  maxInFlight: () => number;
  /** Of one party, however much is free: whoever asks beside it waits behind as many before a store. */
  maxInFlightOfOne: number;
  maxWaiting: number;
  maxWaitMs: number;
}

/** Lets work begin, in fair turns. */
export interface Admission {
  /** Whether this party would not have to wait. */
  hasRoom(party: Party): boolean;
  /**
   * Resolves when it is this party's turn, to what must be called when the work is done. Throws `overloaded` when too many wait
   * or this one has waited too long; nobody is waited for who is gone, by the `close` of `response`.
   */
  enter(party: Party, response: EventEmitter): Promise<() => void>;
}

interface Line extends Party {
  inFlight: number;
  /** Each begins the work; the first has waited longest. */
  waiting: Set<() => void>;
}

/** One for all: what it says is always the same, and to refuse must cost next to nothing. */
const overloaded = new HttpError(problems.overloaded, { headers: { 'Retry-After': '1' } });

/**
 * Turns for all who come. A party has at most as much under way as is still free: so one alone may take half of all, several
 * share it alike, and whoever comes next always finds room. The same goes for places to wait. Half is kept for parties with a
 * key. To let callers wait keeps more of the goodput than to refuse them: who is refused asks again at once, and refusals that
 * fill each turn of the event loop leave none to the work.
 */
export function createAdmission(limits: AdmissionLimits): Admission {
  const lines = new Map<string, Line>();
  const counts = { inFlight: 0, open: 0, waiting: 0, waitingOpen: 0 };
  /** Those where somebody waits, in the order of their turns. */
  const turns = { keyed: new Set<Line>(), open: new Set<Line>() };

  const admits = ({ hasKey, inFlight }: Pick<Line, 'hasKey' | 'inFlight'>) => {
    const most = limits.maxInFlight();
    if (!hasKey && counts.open >= most / 2) return false;
    return inFlight < Math.min(most - counts.inFlight, limits.maxInFlightOfOne);
  };
  const hasPlace = ({ hasKey, waiting }: Line) =>
    waiting.size < limits.maxWaiting - counts.waiting && (hasKey || counts.waitingOpen < limits.maxWaiting / 2);

  const turnsOf = ({ hasKey }: Party) => (hasKey ? turns.keyed : turns.open);
  const count = (line: Line, by: 1 | -1) => {
    line.inFlight += by;
    counts.inFlight += by;
    if (!line.hasKey) counts.open += by;
  };
  const countWaiting = (line: Line, by: 1 | -1) => {
    counts.waiting += by;
    if (!line.hasKey) counts.waitingOpen += by;
  };
  const forget = (line: Line) => {
    if (line.inFlight === 0 && line.waiting.size === 0) lines.delete(nameOf(line));
  };

  const begin = (line: Line) => {
    count(line, 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      count(line, -1);
      beginNext();
      forget(line);
    };
  };
  /** The first of the next line that may begin; its line then waits for all others. */
  const beginOne = (): boolean => {
    for (const kind of [turns.keyed, turns.open])
      for (const line of kind) {
        if (!admits(line)) {
          // What holds one of them holds all of them.
          if (!line.hasKey && counts.open >= limits.maxInFlight() / 2) break;
          continue;
        }
        const [start] = line.waiting;
        kind.delete(line);
        kind.add(line);
        start?.();
        return true;
      }
    return false;
  };
  const beginNext = () => {
    while (counts.waiting > 0 && counts.inFlight < limits.maxInFlight() && beginOne());
  };

  const wait = (line: Line, response: EventEmitter) =>
    new Promise<() => void>((resolve, reject) => {
      const leaveLine = () => {
        clearTimeout(timer);
        response.off('close', giveUp);
        line.waiting.delete(start);
        countWaiting(line, -1);
        if (line.waiting.size === 0) turnsOf(line).delete(line);
      };
      const start = () => {
        leaveLine();
        resolve(begin(line));
      };
      const giveUp = () => {
        leaveLine();
        forget(line);
        reject(overloaded);
      };
      const timer = setTimeout(giveUp, limits.maxWaitMs);
      response.once('close', giveUp);
      line.waiting.add(start);
      countWaiting(line, 1);
      turnsOf(line).add(line);
    });

  return {
    hasRoom(party) {
      const line = lines.get(nameOf(party));
      return (line === undefined || line.waiting.size === 0) && admits({ ...party, inFlight: line?.inFlight ?? 0 });
    },
    async enter(party, response) {
      // What was no room may have become some without anybody going: the most that is allowed changes.
      beginNext();
      const name = nameOf(party);
      const line = lines.get(name) ?? { ...party, inFlight: 0, waiting: new Set() };
      lines.set(name, line);
      if (line.waiting.size === 0 && admits(line)) return begin(line);
      // Who could not wait for a turn that never comes is told so at once.
      if (limits.maxInFlight() > 0 && hasPlace(line)) return wait(line, response);
      forget(line);
      throw overloaded;
    },
  };
}

const nameOf = ({ id, hasKey }: Party) => `${hasKey ? 'key' : 'address'} ${id}`;
