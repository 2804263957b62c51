import { setImmediate } from 'node:timers/promises';
import type { Value } from '../../model/property-graph.ts';
import { QueryFailure } from './failure.ts';

/** What one query may take; each says what to do where it is not enough. */
export interface Limits {
  /** Steps: a row, an edge that is followed, an element of a list, each counts one. */
  maxWork: number;
  /** Rows and values that are held at one time: groups, what is sorted, what was seen, ways that are not at their end. */
  maxKept: number;
  /** Rows of the answer. */
  maxRows: number;
  /** Relationships of one variable-length pattern. */
  maxHops: number;
  maxMs: number;
  /** Elements of a list, with those of the lists in it; characters of a string. */
  maxValueSize: number;
}

/** Steps before other work gets its turn. */
const maxAtOnce = 20_000;
/** Steps between two looks at the clock. */
const clockEvery = 1_000;

/** Counts what a query takes, and ends it where that is too much. */
export class Effort {
  work = 0;
  private kept = 0;
  readonly limits: Limits;
  private readonly signal: AbortSignal | undefined;
  private readonly end: number;
  private readonly sizes = new WeakMap<object, number>();
  private nextLook = clockEvery;
  private nextTurn = maxAtOnce;

  constructor(limits: Limits, signal?: AbortSignal) {
    this.limits = limits;
    this.signal = signal;
    this.end = performance.now() + limits.maxMs;
  }

  /** So many steps are taken. */
  spend(steps: number): void {
    this.work += steps;
    if (this.work < this.nextLook) return;
    this.nextLook = this.work + clockEvery;
    if (this.work > this.limits.maxWork) throw tooMuch('work', `more than ${this.limits.maxWork} steps`);
    if (this.signal?.aborted || performance.now() > this.end) throw tooLong(this.limits);
  }

  /** So many values more are held; fewer where it is negative. */
  keep(values: number): void {
    this.kept += values;
    if (this.kept > this.limits.maxKept)
      throw tooMuch('memory', `more than ${this.limits.maxKept} rows and values held at one time`);
  }

  /** Lets other work have its turn, now and then. */
  async turn(): Promise<void> {
    if (this.work < this.nextTurn) return;
    await setImmediate();
    this.nextTurn = this.work + maxAtOnce;
    this.spend(clockEvery);
  }

  /** A list or map that was made, when it is no larger than one may be. */
  made<T extends Value[] | Map<string, Value>>(value: T): T {
    const size = this.sizeOf(value);
    if (size > this.limits.maxValueSize)
      throw tooMuch('memory', `a list or map of more than ${this.limits.maxValueSize} elements`);
    this.spend(Array.isArray(value) ? value.length : value.size);
    return value;
  }

  /** Before a list of so many elements is made. */
  bound(length: number): void {
    if (length > this.limits.maxValueSize)
      throw tooMuch('memory', `a list of more than ${this.limits.maxValueSize} elements`);
  }

  /** Likewise a string, by the characters that it will have. */
  madeText(length: number): void {
    if (length > this.limits.maxValueSize)
      throw tooMuch('memory', `a text of more than ${this.limits.maxValueSize} characters`);
    this.spend(length >> 6);
  }

  /** Elements, with those of what is inside; a list that is inside twice counts twice, since whoever reads it reads it twice. */
  sizeOf(value: Value): number {
    if (typeof value === 'string') return 1 + (value.length >> 6);
    if (!Array.isArray(value) && !(value instanceof Map)) return 1;
    const known = this.sizes.get(value);
    if (known !== undefined) return known;
    let size = 1;
    for (const each of value.values()) size += this.sizeOf(each);
    this.sizes.set(value, size);
    return size;
  }
}

export const tooLong = ({ maxMs }: Limits) => tooMuch('time', `longer than ${maxMs / 1_000} seconds`);

const tooMuch = (name: string, what: string) =>
  new QueryFailure(
    'Limit',
    name,
    `The query takes ${what}. Begin at fewer nodes (an id, a name, a repository), bound paths more closely, add LIMIT before what is collected or sorted, or ask in parts.`,
  );
