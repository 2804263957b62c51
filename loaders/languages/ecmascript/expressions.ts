import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import { callExpression, newExpression } from './calls.ts';
import { classExpression } from './classes.ts';
import { type EcmascriptFile, type ExpressionReader, literal, type Naming, type Place } from './file.ts';
import { addReturn, defineFunction } from './functions.ts';
import { jsx } from './jsx.ts';
import { narrowed } from './narrowing.ts';
import { objectLiteral } from './objects.ts';
import { assignment } from './targets.ts';
import { typeExpr, typePlace } from './types.ts';
import { either, hasToken, isPlain, memberExpr, nameExpr } from './values.ts';

/** An array's elements beyond these say nothing new. */
const maxElements = 8;

const name: ExpressionReader = (file, node, place) => nameExpr(file, node.text, place);

const asLiteral: ExpressionReader = () => literal;

const nothing: ExpressionReader = () => unknown;

/** A statement where a value may stand. */
const statement: ExpressionReader = (file, node, place) => {
  file.visit(node, place);
  return unknown;
};

const inParentheses: ExpressionReader = (file, node, place, expected, naming) => {
  const inner = node.namedChildren.find(({ type }) => type !== 'comment');
  return inner ? file.expression(inner, place, expected, naming) : unknown;
};

const functionInPlace: ExpressionReader = (file, node, place, expected, naming) => {
  const ownName = node.childForFieldName('name');
  const known = ownName ? { name: ownName.text, node: ownName } : (naming ?? { name: '', node });
  const definition = defineFunction(file, node, place, { kind: 'function', naming: known, self: null, expected });
  return { kind: 'definition', definition };
};

/** By node type. */
export const expressions: Readonly<Record<string, ExpressionReader>> = {
  identifier: name,
  shorthand_property_identifier: name,
  undefined: name,
  this: (_, __, place) => place.self,
  super: (_, __, place) => (place.method >= 0 ? { kind: 'super', definition: place.method } : unknown),
  string: asLiteral,
  number: asLiteral,
  regex: asLiteral,
  true: asLiteral,
  false: asLiteral,
  template_string(file, node, place) {
    file.visitAll(node, place);
    return literal;
  },
  null: nothing,
  comment: nothing,
  non_null_expression(file, node, place, expected, naming) {
    const [inner] = node.namedChildren;
    return inner ? file.expression(bindingTightest(file, inner, place), place, expected, naming) : unknown;
  },
  parenthesized_expression: inParentheses,
  satisfies_expression: inParentheses,
  as_expression: cast,
  type_assertion: cast,
  sequence_expression(file, node, place) {
    let last: Expr = unknown;
    for (const child of node.namedChildren) last = file.expression(child, place, null);
    return last;
  },
  member_expression: memberExpression,
  subscript_expression: subscript,
  call_expression: callExpression,
  new_expression: newExpression,
  await_expression(file, node, place, expected) {
    const [inner] = node.namedChildren;
    const value = inner ? file.expression(inner, place, expected) : unknown;
    return value.kind === 'unknown' ? value : { kind: 'await', value };
  },
  yield_expression(file, node, place) {
    const [inner] = node.namedChildren;
    const value = inner ? file.expression(inner, place, null) : unknown;
    const given: Expr = hasToken(node, '*') ? { kind: 'iterate', object: value } : value;
    if (place.owner >= 0) addReturn(file.definition(place.owner), given);
    return unknown;
  },
  ternary_expression(file, node, place, expected) {
    const condition = node.childForFieldName('condition');
    if (condition) file.expression(condition, place, null);
    const yes = node.childForFieldName('consequence');
    const no = node.childForFieldName('alternative');
    return either([
      yes ? file.expression(yes, narrowed(file, condition, place), expected) : unknown,
      no ? file.expression(no, place, expected) : unknown,
    ]);
  },
  binary_expression: binary,
  assignment_expression: assignment,
  augmented_assignment_expression: assignment,
  array,
  object: (file, node, place, expected, naming) => objectLiteral(file, node, place, expected, naming !== null),
  arrow_function: functionInPlace,
  function_expression: functionInPlace,
  generator_function: functionInPlace,
  class: (file, node, place, _, naming) => classExpression(file, node, place, naming),
  jsx_element: jsx,
  jsx_self_closing_element: jsx,
  spread_element(file, node, place) {
    const [inner] = node.namedChildren;
    if (inner) file.expression(inner, place, null);
    return unknown;
  },
  function_declaration: statement,
  class_declaration: statement,
  lexical_declaration: statement,
  variable_declaration: statement,
  statement_block: statement,
};

/** The grammar reads `a - b!.c` as `(a - b)!.c`: what `!` belongs to is the last operand; the others are only visited. */
function bindingTightest(file: EcmascriptFile, node: Node, place: Place): Node {
  if (node.type === 'unary_expression' || node.type === 'await_expression') {
    const inner = node.namedChildren.at(-1);
    return inner ? bindingTightest(file, inner, place) : node;
  }
  if (node.type !== 'binary_expression') return node;
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  if (left) file.expression(left, place, null);
  return right ? bindingTightest(file, right, place) : node;
}

/** `value as Type` and `<Type>value`. */
function cast(file: EcmascriptFile, node: Node, place: Place, expected: Expr | null, naming: Naming | null): Expr {
  const children = node.namedChildren.filter(({ type }) => type !== 'comment');
  const isAs = node.type === 'as_expression';
  const valueNode = isAs ? children[0] : children.at(-1);
  const typeNode = isAs ? children[1] : children[0]?.namedChildren[0];
  const type = typeNode ? typeExpr(file, typeNode, typePlace(place)) : null;
  const known = type && type.kind !== 'unknown' ? type : null;
  const value = valueNode
    ? file.expression(valueNode, place, known ? { kind: 'typed', type: known } : expected, naming)
    : unknown;
  if (!typeNode && value.kind === 'array') return { kind: 'tuple', elements: value.elements };
  if (known && value.kind !== 'definition') return { kind: 'typed', type: known };
  // `as any` says that nothing is known; of any other type that says nothing the value stays the better guess.
  return type?.kind === 'unknown' && typeNode?.text === 'any' ? unknown : value;
}

function memberExpression(file: EcmascriptFile, node: Node, place: Place): Expr {
  const object = node.childForFieldName('object');
  const property = node.childForFieldName('property')?.text ?? '';
  if (!object) return unknown;
  if (object.type === 'identifier' && object.text === 'module' && property === 'exports') return { kind: 'module' };
  const inner = file.expression(object, place, null);
  if (property === 'constructor') return classAround(file, inner);
  if (property === 'prototype') return { kind: 'call', callee: inner, args: [], isNew: true };
  return memberExpr(inner, property);
}

/** `this.constructor` is the class. */
function classAround(file: EcmascriptFile, object: Expr): Expr {
  if (object.kind !== 'self') return unknown;
  const own = file.definition(object.definition);
  const index = own.kind === 'class' ? object.definition : own.owner;
  return index >= 0 && file.definition(index).kind === 'class' ? { kind: 'definition', definition: index } : unknown;
}

function subscript(file: EcmascriptFile, node: Node, place: Place): Expr {
  const objectNode = node.childForFieldName('object');
  const index = node.childForFieldName('index');
  const object = objectNode ? file.expression(objectNode, place, null) : unknown;
  if (index) file.expression(index, place, null);
  if (object.kind === 'unknown') return object;
  switch (index?.type) {
    case 'string':
      return { kind: 'member', object, name: index.text.slice(1, -1) };
    case 'number':
      return { kind: 'index', object, at: Number(index.text) };
    case 'identifier': {
      // A symbol's name, or a variable whose value is not known.
      const bySymbol: Expr = { kind: 'member', object, name: `[${index.text}]` };
      return { kind: 'union', options: [bySymbol, { kind: 'index', object }], first: true };
    }
    case 'member_expression':
      return { kind: 'member', object, name: `[${index.text}]` };
    default:
      return { kind: 'index', object };
  }
}

function binary(file: EcmascriptFile, node: Node, place: Place, expected: Expr | null): Expr {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  const operator = node.childForFieldName('operator')?.text ?? '';
  const chooses = operator === '||' || operator === '??';
  const isAnd = operator === '&&';
  const first = left ? file.expression(left, place, chooses ? expected : null) : unknown;
  const inside = right && isAnd ? narrowed(file, left, place) : place;
  const second = right ? file.expression(right, inside, chooses || isAnd ? expected : null) : unknown;
  if (chooses) return either([first, second]);
  return isAnd ? second : literal;
}

function array(file: EcmascriptFile, node: Node, place: Place, expected: Expr | null): Expr {
  const elements: Expr[] = [];
  const element: Expr | null = expected && { kind: 'index', object: expected };
  for (const child of node.namedChildren) {
    const isSpread = child.type === 'spread_element';
    const inner = isSpread ? child.namedChildren[0] : child;
    const value = inner && !isPlain(inner) ? file.expression(inner, place, isSpread ? null : element) : literal;
    if (value.kind !== 'unknown' && elements.length < maxElements) {
      elements.push(isSpread ? { kind: 'iterate', object: value } : value);
    }
  }
  return { kind: 'array', elements: elements.every((one) => one === literal) ? elements.slice(0, 1) : elements };
}
