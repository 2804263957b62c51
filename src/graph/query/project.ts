import type { Value } from '../../model/property-graph.ts';
import { aggregate, isAggregate } from './aggregate.ts';
import type { Column } from './aggregate.ts';
import { aggregates } from './aggregates.ts';
import { compile, compileCondition } from './compile.ts';
import { Preparation } from './execution.ts';
import type { Execution, Operator, PlanHoisted, Rows } from './execution.ts';
import { QueryFailure } from './failure.ts';
import { filter } from './filter.ts';
import { mentioned } from './mentioned.ts';
import { Scope } from './scope.ts';
import type { Compiled, Row, Variable } from './scope.ts';
import { distinct, limit, skip, sort } from './rows.ts';
import { inside } from './syntax.ts';
import type { Expression, Item, Projection } from './syntax.ts';
import { written } from './written.ts';

/** Plans WITH and RETURN, and gives the scope behind it. */
export function planProjection(
  clause: Projection,
  before: Scope,
  execution: Execution,
  planHoisted: PlanHoisted,
): { operators: Operator[]; scope: Scope } {
  const items = itemsOf(clause, before);
  const make = (expressions: readonly Compiled[]) => new Preparation(execution, expressions, planHoisted);
  const isAggregating = items.some(({ expression }) => isAggregate(expression));
  const order = [...clause.order.map(({ by }) => by), ...(clause.where ? [clause.where] : [])];
  if (clause.where && isAggregate(clause.where))
    throw new QueryFailure(
      'SyntaxError',
      'InvalidAggregation',
      'WHERE does not aggregate: give it a name in WITH.',
      clause.where.at,
    );
  if (!isAggregating && order.some(isAggregate))
    throw new QueryFailure(
      'SyntaxError',
      'InvalidAggregation',
      'ORDER BY aggregates only what WITH or RETURN aggregates.',
      clause.at,
    );
  const { operators, columns, orderBy, scope } = isAggregating
    ? grouped(items, order, before, execution, make)
    : plain(items, order, before, execution, make);
  // Behind DISTINCT and aggregation only the columns are left.
  const seen = isAggregating || clause.distinct ? columnsOnly(columns, scope) : withColumns(columns, scope);
  if (clause.distinct)
    operators.push(
      distinct(
        columns.map(({ slot }) => slot),
        execution,
      ),
    );
  const top = boundOf(clause.limit, 'LIMIT', execution);
  const skipped = boundOf(clause.skip, 'SKIP', execution);
  if (clause.order.length > 0) {
    const by = orderBy.slice(0, clause.order.length).map((expression, index) => ({
      ...compile(expression, seen, execution),
      descending: clause.order[index]?.descending ?? false,
    }));
    const detail = clause.order
      .map(({ by: each, descending }) => `${written(each)}${descending ? ' DESC' : ''}`)
      .join(', ');
    operators.push(
      sort(by, { detail, preparation: make(by), top: top === null ? null : top + (skipped ?? 0) }, execution),
    );
  }
  if (skipped !== null) operators.push(skip(skipped));
  if (top !== null) operators.push(limit(top));
  const where = orderBy[clause.order.length];
  if (clause.where && where) {
    const condition = compileCondition(where, seen, execution);
    operators.push(filter(clause.where, condition, make([condition])));
  }
  const unnamed = items.find(({ isNamed }) => !isNamed);
  if (clause.kind === 'with' && unnamed)
    throw new QueryFailure(
      'SyntaxError',
      'NoExpressionAlias',
      `WITH needs a name for ${unnamed.name}: write AS.`,
      unnamed.expression.at,
    );
  const after = new Scope();
  for (const { name, type } of columns) after.declare(name, type);
  operators.push(cut(columns.map(({ slot }) => slot)));
  return { operators, scope: after };
}

/** What is projected, with what `*` stands for. */
function itemsOf({ kind, all, items, at }: Projection, before: Scope): Item[] {
  const names = all ? [...before.variables.keys()].sort() : [];
  if (all && names.length === 0 && kind === 'return')
    throw new QueryFailure('SyntaxError', 'NoVariablesInScope', 'There are no variables that * could stand for.', at);
  const found = [
    ...names.map((name): Item => ({ expression: { kind: 'variable', name, at }, name, isNamed: true })),
    ...items,
  ];
  const seen = new Set<string>();
  for (const { name, expression } of found) {
    if (seen.has(name))
      throw new QueryFailure('SyntaxError', 'ColumnNameConflict', `Two columns are called ${name}.`, expression.at);
    seen.add(name);
  }
  return found;
}

interface Projected {
  operators: Operator[];
  columns: Column[];
  orderBy: Expression[];
  /** Of the rows behind the operators. */
  scope: Scope;
}

type Make = (expressions: readonly Compiled[]) => Preparation;

function plain(
  items: readonly Item[],
  order: readonly Expression[],
  before: Scope,
  execution: Execution,
  make: Make,
): Projected {
  const compiled = items.map(({ expression, name }) => ({ name, ...compile(expression, before, execution) }));
  const scope = before.inner();
  const columns = compiled.map(({ name, type }): Column => ({ name, type, slot: scope.slot() }));
  const operator = compute(compiled, columns, make(compiled), items);
  // ORDER BY may repeat what a column says, also where that is not visible any more.
  const orderBy = order.map((by) => replaced(by, items, columns));
  return { operators: [operator], columns, orderBy, scope };
}

function compute(
  compiled: readonly Compiled[],
  columns: readonly Column[],
  preparation: Preparation,
  items: readonly Pick<Item, 'expression'>[],
): Operator {
  return {
    name: 'Project',
    detail: items.map(({ expression }) => written(expression)).join(', '),
    inner: preparation.inner,
    async *run(rows: Rows) {
      for await (const batch of rows) {
        await preparation.of(batch);
        yield batch.map((row) => {
          const values = compiled.map(({ evaluate }) => evaluate(row));
          const copy = [...row];
          for (const [index, { slot }] of columns.entries()) copy[slot] = values[index] ?? null;
          return copy;
        });
      }
    },
  };
}

/** Groups by what does not aggregate, then computes from the groups. */
function grouped(
  items: readonly Item[],
  order: readonly Expression[],
  before: Scope,
  execution: Execution,
  make: Make,
): Projected {
  const keys = items.filter(({ expression }) => !isAggregate(expression));
  const scope = new Scope();
  const groups = keys.map(({ name, expression }) => ({ name, expression, slot: scope.slot() }));
  const calls: { expression: Expression; slot: number }[] = [];
  const isSimple = ({ kind }: Expression) =>
    kind === 'variable' || kind === 'property' || kind === 'parameter' || kind === 'literal';
  const rewrite = (expression: Expression, isBeside: boolean, isOrder = false): Expression =>
    rewritten(expression, (each) => {
      // Beside what aggregates may stand what a column is, when that is a variable or a property, and no more.
      const group = groups.find((one) => isAlike(one.expression, each) && (!isBeside || isSimple(each)));
      if (group) return { kind: 'slot', slot: group.slot, at: each.at };
      if (each.kind !== 'countAll' && !(each.kind === 'call' && aggregates.has(each.name))) return null;
      const known = calls.find((one) => isAlike(one.expression, each));
      if (known) return { kind: 'slot', slot: known.slot, at: each.at };
      if (isOrder) checkOrder(each);
      const slot = scope.slot();
      calls.push({ expression: each, slot });
      return { kind: 'slot', slot, at: each.at };
    });
  const checkOrder = (each: Expression) => {
    // What is not projected is gone when the rows are sorted.
    for (const name of mentioned(each))
      if (!groups.some(({ expression }) => expression.kind === 'variable' && expression.name === name))
        throw new QueryFailure(
          'SyntaxError',
          'UndefinedVariable',
          `ORDER BY aggregates over ${name}, which is not projected.`,
          each.at,
        );
  };
  const outputs = items.map(({ name, expression }) => ({
    name,
    expression: rewrite(expression, isAggregate(expression)),
    given: expression,
  }));
  for (const { expression, given } of outputs) if (isAggregate(given)) checkUnambiguous(expression, new Set(), given);
  const columnNames = new Set(items.map(({ name }) => name));
  const orderBy = order.map((by) => {
    const isAggregating = isAggregate(by);
    const expression = rewrite(replacedAll(by, outputs), isAggregating, true);
    const known = new Set(groups.flatMap((group) => [...mentioned(group.expression)]));
    if (isAggregating) checkUnambiguous(expression, columnNames, by, known);
    return expression;
  });
  const compiled = outputs.map(({ name, expression }) => ({ name, ...compile(expression, scope, execution) }));
  const columns = compiled.map(({ name, type }, index): Column => {
    const group = groups.find((each) => each.name === items[index]?.name);
    return { name, type: group ? compile(group.expression, before, execution).type : type, slot: scope.slot() };
  });
  const operator = aggregate(groups, calls, before, execution, make);
  return { operators: [operator, compute(compiled, columns, make(compiled), outputs)], columns, orderBy, scope };
}

/** Beside what aggregates only what the rows are grouped by may stand. */
function checkUnambiguous(
  expression: Expression,
  names: ReadonlySet<string>,
  given: Expression,
  known?: ReadonlySet<string>,
): void {
  for (const name of mentioned(expression)) {
    if (known?.has(name) === false && !names.has(name))
      throw new QueryFailure(
        'SyntaxError',
        'UndefinedVariable',
        `There is no variable ${JSON.stringify(name)} behind what aggregates.`,
        given.at,
      );
    if (!names.has(name) && !localsOf(given).has(name))
      throw new QueryFailure(
        'SyntaxError',
        'AmbiguousAggregationExpression',
        `${name} stands beside what aggregates, and the rows are not grouped by it alone: give it a column of its own.`,
        given.at,
      );
  }
}

/** Variables of lists that are inside. */
function localsOf(expression: Expression, names = new Set<string>()): Set<string> {
  if (expression.kind === 'comprehension' || expression.kind === 'quantifier') names.add(expression.variable);
  if (expression.kind === 'reduce') names.add(expression.variable).add(expression.accumulator);
  for (const each of inside(expression)) localsOf(each, names);
  return names;
}

const told = (expression: Expression) =>
  JSON.stringify(expression, (key, value: unknown) =>
    key === 'at' ? undefined : typeof value === 'bigint' ? `${value}n` : value,
  );

/** Whether two say the same, wherever they stand. */
export const isAlike = (a: Expression, b: Expression) => a.kind === b.kind && told(a) === told(b);

/** What ORDER BY says, with the place of a column for what that column computes. */
function replaced(by: Expression, items: readonly Item[], columns: readonly Column[]): Expression {
  return rewritten(by, (each) => {
    if (each.kind === 'variable' || each.kind === 'literal') return null;
    const index = items.findIndex(({ expression }) => isAlike(expression, each));
    const column = columns[index];
    return column ? { kind: 'slot', slot: column.slot, at: each.at } : null;
  });
}

/** Names of columns in ORDER BY beside aggregates, as what they stand for. */
function replacedAll(by: Expression, outputs: readonly { name: string; given: Expression }[]): Expression {
  return rewritten(by, (each) => {
    if (each.kind !== 'variable') return null;
    return outputs.find(({ name }) => name === each.name)?.given ?? null;
  });
}

/** A copy in which some parts are others; what was put in is not looked into. */
function rewritten(expression: Expression, other: (each: Expression) => Expression | null): Expression {
  const found = other(expression);
  if (found) return found;
  const copy: Record<string, unknown> = { ...expression };
  const deep = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(deep);
    if (value === null || typeof value !== 'object' || value instanceof Map) return value;
    if ('kind' in value && 'at' in value) return rewritten(value as Expression, other);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, deep(each)]));
  };
  if (expression.kind === 'literal') return expression;
  for (const [name, value] of Object.entries(expression)) copy[name] = deep(value);
  return copy as Expression;
}

function columnsOnly(columns: readonly Column[], scope: Scope): Scope {
  const variables = columns.map(({ name, slot, type }): [string, Variable] => [name, { slot, type }]);
  return scope.with(new Map(variables));
}

function withColumns(columns: readonly Column[], scope: Scope): Scope {
  const only = columnsOnly(columns, scope).variables;
  return scope.with(new Map([...scope.variables, ...only]));
}

/** The number behind SKIP or LIMIT, which is known before anything runs. */
function boundOf(expression: Expression | null, what: string, execution: Execution): number | null {
  if (expression === null) return null;
  if (mentioned(expression).size > 0)
    throw new QueryFailure('SyntaxError', 'NonConstantExpression', `${what} takes no variables.`, expression.at);
  const value: Value = compile(expression, new Scope(), execution).evaluate([]);
  if (typeof value !== 'bigint')
    throw new QueryFailure('SyntaxError', 'InvalidArgumentType', `${what} takes a whole number.`, expression.at);
  if (value < 0n)
    throw new QueryFailure(
      'SyntaxError',
      'NegativeIntegerArgument',
      `${what} takes a number of at least 0.`,
      expression.at,
    );
  return Number(value);
}

/** Leaves the columns, in their order. */
function cut(slots: readonly number[]): Operator {
  return {
    name: 'Columns',
    detail: '',
    async *run(rows: Rows) {
      for await (const batch of rows) yield batch.map((row): Row => slots.map((slot) => row[slot] ?? null));
    },
  };
}
