import { plainDefinition } from '../../facts/fact.ts';
import type { Call, Definition, Expr, FileFacts, Import, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';

/**
 * Where code stands. Go's names hold from their declaration to the end of the block, so a block's scope is opened at its first
 * declaration, and another one where a name is declared that was used before.
 */
export interface Frame {
  scope: number;
  /** Its scope was opened for it, and is not that of the block around it. */
  opened: boolean;
  /** Index of the definition around it. */
  readonly owner: number;
  readonly declared: Set<string>;
  readonly used: Set<string>;
}

/** What a name is bound to. */
interface Bound {
  line: number;
  definition?: number;
  import?: number;
  value?: Expr;
  type?: TypeExpr | null;
}

/** One Go file while it is read: its facts so far and how to add to them. */
export interface GoFile {
  readonly facts: FileFacts;
  readonly source: string;
  /** The file's own top level. */
  readonly top: Frame;
  /** The parts of the reader that hold each other: a type holds fields, an expression functions, a function statements. */
  readonly read: Readers;
  text: (node: Node) => string;
  line: (node: Node) => number;
  /** A frame for what a definition holds, with a scope of its own. */
  enter(definition: number, parent: Frame): Frame;
  /** Reads what is inside a block, with its own names. */
  block(parent: Frame, inside: (frame: Frame) => void): void;
  /** Declares a name from here on. */
  bind(frame: Frame, name: string, to: Bound): void;
  /** Declares a parameter or result, which lies in the function's own scope. */
  bindParameter(frame: Frame, name: string, to: Bound): void;
  /** The new definition and its index; what is not said is empty. */
  define(
    definition: Partial<Definition> & Pick<Definition, 'kind' | 'name'>,
    node: Node,
    frame: Frame,
  ): [Definition, number];
  addImport(wanted: Import): number;
  /** What the new call gives. */
  addCall(call: Call): Expr;
}

/** Reads one kind of node each. */
export interface Readers {
  typeBody(file: GoFile, type: Node, definition: Definition, frame: Frame): void;
  statements(file: GoFile, node: Node, frame: Frame): void;
  statement(file: GoFile, node: Node, frame: Frame): void;
}

/** Nothing known, as a value or a type. */
export const unknown = { kind: 'unknown' } as const;

/** An empty file. */
export function openFile(source: string, lines: number, read: Readers): GoFile {
  const facts: FileFacts = {
    language: 'go',
    lines,
    syntaxErrors: 0,
    packageName: null,
    definitions: [],
    scopes: [{ parent: -1, definition: -1, bindings: [] }],
    imports: [],
    exports: [],
    calls: [],
  };
  const top = newFrame(0, -1, true);
  const line = (node: Node) => node.startPosition.row + 1;
  const addScope = (parent: number, definition: number) => facts.scopes.push({ parent, definition, bindings: [] }) - 1;

  function bindParameter(frame: Frame, name: string, to: Bound): void {
    frame.declared.add(name);
    if (name === '_') return;
    const binding = { name, definition: -1, import: -1, value: null, type: null, ...to };
    facts.scopes[frame.scope]?.bindings.push(binding);
  }

  return {
    facts,
    source,
    top,
    read,
    text: (node) => source.slice(node.startIndex, node.endIndex),
    line,
    enter: (definition, parent) => newFrame(addScope(parent.scope, definition), definition, true),
    block(parent, inside) {
      const frame = newFrame(parent.scope, parent.owner, false);
      inside(frame);
      for (const name of frame.used) parent.used.add(name);
    },
    bind(frame, name, to) {
      // At the top of a file the order says nothing.
      if (name !== '_' && frame !== top && (!frame.opened || frame.used.has(name))) {
        frame.scope = addScope(frame.scope, -1);
        frame.opened = true;
      }
      bindParameter(frame, name, to);
    },
    bindParameter,
    define(definition, node, frame) {
      const around = qualifiedNameAround(facts, frame.owner);
      const whole: Definition = {
        qualifiedName: definition.name && around ? `${around}.${definition.name}` : definition.name,
        line: line(node),
        endLine: node.endPosition.row + 1,
        owner: frame.owner,
        scope: -1,
        exported: frame.owner === -1 && isExported(definition.name),
        ...plainDefinition(),
        ...definition,
      };
      return [whole, facts.definitions.push(whole) - 1];
    },
    addImport: (wanted) => facts.imports.push(wanted) - 1,
    addCall: (call) => ({ kind: 'result', call: facts.calls.push(call) - 1 }),
  };
}

/** A frame that lies in a scope that is there already. */
export function newFrame(scope: number, owner: number, opened: boolean): Frame {
  return { scope, owner, opened, declared: new Set(), used: new Set() };
}

/** Go's names are seen outside their package by their first letter. */
export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

function qualifiedNameAround({ definitions }: FileFacts, owner: number): string {
  for (let at = owner; at !== -1; at = definitions[at]?.owner ?? -1) {
    const around = definitions[at];
    if (around?.name) return around.qualifiedName;
  }
  return '';
}
