import { type Language as Grammar, Parser, type Tree } from 'web-tree-sitter';
import { errorType, type GrammarNames, lineStarts, newColumns, Node, type TreeColumns } from '../facts/syntax-tree.ts';

let starting: Promise<void> | null = null;

/** Starts the parser, once a thread. */
export function startParser(): Promise<void> {
  return (starting ??= Parser.init());
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
  const cursor = parsed.walk();
  let around = 0;
  for (let id = 0; id < size;) {
    type[id] = cursor.nodeTypeId;
    // Nothing is known of the parts of what could not be read.
    field[id] = type[around] === errorType ? 0 : cursor.currentFieldId;
    start[id] = cursor.startIndex;
    end[id] = cursor.endIndex;
    parent[id] = around;
    let place = id++;
    if (cursor.gotoFirstChild()) {
      around = place;
      continue;
    }
    next[place] = id;
    while (place > 0 && !cursor.gotoNextSibling()) {
      cursor.gotoParent();
      place = parent[place] ?? 0;
      next[place] = id;
    }
    around = parent[place] ?? 0;
  }
  cursor.delete();
  return columns;
}
