import { batched } from './execution.ts';
import type { Execution, Operator, Preparation, Rows } from './execution.ts';
import type { Compiled, Row } from './scope.ts';
import { compare, keyOf } from './values.ts';

/** Each combination of these values once, the first of them. */
export function distinct(slots: readonly number[], { effort }: Execution): Operator {
  return {
    name: 'Distinct',
    detail: '',
    async *run(rows: Rows) {
      const seen = new Set<string>();
      for await (const batch of rows) {
        const fresh = batch.filter((row) => {
          const key = slots.map((slot) => keyOf(row[slot] ?? null)).join();
          if (seen.has(key)) return false;
          effort.keep(1 + (key.length >> 6));
          seen.add(key);
          return true;
        });
        if (fresh.length > 0) yield fresh;
      }
    },
  };
}

/** Sorts; with `top` only so many of the first are held. */
export function sort(
  by: readonly (Compiled & { descending: boolean })[],
  { detail, preparation, top }: { detail: string; preparation: Preparation; top: number | null },
  { effort }: Execution,
): Operator {
  const inOrder = (a: { keys: Row }, b: { keys: Row }): number => {
    for (const [index, { descending }] of by.entries()) {
      const order = compare(a.keys[index] ?? null, b.keys[index] ?? null);
      if (order !== 0) return descending ? -order : order;
    }
    return 0;
  };
  async function* found(rows: Rows): AsyncIterable<Row> {
    let held: { row: Row; keys: Row }[] = [];
    for await (const batch of rows) {
      await preparation.of(batch);
      for (const row of batch) held.push({ row, keys: by.map(({ evaluate }) => evaluate(row)) });
      effort.spend(batch.length);
      effort.keep(batch.length);
      if (top === null || held.length <= 2 * top + 1_000) continue;
      const first = held.toSorted(inOrder).slice(0, top);
      effort.keep(first.length - held.length);
      held = first;
      await effort.turn();
    }
    for (const { row } of held.sort(inOrder).slice(0, top ?? undefined)) yield row;
    effort.keep(-held.length);
  }
  return {
    name: top === null ? 'Sort' : 'Top',
    detail: top === null ? detail : `${top} by ${detail}`,
    inner: preparation.inner,
    run: (rows) => batched(found(rows)),
  };
}

export function skip(count: number): Operator {
  return {
    name: 'Skip',
    detail: String(count),
    async *run(rows: Rows) {
      let left = count;
      for await (const batch of rows) {
        const kept = batch.slice(left);
        left = Math.max(0, left - batch.length);
        if (kept.length > 0) yield kept;
      }
    },
  };
}

/** Stops asking when there are enough. */
export function limit(count: number): Operator {
  return {
    name: 'Limit',
    detail: String(count),
    async *run(rows: Rows) {
      let left = count;
      if (left === 0) return;
      for await (const batch of rows) {
        yield batch.slice(0, left);
        left -= batch.length;
        if (left <= 0) return;
      }
    },
  };
}
