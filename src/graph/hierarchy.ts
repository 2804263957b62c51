import { z } from 'zod';
import { HttpError } from '../http/errors.ts';
import { text } from '../http/query.ts';
import { route } from '../http/route.ts';
import { maxOwnedPlaces } from '../model/due-diligence.ts';
import { componentAround } from '../model/components.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import type { GraphReader, RepositoryGraph } from '../stores/graph/port.ts';
import type { View, ViewOf } from '../tenancy/view.ts';
import { mainAuthors, maxMainAuthors, personSchema } from './main-authors.ts';
import type { MainAuthors } from './main-authors.ts';
import { nodeNotFound } from './node-not-found.ts';
import { cyclesOf, edgesBetween, joined, partTree } from './part-tree.ts';
import type { Part, PartTree } from './part-tree.ts';
import { noRepository } from './repository-not-found.ts';

/** Of a larger repository the rest is not in it. */
const maxSymbols = 100_000;
/** Of one level, the largest first: so many can be told apart. */
const maxParts = 60;
/** Of what is inside a part. */
const maxInside = 12;
/** So many repositories are held ready. */
const maxKept = 8;

const shape = {
  id: z.string().meta({ description: 'To ask for what is inside it, as `at`.' }),
  kind: z.enum(['folder', 'file', 'class', 'function']),
  lines: z.int().min(0).meta({ description: 'Of the functions and classes in it.' }),
};
const mainAuthorSchema = z
  .object({
    ...personSchema.shape,
    share: z.number().min(0).max(1).meta({ description: 'Of the commits that changed its code.' }),
    people: z.int().min(1).meta({ description: 'How many people ever changed its code; 1: nobody else did.' }),
  })
  .meta({ id: 'MainAuthor' })
  .nullable()
  .meta({
    description: `Who made the most of the commits that changed its code (ownership after Bird and others, 2011); of a function or class, its file’s. Bots and merges are nobody’s. Null where it is not known: without a whole history, beyond the ${maxOwnedPlaces} files and folders with the most commits, or of a repository that was loaded before it was kept.`,
  });
const findings = z.int().min(0).meta({ description: 'Insecure patterns in its files.' });
const partSchema = z
  .object({
    ...shape,
    name: z.string(),
    path: z.string(),
    line: z.int().min(1).nullable(),
    symbol: z.string().nullable().meta({ description: 'Of a function or class, its id.' }),
    symbols: z.int().min(0).meta({ description: 'Functions and classes in it, itself too.' }),
    findings,
    main_author: mainAuthorSchema,
    parts: z.int().min(0).meta({ description: 'How many parts are inside it.' }),
    cycle: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Those with the same number depend on each other, by calls or inheritance.' }),
    component: z.string().nullable().meta({
      description:
        'The component of the architecture that all of it lies in; null where it holds several, and of a repository without one.',
    }),
    inside: z
      .array(
        z.object({ ...shape, name: z.string(), findings, main_author: mainAuthorSchema }).meta({ id: 'InnerPart' }),
      )
      .max(maxInside)
      .meta({ description: 'The largest of what is inside it.' }),
  })
  .meta({ id: 'Part' });

const responseSchema = z
  .object({
    repository: z.string(),
    at: z.string().meta({ description: 'What is shown the inside of; empty at the root.' }),
    around: z
      .array(z.object({ id: shape.id, kind: shape.kind, name: z.string() }).meta({ id: 'AroundPart' }))
      .meta({ description: 'What it lies in, from the root on, and itself at the end.' }),
    parts: z
      .array(partSchema)
      .max(maxParts)
      .meta({ description: `The largest first, ${maxParts} at most.` }),
    total_parts: z.int().min(0).meta({ description: 'How many there are at this level.' }),
    edges: z.array(
      z
        .object({
          from: z.string(),
          to: z.string(),
          calls: z.number().meta({ description: 'Places at which one calls the other.' }),
          inherits: z.number().meta({ description: 'How often one inherits from the other.' }),
        })
        .meta({ id: 'PartEdge', description: 'How often one part refers to another, with all that is inside.' }),
    ),
    main_authors: z
      .array(personSchema.extend({ files: z.int().min(1) }).meta({ id: 'MainAuthorOfFiles' }))
      .max(maxMainAuthors)
      .meta({
        description: `Who are main authors of the most files of the whole repository, as far as these are known, ${maxMainAuthors} at most; empty where none is.`,
      }),
    truncated: z
      .boolean()
      .meta({ description: `The repository has more than ${maxSymbols} symbols: the rest is not in it.` }),
  })
  .meta({ id: 'Hierarchy' });

/** What `GET /api/graph/hierarchy/{repository}` answers. */
export type HierarchyAnswer = z.infer<typeof responseSchema>;

type Tree = PartTree & MainAuthors & { truncated: boolean; componentOf: (path: string) => string | null };
/** What was made of the run of this id: main authors and components are its measurements. */
interface Kept {
  run: string | null;
  tree: Promise<Tree>;
}

/** `GET /api/graph/hierarchy/{repository}`: what lies inside a repository, level by level. */
export function hierarchyRoute(viewOf: ViewOf) {
  // A graph is the same object until something of it is written; a run of due diligence alone writes nothing of it.
  const kept = new WeakMap<RepositoryGraph, Map<string, Kept>>();
  return route({
    method: 'GET',
    path: '/api/graph/hierarchy/{repository}',
    operation_id: 'get_graph_hierarchy',
    summary: 'A repository from the inside, level by level',
    description:
      'The folders and files of a repository, what a folder or a file holds, or the members of a class; with the calls and inheritance between them, each with those of all that it holds, and the cycles among them. A folder that holds nothing but a folder is one with it.',
    access: 'tenant',
    product: 'code-graph',
    credits: 2,
    errors: [repositoryNotFound, nodeNotFound],
    params: { repository: z.string().meta({ description: 'Name of a repository.', examples: ['payments-api'] }) },
    query: {
      at: text(1, 4_096)
        .optional()
        .meta({ description: 'Id of the part whose inside is wanted; the root unless told.', examples: ['src/'] }),
    },
    response: responseSchema,
    example: {
      repository: 'payments-api',
      at: 'src/',
      around: [{ id: 'src/', kind: 'folder', name: 'src' }],
      parts: [
        {
          id: 'src/url.ts',
          name: 'url.ts',
          kind: 'file',
          path: 'src/url.ts',
          line: null,
          symbol: null,
          lines: 120,
          symbols: 9,
          findings: 0,
          main_author: { id: 'contributor:3f9a', name: 'Anna Berg', active: true, share: 0.75, people: 2 },
          parts: 9,
          cycle: null,
          component: 'src',
          inside: [
            {
              id: 'payments-api/src/url.ts#parseUrl',
              name: 'parseUrl',
              kind: 'function',
              lines: 19,
              findings: 0,
              main_author: { id: 'contributor:3f9a', name: 'Anna Berg', active: true, share: 0.75, people: 2 },
            },
          ],
        },
      ],
      total_parts: 1,
      edges: [],
      main_authors: [{ id: 'contributor:3f9a', name: 'Anna Berg', active: true, files: 31 }],
      truncated: false,
    },
    handle: async ({ caller, params, query: { at = '' } }) => {
      const { graph, names, runs } = await viewOf(caller);
      const repository = names.shownName(params.repository);
      const whole = await graph.repositoryGraph();
      const [latest] = await runs.latest({ repository });
      const run = latest?.id ?? null;
      const known = kept.get(whole) ?? new Map<string, Kept>();
      kept.set(whole, known);
      const before = known.get(repository);
      const made = before?.run === run ? before : { run, tree: treeOf(graph, runs, repository, run) };
      known.delete(repository);
      known.set(repository, made);
      made.tree.catch(() => known.delete(repository));
      for (const oldest of [...known.keys()].slice(0, -maxKept)) known.delete(oldest);
      const tree = await made.tree;
      const shown = tree.byId.get(at);
      if (shown === undefined)
        throw new HttpError(nodeNotFound, { detail: `Nothing in ${repository} has the id ${JSON.stringify(at)}.` });
      return { repository, ...levelOf(tree, joined(shown)), truncated: tree.truncated };
    },
  });
}

async function treeOf(graph: GraphReader, runs: View['runs'], repository: string, run: string | null): Promise<Tree> {
  const found = await graph.inside({
    repository,
    nodeTypes: ['Function', 'Class', 'SecurityPattern', 'Repository'],
    edgeTypes: ['CALLS', 'INHERITS'],
    minConfidence: 0,
    offset: 0,
    limit: maxSymbols,
  });
  if (found === null) throw noRepository(repository);
  const measured = run === null ? null : await runs.measurements(run);
  const components = measured?.architecture?.components.items ?? [];
  return {
    ...partTree(found.nodes, found.edges),
    ...mainAuthors(measured ?? null),
    truncated: found.total > found.nodes.length,
    componentOf: componentAround(components),
  };
}

function levelOf(tree: Tree, shown: Part) {
  const largest = (parts: readonly Part[]) =>
    parts.map(joined).toSorted((a, b) => b.lines - a.lines || (a.id < b.id ? -1 : 1));
  const all = largest(shown.parts);
  const parts = all.slice(0, maxParts);
  const edges = edgesBetween(tree, parts);
  const cycles = cyclesOf(edges);
  const around: Pick<Part, 'id' | 'kind' | 'name'>[] = [];
  for (let part: Part | null = shown; part !== null && part.id !== ''; part = part.around)
    around.unshift({ id: part.id, kind: part.kind, name: part.name.split('/').at(-1) ?? '' });
  return {
    at: shown.id,
    around,
    parts: parts.map(({ id, name, kind, path, line, symbol, lines, symbols, findings, parts: inner }) => ({
      id,
      name,
      kind,
      path,
      line,
      symbol,
      lines,
      symbols,
      findings,
      main_author: tree.mainAuthorOf(kind === 'folder' ? id : path),
      parts: inner.length,
      cycle: cycles.get(id) ?? null,
      component: tree.componentOf(kind === 'folder' ? id : path),
      inside: largest(inner)
        .slice(0, maxInside)
        .map(({ id, name, kind, path, lines, findings }) => ({
          id,
          name,
          kind,
          lines,
          findings,
          main_author: tree.mainAuthorOf(kind === 'folder' ? id : path),
        })),
    })),
    total_parts: all.length,
    edges,
    main_authors: tree.mainAuthors,
  };
}
