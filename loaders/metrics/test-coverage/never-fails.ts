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
    takes: /^except(?:\s{0,9}:|[^:\n]{0,200}\b(?:Exception|BaseException|AssertionError)\b)/,
    leaves: { by: 'return_statement', within: ['block'] },
  },
  PHP: {
    takes: /^catch\s{0,9}\([^){]{0,200}\b(?:Throwable|Exception)\b/,
    leaves: { by: 'return_statement', within: ['compound_statement'] },
  },
  Java: { takes: /^catch\s{0,9}\([^){]{0,200}\b(?:Throwable|Error|AssertionError)\b/ },
  'C#': { takes: /^catch\s{0,9}(?:\{|\(\s{0,9}(?:System\.)?Exception\b)/ },
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
  const ranges = tree && known ? [...swallowed(tree, known), ...unreached(tree, known)] : [];
  return blank(code, [...ranges, ...alwaysMet(code)]);
}

type Range = readonly [start: number, end: number];

function* swallowed(tree: Node, { takes }: Escapes): Generator<Range> {
  for (const tried of takes ? tree.descendantsOfType('try_statement') : []) {
    const body = tried.childForFieldName('body');
    const isTaken = tried.namedChildren.some(
      (handler) =>
        /^(?:catch|except)_clause$/.test(handler.type) &&
        takes?.test(handler.text.slice(0, 300)) === true &&
        isEmpty(handler.namedChildren.at(-1)),
    );
    if (body && isTaken) yield [body.startIndex + 1, body.endIndex - 1];
  }
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
/** Of a file. */
const maxSteps = 1_000_000;

/** `a === b || true`, up to where the condition begins. */
function* alwaysMet(code: string): Generator<Range> {
  let steps = 0;
  for (const { index, 0: met } of code.matchAll(/(?:\|\||\bor\b)\s{0,9}(?:true|True)(?=\s{0,9}(?:[)\],;:\n]|$))/g)) {
    let depth = 0;
    let at = index;
    for (; at > index - maxCondition && at > 0; at -= 1) {
      const sign = code[at - 1] ?? '';
      if (')]}'.includes(sign)) depth += 1;
      else if ('([{'.includes(sign) && (depth -= 1) < 0) break;
      else if (depth === 0 && (',;\n'.includes(sign) || isGiven(code, at - 1))) break;
    }
    steps += index - at;
    if (steps > maxSteps) return;
    yield [at, index + met.length - 4];
  }
}

/** The sign by which a name is given something, and not one that compares. */
const isGiven = (code: string, at: number): boolean =>
  code[at] === '=' && !'=!<>'.includes(code[at - 1] ?? ' ') && code[at + 1] !== '=';

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
