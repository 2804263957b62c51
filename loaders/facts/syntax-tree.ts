/**
 * The nodes of a parsed file. A column's index is a node: in the order of the source, an outer one before what is in it.
 */
export interface TreeColumns {
  /** By `names.types`. */
  readonly type: Uint16Array;
  /** By `names.fields`; 0 for none. */
  readonly field: Uint16Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  readonly parent: Uint32Array;
  /** The first node that is not in it any more. */
  readonly next: Uint32Array;
}

/** For so many nodes. */
export function newColumns(size: number): TreeColumns {
  return {
    type: new Uint16Array(size),
    field: new Uint16Array(size),
    start: new Uint32Array(size),
    end: new Uint32Array(size),
    parent: new Uint32Array(size),
    next: new Uint32Array(size),
  };
}

/** The type of text that the parser could not read. */
export const errorType = 65_535;

/**
 * A parsed file, read out of the parser in one walk. web-tree-sitter's own nodes call into the parser for each answer, which
 * together takes as long as parsing.
 */
export interface SyntaxTree extends TreeColumns {
  readonly source: string;
  readonly names: GrammarNames;
  /** Where each line starts; made when somebody asks. */
  lines: Uint32Array | null;
  /** By node, 1 for those that are kept from who walks over it: see `prune`. */
  hidden: Uint8Array | null;
}

/** What a grammar calls its nodes and their fields. */
export interface GrammarNames {
  readonly types: readonly string[];
  /** By type: 0 for the marks and words that a grammar writes out. */
  readonly isNamed: Uint8Array;
  readonly fields: ReadonlyMap<string, number>;
}

/** From 0. */
export interface Position {
  row: number;
  column: number;
}

/** One node of a tree, with as much of web-tree-sitter's `Node` as extraction asks for. */
export class Node {
  readonly tree: SyntaxTree;
  /** Tells the nodes of one tree apart. */
  readonly id: number;
  private named: Node[] | null = null;

  constructor(tree: SyntaxTree, id: number) {
    this.tree = tree;
    this.id = id;
  }

  get type(): string {
    return this.tree.names.types[this.tree.type[this.id] ?? 0] ?? 'ERROR';
  }

  get isNamed(): boolean {
    return isNamed(this.tree, this.id);
  }

  get startIndex(): number {
    return this.tree.start[this.id] ?? 0;
  }

  get endIndex(): number {
    return this.tree.end[this.id] ?? 0;
  }

  get startPosition(): Position {
    return positionOf(this.tree, this.startIndex);
  }

  get endPosition(): Position {
    return positionOf(this.tree, this.endIndex);
  }

  get text(): string {
    return this.tree.source.slice(this.startIndex, this.endIndex);
  }

  /** The node of this index in the same tree. */
  at(index: number): Node {
    return new Node(this.tree, index);
  }

  get parent(): Node | null {
    return this.id === 0 ? null : new Node(this.tree, this.tree.parent[this.id] ?? 0);
  }

  get children(): Node[] {
    return childrenOf(this, false);
  }

  get namedChildren(): Node[] {
    return (this.named ??= childrenOf(this, true));
  }

  get namedChildCount(): number {
    return this.namedChildren.length;
  }

  get firstChild(): Node | null {
    return this.children[0] ?? null;
  }

  get firstNamedChild(): Node | null {
    return this.namedChildren[0] ?? null;
  }

  namedChild(index: number): Node | null {
    return this.namedChildren[index] ?? null;
  }

  get previousNamedSibling(): Node | null {
    return this.parent?.namedChildren.findLast(({ id }) => id < this.id) ?? null;
  }

  childForFieldName(name: string): Node | null {
    const { tree, id } = this;
    const field = tree.names.fields.get(name);
    const end = tree.next[id] ?? 0;
    for (let child = id + 1; child < end; child = tree.next[child] ?? end)
      if (tree.field[child] === field) return new Node(tree, child);
    return null;
  }

  childrenForFieldName(name: string): Node[] {
    const field = this.tree.names.fields.get(name);
    return this.children.filter(({ id }) => this.tree.field[id] === field);
  }

  /** This node and those in it that are of these types. */
  descendantsOfType(types: string | readonly string[]): Node[] {
    const { tree, id } = this;
    const isWanted = wantedTypes(tree.names, typeof types === 'string' ? types : types.join('\n'));
    const found: Node[] = [];
    const end = tree.next[id] ?? 0;
    for (let each = id; each < end; each++) if (isWanted[tree.type[each] ?? 0] === 1) found.push(new Node(tree, each));
    return found;
  }
}

/** By type, 1 for those that are listed; made once a grammar and list. */
function wantedTypes(names: GrammarNames, list: string): Uint8Array {
  const lists = known.get(names) ?? new Map<string, Uint8Array>();
  known.set(names, lists);
  const before = lists.get(list);
  if (before) return before;
  const wanted = new Set(list.split('\n'));
  const isWanted = Uint8Array.from(names.types, (type) => (wanted.has(type) ? 1 : 0));
  lists.set(list, isWanted);
  return isWanted;
}

const known = new WeakMap<GrammarNames, Map<string, Uint8Array>>();

function isNamed({ names, type }: SyntaxTree, id: number): boolean {
  // What the parser could not read has a type behind all others, and counts as named.
  return names.isNamed[type[id] ?? 0] !== 0;
}

/** The same tree, in which these nodes are no children; whoever comes to one by its field finds it empty. */
export function prune(root: Node, nodes: readonly Node[]): Node {
  if (nodes.length === 0) return root;
  const hidden = new Uint8Array(root.tree.type.length);
  for (const { id } of nodes) hidden[id] = 1;
  return new Node({ ...root.tree, hidden }, root.id);
}

function childrenOf({ tree, id }: Node, onlyNamed: boolean): Node[] {
  const found: Node[] = [];
  const { hidden } = tree;
  if (hidden?.[id] === 1) return found;
  const end = tree.next[id] ?? 0;
  for (let child = id + 1; child < end; child = tree.next[child] ?? end)
    if (hidden?.[child] !== 1 && (!onlyNamed || isNamed(tree, child))) found.push(new Node(tree, child));
  return found;
}

function positionOf(tree: SyntaxTree, index: number): Position {
  const lines = (tree.lines ??= lineStarts(tree.source));
  let row = 0;
  for (let behind = lines.length; behind - row > 1;) {
    const middle = (row + behind) >>> 1;
    if ((lines[middle] ?? 0) <= index) row = middle;
    else behind = middle;
  }
  return { row, column: index - (lines[row] ?? 0) };
}

/** Where each line of a text starts. */
export function lineStarts(source: string): Uint32Array {
  const starts = [0];
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return Uint32Array.from(starts);
}

/** Asks of a node's type; answered once a grammar. */
export function typesThat(
  isSuch: (name: string) => boolean,
): (tree: Pick<SyntaxTree, 'names'>, type: number) => boolean {
  const known = new WeakMap<GrammarNames, Uint8Array>();
  return ({ names }, type) => {
    let answers = known.get(names);
    if (!answers)
      known.set(
        names,
        (answers = Uint8Array.from(names.types, (name: string | undefined) => (isSuch(name ?? '') ? 1 : 0))),
      );
    return answers[type] === 1;
  };
}
