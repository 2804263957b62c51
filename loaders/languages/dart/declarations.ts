import type { Node } from '../../facts/syntax-tree.ts';
import type { Base, ClassKind, Definition, Expr, TypeExpr } from '../../facts/fact.ts';
import { behind, chainOf } from '../reading/chained-file.ts';
import { oneLine } from '../reading/documentation.ts';
import { declareParameters, type NamedParameter } from '../reading/functions.ts';
import { partsOf, type Place, type Reader, type SourceFile, unknown } from '../reading/source-file.ts';
import { typeBefore, typeParametersOf, typesIn } from './types.ts';

/** What declares something; a body stands behind its signature. */
export const readers: Readonly<Record<string, Reader>> = {
  program: membersOf,
  class_definition: (file, node, place) => typeDeclaration(file, node, place, 'class'),
  mixin_declaration: (file, node, place) => typeDeclaration(file, node, place, 'class'),
  enum_declaration: (file, node, place) => typeDeclaration(file, node, place, 'enum'),
  extension_type_declaration: (file, node, place) => typeDeclaration(file, node, place, 'class'),
  extension_declaration: extension,
  mixin_application_class: (file, node, place) => typeDeclaration(file, node, place, 'class'),
  type_alias(file, node, place) {
    const nameNode = partsOf(node).find(({ type }) => type === 'type_identifier') ?? null;
    const definition = file.define({ kind: 'type', name: file.text(nameNode) }, node, place, nameNode);
    declare(file, definition, node, place);
    file.definition(definition).returnType = typesIn(file, behind(node, nameNode), place)[0] ?? null;
    return unknown;
  },
  enum_constant(file, node, place) {
    const type: TypeExpr = { kind: 'definition', definition: place.type };
    file.member(place.type, file.text(node.childForFieldName('name')), { type, isStatic: true });
    chainOf(file, partsOf(node).slice(1), place);
    return unknown;
  },
  lambda_expression(file, node, place) {
    const signature = node.childForFieldName('parameters');
    if (signature) functionDeclaration(file, signature, node.childForFieldName('body'), place);
    return unknown;
  },
};

/** What stands in a class or file, each signature with the body behind it. */
function membersOf(file: SourceFile, node: Node | null, place: Place): Expr {
  let type: Node[] = [];
  const parts = node?.namedChildren ?? [];
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    const body = next?.type === 'function_body' ? next : null;
    if (part.type.endsWith('_signature')) functionDeclaration(file, innerOf(part), body, place);
    else if (part.type === 'declaration') fieldDeclaration(file, part, place);
    else if (/^(?:initialized_identifier_list|static_final_declaration_list)$/.test(part.type)) {
      variables(file, part, typesIn(file, type, place)[0] ?? null, place);
      type = [];
    } else if (/^(?:type_|nullable_type|function_type)/.test(part.type)) type.push(part);
    else if (part.type !== 'function_body' && part.type !== 'annotation') {
      file.read(part, place);
      if (!part.type.endsWith('comment')) type = [];
    }
  }
  return unknown;
}

function innerOf(node: Node): Node {
  return node.type === 'method_signature'
    ? (partsOf(node).find(({ type }) => type.endsWith('_signature')) ?? node)
    : node;
}

const isOfClass = (place: Place): boolean => place.type >= 0 && place.definition === place.type;

function declare(file: SourceFile, definition: number, node: Node, place: Place): void {
  file.bind(place, file.definition(definition).name, node, { definition });
}

function typeDeclaration(file: SourceFile, node: Node, place: Place, kind: ClassKind): Expr {
  const inner = partsOf(node)[0]?.type === 'mixin_application_class' ? partsOf(node)[0] : node;
  const nameNode = node.childForFieldName('name') ?? partsOf(inner).find(({ type }) => type === 'identifier') ?? null;
  const name = file.text(nameNode);
  if (name === '') return unknown;
  const body = partsOf(node).find(({ type }) => /^(?:class|enum)_body$/.test(type)) ?? null;
  const signature = oneLine(file.source.slice(node.startIndex, body?.startIndex ?? node.endIndex));
  const definition = file.define(
    { kind, name, signature, exported: !name.startsWith('_'), isStatic: true },
    node,
    place,
    nameNode,
  );
  declare(file, definition, nameNode ?? node, place);
  const inside = file.enter(definition, place);
  const own = file.definition(definition);
  own.typeParameters = typeParametersOf(file, node, inside);
  own.bases = basesOf(file, inner ?? node, inside);
  const representation = node.childForFieldName('representation');
  const field = representation?.childForFieldName('name');
  if (representation && field)
    file.member(definition, file.text(field), { type: typeBefore(file, representation, field, inside) });
  membersOf(file, body, inside);
  return unknown;
}

/** What is mixed in last is asked first, and before what the class extends. */
function basesOf(file: SourceFile, node: Node, place: Place): Base[] {
  const superclass =
    node.childForFieldName('superclass') ?? partsOf(node).find(({ type }) => type === 'mixin_application');
  const mixins = superclass?.descendantsOfType('mixins')[0] ?? partsOf(node).find(({ type }) => type === 'mixins');
  const above = partsOf(superclass).filter(({ type }) => type !== 'mixins');
  const isMixin = node.type === 'mixin_declaration';
  const body = partsOf(node).find(({ type }) => type.endsWith('body'));
  const on = isMixin
    ? partsOf(node).filter(
        (part) => /^type_(?:identifier|arguments)$/.test(part.type) && part.endIndex <= (body?.startIndex ?? 0),
      )
    : [];
  const interfaces = node.childForFieldName('interfaces') ?? partsOf(node).find(({ type }) => type === 'interfaces');
  const base =
    (how: Base['how']) =>
    (type: TypeExpr): Base => ({ expr: { kind: 'typed', type }, line: file.line(node), how });
  return [
    ...typesIn(file, partsOf(mixins), place).toReversed().map(base('implements')),
    ...typesIn(file, above, place).map(base('extends')),
    ...typesIn(file, on, place).map(base('implements')),
    ...typesIn(file, partsOf(interfaces), place).map(base('implements')),
  ];
}

/** The methods of an extension are those of the type that it extends. */
function extension(file: SourceFile, node: Node, place: Place): Expr {
  const body = node.childForFieldName('body');
  const nameNode = node.childForFieldName('name');
  const types = partsOf(node).filter((part) => part.id !== nameNode?.id && part.endIndex <= (body?.startIndex ?? 0));
  const inside = file.block(place);
  const [receiver = unknown] = typesIn(file, types, inside);
  file.receives(inside, receiver);
  membersOf(file, body, { ...inside, self: receiver });
  return unknown;
}

function fieldDeclaration(file: SourceFile, node: Node, place: Place): void {
  const signature = partsOf(node).find(({ type }) => type.endsWith('_signature'));
  if (signature) {
    functionDeclaration(file, signature, null, place);
    return;
  }
  const list = partsOf(node).find(({ type }) => type.endsWith('_list'));
  if (list) variables(file, list, typeBefore(file, node, list, place), place);
}

function variables(file: SourceFile, list: Node, type: TypeExpr | null, place: Place): void {
  for (const part of partsOf(list)) {
    const nameNode = part.type === 'identifier' ? part : partsOf(part)[0];
    if (!nameNode) continue;
    const expected: Expr | null = type ? { kind: 'typed', type } : null;
    const value = part === nameNode ? unknown : chainOf(file, behind(part, nameNode), { ...place, expected });
    const known = type ? { type } : { value };
    if (isOfClass(place)) file.member(place.type, file.text(nameNode), known);
    else file.bind(place, file.text(nameNode), nameNode, known);
  }
}

/** What a signature says by its shape. */
function headOf(file: SourceFile, signature: Node) {
  const named = signature.childrenForFieldName('name').filter(({ type }) => type === 'identifier');
  const names = named.length > 0 ? named : partsOf(signature).filter(({ type }) => type === 'identifier');
  const isConstructor = signature.type.includes('constructor');
  const isOperator = signature.type === 'operator_signature';
  const { parent } = signature;
  const nameNode = names.at(-1) ?? partsOf(signature).find(({ type }) => type === 'binary_operator') ?? signature;
  const operator = /\boperator\s*([^\s(]+|\[\]=?)\s*\(/.exec(isOperator ? file.text(signature) : '')?.[1] ?? '';
  const list = partsOf(signature).find(({ type }) => type === 'formal_parameter_list') ?? null;
  return {
    name: isOperator ? operator : file.text(nameNode),
    nameNode,
    list,
    around: parent && /^(?:method_signature|declaration)$/.test(parent.type) ? parent : signature,
    isConstructor,
    /** The one without a name of its own is the class that is called. */
    isUnnamed: isConstructor && names.length < 2,
    isSetter: signature.type === 'setter_signature',
    /** The result's type ends here. */
    afterType: isOperator ? list : nameNode,
  };
}

/** A function, method, accessor, operator or constructor. */
function functionDeclaration(file: SourceFile, signature: Node, body: Node | null, place: Place): void {
  const { name, nameNode, list, isConstructor, isUnnamed, isSetter, afterType, around } = headOf(file, signature);
  const isStatic = isConstructor || /^(?:external\s+)?static\b/.test(file.text(around));
  const ofClass = isOfClass(place);
  const isExtension = !ofClass && place.self !== null && place.definition < 0;
  const more: Partial<Definition> = {
    isStatic,
    isProperty: signature.type === 'getter_signature',
    exported: !name.startsWith('_'),
    isAbstract: ofClass && body === null && !isConstructor,
    signature: isUnnamed ? null : oneLine(file.text(around)),
  };
  const kind = isConstructor ? 'constructor' : ofClass || isExtension ? 'method' : 'function';
  const definition = file.define({ kind, name, ...more }, around, place, nameNode);
  const own = file.definition(definition);
  own.endLine = (body ?? around).endPosition.row + 1;
  const inside = file.enter(definition, place);
  if (ofClass && !isSetter) file.member(place.type, isUnnamed ? 'new()' : name, { definition, isStatic });
  else if (!isSetter) file.bind(place, name, nameNode, { definition });
  if (isExtension && !isStatic) {
    own.receiver = place.self ?? unknown;
    own.extension = 'receiver';
  }
  own.typeParameters = typeParametersOf(file, signature, inside);
  declareParameters(file, definition, inside, parametersOf(file, list, inside));
  own.returnType = isConstructor
    ? { kind: 'definition', definition: place.type }
    : typeBefore(file, signature, afterType, inside);
  for (const part of partsOf(around)) if (/^(?:initializers|redirection)$/.test(part.type)) file.read(part, inside);
  if (!body) return;
  const value = chainOf(file, partsOf(body), inside);
  if (partsOf(body)[0]?.type !== 'block') file.returns(inside, value);
}

/** Parameters with the nodes that name them; `this.x` is what the field is. */
export function parametersOf(file: SourceFile, list: Node | null | undefined, place: Place): NamedParameter[] {
  return partsOf(list).flatMap((part): NamedParameter[] => {
    if (part.type === 'optional_formal_parameters')
      return parametersOf(file, part, place).map((parameter) => ({ ...parameter, optional: true }));
    if (part.type !== 'formal_parameter') {
      file.read(part, place);
      return [];
    }
    const [inner] = partsOf(part);
    const holder = inner && /^(?:constructor_param|super_formal_parameter)$/.test(inner.type) ? inner : part;
    const nameNode = holder.childForFieldName('name') ?? partsOf(holder).findLast(({ type }) => type === 'identifier');
    if (!nameNode) return [];
    return [{ name: file.text(nameNode), node: nameNode, type: typeBefore(file, holder, nameNode, place) }];
  });
}
