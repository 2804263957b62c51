import type { Call, Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import type { EcmascriptFile, Place } from './file.ts';
import { typeExpr, typePlace } from './types.ts';
import { wellKnown } from './well-known.ts';

/** `f(x)`, also `require('./x')` and `import('./x')`. */
export function callExpression(file: EcmascriptFile, node: Node, place: Place, expected: Expr | null): Expr {
  const callee = node.childForFieldName('function');
  if (!callee) return unknown;
  const first = node.childForFieldName('arguments')?.namedChildren[0];
  const isLoad = callee.type === 'import' || (callee.type === 'identifier' && callee.text === 'require');
  if (isLoad && first?.type === 'string') {
    return { kind: 'import', import: file.addImport({ module: first.text.slice(1, -1), name: '*' }, file.line(node)) };
  }
  const target = file.expression(callee, place, null);
  if (callee.type === 'super') return call(file, node, target, true, place);
  const result = call(file, node, target, false, place, expected);
  return wellKnown(file, { node, callee, target, call: result.call, place }) ?? result;
}

/** `new C(x)`. */
export function newExpression(file: EcmascriptFile, node: Node, place: Place, expected: Expr | null): Expr {
  const callee = node.childForFieldName('constructor');
  if (!callee) return unknown;
  const made = call(file, node, file.expression(callee, place, null), true, place, expected);
  return container(callee.text, file.callOf(made)?.types ?? []) ?? made;
}

/** Notes a call and what its arguments are. */
function call(
  file: EcmascriptFile,
  node: Node,
  callee: Expr,
  isNew: boolean,
  place: Place,
  expected: Expr | null = null,
): Extract<Expr, { kind: 'result' }> {
  const args: Expr[] = [];
  const noted: Call = { callee, args, isNew, caller: place.owner, scope: place.scope, line: file.line(node) };
  const index = file.addCall(noted);
  const types = node.childForFieldName('type_arguments')?.namedChildren ?? [];
  if (types.length > 0) noted.types = types.map((type) => typeExpr(file, type, typePlace(place)));
  if (expected?.kind === 'typed') noted.expected = expected.type;
  const list = node.childForFieldName('arguments');
  if (list?.type === 'template_string') file.visitAll(list, place);
  else {
    for (const child of list?.namedChildren ?? []) {
      if (child.type === 'comment') continue;
      if (child.type === 'spread_element') noted.spreads = true;
      args.push(file.expression(child, place, { kind: 'argument', call: index, index: args.length }));
    }
  }
  return { kind: 'result', call: index };
}

/** The language's own containers, also without type arguments. */
function container(name: string, types: readonly TypeExpr[]): Expr | null {
  const [first = unknown, second = unknown] = types;
  if (name === 'Map' || name === 'WeakMap') return { kind: 'typed', type: { kind: 'map', key: first, value: second } };
  if (name === 'Set' || name === 'WeakSet' || name === 'Array') {
    return { kind: 'typed', type: { kind: 'array', element: first } };
  }
  return null;
}
