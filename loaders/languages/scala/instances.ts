import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr, TypeExpr } from '../../facts/fact.ts';
import { named, partsOf, type Place, type SourceFile } from '../reading/source-file.ts';
import { readClass, readMembers } from './declarations.ts';
import { typeOf } from './types.ts';

/** `new A(x)` and `new A(x) { … }`. */
export function instance(file: SourceFile, node: Node, place: Place): Expr {
  const parts = partsOf(node);
  const type = typeOf(file, typeNodeOf(node), place);
  const args = parts.find((part) => part.type === 'arguments');
  if (parts.some((part) => part.type === 'template_body')) return anonymous(file, node, [type], [args], place);
  if (type.kind !== 'reference') {
    file.readAll(args, place);
    return { kind: 'typed', type };
  }
  const [first = '', ...rest] = type.name.split('.');
  const start: Expr = { kind: 'name', name: first, scope: type.scope, isType: true };
  const callee = rest.reduce<Expr>((object, name) => ({ kind: 'member', object, name }), start);
  const more = type.args.length > 0 ? { types: type.args } : {};
  return file.call(place, node, callee, partsOf(args), { isNew: true, ...more });
}

/** `new A(x)(y)`, and `new A(x)(y) { … }`: all lists of arguments are the constructor's; null for any other call. */
export function curriedInstance(file: SourceFile, node: Node, place: Place): Expr | null {
  const { made, lists } = curried(node);
  if (!made || lists.length === 0) return null;
  const body = lists.find(({ type }) => type === 'block');
  const others = lists.filter((list) => list !== body);
  if (!body) {
    const value = file.read(made, place);
    for (const list of others) file.readAll(list, place);
    return value;
  }
  const args = partsOf(made).find(({ type }) => type === 'arguments');
  return anonymous(file, node, [typeOf(file, typeNodeOf(made), place)], [args, ...others], place, body);
}

/** `new A(x) with B { … }`, which the grammar takes for an operator; null for any other. */
export function mixed(file: SourceFile, node: Node, place: Place): Expr | null {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  const { made, lists } = left ? curried(left) : { made: null, lists: [] };
  if (!made || !right) return null;
  const args = partsOf(made).find(({ type }) => type === 'arguments');
  const body = right.type === 'call_expression' ? right.childForFieldName('arguments') : null;
  const trait = right.type === 'call_expression' ? right.childForFieldName('function') : right;
  const types = [typeOf(file, typeNodeOf(made), place), appliedType(file, trait, place)];
  return anonymous(file, node, types, [args, ...lists], place, body);
}

function typeNodeOf(node: Node): Node | undefined {
  return partsOf(node).find(({ type }) => /type/.test(type) || type === 'identifier');
}

/** The instance that a chain of calls begins with, and the further lists of arguments. */
function curried(node: Node): { made: Node | null; lists: Node[] } {
  const lists: Node[] = [];
  let at: Node | null = node;
  while (at?.type === 'call_expression') {
    const list = at.childForFieldName('arguments');
    if (list) lists.unshift(list);
    at = at.childForFieldName('function');
  }
  return { made: at?.type === 'instance_expression' ? at : null, lists };
}

/** A type that was read as an expression: `B[T]`. */
function appliedType(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr {
  if (node?.type !== 'generic_function') return named(file.text(node), place);
  const args = partsOf(node.childForFieldName('type_arguments')).map((part) => typeOf(file, part, place));
  return named(file.text(node.childForFieldName('function')), place, args);
}

/** A class that is written in place. */
function anonymous(
  file: SourceFile,
  node: Node,
  types: readonly TypeExpr[],
  lists: readonly (Node | undefined)[],
  place: Place,
  body?: Node | null,
): Expr {
  const definition = file.define({ kind: 'class', name: '' }, node, place);
  readClass(file, node, definition, place);
  // Its head is none of a class.
  file.definition(definition).bases = types.map((type, index) => ({
    expr: { kind: 'typed', type },
    line: file.line(node),
    how: index === 0 ? 'extends' : 'implements',
  }));
  if (body)
    readMembers(file, body, { ...place, scope: file.definition(definition).scope, definition, type: definition });
  for (const list of lists) file.readAll(list, place);
  return { kind: 'typed', type: { kind: 'definition', definition } };
}
