import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';
import { route } from '../http/route.ts';
import { EdgeValue, NodeValue, PathValue, valueOf } from '../model/property-graph.ts';
import type { Json, Value } from '../model/property-graph.ts';
import type { ViewOf } from '../tenancy/view.ts';
import type { Limits } from './query/effort.ts';
import { placeOf, QueryFailure } from './query/failure.ts';
import { maxText, parseQuery } from './query/parse.ts';
import { answerQuery } from './query/run.ts';
import type { PlanStep } from './query/run.ts';

/** What one query may take here; less than a store gives one question, so that a query is told why it ends. */
export const limits: Limits = {
  maxWork: 2_000_000,
  maxKept: 500_000,
  maxRows: 10_000,
  maxHops: 10,
  maxMs: 2_500,
  maxValueSize: 100_000,
};

const invalidQuery: Problem = {
  status: 422,
  code: 'invalid_query',
  title: 'The query is not right',
  meaning:
    'The query is no openCypher, is not of the subset that only reads, or names what there is not: `reason` says which, in the words of the openCypher TCK (`UndefinedVariable`, `InvalidArgumentType` …) or as the name of what is left out; `line` and `column` say where. The guide of queries lists what there is.',
};

const queryTooLarge: Problem = {
  status: 422,
  code: 'query_too_large',
  title: 'The query takes too much',
  meaning:
    'It takes more steps, memory, rows or time than one query may: `reason` says which (`work`, `memory`, `rows`, `time`, `hops`, `depth`, `length`). Begin at fewer nodes, bound paths more closely, add LIMIT, or ask in parts.',
};

const value = z.unknown().meta({
  description:
    'A value: null, a boolean, a number, a text, a list, a map; a node with its `id`, `type` and all fields that are not null; an edge with `type`, `from` and `to`; a path as `nodes` and `edges`. An integer beyond 2^53 and a number that JSON has not (NaN, Infinity) are texts.',
});

const responseSchema = z
  .object({
    columns: z.array(z.string()).meta({ description: 'The names behind RETURN, in their order.' }),
    rows: z
      .array(z.array(value))
      .nullable()
      .meta({ description: 'A value for each column; null where EXPLAIN asked for the plan alone.' }),
    plan: z
      .array(
        z
          .object({
            operator: z.string().meta({ description: 'What is done: NodeSeek, Expand, Filter …' }),
            detail: z.string().meta({ description: 'To what.' }),
            depth: z.int().min(0).meta({ description: 'How deep it lies inside of what is done for each row.' }),
          })
          .meta({ id: 'QueryPlanStep', description: 'One step of how a query is answered.' }),
      )
      .meta({ description: 'How it was answered, the first step first.' }),
    work: z
      .int()
      .min(0)
      .meta({
        description: `Steps that it took: rows, edges that were followed, elements of lists. A query may take ${limits.maxWork}.`,
      }),
  })
  .meta({ id: 'QueryAnswer', description: 'What a query found.' });

/** What `POST /api/graph/query` answers. */
export type QueryResponse = z.infer<typeof responseSchema>;

/** `POST /api/graph/query`: any question to the graph, in openCypher. */
export function queryRoute(viewOf: ViewOf) {
  return route({
    method: 'POST',
    path: '/api/graph/query',
    operation_id: 'query_graph',
    summary: 'Ask the graph in openCypher',
    description: `MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, ORDER BY, SKIP, LIMIT, DISTINCT, UNION, aggregates and parameters over the eight types of nodes (as labels) and six of edges, of the repositories that you see. It only reads. A variable-length pattern has a bound of at most ${limits.maxHops}; an answer at most ${limits.maxRows} rows. EXPLAIN before it gives the plan alone.`,
    access: 'tenant',
    product: 'code-graph',
    credits: 5,
    readOnly: true,
    cache: 'none',
    errors: [invalidQuery, queryTooLarge],
    body: z
      .strictObject({
        query: z
          .string()
          .min(1)
          .max(maxText)
          .meta({
            description: 'In openCypher.',
            examples: [
              'MATCH (f:Function)-[:CALLS]->(g:Function {name: $name}) RETURN f.id, f.path ORDER BY f.id LIMIT 20',
            ],
          }),
        parameters: z
          .record(
            z.string().max(256),
            z
              .unknown()
              .refine((json) => isShallow(json), 'Lists and objects lie at most 100 deep.')
              .meta({ description: 'Any JSON.' }),
          )
          .default({})
          .meta({
            description: 'Values of what the query names with $; whole numbers are integers.',
            examples: [{ name: 'parseUrl' }],
          }),
      })
      .meta({ id: 'GraphQuery', description: 'A question to the graph.' }),
    response: responseSchema,
    example: {
      columns: ['f.id', 'f.path'],
      rows: [['payments-api/src/pay.ts#pay', 'src/pay.ts']],
      plan: [
        { operator: 'NodeSeek', detail: '(g:Function {name = …})', depth: 0 },
        { operator: 'Expand', detail: '(g)<-[:CALLS]-(f)', depth: 0 },
      ],
      work: 12,
    },
    handle: async ({ caller, body, signal }) => {
      const { graph } = await viewOf(caller);
      const parameters = new Map(Object.entries(body.parameters).map(([name, json]) => [name, valueOf(json as Json)]));
      try {
        const query = parseQuery(body.query);
        const { columns, rows, plan, work } = await answerQuery(query, graph, { parameters, limits, signal });
        return { columns, rows: rows?.map((row) => row.map(jsonOf)) ?? null, plan: flat(plan), work };
      } catch (error) {
        throw error instanceof QueryFailure ? refused(error, body.query) : error;
      }
    },
  });
}

/** Whether it lies no deeper inside of itself than what walks through it may go. */
const isShallow = (json: unknown, left = 100): boolean =>
  json === null ||
  typeof json !== 'object' ||
  (left > 0 && Object.values(json).every((each) => isShallow(each, left - 1)));

function refused({ kind, reason, message, at }: QueryFailure, query: string): HttpError {
  const place = at === null ? { line: null, column: null } : placeOf(query, at);
  const where = place.line === null ? '' : ` (line ${place.line}, column ${place.column})`;
  return new HttpError(kind === 'Limit' ? queryTooLarge : invalidQuery, {
    detail: `${message}${where}`,
    members: { reason, ...place },
  });
}

const flat = (steps: readonly PlanStep[], depth = 0): QueryResponse['plan'] =>
  steps.flatMap(({ operator, detail, inner }) => [{ operator, detail, depth }, ...flat(inner, depth + 1)]);

/** A value as JSON has it. */
function jsonOf(given: Value): unknown {
  if (typeof given === 'bigint') return Number.isSafeInteger(Number(given)) ? Number(given) : String(given);
  if (typeof given === 'number') return Number.isFinite(given) ? given : String(given);
  if (given === null || typeof given !== 'object') return given;
  if (Array.isArray(given)) return given.map(jsonOf);
  const fields = (entries: Iterable<[string, Value]>) =>
    Object.fromEntries([...entries].map(([name, each]) => [name, jsonOf(each)]));
  if (given instanceof NodeValue) return { type: given.labels[0] ?? null, ...fields(given.properties ?? []) };
  if (given instanceof EdgeValue)
    return { type: given.type, from: idOf(given.from), to: idOf(given.to), ...fields(given.properties ?? []) };
  if (given instanceof PathValue) return { nodes: given.nodes.map(jsonOf), edges: given.edges.map(jsonOf) };
  return fields(given);
}

const idOf = ({ properties }: NodeValue) => jsonOf(properties?.get('id') ?? null);
