import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { declarations, typeDeclaration } from './declarations.ts';
import { bindPattern, call, expression, lambda } from './expressions.ts';
import type { JavaFile, Place } from './file.ts';
import { declaredType, typeOf } from './types.ts';

/** Reads statements in order; what they declare is bound in the scope of `place`. */
export function statements(file: JavaFile, nodes: readonly Node[], place: Place): void {
  for (const node of nodes) statement(file, node, place);
}

function statement(file: JavaFile, node: Node, place: Place): void {
  switch (node.type) {
    case 'line_comment':
    case 'block_comment':
    case 'modifiers':
    case 'break_statement':
    case 'continue_statement':
      return;
    case 'block':
    case 'constructor_body':
    case 'for_statement':
    case 'switch_rule':
    case 'switch_block_statement_group':
    case 'try_with_resources_statement':
      return group(file, node, inner(file, place));
    case 'local_variable_declaration':
      return variables(file, node, place);
    case 'if_statement':
    case 'while_statement':
      return conditional(file, node, place);
    case 'enhanced_for_statement':
      return forEach(file, node, place);
    case 'catch_clause':
      return catchClause(file, node, place);
    case 'resource':
      return resource(file, node, place);
    case 'switch_label':
      return label(file, node, place);
    case 'explicit_constructor_invocation':
      return constructorCall(file, node, place);
    case 'return_statement': {
      const value = node.firstNamedChild;
      if (!value) return;
      const own = file.definition(place.definition);
      if (value.type === 'lambda_expression' && own.returnType) {
        lambda(file, value, place, { kind: 'typed', type: own.returnType });
      } else {
        const result = expression(file, value, place);
        // Of a method the type is written down; only a lambda's is left to its value.
        if (own.name === '' && own.returns.length < 4) own.returns.push(result);
      }
      return;
    }
    case 'yield_statement':
      for (const value of node.namedChildren) {
        const result = expression(file, value, place);
        place.yields?.push(result);
      }
      return;
    case 'labeled_statement':
      return statements(file, node.namedChildren.slice(1), place);
    case 'switch_expression':
      if (node.namedChild(0)) statement(file, node.namedChildren[0] as Node, place);
      return group(file, node.childForFieldName('body') ?? node, place);
    case 'expression_statement':
    case 'throw_statement':
    case 'assert_statement':
    case 'parenthesized_expression':
      for (const child of node.namedChildren) expression(file, child, place);
      return;
    case 'do_statement':
    case 'try_statement':
    case 'finally_clause':
    case 'synchronized_statement':
    case 'resource_specification':
    case 'ERROR':
      return group(file, node, place);
    default:
      if (declarations.has(node.type)) {
        const definition = typeDeclaration(file, node, place, null);
        const { name, line } = file.definition(definition);
        file.bind(place.scope, name, { definition, line });
      } else expression(file, node, place);
  }
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
  if (name) file.bind(place.scope, file.text(name), { type, value: type ? null : value, line: file.line(name) });
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
    file.bind(inside.scope, file.text(name), { type, value, line: file.line(name) });
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
    file.bind(inside.scope, file.text(name), { type: typeOf(file, type, place.scope), line: file.line(name) });
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
