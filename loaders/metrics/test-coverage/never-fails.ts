import type { Node } from '../../facts/syntax-tree.ts';

/** What keeps an assertion of a language from failing. */
interface Escapes {
  /** The head of a handler that takes a failed assertion. */
  takes?: RegExp;
  /** A block's statements behind one of these are not reached. */
  leaves?: { by: string; within: readonly string[] };
}

const ecmascript: Escapes = { takes: /^catch\b/, leaves: { by: 'return_statement', within: ['statement_block'] } };
const escapes: Readonly<Record<string, Escapes>> = {
  JavaScript: ecmascript,
  TypeScript: ecmascript,
  TSX: ecmascript,
  Python: {
    takes: /^except(?:\s{0,9}:|[^:\n]{0,200}(?<![.\w])(?:Exception|BaseException|AssertionError)\b)/,
    leaves: { by: 'return_statement', within: ['block'] },
  },
  PHP: {
    takes: /^catch\s{0,9}\((?:[^){]{0,200}\|)?\s{0,9}\\?(?:Throwable|Exception)\b/,
    leaves: { by: 'return_statement', within: ['compound_statement'] },
  },
  Java: { takes: /^catch\s{0,9}\([^){]{0,200}\b(?:Throwable|Error|AssertionError)\b/ },
  'C#': { takes: /^catch\s{0,9}(?:\{|\(\s{0,9}(?:System\.)?Exception\b[^){]{0,100}\)\s{0,9}\{)/ },
};

/** What does nothing. */
const inert = new Set(['comment', 'line_comment', 'block_comment', 'pass_statement', 'empty_statement']);
const isInert = (node: Node): boolean => inert.has(node.type) || node.text.trim() === '...';
/** Where it stands says nothing of when it is called. */
const isHoisted = ({ type }: Node): boolean => /^(?:generator_)?function_(?:declaration|definition)$/.test(type);

/**
 * A source, whose strings are blanked, without what can't fail a test: what stands behind a return, what is tried where nobody hears of
 * its failure, and conditions that are met by `|| true`. Every character keeps its place.
 */
export function withoutWhatNeverFails(code: string, tree: Node | null, linguist: string | null): string {
  const known = escapes[linguist ?? ''];
  const ranges = tree && known ? [...swallowed(tree, known, code), ...unreached(tree, known)] : [];
  return blank(code, [...ranges, ...alwaysMet(code)]);
}

type Range = readonly [start: number, end: number];

/** What is in one of these is run by others, and what leaves a loop is tried again. */
const runElsewhere =
  /^(?:arrow_function|function|(?:generator_)?function_(?:declaration|definition|expression)|lambda\w*|anonymous_\w+|method_(?:declaration|definition)|local_function_statement|class_(?:declaration|definition|body))$/;
const leavesLoop = /^(?:break|continue|return|goto)/;

/** Assertions that note a failure and throw nothing, so that no handler takes it: of QUnit, and of tap and its like. */
const notes = /\bQUnit\b|\bt\.\w/;

/** Nodes that are looked at in a file. */
const maxSteps = 1_000_000;

function* swallowed(tree: Node, { takes }: Escapes, code: string): Generator<Range> {
  if (notes.test(code)) return;
  /** Those in one that is swallowed are swallowed with it. */
  let swallowedTo = 0;
  let steps = 0;
  for (const tried of takes ? tree.descendantsOfType('try_statement') : []) {
    if (tried.startIndex < swallowedTo) continue;
    const body = tried.childForFieldName('body');
    const handlers = tried.namedChildren.filter(({ type }) => /^(?:catch|except)_clause$/.test(type));
    const taking = handlers.find((handler) => takes?.test(handler.text.slice(0, 300)) === true);
    // Others before it may hand the failure on.
    if (!body || !taking || taking !== handlers[0] || !isEmpty(taking.namedChildren.at(-1))) continue;
    // What is nested is looked at again and again.
    steps += (body.tree.next[body.id] ?? body.id) - body.id;
    if (steps > maxSteps) return;
    if (mayRunElsewhere(body)) continue;
    swallowedTo = body.endIndex;
    const { text } = body;
    yield [body.startIndex + (text.startsWith('{') ? 1 : 0), body.endIndex - (text.endsWith('}') ? 1 : 0)];
  }
}

/** Whether something in it is run at another time, or leaves it for another try. */
function mayRunElsewhere({ tree, id }: Node): boolean {
  const end = tree.next[id] ?? id + 1;
  for (let at = id; at < end; at++) {
    const name = tree.names.types[tree.type[at] ?? 0] ?? '';
    if (runElsewhere.test(name) || leavesLoop.test(name)) return true;
  }
  return false;
}

const isEmpty = (block: Node | undefined): boolean =>
  /block|compound/.test(block?.type ?? '') && block?.namedChildren.every(isInert) === true;

function* unreached(tree: Node, { leaves }: Escapes): Generator<Range> {
  if (!leaves) return;
  /** Behind the block that was left last: another return in it says nothing more, and to look at all of them takes the square of their number. */
  let left = 0;
  for (const leaving of tree.descendantsOfType(leaves.by)) {
    if (leaving.startIndex < left) continue;
    const around = leaving.parent;
    if (!around || !leaves.within.includes(around.type)) continue;
    const { next } = leaving.tree;
    const end = next[around.id] ?? 0;
    // Most are the last of their block.
    if ((next[leaving.id] ?? end) >= end) continue;
    left = around.endIndex;
    for (let id = next[leaving.id] ?? end; id < end; id = next[id] ?? end) {
      const behind = leaving.at(id);
      if (behind.isNamed && !isHoisted(behind)) yield [behind.startIndex, behind.endIndex];
    }
  }
}

/** So far before `|| true` its condition is looked for. */
const maxCondition = 300;

/** What a condition is given to. */
const asserting = /\b(?:expect|assert\w*|ok|equal\w*|is|t)(?:\.\w+)?\($/i;

/** `a === b || true`, up to where the condition begins: of what asserts alone. */
function* alwaysMet(code: string): Generator<Range> {
  // Bounded: each is looked before for so many characters.
  for (const { index, 0: met } of code.matchAll(/(?:\|\||\bor\b)\s{0,9}(?:true|True)(?=\s{0,9}(?:[)\],;:\n]|$))/g)) {
    const from = beginOfCondition(code, index);
    if (from !== null) yield [from, index + met.length - 4];
  }
}

function beginOfCondition(code: string, index: number): number | null {
  let depth = 0;
  for (let at = index; at > index - maxCondition && at > 0; at -= 1) {
    const sign = code[at - 1] ?? '';
    if (sign === '{' || sign === '}' || sign === ';') return null;
    if (sign === ')' || sign === ']') depth += 1;
    else if ((sign === '(' || sign === '[') && (depth -= 1) < 0)
      return asserting.test(code.slice(Math.max(0, at - 60), at)) ? at : null;
    else if (depth === 0 && sign === '\n') return statementIn(code, at, index);
  }
  return null;
}

/** Where the condition of an `assert` without parentheses begins. */
function statementIn(code: string, at: number, index: number): number | null {
  const [head = ''] = /^\s{0,200}assert\s/.exec(code.slice(at, index)) ?? [];
  return head === '' ? null : at + head.length;
}

function blank(code: string, ranges: readonly Range[]): string {
  let written = '';
  let at = 0;
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    if (end <= at) continue;
    const from = Math.max(at, start);
    written += code.slice(at, from) + code.slice(from, end).replaceAll(/[^\n]/g, ' ');
    at = end;
  }
  return written + code.slice(at);
}
