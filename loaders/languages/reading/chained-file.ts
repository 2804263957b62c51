import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr } from '../../facts/fact.ts';
import { partsOf, type Place, type Reader, SourceFile, unknown } from './source-file.ts';

/** What is done to a value by a node that stands behind it: `.name`, `(arguments)`, `[index]`. */
export type Link = (file: SourceFile, node: Node, value: Expr, place: Place) => Expr;

/** A file of a grammar in which a value and what is taken from it stand side by side: Dart's `a`, `.b`, `(c)`. */
export class ChainedFile extends SourceFile {
  readonly #known: Readonly<Record<string, Reader>>;
  readonly #links: Readonly<Record<string, Link>>;

  constructor(
    language: string,
    root: Node,
    source: string,
    path: string,
    readers: Readonly<Record<string, Reader>>,
    links: Readonly<Record<string, Link>>,
  ) {
    super(language, root, source, path, readers);
    this.#known = readers;
    this.#links = links;
  }

  /** What no reader is for has the value of what stands in it, where that is one chain. */
  override read(node: Node | null | undefined, place: Place): Expr {
    if (!node || Object.hasOwn(this.#known, node.type) || node.type.endsWith('comment')) return super.read(node, place);
    return this.values(node.namedChildren, place).at(-1) ?? unknown;
  }

  override readAll(node: Node | null | undefined, place: Place): Expr[] {
    return this.values(node?.namedChildren ?? [], place);
  }

  /** What these nodes stand for, each with the links behind it. */
  values(nodes: readonly Node[], place: Place): Expr[] {
    const values: Expr[] = [];
    for (const node of nodes) {
      const link = this.#links[node.type];
      const value = link ? values.pop() : undefined;
      if (link) values.push(link(this, node, value ?? unknown, place));
      else if (node.type.endsWith('comment')) this.read(node, place);
      else values.push(this.read(node, place));
    }
    return values;
  }
}

/** The value of a chain that stands in several nodes. */
export function chainOf(file: SourceFile, nodes: readonly Node[], place: Place): Expr {
  return file instanceof ChainedFile ? (file.values(nodes, place).at(-1) ?? unknown) : unknown;
}

/** Nodes that stand behind another one of the same parent, comments aside. */
export function behind(node: Node, after: Node | null | undefined): Node[] {
  return partsOf(node).filter(({ startIndex }) => startIndex >= (after?.endIndex ?? node.startIndex));
}
