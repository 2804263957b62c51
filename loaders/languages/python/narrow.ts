import type { TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { lineOf } from './syntax.ts';
import { instanceOf } from './types.ts';
import type { Walk } from './walk.ts';

/** What a condition that is true (or false) tells of names: `isinstance(x, A)`, `not …`, `… and …`. */
export function narrow(walk: Walk, condition: Node, holds: boolean): void {
  for (const { name, type } of told(walk, condition, holds)) narrowTo(walk, name, type, lineOf(condition));
}

/** Makes a name an instance of this type from here on. */
export function narrowTo(walk: Walk, name: string, type: TypeExpr, line: number): void {
  walk.frame.flow.narrow({ name, definition: -1, import: -1, value: { kind: 'typed', type }, type: null, line });
}

function told(walk: Walk, node: Node, holds: boolean): { name: string; type: TypeExpr }[] {
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
      return first.flatMap(({ name, type }) => {
        const other = second.find((one) => one.name === name);
        return other ? [{ name, type: { kind: 'union', options: [type, other.type] } }] : [];
      });
    }
    case 'call': {
      if (!holds || node.childForFieldName('function')?.text !== 'isinstance') return [];
      const [subject, classes] = node.childForFieldName('arguments')?.namedChildren ?? [];
      const type = subject?.type === 'identifier' && classes ? instanceOf(walk, classes) : null;
      return subject && type ? [{ name: subject.text, type }] : [];
    }
    default:
      return [];
  }
}
