import type { Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { lineOf } from './syntax.ts';
import { instanceOf } from './types.ts';
import type { Walk } from './walk.ts';

/** What a condition that is true (or false) tells of names: `isinstance(x, A)`, `not …`, `… and …`. */
export function narrow(walk: Walk, condition: Node, holds: boolean): void {
  for (const { name, type, isRefused } of told(walk, condition, holds)) {
    if (!isRefused) narrowTo(walk, name, type, lineOf(condition));
    else {
      const { flow } = walk.frame;
      const value: Expr = { kind: 'without', value: { kind: 'name', name, scope: flow.current }, type };
      flow.narrow({ name, definition: -1, import: -1, value, type: null, line: lineOf(condition) });
    }
  }
}

/** What a condition tells of a name: an instance of this type, or none. */
interface Told {
  name: string;
  type: TypeExpr;
  isRefused: boolean;
}

/** Makes a name an instance of this type from here on. */
export function narrowTo(walk: Walk, name: string, type: TypeExpr, line: number): void {
  walk.frame.flow.narrow({ name, definition: -1, import: -1, value: { kind: 'typed', type }, type: null, line });
}

function told(walk: Walk, node: Node, holds: boolean): Told[] {
  switch (node.type) {
    case 'parenthesized_expression':
      return node.namedChildren[0] ? told(walk, node.namedChildren[0], holds) : [];
    case 'not_operator':
      return node.namedChildren[0] ? told(walk, node.namedChildren[0], !holds) : [];
    case 'boolean_operator': {
      const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
      if (!left || !right) return [];
      const [first, second] = [told(walk, left, holds), told(walk, right, holds)];
      if ((node.childForFieldName('operator')?.type === 'and') === holds) return [...first, ...second];
      // One of both: known only where both speak of the same name.
      return first.flatMap(({ name, type, isRefused }) => {
        const other = second.find((one) => one.name === name && !one.isRefused);
        return other && !isRefused ? [{ name, type: { kind: 'union', options: [type, other.type] }, isRefused }] : [];
      });
    }
    case 'call': {
      if (node.childForFieldName('function')?.text !== 'isinstance') return [];
      const [subject, classes] = node.childForFieldName('arguments')?.namedChildren ?? [];
      const type = subject?.type === 'identifier' && classes ? instanceOf(walk, classes) : null;
      return subject && type ? [{ name: subject.text, type, isRefused: !holds }] : [];
    }
    default:
      return [];
  }
}
