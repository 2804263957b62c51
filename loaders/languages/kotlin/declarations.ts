import type { Node } from '../../facts/syntax-tree.ts';
import type { Base, ClassKind, Expr, TypeExpr } from '../../facts/fact.ts';
import { declareParameters, type NamedParameter } from '../reading/functions.ts';
import { partsOf, type Place, type Reader, type SourceFile, unknown } from '../reading/source-file.ts';
import { isType, typeOf, typeParametersOf } from './types.ts';

/** Member under which a class keeps its constructors; no function can have that name. */
const constructorName = 'new()';

/** What declares something. */
export const readers: Readonly<Record<string, Reader>> = {
  class_declaration: typeDeclaration,
  object_declaration(file, node, place) {
    const definition = file.facts.definitions.length;
    typeDeclaration(file, node, place);
    file.definition(definition).isSingleton = true;
    return unknown;
  },
  companion_object(file, node, place) {
    // Its members are those of the class itself; where it inherits, it is a class beside.
    const body = node.namedChildren.find(({ type }) => type === 'class_body');
    const bases = basesOf(file, child(node, 'delegation_specifiers'), place, false);
    if (bases.length > 0 && place.type >= 0) {
      const nameNode = node.childForFieldName('name') ?? child(node, 'identifier');
      const name = file.text(nameNode) || 'Companion';
      const definition = file.define({ kind: 'class', name, isStatic: true }, node, place, nameNode);
      file.definition(definition).bases = bases;
      const ofClass = bases.map((base): Base => ({ ...base, isOfCompanion: true, isUnwritten: true }));
      file.definition(place.type).bases.push(...ofClass);
    }
    for (const part of partsOf(body)) member(file, part, place, true);
    return unknown;
  },
  enum_entry(file, node, place) {
    const type: TypeExpr = { kind: 'definition', definition: place.type };
    file.member(place.type, file.text(child(node, 'identifier')), { type, isStatic: true });
    for (const part of partsOf(node)) if (part.type !== 'identifier') file.read(part, place);
    return unknown;
  },
  type_alias(file, node, place) {
    const nameNode = node.childForFieldName('type');
    const isPart = /\bactual\b/.test(file.text(child(node, 'modifiers')));
    const definition = file.define({ kind: 'type', name: file.text(nameNode), isPart }, node, place, nameNode);
    declare(file, definition, node, place);
    const inside = file.enter(definition, place);
    const own = file.definition(definition);
    own.typeParameters = typeParametersOf(file, node, inside);
    own.returnType = typeOf(file, node.namedChildren.findLast(isType), inside);
    return unknown;
  },
  function_declaration: (file, node, place) => functionDeclaration(file, node, place, false),
  property_declaration: (file, node, place) => property(file, node, place, false),
  secondary_constructor: (file, node, place) => constructor(file, node, place),
  anonymous_initializer: (file, node, place) => constructor(file, node, place),
};

/** A child of this type. */
export function child(node: Node | null | undefined, type: string): Node | null {
  return node?.namedChildren.find((part) => part.type === type) ?? null;
}

function member(file: SourceFile, node: Node, place: Place, isStatic: boolean): void {
  if (node.type === 'function_declaration') functionDeclaration(file, node, place, isStatic);
  else if (node.type === 'property_declaration') property(file, node, place, isStatic);
  else file.read(node, place);
}

function typeDeclaration(file: SourceFile, node: Node, place: Place): Expr {
  const nameNode = node.childForFieldName('name');
  const modifiers = file.text(child(node, 'modifiers'));
  const isInterface = node.children.some(({ type }) => type === 'interface');
  const kind: ClassKind = isInterface
    ? 'interface'
    : /\benum\b/.test(modifiers)
      ? 'enum'
      : /\bannotation\b/.test(modifiers)
        ? 'annotation'
        : 'class';
  const exported = !/\bprivate\b/.test(modifiers);
  const definition = file.define({ kind, name: file.text(nameNode), exported, isStatic: true }, node, place, nameNode);
  if (/\b(?:expect|actual)\b/.test(modifiers)) file.definition(definition).isPart = true;
  if (/\bexpect\b/.test(modifiers)) file.definition(definition).isExpected = true;
  declare(file, definition, node, place);
  readClass(file, node, definition, place);
  // `copy(…)` of a data class makes one more of it.
  if (/\bdata\b/.test(modifiers) && !isInterface) file.member(definition, 'copy', { definition });
  return unknown;
}

/** What a class has, also one that is written in place. */
export function readClass(file: SourceFile, node: Node, definition: number, place: Place): void {
  const inside = file.enter(definition, place);
  const own = file.definition(definition);
  own.typeParameters = typeParametersOf(file, node, inside);
  own.bases = basesOf(file, child(node, 'delegation_specifiers'), inside, own.kind === 'interface');
  // Without a constructor in its head, a class names the class above it without calling it, and before all interfaces.
  const constructors = partsOf(child(node, 'class_body')).filter(({ type }) => type === 'secondary_constructor');
  const [above] = own.bases;
  if (above && constructors.some((one) => child(one, 'constructor_delegation_call')?.children[0]?.type === 'super'))
    above.how = 'extends';
  const list = child(child(node, 'primary_constructor'), 'class_parameters');
  const parameters = parametersOf(file, list, inside, defaultsPlace(file, node, list, inside));
  if (list) {
    for (const [index, part] of partsOf(list).entries()) {
      const { name = '', type = null } = parameters[index] ?? {};
      // Only `val` and `var` are properties; the others hold while the object is made.
      if (part.children.some(({ type: word }) => word === 'val' || word === 'var'))
        file.member(definition, name, { type });
      else file.bind(inside, name, part, { type });
    }
    own.parameters.push(
      ...parameters.map(({ name, type = null, rest = false, optional = false }) => ({
        name,
        type,
        default: null,
        rest,
        optional,
      })),
    );
  }
  const specifiers = child(node, 'delegation_specifiers');
  for (const part of partsOf(specifiers))
    file.read(child(child(part, 'constructor_invocation') ?? part, 'value_arguments'), inside);
  const body = child(node, 'class_body') ?? child(node, 'enum_class_body');
  for (const part of partsOf(body)) member(file, part, inside, false);
}

/** What a primary constructor's defaults call, it calls; without any it is part of its class. */
function defaultsPlace(file: SourceFile, node: Node, list: Node | null, place: Place): Place {
  const calls = partsOf(list).some((part) => part.namedChildren.at(-1)?.type === 'call_expression');
  if (!calls) return place;
  const nameNode = node.childForFieldName('name');
  const constructor = { kind: 'constructor', name: file.text(nameNode), signature: null } as const;
  return {
    ...place,
    definition: file.define(constructor, child(node, 'primary_constructor') ?? node, place, nameNode),
  };
}

/** A class is extended by calling its constructor; an interface is named, or delegated to. */
function basesOf(file: SourceFile, list: Node | null, place: Place, inInterface: boolean): Base[] {
  return partsOf(list).flatMap((part): Base[] => {
    const inner = part.namedChildren[0];
    const call = inner?.type === 'constructor_invocation';
    const node = inner && isType(inner) ? inner : inner?.namedChildren.find(isType);
    if (!node) return [];
    const type = typeOf(file, node, place);
    return [
      { expr: { kind: 'typed', type }, line: file.line(part), how: call || inInterface ? 'extends' : 'implements' },
    ];
  });
}

function functionDeclaration(file: SourceFile, node: Node, place: Place, isStatic: boolean): Expr {
  const nameNode = node.childForFieldName('name');
  const name = file.text(nameNode);
  const modifiers = file.text(child(node, 'modifiers'));
  const ofClass = place.type >= 0 && place.definition === place.type;
  const body = child(node, 'function_body');
  const definition = file.define(
    {
      kind: ofClass ? 'method' : 'function',
      name,
      isStatic,
      isAbstract: !body && ofClass,
      exported: !/\bprivate\b/.test(modifiers),
      isAsync: /\bsuspend\b/.test(modifiers),
      ...signed(file, node, body),
    },
    node,
    place,
    nameNode,
  );
  const own = file.definition(definition);
  const isInExpected = ofClass && file.definition(place.type).isExpected;
  if (!body && (isInExpected || /\bexpect\b/.test(modifiers))) own.isExpected = true;
  if (/\blevel\s*=\s*(?:DeprecationLevel\.)?HIDDEN\b/.test(modifiers)) own.isUncallable = true;
  const entered = file.enter(definition, place);
  own.typeParameters = typeParametersOf(file, node, entered);
  const types = partsOf(node).filter(isType);
  const receiverNode = types.find((type) => type.startIndex < (nameNode?.startIndex ?? 0));
  const resultNode = types.find((type) => type.startIndex > (nameNode?.startIndex ?? 0));
  const receiver = receiverNode ? typeOf(file, receiverNode, entered) : null;
  const inside: Place = receiver ? { ...entered, self: receiver } : entered;
  if (receiver) {
    own.receiver = receiver;
    own.extension = 'receiver';
    file.receives(inside, receiver);
  }
  if (ofClass) file.member(place.type, name, { definition, isStatic });
  else file.bind(place, name, nameNode ?? node, { definition });
  declareParameters(file, definition, inside, parametersOf(file, child(node, 'function_value_parameters'), inside));
  own.returnType = resultNode ? typeOf(file, resultNode, inside) : null;
  if (body) bodyOf(file, body, inside);
  return unknown;
}

/** The declaration's head: the body has no name in the grammar. */
function signed(file: SourceFile, node: Node, body: Node | null) {
  const text = file.source.slice(node.startIndex, body?.startIndex ?? node.endIndex);
  return { signature: text.replace(/\s+/g, ' ').trim().slice(0, 400) };
}

/** `= expression` is what the function gives. */
function bodyOf(file: SourceFile, body: Node, place: Place): void {
  const [inner] = partsOf(body);
  const value = file.read(inner, place);
  if (inner?.type !== 'block') file.returns(place, value);
}

/** Parameters with the nodes that name them. */
export function parametersOf(
  file: SourceFile,
  list: Node | null,
  place: Place,
  ofDefaults: Place = place,
): NamedParameter[] {
  let rest = false;
  let last: NamedParameter | undefined;
  const parameters: NamedParameter[] = [];
  for (const part of partsOf(list)) {
    if (part.type === 'parameter_modifiers') {
      rest = file.text(part).includes('vararg');
      continue;
    }
    const name = child(part, 'identifier');
    if (!name || (part.type !== 'parameter' && part.type !== 'class_parameter')) {
      // What stands alone is the default of the parameter before.
      if (last) last.optional = true;
      file.read(part, place);
      continue;
    }
    rest ||= /\bvararg\b/.test(file.text(child(part, 'modifiers')));
    const type = typeOf(file, part.namedChildren.find(isType), place);
    const value = part.namedChildren.at(-1);
    const hasDefault = value !== undefined && !isType(value) && value.id !== name.id;
    // Of a constructor the default is part of the parameter.
    if (hasDefault && part.type === 'class_parameter') file.read(value, ofDefaults);
    const optional = rest || hasDefault;
    last = { name: file.text(name), node: name, type, rest, optional };
    parameters.push(last);
    rest = false;
  }
  return parameters;
}

/** A property of a class, or a variable; one with code of its own is a method that reading it calls. */
function property(file: SourceFile, node: Node, place: Place, isStatic: boolean): Expr {
  const ofClass = place.type >= 0 && place.definition === place.type;
  const several = child(node, 'multi_variable_declaration');
  const variable = child(node, 'variable_declaration');
  const typeNode = variable?.namedChildren.find(isType);
  const type = typeNode ? typeOf(file, typeNode, place) : null;
  const nameNode = child(variable, 'identifier');
  const name = file.text(nameNode);
  const getter = child(node, 'getter');
  const parts = partsOf(node).filter((part) => part.startIndex > (several ?? variable ?? node).endIndex - 1);
  const value = parts
    .filter((part) => !/^(?:getter|setter|type_constraints|modifiers)$/.test(part.type))
    .map((part) => file.read(part, type ? { ...place, expected: { kind: 'typed', type } } : place))[0];
  for (const [at, part] of partsOf(several).entries()) {
    const inner = child(part, 'identifier');
    if (inner) file.bind(place, file.text(inner), inner, { value: { kind: 'index', object: value ?? unknown, at } });
  }
  if (!nameNode) return unknown;
  if (getter) {
    const definition = file.define(
      { kind: ofClass ? 'method' : 'function', name, isProperty: true, isStatic, returnType: type },
      node,
      place,
      nameNode,
    );
    if (ofClass) file.member(place.type, name, { definition, isStatic });
    const inside = file.enter(definition, place);
    for (const part of partsOf(getter)) if (part.type === 'function_body') bodyOf(file, part, inside);
    file.read(child(node, 'setter'), inside);
    if (!ofClass)
      file.bind(place, name, nameNode, {
        type,
        value: { kind: 'call', callee: { kind: 'definition', definition }, args: [], isNew: false },
      });
  } else if (ofClass) file.member(place.type, name, { type, value: value ?? null, isStatic });
  else file.bind(place, name, nameNode, type ? { type } : { value: value ?? null });
  return unknown;
}

function constructor(file: SourceFile, node: Node, place: Place): Expr {
  const { name } = place.type >= 0 ? file.definition(place.type) : { name: '' };
  const word = node.children.find(({ type }) => type === 'constructor' || type === 'init');
  const definition = file.define({ kind: 'constructor', name, signature: null }, node, place, word);
  const inside = file.enter(definition, place);
  if (node.type === 'secondary_constructor') {
    file.member(place.type, constructorName, { definition });
    declareParameters(file, definition, inside, parametersOf(file, child(node, 'function_value_parameters'), inside));
  }
  for (const part of partsOf(node))
    if (part.type !== 'function_value_parameters' && part.type !== 'modifiers') file.read(part, inside);
  return unknown;
}

function declare(file: SourceFile, definition: number, node: Node, place: Place): void {
  const { name } = file.definition(definition);
  if (place.type >= 0 && place.definition === place.type) file.member(place.type, name, { definition, isStatic: true });
  else file.bind(place, name, node, { definition });
}
