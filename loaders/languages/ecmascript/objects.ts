import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import { type EcmascriptFile, literal, type Naming, type Place } from './file.ts';
import { defineFunction } from './functions.ts';
import { memberName } from './types.ts';
import { hasToken, isPlain } from './values.ts';

/** An object literal while it is read. */
interface ObjectLiteral {
  definition: number;
  /** Where it stands. */
  place: Place;
  /** What is asked for there. */
  expected: Expr | null;
  /** What `this` is in its methods. */
  self: Expr;
}

/** Reads one kind of an object's parts. */
type PartReader = (file: EcmascriptFile, node: Node, object: ObjectLiteral) => void;

const parts: Readonly<Record<string, PartReader>> = {
  method_definition(file, node, { definition, place, expected, self }) {
    const nameNode = node.childForFieldName('name');
    if (!nameNode) return;
    const name = memberName(nameNode);
    const naming = { name, node: nameNode };
    const role = { kind: 'method', naming, self, expected: memberOf(expected, name) } as const;
    const method = defineFunction(file, node, { ...place, owner: definition }, role);
    addMethod(file, node, method, definition, name);
  },
  pair(file, node, { definition, place, expected, self }) {
    const keyNode = node.childForFieldName('key');
    const valueNode = node.childForFieldName('value');
    if (!keyNode || !valueNode) return;
    if (keyNode.type === 'computed_property_name') file.visitAll(keyNode, place);
    const name = memberName(keyNode);
    const owner = { definition, place, expected: memberOf(expected, name), self };
    const value = propertyValue(file, valueNode, { name, node: keyNode }, owner);
    if (value.kind === 'definition' && file.definition(value.definition).kind !== 'object') {
      file.addMember(definition, name, { definition: value.definition });
    } else if (value.kind !== 'unknown' && value !== literal) file.addMember(definition, name, { value });
  },
  shorthand_property_identifier(file, node, { definition, place }) {
    const name = node.text;
    file.addMember(definition, name, { value: { kind: 'name', name, scope: place.scope } });
  },
  spread_element(file, node, { definition, place }) {
    const [inner] = node.namedChildren;
    const value = inner ? file.expression(inner, place, null) : unknown;
    if (value.kind === 'unknown') return;
    file.definition(definition).bases.push({ expr: value, line: file.line(node), how: 'embeds' });
  },
};

/** Pure data makes no definition, unless functions may be given to it later by its name. */
export function objectLiteral(
  file: EcmascriptFile,
  node: Node,
  place: Place,
  expected: Expr | null,
  isNamed: boolean,
): Expr {
  if (!isNamed && isPlain(node)) return { kind: 'map', values: [] };
  const definition = file.define('object', '', node, node, place.owner);
  // What the place asks for is what `this` is in its methods; where that says nothing it is the object itself.
  const own: Expr = { kind: 'self', definition };
  const self: Expr = expected ? { kind: 'union', options: [expected, own], first: true } : own;
  for (const child of node.namedChildren) parts[child.type]?.(file, child, { definition, place, expected, self });
  return { kind: 'definition', definition };
}

function memberOf(expected: Expr | null, name: string): Expr | null {
  return expected && { kind: 'member', object: expected, name };
}

/** The value of a property; a function given to it is its object's method: `this` in it is the object. */
export function propertyValue(file: EcmascriptFile, node: Node, naming: Naming, object: ObjectLiteral): Expr {
  const { place, expected, self } = object;
  if (node.type !== 'function_expression' && node.type !== 'generator_function' && node.type !== 'arrow_function') {
    return file.expression(node, place, expected, naming);
  }
  const ownName = node.childForFieldName('name');
  const definition = defineFunction(
    file,
    node,
    { ...place, owner: object.definition },
    { kind: 'method', naming: ownName ? { name: ownName.text, node: ownName } : naming, self, expected },
  );
  return { kind: 'definition', definition };
}

/** Makes a method a member; a setter is called by an assignment, never by its name. */
export function addMethod(file: EcmascriptFile, node: Node, method: number, owner: number, name: string): void {
  const isStatic = hasToken(node, 'static');
  Object.assign(file.definition(method), { isProperty: hasToken(node, 'get'), isStatic });
  if (!hasToken(node, 'set')) file.addMember(owner, name, { definition: method, isStatic });
}
