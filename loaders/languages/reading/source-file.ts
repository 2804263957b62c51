import { plainDefinition } from '../../facts/fact.ts';
import type { Binding, Call, Definition, Expr, FileFacts, Import, Member, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { firstParagraph, oneLine } from './documentation.ts';

/** Where code stands: names are looked up in `scope`, calls belong to `definition`, `this` is an instance of `type`. */
export interface Place {
  readonly scope: number;
  readonly definition: number;
  /** The class around; -1 outside one. */
  readonly type: number;
  /** What the class calls itself, where the code stands apart from it: Rust's `Self`. */
  readonly self: TypeExpr | null;
  /** Of an argument: what is asked for there, so that a lambda learns its parameters' types. */
  readonly expected: Expr | null;
}

/** Reads one kind of node: what it stands for as a value; the calls, names and definitions in it become facts. */
export type Reader = (file: SourceFile, node: Node, place: Place) => Expr;

/** Nothing known, as a value or a type. */
export const unknown = { kind: 'unknown' } as const;

type Bound = Partial<Omit<Binding, 'name' | 'line'>>;
type NewDefinition = Partial<Definition> & Pick<Definition, 'kind' | 'name'>;

/** One file while it is read: its facts so far and how to add to them. */
export interface SourceFile {
  readonly facts: FileFacts;
  readonly source: string;
  readonly path: string;
  /** The file's top level. */
  readonly top: Place;
  text(node: Node | null | undefined): string;
  line(node: Node): number;
  /** Reads a node as its language's table says; what is not there, child by child. */
  read(node: Node | null | undefined, place: Place): Expr;
  /** Reads all that a node holds, comments aside. */
  readAll(node: Node | null | undefined, place: Place): Expr[];
  /** The comment right above a declaration, as it stands; empty where there is none. */
  commentAbove(node: Node): string;
  /** A place with names of its own. */
  block(place: Place): Place;
  bind(place: Place, name: string, node: Node, to: Bound): void;
  /** Index of the new definition; what is not said is empty. `name` is the node that names it. */
  define(definition: NewDefinition, node: Node, place: Place, name?: Node | null): number;
  /** The place inside a definition, with a scope of its own. */
  enter(definition: number, place: Place): Place;
  definition(index: number): Definition;
  /** Adds a member to a class. */
  member(type: number, name: string, member: Partial<Omit<Member, 'name'>>): void;
  /** Index of the new import. */
  addImport(wanted: Pick<Import, 'module' | 'name'> & Partial<Import>, node: Node): number;
  /** Makes an import whose name can be used here. */
  importAs(place: Place, wanted: Pick<Import, 'module' | 'name' | 'local'>, node: Node): void;
  /** What the new call gives; its arguments are read as such. */
  call(place: Place, node: Node, callee: Expr, args: readonly Node[], more?: Partial<Call>): Expr;
  /** The function in whose body this is gives this value. */
  returns(place: Place, value: Expr): void;
}

/** What a function gives beyond this many says nothing more. */
const mostReturns = 8;

/** An empty file of this language, read by this table of node types. */
export function openSourceFile(
  language: string,
  root: Node,
  source: string,
  path: string,
  readers: Readonly<Record<string, Reader>>,
): SourceFile {
  const facts: FileFacts = {
    language,
    lines: root.endPosition.row + 1,
    syntaxErrors: 0,
    packageName: null,
    definitions: [],
    scopes: [{ parent: -1, definition: -1, bindings: [] }],
    imports: [],
    exports: [],
    calls: [],
  };
  /** The comment that was met last, from its first to its last row. */
  let comment: { start: number; end: number; endRow: number } | null = null;
  const line = (node: Node) => node.startPosition.row + 1;
  const addScope = (parent: number, definition: number) => facts.scopes.push({ parent, definition, bindings: [] }) - 1;

  const file: SourceFile = {
    facts,
    source,
    path,
    top: { scope: 0, definition: -1, type: -1, self: null, expected: null },
    line,
    text: (node) => (node ? source.slice(node.startIndex, node.endIndex) : ''),
    read(node, place) {
      if (!node) return unknown;
      const { type } = node;
      if (isComment(type)) {
        takeComment(node);
        return unknown;
      }
      const reader = readers[type];
      if (reader) return reader(file, node, place);
      for (const child of node.namedChildren) file.read(child, place);
      return unknown;
    },
    readAll(node, place) {
      const values: Expr[] = [];
      for (const child of node?.namedChildren ?? []) {
        if (isComment(child.type)) takeComment(child);
        else values.push(file.read(child, place));
      }
      return values;
    },
    commentAbove(node) {
      if (!comment || comment.end > node.startIndex || node.startPosition.row - comment.endRow > 6) return '';
      // Only annotations may be between.
      const between = source.slice(comment.end, node.startIndex).trim();
      return between === '' || /^[#@[]/.test(between) ? source.slice(comment.start, comment.end) : '';
    },
    block: (place) => ({ ...place, scope: addScope(place.scope, -1), expected: null }),
    bind(place, name, node, to) {
      const binding = { name, definition: -1, import: -1, value: null, type: null, line: line(node), ...to };
      if (name !== '' && name !== '_') facts.scopes[place.scope]?.bindings.push(binding);
    },
    define(definition, node, place, name) {
      const owner = facts.definitions[place.definition];
      const body = node.childForFieldName('body');
      const doc = firstParagraph(file.commentAbove(node));
      comment = null;
      return (
        facts.definitions.push({
          qualifiedName: [owner?.qualifiedName, definition.name].filter(Boolean).join('.'),
          line: line(name ?? node),
          endLine: node.endPosition.row + 1,
          owner: place.definition,
          scope: -1,
          exported: true,
          ...plainDefinition(),
          signature:
            definition.name === ''
              ? null
              : oneLine(source.slice(node.startIndex, Math.max(body?.startIndex ?? node.endIndex, node.startIndex))),
          doc,
          ...definition,
        }) - 1
      );
    },
    enter(definition, place) {
      const own = file.definition(definition);
      own.scope = addScope(place.scope, definition);
      const isType = own.kind !== 'function' && own.kind !== 'method' && own.kind !== 'constructor';
      return { ...place, scope: own.scope, definition, type: isType ? definition : place.type, expected: null };
    },
    definition(index) {
      const found = facts.definitions[index];
      if (!found) throw new RangeError(`There is no definition ${index}.`);
      return found;
    },
    member(type, name, member) {
      if (type < 0 || name === '') return;
      file.definition(type).members.push({ name, definition: -1, value: null, type: null, isStatic: false, ...member });
    },
    addImport: (wanted, node) => facts.imports.push({ local: '', typeOnly: false, line: line(node), ...wanted }) - 1,
    importAs(place, wanted, node) {
      file.bind(place, wanted.local, node, { import: file.addImport(wanted, node) });
    },
    call(place, node, callee, argNodes, more = {}) {
      const { scope, definition: caller } = place;
      const args: Expr[] = [];
      const call = facts.calls.push({ callee, args, isNew: false, caller, scope, line: line(node), ...more }) - 1;
      for (const [index, arg] of argNodes.entries()) {
        args.push(file.read(arg, { ...place, expected: { kind: 'argument', call, index } }));
      }
      return { kind: 'result', call };
    },
    returns(place, value) {
      const owner = facts.definitions[place.definition];
      if (!owner || owner.returnType || value.kind === 'unknown' || owner.returns.length >= mostReturns) return;
      owner.returns.push(value);
    },
  };
  return file;

  function takeComment(node: Node): void {
    const follows = comment && comment.endRow >= node.startPosition.row - 1;
    // The grammar may count the line's end in.
    const endRow = node.endPosition.column === 0 ? node.endPosition.row - 1 : node.endPosition.row;
    comment = { start: follows && comment ? comment.start : node.startIndex, end: node.endIndex, endRow };
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
export function named(name: string, place: Place, args: TypeExpr[] = []): TypeExpr {
  return { kind: 'reference', name, scope: place.scope, args };
}

function isComment(type: string): boolean {
  return type.endsWith('comment');
}
