import { type Node, typesThat } from '../facts/syntax-tree.ts';
import { languageByLinguist } from '../languages/index.ts';
import type { BranchRules } from '../languages/language.ts';
import { CODE } from '../languages/reading/classify-lines.ts';
import type { FunctionMeasures } from './file-measures.ts';

/** The types of the syntax nodes that are functions in a language, by linguist's name; empty where they can't be told apart. */
export const functionTypes = (linguist: string | null): readonly string[] => rulesOf(linguist)?.functions ?? [];

const rulesOf = (linguist: string | null): BranchRules | undefined => languageByLinguist(linguist)?.branches;

/** Every function of a parsed file with its complexity; null for a language whose branches are not known. */
export function functionsIn(root: Node, linguist: string | null, kinds: Uint8Array): FunctionMeasures[] | null {
  const known = rulesOf(linguist);
  if (!known) return null;
  const areFunctions = new Set(known.functions);
  const types = [
    ...known.functions,
    ...known.branches,
    ...known.operators,
    ...(known.cases ? [known.cases.node] : []),
    ...Object.keys(known.having ?? {}),
    ...(known.choices ?? []),
  ];
  const found: (FunctionMeasures & { end: number })[] = [];
  /** Indexes of the functions around, the innermost last. */
  const around: number[] = [];
  // One call into the parser; nodes come in the order of the source, an outer one before what is in it.
  for (const node of root.descendantsOfType(types)) {
    if (!node) continue;
    while (around.length > 0 && (found[around.at(-1) ?? 0]?.end ?? 0) <= node.startIndex) around.pop();
    const { type } = node;
    if (areFunctions.has(type)) {
      around.push(found.length);
      const name = node.childForFieldName('name')?.text ?? '';
      found.push({
        name,
        line: node.startPosition.row + 1,
        endLine: node.endPosition.row + 1,
        code: 0,
        complexity: 1,
        shape: shapeOf(node),
        ...(doesNothing(node) && { idle: true as const }),
        end: node.endIndex,
      });
      continue;
    }
    const inner = found[around.at(-1) ?? -1];
    if (!inner) continue;
    if (known.choices?.includes(type)) inner.complexity -= 1;
    else if (counts(node, type, known)) inner.complexity += 1;
  }
  countLines(found, kinds, statementsOn(root, kinds.length));
  return found.map(({ end: _end, ...measured }) => measured);
}

/** Of the types of all nodes within, in their order. */
function shapeOf({ tree, id }: Node): number {
  let hash = 0x811c9dc5;
  for (let at = id + 1; at < (tree.next[id] ?? 0); at += 1) hash = Math.imul(hash ^ (tree.type[at] ?? 0), 0x01000193);
  return hash >>> 0;
}

const saysNothing = typesThat((name) =>
  /^(?:statement_block|block|return_statement|expression_statement|pass_statement|comment|identifier|number|integer|float|string\w*|escape_sequence|true|false|null|none|undefined|ellipsis)$/.test(
    name,
  ),
);

/** It gives back what it was given, or what stands there, or nothing: in its body nothing is asked or worked out. */
function doesNothing(node: Node): boolean {
  const body = node.childForFieldName('body');
  if (!body) return false;
  const { tree, id } = body;
  for (let at = id; at < (tree.next[id] ?? 0); at += 1) {
    const type = tree.type[at] ?? 0;
    if (tree.names.isNamed[type] === 1 && !saysNothing(tree, type)) return false;
  }
  return true;
}

function counts(node: Node, type: string, { cases, having, operators }: BranchRules): boolean {
  // Ruby's grammar calls the branch by the name of its word.
  if (node.isNamed && operators.includes(type)) return false;
  if (type === 'assignment_pattern') return node.parent?.type === 'formal_parameters';
  // `T&&` is a type.
  if (type === '&&' && node.parent?.type.endsWith('reference_declarator')) return false;
  const field = having?.[type];
  if (field !== undefined) return node.childForFieldName(field) !== null;
  return cases?.node !== type || cases.is.test(node.text);
}

/**
 * Each code line belongs to the innermost function that it stands in; where two share a line, to the inner one. A line on which several
 * statements stand is as many lines where these are more than the lines of the function.
 */
function countLines(
  functions: (FunctionMeasures & { end: number })[],
  kinds: Uint8Array,
  statements: Uint16Array,
): void {
  const owner = new Int32Array(kinds.length).fill(-1);
  for (const [index, { line, endLine }] of functions.entries()) owner.fill(index, line - 1, endLine);
  const counted = new Uint32Array(functions.length);
  for (const [line, index] of owner.entries()) {
    const measured = functions[index];
    if (!measured || kinds[line] !== CODE) continue;
    measured.code += 1;
    counted[index] = (counted[index] ?? 0) + (statements[line] ?? 0);
  }
  for (const [index, measured] of functions.entries()) measured.code = Math.max(measured.code, counted[index] ?? 0);
}

/** What holds statements, as the grammars of all languages call it. */
const isBlock = typesThat((name) =>
  /^(?:statement_block|block|compound_statement|body_statement|statements|statement_list|do_block|block_body|then|else|do|do_group|indented_block|sequence_expression|comma_expression)$/.test(
    name,
  ),
);
const isNoStatement = typesThat((name) => /comment|^(?:empty_statement|ERROR)$/.test(name));

/** How many statements begin on each line. */
function statementsOn({ tree }: Node, lines: number): Uint16Array {
  const counts = new Uint16Array(lines);
  const { type, parent, start, names, source } = tree;
  let [row, lineEnd] = [0, source.indexOf('\n')];
  for (let id = 1; id < type.length; id++) {
    const [own, around] = [type[id] ?? 0, type[parent[id] ?? 0] ?? 0];
    if (names.isNamed[own] !== 1 || !isBlock(tree, around) || isBlock(tree, own) || isNoStatement(tree, own)) continue;
    const at = start[id] ?? 0;
    for (; lineEnd !== -1 && lineEnd < at; lineEnd = source.indexOf('\n', lineEnd + 1)) row += 1;
    counts[row] = (counts[row] ?? 0) + 1;
  }
  return counts;
}
