import type { EdgeType, NodeType } from './graph.ts';

/** What a node or an edge is compared by, and what of it is given. */
export const textsOfNodes = [
  'id',
  'repository',
  'name',
  'kind',
  'qualified_name',
  'language',
  'path',
  'signature',
  'doc',
] as const;
export const numbersOfNodes = ['line', 'end_line'] as const;
export const booleansOfNodes = ['exported'] as const;
export const textsOfEdges = ['strategy', 'path'] as const;
export const numbersOfEdges = ['weight', 'confidence', 'line'] as const;

/** A property of one of a query's nodes or edges, by their places in its lists. */
export type DirectProperty =
  | {
      of: 'node';
      place: number;
      name: (typeof textsOfNodes)[number] | (typeof numbersOfNodes)[number] | (typeof booleansOfNodes)[number];
    }
  | { of: 'edge'; place: number; name: (typeof textsOfEdges)[number] | (typeof numbersOfEdges)[number] };

export type DirectComparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Texts are well formed, numbers finite and, where they are whole, safe; a value is of its property's type. */
export type DirectValue = string | number | boolean;

export type DirectCondition =
  | { kind: 'logic'; operator: 'AND' | 'OR' | 'XOR'; left: DirectCondition; right: DirectCondition }
  | { kind: 'not'; of: DirectCondition }
  | { kind: 'value'; left: DirectProperty; operator: DirectComparison; right: DirectValue }
  | { kind: 'in'; left: DirectProperty; values: DirectValue[] }
  | { kind: 'part'; left: DirectProperty; operator: 'STARTS WITH' | 'ENDS WITH' | 'CONTAINS'; text: string }
  | { kind: 'isNull'; of: DirectProperty; negated: boolean }
  | { kind: 'label'; node: number; label: NodeType }
  | { kind: 'sameNode'; left: number; right: number; negated: boolean };

/** One edge, or a way of several, from a node to another. */
export interface DirectEdge {
  left: number;
  right: number;
  types: EdgeType[];
  direction: 'in' | 'out';
  length: { min: number; max: number } | null;
}

export type DirectColumn =
  | { kind: 'property'; of: DirectProperty }
  | { kind: 'min' | 'max'; of: DirectProperty }
  /** Of rows where `of` is null. */
  | {
      kind: 'count';
      distinct: boolean;
      of: DirectProperty | { of: 'node' | 'edge'; place: number; name: null } | null;
    };

/**
 * A question that a store may answer by itself, in one go. It begins at a node whose id is known, and goes along edges of types that no
 * contributor has: so each node is one, and belongs to one repository.
 */
export interface DirectQuery {
  /** How many nodes the question speaks of. */
  nodes: number;
  edges: DirectEdge[];
  start: { node: number; id: string };
  /** One after another: of one match no edge is met twice. Each touches what was found before. */
  matches: { edges: number[]; conditions: DirectCondition[] }[];
  columns: DirectColumn[];
  distinct: boolean;
  order: { column: number; descending: boolean }[];
  skip: number;
  limit: number;
  /** Of the whole answer. */
  maxMs: number;
}
