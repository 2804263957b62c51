import type { Value } from '../../model/property-graph.ts';

/** What a query says, as a tree. `at` is the place in its text, in characters from 0. */
export interface Query {
  explain: boolean;
  /** More than one are joined by UNION. */
  parts: Clause[][];
  /** UNION ALL keeps what is there twice. */
  all: boolean;
}

export type Clause = Match | Unwind | Projection | Create;

export interface Match {
  kind: 'match';
  optional: boolean;
  patterns: Pattern[];
  where: Expression | null;
  at: number;
}

export interface Unwind {
  kind: 'unwind';
  list: Expression;
  variable: string;
  at: number;
}

/** WITH or RETURN. */
export interface Projection {
  kind: 'with' | 'return';
  distinct: boolean;
  /** `*` was written: all variables, by name. */
  all: boolean;
  items: Item[];
  order: { by: Expression; descending: boolean }[];
  skip: Expression | null;
  limit: Expression | null;
  where: Expression | null;
  at: number;
}

export interface Item {
  expression: Expression;
  /** What the column is called: as it was named, else as it was written. */
  name: string;
  isNamed: boolean;
}

/** Is read so that it can be refused by its name and place. */
export interface Create {
  kind: 'create';
  patterns: Pattern[];
  at: number;
}

/** Nodes and the relationships between them; one node more than relationships. */
export interface Pattern {
  variable: string | null;
  nodes: NodePattern[];
  edges: EdgePattern[];
  at: number;
}

export interface NodePattern {
  variable: string | null;
  labels: string[];
  properties: Expression | null;
  at: number;
}

export interface EdgePattern {
  variable: string | null;
  types: string[];
  direction: 'in' | 'out' | 'both';
  /** Null is one relationship; a maximum that is not said is infinite. */
  length: { min: number; max: number } | null;
  properties: Expression | null;
  at: number;
}

export type Expression = { at: number } & (
  | { kind: 'literal'; value: Value }
  | { kind: 'parameter'; name: string }
  | { kind: 'variable'; name: string }
  /** What was computed before, by its place in the row; no text says it. */
  | { kind: 'slot'; slot: number }
  | { kind: 'property'; of: Expression; name: string }
  | { kind: 'hasLabels'; of: Expression; labels: string[] }
  | { kind: 'index'; of: Expression; index: Expression }
  | { kind: 'slice'; of: Expression; from: Expression | null; to: Expression | null }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'map'; entries: { name: string; value: Expression }[] }
  | { kind: 'unary'; operator: 'NOT' | '-' | '+'; of: Expression }
  | { kind: 'binary'; operator: Operator; left: Expression; right: Expression }
  /** `a < b <= c`: all of them hold. */
  | { kind: 'comparison'; first: Expression; rest: { operator: Comparison; right: Expression }[] }
  | { kind: 'isNull'; of: Expression; negated: boolean }
  | {
      kind: 'case';
      subject: Expression | null;
      branches: { when: Expression; result: Expression }[];
      otherwise: Expression | null;
    }
  | { kind: 'call'; name: string; distinct: boolean; arguments: Expression[] }
  | { kind: 'countAll' }
  | {
      kind: 'quantifier';
      quantifier: 'all' | 'any' | 'none' | 'single';
      variable: string;
      list: Expression;
      where: Expression;
    }
  | { kind: 'comprehension'; variable: string; list: Expression; where: Expression | null; result: Expression | null }
  | { kind: 'reduce'; accumulator: string; initial: Expression; variable: string; list: Expression; result: Expression }
  | { kind: 'exists'; patterns: Pattern[]; where: Expression | null; bare: boolean }
  | { kind: 'patternComprehension'; pattern: Pattern; where: Expression | null; result: Expression }
);

export type Operator =
  'OR' | 'XOR' | 'AND' | '+' | '-' | '*' | '/' | '%' | '^' | 'IN' | 'STARTS WITH' | 'ENDS WITH' | 'CONTAINS';
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** The expressions that one has directly inside, but for those inside of patterns. */
export function inside(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'parameter':
    case 'variable':
    case 'slot':
    case 'countAll':
    case 'exists':
    case 'patternComprehension':
      return [];
    case 'property':
    case 'hasLabels':
    case 'unary':
    case 'isNull':
      return [expression.of];
    case 'index':
      return [expression.of, expression.index];
    case 'slice':
      return [expression.of, expression.from, expression.to].filter((each) => each !== null);
    case 'list':
      return expression.items;
    case 'map':
      return expression.entries.map(({ value }) => value);
    case 'binary':
      return [expression.left, expression.right];
    case 'comparison':
      return [expression.first, ...expression.rest.map(({ right }) => right)];
    case 'case':
      return [
        expression.subject,
        ...expression.branches.flatMap(({ when, result }) => [when, result]),
        expression.otherwise,
      ].filter((each) => each !== null);
    case 'call':
      return expression.arguments;
    case 'quantifier':
      return [expression.list, expression.where];
    case 'comprehension':
      return [expression.list, expression.where, expression.result].filter((each) => each !== null);
    case 'reduce':
      return [expression.initial, expression.list, expression.result];
  }
}
