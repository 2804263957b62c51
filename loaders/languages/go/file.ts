import type { Definition } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { type Bound, FactsBuilder, qualified } from '../reading/facts-builder.ts';

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

/** Reads one kind of node each: a type holds fields, an expression functions, a function statements. */
export interface Readers {
  typeBody(file: GoFile, type: Node, definition: Definition, frame: Frame): void;
  statements(file: GoFile, node: Node, frame: Frame): void;
  statement(file: GoFile, node: Node, frame: Frame): void;
}

/** One Go file while it is read. */
export class GoFile extends FactsBuilder {
  /** The file's own top level. */
  readonly top: Frame = newFrame(0, -1, true);
  readonly read: Readers;

  constructor(root: Node, source: string, read: Readers) {
    super('go', source, root.endPosition.row + 1);
    this.read = read;
  }

  /** A frame for what a definition holds, with a scope of its own. */
  enter(definition: number, parent: Frame): Frame {
    return newFrame(this.addScope(parent.scope, definition), definition, true);
  }

  /** Reads what is inside a block, with its own names. */
  block(parent: Frame, inside: (frame: Frame) => void): void {
    const frame = newFrame(parent.scope, parent.owner, false);
    inside(frame);
    for (const name of frame.used) parent.used.add(name);
  }

  /** Declares a name from here on. */
  bind(frame: Frame, name: string, line: number, to: Bound): void {
    // At the top of a file the order says nothing.
    if (name !== '_' && frame !== this.top && (!frame.opened || frame.used.has(name))) {
      frame.scope = this.addScope(frame.scope);
      frame.opened = true;
    }
    this.bindParameter(frame, name, line, to);
  }

  /** Declares a parameter or result, which lies in the function's own scope. */
  bindParameter(frame: Frame, name: string, line: number, to: Bound): void {
    frame.declared.add(name);
    if (name !== '_') this.addBinding(frame.scope, name, line, to);
  }

  /** The new definition and its index; what is not said is empty. */
  define(
    definition: Partial<Definition> & Pick<Definition, 'kind' | 'name'>,
    node: Node,
    frame: Frame,
  ): [Definition, number] {
    const { name } = definition;
    const index = this.addDefinition({
      // What is anonymous has none, and gives none to what is in it.
      qualifiedName: name === '' ? '' : qualified(this.qualifiedNameAround(frame.owner), name),
      line: this.line(node),
      endLine: node.endPosition.row + 1,
      owner: frame.owner,
      exported: frame.owner === -1 && isExported(name),
      ...definition,
    });
    return [this.definition(index), index];
  }
}

/** A frame that lies in a scope that is there already. */
export function newFrame(scope: number, owner: number, opened: boolean): Frame {
  return { scope, owner, opened, declared: new Set(), used: new Set() };
}

/** Go's names are seen outside their package by their first letter. */
export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}
