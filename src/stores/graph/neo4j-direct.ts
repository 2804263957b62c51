import neo4j, { int } from 'neo4j-driver';
import {
  booleansOfNodes,
  numbersOfEdges,
  numbersOfNodes,
  textsOfEdges,
  textsOfNodes,
  type DirectColumn,
  type DirectCondition,
  type DirectProperty,
  type DirectQuery,
  type DirectValue,
} from '../../model/direct-query.ts';
import { edgeTypeSchema, nodeTypeSchema } from '../../model/graph.ts';
import { valueOf, type Value } from '../../model/property-graph.ts';
import { repositoryOf } from '../../model/repository-of.ts';
import { StoreUnavailable } from '../errors.ts';
import type { Within } from './neo4j-rows.ts';
import type { Transactions } from './neo4j-transactions.ts';
import type { GraphReader } from './port.ts';

const ofNodes: readonly string[] = [...textsOfNodes, ...numbersOfNodes, ...booleansOfNodes];
const ofEdges: readonly string[] = [...textsOfEdges, ...numbersOfEdges];

/**
 * Answers in one statement, which sees what all others see: it begins at a node of the version that is shown of a repository within,
 * and each edge, also inside of a way of several, either stays in its version or is a link between two repositories within. What
 * a query says stands in it as names of ours from closed lists, and as parameters.
 */
export async function answerDirectly(
  askText: Transactions['askText'],
  within: Within,
  query: DirectQuery,
): ReturnType<GraphReader['answer']> {
  const owner = repositoryOf(query.start.id);
  const { text, values } = statementOf(query, within);
  try {
    const [found] = await askText<{ rows: unknown[][]; valid: boolean }>(
      text,
      { ...values, within, owner, start: query.start.id, skip: int(query.skip), limit: int(query.limit) },
      query.maxMs,
    );
    if (!found?.valid) return null;
    return found.rows.map((row) => query.columns.map((column, index) => valueIn(column, row[index])));
  } catch (error) {
    if (isOfLimit(error)) return 'time';
    throw error;
  }
}

/** The server ended it, by the time that this statement was given. */
function isOfLimit(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  return (
    cause instanceof neo4j.Neo4jError &&
    cause.code === 'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration'
  );
}

/** As the planner has it: whole numbers are integers, but for how certain an edge is. */
function valueIn(column: DirectColumn, value: unknown): Value {
  const given = (value ?? null) as string | number | boolean | null;
  if (typeof given === 'number' && column.kind !== 'count' && column.of.name === 'confidence') return given;
  return valueOf(given);
}

/** The statement, and what its parameters are; two queries that differ in values alone have the same text. */
function statementOf(
  query: DirectQuery,
  within: Within,
): { text: string; values: Record<string, DirectValue | DirectValue[]> } {
  const values: Record<string, DirectValue | DirectValue[]> = {};
  const parameter = (value: DirectValue | DirectValue[]): string => {
    const name = `p${Object.keys(values).length}`;
    values[name] = value;
    return `$${name}`;
  };
  const matches = query.matches.map(({ edges, conditions }) => {
    const patterns = edges.map((place) => patternOf(query, place));
    const where = [
      ...(within === null ? [] : edges.map((place) => seenOf(query, place))),
      ...conditions.map((each) => conditionOf(each, parameter)),
    ];
    return [
      patterns.length > 0 ? `MATCH ${patterns.join(', ')}` : 'WITH *',
      where.length > 0 ? `WHERE ${where.map((each) => `(${each})`).join(' AND ')}` : '',
    ].join('\n');
  });
  const columns = query.columns.map((column, index) => `${columnOf(column)} AS c${index}`).join(', ');
  const order = query.order.map(({ column, descending }) => `c${column}${descending ? ' DESC' : ''}`);
  const answer = [
    `WITH start AS n${query.start.node}`,
    ...matches,
    `RETURN ${query.distinct ? 'DISTINCT ' : ''}${columns}`,
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
    'SKIP $skip LIMIT $limit',
  ].join('\n');
  const row = query.columns.map((_, index) => `c${index}`).join(', ');
  return { text: framed(answer, row), values };
}

/**
 * Valid where nothing that is shown changed meanwhile: a version that was replaced is deleted while it is read. The number is
 * carried into the subquery, so that it is read before all else.
 */
const framed = (answer: string, row: string) => `
OPTIONAL MATCH (c:Counter {name: 'revision'})
WITH coalesce(c.value, 0) AS before
CALL (before) {
  CALL (before) {
    MATCH (o:Snapshot {repository: $owner})
    USING INDEX SEEK o:Snapshot(repository)
    WHERE $within IS NULL OR o.repository IN $within
    MATCH (start:Node {id: $start, version: o.version})
    USING INDEX SEEK start:Node(id, version)
    ${answer}
  }
  RETURN collect([${row}]) AS rows
}
WITH before, rows
OPTIONAL MATCH (c:Counter {name: 'revision'})
RETURN rows, coalesce(c.value, 0) = before AS valid`;

function patternOf({ edges }: DirectQuery, place: number): string {
  const edge = edges[place];
  if (!edge) throw new Error('A match names edges that there are.');
  const { left, right, types, direction, length } = edge;
  const between = types.map((type) => edgeTypeSchema.parse(type)).join('|');
  const many = length === null ? '' : `*${length.min}..${length.max}`;
  const inside = `[e${place}:${between}${many}]`;
  return `(n${left})${direction === 'in' ? `<-${inside}-` : `-${inside}->`}(n${right})`;
}

/** What lies within of an edge: all that stays in its version, and a link between two that do. Nothing where all is seen. */
function seenOf({ edges }: DirectQuery, place: number): string {
  const seen = (e: string) =>
    `${e}.link IS NULL OR (startNode(${e}).repository IN $within AND endNode(${e}).repository IN $within)`;
  return edges[place]?.length ? `all(e IN e${place} WHERE ${seen('e')})` : seen(`e${place}`);
}

function conditionOf(condition: DirectCondition, parameter: (value: DirectValue | DirectValue[]) => string): string {
  const again = (each: DirectCondition) => `(${conditionOf(each, parameter)})`;
  switch (condition.kind) {
    case 'logic':
      return `${again(condition.left)} ${oneOf(['AND', 'OR', 'XOR'], condition.operator)} ${again(condition.right)}`;
    case 'not':
      return `NOT ${again(condition.of)}`;
    case 'value': {
      const operator = oneOf(['=', '<>', '<', '<=', '>', '>='], condition.operator);
      return `${propertyOf(condition.left)} ${operator} ${parameter(condition.right)}`;
    }
    case 'in':
      return `${propertyOf(condition.left)} IN ${parameter(condition.values)}`;
    case 'part': {
      const operator = oneOf(['STARTS WITH', 'ENDS WITH', 'CONTAINS'], condition.operator);
      return `${propertyOf(condition.left)} ${operator} ${parameter(condition.text)}`;
    }
    case 'isNull':
      return `${propertyOf(condition.of)} IS ${condition.negated ? 'NOT ' : ''}NULL`;
    case 'label':
      return `n${condition.node}:${nodeTypeSchema.parse(condition.label)}`;
    case 'sameNode':
      return `n${condition.left} ${condition.negated ? '<>' : '='} n${condition.right}`;
  }
}

const propertyOf = ({ of, place, name }: DirectProperty): string =>
  of === 'node' ? `n${place}.${oneOf(ofNodes, name)}` : `e${place}.${oneOf(ofEdges, name)}`;

function columnOf(column: DirectColumn): string {
  if (column.kind === 'property') return propertyOf(column.of);
  if (column.kind !== 'count') return `${oneOf(['min', 'max'], column.kind)}(${propertyOf(column.of)})`;
  const { of, distinct } = column;
  if (of === null) return 'count(*)';
  const counted = of.name === null ? `${of.of === 'node' ? 'n' : 'e'}${of.place}` : propertyOf(of);
  return `count(${distinct ? 'DISTINCT ' : ''}${counted})`;
}

/** Only what is listed here becomes a part of a statement. */
function oneOf<T extends string>(names: readonly T[], name: string): T {
  const found = names.find((each) => each === name);
  if (found === undefined) throw new TypeError(`${JSON.stringify(name)} is not in the list.`);
  return found;
}
