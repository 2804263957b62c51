import type { Value } from '../../model/property-graph.ts';
import { aggregates } from './aggregates.ts';
import type { Aggregate } from './aggregates.ts';
import { compile } from './compile.ts';
import { batched } from './execution.ts';
import type { Execution, Operator, Preparation, Rows } from './execution.ts';
import { QueryFailure } from './failure.ts';
import type { Compiled, Row, Scope, Variable } from './scope.ts';
import { inside } from './syntax.ts';
import type { Expression } from './syntax.ts';
import { keyOf } from './values.ts';
import { written } from './written.ts';

export interface Column {
  name: string;
  slot: number;
  type: Variable['type'];
}

interface Placed {
  expression: Expression;
  slot: number;
}

interface Group {
  row: Row;
  totals: { aggregate: Aggregate; seen: Set<string> | null }[];
}

/** One row for each group: the values that it has in common, and what was added up of its rows. */
export function aggregate(
  groups: readonly Placed[],
  calls: readonly Placed[],
  before: Scope,
  execution: Execution,
  make: (expressions: readonly Compiled[]) => Preparation,
): Operator {
  const { effort } = execution;
  const by = groups.map(({ expression }) => compile(expression, before, execution));
  const totals = calls.map(({ expression }) => totalOf(expression, before, execution));
  const preparation = make([...by, ...totals.flatMap(({ inputs }) => inputs)]);

  function begun(values: readonly Value[]): Group {
    effort.keep(1 + values.length + calls.length);
    const row: Row = [];
    for (const [index, { slot }] of groups.entries()) row[slot] = values[index] ?? null;
    return {
      row,
      totals: totals.map(({ start, isDistinct }) => ({
        aggregate: start(effort),
        seen: isDistinct ? new Set() : null,
      })),
    };
  }

  function add({ totals: own }: Group, row: Row): void {
    for (const [index, { inputs }] of totals.entries()) {
      const total = own[index];
      const [value, parameter] = inputs.map(({ evaluate }) => evaluate(row));
      // Of count(*) there is no input, and each row counts.
      if (!total || value === null) continue;
      if (total.seen) {
        const key = keyOf(value ?? null);
        if (total.seen.has(key)) continue;
        effort.keep(1 + (key.length >> 6));
        total.seen.add(key);
      }
      total.aggregate.add(value ?? true, parameter ?? null);
    }
  }

  async function* found(rows: Rows): AsyncIterable<Row> {
    const all = new Map<string, Group>();
    // Without a group there is one, also of no rows.
    if (groups.length === 0) all.set('', begun([]));
    for await (const batch of rows) {
      await preparation.of(batch);
      for (const row of batch) {
        effort.spend(1);
        const values = by.map(({ evaluate }) => evaluate(row));
        const key = values.map(keyOf).join();
        const group = all.get(key) ?? begun(values);
        if (!all.has(key)) all.set(key, group);
        add(group, row);
      }
      await effort.turn();
    }
    for (const { row, totals: own } of all.values()) {
      for (const [index, { slot }] of calls.entries()) row[slot] = own[index]?.aggregate.result() ?? null;
      yield row;
    }
  }

  return {
    name: 'Aggregate',
    detail: [...groups, ...calls].map(({ expression }) => written(expression)).join(', '),
    inner: preparation.inner,
    run: (rows) => batched(found(rows)),
  };
}

/** Whether anything of many rows is in it. */
export function isAggregate(expression: Expression): boolean {
  const isOfList =
    expression.kind === 'comprehension' || expression.kind === 'quantifier' || expression.kind === 'reduce';
  if (isOfList && inside(expression).some((each) => each !== expression.list && isAggregate(each)))
    throw new QueryFailure(
      'SyntaxError',
      'InvalidAggregation',
      'Nothing is aggregated inside of a list: use WITH before.',
      expression.at,
    );
  if (expression.kind === 'countAll' || (expression.kind === 'call' && aggregates.has(expression.name))) return true;
  return inside(expression).some(isAggregate);
}

function totalOf(expression: Expression, before: Scope, execution: Execution) {
  const call =
    expression.kind === 'call' ? expression : { name: 'count', distinct: false, arguments: [], at: expression.at };
  const start = aggregates.get(call.name);
  const wanted = expression.kind === 'countAll' ? 0 : call.name.startsWith('percentile') ? 2 : 1;
  if (!start || call.arguments.length !== wanted)
    throw new QueryFailure(
      'SyntaxError',
      'InvalidNumberOfArguments',
      `${call.name}() takes ${wanted} arguments.`,
      expression.at,
    );
  if (call.arguments.some(isAggregate))
    throw new QueryFailure(
      'SyntaxError',
      'NestedAggregation',
      'What aggregates is not inside of what aggregates: use WITH between.',
      expression.at,
    );
  for (const each of call.arguments)
    if (each.kind === 'call' && each.name === 'rand')
      throw new QueryFailure(
        'SyntaxError',
        'NonConstantExpression',
        'What is aggregated is no random number.',
        each.at,
      );
  return { start, isDistinct: call.distinct, inputs: call.arguments.map((each) => compile(each, before, execution)) };
}
