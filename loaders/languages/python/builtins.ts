import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { annotationText } from './types.ts';
import { arrayOf, called, mapOf, native, oneOf } from './values.ts';
import { methodAround, type Walk } from './walk.ts';

/** Value of a call by its arguments; null where they tell nothing. */
type Builtin = (walk: Walk, args: readonly Expr[], nodes: readonly Node[]) => Expr | null;

const emptyArray: Builtin = (_, [first]) => (first ? null : arrayOf([]));

const emptyMap: Builtin = (_, [first]) => (first ? null : mapOf([]));

const same: Builtin = (_, [first]) => first ?? null;

const stepOf =
  (member: string): Builtin =>
  (_, [first]) =>
    first ? called({ kind: 'member', object: first, name: member }) : null;

/** What modules of the standard library give: found by name or as a member, `functools.partial`. */
const ofModules = new Map<string, Builtin>(
  Object.entries<Builtin>({
    cast(walk, [, second], [node]) {
      if (!node || !second) return null;
      const { type } = annotationText(walk, node.text);
      return type ? { kind: 'typed', type } : second;
    },
    partial: same,
    deque: emptyArray,
    OrderedDict: emptyMap,
    defaultdict: (_, [first]) => mapOf(first ? [called(first)] : []),
  }),
);

/** What is there without an import: found by name alone. */
const ofLanguage = new Map<string, Builtin>(
  Object.entries<Builtin>({
    super: (walk) => ({ kind: 'super', definition: methodAround(walk) }),
    getattr(_, [first, , third], nodes) {
      const attribute = nodes[1]?.type === 'string' && /^["'](\w+)["']$/.exec(nodes[1].text)?.[1];
      if (!first || !attribute) return null;
      const member: Expr = { kind: 'member', object: first, name: attribute };
      return third ? oneOf([member, third]) : member;
    },
    type: (_, [first, second]) => (first && !second ? { kind: 'member', object: first, name: '__class__' } : null),
    list: emptyArray,
    set: emptyArray,
    dict: emptyMap,
    next: stepOf('__next__'),
    iter: stepOf('__iter__'),
    staticmethod: same,
    classmethod: same,
    property: (_, [first]) => (first ? called(first) : null),
    enumerate: (_, [first]) => (first ? pairs([native('int'), { kind: 'iterate', object: first }]) : null),
    zip: (_, args) => pairs(args.map((object) => ({ kind: 'iterate', object }))),
  }),
);

/** Value of a call of the language's own functions that only the arguments tell; null for any other call. */
export function builtin(walk: Walk, callee: Expr, args: readonly Expr[], nodes: readonly Node[]): Expr | null {
  if (callee.kind !== 'name' && callee.kind !== 'member') return null;
  const { name } = callee;
  if (walk.own.has(name)) return null;
  const known = ofModules.get(name) ?? (callee.kind === 'name' ? ofLanguage.get(name) : undefined);
  return known?.(walk, args, nodes) ?? null;
}

function pairs(elements: Expr[]): Expr {
  return arrayOf([{ kind: 'tuple', elements }]);
}
