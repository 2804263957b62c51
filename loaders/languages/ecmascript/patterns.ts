import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import type { EcmascriptFile, Place } from './file.ts';
import { memberName } from './types.ts';
import { either, memberExpr } from './values.ts';

/** Takes one name of a pattern with what it is given. */
type Found = (name: Node, value: Expr) => void;

/** Reads one kind of pattern: what its names are given of `value`. */
type PatternReader = (file: EcmascriptFile, pattern: Node, value: Expr, place: Place, found: Found) => void;

/** Binds every name of a pattern in the scope of `target`; gives the names. */
export function bindPattern(file: EcmascriptFile, pattern: Node, value: Expr, target: Place, place: Place): string[] {
  const names: string[] = [];
  eachName(file, pattern, value, place, (name, expr) => {
    if (name.type === 'member_expression' || name.type === 'subscript_expression') return;
    names.push(name.text);
    file.addBinding(target.scope, name.text, file.line(name), { value: expr.kind === 'unknown' ? null : expr });
  });
  return names;
}

/** Every name of a pattern with what it is given. */
export const eachName: PatternReader = (file, pattern, value, place, found) => {
  readers[pattern.type]?.(file, pattern, value, place, found);
};

const itself: PatternReader = (_, pattern, value, __, found) => found(pattern, value);

const inner: PatternReader = (file, pattern, value, place, found) => {
  const [first] = pattern.namedChildren;
  if (first) eachName(file, first, value, place, found);
};

const readers: Readonly<Record<string, PatternReader>> = {
  object_pattern: objectPattern,
  array_pattern: arrayPattern,
  assignment_pattern(file, pattern, value, place, found) {
    const left = pattern.childForFieldName('left');
    const right = pattern.childForFieldName('right');
    const initial = right ? file.expression(right, place, value.kind === 'unknown' ? null : value) : unknown;
    if (left) eachName(file, left, either([value, initial], true), place, found);
  },
  identifier: itself,
  shorthand_property_identifier_pattern: itself,
  member_expression: itself,
  subscript_expression: itself,
  rest_pattern: inner,
  non_null_expression: inner,
  parenthesized_expression: inner,
};

function objectPattern(file: EcmascriptFile, pattern: Node, value: Expr, place: Place, found: Found): void {
  for (const child of pattern.namedChildren) {
    if (child.type === 'pair_pattern') {
      const key = child.childForFieldName('key');
      const part = child.childForFieldName('value');
      if (key && part) eachName(file, part, memberExpr(value, memberName(key)), place, found);
    } else if (child.type === 'rest_pattern') {
      inner(file, child, value, place, found);
    } else if (child.type === 'object_assignment_pattern') {
      const left = child.childForFieldName('left');
      const right = child.childForFieldName('right');
      const initial = right ? file.expression(right, place, null) : unknown;
      if (left) eachName(file, left, either([memberExpr(value, left.text), initial], true), place, found);
    } else if (child.type === 'shorthand_property_identifier_pattern') {
      found(child, memberExpr(value, child.text));
    }
  }
}

function arrayPattern(file: EcmascriptFile, pattern: Node, value: Expr, place: Place, found: Found): void {
  let at = 0;
  for (const child of pattern.children) {
    if (child.type === ',') at++;
    else if (child.type === 'rest_pattern') inner(file, child, value, place, found);
    else if (child.isNamed && child.type !== 'comment') {
      eachName(file, child, value.kind === 'unknown' ? value : { kind: 'index', object: value, at }, place, found);
    }
  }
}
