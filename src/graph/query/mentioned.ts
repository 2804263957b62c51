import { namesIn } from './scope.ts';
import { inside } from './syntax.ts';
import type { Expression, Pattern } from './syntax.ts';

/** The names of all variables that an expression says, those of its own lists and patterns too. */
export function mentioned(expression: Expression, names = new Set<string>()): Set<string> {
  if (expression.kind === 'variable') names.add(expression.name);
  for (const each of inside(expression)) mentioned(each, names);
  if (expression.kind === 'exists' || expression.kind === 'patternComprehension') {
    const patterns = expression.kind === 'exists' ? expression.patterns : [expression.pattern];
    for (const name of namesIn(patterns)) names.add(name);
    const result = expression.kind === 'exists' ? null : expression.result;
    for (const each of [...patterns.flatMap(propertiesIn), expression.where, result]) if (each) mentioned(each, names);
  }
  return names;
}

/** The expressions that stand in patterns. */
function propertiesIn({ nodes, edges }: Pattern): Expression[] {
  return [...nodes, ...edges].flatMap(({ properties }) => properties ?? []);
}
