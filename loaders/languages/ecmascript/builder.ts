import { plainDefinition } from '../../facts/fact.ts';
import type { Binding, Call, Definition, Export, Expr, FileFacts, Import, Member, Scope } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';

/** Nothing known. */
export const unknownExpr: Expr = { kind: 'unknown' };

/** A text, number or other value that only the language's own methods have a hold on. */
export const literal: Expr = { kind: 'typed', type: { kind: 'reference', name: 'string', scope: -1, args: [] } };

/** Where in a file one stands. */
export interface Position {
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

/** Collects the facts of one file. */
export class Builder {
  readonly definitions: Definition[] = [];
  readonly scopes: Scope[] = [{ parent: -1, definition: -1, bindings: [] }];
  readonly imports: Import[] = [];
  readonly exports: Export[] = [];
  readonly calls: Call[] = [];
  readonly assignments: Assignment[] = [];
  /** `this` of each function that may turn out to be no method. */
  readonly selves: Extract<Expr, { kind: 'self' }>[] = [];
  /** Each `exports` in a value: the file's own, unless something around has that name. */
  readonly exportsNames: Extract<Expr, { kind: 'name' }>[] = [];
  readonly language: string;
  readonly source: string;

  constructor(language: string, source: string) {
    this.language = language;
    this.source = source;
  }

  scope(parent: number, definition: number): number {
    return this.scopes.push({ parent, definition, bindings: [] }) - 1;
  }

  bind(scope: number, name: string, line: number, binding: Partial<Binding>): void {
    this.scopes[scope]?.bindings.push({
      name,
      definition: -1,
      import: -1,
      value: null,
      type: null,
      line,
      ...binding,
    });
  }

  import(module: string, name: string, local: string, line: number, typeOnly = false): number {
    return this.imports.push({ module, name, local, line, typeOnly }) - 1;
  }

  export(name: string, line: number, rest: Partial<Export>): void {
    this.exports.push({ name, value: null, from: null, imported: null, line, ...rest });
  }

  define(kind: Definition['kind'], name: string, node: Node, nameNode: Node, owner: number): number {
    return (
      this.definitions.push({
        kind,
        name,
        qualifiedName: this.qualify(owner, name),
        line: nameNode.startPosition.row + 1,
        endLine: node.endPosition.row + 1,
        owner,
        scope: -1,
        exported: false,
        ...plainDefinition(),
      }) - 1
    );
  }

  definition(index: number): Definition {
    const found = this.definitions[index];
    if (!found) throw new RangeError(`There is no definition ${index}.`);
    return found;
  }

  member(definition: number, name: string, rest: Partial<Member>): void {
    this.definitions[definition]?.members.push({
      name,
      definition: -1,
      value: null,
      type: null,
      isStatic: false,
      ...rest,
    });
  }

  qualify(owner: number, name: string): string {
    for (let index = owner; index >= 0;) {
      const around = this.definition(index);
      if (around.name !== '') return `${around.qualifiedName}.${name}`;
      index = around.owner;
    }
    return name;
  }

  facts(lines: number): FileFacts {
    return {
      language: this.language,
      lines,
      syntaxErrors: 0,
      packageName: null,
      definitions: this.definitions,
      scopes: this.scopes,
      imports: this.imports,
      exports: this.exports,
      calls: this.calls,
    };
  }
}

/** The line of a node, from 1. */
export function lineOf(node: Node): number {
  return node.startPosition.row + 1;
}

/** One line up to the body, as written. */
export function signatureOf(source: string, node: Node, body: Node | null): string {
  const text = source.slice(node.startIndex, Math.min(body?.startIndex ?? node.endIndex, node.startIndex + 1000));
  const flat = text.replace(/\s+/gu, ' ').replace(/\s*(?:=>)?\s*\{?$/u, '');
  return flat.length > 300 ? `${flat.slice(0, 299)}…` : flat;
}

/** What may stand between a function and the comment that is about it. */
const carriers: ReadonlySet<string> = new Set([
  'export_statement',
  'lexical_declaration',
  'variable_declaration',
  'variable_declarator',
  'expression_statement',
  'assignment_expression',
  'parenthesized_expression',
  'pair',
  'field_definition',
  'public_field_definition',
  'ambient_declaration',
]);

/** The doc comment above a definition; null where there is none. */
export function commentOf(node: Node): string | null {
  for (
    let place: Node | null = node;
    place;
    place = place.parent && carriers.has(place.parent.type) ? place.parent : null
  ) {
    let before = place.previousNamedSibling;
    while (before && (before.type === 'decorator' || (before.type === 'comment' && !before.text.startsWith('/**')))) {
      before = before.previousNamedSibling;
    }
    if (before?.type !== 'comment') continue;
    // One empty line between them is common; more means that the comment is about something else.
    return before.endPosition.row + 2 >= place.startPosition.row ? before.text : null;
  }
  return null;
}

/** First paragraph of a doc comment; null where there is none. */
export function docOf(comment: string | null): string | null {
  const lines = (comment ?? '')
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\*? ?/u, '').trimEnd());
  const start = lines.findIndex((line) => line.trim() !== '');
  if (start < 0) return null;
  const rest = lines.slice(start);
  const end = rest.findIndex((line) => line.trim() === '' || line.trim().startsWith('@'));
  const paragraph = (end < 0 ? rest : rest.slice(0, end)).join(' ').trim();
  return paragraph === '' ? null : paragraph.slice(0, 1000);
}
