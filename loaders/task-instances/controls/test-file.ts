import { fileURLToPath } from 'node:url';
import { Language as Grammar, Parser } from 'web-tree-sitter';
import { namesOf, readTree, startParser } from '../../extraction/read-tree.ts';
import type { GrammarNames, Node } from '../../facts/syntax-tree.ts';
import { languageOf } from '../../languages/index.ts';
import { casesOf, fileValues, inputsOf, literalsOf, type Literal } from './literals.ts';
import { oppositesOf, type Edit } from './opposites.ts';
import { tablesIn, type Table } from './tables.ts';

/** A part of a source: where it starts, and where what follows it does. */
export interface Span {
  start: number;
  end: number;
}

/** One test as a source declares it. */
export interface TestDeclaration extends Span {
  /** As reports name it, among other words; `unknown` stands where that is known only when it runs. */
  name: string;
  /** Where its name stands; null where a copy can't have another one. */
  nameSpan: Span | null;
  /** Whether a name is any text within its quotes, an identifier, or an expression that makes a text. */
  nameIs: 'text' | 'identifier' | 'expression';
  /** What its assertions compare with; where that is no value, what they ask with. */
  literals: readonly Literal[];
  /** What they ask with, where they compare with a value. */
  inputs: readonly Literal[];
  /** Whether they compare with no value, also of no table, so that `literals` are what they ask with. */
  asksOnly: boolean;
  /** All values of its file, wherever they stand. */
  inFile: readonly Omit<Literal, 'statement'>[];
  /** Whether an assertion in its body compares with a value, so that it needs nothing from beside it. */
  comparesValues: boolean;
  /** Whether what it asks with is, in Go, a table in its body that has what it compares with. */
  hasTable: boolean;
  /** Declarations beside it from which it takes its cases. */
  tables: readonly Table[];
  /** Changes that each make one of its assertions say the opposite. */
  opposites: readonly (readonly Edit[])[];
  /** Where a statement can stand, behind what it tests; null where none can. */
  statement: Statement | null;
}

/** A place for a statement. */
export interface Statement {
  at: number;
  /** A statement that fails where two numbers differ. */
  say(a: number, b: number): string;
  /** What has to stand around it, where the body is an expression. */
  around?: { before: Span; open: string; close: string };
}

/** Stands in a test's name for what is known only when it runs. */
export const unknown = '\0';

const families = {
  python: 'python',
  javascript: 'ecmascript',
  typescript: 'ecmascript',
  tsx: 'ecmascript',
  go: 'go',
  rust: 'rust',
  java: 'java',
  kotlin: 'kotlin',
  php: 'php',
  ruby: 'ruby',
} as const;
export type Family = (typeof families)[keyof typeof families];

/** The family of languages that a test file is read by; null where its tests can't be told. */
export function familyOf(path: string): Family | null {
  const language = languageOf(path);
  return language !== null && language.id in families ? families[language.id as keyof typeof families] : null;
}

const grammars = new Map<string, Promise<{ grammar: Grammar; names: GrammarNames }>>();

async function grammarOf(wasm: string) {
  await startParser();
  const grammar = await Grammar.load(fileURLToPath(import.meta.resolve(wasm)));
  return { grammar, names: namesOf(grammar) };
}

/** A larger one is made by a tool. */
const maxSourceLength = 1024 ** 2;
const parseMs = 5_000;

/** The tests that a file declares; none where it can't be read. */
export async function testDeclarations(path: string, source: string): Promise<TestDeclaration[]> {
  const language = languageOf(path);
  const family = familyOf(path);
  if (language === null || family === null || source.length > maxSourceLength) return [];
  const loading = grammars.get(language.grammar) ?? grammarOf(language.grammar);
  grammars.set(language.grammar, loading);
  const { grammar, names } = await loading;
  const parser = new Parser().setLanguage(grammar);
  const deadline = performance.now() + parseMs;
  try {
    const tree = parser.parse(source, null, { progressCallback: () => performance.now() > deadline });
    if (tree === null || tree.rootNode.hasError) return [];
    const root = readTree(tree, source, names);
    tree.delete();
    const tests = declarationsIn[family](root);
    const tables = tablesIn(root, family, tests);
    const inFile = fileValues(root, family);
    return tests.map((test) => {
      const own = tables(test);
      const isAlone = own.length === 0;
      return { ...test, tables: own, inFile, asksOnly: isAlone && test.asksOnly, hasTable: isAlone && test.hasTable };
    });
  } catch {
    return [];
  } finally {
    parser.delete();
  }
}

const spanOf = (node: Node): Span => ({ start: node.startIndex, end: node.endIndex });

/** What a test compares with, in its body and in the cases that stand before that; where nothing is, what it asks with. */
function valuesIn(
  body: Node,
  family: Family,
  cases: readonly Node[] = [],
): Pick<TestDeclaration, 'literals' | 'inputs' | 'asksOnly' | 'hasTable' | 'comparesValues'> {
  const compared = literalsOf(body, family);
  const all = [...compared, ...cases.flatMap(casesOf)];
  const asked = inputsOf(body, family);
  const asksOnly = all.length === 0;
  return {
    literals: asksOnly ? asked : all,
    inputs: asksOnly ? [] : asked,
    asksOnly,
    hasTable: asksOnly && family === 'go' && /\brange\b/.test(body.text) && hasStructs(body),
    comparesValues: compared.length > 0,
  };
}

/** Whether a body has a list, or a map, of composite values. */
const hasStructs = (body: Node): boolean =>
  body.descendantsOfType('composite_literal').some((node) => /^(\[\d*\]|map\[)/.test(node.text));

/** Behind the last statement of a body, or before it where it leaves. */
function endOf(body: Node, leaves: readonly string[]): number {
  const last = body.namedChildren.at(-1);
  if (!last) return body.endIndex - 1;
  return leaves.includes(last.type) ? last.startIndex : last.endIndex;
}

const declarationsIn: Record<Family, (root: Node) => Omit<TestDeclaration, 'tables' | 'inFile'>[]> = {
  python: (root) =>
    root.descendantsOfType('function_definition').flatMap((node) => {
      const [name, body] = [node.childForFieldName('name'), node.childForFieldName('body')];
      if (!name || !body || !/^test/i.test(name.text)) return [];
      const whole = node.parent?.type === 'decorated_definition' ? node.parent : node;
      // Of `@pytest.mark.parametrize('text, expected', […])` the second argument.
      const cases = whole.namedChildren.flatMap((decorator) => {
        const call = decorator.type === 'decorator' ? decorator.namedChildren[0] : undefined;
        if (!/parametrize|parameterized|\bdata$/.test(call?.childForFieldName('function')?.text ?? '')) return [];
        const given = call?.childForFieldName('arguments')?.namedChildren ?? [];
        return given.filter(({ type }) => /^(list|tuple|set|dictionary)$/.test(type)).slice(0, 1);
      });
      const { source } = root.tree;
      const indent = source.slice(source.lastIndexOf('\n', body.startIndex - 1) + 1, body.startIndex);
      const at = endOf(body, ['return_statement']);
      const isBefore = at === body.namedChildren.at(-1)?.startIndex;
      return {
        ...spanOf(whole),
        name: name.text,
        nameSpan: spanOf(name),
        nameIs: 'identifier' as const,
        ...valuesIn(body, 'python', cases),
        opposites: oppositesOf(body, 'python'),
        // A body in the line of its head has no line for another statement.
        statement: /\S/.test(indent)
          ? null
          : {
              at,
              say: (a: number, b: number) =>
                isBefore ? `assert ${a} == ${b}\n${indent}` : `\n${indent}assert ${a} == ${b}`,
            },
      };
    }),

  ecmascript: (root) =>
    root.descendantsOfType('call_expression').flatMap((node) => {
      const [callee, given] = [node.childForFieldName('function'), node.childForFieldName('arguments')];
      if (!callee || !given || !declaresTests(callee)) return [];
      const [title] = given.namedChildren;
      const run = given.namedChildren.findLast(({ type }) => /^(arrow_function|function(_expression)?)$/.test(type));
      const body = run?.childForFieldName('body');
      const named = title && titleOf(title);
      if (!named || !run || !body) return [];
      const statement = node.parent?.type === 'expression_statement' ? node.parent : null;
      const loop = statement && loopAround(statement);
      const whole = loop?.whole ?? statement;
      // What a loop repeats without braces is one statement.
      const table = loop?.cases ?? (callee.type === 'call_expression' ? callee.childForFieldName('arguments') : null);
      const isAlone = whole !== null && /^(program|statement_block)$/.test(whole.parent?.type ?? '');
      return {
        ...spanOf(whole ?? node),
        ...named,
        nameSpan: isAlone ? named.nameSpan : null,
        ...valuesIn(body, 'ecmascript', table ? [table] : []),
        opposites: oppositesOf(body, 'ecmascript'),
        statement: statementOfEcmascript(run, body),
      };
    }),

  go: (root) =>
    root.descendantsOfType(['function_declaration', 'method_declaration']).flatMap((node) => {
      const [name, body] = [node.childForFieldName('name'), node.childForFieldName('body')];
      if (!name || !body || !/^Test./.test(name.text)) return [];
      // Bounded: by the parameters of one function.
      const [, t] = /^\(\s*(\w+)\s+\*testing\.[TB]\s*\)$/.exec(node.childForFieldName('parameters')?.text ?? '') ?? [];
      const [list] = body.namedChildren;
      return {
        ...spanOf(node),
        name: name.text,
        nameSpan: spanOf(name),
        nameIs: 'identifier' as const,
        ...valuesIn(body, 'go'),
        opposites: oppositesOf(body, 'go'),
        statement:
          t === undefined || t === '_'
            ? null
            : {
                at: list ? endOf(list, ['return_statement']) : body.endIndex - 1,
                say: (a, b) => `\n\tif ${a} != ${b} {\n\t\t${t}.Fatalf("got %d, want %d", ${a}, ${b})\n\t}\n`,
              },
      };
    }),

  rust: (root) =>
    root.descendantsOfType('function_item').flatMap((node) => {
      const [name, body] = [node.childForFieldName('name'), node.childForFieldName('body')];
      const siblings = node.parent?.children ?? [];
      const before = siblings.slice(
        0,
        siblings.findIndex(({ id }) => id === node.id),
      );
      const attributes = before.slice(before.findLastIndex(({ type }) => type !== 'attribute_item') + 1);
      if (!name || !body || !attributes.some(({ text }) => /^#\[(\w+::)*(r?s?test|test_case)\b/.test(text))) return [];
      const cases = attributes.filter(({ text }) => /^#\[(\w+::)*(test_)?case\b/.test(text));
      return {
        start: attributes[0]?.startIndex ?? node.startIndex,
        end: node.endIndex,
        name: name.text,
        nameSpan: spanOf(name),
        nameIs: 'identifier' as const,
        ...valuesIn(body, 'rust', cases),
        opposites: oppositesOf(body, 'rust'),
        statement:
          node.childForFieldName('return_type') === null
            ? { at: body.endIndex - 1, say: (a, b) => `; assert_eq!(${a}, ${b}); ` }
            : null,
      };
    }),

  java: (root) =>
    root.descendantsOfType('method_declaration').flatMap((node) => {
      const [name, body] = [node.childForFieldName('name'), node.childForFieldName('body')];
      const before = node.children.find(({ type }) => type === 'modifiers');
      const modifiers = before?.text ?? '';
      if (!name || !body || !(/@(Test|ParameterizedTest)\b/.test(modifiers) || name.text.startsWith('test'))) return [];
      return {
        ...spanOf(node),
        name: name.text,
        nameSpan: spanOf(name),
        nameIs: 'identifier' as const,
        ...valuesIn(body, 'java', casesIn(before)),
        opposites: oppositesOf(body, 'java'),
        statement: {
          at: endOf(body, ['return_statement', 'throw_statement']),
          say: (a, b) => ` if (${a} != ${b}) throw new AssertionError("expected ${b}, but was ${a}"); `,
        },
      };
    }),

  kotlin: (root) =>
    root.descendantsOfType('function_declaration').flatMap((node) => {
      const [name, body] = [node.childForFieldName('name'), node.namedChildren.at(-1)];
      const before = node.children.find(({ type }) => type === 'modifiers');
      const modifiers = before?.text ?? '';
      if (!name || body?.type !== 'function_body' || !/@(Test|ParameterizedTest)\b/.test(modifiers)) return [];
      const isText = name.text.startsWith('`');
      // Of `= runTest { … }` the block is what runs.
      const block = body.text.startsWith('=') ? body.descendantsOfType('lambda_literal')[0] : body.namedChildren[0];
      return {
        ...spanOf(node),
        name: isText ? name.text.slice(1, -1) : name.text,
        nameSpan: isText ? { start: name.startIndex + 1, end: name.endIndex - 1 } : spanOf(name),
        nameIs: isText ? ('text' as const) : ('identifier' as const),
        ...valuesIn(body, 'kotlin', casesIn(before)),
        opposites: oppositesOf(body, 'kotlin'),
        statement: block
          ? {
              at: block.endIndex - 1,
              say: (a, b) => `\nif (${a} != ${b}) throw AssertionError("expected ${b}, but was ${a}")\n`,
            }
          : null,
      };
    }),
  php: (root) =>
    root.descendantsOfType('method_declaration').flatMap((node) => {
      const [name, body] = [node.childForFieldName('name'), node.childForFieldName('body')];
      if (!name || !body || !(name.text.startsWith('test') || /#\[Test\]/.test(node.text.slice(0, 80)))) return [];
      return {
        ...spanOf(node),
        name: name.text,
        nameSpan: spanOf(name),
        nameIs: 'identifier' as const,
        ...valuesIn(body, 'php'),
        opposites: oppositesOf(body, 'php'),
        statement: {
          at: endOf(body, ['return_statement']),
          say: (a, b) => `\nif (${a} !== ${b}) { throw new \\Exception("expected ${b}, but was ${a}"); }\n`,
        },
      };
    }),

  ruby: (root) =>
    root.descendantsOfType(['method', 'call']).flatMap((node) => {
      const told = node.type === 'method' ? methodOfRuby(node) : exampleOfRuby(node);
      if (told === null) return [];
      const { body, ...named } = told;
      return {
        ...spanOf(node),
        ...named,
        ...valuesIn(body, 'ruby'),
        opposites: oppositesOf(body, 'ruby'),
        statement: {
          at: endOf(body, ['return']),
          say: (a: number, b: number) => `\nraise "expected ${b}, but was ${a}" unless ${a} == ${b}\n`,
        },
      };
    }),
};

type Named = Pick<TestDeclaration, 'name' | 'nameSpan' | 'nameIs'> & { body: Node };

/** `def test_trims … end`. */
function methodOfRuby(node: Node): Named | null {
  const [name, body] = [node.childForFieldName('name'), node.childForFieldName('body')];
  if (!name || !body || !name.text.startsWith('test_') || node.childForFieldName('parameters')) return null;
  return { name: name.text, nameSpan: spanOf(name), nameIs: 'identifier', body };
}

/** `it 'trims' do … end`, and `test 'trims' do … end`. */
function exampleOfRuby(node: Node): Named | null {
  const block = node.childForFieldName('block');
  const body = block?.childForFieldName('body') ?? null;
  const title = node.childForFieldName('arguments')?.namedChildren[0];
  if (!/^(it|test|specify|example)$/.test(node.childForFieldName('method')?.text ?? '') || !body) return null;
  if (title?.type !== 'string' || !/^(["'])(?:(?!\1)[^\\#\n])+\1$/.test(title.text)) return null;
  const nameSpan = { start: title.startIndex + 1, end: title.endIndex - 1 };
  return { name: title.text.slice(1, -1), nameSpan, nameIs: 'text', body };
}

/** What JUnit's `@CsvSource` and `@ValueSource` list. */
const casesIn = (modifiers: Node | undefined): Node[] =>
  (modifiers?.namedChildren ?? [])
    .filter(({ text }) => /^@(Csv|Value)Source\b/.test(text))
    .flatMap((source) =>
      source.descendantsOfType(['element_value_array_initializer', 'string_literal', 'collection_literal']).slice(0, 1),
    );

/** The loop that declares a test for each of its cases, where it declares nothing else. */
function loopAround(statement: Node): { whole: Node; cases: Node | null } | null {
  const block = statement.parent;
  const run = block?.type === 'statement_block' ? block.parent : null;
  // The test may stand there without braces.
  const loop = block?.type === 'for_in_statement' ? block : run;
  const inner = block?.type === 'statement_block' ? block.namedChildren : [statement];
  const declares = inner.filter((each) => each.descendantsOfType('call_expression').some(isDeclaration));
  if (!loop || declares.length !== 1) return null;
  if (loop.type === 'for_in_statement') return { whole: loop, cases: loop.childForFieldName('right') };
  const call = /^(arrow_function|function_expression)$/.test(loop.type) ? loop.parent?.parent : null;
  const each = call?.type === 'call_expression' ? call.childForFieldName('function') : null;
  const whole = call?.parent?.type === 'expression_statement' ? call.parent : null;
  return whole && each?.childForFieldName('property')?.text === 'forEach'
    ? { whole, cases: each.childForFieldName('object') }
    : null;
}

const isDeclaration = (call: Node): boolean => {
  const callee = call.childForFieldName('function');
  return callee !== null && declaresTests(callee);
};

/** `it(…)`, `test.only(…)`, `it.each(table)(…)`. */
function declaresTests(callee: Node): boolean {
  const table = callee.type === 'call_expression' ? callee.childForFieldName('function') : null;
  if (table) return /^(it|test|specify)(\.(only|concurrent))?\.each$/.test(table.text);
  return /^(it|test|specify)(\.(only|concurrent|serial))?$/.test(callee.text);
}

/** What a test is called by the first argument of what declares it; null where that is no title. */
function titleOf(title: Node): Pick<TestDeclaration, 'name' | 'nameSpan' | 'nameIs'> | null {
  const { type, startIndex, endIndex } = title;
  if (type === 'string' || type === 'template_string') {
    const parts = title.namedChildren.map((part) =>
      part.type === 'template_substitution' ? unknown : part.text.replaceAll(/\\(.)/g, '$1'),
    );
    return {
      // What tables of cases fill in.
      name: parts.join('').replaceAll(/%[a-zA-Z#]|\$[\w.]+/g, unknown),
      nameSpan: endIndex > startIndex + 2 ? { start: startIndex + 1, end: endIndex - 1 } : null,
      nameIs: 'text',
    };
  }
  const isText = /^(identifier|member_expression|subscript_expression|call_expression|binary_expression)$/.test(type);
  return isText ? { name: unknown, nameSpan: spanOf(title), nameIs: 'expression' } : null;
}

function statementOfEcmascript(run: Node, body: Node): Statement {
  const throws = (a: number, b: number) => `\n if (${a} !== ${b}) throw new Error('expected ${a} to equal ${b}'); `;
  if (body.type !== 'statement_block')
    return { at: body.endIndex, say: throws, around: { before: spanOf(body), open: '{ ', close: '}' } };
  // What calls back later must not be begun, or it would do so in the midst of another test.
  const parameters = run.childForFieldName('parameters') ?? run.childForFieldName('parameter');
  const callsBack = /\w/.test(parameters?.text ?? '') && !/^async\b/.test(run.text);
  return { at: callsBack ? body.startIndex + 1 : endOf(body, ['return_statement']), say: throws };
}
