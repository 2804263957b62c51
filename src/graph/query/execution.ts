import { EdgeValue, NodeValue, PathValue } from '../../model/property-graph.ts';
import type { Key, PropertyGraph, Step, Value } from '../../model/property-graph.ts';
import type { Effort } from './effort.ts';
import type { Compiled, Hoisted, Row } from './scope.ts';

/** Rows that go through an operator at one time. */
export const batchSize = 256;
/** Nodes that are known by key, so that what one row read the next need not. */
const maxKnown = 20_000;

export type Rows = AsyncIterable<Row[]>;

/** One step of a plan: rows in, rows out. */
export interface Operator {
  /** What EXPLAIN calls it. */
  name: string;
  detail: string;
  /** What runs for each row. */
  inner?: readonly Operator[];
  run(rows: Rows): Rows;
}

/** One run of one query. */
export class Execution {
  readonly graph: PropertyGraph;
  readonly effort: Effort;
  readonly parameters: ReadonlyMap<string, Value>;
  private known = new Map<Key, NodeValue>();

  constructor(graph: PropertyGraph, effort: Effort, parameters: ReadonlyMap<string, Value>) {
    this.graph = graph;
    this.effort = effort;
    this.parameters = parameters;
  }

  node({ key, labels }: Step['other']): NodeValue {
    const known = this.known.get(key);
    if (known) return known;
    if (this.known.size >= maxKnown) this.known = new Map();
    const node = new NodeValue(key, labels);
    this.known.set(key, node);
    return node;
  }

  /** Reads the properties of all nodes and edges in these values; with `ends` also those of the nodes at edges. */
  async read(values: Iterable<Value>, ends = false): Promise<void> {
    const nodes = new Map<NodeValue, Key>();
    const edges = new Map<EdgeValue, Key>();
    const seen = new Set<Value>();
    const look = (value: Value): void => {
      if (value === null || typeof value !== 'object' || seen.has(value)) return;
      seen.add(value);
      if (value instanceof NodeValue) {
        if (value.properties === null) nodes.set(value, value.key);
      } else if (value instanceof EdgeValue) {
        if (value.properties === null) edges.set(value, value.key);
        if (ends) [value.from, value.to].forEach(look);
      } else if (value instanceof PathValue) [...value.nodes, ...value.edges].forEach(look);
      else for (const each of value.values()) look(each);
    };
    for (const value of values) look(value);
    this.effort.spend(nodes.size + edges.size);
    if (nodes.size > 0) {
      const found = await this.graph.nodeProperties([...nodes.values()]);
      [...nodes.keys()].forEach((node, index) => (node.properties = found[index] ?? new Map<string, Value>()));
    }
    if (edges.size > 0) {
      const found = await this.graph.edgeProperties([...edges.values()]);
      [...edges.keys()].forEach((edge, index) => (edge.properties = found[index] ?? new Map<string, Value>()));
    }
  }
}

/** How the answer to a pattern inside of an expression comes into each row. */
export type PlanHoisted = (hoisted: Hoisted) => {
  operators: readonly Operator[];
  fill: (rows: Row[]) => Promise<void>;
};

/** Makes ready what expressions need of each row: patterns that are in them, then properties. */
export class Preparation {
  readonly inner: readonly Operator[];
  private readonly fills: readonly ((rows: Row[]) => Promise<void>)[];
  private readonly slots: readonly number[];
  private readonly ends: boolean;
  private readonly execution: Execution;

  constructor(execution: Execution, expressions: readonly Compiled[], plan: PlanHoisted) {
    this.execution = execution;
    const planned = expressions.flatMap(({ hoisted }) => hoisted.map(plan));
    this.inner = planned.flatMap(({ operators }) => operators);
    this.fills = planned.map(({ fill }) => fill);
    this.slots = [...new Set(expressions.flatMap(({ needs }) => [...needs]))];
    this.ends = expressions.some(({ needsEnds }) => needsEnds);
  }

  async of(rows: Row[]): Promise<void> {
    for (const fill of this.fills) await fill(rows);
    if (this.slots.length === 0) return;
    const { slots } = this;
    await this.execution.read(
      (function* () {
        for (const row of rows) for (const slot of slots) yield row[slot] ?? null;
      })(),
      this.ends,
    );
  }
}

/** One batch as rows. */
export async function* once(rows: Row[]): Rows {
  yield rows;
}

/** Batches that are neither empty nor too large. */
export async function* batched(rows: AsyncIterable<Row> | Iterable<Row>): Rows {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Rows through all operators, one after another. */
export const through = (operators: readonly Operator[], rows: Rows): Rows =>
  operators.reduce((before, operator) => operator.run(before), rows);
