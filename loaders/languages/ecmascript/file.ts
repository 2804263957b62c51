import type { Definition, Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { FactsBuilder, unknown } from '../reading/facts-builder.ts';

/** A text, number or other value that only the language's own methods have a hold on. */
export const literal: Expr = { kind: 'typed', type: { kind: 'reference', name: 'string', scope: -1, args: [] } };

/** Where code stands. */
export interface Place {
  scope: number;
  /** The scope that `var` and functions are hoisted to. */
  hoist: number;
  /** The definition around, anonymous ones included; -1 at the top. */
  owner: number;
  /** What `this` is. */
  self: Expr;
  /** The method whose `super` it is; -1 outside. */
  method: number;
}

/** What a value is assigned to, which names a function or class. */
export interface Naming {
  name: string;
  node: Node;
}

/** `target.name = …` as it is written; brought to its object when the whole file is known. */
export interface Assignment {
  target: Expr;
  name: string;
  definition: number;
  value: Expr;
  scope: number;
  isStatic: boolean;
  line: number;
}

/** Reads one kind of statement. */
export type StatementReader = (file: EcmascriptFile, node: Node, place: Place) => void;

/** Reads one kind of value; `expected` is what the place asks for, `naming` what the value is assigned to. */
export type ExpressionReader = (
  file: EcmascriptFile,
  node: Node,
  place: Place,
  expected: Expr | null,
  naming: Naming | null,
) => Expr;

/** By node type. */
export interface Readers {
  statements: Readonly<Record<string, StatementReader>>;
  expressions: Readonly<Record<string, ExpressionReader>>;
}

/** Expressions nested deeper than this are data or generated; following them further would exhaust the stack. */
const maxDepth = 400;

/** One JavaScript or TypeScript file while it is read. */
export class EcmascriptFile extends FactsBuilder {
  /** JavaScript: its types are in doc comments; TypeScript's are not. */
  readonly isJavascript: boolean;
  readonly assignments: Assignment[] = [];
  /** `this` of each function that may turn out to be no method. */
  readonly selves: Extract<Expr, { kind: 'self' }>[] = [];
  /** Each `exports` in a value: the file's own, unless something around has that name. */
  readonly exportsNames: Extract<Expr, { kind: 'name' }>[] = [];
  private readonly readers: Readers;
  private depth = 0;

  constructor(language: string, root: Node, source: string, readers: Readers) {
    super(language, source, root.endPosition.row + 1);
    this.isJavascript = language === 'javascript';
    this.readers = readers;
  }

  /** A statement; what is none is an expression whose value nobody takes. */
  visit(node: Node, place: Place): void {
    const reader = this.readers.statements[node.type];
    if (reader) reader(this, node, place);
    else this.expression(node, place, null);
  }

  visitAll(node: Node, place: Place): void {
    for (const child of node.namedChildren) this.visit(child, place);
  }

  /** A value; every call in it is noted once. What the table does not have is visited child by child. */
  expression(node: Node, place: Place, expected: Expr | null, naming: Naming | null = null): Expr {
    if (this.depth >= maxDepth) return unknown;
    this.depth++;
    try {
      const reader = this.readers.expressions[node.type];
      if (reader) return reader(this, node, place, expected, naming);
      this.visitAll(node, place);
      return unknown;
    } finally {
      this.depth--;
    }
  }

  /** Index of the new definition. */
  define(kind: Definition['kind'], name: string, node: Node, nameNode: Node, owner: number): number {
    const qualifiedName = this.qualify(owner, name);
    const line = this.line(nameNode);
    return this.addDefinition({ kind, name, qualifiedName, line, endLine: node.endPosition.row + 1, owner });
  }

  /** A name inside its owner, also one that is empty. */
  qualify(owner: number, name: string): string {
    const around = this.qualifiedNameAround(owner);
    return around === '' ? name : `${around}.${name}`;
  }

  /** Puts `target.name = …` aside until the whole file is known. */
  assign(assignment: Assignment): void {
    this.assignments.push(assignment);
  }
}
