import type { Value } from '../../model/property-graph.ts';
import type { Expression, Pattern } from './syntax.ts';
import type { TypeName } from './values.ts';

/** The values of all variables at one point of a query, by their places. */
export type Row = Value[];

/** What is known of a variable before anything runs. */
export interface Variable {
  slot: number;
  /** `any` where it may be of several types. */
  type: TypeName | 'any';
}

/** Which variables there are, and where in a row; places are given out once for each row's whole length. */
export class Scope {
  readonly variables: Map<string, Variable>;
  private readonly width: { slots: number };

  constructor(variables: ReadonlyMap<string, Variable> = new Map(), width = { slots: 0 }) {
    this.variables = new Map(variables);
    this.width = width;
  }

  get(name: string): Variable | undefined {
    return this.variables.get(name);
  }

  /** A place that no variable is named for. */
  slot(): number {
    return this.width.slots++;
  }

  declare(name: string, type: Variable['type']): Variable {
    const variable = { slot: this.slot(), type };
    this.variables.set(name, variable);
    return variable;
  }

  /** The same rows, by other names. */
  with(variables: ReadonlyMap<string, Variable>): Scope {
    return new Scope(variables, this.width);
  }

  /** The same rows, with variables that are seen only there. */
  inner(): Scope {
    return new Scope(this.variables, this.width);
  }
}

/** What one expression needs before it is evaluated. */
export interface Compiled {
  evaluate: (row: Row) => Value;
  /** Places of nodes and edges whose properties it looks at, also in lists and paths. */
  needs: ReadonlySet<number>;
  /** It asks for the properties of the ends of edges. */
  needsEnds: boolean;
  /** What is looked up in the graph for each row before. */
  hoisted: readonly Hoisted[];
  type: Variable['type'];
}

/** A pattern inside of an expression, whose answer is put into a place of the row. */
export interface Hoisted {
  slot: number;
  expression: Extract<Expression, { kind: 'exists' | 'patternComprehension' }>;
  scope: Scope;
}

/** The names that patterns say. */
export function namesIn(patterns: readonly Pattern[]): Set<string> {
  const names = patterns.flatMap(({ variable, nodes, edges }) => [
    variable,
    ...[...nodes, ...edges].map((each) => each.variable),
  ]);
  return new Set(names.filter((name) => name !== null));
}
