import { isDeepStrictEqual } from 'node:util';
import { type Language as Grammar, Parser, type Tree } from 'web-tree-sitter';
import { type ParserMemory, readMemory } from './read-memory.ts';
import { errorType, type GrammarNames, lineStarts, newColumns, Node, type TreeColumns } from './syntax-tree.ts';

/** The parser's own functions for its cursor: they take the address of a tree, and all speak of the one place where it stands. */
type CursorFunctions = Record<
  | '_ts_tree_root_node_wasm'
  | '_ts_tree_cursor_new_wasm'
  | '_ts_tree_cursor_delete_wasm'
  | '_ts_tree_cursor_goto_first_child_wasm'
  | '_ts_tree_cursor_goto_next_sibling_wasm'
  | '_ts_tree_cursor_goto_parent_wasm'
  | '_ts_tree_cursor_current_node_type_id_wasm'
  | '_ts_tree_cursor_current_field_id_wasm'
  | '_ts_tree_cursor_start_index_wasm'
  | '_ts_tree_cursor_end_index_wasm',
  (tree: number) => number
>;

/** What the parser puts there when it starts. */
const functions = {} as CursorFunctions & ParserMemory;
let starting: Promise<void> | null = null;

/** Starts the parser, once a thread. */
export function startParser(): Promise<void> {
  return (starting ??= Parser.init(functions));
}

/** What a grammar calls its nodes. */
export function namesOf(grammar: Grammar): GrammarNames {
  return {
    types: grammar.types,
    isNamed: Uint8Array.from(grammar.types, (_, type) => (grammar.nodeTypeIsNamed(type) ? 1 : 0)),
    fields: new Map(grammar.fields.flatMap((name, field) => (name === null ? [] : [[name, field] as const]))),
  };
}

/** The root of a tree, which is not needed any more then. `source` is the text that was parsed, `written` that whose lines count. */
export function readTree(parsed: Tree, source: string, names: GrammarNames, written = source): Node {
  const columns = columnsOf(parsed, names);
  const lines = written === source ? null : lineStarts(written);
  return new Node({ source, names, ...columns, lines, hidden: null }, 0);
}

/**
 * A cursor is asked six times a node, which takes a third as long as parsing does, so the parser's memory is read as it lies there.
 * That is no interface: each grammar's first tree of some size is read in both ways, and its others by the cursor where the two
 * differ.
 */
function columnsOf(parsed: Tree, names: GrammarNames): TreeColumns {
  const size = parsed.rootNode.descendantCount;
  const address = (parsed as unknown as [number])[0];
  const isKnown = isLegible(names);
  if (isKnown === false || (isKnown === null && size < tellingSize)) return readByCursor(address, size);
  const read = readMemory(functions, address, size);
  if (read && isKnown) return read;
  const asked = readByCursor(address, size);
  if (isKnown === null) legible.set(names, read !== null && isDeepStrictEqual(read, asked));
  return asked;
}

/** Of so many nodes; smaller ones may be alike by chance. */
const tellingSize = 100;

/** Whether a grammar's trees lie in memory as they are expected; null before the first that tells. */
export function isLegible(names: GrammarNames): boolean | null {
  return legible.get(names) ?? null;
}

const legible = new WeakMap<GrammarNames, boolean>();

function readByCursor(address: number, size: number): TreeColumns {
  const columns = newColumns(size);
  const { type, field, start, end, parent, next } = columns;
  const {
    _ts_tree_root_node_wasm: toRoot,
    _ts_tree_cursor_new_wasm: open,
    _ts_tree_cursor_delete_wasm: close,
    _ts_tree_cursor_goto_first_child_wasm: toFirstChild,
    _ts_tree_cursor_goto_next_sibling_wasm: toNextSibling,
    _ts_tree_cursor_goto_parent_wasm: toParent,
    _ts_tree_cursor_current_node_type_id_wasm: typeId,
    _ts_tree_cursor_current_field_id_wasm: fieldId,
    _ts_tree_cursor_start_index_wasm: startIndex,
    _ts_tree_cursor_end_index_wasm: endIndex,
  } = functions;
  toRoot(address);
  open(address);
  let around = 0;
  for (let id = 0; id < size;) {
    type[id] = typeId(address);
    // Nothing is known of the parts of what could not be read.
    field[id] = type[around] === errorType ? 0 : fieldId(address);
    start[id] = startIndex(address);
    end[id] = endIndex(address);
    parent[id] = around;
    let place = id++;
    if (toFirstChild(address) !== 0) {
      around = place;
      continue;
    }
    next[place] = id;
    while (place > 0 && toNextSibling(address) === 0) {
      toParent(address);
      place = parent[place] ?? 0;
      next[place] = id;
    }
    around = parent[place] ?? 0;
  }
  close(address);
  return columns;
}
