import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import type { EcmascriptFile, Narrowing, Place } from './file.ts';
import { hasToken, plainExpr } from './values.ts';

/**
 * The place where a condition holds, or does not: where `x instanceof C` holds `x` is a `C`, and where `isC(x)` does it is what
 * that predicate says; where they don't, it is none of these.
 */
export function narrowed(file: EcmascriptFile, condition: Node | null, place: Place, holds: boolean): Place {
  const found = condition ? tests(file, condition, place, holds) : [];
  return found.length === 0 ? place : { ...place, narrowed: [...place.narrowed, ...found] };
}

/** Statements one after another: what a test that leaves them says holds for the rest. */
export function visitStatements(file: EcmascriptFile, node: Node, place: Place): void {
  let current = place;
  for (const child of node.namedChildren) {
    file.visit(child, current);
    if (child.type !== 'if_statement' || child.childForFieldName('alternative')) continue;
    if (leaves(child.childForFieldName('consequence')))
      current = narrowed(file, child.childForFieldName('condition'), current, false);
  }
}

/** What the tests around say of a name or a chain of names; null where they say nothing. */
export function narrowedTo(file: EcmascriptFile, node: Node, place: Place): Expr | null {
  if (place.narrowed.length === 0) return null;
  const path = pathOf(node);
  const found = path && place.narrowed.findLast((each) => each.path === path.text);
  return found && !isHidden(file, path.root, found, place) ? found.value : null;
}

/** The place where nothing is known of what is assigned to. */
export function unnarrowed(target: Node, place: Place): Place {
  const path = place.narrowed.length > 0 ? pathOf(target) : null;
  return path ? { ...place, narrowed: place.narrowed.filter((each) => each.path !== path.text) } : place;
}

/** Something of that name was declared between the test and the place. */
function isHidden(file: EcmascriptFile, root: string, { scope, self }: Narrowing, place: Place): boolean {
  if (root === 'this') return self !== place.self;
  for (let index = place.scope; index >= 0 && index !== scope; index = file.facts.scopes[index]?.parent ?? -1)
    if (file.facts.scopes[index]?.bindings.some(({ name }) => name === root)) return true;
  return false;
}

function tests(file: EcmascriptFile, condition: Node, place: Place, holds: boolean): Narrowing[] {
  switch (condition.type) {
    case 'parenthesized_expression':
      return condition.namedChildren.flatMap((inner) => tests(file, inner, place, holds));
    case 'unary_expression': {
      const inner = condition.childForFieldName('argument');
      return inner && hasToken(condition, '!') ? tests(file, inner, place, !holds) : [];
    }
    case 'call_expression':
      return predicate(file, condition, place, holds);
    case 'binary_expression': {
      const [left, right] = [condition.childForFieldName('left'), condition.childForFieldName('right')];
      const operator = condition.childForFieldName('operator')?.text;
      if (!left || !right) return [];
      if (operator === 'instanceof') return instance(file, left, right, place, holds);
      if (operator !== (holds ? '&&' : '||')) return [];
      const first = tests(file, left, place, holds);
      return [...first, ...tests(file, right, { ...place, narrowed: [...place.narrowed, ...first] }, holds)];
    }
    default:
      return [];
  }
}

/** `isC(x)`. */
function predicate(file: EcmascriptFile, call: Node, place: Place, holds: boolean): Narrowing[] {
  if (file.isJavascript) return [];
  const callee = call.childForFieldName('function');
  const tested = call.childForFieldName('arguments')?.namedChildren[0];
  const test = callee && plainExpr(callee, place);
  if (!test || !tested) return [];
  return of(file, tested, place, (value) => ({ kind: 'tested', test, value, ...(!holds && { fails: true }) }));
}

/** `x instanceof C`. */
function instance(file: EcmascriptFile, left: Node, right: Node, place: Place, holds: boolean): Narrowing[] {
  const callee = plainExpr(right, place);
  // A function that is tested to be one is still the same.
  if (!callee || right.text === 'Function') return [];
  if (holds) return of(file, left, place, () => ({ kind: 'call', callee, args: [], isNew: true }));
  if (callee.kind !== 'name') return [];
  const { name, scope } = callee;
  return of(file, left, place, (value) => ({
    kind: 'without',
    value,
    type: { kind: 'reference', name, scope, args: [] },
  }));
}

function of(file: EcmascriptFile, node: Node, place: Place, narrow: (value: Expr) => Expr): Narrowing[] {
  const path = pathOf(node);
  if (!path) return [];
  const value = narrow(file.expression(node, place, null));
  return [{ path: path.text, value, scope: place.scope, self: place.self }];
}

/** A name or a chain of names, in one way of writing; nothing is called in it. */
function pathOf(node: Node): { text: string; root: string } | null {
  switch (node.type) {
    case 'identifier':
    case 'this':
      return { text: node.text, root: node.text };
    case 'non_null_expression':
      return node.namedChildren[0] ? pathOf(node.namedChildren[0]) : null;
    case 'member_expression':
    case 'subscript_expression': {
      const object = node.childForFieldName('object');
      const key = node.childForFieldName('property') ?? node.childForFieldName('index');
      const inner = object && pathOf(object);
      if (!inner || !key || !keys.has(key.type)) return null;
      return { text: `${inner.text}${key.type === 'property_identifier' ? '.' : '['}${key.text}`, root: inner.root };
    }
    default:
      return null;
  }
}

const keys: ReadonlySet<string> = new Set([
  'property_identifier',
  'private_property_identifier',
  'identifier',
  'number',
  'string',
]);

const leaving: ReadonlySet<string> = new Set([
  'return_statement',
  'throw_statement',
  'continue_statement',
  'break_statement',
]);

/** What stands behind it is not reached from it. */
function leaves(statement: Node | null): boolean {
  const last = statement?.type === 'statement_block' ? statement.namedChildren.at(-1) : statement;
  return last !== undefined && last !== null && leaving.has(last.type);
}
