import { errorType, newColumns, type TreeColumns } from './syntax-tree.ts';

/** The memory that the parser and its grammars share, as web-tree-sitter lays it open; another view after it has grown. */
export interface ParserMemory {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU16: Uint16Array;
  readonly HEAP32: Int32Array;
}

// Where the fields of tree-sitter's structures lie, in bytes: lib/src/subtree.h, tree.h and parser.h, for 32 bits.
const treeLanguage = 8;
const subtreeSize = 8;
const heap = { padding: 4, size: 16, childCount: 36, symbol: 40, flags: 44, productionId: 66 };
const language = { fieldCount: 32, aliasLength: 36, fieldSlices: 64, fieldEntries: 68, publicSymbols: 76, aliases: 84 };
/** Of the flags of a subtree; those of one that lies in its parent are behind one bit that says so. */
const visible = 1;
const extra = 4;

/** Numbers of `outer` for a node: a list of objects, or one that is pushed and popped, takes half as long again. */
const frameLength = 6;

/** More steps than nodes are only taken by what is no tree: grammars hide a few for each that they show. */
const stepsPerNode = 64;

/**
 * The nodes of the tree at `address`, as the parser's cursor would name them one by one; null where there are not `size` of them.
 * A node that the grammar hides is gone through: what is in it counts as its parent's.
 */
export function readMemory(
  { HEAPU8: bytes, HEAPU16: halves, HEAP32: words }: ParserMemory,
  address: number,
  size: number,
): TreeColumns | null {
  const columns = newColumns(size);
  const { type, field, start, end, parent, next } = columns;
  const word = (at: number) => words[at >>> 2] ?? 0;
  const half = (at: number) => halves[at >>> 1] ?? 0;

  const grammar = word(address + treeLanguage);
  const aliasLength = half(grammar + language.aliasLength);
  const aliases = word(grammar + language.aliases);
  const publicSymbols = word(grammar + language.publicSymbols);
  const fieldSlices = word(grammar + language.fieldCount) === 0 ? 0 : word(grammar + language.fieldSlices);
  const fieldEntries = word(grammar + language.fieldEntries);
  const fieldAt = (production: number, place: number): number => {
    if (fieldSlices === 0) return 0;
    let entry = fieldEntries + 4 * half(fieldSlices + 4 * production);
    const behind = entry + 4 * half(fieldSlices + 4 * production + 2);
    for (; entry < behind; entry += 4) if (bytes[entry + 2] === place && bytes[entry + 3] === 0) return half(entry);
    return 0;
  };

  let id = 0;
  /** In bytes of UTF-16: where the next node begins, without what is before it. */
  let position = 0;
  /** Of the node whose children are gone through: its place in memory, the column it has or is part of, and how far one is. */
  let around = 0;
  let own = 0;
  let index = 0;
  let count = 0;
  /** Of those that are not extra, as grammars count. */
  let place = 0;
  let inherited = 0;
  /** The same of the nodes around that one. */
  let outer = new Int32Array(64 * frameLength);
  let depth = 0;

  for (let steps = stepsPerNode * (size + stepsPerNode); steps > 0; steps--) {
    if (depth > 0 && index === count) {
      const inner = own;
      depth -= frameLength;
      around = outer[depth] ?? 0;
      own = outer[depth + 1] ?? 0;
      index = outer[depth + 2] ?? 0;
      count = outer[depth + 3] ?? 0;
      place = outer[depth + 4] ?? 0;
      inherited = outer[depth + 5] ?? 0;
      // What is hidden has the column of what is around it.
      if (inner !== own || depth === 0) next[inner] = id;
      if (depth === 0) return id === size ? columns : null;
      continue;
    }
    const isRoot = depth === 0;
    const at = isRoot ? address : around - subtreeSize * (count - index);
    const low = word(at);
    const isInline = (low & 1) === 1;
    const flags = isInline ? low >>> 1 : half(low + heap.flags);
    const symbol = isInline ? (low >>> 8) & 0xff : half(low + heap.symbol);
    const length = isInline ? word(at + 4) >>> 24 : word(low + heap.size);
    const children = isInline ? 0 : word(low + heap.childCount);
    if (isRoot || index > 0) position += isInline ? (word(at + 4) >>> 16) & 0xff : word(low + heap.padding);
    index++;

    let alias = 0;
    let name = 0;
    if (!isRoot && (flags & extra) === 0) {
      const production = half(around + heap.productionId);
      name = inherited;
      // The first of a grammar's productions has neither.
      if (production !== 0) {
        alias = half(aliases + 2 * (production * aliasLength + place));
        name = fieldAt(production, place) || inherited;
      }
      place++;
    }
    const isShown = isRoot || (flags & visible) !== 0 || alias !== 0;
    if (isShown) {
      if (id === size) return null;
      const plain = alias || symbol;
      type[id] = plain === errorType ? plain : half(publicSymbols + 2 * plain);
      // Nothing is known of the parts of what could not be read.
      field[id] = type[own] === errorType ? 0 : name;
      start[id] = position >>> 1;
      end[id] = (position + length) >>> 1;
      parent[id] = own;
      next[id] = id + 1;
    }
    if (children === 0) {
      position += length;
      if (isShown) id++;
      if (isRoot) return id === size ? columns : null;
    } else {
      if (depth === outer.length) {
        const longer = new Int32Array(2 * depth);
        longer.set(outer);
        outer = longer;
      }
      outer[depth] = around;
      outer[depth + 1] = own;
      outer[depth + 2] = index;
      outer[depth + 3] = count;
      outer[depth + 4] = place;
      outer[depth + 5] = inherited;
      depth += frameLength;
      around = low;
      index = 0;
      count = children;
      place = 0;
      inherited = isShown ? 0 : name;
      if (isShown) own = id++;
    }
  }
  return null;
}
