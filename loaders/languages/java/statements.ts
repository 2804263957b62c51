import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { declarations, typeDeclaration } from './declarations.ts';
import { bindPattern, call, expression, lambda } from './expressions.ts';
import type { JavaFile, Place } from './file.ts';
import { declaredType, typeOf } from './types.ts';

/** What a lambda gives beyond this many says nothing more. */
const maxReturns = 4;

/** Reads statements in order; what they declare is bound in the scope of `place`. */
export function statements(file: JavaFile, nodes: readonly Node[], place: Place): void {
  for (const node of nodes) statement(file, node, place);
}

/** Reads one kind of statement. */
type Reader = (file: JavaFile, node: Node, place: Place) => void;

const nothing: Reader = () => {};

const block: Reader = (file, node, place) => group(file, node, inner(file, place));

const expressionsIn: Reader = (file, node, place) => {
  for (const child of node.namedChildren) expression(file, child, place);
};

const typeHere: Reader = (file, node, place) => {
  const definition = typeDeclaration(file, node, place, null);
  const { name, line } = file.definition(definition);
  file.addBinding(place.scope, name, line, { definition });
};

/** By node type; what is not here is an expression. */
const readers: Readonly<Record<string, Reader>> = {
  line_comment: nothing,
  block_comment: nothing,
  modifiers: nothing,
  break_statement: nothing,
  continue_statement: nothing,
  block,
  constructor_body: block,
  for_statement: block,
  switch_rule: block,
  switch_block_statement_group: block,
  try_with_resources_statement: block,
  local_variable_declaration: variables,
  if_statement: conditional,
  while_statement: conditional,
  enhanced_for_statement: forEach,
  catch_clause: catchClause,
  resource,
  switch_label: label,
  explicit_constructor_invocation: constructorCall,
  return_statement: returned,
  yield_statement(file, node, place) {
    for (const value of node.namedChildren) {
      const result = expression(file, value, place);
      place.yields?.push(result);
    }
  },
  labeled_statement: (file, node, place) => statements(file, node.namedChildren.slice(1), place),
  switch_expression(file, node, place) {
    const [subject] = node.namedChildren;
    if (subject) statement(file, subject, place);
    group(file, node.childForFieldName('body') ?? node, place);
  },
  expression_statement: expressionsIn,
  throw_statement: expressionsIn,
  assert_statement: expressionsIn,
  parenthesized_expression: expressionsIn,
  do_statement: group,
  try_statement: group,
  finally_clause: group,
  synchronized_statement: group,
  resource_specification: group,
  ERROR: group,
  ...Object.fromEntries([...declarations.keys()].map((type) => [type, typeHere])),
};

function statement(file: JavaFile, node: Node, place: Place): void {
  (readers[node.type] ?? expression)(file, node, place);
}

/** Of a method the type is written down; only a lambda's is left to its value. */
function returned(file: JavaFile, node: Node, place: Place): void {
  const value = node.firstNamedChild;
  if (!value) return;
  const own = file.definition(place.definition);
  if (value.type === 'lambda_expression' && own.returnType) {
    lambda(file, value, place, { kind: 'typed', type: own.returnType });
    return;
  }
  const result = expression(file, value, place);
  if (own.name === '' && own.returns.length < maxReturns) own.returns.push(result);
}

function inner(file: JavaFile, place: Place): Place {
  return { ...place, scope: file.addScope(place.scope) };
}

function group(file: JavaFile, node: Node, place: Place): void {
  const children = node.namedChildren;
  const [first, second] = children;
  if (node.type === 'switch_rule' && first && second?.type === 'expression_statement' && place.yields) {
    statement(file, first, place);
    const value = second.firstNamedChild;
    if (value) place.yields.push(expression(file, value, place));
    return;
  }
  statements(file, children, place);
}

function variables(file: JavaFile, node: Node, place: Place): void {
  const typeNode = node.childForFieldName('type');
  for (const declarator of node.childrenForFieldName('declarator')) declare(file, declarator, typeNode, place);
}

/** One variable of a declaration: its type as written, or else its value. */
function declare(file: JavaFile, declarator: Node, typeNode: Node | null, place: Place): void {
  const name = declarator.childForFieldName('name');
  const type = declaredType(file, typeNode, place.scope, declarator.childForFieldName('dimensions'));
  const valueNode = declarator.childForFieldName('value');
  const value = valueNode && valueOf(file, valueNode, place, type && { kind: 'typed', type });
  if (name) file.addBinding(place.scope, file.text(name), file.line(name), { type, value: type ? null : value });
}

/** The value of an initializer: a lambda learns its parameters from the type of the variable. */
export function valueOf(file: JavaFile, node: Node, place: Place, expected: Expr | null): Expr {
  return node.type === 'lambda_expression' && expected
    ? lambda(file, node, place, expected)
    : expression(file, node, place);
}

/**
 * What a condition's patterns bind is seen in what it guards; where it is negated, in what follows.
 */
function conditional(file: JavaFile, node: Node, place: Place): void {
  const condition = node.childForFieldName('condition');
  const guarded = node.childForFieldName('consequence') ?? node.childForFieldName('body');
  const alternative = node.childForFieldName('alternative');
  const test = condition?.firstNamedChild;
  const binds = condition && file.text(condition).includes('instanceof');
  const negated =
    test?.type === 'unary_expression' ||
    (test?.type === 'binary_expression' && test.childForFieldName('operator')?.type === '||');
  const inside = binds && !negated ? inner(file, place) : place;
  if (condition) expression(file, condition, inside);
  if (guarded) statement(file, guarded, inside);
  if (alternative) statement(file, alternative, place);
}

function forEach(file: JavaFile, node: Node, place: Place): void {
  const inside = inner(file, place);
  const name = node.childForFieldName('name');
  const values = node.childForFieldName('value');
  const object = values && expression(file, values, place);
  const type = declaredType(file, node.childForFieldName('type'), place.scope, node.childForFieldName('dimensions'));
  if (name) {
    const value: Expr | null = type || !object ? null : { kind: 'iterate', object };
    file.addBinding(inside.scope, file.text(name), file.line(name), { type, value });
  }
  const body = node.childForFieldName('body');
  if (body) statement(file, body, inside);
}

function catchClause(file: JavaFile, node: Node, place: Place): void {
  const inside = inner(file, place);
  const parameter = node.namedChildren.find((child) => child.type === 'catch_formal_parameter');
  const name = parameter?.childForFieldName('name');
  const type = parameter?.namedChildren.find((child) => child.type === 'catch_type');
  if (name && type) {
    file.addBinding(inside.scope, file.text(name), file.line(name), { type: typeOf(file, type, place.scope) });
  }
  const body = node.childForFieldName('body');
  if (body) statements(file, body.namedChildren, inside);
}

function resource(file: JavaFile, node: Node, place: Place): void {
  if (node.childForFieldName('name')) declare(file, node, node.childForFieldName('type'), place);
  else for (const child of node.namedChildren) expression(file, child, place);
}

function label(file: JavaFile, node: Node, place: Place): void {
  for (const child of node.namedChildren) {
    if (child.type === 'pattern') for (const pattern of child.namedChildren) bindPattern(file, pattern, place);
    else if (child.type === 'guard') for (const guard of child.namedChildren) expression(file, guard, place);
  }
}

/** `super(…)` goes to the base; `this(…)` stays in the class. */
function constructorCall(file: JavaFile, node: Node, place: Place): void {
  const target = node.childForFieldName('constructor');
  const object = node.childForFieldName('object');
  if (object) expression(file, object, place);
  const callee: Expr = { kind: target?.type === 'super' ? 'super' : 'definition', definition: place.type };
  call(file, node, callee, place, { types: [], line: file.line(node), isNew: false });
}
