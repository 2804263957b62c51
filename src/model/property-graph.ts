/** What a query may hold. Integers are `bigint`, floats `number`, so that 1 and 1.0 stay apart. */
export type Value =
  null | boolean | bigint | number | string | Value[] | Map<string, Value> | NodeValue | EdgeValue | PathValue;

/** By what a graph finds a node or an edge. */
export type Key = string | number;

/** A node as it is met: its properties are read when something asks for them. */
export class NodeValue {
  readonly key: Key;
  readonly labels: readonly string[];
  properties: ReadonlyMap<string, Value> | null = null;
  constructor(key: Key, labels: readonly string[]) {
    this.key = key;
    this.labels = labels;
  }
}

/** An edge likewise, with both of its ends. */
export class EdgeValue {
  readonly key: Key;
  readonly type: string;
  readonly from: NodeValue;
  readonly to: NodeValue;
  properties: ReadonlyMap<string, Value> | null = null;
  constructor(key: Key, type: string, from: NodeValue, to: NodeValue) {
    this.key = key;
    this.type = type;
    this.from = from;
    this.to = to;
  }
}

/** A way through the graph; a node more than edges. */
export class PathValue {
  readonly nodes: readonly NodeValue[];
  readonly edges: readonly EdgeValue[];
  constructor(nodes: readonly NodeValue[], edges: readonly EdgeValue[]) {
    this.nodes = nodes;
    this.edges = edges;
  }
}

/** What nodes are wanted: each has the label and these values of its properties. */
export interface NodesWanted {
  label: string | null;
  /** Of a graph that is quick at some of them; whoever asks looks again, so more may come than fit. */
  equal: ReadonlyMap<string, Value>;
}

/** One edge at a node that was asked for, and what is at its other end. */
export interface Step {
  /** Which of the keys that were asked for. */
  from: number;
  edge: { key: Key; type: string };
  other: { key: Key; labels: readonly string[] };
}

/** A graph with labels, types and properties, in whose terms queries are answered; one state of it, for as long as one query runs. */
export interface PropertyGraph {
  /** About how many nodes have to be looked at; for choosing where to begin. */
  cost(wanted: { label: string | null; equal: readonly string[] }): number;
  /** In batches. */
  nodes(wanted: NodesWanted): AsyncIterable<readonly Step['other'][]>;
  /** Edges out of these nodes or into them, of one of these types or of all (null); in the order of the keys. */
  steps(keys: readonly Key[], direction: 'in' | 'out', types: readonly string[] | null): Promise<Step[]>;
  /**
   * Of a graph that is quick at it: the nodes to which edges lead from this one, from one to another, from `min` (0 or 1) to `max`
   * of them, each once. Calls `spend` with the edges that it follows, and with the nodes that it holds.
   */
  reached?(
    key: Key,
    direction: 'in' | 'out',
    types: readonly string[] | null,
    within: { min: number; max: number; spend: (edges: number, nodes: number) => void },
  ): Promise<readonly Step['other'][]>;
  /** In the order of the keys. */
  nodeProperties(keys: readonly Key[]): Promise<readonly ReadonlyMap<string, Value>[]>;
  edgeProperties(keys: readonly Key[]): Promise<readonly ReadonlyMap<string, Value>[]>;
}

/** What JSON may hold. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A value of JSON as queries have it: whole numbers are integers. */
export function valueOf(json: Json): Value {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? BigInt(json) : json;
  if (Array.isArray(json)) return json.map(valueOf);
  if (json === null || typeof json !== 'object') return json;
  return new Map(Object.entries(json).map(([name, each]): [string, Value] => [name, valueOf(each)]));
}
