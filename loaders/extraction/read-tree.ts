import { type Language as Grammar, Parser, type Tree } from 'web-tree-sitter';
import { errorType, type GrammarNames, lineStarts, newColumns, Node, type TreeColumns } from '../facts/syntax-tree.ts';

type OnTree = (tree: number) => number;

/**
 * The parser's functions for its cursor, whose state lies in the parser's memory from one call to the next. web-tree-sitter's
 * `TreeCursor` copies it in and out with each, which takes as long as the call does.
 */
interface CursorCalls {
  _ts_tree_root_node_wasm: OnTree;
  /** At the node that was asked for last. */
  _ts_tree_cursor_new_wasm: OnTree;
  _ts_tree_cursor_delete_wasm: OnTree;
  _ts_tree_cursor_current_node_type_id_wasm: OnTree;
  _ts_tree_cursor_current_field_id_wasm: OnTree;
  _ts_tree_cursor_start_index_wasm: OnTree;
  _ts_tree_cursor_end_index_wasm: OnTree;
  /** 1 where there is one; so are the next two. */
  _ts_tree_cursor_goto_first_child_wasm: OnTree;
  _ts_tree_cursor_goto_next_sibling_wasm: OnTree;
  _ts_tree_cursor_goto_parent_wasm: OnTree;
}

/** Emscripten puts all functions on the object that it is started with. */
const parserCalls: Partial<CursorCalls> = {};
let starting: Promise<void> | null = null;

/** Starts the parser, once a thread. */
export function startParser(): Promise<void> {
  return (starting ??= Parser.init(parserCalls));
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
  const columns = columnsOf(parsed);
  const lines = written === source ? null : lineStarts(written);
  return new Node({ source, names, ...columns, lines, hidden: null }, 0);
}

/** One walk of the cursor. Each question to it is a call into the parser, so none is put whose answer is known. */
function columnsOf(parsed: Tree): TreeColumns {
  const size = parsed.rootNode.descendantCount;
  const columns = newColumns(size);
  const { type, field, start, end, parent, next } = columns;
  const tree = (parsed as unknown as [address: number])[0];
  const {
    _ts_tree_root_node_wasm: askForRoot,
    _ts_tree_cursor_new_wasm: newCursor,
    _ts_tree_cursor_delete_wasm: deleteCursor,
    _ts_tree_cursor_current_node_type_id_wasm: typeOf,
    _ts_tree_cursor_current_field_id_wasm: fieldOf,
    _ts_tree_cursor_start_index_wasm: startOf,
    _ts_tree_cursor_end_index_wasm: endOf,
    _ts_tree_cursor_goto_first_child_wasm: toFirstChild,
    _ts_tree_cursor_goto_next_sibling_wasm: toNextSibling,
    _ts_tree_cursor_goto_parent_wasm: toParent,
  } = parserCalls as CursorCalls;
  askForRoot(tree);
  newCursor(tree);
  let around = 0;
  for (let id = 0; id < size;) {
    type[id] = typeOf(tree);
    // Nothing is known of the parts of what could not be read.
    field[id] = type[around] === errorType ? 0 : fieldOf(tree);
    start[id] = startOf(tree);
    end[id] = endOf(tree);
    parent[id] = around;
    let place = id++;
    if (toFirstChild(tree) === 1) {
      around = place;
      continue;
    }
    next[place] = id;
    while (place > 0 && toNextSibling(tree) === 0) {
      toParent(tree);
      place = parent[place] ?? 0;
      next[place] = id;
    }
    around = parent[place] ?? 0;
  }
  deleteCursor(tree);
  return columns;
}
