import type { Import } from '../facts/fact.ts';
import { isDefined } from './callees.ts';
import type { Document } from './documents.ts';
import type { Engine } from './engine.ts';
import type { Findings } from './findings.ts';
import { confidences, type ExternalImport } from './resolution.ts';

/** What a document imports: definitions of other files, and what lies outside. */
export function addImportEdges(
  { documents, modules }: Engine,
  findings: Findings,
  document: number,
  libraryPaths: ReadonlySet<string>,
): void {
  const own = documents.at(document);
  for (const outside of importsOutsideOf(own, document, libraryPaths)) findings.externalImports.add(outside);
  const from = { document, definition: -1 };
  own.facts.imports.forEach(({ module, line, local }, index) => {
    for (const value of modules.imported(document, index)) {
      if (line > 0 && value.kind === 'external' && value.origins?.some((origin) => origin.module === module))
        findings.addOutside({ type: 'IMPORTS', from, line, arguments: 0 }, value);
      // A file is no node: an import of a whole module leads to none.
      if (!isDefined(value) || !documents.isNode(value) || value.document === document) continue;
      const { import: confidence } = confidences;
      findings.addEdge({ type: 'IMPORTS', from, to: value, line, strategy: 'import', confidence, name: local });
    }
  });
}

/** The imports of a document that lead out of the repository. */
export function* importsOutsideOf(
  { facts, modules, path, language }: Document,
  document: number,
  libraryPaths: ReadonlySet<string>,
): Generator<ExternalImport> {
  for (const wanted of facts.imports) {
    const { module, line } = wanted;
    if (leadsOut(wanted, modules.resolve(module, path), libraryPaths)) yield { document, language, module, line };
  }
}

/** Files that the languages bring. */
export const pathsOfLibraries = (documents: readonly Document[]): ReadonlySet<string> =>
  new Set(documents.filter(({ library }) => library).map(({ path }) => path));

/** Line 0: nobody wrote it. */
function leadsOut({ line }: Import, paths: readonly string[] | null, libraryPaths: ReadonlySet<string>): boolean {
  return line > 0 && paths !== null && paths.every((path) => libraryPaths.has(path));
}
