import { typeOf } from './values.ts';
import { inside } from './syntax.ts';
import type { Expression } from './syntax.ts';

/** An expression in short, for EXPLAIN. */
export function written(expression: Expression): string {
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression;
      return typeof value === 'string'
        ? JSON.stringify(value)
        : value === null
          ? 'null'
          : typeof value === 'object'
            ? typeOf(value)
            : String(value);
    }
    case 'parameter':
      return `$${expression.name}`;
    case 'variable':
      return expression.name;
    case 'slot':
      return '_';
    case 'property':
      return `${written(expression.of)}.${expression.name}`;
    case 'hasLabels':
      return `${written(expression.of)}:${expression.labels.join(':')}`;
    case 'unary':
      return `${expression.operator} ${written(expression.of)}`;
    case 'binary':
      return `${written(expression.left)} ${expression.operator} ${written(expression.right)}`;
    case 'comparison':
      return [
        written(expression.first),
        ...expression.rest.map(({ operator, right }) => `${operator} ${written(right)}`),
      ].join(' ');
    case 'isNull':
      return `${written(expression.of)} IS ${expression.negated ? 'NOT ' : ''}NULL`;
    case 'countAll':
      return 'count(*)';
    case 'exists':
    case 'patternComprehension':
      return 'a pattern';
    case 'list':
      return `[${inside(expression).map(written).join(', ')}]`;
    default:
      return `${expression.kind === 'call' ? expression.name : expression.kind}(${inside(expression).map(written).join(', ')})`;
  }
}
