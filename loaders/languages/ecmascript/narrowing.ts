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

interface Test {
  name: Node;
  value: Expr;
}

function tests(file: EcmascriptFile, condition: Node, place: Place): Test[] {
  return operandsOf(condition).flatMap((one) => testIn(file, one, place) ?? []);
}

/** All that has to hold for it to hold, `a && b`, in their order: by a loop, as they may be thousands. */
function operandsOf(condition: Node): Node[] {
  const operands: Node[] = [];
  /** The next one last. */
  const waiting = [condition];
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (one.type === 'parenthesized_expression') waiting.push(...one.namedChildren.toReversed());
    else if (one.type === 'binary_expression' && one.childForFieldName('operator')?.text === '&&')
      waiting.push(...[one.childForFieldName('right'), one.childForFieldName('left')].filter((side) => side !== null));
    else operands.push(one);
  }
  return operands;
}

function testIn(file: EcmascriptFile, condition: Node, place: Place): Test | null {
  if (condition.type === 'call_expression' && !file.isJavascript) {
    const test = condition.childForFieldName('function');
    const name = condition.childForFieldName('arguments')?.namedChildren[0];
    const callee = test && name?.type === 'identifier' ? plainExpr(test, place) : null;
    if (!callee || !name) return null;
    return { name, value: { kind: 'tested', test: callee, value: nameExpr(file, name.text, place) } };
  }
  if (condition.type !== 'binary_expression') return null;
  const name = condition.childForFieldName('left');
  const right = condition.childForFieldName('right');
  if (!right || name?.type !== 'identifier') return null;
  const isTest = condition.childForFieldName('operator')?.text === 'instanceof';
  const callee = isTest ? plainExpr(right, place) : null;
  return callee && { name, value: { kind: 'call', callee, args: [], isNew: true } };
}
