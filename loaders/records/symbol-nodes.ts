import { nodeId } from '../../src/model/graph.ts';
import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import type { Document } from '../facts/extract-all.ts';
import type { Definition } from '../facts/fact.ts';
import type { Place, Resolution } from '../facts/resolve.ts';

const functionKinds: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

/**
 * Functions and classes as nodes, in the order of files and lines, with the CONTAINS tree: the repository holds what stands at
 * the top of a file, a class its members, a function what is defined in it.
 */
export function symbolNodes(
  repository: string,
  documents: readonly Document[],
  tests: ReadonlySet<string>,
  { ownerOf, forget }: Pick<Resolution, 'ownerOf' | 'forget'>,
): { nodes: GraphNode[]; contains: GraphEdge[]; idAt: (place: Place) => string | null } {
  const nodes: GraphNode[] = [];
  const contains: GraphEdge[] = [];
  const ids: (string | null)[][] = [];

  for (const { path, facts, release } of documents) {
    const names = new Set<string>();
    const own: (string | null)[] = facts.definitions.map((definition) => {
      if (!isNode(definition)) return null;
      const { qualifiedName, line } = definition;
      let id = nodeId.symbol(repository, path, qualifiedName);
      for (let ordinal = 0; names.has(id); ordinal++) {
        // Two of one name on one line (minified code) still differ.
        id = `${nodeId.symbol(repository, path, qualifiedName, line)}${ordinal === 0 ? '' : `.${ordinal}`}`;
      }
      names.add(id);
      return id;
    });
    ids.push(own);
    release?.();
  }
  const idAt = ({ document, definition }: Place) => ids[document]?.[definition] ?? null;
  for (const [document, { path, facts }] of documents.entries()) {
    const own = ids[document] ?? [];
    for (const [index, definition] of facts.definitions.entries()) {
      const id = own[index];
      if (!id) continue;
      // Written apart from its class, perhaps in another file.
      const owner = definition.receiver && ownerOf({ document, definition: index });
      nodes.push(node(id, repository, path, facts.language, definition, tests.has(path)));
      contains.push({
        type: 'CONTAINS',
        from: (owner && idAt(owner)) ?? holder(facts.definitions, own, definition) ?? nodeId.repository(repository),
        to: id,
        weight: 1,
        confidence: 1,
        strategy: 'syntax',
        path,
        line: definition.line,
      });
    }
    forget();
  }
  return { nodes, contains, idAt };
}

/** Anonymous ones and object literals make no node: what they hold belongs to what is around them. */
const isNode = ({ name, kind }: Definition) => name !== '' && kind !== 'object';

function holder(
  definitions: readonly Definition[],
  ids: readonly (string | null)[],
  { owner }: Definition,
): string | null {
  for (let index = owner; index >= 0; index = definitions[index]?.owner ?? -1) {
    const id = ids[index];
    if (id) return id;
  }
  return null;
}

function node(
  id: string,
  repository: string,
  path: string,
  language: string,
  definition: Definition,
  test: boolean,
): GraphNode {
  const { name, kind, qualifiedName, line, endLine, signature, doc, exported } = definition;
  return {
    id,
    type: functionKinds.has(kind) ? 'Function' : 'Class',
    name,
    repository,
    kind,
    qualified_name: qualifiedName,
    language,
    path,
    line,
    end_line: endLine,
    signature,
    doc,
    exported,
    properties: test ? { test: true } : {},
  };
}
