import type { Node } from '../../facts/syntax-tree.ts';
import type { Family, Span } from './test-file.ts';

/** A value that an assertion compares with, as it stands in the source. */
export interface Literal {
  start: number;
  end: number;
  kind: 'integer' | 'float' | 'string' | 'word';
  text: string;
  /** What can stand in place of a word. */
  others?: readonly string[];
  /** The statement, or the row of a table, that it stands in. */
  statement: Span;
  /** Whether it stands in a table of cases, where nothing tells what is asked from what shall come. */
  isCase?: boolean;
}

/** A value without its place. */
type Value = Omit<Literal, 'statement'>;

const kindOfType: Readonly<Record<string, Literal['kind'] | 'boolean'>> = {
  integer: 'integer',
  float: 'float',
  number: 'integer',
  int_literal: 'integer',
  integer_literal: 'integer',
  decimal_integer_literal: 'integer',
  float_literal: 'float',
  decimal_floating_point_literal: 'float',
  string: 'string',
  encapsed_string: 'string',
  interpreted_string_literal: 'string',
  string_literal: 'string',
  true: 'boolean',
  false: 'boolean',
  boolean_literal: 'boolean',
  boolean: 'boolean',
};

/** Names of errors of the language itself, none of which is a kind of another. */
const languageErrors: Partial<Record<Family, readonly string[]>> = {
  python: 'ValueError TypeError KeyError IndexError AttributeError RuntimeError ZeroDivisionError EOFError'.split(' '),
  java: (
    'IllegalArgumentException IllegalStateException NullPointerException UnsupportedOperationException ArithmeticException ' +
    'ClassCastException IndexOutOfBoundsException'
  ).split(' '),
  ecmascript: 'TypeError RangeError SyntaxError ReferenceError EvalError URIError'.split(' '),
};

/** What a value stands in and is still a value of what is compared. */
const values = new Set(
  (
    'unary_operator unary_expression negative_literal parenthesized_expression list tuple dictionary set pair array object ' +
    'array_expression class_literal literal_element literal_value keyed_element composite_literal binary_expression comparison_operator ' +
    'boolean_operator not_operator argument array_creation_expression array_element_initializer hash argument_list arguments keyword_argument expression_list array_initializer'
  ).split(' '),
);

/** What such a value stands in further where tables of cases are declared. */
const inTables = new Set(
  (
    'as_expression satisfies_expression reference_expression tuple_expression token_tree attribute element_value_array_initializer ' +
    'collection_literal value_argument value_arguments'
  ).split(' '),
);

/** Names of what asserts, by the last word of what is called or by the first. */
const asserts =
  /^(assert\w*|refute\w*|eq|must_\w+|expect\w*|should\w*|ok|equals?|eql?|same|is\w*|not\w*|deep\w*|strict\w*|match\w*|like|throws?\w*|rejects?|raises\w*|to[A-Z]\w*|be|an?|includes?|contains?\w*|members|keys?|property|length(Of)?|status|body|within|above|below|least|most|Equal\w*|NotEqual\w*|Len|Contains|JSONEq|InDelta|Error\w*)$/;
const assertsFirst = /^(assert\w*|refute\w*|eq|must_\w+|expect\w*|should|require|chai)$/;

/** What tables of cases call what shall come out. */
const wanted = /^(want\w*|expect\w*|exp|out|output|result\w*|res|err\w*|code|status\w*|ok|valid|should\w*)$/i;

/** The other texts and numbers in a body: with another one what is tested is asked something else, of which the fix tells what comes. */
export function inputsOf(body: Node, family: Family): Literal[] {
  return body.descendantsOfType(Object.keys(kindOfType)).flatMap((node) => {
    const literal = literalOf(node);
    const isAsked = literal !== null && literal.kind !== 'word' && !isCompared(node, body, family);
    const isSaid = family === 'go' && isSaidInGo(node.parent?.parent);
    return isAsked && !isSaid ? { ...literal, statement: statementOf(node, body) } : [];
  });
}

/** The values in a table of cases, whatever each of them is for: the fix tells what comes of another one. */
export function casesOf(table: Node): Literal[] {
  // Of `[[…], […]]` in parentheses the rows stand in the list.
  let list = table;
  for (let [only, ...more] = list.namedChildren; only && more.length === 0; [only, ...more] = list.namedChildren)
    list = only;
  return table.descendantsOfType(Object.keys(kindOfType)).flatMap((node) => {
    const literal = literalOf(node);
    if (literal === null || !isPlainIn(table, node)) return [];
    let row = node;
    while (row.parent !== null && row.id > list.id && row.parent.id !== list.id) row = row.parent;
    return { ...literal, statement: spanOf(row), isCase: true };
  });
}

/** All values in a file, wherever they stand. */
export function fileValues(root: Node, family: Family): Value[] {
  const errors = languageErrors[family] ?? [];
  return root.descendantsOfType([...Object.keys(kindOfType), 'identifier', 'type_identifier']).flatMap((node) => {
    const isName = node.type.endsWith('identifier');
    const value = isName ? (errors.includes(node.text) ? errorOf(node, errors) : null) : literalOf(node);
    return value ?? [];
  });
}

const spanOf = ({ startIndex: start, endIndex: end }: Node): Span => ({ start, end });

/** What statements stand in. */
const blocks =
  /^(block|statement_block|statement_list|compound_statement|body_statement|statements|function_body|do_block|block_body|program)$/;

/** The statement of a body that something stands in; the body itself where that is an expression. */
function statementOf(node: Node, body: Node): Span {
  let below = node;
  for (let up = node.parent; up !== null && !blocks.test(up.type); below = up, up = up.parent)
    if (up.id === body.id) return spanOf(body);
  return spanOf(below);
}

/** Whether nothing but lists and the like stands between a value and the table that it is in. */
function isPlainIn(table: Node, value: Node): boolean {
  for (let node = value.parent; node !== null && node.id >= table.id; node = node.parent) {
    if (node.id === table.id) return true;
    const isCase = /^call(_expression)?$/.test(node.type) && /\bparam$/.test(node.namedChildren[0]?.text ?? '');
    // Such as the name of a case.
    if (node.type === 'keyword_argument') return false;
    if (!values.has(node.type) && !inTables.has(node.type) && !isCase) return false;
  }
  return value.id === table.id;
}

/** The values that the assertions in a body compare with: another one in its place makes it fail, whoever computes the right one. */
export function literalsOf(body: Node, family: Family): Literal[] {
  const errors = languageErrors[family] ?? [];
  return body.descendantsOfType([...Object.keys(kindOfType), 'identifier', 'type_identifier']).flatMap((node) => {
    const literal =
      node.type.endsWith('identifier') && errors.includes(node.text) ? errorOf(node, errors) : literalOf(node);
    return literal !== null && isCompared(node, body, family) ? { ...literal, statement: statementOf(node, body) } : [];
  });
}

const interpolations = [
  'interpolation',
  'variable_name',
  'interpolated_identifier',
  'interpolated_expression',
  'dynamic_variable_name',
];

const flipped: Readonly<Record<string, string>> = { true: 'false', false: 'true', True: 'False', False: 'True' };

const errorOf = ({ text, startIndex: start, endIndex: end }: Node, errors: readonly string[]): Value => ({
  start,
  end,
  kind: 'word',
  text,
  others: errors.filter((name) => name !== text),
});

function literalOf(node: Node): Value | null {
  const { type, text, startIndex: start, endIndex: end } = node;
  const kind = kindOfType[type];
  if (kind === undefined) return null;
  if (kind === 'boolean') {
    // The words of a grammar have these types too.
    const other = flipped[text];
    return other === undefined ? null : { start, end, kind: 'word', text, others: [other] };
  }
  if (kind === 'string' && !/^(["'])(?:(?!\1)[^\\\n])*\1$/.test(text)) return null;
  // What is put into a text is none.
  if (kind === 'string' && node.descendantsOfType(interpolations).length > 0) return null;
  if (kind === 'integer' && /^\d+\.\d+$/.test(text)) return { start, end, kind: 'float', text };
  if (kind === 'integer' && !/^\d{1,15}$/.test(text)) return null;
  if (kind === 'float' && !/^\d+\.\d+$/.test(text)) return null;
  return { start, end, kind, text };
}

function isCompared(literal: Node, body: Node, family: Family): boolean {
  if (family === 'rust') return isInRustAssertion(literal);
  let below = literal;
  for (let node = literal.parent; node !== null && node.id >= body.id; below = node, node = node.parent) {
    if (node.type === 'assert_statement') return node.namedChildren[0]?.id === below.id;
    if (/^(argument_list|arguments)$/.test(node.type)) {
      const call = node.parent;
      if (!call || !isAssertion(call, family) || (family === 'go' && isSaidInGo(call))) return false;
      const place = node.namedChildren.findIndex(({ id }) => id === below.id);
      // What stands behind is what to say where it fails.
      return place <= (family === 'go' ? 2 : 1);
    }
    if (node.type === 'if_statement') return family === 'go' && below.type === 'binary_expression';
    if (node.type === 'keyed_element' || node.type === 'pair' || node.type === 'assignment') {
      const [key] = node.namedChildren;
      if (key && key.id !== below.id && wanted.test(key.text.replaceAll(/["']/g, ''))) return true;
      if (key?.id === below.id || node.type === 'assignment') return false;
    }
    if (!values.has(node.type)) return false;
  }
  return false;
}

/** Whether a call says something, such as why a test failed: `go test` does not compile what has another format than values. */
const isSaidInGo = (call: Node | null | undefined): boolean =>
  /^(?!assert\.|require\.)[\w.]+\.(Error|Fatal|Log|Skip|S?Print|Fprint|Panic)(f|ln)?$/.test(
    call?.childForFieldName('function')?.text ?? '',
  );

function isAssertion(call: Node, family: Family): boolean {
  const callee = call.childForFieldName('function') ?? call.childForFieldName('method') ?? call;
  const last = (callee.childForFieldName('name') ?? callee.namedChildren.at(-1) ?? callee).text;
  const word = callee.type === 'identifier' ? callee.text : last;
  const [first = ''] = /^\w+/.exec(callee.text) ?? [];
  // Elsewhere it loads a module.
  if (first === 'require' && family !== 'go') return false;
  // What a call tells that is asserted itself: `assert is_slug("a")`, `assert.ok(isSlug('a'))`.
  if (callee.type === 'identifier' && /^is(?!_?(?:[Ee]qual|[Ss]ame|[Dd]eep))(_|[A-Z])/.test(word)) return false;
  return asserts.test(word) || assertsFirst.test(first);
}

/** The arguments of a macro are words in a row, not a tree. */
function isInRustAssertion(literal: Node): boolean {
  let node = literal.parent;
  while (node?.type === 'token_tree') {
    const around: Node | null = node.parent;
    if (around?.type === 'macro_invocation') {
      const [macro] = around.namedChildren;
      if (!macro || !/^(debug_)?assert\w*$/.test(macro.text)) return false;
      const before = node.children.filter(({ text, endIndex }) => text === ',' && endIndex <= literal.startIndex);
      return before.length < (/_(eq|ne)$/.test(macro.text) ? 2 : 1);
    }
    const siblings: Node[] = around?.children ?? [];
    const name = siblings[siblings.findIndex(({ id }) => id === node?.id) - 1];
    // `Some("a")` is a value; `f("a")` is what is tested.
    if (node.text.startsWith('(') && name && !/^(Some|Ok|Err|,|\(|\[|&|=|==|!=)$/.test(name.text)) return false;
    node = around;
  }
  return false;
}
