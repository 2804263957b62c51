import {
  booleansOfNodes,
  numbersOfEdges,
  numbersOfNodes,
  textsOfEdges,
  textsOfNodes,
  type DirectColumn,
  type DirectComparison,
  type DirectCondition,
  type DirectEdge,
  type DirectProperty,
  type DirectQuery,
  type DirectValue,
} from '../../model/direct-query.ts';
import { edgeTypeSchema, nodeId, nodeTypeSchema } from '../../model/graph.ts';
import type { Value } from '../../model/property-graph.ts';
import type { Limits } from './effort.ts';
import { conjuncts } from './match.ts';
import { isAlike } from './project.ts';
import type { EdgePattern, Expression, Item, Match, NodePattern, Projection, Query } from './syntax.ts';

/** What a store plans at one time; a larger question goes from step to step. */
const maxEdges = 6;
const maxConditions = 40;
const maxColumns = 20;
const maxInList = 1_000;

/** Said by whatever is not certainly answered alike by a store itself. */
class Unfit extends Error {}

function fit(condition: unknown): asserts condition {
  if (!condition) throw new Unfit();
}

/**
 * The query as a store may answer it alone; null where it is not certain that the answer would be the same. Left out is above all
 * what engines compare in orders of their own (texts, values of several types), whole nodes, edges and paths, and contributors.
 */
export function directQuery(query: Query, parameters: ReadonlyMap<string, Value>, limits: Limits): DirectQuery | null {
  try {
    return new Direct(parameters, limits).query(query);
  } catch (error) {
    if (error instanceof Unfit) return null;
    throw error;
  }
}

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  (names as readonly string[]).includes(name);

type Kind = 'text' | 'number' | 'boolean';

function kindOf({ of, name }: DirectProperty): Kind {
  if (of === 'node') return isOneOf(textsOfNodes, name) ? 'text' : isOneOf(numbersOfNodes, name) ? 'number' : 'boolean';
  return isOneOf(textsOfEdges, name) ? 'text' : 'number';
}

const flipped: Readonly<Record<DirectComparison, DirectComparison>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

class Direct {
  private readonly parameters: ReadonlyMap<string, Value>;
  private readonly limits: Limits;
  private readonly nodes = new Map<string, number>();
  private readonly edgeNames = new Map<string, number>();
  private readonly edges: DirectEdge[] = [];
  private nodeCount = 0;
  private conditionCount = 0;

  constructor(parameters: ReadonlyMap<string, Value>, limits: Limits) {
    this.parameters = parameters;
    this.limits = limits;
  }

  query({ parts, explain }: Query): DirectQuery {
    const [clauses, ...more] = parts;
    fit(clauses && more.length === 0 && !explain);
    const last = clauses.at(-1);
    fit(last?.kind === 'return' && clauses.length > 1);
    const matches = clauses.slice(0, -1).map((clause) => {
      fit(clause.kind === 'match' && !clause.optional);
      return this.match(clause);
    });
    const start = startOf(matches.flatMap(({ conditions }) => conditions));
    this.checkConnected(matches, start.node);
    return { nodes: this.nodeCount, edges: this.edges, start, matches, ...this.projection(last) };
  }

  private match({ patterns, where }: Match): DirectQuery['matches'][number] {
    const [edges, conditions]: [number[], DirectCondition[]] = [[], []];
    for (const pattern of patterns) {
      fit(pattern.variable === null);
      const nodes = pattern.nodes.map((node) => this.node(node, conditions));
      for (const [index, edge] of pattern.edges.entries())
        edges.push(this.edge(edge, nodes[index] ?? 0, nodes[index + 1] ?? 0, conditions));
    }
    for (const each of conjuncts(where)) conditions.push(this.condition(each));
    return { edges, conditions };
  }

  private node({ variable, labels, properties }: NodePattern, conditions: DirectCondition[]): number {
    const known = variable === null ? undefined : this.nodes.get(variable);
    const place = known ?? this.nodeCount++;
    if (variable !== null) this.nodes.set(variable, place);
    for (const label of labels) conditions.push(labelled(place, label));
    for (const { name, value } of entriesOf(properties))
      conditions.push(this.comparison(propertyOf('node', place, name), '=', value));
    return place;
  }

  private edge(
    { variable, types, direction, length, properties }: EdgePattern,
    left: number,
    right: number,
    conditions: DirectCondition[],
  ): number {
    fit(direction !== 'both' && types.length > 0);
    const wanted = [...new Set(types)].map((type) => {
      // What contributors have; each is several nodes, and seen as one.
      fit(isOneOf(edgeTypeSchema.options, type) && type !== 'CONTRIBUTED_TO');
      return type;
    });
    const place = this.edges.push({ left, right, types: wanted, direction, length }) - 1;
    fit(place < maxEdges);
    if (length !== null) {
      fit(variable === null && properties === null);
      fit(length.min <= length.max && length.max >= 1 && length.max <= this.limits.maxHops);
    }
    if (variable !== null) {
      fit(!this.edgeNames.has(variable));
      this.edgeNames.set(variable, place);
    }
    for (const { name, value } of entriesOf(properties))
      conditions.push(this.comparison(propertyOf('edge', place, name), '=', value));
    return place;
  }

  /** Every match goes on from what there is already: nothing is looked for among all nodes. */
  private checkConnected(matches: DirectQuery['matches'], start: number): void {
    const bound = new Set([start]);
    for (const { edges } of matches) {
      let left = edges.flatMap((place) => this.edges[place] ?? []);
      while (left.length > 0) {
        const touching = left.filter((edge) => bound.has(edge.left) || bound.has(edge.right));
        fit(touching.length > 0);
        for (const edge of touching) bound.add(edge.left).add(edge.right);
        left = left.filter((edge) => !touching.includes(edge));
      }
    }
    fit(bound.size === this.nodeCount);
    const seen = new Set([start]);
    for (const { edges, conditions } of matches) {
      for (const place of edges) seen.add(this.edges[place]?.left ?? 0).add(this.edges[place]?.right ?? 0);
      fit(conditions.every((each) => nodesIn(each).every((node) => seen.has(node))));
    }
  }

  private condition(expression: Expression): DirectCondition {
    this.conditionCount += 1;
    fit(this.conditionCount <= maxConditions);
    switch (expression.kind) {
      case 'unary':
        fit(expression.operator === 'NOT');
        return { kind: 'not', of: this.condition(expression.of) };
      case 'binary':
        return this.binary(expression);
      case 'comparison': {
        const [only, ...more] = expression.rest;
        fit(only && more.length === 0);
        const [left, right] = [expression.first, only.right];
        if (left.kind === 'variable' && right.kind === 'variable') {
          fit(only.operator === '=' || only.operator === '<>');
          return {
            kind: 'sameNode',
            left: this.nodeNamed(left.name),
            right: this.nodeNamed(right.name),
            negated: only.operator === '<>',
          };
        }
        if (left.kind === 'property') return this.comparison(this.property(left), only.operator, right);
        return this.comparison(this.property(right), flipped[only.operator], left);
      }
      case 'isNull':
        return { kind: 'isNull', of: this.property(expression.of), negated: expression.negated };
      case 'hasLabels': {
        const [label, ...more] = expression.labels;
        fit(label !== undefined && more.length === 0 && expression.of.kind === 'variable');
        return labelled(this.nodeNamed(expression.of.name), label);
      }
      default:
        throw new Unfit();
    }
  }

  private binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): DirectCondition {
    switch (operator) {
      case 'AND':
      case 'OR':
      case 'XOR':
        return { kind: 'logic', operator, left: this.condition(left), right: this.condition(right) };
      case 'IN': {
        const property = this.property(left);
        const list = right.kind === 'list' ? right.items.map((each) => this.known(each)) : this.known(right);
        fit(Array.isArray(list) && list.length <= maxInList);
        return { kind: 'in', left: property, values: list.map((each) => valueFor(property, each)) };
      }
      case 'STARTS WITH':
      case 'ENDS WITH':
      case 'CONTAINS': {
        const property = this.property(left);
        fit(kindOf(property) === 'text' && property.name !== 'id' && property.name !== 'repository');
        const text = valueFor(property, this.known(right));
        fit(typeof text === 'string');
        return { kind: 'part', left: property, operator, text };
      }
      default:
        throw new Unfit();
    }
  }

  private comparison(left: DirectProperty, operator: DirectComparison, right: Expression): DirectCondition {
    this.conditionCount += 1;
    fit(this.conditionCount <= maxConditions);
    // Texts are ordered by code point here, and not everywhere.
    fit(operator === '=' || operator === '<>' || kindOf(left) === 'number');
    return { kind: 'value', left, operator, right: valueFor(left, this.known(right)) };
  }

  /** A value that is known before anything is read. */
  private known(expression: Expression): Value {
    fit(expression.kind === 'literal' || expression.kind === 'parameter');
    return expression.kind === 'literal' ? expression.value : (this.parameters.get(expression.name) ?? null);
  }

  private property(expression: Expression): DirectProperty {
    fit(expression.kind === 'property' && expression.of.kind === 'variable');
    const { name } = expression.of;
    const node = this.nodes.get(name);
    const edge = this.edgeNames.get(name);
    fit((node === undefined) !== (edge === undefined));
    return node === undefined
      ? propertyOf('edge', edge ?? 0, expression.name)
      : propertyOf('node', node, expression.name);
  }

  private nodeNamed(name: string): number {
    const node = this.nodes.get(name);
    fit(node !== undefined && !this.edgeNames.has(name));
    return node;
  }

  private projection(
    clause: Projection,
  ): Pick<DirectQuery, 'columns' | 'distinct' | 'order' | 'skip' | 'limit' | 'maxMs'> {
    const { items, distinct } = clause;
    fit(!clause.all && clause.where === null && items.length <= maxColumns);
    const columns = items.map(({ expression }) => this.column(expression));
    const order = clause.order.map(({ by, descending }) => {
      const column = columnOf(by, items);
      const ordered = columns[column];
      fit(ordered && (ordered.kind === 'count' || kindOf(ordered.of) !== 'text'));
      return { column, descending };
    });
    const { maxRows, maxMs } = this.limits;
    const limit = clause.limit ? this.bound(clause.limit) : Infinity;
    return {
      columns,
      distinct,
      order,
      skip: clause.skip ? this.bound(clause.skip) : 0,
      // One more says that there are too many.
      limit: Math.min(limit, maxRows + 1),
      maxMs,
    };
  }

  private column(expression: Expression): DirectColumn {
    if (expression.kind === 'property') return { kind: 'property', of: this.property(expression) };
    if (expression.kind === 'countAll') return { kind: 'count', distinct: false, of: null };
    fit(expression.kind === 'call');
    const { name, distinct, arguments: given } = expression;
    const [only, ...more] = given;
    fit(only && more.length === 0);
    if (name === 'min' || name === 'max') {
      const of = this.property(only);
      fit(kindOf(of) === 'number');
      return { kind: name, of };
    }
    fit(name === 'count');
    if (only.kind === 'property') return { kind: 'count', distinct, of: this.property(only) };
    fit(only.kind === 'variable');
    const edge = this.edgeNames.get(only.name);
    if (edge === undefined)
      return { kind: 'count', distinct, of: { of: 'node', place: this.nodeNamed(only.name), name: null } };
    fit(!this.nodes.has(only.name));
    return { kind: 'count', distinct, of: { of: 'edge', place: edge, name: null } };
  }

  /** Of SKIP and LIMIT; whether it is right, the planner has seen. */
  private bound(expression: Expression): number {
    const value = this.known(expression);
    fit(typeof value === 'bigint' && value >= 0n && Number.isSafeInteger(Number(value)));
    return Number(value);
  }
}

function entriesOf(properties: Expression | null): { name: string; value: Expression }[] {
  if (properties === null) return [];
  fit(properties.kind === 'map');
  return properties.entries;
}

function labelled(node: number, label: string): DirectCondition {
  fit(isOneOf(nodeTypeSchema.options, label) && label !== 'Contributor');
  return { kind: 'label', node, label };
}

function propertyOf(of: 'node' | 'edge', place: number, name: string): DirectProperty {
  if (of === 'node') {
    fit(isOneOf(textsOfNodes, name) || isOneOf(numbersOfNodes, name) || isOneOf(booleansOfNodes, name));
    return { of, place, name };
  }
  fit(isOneOf(textsOfEdges, name) || isOneOf(numbersOfEdges, name));
  return { of, place, name };
}

/** A value of the property's own type, which is the same everywhere. */
function valueFor(property: DirectProperty, value: Value): DirectValue {
  switch (kindOf(property)) {
    case 'text':
      fit(typeof value === 'string' && value.isWellFormed());
      return value;
    case 'boolean':
      fit(typeof value === 'boolean');
      return value;
    case 'number':
      fit(typeof value === 'bigint' || typeof value === 'number');
      fit(Number.isFinite(Number(value)) && (typeof value === 'number' || Number.isSafeInteger(Number(value))));
      return Number(value);
  }
}

/** The node that is known by its id. */
function startOf(conditions: readonly DirectCondition[]): DirectQuery['start'] {
  for (const each of conditions) {
    if (each.kind !== 'value' || each.operator !== '=' || each.left.of !== 'node' || each.left.name !== 'id') continue;
    fit(typeof each.right === 'string' && !each.right.startsWith(nodeId.contributor('')));
    return { node: each.left.place, id: each.right };
  }
  throw new Unfit();
}

function nodesIn(condition: DirectCondition): number[] {
  switch (condition.kind) {
    case 'logic':
      return [...nodesIn(condition.left), ...nodesIn(condition.right)];
    case 'not':
      return nodesIn(condition.of);
    case 'sameNode':
      return [condition.left, condition.right];
    case 'label':
      return [condition.node];
    case 'isNull':
      return condition.of.of === 'node' ? [condition.of.place] : [];
    default:
      return condition.left.of === 'node' ? [condition.left.place] : [];
  }
}

/** Which column ORDER BY means: by its name, or by saying the same. */
function columnOf(by: Expression, items: readonly Item[]): number {
  const column = items.findIndex(({ name, expression }) =>
    by.kind === 'variable' ? name === by.name : isAlike(expression, by),
  );
  fit(column >= 0);
  return column;
}
