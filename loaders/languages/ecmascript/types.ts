import type { Expr, Parameter, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import type { Builder } from './builder.ts';

/** Where a type is written. */
export interface TypePlace {
  scope: number;
  owner: number;
  /** The class whose `this` it is; -1 outside. */
  self: number;
}

const unknownType: TypeExpr = { kind: 'unknown' };

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

/** A type annotation or type as the grammar gives it. */
export function typeExpr(builder: Builder, node: Node | null, place: TypePlace): TypeExpr {
  if (!node) return unknownType;
  const go = (inner: Node | null | undefined) => typeExpr(builder, inner ?? null, place);
  const first = () => node.namedChildren.find((child) => child.type !== 'comment') ?? null;
  switch (node.type) {
    case 'type_annotation':
    case 'parenthesized_type':
    case 'readonly_type':
    case 'optional_type':
    case 'rest_type':
    case 'constraint':
    case 'default_type':
    case 'omitting_type_annotation':
    case 'opting_type_annotation':
      return go(first());
    case 'predefined_type':
    case 'literal_type': {
      const name = node.type === 'literal_type' ? literalName(node) : node.text;
      return saysNothing.has(name) ? unknownType : reference(name, place);
    }
    case 'template_literal_type':
    case 'index_type_query':
      return reference('string', place);
    case 'type_predicate_annotation':
      return go(first());
    case 'type_predicate':
      return { kind: 'predicate', type: go(node.childForFieldName('type')) };
    case 'asserts_annotation':
      return reference('boolean', place);
    case 'type_identifier':
    case 'nested_type_identifier':
    case 'identifier':
      return reference(node.text.replaceAll(/\s/gu, ''), place);
    case 'this_type':
      return place.self >= 0 ? { kind: 'typeof', value: { kind: 'self', definition: place.self } } : unknownType;
    case 'generic_type':
      return generic(builder, node, place);
    case 'array_type':
      return { kind: 'array', element: go(first()) };
    case 'tuple_type':
      return {
        kind: 'tuple',
        elements: node.namedChildren.map((child) =>
          child.childForFieldName('type') ? go(child.childForFieldName('type')) : go(child),
        ),
      };
    case 'union_type':
    case 'intersection_type':
      return {
        kind: 'union',
        options: flatten(node)
          .map(go)
          .filter((option) => option.kind !== 'unknown'),
      };
    case 'conditional_type': {
      const options = [go(node.childForFieldName('consequence')), go(node.childForFieldName('alternative'))];
      return { kind: 'union', options: options.filter((option) => option.kind !== 'unknown') };
    }
    case 'function_type':
      return functionType(builder, node, node.childForFieldName('return_type'), place);
    case 'constructor_type':
      return functionType(builder, node, node.childForFieldName('type'), place);
    case 'type_query':
      return { kind: 'typeof', value: queried(builder, first(), place.scope) };
    case 'member_expression': {
      const whole = node.childForFieldName('object');
      const name = node.childForFieldName('property')?.text ?? '';
      if (!whole) return unknownType;
      const object: TypeExpr =
        whole.type === 'call_expression' ? { kind: 'typeof', value: queried(builder, whole, place.scope) } : go(whole);
      return { kind: 'member', object, name };
    }
    case 'lookup_type': {
      const [object, key] = node.namedChildren;
      const name = key?.type === 'literal_type' ? key.text.slice(1, -1) : null;
      return name !== null && /^["']/u.test(key?.text ?? '')
        ? { kind: 'member', object: go(object), name }
        : unknownType;
    }
    case 'object_type':
    case 'interface_body': {
      const definition = builder.define('type', '', node, node, place.owner);
      typeMembers(builder, node, definition, { ...place, owner: definition });
      return { kind: 'definition', definition };
    }
    default:
      return unknownType;
  }
}

function reference(name: string, place: TypePlace): TypeExpr {
  return { kind: 'reference', name, scope: place.scope, args: [] };
}

function literalName(node: Node): string {
  const { type = '' } = node.namedChildren[0] ?? {};
  return type === 'string' || type === 'number' ? type : type === 'true' || type === 'false' ? 'boolean' : type;
}

/** A union of unions is one union. */
function flatten(node: Node): Node[] {
  return node.namedChildren.flatMap((child) =>
    child.type === node.type ? flatten(child) : child.type === 'comment' ? [] : [child],
  );
}

function generic(builder: Builder, node: Node, place: TypePlace): TypeExpr {
  const name = (node.childForFieldName('name') ?? node.namedChildren[0])?.text.replaceAll(/\s/gu, '') ?? '';
  const argNodes =
    node.childForFieldName('type_arguments')?.namedChildren.filter(({ type }) => type !== 'comment') ?? [];
  const args = argNodes.map((arg) => typeExpr(builder, arg, place));
  const [head = unknownType] = args;
  const container = containerType(name, args);
  if (container) return container;
  if (name === 'ReturnType' && head.kind === 'typeof') return { kind: 'typeof', value: made(head.value, false) };
  if (name === 'InstanceType' && head.kind === 'typeof') return { kind: 'typeof', value: made(head.value, true) };
  return { kind: 'reference', name, scope: place.scope, args };
}

/** A type of the language's own that holds or wraps its arguments; null for any other. */
export function containerType(name: string, args: readonly TypeExpr[]): TypeExpr | null {
  const [head = unknownType, second = unknownType] = args;
  if (arrays.has(name)) return { kind: 'array', element: head };
  if (maps.has(name)) return { kind: 'map', key: head, value: second };
  return wrappers.has(name) ? head : null;
}

function made(callee: Expr, isNew: boolean): Expr {
  return { kind: 'call', callee, args: [], isNew };
}

function queried(builder: Builder, node: Node | null, scope: number): Expr {
  if (node?.type === 'call_expression' && node.childForFieldName('function')?.type === 'import') {
    const module = node.childForFieldName('arguments')?.namedChildren[0]?.text.slice(1, -1) ?? '';
    return { kind: 'import', import: builder.import(module, '*', '', node.startPosition.row + 1, true) };
  }
  if (node?.type === 'identifier') return { kind: 'name', name: node.text, scope };
  if (node?.type === 'member_expression' || node?.type === 'nested_identifier') {
    const name = node.childForFieldName('property')?.text ?? '';
    return { kind: 'member', object: queried(builder, node.childForFieldName('object'), scope), name };
  }
  return { kind: 'unknown' };
}

/** A function's type as written in place; its own type parameters get a scope. */
function functionType(builder: Builder, node: Node, returns: Node | null, outer: TypePlace): TypeExpr {
  const parameterNodes = node.childForFieldName('type_parameters');
  let place = outer;
  if (parameterNodes) {
    const definition = builder.define('type', '', node, node, outer.owner);
    const scope = builder.scope(outer.scope, definition);
    place = { ...outer, scope };
    Object.assign(builder.definition(definition), {
      scope,
      typeParameters: typeParametersOf(builder, parameterNodes, place),
    });
  }
  const list = node.childForFieldName('parameters');
  const parameters = parametersOf(builder, list, place);
  const self = list?.namedChildren.find(isThis)?.childForFieldName('type');
  return {
    kind: 'function',
    parameters: parameters.map(({ type }) => type),
    ...(self ? { self: typeExpr(builder, self, place) } : {}),
    returns: returns ? typeExpr(builder, returns, place) : null,
  };
}

/** Parameters without a `this`, which is no argument. */
export function parametersOf(builder: Builder, node: Node | null, place: TypePlace): Parameter[] {
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
        type: type ? typeExpr(builder, type, place) : null,
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
  builder: Builder,
  node: Node | null,
  place: TypePlace,
): { name: string; bound: TypeExpr | null }[] {
  return (node?.namedChildren ?? [])
    .filter(({ type }) => type === 'type_parameter')
    .map((parameter) => {
      const bound = parameter.childForFieldName('constraint');
      return {
        name: parameter.childForFieldName('name')?.text ?? '',
        bound: bound ? typeExpr(builder, bound, place) : null,
      };
    });
}

/** Members of an interface or a type written in place. */
export function typeMembers(builder: Builder, body: Node, definition: number, place: TypePlace): void {
  for (const child of body.namedChildren) {
    const name = child.childForFieldName('name');
    const type = child.childForFieldName('type');
    switch (child.type) {
      case 'property_signature':
        if (name && type) builder.member(definition, memberName(name), { type: typeExpr(builder, type, place) });
        break;
      case 'method_signature':
        if (name) methodSignature(builder, child, name, definition, place);
        break;
      case 'call_signature':
        builder.member(definition, '()', {
          type: functionType(builder, child, child.childForFieldName('return_type'), place),
        });
        break;
      case 'construct_signature':
        builder.member(definition, 'new()', { type: functionType(builder, child, type, place) });
        break;
      case 'index_signature':
        if (type) builder.member(definition, '[]', { type: typeExpr(builder, type, place) });
        break;
      default:
    }
  }
}

/** A method without a body: of an interface, abstract, or an overload's signature. */
export function methodSignature(
  builder: Builder,
  node: Node,
  name: Node,
  definition: number,
  place: TypePlace,
): number {
  const method = builder.define('method', memberName(name), node, name, definition);
  const scope = builder.scope(place.scope, method);
  const own = { scope, owner: method, self: place.self >= 0 ? place.self : definition };
  const text = node.text;
  const isStatic = node.children.some(({ type }) => type === 'static');
  Object.assign(builder.definition(method), {
    scope,
    isAbstract: true,
    isStatic,
    isProperty: node.children.some(({ type }) => type === 'get'),
    signature: text.replaceAll(/\s+/gu, ' ').slice(0, 300),
    typeParameters: typeParametersOf(builder, node.childForFieldName('type_parameters'), own),
    parameters: parametersOf(builder, node.childForFieldName('parameters'), own),
    returnType: node.childForFieldName('return_type')
      ? typeExpr(builder, node.childForFieldName('return_type'), own)
      : null,
  });
  builder.member(definition, memberName(name), { definition: method, isStatic });
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
