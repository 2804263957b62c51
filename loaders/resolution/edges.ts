import { createRowSpool } from '../row-spool.ts';
import type { TemporaryFile } from '../temporary-file.ts';
import type { DefinitionRef } from './definition-ref.ts';
import type { ResolvedEdge } from './resolution.ts';

/** The edges of a repository as they are found, document by document; gone through by type, then from, then to. */
export interface Edges extends Iterable<ResolvedEdge> {
  /** Of those between the same two places one is made. */
  add(edge: ResolvedEdge, document: number): void;
  /** Nothing more comes from this document, but for what others say of its classes. */
  endDocument(): void;
}

/** Without an edge; the temporary file takes them where they are many. */
export function createEdges(file: TemporaryFile): Edges {
  const spools = {
    CALLS: createRowSpool<ResolvedEdge>(file),
    IMPORTS: createRowSpool<ResolvedEdge>(file),
    INHERITS: createRowSpool<ResolvedEdge>(file),
  };
  const ofDocument = new Map<string, ResolvedEdge>();
  /** Of a class that is written in another document than what says so: few. */
  const apart = new Map<string, ResolvedEdge>();
  return {
    add(edge, document) {
      const among = edge.from.document === document ? ofDocument : apart;
      const key = keyOf(edge);
      const known = among.get(key);
      among.set(key, known ? both(known, edge) : edge);
    },
    endDocument() {
      for (const edge of [...ofDocument.values()].sort(byPlace)) spools[edge.type].add(edge);
      ofDocument.clear();
    },
    *[Symbol.iterator]() {
      yield* spools.CALLS;
      yield* spools.IMPORTS;
      yield* merged(spools.INHERITS, [...apart.values()].sort(byPlace));
    },
  };
}

/** Two lists in order as one. */
function* merged(edges: Iterable<ResolvedEdge>, others: readonly ResolvedEdge[]): Generator<ResolvedEdge> {
  let next = 0;
  for (const edge of edges) {
    let other = others[next];
    for (; other && byPlace(other, edge) < 0; other = others[++next]) yield other;
    if (other && byPlace(other, edge) === 0) {
      yield both(edge, other);
      next++;
    } else yield edge;
  }
  yield* others.slice(next);
}

/** Of two between the same places: how the surer one was found, and where the first one stands. */
function both(a: ResolvedEdge, b: ResolvedEdge): ResolvedEdge {
  const { confidence, strategy } = b.confidence > a.confidence ? b : a;
  const { line, name } = b.line < a.line ? b : a;
  return { ...a, weight: a.weight + b.weight, confidence, strategy, line, name };
}

const keyOf = ({ type, from, to }: ResolvedEdge) =>
  `${type} ${from.document} ${from.definition} ${to.document} ${to.definition}`;

function byPlace(a: ResolvedEdge, b: ResolvedEdge): number {
  return (a.type < b.type ? -1 : a.type > b.type ? 1 : 0) || compare(a.from, b.from) || compare(a.to, b.to);
}

const compare = (a: DefinitionRef, b: DefinitionRef) => a.document - b.document || a.definition - b.definition;
