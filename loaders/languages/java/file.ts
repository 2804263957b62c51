import { plainDefinition } from '../../facts/fact.ts';
import type { Binding, Call, Definition, Expr, FileFacts, Import, Scope } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';

/** Where code stands: names are looked up in `scope`, calls belong to `definition`, `this` is an instance of `type`. */
export interface Place {
  readonly scope: number;
  readonly definition: number;
  readonly type: number;
  /** Takes what `yield` and the arrows of a switch expression give. */
  readonly yields?: Expr[];
}

/** One Java file while it is read: its facts so far and how to add to them. */
export interface JavaFile {
  readonly facts: FileFacts;
  readonly source: string;
  /** The part of the tree that reads the other: an expression holds classes and lambdas, a statement holds expressions. */
  readonly read: Readers;
  text(node: Node): string;
  line(node: Node): number;
  addScope(parent: number, definition?: number): number;
  bind(scope: number, name: string, binding: Partial<Binding> & { line: number }): void;
  /** Index of the new definition; what is not said is empty. */
  define(definition: Partial<Definition> & Pick<Definition, 'kind' | 'name' | 'line' | 'endLine' | 'owner'>): number;
  definition(index: number): Definition;
  addImport(wanted: Import): number;
  /** Index of the new call. */
  addCall(call: Call): number;
}

/** Reads one kind of node each. */
export interface Readers {
  expression(file: JavaFile, node: Node, place: Place): Expr;
  statements(file: JavaFile, nodes: readonly Node[], place: Place): void;
  /** The members of a class whose body this is. */
  members(file: JavaFile, body: Node, place: Place): void;
}

/** An empty file. */
export function openFile(source: string, lines: number, read: Readers): JavaFile {
  const facts: FileFacts = {
    language: 'java',
    lines,
    syntaxErrors: 0,
    packageName: null,
    definitions: [],
    scopes: [],
    imports: [],
    exports: [],
    calls: [],
  };

  const file: JavaFile = {
    facts,
    source,
    read,
    text: (node) => source.slice(node.startIndex, node.endIndex),
    line: (node) => node.startPosition.row + 1,
    addScope(parent, definition = -1) {
      const scope: Scope = { parent, definition, bindings: [] };
      return facts.scopes.push(scope) - 1;
    },
    bind(scope, name, binding) {
      facts.scopes[scope]?.bindings.push({ name, definition: -1, import: -1, value: null, type: null, ...binding });
    },
    define(definition) {
      const owner = facts.definitions[definition.owner];
      return (
        facts.definitions.push({
          qualifiedName: [owner?.qualifiedName, definition.name].filter(Boolean).join('.'),
          scope: -1,
          exported: false,
          ...plainDefinition(),
          ...definition,
        }) - 1
      );
    },
    definition(index) {
      const found = facts.definitions[index];
      if (!found) throw new RangeError(`There is no definition ${index}.`);
      return found;
    },
    addImport: (wanted) => facts.imports.push(wanted) - 1,
    addCall: (call) => facts.calls.push(call) - 1,
  };
  return file;
}
