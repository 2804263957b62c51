import type { ArgumentFor, Call, Definition, Expr, Import, Member, TypeExpr, TypeReference } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { firstParagraph, oneLine } from './documentation.ts';
import { type Bound, FactsBuilder, unknown } from './facts-builder.ts';

export { unknown } from './facts-builder.ts';

/** Where code stands: names are looked up in `scope`, calls belong to `definition`, `this` is an instance of `type`. */
export interface Place {
  readonly scope: number;
  readonly definition: number;
  /** The class around; -1 outside one. */
  readonly type: number;
  /** What the class calls itself, where the code stands apart from it: Rust's `Self`. */
  readonly self: TypeExpr | null;
  /** Directly in what is written apart from the class: is it all of a trait's, or the class's own? */
  readonly implementing?: 'trait' | 'type' | undefined;
  /** Of an argument: what is asked for there, so that a lambda learns its parameters' types. */
  readonly expected: Expr | null;
}

/** Reads one kind of node: what it stands for as a value; the calls, names and definitions in it become facts. */
export type Reader = (file: SourceFile, node: Node, place: Place) => Expr;

/** What a function gives beyond this many says nothing more. */
const maxReturns = 8;

/** Rows between a comment and the declaration that it is about, annotations among them. */
const maxRowsToComment = 6;

/** One file while it is read by a table from node types to readers. */
export class SourceFile extends FactsBuilder {
  readonly path: string;
  /** The file's top level. */
  readonly top: Place = { scope: 0, definition: -1, type: -1, self: null, expected: null };
  private readonly readers: Readonly<Record<string, Reader>>;
  /** The comment that was met last, from its first to its last row. */
  private comment: { start: number; end: number; endRow: number } | null = null;

  constructor(language: string, root: Node, source: string, path: string, readers: Readonly<Record<string, Reader>>) {
    super(language, source, root.endPosition.row + 1);
    this.path = path;
    this.readers = readers;
  }

  /** Reads a node as its language's table says; what is not there, child by child. */
  read(node: Node | null | undefined, place: Place): Expr {
    if (!node) return unknown;
    const { type } = node;
    if (isComment(type)) {
      this.takeComment(node);
      return unknown;
    }
    const reader = this.readers[type];
    if (reader) return reader(this, node, place);
    for (const child of node.namedChildren) this.read(child, place);
    return unknown;
  }

  /** Reads all that a node holds, comments aside. */
  readAll(node: Node | null | undefined, place: Place): Expr[] {
    const values: Expr[] = [];
    for (const child of node?.namedChildren ?? []) {
      if (isComment(child.type)) this.takeComment(child);
      else values.push(this.read(child, place));
    }
    return values;
  }

  /** The comment right above a declaration, as it stands; empty where there is none. */
  commentAbove(node: Node): string {
    const { comment, source } = this;
    if (!comment || comment.end > node.startIndex) return '';
    if (node.startPosition.row - comment.endRow > maxRowsToComment) return '';
    // Only annotations may be between.
    const between = source.slice(comment.end, node.startIndex).trim();
    return between === '' || /^[#@[]/.test(between) ? source.slice(comment.start, comment.end) : '';
  }

  /** A place with names of its own. */
  block(place: Place): Place {
    return { ...place, scope: this.addScope(place.scope), expected: null };
  }

  bind(place: Place, name: string, node: Node, to: Bound): void {
    if (name !== '' && name !== '_') this.addBinding(place.scope, name, this.line(node), to);
  }

  /** Index of the new definition; what is not said is empty. `name` is the node that names it. */
  define(
    definition: Partial<Definition> & Pick<Definition, 'kind' | 'name'>,
    node: Node,
    place: Place,
    name?: Node | null,
  ): number {
    const body = node.childForFieldName('body');
    const doc = firstParagraph(this.commentAbove(node));
    this.comment = null;
    const end = Math.max(body?.startIndex ?? node.endIndex, node.startIndex);
    return this.addDefinition({
      line: this.line(name ?? node),
      endLine: node.endPosition.row + 1,
      owner: place.definition,
      exported: true,
      signature: definition.name === '' ? null : oneLine(this.source.slice(node.startIndex, end)),
      doc,
      ...definition,
    });
  }

  /** A function that is written in place has the name that it is assigned to. */
  nameFunction(definition: number, name: Node): void {
    const own = this.definition(definition);
    if (own.kind !== 'function' || own.name !== '') return;
    own.name = this.text(name);
    own.qualifiedName = [this.qualifiedNameAround(own.owner), own.name].filter(Boolean).join('.');
    own.line = this.line(name);
  }

  /** The place inside a definition, with a scope of its own. */
  enter(definition: number, place: Place): Place {
    const own = this.definition(definition);
    own.scope = this.addScope(place.scope, definition);
    const isType = own.kind !== 'function' && own.kind !== 'method' && own.kind !== 'constructor';
    return { ...place, scope: own.scope, definition, type: isType ? definition : place.type, expected: null };
  }

  /** Members of a value of this type are names in the scope of a place. */
  receives(place: Place, type: TypeExpr): void {
    const scope = this.facts.scopes[place.scope];
    if (scope) scope.receiver = type;
  }

  /** Adds a member to a class; what has no name or no class around is none. */
  member(type: number, name: string, member: Partial<Omit<Member, 'name'>>): void {
    if (type >= 0 && name !== '') this.addMember(type, name, member);
  }

  /** Makes an import whose name can be used here. */
  importAs(place: Place, wanted: Pick<Import, 'module' | 'name' | 'local' | 'holder'>, node: Node): void {
    this.bind(place, wanted.local, node, { import: this.addImport(wanted, this.line(node)) });
  }

  /** What the new call gives; its arguments are read as such. `wanted`: the parameter of one whose place does not say it. */
  call(
    place: Place,
    node: Node,
    callee: Expr,
    argNodes: readonly Node[],
    more: Partial<Call> = {},
    wanted?: (arg: Node) => ArgumentFor | undefined,
  ): Expr {
    const { scope, definition: caller } = place;
    const args: Expr[] = [];
    const call = this.addCall({ callee, args, isNew: false, caller, scope, line: this.line(node), ...more });
    for (const [index, arg] of argNodes.entries()) {
      const parameter = wanted?.(arg);
      const expected: Expr = { kind: 'argument', call, index, ...(parameter ? { for: parameter } : {}) };
      const value = this.read(arg, { ...place, expected });
      args.push(parameter && parameter !== 'last' ? { kind: 'named', name: parameter.name, value } : value);
    }
    return { kind: 'result', call };
  }

  /** The function in whose body this is gives this value. */
  returns(place: Place, value: Expr): void {
    const owner = this.facts.definitions[place.definition];
    if (!owner || owner.returnType || value.kind === 'unknown' || owner.returns.length >= maxReturns) return;
    owner.returns.push(value);
  }

  private takeComment(node: Node): void {
    const { comment } = this;
    const follows = comment && comment.endRow >= node.startPosition.row - 1;
    // The grammar may count the line's end in.
    const endRow = node.endPosition.column === 0 ? node.endPosition.row - 1 : node.endPosition.row;
    this.comment = { start: follows ? comment.start : node.startIndex, end: node.endIndex, endRow };
  }
}

/** Reads every child and gives the value of the last, as a block does whose end is its value. */
export const lastOf: Reader = (file, node, place) => file.readAll(node, place).at(-1) ?? unknown;

/** The same, with names of its own. */
export const blockOf: Reader = (file, node, place) => lastOf(file, node, file.block(place));

/** What is in parentheses. */
export const firstOf: Reader = (file, node, place) => file.readAll(node, place)[0] ?? unknown;

/** Nothing in it is read. */
export const skipped: Reader = () => unknown;

/** Children that are no comments. */
export function partsOf(node: Node | null | undefined): Node[] {
  return (node?.namedChildren ?? []).filter(({ type }) => !isComment(type));
}

/** A type by its name. */
export function named(name: string, place: Place, args: TypeExpr[] = []): TypeReference {
  return { kind: 'reference', name, scope: place.scope, args };
}

function isComment(type: string): boolean {
  return type.endsWith('comment');
}
