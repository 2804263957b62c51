import type { Expr, Parameter, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import type { EcmascriptFile, Place } from './file.ts';

/** Where a type is written. */
export interface TypePlace {
  scope: number;
  owner: number;
  /** The class whose `this` it is; -1 outside. */
  self: number;
}

/** Where a type in this place is written. */
export function typePlace({ scope, owner, self }: Place): TypePlace {
  return { scope, owner, self: self.kind === 'self' ? self.definition : -1 };
}

/** Types that give no member. */
export const saysNothing: ReadonlySet<string> = new Set([
  'any',
  'unknown',
  'object',
  'void',
  'never',
  'undefined',
  'null',
]);

/** Types of the language itself that hold elements of one type. */
const arrays: ReadonlySet<string> = new Set([
  'Array',
  'ReadonlyArray',
  'ArrayLike',
  'Set',
  'ReadonlySet',
  'WeakSet',
  'Iterable',
  'Iterator',
  'IterableIterator',
  'AsyncIterable',
  'AsyncIterableIterator',
  'AsyncIterator',
  'Generator',
  'AsyncGenerator',
]);

const maps: ReadonlySet<string> = new Set(['Map', 'ReadonlyMap', 'WeakMap', 'Record']);

/** Types of the language itself that have their argument's members. */
const wrappers: ReadonlySet<string> = new Set([
  'Partial',
  'Required',
  'Readonly',
  'NonNullable',
  'Omit',
  'Pick',
  'Awaited',
  'ThisType',
  'NoInfer',
  'Exclude',
  'Extract',
]);

/** Reads one kind of type. */
type TypeReader = (file: EcmascriptFile, node: Node, place: TypePlace) => TypeExpr;

/** A type annotation or type as the grammar gives it. */
export function typeExpr(file: EcmascriptFile, node: Node | null | undefined, place: TypePlace): TypeExpr {
  return (node && readers[node.type]?.(file, node, place)) ?? unknown;
}

/** What only stands around a type. */
const inside: TypeReader = (file, node, place) => typeExpr(file, firstOf(node), place);

const byName: TypeReader = (_, node, place) => reference(node.text.replaceAll(/\s/gu, ''), place);

const byLiteral: TypeReader = (_, node, place) => {
  const name = node.type === 'literal_type' ? literalName(node) : node.text;
  return saysNothing.has(name) ? unknown : reference(name, place);
};

const text: TypeReader = (_, __, place) => reference('string', place);

/** A union of unions is one union. */
const anyOf: TypeReader = (file, node, place) => known(flatten(node).map((part) => typeExpr(file, part, place)));

const writtenInPlace: TypeReader = (file, node, place) => {
  const definition = file.define('type', '', node, node, place.owner);
  typeMembers(file, node, definition, { ...place, owner: definition });
  return { kind: 'definition', definition };
};

const readers: Readonly<Record<string, TypeReader>> = {
  type_annotation: inside,
  parenthesized_type: inside,
  readonly_type: inside,
  optional_type: inside,
  rest_type: inside,
  constraint: inside,
  default_type: inside,
  omitting_type_annotation: inside,
  opting_type_annotation: inside,
  predefined_type: byLiteral,
  literal_type: byLiteral,
  template_literal_type: text,
  index_type_query: text,
  type_predicate_annotation: inside,
  type_predicate: (file, node, place) => ({
    kind: 'predicate',
    type: typeExpr(file, node.childForFieldName('type'), place),
  }),
  asserts_annotation: (_, __, place) => reference('boolean', place),
  type_identifier: byName,
  nested_type_identifier: byName,
  identifier: byName,
  this_type: (_, __, place) =>
    place.self >= 0 ? { kind: 'typeof', value: { kind: 'self', definition: place.self } } : unknown,
  generic_type: generic,
  array_type: (file, node, place) => ({ kind: 'array', element: typeExpr(file, firstOf(node), place) }),
  tuple_type: (file, node, place) => ({
    kind: 'tuple',
    elements: node.namedChildren.map((child) => typeExpr(file, child.childForFieldName('type') ?? child, place)),
  }),
  union_type: anyOf,
  intersection_type: anyOf,
  conditional_type(file, node, place) {
    const parts = [node.childForFieldName('consequence'), node.childForFieldName('alternative')];
    return known(parts.map((part) => typeExpr(file, part, place)));
  },
  function_type: (file, node, place) => functionType(file, node, node.childForFieldName('return_type'), place),
  constructor_type: (file, node, place) => functionType(file, node, node.childForFieldName('type'), place),
  type_query: (file, node, place) => ({ kind: 'typeof', value: queried(file, firstOf(node), place.scope) }),
  member_expression(file, node, place) {
    const whole = node.childForFieldName('object');
    const name = node.childForFieldName('property')?.text ?? '';
    if (!whole) return unknown;
    const object: TypeExpr =
      whole.type === 'call_expression'
        ? { kind: 'typeof', value: queried(file, whole, place.scope) }
        : typeExpr(file, whole, place);
    return { kind: 'member', object, name };
  },
  lookup_type(file, node, place) {
    const [object, key] = node.namedChildren;
    const name = key?.type === 'literal_type' ? key.text.slice(1, -1) : null;
    return name !== null && /^["']/u.test(key?.text ?? '')
      ? { kind: 'member', object: typeExpr(file, object, place), name }
      : unknown;
  },
  object_type: writtenInPlace,
  interface_body: writtenInPlace,
};

function firstOf(node: Node): Node | null {
  return node.namedChildren.find(({ type }) => type !== 'comment') ?? null;
}

function known(options: TypeExpr[]): TypeExpr {
  return { kind: 'union', options: options.filter((option) => option.kind !== 'unknown') };
}

function reference(name: string, place: TypePlace): TypeExpr {
  return { kind: 'reference', name, scope: place.scope, args: [] };
}

function literalName(node: Node): string {
  const { type = '' } = node.namedChildren[0] ?? {};
  return type === 'string' || type === 'number' ? type : type === 'true' || type === 'false' ? 'boolean' : type;
}

function flatten(node: Node): Node[] {
  return node.namedChildren.flatMap((child) =>
    child.type === node.type ? flatten(child) : child.type === 'comment' ? [] : [child],
  );
}

function generic(file: EcmascriptFile, node: Node, place: TypePlace): TypeExpr {
  const name = (node.childForFieldName('name') ?? node.namedChildren[0])?.text.replaceAll(/\s/gu, '') ?? '';
  const argNodes =
    node.childForFieldName('type_arguments')?.namedChildren.filter(({ type }) => type !== 'comment') ?? [];
  const args = argNodes.map((arg) => typeExpr(file, arg, place));
  const [head = unknown] = args;
  const container = containerType(name, args);
  if (container) return container;
  if (name === 'ReturnType' && head.kind === 'typeof') return { kind: 'typeof', value: made(head.value, false) };
  if (name === 'InstanceType' && head.kind === 'typeof') return { kind: 'typeof', value: made(head.value, true) };
  return { kind: 'reference', name, scope: place.scope, args };
}

/** A type of the language's own that holds or wraps its arguments; null for any other. */
export function containerType(name: string, args: readonly TypeExpr[]): TypeExpr | null {
  const [head = unknown, second = unknown] = args;
  if (arrays.has(name)) return { kind: 'array', element: head };
  if (maps.has(name)) return { kind: 'map', key: head, value: second };
  return wrappers.has(name) ? head : null;
}

function made(callee: Expr, isNew: boolean): Expr {
  return { kind: 'call', callee, args: [], isNew };
}

function queried(file: EcmascriptFile, node: Node | null, scope: number): Expr {
  if (node?.type === 'call_expression' && node.childForFieldName('function')?.type === 'import') {
    const module = node.childForFieldName('arguments')?.namedChildren[0]?.text.slice(1, -1) ?? '';
    return { kind: 'import', import: file.addImport({ module, name: '*', typeOnly: true }, file.line(node)) };
  }
  if (node?.type === 'identifier') return { kind: 'name', name: node.text, scope };
  if (node?.type === 'member_expression' || node?.type === 'nested_identifier') {
    const name = node.childForFieldName('property')?.text ?? '';
    return { kind: 'member', object: queried(file, node.childForFieldName('object'), scope), name };
  }
  return { kind: 'unknown' };
}

/** A function's type as written in place; its own type parameters get a scope. */
function functionType(file: EcmascriptFile, node: Node, returns: Node | null, outer: TypePlace): TypeExpr {
  const parameterNodes = node.childForFieldName('type_parameters');
  let place = outer;
  if (parameterNodes) {
    const definition = file.define('type', '', node, node, outer.owner);
    const scope = file.addScope(outer.scope, definition);
    place = { ...outer, scope };
    Object.assign(file.definition(definition), {
      scope,
      typeParameters: typeParametersOf(file, parameterNodes, place),
    });
  }
  const list = node.childForFieldName('parameters');
  const parameters = parametersOf(file, list, place);
  const self = list?.namedChildren.find(isThis)?.childForFieldName('type');
  return {
    kind: 'function',
    parameters: parameters.map(({ type }) => type),
    ...(self ? { self: typeExpr(file, self, place) } : {}),
    returns: returns ? typeExpr(file, returns, place) : null,
  };
}

/** Parameters without a `this`, which is no argument. */
export function parametersOf(file: EcmascriptFile, node: Node | null, place: TypePlace): Parameter[] {
  return (node?.namedChildren ?? [])
    .filter((child) => child.type !== 'comment' && child.type !== 'decorator' && !isThis(child))
    .map((child) => {
      const pattern = child.childForFieldName('pattern') ?? child.childForFieldName('left') ?? child;
      const type = child.childForFieldName('type');
      return {
        name:
          pattern.type === 'rest_pattern'
            ? (pattern.namedChildren[0]?.text ?? '')
            : pattern.type.endsWith('identifier')
              ? pattern.text
              : '',
        type: type ? typeExpr(file, type, place) : null,
        default: null,
        rest: pattern.type === 'rest_pattern',
        optional:
          child.type === 'optional_parameter' ||
          child.type === 'assignment_pattern' ||
          child.childForFieldName('value') !== null,
      };
    });
}

/** A `this` in a parameter list says what `this` is inside. */
export function isThis(parameter: Node): boolean {
  return parameter.childForFieldName('pattern')?.type === 'this';
}

/** `<T extends Bound>`. */
export function typeParametersOf(
  file: EcmascriptFile,
  node: Node | null,
  place: TypePlace,
): { name: string; bound: TypeExpr | null }[] {
  return (node?.namedChildren ?? [])
    .filter(({ type }) => type === 'type_parameter')
    .map((parameter) => {
      const bound = parameter.childForFieldName('constraint');
      return {
        name: parameter.childForFieldName('name')?.text ?? '',
        bound: bound ? typeExpr(file, bound, place) : null,
      };
    });
}

/** Members of an interface or a type written in place. */
export function typeMembers(file: EcmascriptFile, body: Node, definition: number, place: TypePlace): void {
  for (const child of body.namedChildren) {
    const name = child.childForFieldName('name');
    const type = child.childForFieldName('type');
    switch (child.type) {
      case 'property_signature':
        if (name && type) file.addMember(definition, memberName(name), { type: typeExpr(file, type, place) });
        break;
      case 'method_signature':
        if (name) methodSignature(file, child, name, definition, place);
        break;
      case 'call_signature':
        file.addMember(definition, '()', {
          type: functionType(file, child, child.childForFieldName('return_type'), place),
        });
        break;
      case 'construct_signature':
        file.addMember(definition, 'new()', { type: functionType(file, child, type, place) });
        break;
      case 'index_signature':
        if (type) file.addMember(definition, '[]', { type: typeExpr(file, type, place) });
        break;
      default:
    }
  }
}

/** A method without a body: of an interface, abstract, or an overload's signature. */
export function methodSignature(
  file: EcmascriptFile,
  node: Node,
  name: Node,
  definition: number,
  place: TypePlace,
): number {
  const method = file.define('method', memberName(name), node, name, definition);
  const scope = file.addScope(place.scope, method);
  const own = { scope, owner: method, self: place.self >= 0 ? place.self : definition };
  const text = node.text;
  const isStatic = node.children.some(({ type }) => type === 'static');
  Object.assign(file.definition(method), {
    scope,
    isAbstract: true,
    isStatic,
    isProperty: node.children.some(({ type }) => type === 'get'),
    signature: text.replaceAll(/\s+/gu, ' ').slice(0, 300),
    typeParameters: typeParametersOf(file, node.childForFieldName('type_parameters'), own),
    parameters: parametersOf(file, node.childForFieldName('parameters'), own),
    returnType: node.childForFieldName('return_type')
      ? typeExpr(file, node.childForFieldName('return_type'), own)
      : null,
  });
  file.addMember(definition, memberName(name), { definition: method, isStatic });
  return method;
}

/** A property's name: quotes and brackets of a literal are not part of it. */
export function memberName(node: Node): string {
  if (node.type === 'string') return node.text.slice(1, -1);
  if (node.type === 'computed_property_name') {
    const inner = node.namedChildren[0];
    return inner?.type === 'string' ? inner.text.slice(1, -1) : node.text;
  }
  return node.text;
}
