import { z } from 'zod';
import { text } from '../http/query.ts';
import { route } from '../http/route.ts';
import { edgeTypeSchema, graphNodeSchema } from '../model/graph.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import type { GraphReader } from '../stores/graph/port.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { noRepository } from './repository-not-found.ts';
import { placedOf, placedSchema } from './wire.ts';

/** Of one answer. */
const maxDefinitions = 300;
/** So many lines of a file are looked at. */
const maxLines = 20_000;

const responseSchema = z
  .object({
    repository: z.string(),
    path: z.string(),
    definitions: z
      .array(
        graphNodeSchema.pick({
          id: true,
          type: true,
          name: true,
          kind: true,
          qualified_name: true,
          line: true,
          end_line: true,
        }),
      )
      .meta({ description: 'Functions and classes of the file, by line.' }),
    references: z
      .array(
        z.object({
          type: edgeTypeSchema,
          from: z.string().meta({ description: 'The definition of this file in which the reference stands.' }),
          to: placedSchema,
          line: z.int().min(1).nullable().meta({ description: 'Where it stands; of several, the first.' }),
          weight: z.number().meta({ description: 'How many there are within that definition.' }),
        }),
      )
      .meta({ description: 'What the definitions refer to, as the graph knows it, by line.' }),
    truncated: z
      .boolean()
      .meta({ description: `There are more than ${maxDefinitions} definitions: the first are in the list.` }),
  })
  .meta({ id: 'Occurrences' });

/** What `GET /api/graph/occurrences/{repository}` answers. */
export type OccurrencesAnswer = z.infer<typeof responseSchema>;

/** `GET /api/graph/occurrences/{repository}`: what a file defines, and what its names refer to. */
export function occurrencesRoute(viewOf: ViewOf) {
  return route({
    method: 'GET',
    path: '/api/graph/occurrences/{repository}',
    operation_id: 'get_graph_occurrences',
    summary: 'What a file defines, and what it refers to',
    description:
      'Functions and classes of one file with the places they begin and end at, and what each of them refers to: so that every name in its text can lead to where it is defined. Of a file that defines nothing, or is not there, both lists are empty.',
    access: 'tenant',
    product: 'code-graph',
    credits: 1,
    errors: [repositoryNotFound],
    params: { repository: z.string().meta({ description: 'Name of a repository.', examples: ['payments-api'] }) },
    query: { path: text(1, 4_096).meta({ description: 'From the root, with `/`.', examples: ['src/url.ts'] }) },
    response: responseSchema,
    example: {
      repository: 'payments-api',
      path: 'src/url.ts',
      definitions: [
        {
          id: 'payments-api/src/url.ts#parseUrl',
          type: 'Function',
          name: 'parseUrl',
          kind: 'function',
          qualified_name: 'parseUrl',
          line: 12,
          end_line: 30,
        },
      ],
      references: [
        {
          type: 'CALLS',
          from: 'payments-api/src/url.ts#parseUrl',
          to: {
            id: 'payments-api/src/scheme.ts#schemeOf',
            type: 'Function',
            name: 'schemeOf',
            qualified_name: 'schemeOf',
            kind: 'function',
            repository: 'payments-api',
            path: 'src/scheme.ts',
            line: 3,
          },
          line: 14,
          weight: 1,
        },
      ],
      truncated: false,
    },
    handle: async ({ caller, params, query: { path } }) => {
      const { graph, names } = await viewOf(caller);
      const repository = names.shownName(params.repository);
      if ((await graph.node(repository))?.type !== 'Repository') throw noRepository(params.repository);
      const lines = Array.from({ length: maxLines }, (_, index) => index + 1);
      const defined = (await graph.definitions([{ repository, path, lines }])).toSorted(
        (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.id < b.id ? -1 : 1),
      );
      const definitions = defined.slice(0, maxDefinitions);
      const references = await referencesOf(
        graph,
        path,
        definitions.map(({ id }) => id),
      );
      return {
        repository,
        path,
        definitions: definitions.map(({ id, type, name, kind, qualified_name, line, end_line }) => {
          return { id, type, name, kind, qualified_name, line, end_line };
        }),
        references: references.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
        truncated: defined.length > definitions.length,
      };
    },
  });
}

async function referencesOf(graph: GraphReader, path: string, ids: readonly string[]) {
  const found = await graph.outgoing({
    ids,
    nodeTypes: ['Function', 'Class', 'DataModel', 'Endpoint'],
    edgeTypes: ['CALLS', 'INHERITS', 'IMPORTS'],
    minConfidence: 0,
  });
  return found
    .filter(({ edge }) => edge.path === null || edge.path === path)
    .map(({ edge: { type, from, line, weight }, to }) => ({ type, from, to: placedOf(to), line, weight }));
}
