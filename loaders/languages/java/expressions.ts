import type { Expr, Parameter, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import type { JavaFile, Place } from './file.ts';
import { method } from './names.ts';
import { arrayOf, declaredType, dottedName, importQualified, isTypeName, primitive, rank, typeOf } from './types.ts';

/** Reads one kind of expression. */
type Reader = (file: JavaFile, node: Node, place: Place) => Expr;

const boolean: Reader = () => number('boolean');

const integer: Reader = (file, node) => number(/[lL]$/.test(file.text(node)) ? 'long' : 'int');

const floatingPoint: Reader = (file, node) => number(/[fF]$/.test(file.text(node)) ? 'float' : 'double');

/** By node type; what is not here has the value of the one expression inside. */
const readers: Readonly<Record<string, Reader>> = {
  identifier: (file, node, place) => ({ kind: 'name', name: file.text(node), scope: place.scope }),
  this: (_, __, place) => ({ kind: 'self', definition: place.type }),
  super: (_, __, place) => ({ kind: 'super', definition: place.type }),
  method_invocation: invocation,
  object_creation_expression: creation,
  field_access: fieldAccess,
  array_access(file, node, place) {
    const [array, index] = node.namedChildren;
    if (index) expression(file, index, place);
    return array ? { kind: 'index', object: expression(file, array, place) } : unknown;
  },
  array_creation_expression: arrayCreation,
  array_initializer: (file, node, place) => ({
    kind: 'array',
    elements: node.namedChildren.map((child) => expression(file, child, place)),
  }),
  assignment_expression(file, node, place) {
    const [left, right] = node.namedChildren;
    if (left) expression(file, left, place);
    return right ? expression(file, right, place) : unknown;
  },
  ternary_expression(file, node, place) {
    const [condition, ...options] = node.namedChildren.filter(isCode);
    if (condition) expression(file, condition, place);
    return { kind: 'union', options: options.map((option) => expression(file, option, place)) };
  },
  cast_expression: cast,
  binary_expression: binary,
  unary_expression(file, node, place) {
    const value = single(file, node, place);
    return file.source[node.startIndex] === '!' ? number('boolean') : value;
  },
  instanceof_expression: instanceOf,
  lambda_expression: (file, node, place) => lambda(file, node, place, unknown),
  method_reference: methodReference,
  switch_expression(file, node, place) {
    const yields: Expr[] = [];
    file.read.statements(file, [node], { ...place, yields });
    return { kind: 'union', options: yields };
  },
  class_literal(file, node, place) {
    const [type] = node.namedChildren;
    const args = type ? [typeOf(file, type, place.scope)] : [];
    return { kind: 'typed', type: { kind: 'reference', name: 'Class', scope: 0, args } };
  },
  string_literal: () => text,
  character_literal: () => number('char'),
  true: boolean,
  false: boolean,
  decimal_integer_literal: integer,
  hex_integer_literal: integer,
  octal_integer_literal: integer,
  binary_integer_literal: integer,
  decimal_floating_point_literal: floatingPoint,
  hex_floating_point_literal: floatingPoint,
};

/** The value of an expression; what is called in it is noted once. */
export function expression(file: JavaFile, node: Node, place: Place): Expr {
  return (readers[node.type] ?? single)(file, node, place);
}

/** The value of the one expression inside; of several, none. */
function single(file: JavaFile, node: Node, place: Place): Expr {
  const values = node.namedChildren.filter(isCode).map((child) => expression(file, child, place));
  return values.length === 1 ? (values[0] ?? unknown) : unknown;
}

const text: Expr = { kind: 'typed', type: { kind: 'reference', name: 'String', scope: 0, args: [] } };

function number(name: string): Expr {
  return { kind: 'typed', type: primitive(name) };
}

function isCode({ type }: Node): boolean {
  return !type.endsWith('comment') && !type.endsWith('annotation');
}

function invocation(file: JavaFile, node: Node, place: Place): Expr {
  const nameNode = node.childForFieldName('name');
  const object = node.childForFieldName('object');
  const name = method(nameNode ? file.text(nameNode) : '');
  let callee: Expr = { kind: 'name', name, scope: place.scope };
  if (object) {
    // `Type.super.name()`: the default method of an interface, or the method of an outer class's base.
    const isSuper = object.type !== 'super' && node.namedChildren.some((child) => child.type === 'super');
    callee = {
      kind: 'member',
      object: isSuper ? superOf(file, object, place) : expression(file, object, place),
      name,
    };
  }
  const types = node.childForFieldName('type_arguments')?.namedChildren ?? [];
  return call(file, node, callee, place, { types, line: file.line(nameNode ?? node), isNew: false });
}

/** Notes a call with its arguments; a lambda learns its parameters from the callee, so it is read after all others. */
export function call(
  file: JavaFile,
  node: Node,
  callee: Expr,
  place: Place,
  { types, line, isNew }: { types: readonly Node[]; line: number; isNew: boolean },
): Expr {
  const args: Expr[] = [];
  const index = file.addCall({
    callee,
    args,
    ...(types.length > 0 ? { types: types.map((one) => typeOf(file, one, place.scope)) } : {}),
    isNew,
    caller: place.definition,
    scope: place.scope,
    line,
  });
  const nodes = (node.childForFieldName('arguments')?.namedChildren ?? []).filter(isCode);
  for (const one of nodes) args.push(one.type === 'lambda_expression' ? unknown : expression(file, one, place));
  nodes.forEach((one, at) => {
    if (one.type === 'lambda_expression')
      args[at] = lambda(file, one, place, { kind: 'argument', call: index, index: at });
  });
  return { kind: 'result', call: index };
}

function superOf(file: JavaFile, type: Node, place: Place): Expr {
  const name = file.text(type);
  for (let index = place.type; index >= 0; index = file.definition(index).owner) {
    if (file.definition(index).name === name) return { kind: 'super', definition: index };
  }
  return { kind: 'typed', type: typeOf(file, type, place.scope) };
}

function creation(file: JavaFile, node: Node, place: Place): Expr {
  const children = node.namedChildren;
  const typeNode = node.childForFieldName('type');
  const body = children.find((child) => child.type === 'class_body');
  const [first] = children;
  const outer =
    first && first.id !== typeNode?.id && isCode(first) && !first.type.endsWith('_arguments')
      ? expression(file, first, place)
      : null;
  const line = file.line(typeNode ?? node);
  const types = typeNode?.type === 'generic_type' ? (typeNode.namedChildren[1]?.namedChildren ?? []) : [];
  if (!typeNode || !body) {
    const callee: Expr = outer
      ? { kind: 'member', object: outer, name: typeNode ? file.text(typeNode).replace(/<.*/s, '') : '' }
      : typeNode
        ? className(file, typeNode, place)
        : unknown;
    return call(file, node, callee, place, { types, line, isNew: true });
  }
  const definition = file.addDefinition({
    kind: 'class',
    name: '',
    line,
    endLine: node.endPosition.row + 1,
    owner: place.definition,
    scope: file.addScope(place.scope, file.facts.definitions.length),
    bases: [{ expr: { kind: 'typed', type: typeOf(file, typeNode, place.scope) }, line, how: 'extends' }],
  });
  const result = call(file, node, { kind: 'definition', definition }, place, { types: [], line, isNew: true });
  file.read.members(file, body, { scope: file.definition(definition).scope, definition, type: definition });
  return result;
}

/** A class by its name, as a value. */
function className(file: JavaFile, type: Node, place: Place): Expr {
  const names = dottedName(file, type).split('.');
  const first = names.findIndex(isTypeName);
  const start: Expr =
    first > 0
      ? {
          kind: 'name',
          name: importQualified(file, names.slice(0, first).join('.'), names[first] ?? ''),
          scope: 0,
          isType: true,
        }
      : { kind: 'name', name: names[0] ?? '', scope: place.scope, isType: true };
  return names.slice(Math.max(first, 0) + 1).reduce<Expr>((object, name) => ({ kind: 'member', object, name }), start);
}

function fieldAccess(file: JavaFile, node: Node, place: Place): Expr {
  const object = node.childForFieldName('object');
  const field = node.childForFieldName('field');
  if (!object || !field) return unknown;
  if (field.type === 'this') {
    const name = file.text(object);
    for (let index = place.type; index >= 0; index = file.definition(index).owner) {
      if (file.definition(index).name === name) return { kind: 'self', definition: index };
    }
    return { kind: 'typed', type: typeOf(file, object, place.scope) };
  }
  const name = file.text(field);
  const packageName = object.type === 'identifier' || object.type === 'field_access' ? file.text(object) : '';
  if (
    isTypeName(name) &&
    /^[\p{Ll}_][\p{Ll}\d_]*(\.[\p{Ll}_][\p{Ll}\d_]*)+$/u.test(packageName) &&
    !/^[A-Z\d_]+$/.test(name)
  ) {
    return { kind: 'name', name: importQualified(file, packageName, name), scope: 0 };
  }
  return { kind: 'member', object: expression(file, object, place), name };
}

function arrayCreation(file: JavaFile, node: Node, place: Place): Expr {
  const typeNode = node.childForFieldName('type');
  let brackets = 0;
  for (const child of node.namedChildren) {
    if (child.type === 'dimensions') brackets += rank(file, child);
    else if (child.type === 'dimensions_expr') {
      brackets++;
      single(file, child, place);
    } else if (child.type === 'array_initializer') expression(file, child, place);
  }
  if (!typeNode) return unknown;
  return { kind: 'typed', type: arrayOf(typeOf(file, typeNode, place.scope), brackets) };
}

function cast(file: JavaFile, node: Node, place: Place): Expr {
  const value = node.childForFieldName('value');
  const types = node.namedChildren.filter((child) => isCode(child) && child.id !== value?.id);
  const options = types.map((type) => typeOf(file, type, place.scope));
  const type: TypeExpr = options.length === 1 && options[0] ? options[0] : { kind: 'union', options };
  const cast: Expr = { kind: 'typed', type };
  if (value?.type === 'lambda_expression') lambda(file, value, place, cast);
  else if (value) expression(file, value, place);
  return cast;
}

/** Long chains of one operator lean to the left: walked, not recursed into. */
function binary(file: JavaFile, node: Node, place: Place): Expr {
  const operands: Node[] = [];
  const operators = new Set<string>();
  let left: Node | null = node;
  while (left?.type === 'binary_expression') {
    const right: Node | null = left.childForFieldName('right');
    operators.add(left.childForFieldName('operator')?.type ?? '');
    if (right) operands.push(right);
    left = left.childForFieldName('left');
  }
  if (left) operands.push(left);
  const values = operands.toReversed().map((operand) => expression(file, operand, place));
  if ([...operators].some((operator) => /^(&&|\|\||[=!<>]=|<|>)$/.test(operator))) return number('boolean');
  if (operands.some((operand) => operand.type === 'string_literal')) return text;
  const [first] = values;
  return first ?? unknown;
}

function instanceOf(file: JavaFile, node: Node, place: Place): Expr {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  const name = node.childForFieldName('name');
  const pattern = node.childForFieldName('pattern');
  if (left) expression(file, left, place);
  if (right && name) {
    file.addBinding(place.scope, file.text(name), file.line(name), { type: typeOf(file, right, place.scope) });
  }
  if (pattern) bindPattern(file, pattern, place);
  return number('boolean');
}

/** Binds what a pattern takes apart, in `case` and after `instanceof`. */
export function bindPattern(file: JavaFile, pattern: Node, place: Place): void {
  const children = pattern.namedChildren.filter(isCode);
  if (pattern.type === 'type_pattern' || pattern.type === 'record_pattern_component') {
    const [type, name] = children;
    if (!type) return;
    if (type.type === 'record_pattern') bindPattern(file, type, place);
    else if (name) {
      file.addBinding(place.scope, file.text(name), file.line(name), { type: declaredType(file, type, place.scope) });
    }
    return;
  }
  for (const child of children) {
    if (child.type !== 'identifier' && child.type !== 'generic_type') bindPattern(file, child, place);
  }
}

/** A lambda; `expected` is what says its parameters' types where it does not. */
export function lambda(file: JavaFile, node: Node, place: Place, expected: Expr): Expr {
  const line = file.line(node);
  const definition = file.addDefinition({
    kind: 'function',
    name: '',
    line,
    endLine: node.endPosition.row + 1,
    owner: place.definition,
    scope: file.addScope(place.scope, file.facts.definitions.length),
  });
  const own = file.definition(definition);
  const inside: Place = { scope: own.scope, definition, type: place.type };
  const parameters = node.childForFieldName('parameters');
  if (parameters?.type === 'formal_parameters') {
    own.parameters = parametersOf(file, parameters, own.scope);
  } else if (parameters) {
    const names = parameters.type === 'identifier' ? [parameters] : parameters.namedChildren;
    own.parameters = names.map((name) => ({ ...plain, name: file.text(name) }));
  }
  own.parameters.forEach(({ name, type }, index) => {
    const value: Expr | null = type ? null : { kind: 'parameter', function: expected, index };
    file.addBinding(own.scope, name, line, { type, value });
  });
  const body = node.childForFieldName('body');
  if (body?.type === 'block') file.read.statements(file, body.namedChildren, inside);
  else if (body) own.returns.push(expression(file, body, inside));
  return { kind: 'definition', definition };
}

const plain: Parameter = { name: '', type: null, default: null, rest: false, optional: false };

/** The parameters that a method, constructor, record or lambda declares. */
export function parametersOf(file: JavaFile, list: Node, scope: number): Parameter[] {
  const parameters: Parameter[] = [];
  for (const node of list.namedChildren) {
    if (node.type === 'formal_parameter') {
      const name = node.childForFieldName('name');
      const type = declaredType(file, node.childForFieldName('type'), scope, node.childForFieldName('dimensions'));
      parameters.push({ ...plain, name: name ? file.text(name) : '', type });
    } else if (node.type === 'spread_parameter') {
      const name = node.namedChildren.at(-1)?.childForFieldName('name');
      const type = node.namedChildren.find((child) => isCode(child) && child.type !== 'modifiers');
      const element = type ? typeOf(file, type, scope) : null;
      parameters.push({
        ...plain,
        name: name ? file.text(name) : '',
        type: element && arrayOf(element, 1),
        rest: true,
      });
    }
  }
  return parameters;
}

function methodReference(file: JavaFile, node: Node, place: Place): Expr {
  const [first, ...rest] = node.namedChildren.filter(isCode);
  if (!first) return unknown;
  const last = rest.at(-1);
  const isType = first.type.endsWith('_type') || first.type.endsWith('type_identifier');
  const object = isType ? className(file, first, place) : expression(file, first, place);
  // `Type::new` is the class itself: calling it makes an instance.
  if (last?.type !== 'identifier') return first.type === 'array_type' ? unknown : object;
  return { kind: 'member', object, name: method(file.text(last)) };
}
