import type { Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import type { EcmascriptFile, Naming, Place } from './file.ts';
import { statedType } from './jsdoc.ts';
import { eachName } from './patterns.ts';

/** `target = value` and `target ??= value`; an assignment is what is assigned. */
export function assignment(file: EcmascriptFile, node: Node, place: Place): Expr {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  if (!left || !right) return unknown;
  const naming = nameOfTarget(left);
  if (isMember(left)) {
    const target = left.childForFieldName('object') ? file.expression(left, place, null) : unknown;
    // What the target is known to be tells what a function given to it expects.
    const value = file.expression(right, place, target.kind === 'unknown' ? null : target, naming);
    store(file, left, target, value, place, statedType(file, node, place));
    return value;
  }
  const value = file.expression(right, place, null, naming);
  const operator = node.childForFieldName('operator')?.text ?? '';
  if (node.type === 'assignment_expression' || /^(?:\|\||&&|\?\?)=$/u.test(operator)) {
    assignPattern(file, left, value, place);
  }
  return value;
}

/** Gives every name or member of a pattern its part of a value. */
export function assignPattern(file: EcmascriptFile, pattern: Node, value: Expr, place: Place): void {
  eachName(file, pattern, value, place, (name, expr) => {
    if (isMember(name)) store(file, name, file.expression(name, place, null), expr, place);
    else {
      file.assign({
        target: unknown,
        name: name.text,
        definition: -1,
        value: expr,
        scope: place.scope,
        isStatic: false,
        line: file.line(name),
      });
    }
  });
}

function isMember({ type }: Node): boolean {
  return type === 'member_expression' || type === 'subscript_expression';
}

function nameOfTarget(left: Node): Naming | null {
  if (left.type === 'identifier') return { name: left.text, node: left };
  if (left.type === 'member_expression') {
    const property = left.childForFieldName('property');
    return property ? { name: property.text, node: property } : null;
  }
  if (left.type === 'subscript_expression') {
    const index = left.childForFieldName('index');
    return { name: index?.type === 'string' ? index.text.slice(1, -1) : left.text, node: left };
  }
  return null;
}

/** `object.name = value`. */
function store(
  file: EcmascriptFile,
  left: Node,
  stored: Expr,
  value: Expr,
  place: Place,
  type: TypeExpr | null = null,
): void {
  const target = stored.kind === 'union' ? (stored.options[0] ?? stored) : stored;
  const line = file.line(left.childForFieldName('property') ?? left.childForFieldName('index') ?? left);
  if (target.kind === 'module') {
    file.addExport('=', line, { value });
    return;
  }
  if (target.kind !== 'member' && target.kind !== 'call' && target.kind !== 'index') return;
  const definition = value.kind === 'definition' ? value.definition : -1;
  const object = target.kind === 'call' ? target.callee : target.object;
  const onPrototype = object.kind === 'call' && object.isNew;
  file.assign({
    target: onPrototype ? object.callee : object,
    name: target.kind === 'member' ? target.name : target.kind === 'index' ? '[]' : 'prototype',
    definition,
    value: type && definition < 0 ? { kind: 'typed', type } : value,
    scope: place.scope,
    isStatic: !onPrototype && object.kind !== 'self',
    line,
  });
}
