import type { Base, ClassKind, Definition, Expr, TypeExpr } from '../../facts/fact.ts';
import { conversionName } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { declareParameters, type NamedParameter } from '../reading/functions.ts';
import { sideOf } from '../reading/sides.ts';
import { partsOf, type Place, type Reader, type SourceFile, unknown } from '../reading/source-file.ts';
import { classKey, declaredType, typeOf, typeParametersOf, withoutArguments } from './types.ts';

/** Member under which a class keeps its constructors; no method can have that name. */
const constructorName = 'new()';

/** What declares something. */
export const readers: Readonly<Record<string, Reader>> = {
  class_declaration: (file, node, place) => typeDeclaration(file, node, place, 'class'),
  struct_declaration: (file, node, place) => typeDeclaration(file, node, place, 'struct'),
  record_declaration: (file, node, place) => typeDeclaration(file, node, place, 'record'),
  interface_declaration: (file, node, place) => typeDeclaration(file, node, place, 'interface'),
  enum_declaration: (file, node, place) => typeDeclaration(file, node, place, 'enum'),
  enum_member_declaration(file, node, place) {
    const type: TypeExpr = { kind: 'definition', definition: place.type };
    file.member(place.type, file.text(node.childForFieldName('name')), { type, isStatic: true });
    return unknown;
  },
  delegate_declaration(file, node, place) {
    const nameNode = node.childForFieldName('name');
    const definition = file.define(
      { kind: 'type', name: file.text(nameNode), ...headOf(node, file) },
      node,
      place,
      nameNode,
    );
    const own = file.definition(definition);
    const inside = file.enter(definition, place);
    own.typeParameters = typeParametersOf(file, node, inside);
    const parameters = parametersOf(file, node.childForFieldName('parameters'), inside).map(({ type = null }) => type);
    own.returnType = { kind: 'function', parameters, returns: typeOf(file, node.childForFieldName('type'), inside) };
    declare(file, definition, place, node);
    return unknown;
  },
  method_declaration: (file, node, place) => functionDeclaration(file, node, place, 'method'),
  local_function_statement: (file, node, place) => functionDeclaration(file, node, place, 'function'),
  constructor_declaration: (file, node, place) => functionDeclaration(file, node, place, 'constructor'),
  destructor_declaration: (file, node, place) => functionDeclaration(file, node, place, 'method', 'Finalize'),
  operator_declaration: (file, node, place) => functionDeclaration(file, node, place, 'method', 'operator'),
  conversion_operator_declaration: conversion,
  property_declaration: property,
  indexer_declaration: property,
  event_declaration: property,
  field_declaration: field,
  event_field_declaration: field,
};

function typeDeclaration(file: SourceFile, node: Node, place: Place, kind: ClassKind) {
  const nameNode = node.childForFieldName('name');
  const head = headOf(node, file);
  const definition = file.define({ kind, name: file.text(nameNode), ...head, isStatic: true }, node, place, nameNode);
  const own = file.definition(definition);
  if (modifiersOf(node, file).has('partial')) own.isPart = true;
  const inside = file.enter(definition, place);
  own.typeParameters = typeParametersOf(file, node, inside);
  declare(file, definition, place, node);
  const list = node.namedChildren.find(({ type }) => type === 'parameter_list');
  const parameters = list ? parametersOf(file, list, inside) : [];
  for (const { name, type = null, rest = false, optional = false } of parameters) {
    own.parameters.push({ name, type, default: null, rest, optional });
    file.member(definition, name, { type });
  }
  const bases = node.namedChildren.find(({ type }) => type === 'base_list');
  own.bases = basesOf(file, bases, inside, kind);
  for (const part of partsOf(node.childForFieldName('body'))) file.read(part, inside);
  return unknown;
}

/** The first may be a class; an interface's name begins with an `I`. */
function basesOf(file: SourceFile, list: Node | undefined, place: Place, kind: ClassKind): Base[] {
  const types = partsOf(list).filter(({ type }) => type !== 'argument_list');
  return types.map((part, index) => {
    const node = part.type === 'primary_constructor_base_type' ? part.childForFieldName('type') : part;
    const type = typeOf(file, node, place);
    const name = type.kind === 'reference' ? (type.name.split('.').at(-1) ?? '') : '';
    const isClass = (kind === 'class' || kind === 'record') && index === 0 && !/^I\p{Lu}/u.test(name);
    const how = isClass || kind === 'interface' ? 'extends' : 'implements';
    return { expr: { kind: 'typed', type }, line: file.line(part), how };
  });
}

function functionDeclaration(file: SourceFile, node: Node, place: Place, kind: Definition['kind'], name?: string) {
  // An operator stands where its word does, below its attributes.
  const nameNode = node.childForFieldName('name') ?? node.children.find(({ type }) => type === 'operator');
  const head = headOf(node, file);
  const own = name ?? file.text(nameNode);
  const body = node.childForFieldName('body');
  const isAbstract = !body && place.type >= 0;
  const definition = file.define({ kind, name: own, ...head, isAbstract }, node, place, nameNode);
  const inside = file.enter(definition, place);
  const declared = file.definition(definition);
  declared.typeParameters = typeParametersOf(file, node, inside);
  const list = node.childForFieldName('parameters');
  const parameters = parametersOf(file, list, inside);
  const result = node.childForFieldName('returns') ?? node.childForFieldName('type');
  declared.returnType = kind === 'constructor' || !result ? null : typeOf(file, result, inside);
  if (kind === 'function') file.bind(place, own, nameNode ?? node, { definition });
  else if (name === undefined) {
    const memberName = kind === 'constructor' ? constructorName : memberNameOf(file, node, own);
    file.member(place.type, memberName, { definition, isStatic: head.isStatic });
  }
  declareParameters(file, definition, inside, parameters);
  extension(file, declared, partsOf(list)[0]);
  for (const part of node.namedChildren) if (part.type === 'constructor_initializer') file.read(part, inside);
  file.returns(inside, file.read(body, inside));
  return unknown;
}

/** `static int Twice(this Bar bar)` is called as a method of `Bar`. */
function extension(file: SourceFile, own: Definition, first: Node | undefined): void {
  const isExtension = first?.namedChildren.some((part) => part.type === 'modifier' && file.text(part) === 'this');
  const receiver = own.parameters[0]?.type;
  if (!isExtension || !receiver) return;
  own.receiver = receiver;
  own.extension = 'parameter';
  own.parameters.shift();
}

/** Parameters with the nodes that name them. */
export function parametersOf(file: SourceFile, list: Node | null | undefined, place: Place): NamedParameter[] {
  if (list?.type === 'implicit_parameter' || list?.type === 'identifier')
    return [{ name: file.text(list), node: list }];
  const parameters: NamedParameter[] = [];
  let rest: TypeExpr | null = null;
  for (const part of partsOf(list)) {
    const name = part.childForFieldName('name');
    if (part.type === 'parameter' && name) {
      const type = declaredType(file, part.childForFieldName('type'), place);
      const value = partsOf(part).at(-1);
      const optional = value !== undefined && value.startIndex > name.startIndex;
      parameters.push({ name: file.text(name), node: name, type, optional });
    } else if (part.type === 'array_type') {
      // `params T[] rest` stands in the list itself.
      rest = typeOf(file, part.childForFieldName('type'), place);
    } else if (rest && part.type === 'identifier') {
      parameters.push({ name: file.text(part), node: part, type: rest, rest: true, optional: true });
    }
  }
  return parameters;
}

/** `int IFoo.Bar()` is no member of its class by its name: only who has an `IFoo` can call it. */
function memberNameOf(file: SourceFile, node: Node, name: string): string {
  const specifier = node.namedChildren.find(({ type }) => type === 'explicit_interface_specifier');
  return specifier ? `${withoutArguments(file.text(specifier)).replace(/\s/g, '')}.${name}` : name;
}

/** What reading a property runs is a method; one without code of its own is a field. */
function property(file: SourceFile, node: Node, place: Place) {
  const nameNode = node.childForFieldName('name');
  const name = nameNode ? file.text(nameNode) : 'this[]';
  const memberName = memberNameOf(file, node, name);
  const head = headOf(node, file);
  const type = typeOf(file, node.childForFieldName('type'), place);
  const accessors = node.childForFieldName('accessors');
  const value = node.childForFieldName('value');
  const hasCode =
    value?.type === 'arrow_expression_clause' || partsOf(accessors).some((part) => part.childForFieldName('body'));
  if (!hasCode) {
    file.member(place.type, memberName, { type, isStatic: head.isStatic });
    file.read(value, place);
    return unknown;
  }
  const definition = file.define(
    { kind: 'method', name, ...head, isProperty: true, returnType: type },
    node,
    place,
    nameNode,
  );
  const inside = file.enter(definition, place);
  file.member(place.type, memberName, { definition, isStatic: head.isStatic });
  declareParameters(file, definition, inside, parametersOf(file, node.childForFieldName('parameters'), inside));
  file.read(value, inside);
  for (const part of partsOf(accessors)) {
    const accessor = file.block(inside);
    file.bind(accessor, 'value', part, { type });
    file.read(part.childForFieldName('body'), accessor);
  }
  return unknown;
}

/** `implicit operator Text(string s)`: what is taken where a text is asked for. */
function conversion(file: SourceFile, node: Node, place: Place): Expr {
  const definition = file.facts.definitions.length;
  const value = functionDeclaration(file, node, place, 'method', 'operator');
  if (node.children.some(({ type }) => type === 'implicit')) file.member(place.type, conversionName, { definition });
  return value;
}

function field(file: SourceFile, node: Node, place: Place) {
  const { isStatic } = headOf(node, file);
  const declaration = node.namedChildren.find(({ type }) => type === 'variable_declaration');
  const type = declaredType(file, declaration?.childForFieldName('type'), place);
  for (const part of partsOf(declaration)) {
    if (part.type !== 'variable_declarator') continue;
    const name = part.childForFieldName('name');
    const value = partsOf(part).findLast((inner) => inner.id !== name?.id);
    const read = file.read(value, type ? { ...place, expected: { kind: 'typed', type } } : place);
    file.member(place.type, file.text(name), {
      type,
      value: read,
      isStatic: isStatic || /\bconst\b/.test(file.text(node.firstChild)),
    });
  }
  return unknown;
}

function declare(file: SourceFile, definition: number, place: Place, node: Node): void {
  const { name: own, typeParameters } = file.definition(definition);
  const name = classKey(own, typeParameters.length);
  if (place.type >= 0) file.member(place.type, name, { definition, isStatic: true });
  else file.bind(place, name, node, { definition });
}

function headOf(node: Node, file: SourceFile) {
  const modifiers = modifiersOf(node, file);
  return {
    ...sideOf(file, node),
    exported: modifiers.has('public') || modifiers.has('protected') || modifiers.has('internal'),
    isStatic: modifiers.has('static') || modifiers.has('const'),
    isAsync: modifiers.has('async'),
  };
}

function modifiersOf(node: Node, file: SourceFile): Set<string> {
  return new Set(node.namedChildren.filter(({ type }) => type === 'modifier').map((part) => file.text(part)));
}
