import type { Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { readSignature } from './declarations.ts';
import { type Frame, type GoFile } from './file.ts';
import { unknown } from '../reading/facts-builder.ts';
import { typeArguments, typeOf } from './types.ts';

/** Reads one kind of expression. */
type Reader = (file: GoFile, node: Node, frame: Frame) => Expr;

const typeInPlace: Reader = (file, node, frame) => ({ kind: 'typed', type: typeOf(file, node, frame) });

/** By node type; fields are taken by their place. */
const readers: Readonly<Record<string, Reader>> = {
  identifier: asValue,
  selector_expression(file, node, frame) {
    const name = file.text(node.namedChildren.at(-1) ?? node);
    return { kind: 'member', object: operand(file, node.namedChildren[0], frame), name };
  },
  parenthesized_expression(file, node, frame) {
    const values = node.namedChildren.map((child) => expression(file, child, frame));
    return values.find(({ kind }) => kind !== 'unknown') ?? unknown;
  },
  unary_expression(file, node, frame) {
    const value = operand(file, node.namedChildren[0], frame);
    return file.source.startsWith('<-', node.startIndex) ? { kind: 'index', object: value } : value;
  },
  binary_expression: operation,
  index_expression(file, node, frame) {
    const object = operand(file, node.namedChildren[0], frame);
    operand(file, node.namedChildren.at(-1), frame);
    return { kind: 'index', object };
  },
  slice_expression(file, node, frame) {
    const [object] = node.namedChildren.map((child) => expression(file, child, frame));
    return object ?? unknown;
  },
  type_assertion_expression(file, node, frame) {
    operand(file, node.namedChildren[0], frame);
    const type = node.namedChildren.at(-1);
    return type ? typeInPlace(file, type, frame) : unknown;
  },
  type_conversion_expression: conversion,
  type_instantiation_expression: asValue,
  composite_literal(file, node, frame) {
    const [type] = node.namedChildren;
    const value = type ? typeInPlace(file, type, frame) : unknown;
    operand(file, node.namedChildren.at(-1), frame);
    return value;
  },
  literal_value(file, node, frame) {
    readLiteral(file, node, frame);
    return unknown;
  },
  func_literal: functionLiteral,
  call_expression: call,
  slice_type: typeInPlace,
  array_type: typeInPlace,
  map_type: typeInPlace,
  channel_type: typeInPlace,
  pointer_type: typeInPlace,
  generic_type: typeInPlace,
  qualified_type: typeInPlace,
  type_identifier: typeInPlace,
  struct_type: typeInPlace,
  interface_type: typeInPlace,
  function_type: typeInPlace,
};

/** What an expression stands for; the calls in it become facts. */
export function expression(file: GoFile, node: Node, frame: Frame): Expr {
  const reader = readers[node.type];
  if (reader) return reader(file, node, frame);
  for (const child of node.namedChildren) file.read.statement(file, child, frame);
  return unknown;
}

/** An expression that may be missing. */
function operand(file: GoFile, node: Node | undefined, frame: Frame): Expr {
  return node ? expression(file, node, frame) : unknown;
}

/** `a, b` as values. */
export function expressions(file: GoFile, list: Node, frame: Frame): Expr[] {
  const nodes = list.type === 'expression_list' ? list.namedChildren.filter(({ type }) => type !== 'comment') : [list];
  return nodes.map((node) => expression(file, node, frame));
}

/** A name as a value, also where the parser took it for a type: `routes[c.method]` looks like `List[time.Time]`. */
function asValue(file: GoFile, node: Node, frame: Frame): Expr {
  switch (node.type) {
    case 'generic_type':
    case 'type_instantiation_expression':
      return { kind: 'index', object: node.namedChildren[0] ? asValue(file, node.namedChildren[0], frame) : unknown };
    case 'identifier':
    case 'type_identifier':
    case 'qualified_type': {
      const [first = '', second] = file.text(node).replace(/\s/g, '').split('.');
      frame.used.add(first);
      const name: Expr = { kind: 'name', name: first, scope: frame.scope };
      return second === undefined ? name : { kind: 'member', object: name, name: second };
    }
    default:
      return expression(file, node, frame);
  }
}

/** Comparisons and logic give booleans, arithmetic what it takes. A loop, as generated text is thousands of `+` long. */
function operation(file: GoFile, node: Node, frame: Frame): Expr {
  const operands: Node[] = [];
  let isCondition = false;
  let left = node;
  while (left.type === 'binary_expression') {
    const [first, last] = [left.namedChildren[0], left.namedChildren.at(-1)];
    if (!first || !last) break;
    const operator = file.source.slice(first.endIndex, last.startIndex).trim();
    isCondition ||= /^(?:==|!=|<=?|>=?|&&|\|\|)$/.test(operator);
    operands.push(last);
    left = first;
  }
  const values = [left, ...operands.toReversed()].map((operand) => expression(file, operand, frame));
  return isCondition ? unknown : (values.find(({ kind }) => kind !== 'unknown') ?? unknown);
}

/** Keys of a literal name fields, or are values of a map or array; a name alone is a field. */
function readLiteral(file: GoFile, body: Node, frame: Frame): void {
  const read = (element: Node | null | undefined) => element && expression(file, element, frame);
  for (const element of body.namedChildren) {
    if (element.type === 'keyed_element') {
      const key = element.namedChildren[0]?.namedChildren[0];
      if (key?.type !== 'identifier') read(key);
      read(element.namedChildren.at(-1)?.namedChildren[0]);
    } else {
      read(element.type === 'literal_element' ? element.namedChildren[0] : element);
    }
  }
}

function functionLiteral(file: GoFile, node: Node, outer: Frame): Expr {
  const [definition, index] = file.define({ kind: 'function', name: '' }, node, outer);
  const body = node.childForFieldName('body');
  const frame = file.enter(index, outer);
  definition.scope = frame.scope;
  readSignature(file, node, definition, frame, outer);
  if (body) file.read.statements(file, body, frame);
  for (const name of frame.used) outer.used.add(name);
  return { kind: 'definition', definition: index };
}

function call(file: GoFile, node: Node, frame: Frame): Expr {
  const [target, ...rest] = node.namedChildren;
  if (!target) return unknown;
  const given = rest.find(({ type }) => type === 'argument_list');
  const list = (given?.namedChildren ?? []).filter(({ type }) => type !== 'comment');
  const args = list.map((arg) =>
    expression(file, arg.type === 'variadic_argument' ? (arg.namedChildren[0] ?? arg) : arg, frame),
  );
  const first = list[0];
  if (first && target.type === 'identifier' && ['new', 'make'].includes(file.text(target))) {
    const type = typeOf(file, first, frame);
    return type.kind === 'unknown' ? (args[0] ?? unknown) : { kind: 'typed', type };
  }
  const callee = expression(file, target, frame);
  const types = typeArguments(file, rest.find(({ type }) => type === 'type_arguments') ?? null, frame);
  if (types.length > 0) return addCall(file, node, ofTypes(file, callee), args, types, frame);
  if (target.type === 'index_expression') types.push(...typeInIndex(file, target, frame));
  return addCall(file, node, callee.kind === 'index' ? ofTypes(file, callee.object) : callee, args, types, frame);
}

/** `T(x)` where the parser sees a type; `max[int](x)` and `handlers[i](x)` look the same to it as `List[int](x)`. */
function conversion(file: GoFile, node: Node, frame: Frame): Expr {
  const type = node.childForFieldName('type');
  const operand = node.childForFieldName('operand');
  const args = operand ? [expression(file, operand, frame)] : [];
  if (type?.type !== 'generic_type') return type ? { kind: 'typed', type: typeOf(file, type, frame) } : unknown;
  const types = typeArguments(file, type.childForFieldName('type_arguments'), frame);
  const callee = asValue(file, type, frame);
  return addCall(file, node, callee.kind === 'index' ? ofTypes(file, callee.object) : callee, args, types, frame);
}

function addCall(file: GoFile, node: Node, callee: Expr, args: Expr[], types: TypeExpr[], frame: Frame): Expr {
  const { owner: caller, scope } = frame;
  const given = types.length > 0 ? { types } : {};
  const written = node.childForFieldName('arguments')?.namedChildren ?? [];
  const spreads = written.some(({ type }) => type === 'variadic_argument') ? { spreads: true as const } : {};
  return {
    kind: 'result',
    call: file.addCall({ callee, args, ...given, ...spreads, isNew: false, caller, scope, line: file.line(node) }),
  };
}

/** `make[User]()` looks like `handlers[i]()` to the parser. */
function typeInIndex(file: GoFile, node: Node, frame: Frame): TypeExpr[] {
  const index = node.childForFieldName('index');
  const inner = index?.type === 'unary_expression' ? index.childForFieldName('operand') : index;
  const type = inner ? typeOf(file, inner, frame) : unknown;
  return type.kind === 'unknown' ? [] : [type];
}

/** What `make[User](x)` or `handlers[i](x)` calls: of another package, as in `errors.AsType[T](x)`, more likely the first. */
function ofTypes({ facts }: GoFile, object: Expr): Expr {
  const owner = object.kind === 'member' ? object.object : null;
  const isOfPackage = owner?.kind === 'name' && facts.imports.some(({ local }) => local === owner.name);
  return isOfPackage ? object : { kind: 'index', object };
}
