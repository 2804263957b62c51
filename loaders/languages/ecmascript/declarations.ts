import type { Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import { classDeclaration } from './classes.ts';
import { commentOf, docOf, signatureOf } from './documentation.ts';
import { type EcmascriptFile, literal, type Place } from './file.ts';
import { defineFunction } from './functions.ts';
import { statedType } from './jsdoc.ts';
import { bindPattern } from './patterns.ts';
import { memberName, typeExpr, typeMembers, typeParametersOf, typePlace, type TypePlace } from './types.ts';

/** A name with its definition; -1 for a value. */
export type Declared = readonly [name: string, definition: number];

/** Reads one kind of declaration; `exported`: `export` stands before it. Gives the names that it declares. */
export type DeclarationReader = (file: EcmascriptFile, node: Node, place: Place, exported: boolean) => Declared[];

const variables: DeclarationReader = (file, node, place, exported) => {
  const target = node.type === 'variable_declaration' && !exported ? { ...place, scope: place.hoist } : place;
  return node.namedChildren.flatMap((child) =>
    child.type === 'variable_declarator' ? variable(file, child, target, place, exported) : [],
  );
};

const functions: DeclarationReader = (file, node, place, exported) => {
  const nameNode = node.childForFieldName('name');
  const naming = { name: nameNode?.text ?? 'default', node: nameNode ?? node };
  const index = defineFunction(file, node, place, { kind: 'function', naming, self: null, expected: null });
  file.definition(index).exported = exported;
  if (nameNode) file.addBinding(place.scope, naming.name, file.line(nameNode), { definition: index });
  return [[naming.name, index]];
};

const classes: DeclarationReader = (file, node, place) => [[nameOf(node), classDeclaration(file, node, place)]];

const types: DeclarationReader = (file, node, place, exported) => [
  [nameOf(node), typeDeclaration(file, node, place, exported)],
];

const enums: DeclarationReader = (file, node, place, exported) => [
  [nameOf(node), enumDeclaration(file, node, place, exported)],
];

const namespaces: DeclarationReader = (file, node, place, exported) => [
  [nameOf(node), namespace(file, node, place, exported)],
];

/** By node type. */
export const declarations: Readonly<Record<string, DeclarationReader>> = {
  lexical_declaration: variables,
  variable_declaration: variables,
  function_declaration: functions,
  generator_function_declaration: functions,
  function_signature: functions,
  class_declaration: classes,
  abstract_class_declaration: classes,
  interface_declaration: types,
  type_alias_declaration: types,
  enum_declaration: enums,
  internal_module: namespaces,
  module: namespaces,
};

function nameOf(node: Node): string {
  return node.childForFieldName('name')?.text ?? 'default';
}

/** One declarator; `target` has the scope that its names belong to. */
function variable(file: EcmascriptFile, node: Node, target: Place, place: Place, exported: boolean): Declared[] {
  const pattern = node.childForFieldName('name');
  const valueNode = node.childForFieldName('value');
  const typeNode = node.childForFieldName('type');
  if (!pattern) return [];
  const type = typeNode ? typeExpr(file, typeNode, typePlace(place)) : statedType(file, node, place);
  const expected: Expr | null = type ? { kind: 'typed', type } : null;
  if (pattern.type !== 'identifier') {
    const value = valueNode ? file.expression(valueNode, place, expected) : unknown;
    return bindPattern(file, pattern, expected ?? value, target, place).map((name) => [name, -1]);
  }
  const name = pattern.text;
  const line = file.line(pattern);
  const value = valueNode && file.expression(valueNode, place, expected, { name, node: pattern });
  if (value?.kind === 'definition') {
    const definition = file.definition(value.definition);
    if (definition.kind !== 'object') {
      definition.exported ||= exported;
      file.addBinding(target.scope, name, line, { definition: value.definition });
      return [[name, value.definition]];
    }
  }
  if (value?.kind === 'import') {
    const wanted = file.facts.imports[value.import];
    if (wanted) wanted.local = name;
    file.addBinding(target.scope, name, line, { import: value.import });
  } else file.addBinding(target.scope, name, line, { value, type: type?.kind === 'unknown' ? null : type });
  return [[name, -1]];
}

function typeDeclaration(file: EcmascriptFile, node: Node, place: Place, exported: boolean): number {
  const name = node.childForFieldName('name') ?? node;
  const isInterface = node.type === 'interface_declaration';
  const index = file.define(isInterface ? 'interface' : 'type', name.text, node, name, place.owner);
  const definition = file.definition(index);
  const scope = file.addScope(place.scope, index);
  const inner: TypePlace = { scope, owner: index, self: index };
  file.addBinding(place.scope, name.text, file.line(name), { definition: index });
  const body = node.childForFieldName('body');
  const value = node.childForFieldName('value');
  Object.assign(definition, {
    scope,
    exported,
    signature: signatureOf(file.source, node, body ?? value),
    doc: docOf(commentOf(node)),
    typeParameters: typeParametersOf(file, node.childForFieldName('type_parameters'), inner),
  });
  if (body) typeMembers(file, body, index, inner);
  if (value?.type === 'object_type') typeMembers(file, value, index, inner);
  else if (value) definition.returnType = typeExpr(file, value, inner);
  const heritage = node.namedChildren.find(({ type }) => type === 'extends_type_clause' || type === 'extends_clause');
  for (const base of heritage?.namedChildren ?? []) {
    const expr: Expr = { kind: 'typed', type: typeExpr(file, base, inner) };
    definition.bases.push({ expr, line: file.line(base), how: 'extends' });
  }
  return index;
}

function enumDeclaration(file: EcmascriptFile, node: Node, place: Place, exported: boolean): number {
  const name = node.childForFieldName('name') ?? node;
  const index = file.define('enum', name.text, node, name, place.owner);
  const body = node.childForFieldName('body');
  Object.assign(file.definition(index), {
    exported,
    signature: signatureOf(file.source, node, body),
    doc: docOf(commentOf(node)),
  });
  file.addBinding(place.scope, name.text, file.line(name), { definition: index });
  for (const child of body?.namedChildren ?? []) {
    const member = child.childForFieldName('name') ?? child;
    if (member.type === 'comment') continue;
    file.addMember(index, memberName(member), { value: literal, isStatic: true });
    const value = child.childForFieldName('value');
    if (value) file.expression(value, place, null);
  }
  return index;
}

/** A namespace is an object whose members are what it exports. */
function namespace(file: EcmascriptFile, node: Node, place: Place, exported: boolean): number {
  const name = node.childForFieldName('name') ?? node;
  const body = node.childForFieldName('body');
  let inner = place;
  let outermost = -1;
  for (const part of name.type === 'string' ? [name.text] : name.text.split('.')) {
    const index = file.define('object', part, node, name, inner.owner);
    Object.assign(file.definition(index), { exported, doc: docOf(commentOf(node)) });
    if (outermost < 0) {
      outermost = index;
      file.addBinding(place.scope, part, file.line(name), { definition: index });
    } else file.addMember(inner.owner, part, { definition: index });
    const scope = file.addScope(inner.scope, index);
    file.definition(index).scope = scope;
    inner = { ...inner, scope, hoist: scope, owner: index };
  }
  const before = file.facts.exports.length;
  if (body) file.visitAll(body, inner);
  // What a namespace exports is its own, not the file's.
  for (const { name: member, value } of file.facts.exports.splice(before)) {
    if (value) file.addMember(inner.owner, member, { value });
  }
  return outermost;
}
