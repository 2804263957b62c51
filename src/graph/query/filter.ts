import type { Operator, Preparation, Rows } from './execution.ts';
import type { Compiled } from './scope.ts';
import { written } from './written.ts';
import type { Expression } from './syntax.ts';

/** Keeps the rows for which a condition is true. */
export function filter(expression: Expression, { evaluate }: Compiled, preparation: Preparation): Operator {
  return {
    name: 'Filter',
    detail: written(expression),
    inner: preparation.inner,
    async *run(rows: Rows) {
      for await (const batch of rows) {
        await preparation.of(batch);
        const kept = batch.filter((row) => evaluate(row) === true);
        if (kept.length > 0) yield kept;
      }
    },
  };
}
