import type { Node } from '../../facts/syntax-tree.ts';
import type { Base, ClassKind, Expr, TypeExpr } from '../../facts/fact.ts';
import { declareParameters, type NamedParameter } from '../reading/functions.ts';
import { partsOf, type Place, type Reader, type SourceFile, unknown } from '../reading/source-file.ts';
import { bindPattern } from './patterns.ts';
import { typeOf, typeParametersOf } from './types.ts';

/** What declares something. */
export const readers: Readonly<Record<string, Reader>> = {
  class_definition: typeReader('class'),
  trait_definition: typeReader('interface'),
  enum_definition: typeReader('enum'),
  object_definition(file, node, place) {
    const definition = typeDefinition(file, node, place, 'class');
    file.definition(definition).isSingleton = true;
    return unknown;
  },
  package_object(file, node, place) {
    // What a package's object has is of the package, which is one more than the file's where the file has nothing else.
    const isAlone = !node.parent?.namedChildren.some(({ id, type }) => id !== node.id && type.endsWith('_definition'));
    if (isAlone)
      file.facts.packageName = [file.facts.packageName, file.text(node.childForFieldName('name'))]
        .filter(Boolean)
        .join('.');
    const bases = baseNodesOf(node).map((part) => typeOf(file, part, place));
    if (bases.length > 0) file.facts.packageBases = [...(file.facts.packageBases ?? []), ...bases];
    readMembers(file, node.childForFieldName('body'), place);
    return unknown;
  },
  enum_case_definitions(file, node, place) {
    const type: TypeExpr = { kind: 'definition', definition: place.type };
    for (const part of partsOf(node)) {
      if (part.type === 'full_enum_case') typeDefinition(file, part, place, 'class');
      else file.member(place.type, file.text(part.childForFieldName('name')), { type, isStatic: true });
    }
    return unknown;
  },
  type_definition(file, node, place) {
    const name = node.childForFieldName('name');
    const typeNode = node.childForFieldName('type');
    if (!name || !typeNode) return unknown;
    const definition = file.define({ kind: 'type', name: file.text(name) }, node, place, name);
    declare(file, definition, node, place);
    const inside = file.enter(definition, place);
    const own = file.definition(definition);
    own.typeParameters = typeParametersOf(file, node, inside);
    own.returnType = typeOf(file, typeNode, inside);
    return unknown;
  },
  function_definition: (file, node, place) => functionDefinition(file, node, place, null),
  function_declaration: (file, node, place) => functionDefinition(file, node, place, null),
  /** `extension (b: Bar) def twice = …`: a method of `Bar`. */
  extension_definition(file, node, place) {
    const body = node.childrenForFieldName('body');
    for (const part of body.flatMap((one) => (one.type === 'template_body' ? partsOf(one) : [one]))) {
      functionDefinition(file, part, place, node);
    }
    return unknown;
  },
  val_definition: variable,
  var_definition: variable,
  val_declaration: variable,
  var_declaration: variable,
};

/** Companions last: an object's members belong to the class of its name. */
export function readMembers(file: SourceFile, body: Node | null | undefined, place: Place): void {
  const parts = body?.namedChildren ?? [];
  selfType(
    file,
    parts.find(({ type }) => type === 'self_type'),
    place,
  );
  const classes = new Map(parts.filter(isClass).map((part) => [file.text(part.childForFieldName('name')), part]));
  const classOf = (part: Node) =>
    part.type === 'object_definition' ? classes.get(file.text(part.childForFieldName('name'))) : undefined;
  for (const part of parts) if (!classOf(part)) file.read(part, place);
  for (const part of parts) {
    const beside = classOf(part);
    if (beside) companion(file, part, place, beside);
  }
}

/** `self: Type =>`: what is mixed in is also of that type, whose members are names here. */
function selfType(file: SourceFile, node: Node | undefined, place: Place): void {
  const [name, typeNode] = partsOf(node);
  if (!name) return;
  const own: TypeExpr = { kind: 'typeof', value: { kind: 'self', definition: place.definition } };
  const type = typeNode ? typeOf(file, typeNode, place) : null;
  if (type) file.receives(place, type);
  if (file.text(name) !== 'this')
    file.bind(place, file.text(name), name, { type: type ? { kind: 'union', options: [own, type] } : own });
}

function isClass({ type }: Node): boolean {
  return type === 'class_definition' || type === 'trait_definition' || type === 'enum_definition';
}

function companion(file: SourceFile, node: Node, place: Place, beside: Node): void {
  const isCase = beside.children.some(({ type }) => type === 'case');
  const name = file.text(node.childForFieldName('name'));
  const definition = file.facts.definitions.findLastIndex((one) => one.name === name && one.owner === place.definition);
  if (definition < 0) return;
  const whole = file.definition(definition);
  const body = node.childForFieldName('body');
  const before = whole.members.length;
  const inside: Place = { ...file.block({ ...place, scope: whole.scope }), definition, type: definition };
  const bases = basesOf(file, node, inside);
  whole.bases.push(...bases.map((base): Base => ({ ...base, isOfCompanion: true, isUnwritten: true })));
  // An object that inherits is a class beside that of its name.
  if (bases.length > 0) {
    const nameNode = node.childForFieldName('name');
    const object = file.define({ kind: 'class', name, isStatic: true, isSingleton: true }, node, place, nameNode);
    file.definition(object).bases = bases;
  }
  readMembers(file, body, inside);
  const added = whole.members.slice(before);
  for (const { name: known, definition: index, value, type } of added) {
    // An instance has none of them, but in the companion they are names.
    file.bind(inside, known, node, { definition: index, value, type });
  }
  for (const member of added) {
    member.isStatic = true;
    if (member.definition >= 0) file.definition(member.definition).isStatic = true;
  }
  // Beside what a companion says, a case class is still made by what it takes.
  if (!isCase) return;
  const makers = partsOf(body).filter(
    (part) => part.type === 'function_definition' && file.text(part.childForFieldName('name')) === 'apply',
  );
  const own = takenBy(file, beside.childForFieldName('class_parameters'));
  if (makers.length > 0 && makers.every((maker) => takenBy(file, firstList(maker)) !== own))
    file.member(definition, 'apply', { definition, isStatic: true });
}

/** The first list of what a function takes. */
const firstList = (node: Node) => node.childrenForFieldName('parameters').find(({ type }) => type === 'parameters');

/** Names and types, as written. */
function takenBy(file: SourceFile, list: Node | null | undefined): string {
  return partsOf(list)
    .map((part) => `${file.text(part.childForFieldName('name'))}: ${file.text(part.childForFieldName('type'))}`)
    .join(', ');
}

function typeReader(kind: ClassKind): Reader {
  return (file, node, place) => {
    typeDefinition(file, node, place, kind);
    return unknown;
  };
}

/** The index of what it defines. */
function typeDefinition(file: SourceFile, node: Node, place: Place, kind: ClassKind): number {
  const name = node.childForFieldName('name');
  const definition = file.define({ kind, name: file.text(name), isStatic: true }, node, place, name);
  declare(file, definition, node, place);
  readClass(file, node, definition, place);
  if (isImplicit(file, node)) extend(file, definition);
  return definition;
}

/** The methods of an implicit class are called on what it takes. */
function extend(file: SourceFile, definition: number): void {
  const own = file.definition(definition);
  const [only, ...others] = own.parameters;
  if (!only?.type || others.length > 0) return;
  own.extension = 'receiver';
  for (const member of own.members) {
    const method = member.definition >= 0 ? file.definition(member.definition) : null;
    if (method?.kind !== 'method') continue;
    method.receiver = only.type;
    method.extension = 'receiver';
  }
}

/** What a class has, also one that is written in place. */
export function readClass(file: SourceFile, node: Node, definition: number, place: Place): void {
  const inside = file.enter(definition, place);
  const own = file.definition(definition);
  own.typeParameters = typeParametersOf(file, node, inside);
  own.bases = basesOf(file, node, inside);
  for (const [index, list] of node.childrenForFieldName('class_parameters').entries()) {
    for (const { name, type = null, rest = false, optional = false } of parametersOf(file, list, inside)) {
      // Further lists are those of what the first gives.
      if (index === 0) own.parameters.push({ name, type, default: null, rest, optional });
      file.member(definition, name, { type });
    }
  }
  file.readAll(node.childForFieldName('extend')?.childForFieldName('arguments'), inside);
  readMembers(
    file,
    node.childForFieldName('body') ?? partsOf(node).find(({ type }) => type === 'template_body'),
    inside,
  );
}

function basesOf(file: SourceFile, node: Node, place: Place): Base[] {
  return baseNodesOf(node).map((part, index) => ({
    expr: { kind: 'typed', type: typeOf(file, part, place) },
    line: file.line(part),
    how: index === 0 ? 'extends' : 'implements',
  }));
}

function baseNodesOf(node: Node): Node[] {
  return (node.childForFieldName('extend')?.childrenForFieldName('type') ?? []).filter(({ isNamed }) => isNamed);
}

function functionDefinition(file: SourceFile, node: Node, place: Place, extension: Node | null): Expr {
  const nameNode = node.childForFieldName('name');
  const name = file.text(nameNode);
  if (!nameNode || !node.type.startsWith('function')) return file.read(node, place);
  const ofClass = place.type >= 0 && place.definition === place.type;
  const body = node.childForFieldName('body');
  const kind = name === 'this' ? 'constructor' : ofClass ? 'method' : 'function';
  const isPrivate = partsOf(node).some((part) => part.type === 'modifiers' && file.text(part).includes('private'));
  const definition = file.define(
    { kind, name, isAbstract: !body && ofClass, exported: !isPrivate },
    node,
    place,
    nameNode,
  );
  const own = file.definition(definition);
  const inside = file.enter(definition, place);
  own.typeParameters = typeParametersOf(file, node, inside);
  if (extension) extendBy(file, extension, definition, inside);
  else if (ofClass) file.member(place.type, kind === 'constructor' ? 'new()' : name, { definition });
  else file.bind(place, name, nameNode, { definition });
  // Further lists of parameters are those of what the first gives.
  const [first, ...others] = node.childrenForFieldName('parameters').filter(({ type }) => type === 'parameters');
  declareParameters(file, definition, inside, parametersOf(file, first, inside));
  for (const { name: known, node: named, type = null } of others.flatMap((list) => parametersOf(file, list, inside))) {
    file.bind(inside, known, named, { type });
  }
  const result = node.childForFieldName('return_type');
  own.returnType = result ? typeOf(file, result, inside) : null;
  const lists = others.filter((list) => !isGivenList(file, list));
  for (const list of lists.toReversed()) {
    const parameters = parametersOf(file, list, inside).map(({ type = null }) => type);
    if (own.returnType) own.returnType = { kind: 'function', parameters, returns: own.returnType };
  }
  if (isImplicit(file, node) && own.parameters.length === 1 && lists.length === 0 && !isGivenList(file, first))
    own.isConversion = true;
  if (body) file.returns(inside, file.read(body, inside));
  return unknown;
}

/** What it extends is a name in it, and its type parameters are those of what it extends, too. */
function extendBy(file: SourceFile, extension: Node, definition: number, inside: Place): void {
  const own = file.definition(definition);
  own.typeParameters.push(...typeParametersOf(file, extension, inside));
  const [receiver] = parametersOf(file, extension.childForFieldName('parameters'), inside);
  if (!receiver) return;
  file.bind(inside, receiver.name, receiver.node, { type: receiver.type ?? null });
  if (!receiver.type) return;
  own.receiver = receiver.type;
  own.extension = 'receiver';
}

function isImplicit(file: SourceFile, node: Node): boolean {
  return partsOf(node).some((part) => part.type === 'modifiers' && /\bimplicit\b/.test(file.text(part)));
}

/** Its parameters are filled in by the compiler. */
function isGivenList(file: SourceFile, list: Node | undefined): boolean {
  return list !== undefined && /^\(\s*(?:implicit|using)\b/.test(file.text(list));
}

/** Parameters with the nodes that name them. */
export function parametersOf(file: SourceFile, list: Node | null | undefined, place: Place): NamedParameter[] {
  return partsOf(list).flatMap((part): NamedParameter[] => {
    const name = part.childForFieldName('name');
    if (!name) return [];
    const typeNode = part.childForFieldName('type');
    const rest = typeNode?.type === 'repeated_parameter_type';
    const type = typeNode ? typeOf(file, typeNode, place) : null;
    const value = part.childForFieldName('default_value');
    file.read(value, place);
    return [{ name: file.text(name), node: name, type, rest, optional: rest || value !== null }];
  });
}

function variable(file: SourceFile, node: Node, place: Place): Expr {
  const ofClass = place.type >= 0 && place.definition === place.type;
  const typeNode = node.childForFieldName('type');
  const type = typeNode ? typeOf(file, typeNode, place) : null;
  const value = file.read(
    node.childForFieldName('value'),
    type ? { ...place, expected: { kind: 'typed', type } } : place,
  );
  const target = node.childForFieldName('pattern') ?? node.childForFieldName('name');
  if (target?.type === 'identifier' && value.kind === 'definition') file.nameFunction(value.definition, target);
  if (ofClass && target?.type === 'identifier') file.member(place.type, file.text(target), { type, value });
  else bindPattern(file, target, { value, type }, place);
  return unknown;
}

function declare(file: SourceFile, definition: number, node: Node, place: Place): void {
  const { name } = file.definition(definition);
  if (place.type >= 0 && place.definition === place.type) file.member(place.type, name, { definition, isStatic: true });
  else file.bind(place, name, node, { definition });
}
