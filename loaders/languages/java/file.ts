import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { FactsBuilder } from '../reading/facts-builder.ts';

/** Where code stands: names are looked up in `scope`, calls belong to `definition`, `this` is an instance of `type`. */
export interface Place {
  readonly scope: number;
  readonly definition: number;
  readonly type: number;
  /** Takes what `yield` and the arrows of a switch expression give. */
  readonly yields?: Expr[];
}

/** Reads one kind of node each: an expression holds classes and lambdas, a statement holds expressions. */
export interface Readers {
  expression(file: JavaFile, node: Node, place: Place): Expr;
  statements(file: JavaFile, nodes: readonly Node[], place: Place): void;
  /** The members of a class whose body this is. */
  members(file: JavaFile, body: Node, place: Place): void;
}

/** One Java file while it is read. */
export class JavaFile extends FactsBuilder {
  readonly read: Readers;

  constructor(source: string, lines: number, read: Readers) {
    super('java', source, lines);
    this.read = read;
  }
}
