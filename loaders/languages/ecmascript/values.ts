import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import { type EcmascriptFile, literal, type Place } from './file.ts';

/** A name, looked up where it stands. */
export function nameExpr(file: EcmascriptFile, name: string, place: Place): Expr {
  if (name === 'undefined') return unknown;
  const expr: Extract<Expr, { kind: 'name' }> = { kind: 'name', name, scope: place.scope };
  if (name === 'exports') file.exportsNames.push(expr);
  return expr;
}

export function memberExpr(object: Expr, name: string): Expr {
  return object.kind === 'unknown' ? unknown : { kind: 'member', object, name };
}

/** One of these; `first`: the first that is known. */
export function either(options: Expr[], first = false): Expr {
  const known = options.filter((option) => option.kind !== 'unknown' && option !== literal);
  if (known.length < 2) return known[0] ?? options[0] ?? unknown;
  return first ? { kind: 'union', options: known, first } : { kind: 'union', options: known };
}

/** A name or a chain of names, without walking into it. */
export function plainExpr(node: Node, place: Place): Expr | null {
  if (node.type === 'identifier') return { kind: 'name', name: node.text, scope: place.scope };
  if (node.type !== 'member_expression') return null;
  const object = node.childForFieldName('object');
  const inner = object && plainExpr(object, place);
  return inner ? { kind: 'member', object: inner, name: node.childForFieldName('property')?.text ?? '' } : null;
}

const plainTypes: ReadonlySet<string> = new Set(['string', 'number', 'true', 'false', 'null', 'undefined', 'regex']);

/** Data alone: nothing in it can be called. */
export function isPlain(node: Node | null): boolean {
  if (!node || plainTypes.has(node.type)) return true;
  switch (node.type) {
    case 'unary_expression':
      return isPlain(node.childForFieldName('argument'));
    case 'array':
      return node.namedChildren.every(isPlain);
    case 'object':
      return node.namedChildren.every((child) => child.type === 'pair' && isPlain(child.childForFieldName('value')));
    default:
      return false;
  }
}

/** A text without its quotes; any other name as it stands. */
export function unquoted(node: Node): string {
  return node.type === 'string' ? node.text.slice(1, -1) : node.text;
}

/** Whether a word or mark stands in a node itself: `static`, `async`, `*`. */
export function hasToken(node: Node, token: string): boolean {
  return node.children.some(({ type }) => type === token);
}
