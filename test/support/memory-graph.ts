import { EdgeValue, NodeValue, PathValue } from '../../src/model/property-graph.ts';
import type { Key, PropertyGraph, Step, Value } from '../../src/model/property-graph.ts';
import { parseQuery } from '../../src/graph/query/parse.ts';
import { runQuery } from '../../src/graph/query/run.ts';
import type { Limits } from '../../src/graph/query/effort.ts';
import type { Clause, Expression, Pattern } from '../../src/graph/query/syntax.ts';

interface MemoryNode {
  labels: string[];
  properties: Map<string, Value>;
}
interface MemoryEdge {
  type: string;
  from: number;
  to: number;
  properties: Map<string, Value>;
}

/** Where nothing bounds a query. */
export const unlimited: Limits = {
  maxWork: 5e6,
  maxKept: 1e6,
  maxRows: 1e6,
  maxHops: Infinity,
  maxMs: 20_000,
  maxValueSize: 2e6,
};

/** Any labels, types and properties, made by CREATE: what the planner is tested on as scenarios have it. */
export class MemoryGraph implements PropertyGraph {
  readonly held: MemoryNode[] = [];
  readonly edges: MemoryEdge[] = [];

  cost({ label }: { label: string | null }): number {
    return label === null ? this.held.length : this.held.length / 2;
  }

  async *nodes({ label }: { label: string | null }): AsyncIterable<Step['other'][]> {
    yield this.held.flatMap(({ labels }, key) => (label === null || labels.includes(label) ? [{ key, labels }] : []));
  }

  async steps(keys: readonly Key[], direction: 'in' | 'out', types: readonly string[] | null): Promise<Step[]> {
    return keys.flatMap((node, from) =>
      this.edges.flatMap((edge, key): Step[] => {
        const [here, there] = direction === 'out' ? [edge.from, edge.to] : [edge.to, edge.from];
        if (here !== node || (types && !types.includes(edge.type))) return [];
        return [
          { from, edge: { key, type: edge.type }, other: { key: there, labels: this.held[there]?.labels ?? [] } },
        ];
      }),
    );
  }

  nodeProperties = async (keys: readonly Key[]) => keys.map((key) => this.held[Number(key)]?.properties ?? new Map());
  edgeProperties = async (keys: readonly Key[]) => keys.map((key) => this.edges[Number(key)]?.properties ?? new Map());

  /** Runs a query of reading clauses and CREATE. */
  async create(text: string): Promise<void> {
    let clauses = parseQuery(text, Infinity).parts[0] ?? [];
    let rows = [new Map<string, Value>()];
    while (clauses.length > 0) {
      const at = clauses.findIndex(({ kind }) => kind === 'create');
      const create = clauses[at];
      if (create?.kind !== 'create') return;
      if (at > 0) rows = await this.read([...imported(rows), ...clauses.slice(0, at)], rows);
      for (const row of rows) for (const pattern of create.patterns) await this.createPattern(pattern, row);
      clauses = clauses.slice(at + 1);
    }
  }

  /** All variables behind these clauses. */
  private async read(clauses: Clause[], before: readonly ReadonlyMap<string, Value>[]): Promise<Map<string, Value>[]> {
    const { columns, rows } = await runQuery({ explain: false, parts: [[...clauses, everything]], all: false }, this, {
      parameters: new Map([['rows', before.map((row) => new Map(row))]]),
      limits: unlimited,
    });
    return (rows ?? []).map(
      (row) => new Map(columns.map((name, index): [string, Value] => [name, row[index] ?? null])),
    );
  }

  private async createPattern({ nodes, edges }: Pattern, variables: Map<string, Value>): Promise<void> {
    const keys: number[] = [];
    for (const { variable, labels, properties } of nodes) {
      const known = variable === null ? undefined : variables.get(variable);
      if (known instanceof NodeValue) {
        keys.push(Number(known.key));
        continue;
      }
      const key =
        this.held.push({ labels: [...new Set(labels)], properties: await this.evaluated(properties, variables) }) - 1;
      keys.push(key);
      if (variable !== null) variables.set(variable, new NodeValue(key, labels));
    }
    for (const [index, { variable, types, direction, properties }] of edges.entries()) {
      const [left = 0, right = 0] = [keys[index], keys[index + 1]];
      const [from, to] = direction === 'in' ? [right, left] : [left, right];
      const key =
        this.edges.push({ type: types[0] ?? '', from, to, properties: await this.evaluated(properties, variables) }) -
        1;
      const [start, end] = [from, to].map((each) => new NodeValue(each, this.held[each]?.labels ?? []));
      if (variable !== null && start && end) variables.set(variable, new EdgeValue(key, types[0] ?? '', start, end));
    }
  }

  private async evaluated(
    properties: Expression | null,
    variables: ReadonlyMap<string, Value>,
  ): Promise<Map<string, Value>> {
    if (properties === null) return new Map();
    const items = [{ expression: properties, name: 'made', isNamed: true }];
    const [row] = await this.read(
      [...imported([variables]), { ...everything, kind: 'with', all: false, items }],
      [variables],
    );
    const made = row?.get('made');
    return new Map(made instanceof Map ? [...made].filter(([, value]) => value !== null) : []);
  }
}

/** Clauses that bind what was there or created before. */
function imported(rows: readonly ReadonlyMap<string, Value>[]): Clause[] {
  const names = [...(rows[0]?.keys() ?? [])];
  const row: Expression = { kind: 'variable', name: 'row before', at: 0 };
  const items = names.map((name) => ({
    expression: { kind: 'property' as const, of: row, name, at: 0 },
    name,
    isNamed: true,
  }));
  return [
    { kind: 'unwind', list: { kind: 'parameter', name: 'rows', at: 0 }, variable: 'row before', at: 0 },
    ...(names.length === 0 ? [] : [{ ...everything, kind: 'with' as const, all: false, items }]),
  ];
}

const everything: Clause & { kind: 'return' | 'with' } = {
  kind: 'return',
  distinct: false,
  all: true,
  items: [],
  order: [],
  skip: null,
  limit: null,
  where: null,
  at: 0,
};

/** A value as the TCK writes it: nodes and relationships by labels and properties. */
export function shown(value: Value, sortLists = false): string {
  const again = (each: Value) => shown(each, sortLists);
  const properties = (map: ReadonlyMap<string, Value>) => {
    const entries = [...map].map(([name, each]) => `${name}: ${again(each)}`).sort();
    return entries.length === 0 ? '' : `{${entries.join(', ')}}`;
  };
  const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(' ');
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : String(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    const items = value.map(again);
    return `[${(sortLists ? items.sort() : items).join(', ')}]`;
  }
  if (value instanceof Map) return properties(value) || '{}';
  const labels = (node: NodeValue) =>
    node.labels
      .toSorted()
      .map((label) => `:${label}`)
      .join('');
  const node = (each: NodeValue) => `(${joined(labels(each), properties(each.properties ?? new Map()))})`;
  const edge = (each: EdgeValue) => `[${joined(`:${each.type}`, properties(each.properties ?? new Map()))}]`;
  if (value instanceof NodeValue) return node(value);
  if (value instanceof EdgeValue) return edge(value);
  if (!(value instanceof PathValue)) return '';
  let text = node(value.nodes[0] ?? new NodeValue('', []));
  for (const [index, each] of value.edges.entries()) {
    const isOut = each.from.key === value.nodes[index]?.key;
    text += `${isOut ? '' : '<'}-${edge(each)}-${isOut ? '>' : ''}${node(value.nodes[index + 1] ?? new NodeValue('', []))}`;
  }
  return `<${text}>`;
}
