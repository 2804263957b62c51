import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { exportBytes, exportErrors, exportQuery } from '../http/export-page.ts';
import type { Part, Position } from '../http/export-page.ts';
import { HttpError } from '../http/errors.ts';
import { integer, text } from '../http/query.ts';
import { route } from '../http/route.ts';
import type { GraphNode } from '../model/graph.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';
import { sourceNotKept } from '../model/source-not-kept.ts';
import type { GraphReader } from '../stores/graph/port.ts';
import type { View, ViewOf } from '../tenancy/view.ts';
import { noRepository } from './repository-not-found.ts';
import { scipDocument, scipMetadata } from './scip-document.ts';
import type { Reference } from './scip-document.ts';
import { filterQuery } from './wire.ts';

/** Definitions of a repository that are read at once. */
const batchSize = 500;
/** A thousand of them fill a page, so that none takes a server long. */
const definitionWeight = 1_000;

const type = 'application/protobuf';

/** `GET /api/export/scip`: what other tools know of a repository's code, as SCIP. */
export function exportScipRoute(viewOf: ViewOf) {
  return route({
    method: 'GET',
    path: '/api/export/scip',
    operation_id: 'export_scip',
    summary: 'Definitions and references of one repository as a SCIP index',
    description:
      'Functions and classes of each file, what they refer to and inherit from, in the format of SCIP (https://github.com/sourcegraph/scip). Each page is a part of one index: put behind one another in their order, they are the whole. `Link` leads to the next one; a file is never on two. The graph knows of each definition where it refers to another first, so that is the reference that is in it.',
    access: 'tenant',
    product: 'code-graph',
    credits: 5,
    produces: type,
    responseHeaders: { Link: 'rel next (RFC 8288), relative to what was asked for; absent on the last page.' },
    errors: [repositoryNotFound, sourceNotKept, ...exportErrors],
    query: {
      repo: text(1, 256).meta({ description: 'Name of the repository.', examples: ['payments-api'] }),
      min_confidence: filterQuery.min_confidence,
      cursor: exportQuery.cursor.meta({
        description: 'That of `Link` on the page before, asked for with the same parameters.',
        examples: ['8tq0pEPTqfhoM5sWsOySXQ.12.130'],
      }),
      limit: integer(1, 1_000).default(100).meta({
        description:
          'Files on a page at most. A page ends earlier where it holds a megabyte or a thousand definitions.',
      }),
    },
    response: z.unknown().meta({ description: 'A part of an index, in protobuf.' }),
    handle: async ({ caller, query }) => {
      const view = await viewOf(caller);
      const repository = view.names.shownName(query.repo);
      const state = async () => {
        const [graph, kept] = await Promise.all([view.graph.stateInside(repository), view.source.kept()]);
        if (graph === null) throw noRepository(query.repo);
        if (kept.get(repository) !== true) throw new HttpError(sourceNotKept);
        return graph;
      };
      const rows = (from: Position | null) => documentsOf(view, repository, query.min_confidence, from);
      return exportBytes({ path: '/api/export/scip', query }, { state, rows }, type);
    },
  });
}

async function* documentsOf(
  { graph, source }: View,
  repository: string,
  minConfidence: number,
  from: Position | null,
): AsyncGenerator<[Part, Position]> {
  if (from === null) yield [{ bytes: scipMetadata(repository, packageJson.version), weight: 0 }, [0, 0]];
  for await (const { path, nodes, behind } of filesOf(graph, repository, from ?? [0, 0])) {
    const file = await source.read(repository, path);
    if (file === null) continue;
    const references = await referencesIn(graph, path, nodes, minConfidence);
    const definitions = nodes.map((node) => ({ node, references: references.get(node.id) ?? [] }));
    yield [{ bytes: scipDocument({ ...file, definitions }), weight: definitions.length * definitionWeight }, behind];
  }
}

/** What each of these definitions of a file refers to, by its id. */
async function referencesIn(graph: GraphReader, path: string, nodes: readonly GraphNode[], minConfidence: number) {
  const found = await graph.outgoing({
    ids: nodes.map(({ id }) => id),
    nodeTypes: ['Function', 'Class'],
    edgeTypes: ['CALLS', 'INHERITS', 'IMPORTS'],
    minConfidence,
  });
  const byId = new Map<string, Reference[]>();
  for (const { edge, to } of found) {
    const references = byId.get(edge.from) ?? [];
    references.push({ type: edge.type, to, line: edge.path === path ? edge.line : null });
    byId.set(edge.from, references);
  }
  return byId;
}

/** What one file defines; `behind` are the numbers of classes and functions up to its end. */
interface FileOf {
  path: string;
  nodes: GraphNode[];
  behind: Position;
}

/** Files in the order of their ids, with all that they define. Classes and functions come apart, each in that order. */
async function* filesOf(graph: GraphReader, repository: string, from: Position): AsyncGenerator<FileOf> {
  const [classes, functions] = (['Class', 'Function'] as const).map((each, index) =>
    groupsOf(nodesOf(graph, repository, each, from[index] ?? 0)),
  );
  if (!classes || !functions) return;
  const behind = [...from];
  let [a, b] = [await next(classes), await next(functions)];
  for (;;) {
    const order = a && b ? compare(a.path, b.path) : a ? -1 : 1;
    const first = order <= 0 ? a : b;
    if (!first) return;
    const nodes: GraphNode[] = [];
    if (a && order <= 0) {
      nodes.push(...a.nodes);
      behind[0] = (behind[0] ?? 0) + a.nodes.length;
      a = await next(classes);
    }
    if (b && order >= 0) {
      nodes.push(...b.nodes);
      behind[1] = (behind[1] ?? 0) + b.nodes.length;
      b = await next(functions);
    }
    nodes.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
    yield { path: first.path, nodes, behind: [...behind] };
  }
}

const next = async <T>(items: AsyncGenerator<T>): Promise<T | null> => (await items.next()).value ?? null;

/** The order of ids that begin with these paths: by code point, with the sign behind a path. */
const compare = (a: string, b: string) => Buffer.compare(Buffer.from(`${a}#`), Buffer.from(`${b}#`));

async function* nodesOf(graph: GraphReader, repository: string, nodeType: 'Class' | 'Function', from: number) {
  for (let offset = from; ; offset += batchSize) {
    const asked = { repository, nodeTypes: [nodeType], edgeTypes: [], minConfidence: 0, offset, limit: batchSize };
    const found = await graph.inside(asked);
    yield* found?.nodes ?? [];
    if (found === null || offset + batchSize >= found.total) return;
  }
}

/** Those of one file stand together. */
async function* groupsOf(nodes: AsyncIterable<GraphNode>) {
  let group: { path: string; nodes: GraphNode[] } = { path: '', nodes: [] };
  for await (const node of nodes) {
    if (group.path !== node.path && group.nodes.length > 0) yield group;
    if (group.path !== node.path) group = { path: node.path ?? '', nodes: [] };
    group.nodes.push(node);
  }
  if (group.nodes.length > 0) yield group;
}
