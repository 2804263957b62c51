import { nodeId } from '../../src/model/graph.ts';
import type { GraphEdge, GraphNode } from '../../src/model/graph.ts';
import type { Document } from '../facts/document.ts';
import type { Definition } from '../facts/fact.ts';
import type { Resolution } from '../resolution/resolution.ts';
import type { SymbolIds } from './symbol-ids.ts';

const functionKinds: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

/**
 * Functions and classes as nodes, in the order of files and lines, each with its edge in the CONTAINS tree: the repository holds
 * what stands at the top of a file, a class its members, a function what is defined in it.
 */
export function* symbolNodes(
  repository: string,
  documents: readonly Document[],
  tests: ReadonlySet<string>,
  { ownerOf, forget }: Pick<Resolution, 'ownerOf' | 'forget'>,
  { idAt }: Pick<SymbolIds, 'idAt'>,
): Generator<{ node: GraphNode; contains: GraphEdge }> {
  for (const [document, { path, facts }] of documents.entries()) {
    const own = facts.definitions.map((_, definition) => idAt({ document, definition }));
    for (const [index, definition] of facts.definitions.entries()) {
      const id = own[index];
      if (!id) continue;
      // Written apart from its class, perhaps in another file.
      const owner = definition.receiver && ownerOf({ document, definition: index });
      yield {
        node: nodeOf(id, repository, path, facts.language, definition, tests.has(path)),
        contains: {
          type: 'CONTAINS',
          from: (owner && idAt(owner)) ?? holder(facts.definitions, own, definition) ?? nodeId.repository(repository),
          to: id,
          weight: 1,
          confidence: 1,
          strategy: 'syntax',
          path,
          line: definition.line,
        },
      };
    }
    forget();
  }
}

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

function nodeOf(
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
