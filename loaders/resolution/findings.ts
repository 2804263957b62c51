import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import type { Documents } from './documents.ts';
import { createEdges, type Edges } from './edges.ts';
import { createOutsideUses, type OutsideUses } from './outside-uses.ts';
import type { ExternalImport, OutsideUse, ResolvedEdge } from './resolution.ts';
import type { Value } from './value.ts';

/** What resolution finds, document by document; the temporary file takes what is many. */
export class Findings {
  readonly edges: Edges;
  readonly outside: OutsideUses;
  readonly externalImports;
  readonly #documents: Documents;
  /** The document at hand. */
  #current = -1;

  constructor(documents: Documents, file: TemporaryFile) {
    this.#documents = documents;
    this.edges = createEdges(file);
    this.outside = createOutsideUses(file);
    this.externalImports = createRowSpool<ExternalImport>(file);
  }

  startDocument(document: number): void {
    this.#current = document;
  }

  /** Nothing more comes from the document at hand. */
  endDocument(): void {
    this.edges.endDocument();
    this.outside.endDocument();
    this.#current = -1;
  }

  addEdge({ from, to, ...rest }: Omit<ResolvedEdge, 'weight'>): void {
    const target = { document: to.document, definition: to.definition };
    this.edges.add({ ...rest, from, to: target, weight: 1 }, this.#current);
  }

  /** A use of what a value from outside stands for. `isApart`: any document may say the same of this definition. */
  addOutside(use: Omit<OutsideUse, 'language' | 'origin' | 'weight'>, value: Value, isApart = false): void {
    if (value.kind !== 'external') return;
    const { language } = this.#documents.at(use.from.document);
    for (const origin of value.origins ?? []) this.outside.add({ ...use, language, origin, weight: 1 }, isApart);
  }
}
