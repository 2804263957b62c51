import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import type { EcmascriptFile, Place } from './file.ts';
import { nameExpr, plainExpr } from './values.ts';

/** Where `x instanceof C` holds `x` is a `C`, and where `isC(x)` does it is what that predicate says. */
export function narrowed(file: EcmascriptFile, condition: Node | null, place: Place): Place {
  const found = condition ? tests(file, condition, place) : [];
  if (found.length === 0) return place;
  const scope = file.addScope(place.scope);
  for (const { name, value } of found) file.addBinding(scope, name.text, file.line(name), { value });
  return { ...place, scope };
}

function tests(file: EcmascriptFile, condition: Node, place: Place): { name: Node; value: Expr }[] {
  if (condition.type === 'parenthesized_expression') {
    return condition.namedChildren.flatMap((inner) => tests(file, inner, place));
  }
  if (condition.type === 'call_expression' && !file.isJavascript) {
    const test = condition.childForFieldName('function');
    const name = condition.childForFieldName('arguments')?.namedChildren[0];
    const callee = test && name?.type === 'identifier' ? plainExpr(test, place) : null;
    if (!callee || !name) return [];
    return [{ name, value: { kind: 'tested', test: callee, value: nameExpr(file, name.text, place) } }];
  }
  if (condition.type !== 'binary_expression') return [];
  const left = condition.childForFieldName('left');
  const right = condition.childForFieldName('right');
  if (!left || !right) return [];
  const operator = condition.childForFieldName('operator')?.text;
  if (operator === '&&') return [...tests(file, left, place), ...tests(file, right, place)];
  const callee = operator === 'instanceof' && left.type === 'identifier' ? plainExpr(right, place) : null;
  return callee ? [{ name: left, value: { kind: 'call', callee, args: [], isNew: true } }] : [];
}
