import type { PropertyGraph, Value } from '../../model/property-graph.ts';
import { Effort } from './effort.ts';
import type { Limits } from './effort.ts';
import { Execution } from './execution.ts';
import type { Operator } from './execution.ts';
import { QueryFailure } from './failure.ts';
import { planQuery } from './plan.ts';
import type { Query } from './syntax.ts';

/** One step of a plan, with what it does for each row inside. */
export interface PlanStep {
  operator: string;
  detail: string;
  inner: PlanStep[];
}

export interface QueryAnswer {
  columns: string[];
  /** A value for each column; nodes and edges have their properties. Null where the plan alone was asked for. */
  rows: Value[][] | null;
  plan: PlanStep[];
  /** Steps that were taken. */
  work: number;
}

/** Answers a query that was read from text. */
export async function runQuery(
  query: Query,
  graph: PropertyGraph,
  {
    parameters,
    limits,
    signal,
  }: { parameters: ReadonlyMap<string, Value>; limits: Limits; signal?: AbortSignal | undefined },
): Promise<QueryAnswer> {
  const effort = new Effort(limits, signal);
  const execution = new Execution(graph, effort, parameters);
  const { columns, parts, run } = planQuery(query, execution);
  const plan = parts.flatMap((operators) => operators.map(stepOf));
  if (query.explain) return { columns, rows: null, plan, work: 0 };
  const rows: Value[][] = [];
  for await (const batch of run()) {
    rows.push(...batch);
    effort.spend(batch.length);
    for (const row of batch) effort.keep(row.reduce<number>((sum, value) => sum + effort.sizeOf(value), 0));
    if (rows.length > limits.maxRows)
      throw new QueryFailure(
        'Limit',
        'rows',
        `The answer has more than ${limits.maxRows} rows. Add LIMIT, or count() and the like; ORDER BY with SKIP and LIMIT gives pages.`,
      );
    await effort.turn();
  }
  await execution.read(rows.flat(), true);
  return { columns, rows, plan, work: effort.work };
}

const stepOf = ({ name, detail, inner = [] }: Operator): PlanStep => ({
  operator: name,
  detail,
  inner: inner.map(stepOf),
});
