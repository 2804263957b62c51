import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { annotationText } from './types.ts';
import { arrayOf, called, mapOf, native, oneOf } from './values.ts';
import { methodAround, type Walk } from './walk.ts';

/** Value of a call of the language's own functions that only the arguments tell; null for any other call. */
export function builtin(walk: Walk, callee: Expr, args: readonly Expr[], nodes: readonly Node[]): Expr | null {
  if (callee.kind !== 'name' && callee.kind !== 'member') return null;
  const { name } = callee;
  if (walk.own.has(name)) return null;
  const [first, second, third] = args;
  switch (name) {
    case 'cast': {
      if (!nodes[0] || !second) return null;
      const { type } = annotationText(walk, nodes[0].text);
      return type ? { kind: 'typed', type } : second;
    }
    case 'partial':
      return first ?? null;
    case 'deque':
      return first ? null : arrayOf([]);
    case 'OrderedDict':
      return first ? null : mapOf([]);
    case 'defaultdict':
      return mapOf(first ? [called(first)] : []);
    default:
  }
  if (callee.kind === 'member') return null;
  switch (name) {
    case 'super':
      return { kind: 'super', definition: methodAround(walk) };
    case 'getattr': {
      const attribute = nodes[1]?.type === 'string' && /^["'](\w+)["']$/.exec(nodes[1].text)?.[1];
      if (!first || !attribute) return null;
      const member: Expr = { kind: 'member', object: first, name: attribute };
      return third ? oneOf([member, third]) : member;
    }
    case 'type':
      return first && !second ? { kind: 'member', object: first, name: '__class__' } : null;
    case 'list':
    case 'set':
      return first ? null : arrayOf([]);
    case 'dict':
      return first ? null : mapOf([]);
    case 'next':
    case 'iter':
      return first ? called({ kind: 'member', object: first, name: `__${name}__` }) : null;
    case 'staticmethod':
    case 'classmethod':
      return first ?? null;
    case 'property':
      return first ? called(first) : null;
    case 'enumerate':
      return first ? pairs([native('int'), { kind: 'iterate', object: first }]) : null;
    case 'zip':
      return pairs(args.map((object) => ({ kind: 'iterate', object })));
    default:
      return null;
  }
}

function pairs(elements: Expr[]): Expr {
  return arrayOf([{ kind: 'tuple', elements }]);
}
