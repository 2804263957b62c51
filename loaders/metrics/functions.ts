import type { Node } from '../facts/syntax-tree.ts';
import { CODE } from './classify-lines.ts';
import type { FunctionMeasures } from './file-measures.ts';

/** The syntax nodes that are functions, and those that are branches; what lizard counts by their tokens. */
interface BranchRules {
  functions: readonly string[];
  branches: readonly string[];
  /** Tokens: each stands for one more way through. */
  operators: readonly string[];
  /** Counted only where their text is such: a `case`, not a `default`. */
  cases?: { node: string; is: RegExp };
  /** Counted only where they have this field: a parameter with a default is a decision whether to take it. */
  having?: Readonly<Record<string, string>>;
  /** Choices among branches that are counted: of several ways one needs no decision. */
  choices?: readonly string[];
}

const ecmascript: BranchRules = {
  functions: [
    'function_declaration',
    'function_expression',
    'arrow_function',
    'method_definition',
    'generator_function',
    'generator_function_declaration',
  ],
  branches: [
    'if_statement',
    'for_statement',
    'for_in_statement',
    'while_statement',
    'do_statement',
    'catch_clause',
    'switch_case',
    'ternary_expression',
  ],
  operators: ['&&', '||', '??'],
  having: { assignment_pattern: 'right', required_parameter: 'value', optional_parameter: 'value' },
};

const c: BranchRules = {
  functions: ['function_definition'],
  branches: [],
  operators: ['if', 'for', 'while', 'case', 'catch', '&&', '||', '?', '#if', '#ifdef', '#elif'],
};

/** By linguist's name of the language. */
const rules: Readonly<Record<string, BranchRules>> = {
  JavaScript: ecmascript,
  TypeScript: ecmascript,
  TSX: ecmascript,
  Python: {
    functions: ['function_definition'],
    branches: [
      'if_statement',
      'elif_clause',
      'conditional_expression',
      'for_statement',
      'while_statement',
      'except_clause',
      'except_group_clause',
      'finally_clause',
      'for_in_clause',
      'if_clause',
    ],
    operators: ['and', 'or'],
  },
  Go: {
    functions: ['function_declaration', 'method_declaration', 'func_literal'],
    branches: ['if_statement', 'for_statement', 'expression_case', 'type_case', 'communication_case'],
    operators: ['&&', '||'],
  },
  Java: {
    functions: ['method_declaration', 'constructor_declaration', 'compact_constructor_declaration'],
    branches: [
      'if_statement',
      'for_statement',
      'enhanced_for_statement',
      'while_statement',
      'do_statement',
      'catch_clause',
      'ternary_expression',
    ],
    operators: ['&&', '||'],
    cases: { node: 'switch_label', is: /^case/ },
  },
  Rust: {
    functions: ['function_item'],
    branches: ['match_arm'],
    operators: ['if', 'for', 'while', 'where', '&&', '||', '?'],
    choices: ['match_expression'],
    having: { let_declaration: 'alternative' },
  },
  C: c,
  'C++': c,
  'C#': {
    functions: [
      'method_declaration',
      'constructor_declaration',
      'destructor_declaration',
      'operator_declaration',
      'local_function_statement',
      'accessor_declaration',
    ],
    branches: ['conditional_expression', 'switch_expression_arm'],
    operators: ['if', 'for', 'foreach', 'while', 'case', 'catch', '&&', '||', '??'],
    choices: ['switch_expression'],
  },
  Ruby: {
    functions: ['method', 'singleton_method'],
    branches: [],
    operators: 'if elsif unless until for while rescue ensure when and or && || ?'.split(' '),
  },
  PHP: {
    functions: ['method_declaration', 'function_definition'],
    branches: ['conditional_expression'],
    operators: ['if', 'elseif', 'for', 'foreach', 'while', 'case', 'catch', 'match', '&&', '||', 'and', 'or'],
  },
  Kotlin: {
    functions: ['function_declaration', 'getter', 'setter', 'secondary_constructor'],
    branches: ['when_entry'],
    operators: ['if', 'for', 'while', 'catch', '&&', '||', '?:'],
    choices: ['when_expression'],
  },
  Scala: {
    functions: ['function_definition'],
    branches: ['case_clause'],
    operators: ['if', 'for', 'while', 'catch', 'do'],
    cases: { node: 'operator_identifier', is: /^(?:&&|\|\|)$/ },
  },
};

/** The types of the syntax nodes that are functions in a language, by linguist's name; empty where they can't be told apart. */
export const functionTypes = (linguist: string | null): readonly string[] => rules[linguist ?? '']?.functions ?? [];

/** Every function of a parsed file with its complexity; null for a language whose branches are not known. */
export function functionsIn(root: Node, linguist: string | null, kinds: Uint8Array): FunctionMeasures[] | null {
  const known = linguist === null ? undefined : rules[linguist];
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
        end: node.endIndex,
      });
      continue;
    }
    const inner = found[around.at(-1) ?? -1];
    if (!inner) continue;
    if (known.choices?.includes(type)) inner.complexity -= 1;
    else if (counts(node, type, known)) inner.complexity += 1;
  }
  countLines(found, kinds);
  return found.map(({ name, line, endLine, code, complexity }) => ({ name, line, endLine, code, complexity }));
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

/** Each code line belongs to the innermost function that it stands in; where two share a line, to the inner one. */
function countLines(functions: (FunctionMeasures & { end: number })[], kinds: Uint8Array): void {
  const owner = new Int32Array(kinds.length).fill(-1);
  for (const [index, { line, endLine }] of functions.entries()) owner.fill(index, line - 1, endLine);
  for (const [line, index] of owner.entries()) {
    const measured = functions[index];
    if (measured && kinds[line] === CODE) measured.code += 1;
  }
}
