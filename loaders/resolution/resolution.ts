import type { BoundaryRow } from '../../src/model/snapshot.ts';
import type { DefinitionRef } from './definition-ref.ts';
import type { LookUp } from './look-up.ts';
import type { SurfaceNames } from './surface.ts';
import type { Origin } from './value.ts';

/** One edge between definitions of a repository; (type, from, to) occurs once. */
export interface ResolvedEdge {
  type: 'CALLS' | 'INHERITS' | 'IMPORTS';
  /** Its definition is -1 for the file itself: an import, or a call at its top, of which the graph has no edge. */
  from: DefinitionRef;
  to: DefinitionRef;
  /** How many sites stand behind it. */
  weight: number;
  /** 0 to 1; below 0.5 a guess by name alone. */
  confidence: number;
  strategy: Strategy;
  /** Of the first site, in the document of `from`. */
  line: number;
  /** The name at the first site, which an alias makes another than that of `to`. */
  name: string;
}

export type Strategy =
  | 'same_file'
  | 'same_package'
  | 'import'
  | 'self'
  | 'super'
  | 'receiver_type'
  | 'value'
  | 'inheritance'
  | 'computed_base'
  | 'scip'
  | 'only_name'
  | 'told_name'
  | 'family_name'
  | 'unique_name';

/** Certainty by how the callee was found; several possible targets lower it. */
export const confidences: Readonly<Record<Strategy, number>> = {
  same_file: 0.95,
  same_package: 0.95,
  import: 0.95,
  self: 0.95,
  super: 0.95,
  receiver_type: 0.9,
  value: 0.8,
  inheritance: 0.95,
  computed_base: 0.9,
  scip: 1,
  only_name: 0.75,
  told_name: 0.7,
  family_name: 0.55,
  unique_name: 0.4,
};

/** A use of what lies outside the repository, where an import says where; (type, from, origin, arguments) occurs once. */
export interface OutsideUse {
  type: ResolvedEdge['type'];
  from: DefinitionRef;
  /** It says which ecosystem is meant. */
  language: string;
  origin: Origin;
  weight: number;
  /** Of the first site. */
  line: number;
  /** How many each site passes. */
  arguments: number;
}

/** An import that leads out of the repository. */
export interface ExternalImport {
  document: number;
  language: string;
  module: string;
  line: number;
}

/** What a compiler says of some files; it outranks what is found here. */
export interface Compiled {
  /**
   * The symbols that a name on a line may stand for, each with its declarations; those outside are left out. Null where nothing is
   * said of it.
   */
  named(document: number, line: number, name: string): readonly (readonly DefinitionRef[])[] | null;
  /** Classes with what they extend or implement, themselves or through another. */
  bases: readonly { from: DefinitionRef; to: DefinitionRef }[];
}

/** Where a call leads: to a definition here, out of the repository, or nobody knows where. */
export type CallOutcome = 'resolved' | 'external' | 'unresolved';

/** What the facts of all files say together. */
export interface Resolution extends LookUp {
  /** Forgets what looking up has remembered: after each document. */
  forget(): void;
  /** By type, then from, then to; many lie on disk. */
  edges: Iterable<ResolvedEdge>;
  calls: Record<CallOutcome, number>;
  /** Imports that lead out of the repository: the module as written, by document and line. */
  externalImports: Iterable<ExternalImport>;
  /** In the order of documents and places. */
  outside: Iterable<OutsideUse>;
  /** What others can use of the repository. */
  surface(names: SurfaceNames): Iterable<BoundaryRow>;
}
