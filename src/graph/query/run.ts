import type { PropertyGraph, Value } from '../../model/property-graph.ts';
import type { DirectQuery } from '../../model/direct-query.ts';
import { directQuery } from './direct.ts';
import { Effort, tooLong } from './effort.ts';
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

/** What answers queries: the whole of those that it can, and of others each step. */
export interface Answering {
  answer(query: DirectQuery): Promise<Value[][] | 'time' | null>;
  query<T>(work: (graph: PropertyGraph) => Promise<T>): Promise<T>;
}

interface Given {
  parameters: ReadonlyMap<string, Value>;
  limits: Limits;
  signal?: AbortSignal | undefined;
}

/** Nothing is read of it: for seeing whether a query is right. */
const unread: PropertyGraph = {
  cost: () => 1,
  async *nodes() {},
  steps: async () => [],
  nodeProperties: async () => [],
  edgeProperties: async () => [],
};

/** Answers a query that was read from text: in one go where the engine can do that, else from step to step. */
export async function answerQuery(query: Query, graph: Answering, given: Given): Promise<QueryAnswer> {
  const { parameters, limits, signal } = given;
  const direct = directQuery(query, parameters, limits);
  if (direct) {
    const effort = new Effort(limits, signal);
    const { columns } = planQuery(query, new Execution(unread, effort, parameters));
    const rows = await graph.answer(direct);
    if (rows === 'time') throw tooLong(limits);
    if (rows) {
      take(rows, effort);
      const plan = [{ operator: 'Direct', detail: 'all in one statement of the engine', inner: [] }];
      return { columns, rows, plan, work: effort.work };
    }
  }
  return graph.query((found) => runQuery(query, found, given));
}

/** Sees that an answer that is held is no larger than it may be. */
function take(rows: readonly Value[][], effort: Effort, before = 0): void {
  effort.spend(rows.length);
  for (const row of rows) effort.keep(row.reduce<number>((sum, value) => sum + effort.sizeOf(value), 0));
  const { maxRows } = effort.limits;
  if (before + rows.length > maxRows)
    throw new QueryFailure(
      'Limit',
      'rows',
      `The answer has more than ${maxRows} rows. Add LIMIT, or count() and the like; ORDER BY with SKIP and LIMIT gives pages.`,
    );
}

/** Answers a query that was read from text, from step to step. */
export async function runQuery(
  query: Query,
  graph: PropertyGraph,
  { parameters, limits, signal }: Given,
): Promise<QueryAnswer> {
  const effort = new Effort(limits, signal);
  const execution = new Execution(graph, effort, parameters);
  const { columns, parts, run } = planQuery(query, execution);
  const plan = parts.flatMap((operators) => operators.map(stepOf));
  if (query.explain) return { columns, rows: null, plan, work: 0 };
  const rows: Value[][] = [];
  for await (const batch of run()) {
    take(batch, effort, rows.length);
    rows.push(...batch);
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
