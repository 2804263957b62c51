import type { Base, ClassKind, Member, Parameter, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { lastOf, partsOf, type Place, type Reader, type SourceFile, unknown } from '../reading/source-file.ts';
import { bindPattern } from './patterns.ts';
import { associate, referenceOf, typeOf, typeParametersOf } from './types.ts';

/** What declares something. */
export const readers: Readonly<Record<string, Reader>> = {
  mod_item: moduleItem,
  function_item: functionItem,
  function_signature_item: functionItem,
  struct_item: (file, node, place) => typeItem(file, node, place, 'struct'),
  union_item: (file, node, place) => typeItem(file, node, place, 'struct'),
  enum_item: (file, node, place) => typeItem(file, node, place, 'enum'),
  trait_item: (file, node, place) => typeItem(file, node, place, 'interface'),
  type_item: aliasItem,
  impl_item: implementation,
  const_item: constant,
  static_item: constant,
  extern_crate_declaration(file, node, place) {
    const module = file.text(node.childForFieldName('name'));
    const local = file.text(node.childForFieldName('alias')) || module;
    file.importAs(place, { module: module === 'self' ? 'crate' : module, name: '*', local }, node);
    return unknown;
  },
};

/** `mod name;` is another file, `mod name { … }` a module in this one. */
function moduleItem(file: SourceFile, node: Node, place: Place) {
  const nameNode = node.childForFieldName('name');
  const name = file.text(nameNode);
  const body = node.childForFieldName('body');
  if (!body) {
    const attribute = node.previousNamedSibling;
    const [, path] =
      /path\s*=\s*"([^"]+)"/.exec(attribute?.type === 'attribute_item' ? file.text(attribute) : '') ?? [];
    const module = path === undefined ? `mod ${name}` : `file ${path}`;
    file.importAs(place, { module, name: '*', local: name }, node);
    if (place.definition >= 0)
      declare(file, name, node, place, { value: { kind: 'import', import: file.facts.imports.length - 1 } });
    return unknown;
  }
  const definition = file.define({ kind: 'object', name, exported: isPublic(file, node) }, node, place, nameNode);
  declare(file, name, node, place, { definition });
  lastOf(file, body, { ...file.enter(definition, place), self: null });
  return unknown;
}

function functionItem(file: SourceFile, node: Node, place: Place) {
  const nameNode = node.childForFieldName('name');
  const name = file.text(nameNode);
  const parameters = partsOf(node.childForFieldName('parameters'));
  // Also with its type written out: `self: Pin<&mut Self>`.
  const receiver = parameters.find(
    (part) => part.type === 'self_parameter' || part.childForFieldName('pattern')?.type === 'self',
  );
  const body = node.childForFieldName('body');
  const ofTrait = place.type >= 0;
  const definition = file.define(
    {
      kind: ofTrait || place.implementing ? 'method' : 'function',
      name,
      exported: isPublic(file, node) || ofTrait,
      isStatic: !receiver,
      isAbstract: !body,
      isAsync: /\basync\b/.test(file.text(node.namedChildren.find(({ type }) => type === 'function_modifiers'))),
    },
    node,
    place,
    nameNode,
  );
  const own = file.definition(definition);
  const reference = place.self && referenceOf(place.self);
  const inside: Place = { ...file.enter(definition, place), type: -1, implementing: undefined };
  own.typeParameters = typeParametersOf(file, node, inside);
  if (ofTrait) {
    file.member(place.type, name, { definition, isStatic: !receiver });
  } else if (place.self && (place.implementing === 'trait' || (place.implementing && reference))) {
    own.receiver = place.self;
    // The trait may be implemented for a type from outside, which is so given a method.
    if (receiver && place.implementing === 'trait') own.extension = 'receiver';
    if (reference) own.qualifiedName = [reference.name.split('.').at(-1), name].join('.');
  } else {
    declare(file, name, nameNode ?? node, place, { definition });
  }
  if (receiver) file.bind(inside, 'self', receiver, { type: place.self });
  for (const part of parameters) {
    if (part.type !== 'parameter' || part === receiver) continue;
    const pattern = part.childForFieldName('pattern');
    const type = typeOf(file, part.childForFieldName('type'), inside);
    const parameter: Parameter = { name: file.text(pattern), type, default: null, rest: false, optional: false };
    own.parameters.push(parameter);
    bindPattern(file, pattern, { value: { kind: 'typed', type }, type }, inside);
  }
  const result = node.childForFieldName('return_type');
  own.returnType = result ? resultOf(file, result, inside) : null;
  if (body) file.read(body, inside);
  return unknown;
}

/** A trait's method that gives `Self` gives what it was called on. */
function resultOf(file: SourceFile, node: Node, place: Place): TypeExpr {
  const type = typeOf(file, node, place);
  return type.kind === 'definition' && place.self === type
    ? { kind: 'typeof', value: { kind: 'self', definition: type.definition } }
    : type;
}

function typeItem(file: SourceFile, node: Node, place: Place, kind: ClassKind) {
  const nameNode = node.childForFieldName('name');
  const name = file.text(nameNode);
  const definition = file.define({ kind, name, exported: isPublic(file, node) }, node, place, nameNode);
  declare(file, name, nameNode ?? node, place, { definition });
  const own = file.definition(definition);
  const self: TypeExpr = { kind: 'definition', definition };
  const inside: Place = { ...file.enter(definition, place), self };
  own.typeParameters = typeParametersOf(file, node, inside);
  if (kind === 'interface') {
    own.bases = partsOf(node.childForFieldName('bounds')).flatMap((part) => baseOf(file, part, inside, 'extends'));
    for (const item of partsOf(node.childForFieldName('body'))) {
      if (item.type !== 'associated_type') file.read(item, inside);
    }
    return unknown;
  }
  for (const [index, part] of partsOf(node.childForFieldName('body')).entries()) {
    if (kind === 'enum' && part.type === 'enum_variant') variant(file, part, inside, definition);
    else own.members.push(...fieldsOf(file, part, inside, index));
  }
  return unknown;
}

/** `Some(x)` is called and gives the enum; any other variant is one of its values. */
function variant(file: SourceFile, node: Node, place: Place, definition: number): void {
  const self: TypeExpr = { kind: 'definition', definition };
  const body = node.childForFieldName('body');
  const isCalled = body?.type === 'ordered_field_declaration_list';
  const parameters = isCalled ? typesIn(body).map((part) => typeOf(file, part, place)) : [];
  file.member(definition, file.text(node.childForFieldName('name')), {
    type: isCalled ? { kind: 'function', parameters, returns: self } : self,
    isStatic: true,
  });
}

function fieldsOf(file: SourceFile, part: Node, place: Place, index: number): Member[] {
  const isNamed = part.type === 'field_declaration';
  if (part.type === 'visibility_modifier' || part.type === 'attribute_item') return [];
  const name = isNamed ? file.text(part.childForFieldName('name')) : `${index}`;
  const type = typeOf(file, isNamed ? part.childForFieldName('type') : part, place);
  return [{ name, definition: -1, value: null, type, isStatic: false }];
}

function typesIn(list: Node): Node[] {
  return partsOf(list).filter(({ type }) => type !== 'visibility_modifier' && type !== 'attribute_item');
}

function aliasItem(file: SourceFile, node: Node, place: Place) {
  const nameNode = node.childForFieldName('name');
  const name = file.text(nameNode);
  // What a trait's implementation says of a type of its own is no name.
  if (place.self) return unknown;
  const definition = file.define({ kind: 'type', name, exported: isPublic(file, node) }, node, place, nameNode);
  declare(file, name, nameNode ?? node, place, { definition });
  const own = file.definition(definition);
  const inside = file.enter(definition, place);
  own.typeParameters = typeParametersOf(file, node, inside);
  own.returnType = typeOf(file, node.childForFieldName('type'), inside);
  return unknown;
}

/** The methods belong to the type, wherever it is; a trait becomes a base of it. */
function implementation(file: SourceFile, node: Node, place: Place) {
  const definition = file.define({ kind: 'object', name: '', qualifiedName: '' }, node, place);
  const own = file.definition(definition);
  const inside = file.enter(definition, place);
  own.typeParameters = typeParametersOf(file, node, inside);
  const trait = node.childForFieldName('trait');
  const type = typeOf(file, node.childForFieldName('type'), inside);
  const self = trait && isPointerToTrait(node.childForFieldName('type')) ? apartFrom(type) : type;
  if (trait) {
    own.receiver = self;
    own.bases = baseOf(file, trait, inside, 'implements');
  }
  const body = node.childForFieldName('body');
  associate(file, self, body, inside);
  // The implementation itself is nobody's owner.
  file.readAll(body, {
    ...inside,
    definition: place.definition,
    type: -1,
    self,
    implementing: trait ? 'trait' : 'type',
  });
  return unknown;
}

/** `Box<dyn Trait>` and `&dyn Trait`: what implements a trait for it says nothing of the other types that have the trait. */
function isPointerToTrait(type: Node | null): boolean {
  if (type?.type === 'reference_type') {
    const target = type.childForFieldName('type');
    return target?.type === 'dynamic_type' || isPointerToTrait(target);
  }
  if (type?.type !== 'generic_type') return false;
  return partsOf(type.childForFieldName('type_arguments')).some(
    (part) => (part.type === 'bounded_type' ? part.namedChildren[0] : part)?.type === 'dynamic_type',
  );
}

/** The same type, to which nothing is added. */
function apartFrom(type: TypeExpr): TypeExpr {
  return { kind: 'union', options: [type] };
}

function baseOf(file: SourceFile, node: Node, place: Place, how: Base['how']): Base[] {
  if (node.type === 'lifetime' || node.type === 'removed_trait_bound') return [];
  const type = typeOf(file, node, place);
  const reference = referenceOf(type);
  return reference ? [{ expr: { kind: 'typed', type: reference }, line: file.line(node), how }] : [];
}

function constant(file: SourceFile, node: Node, place: Place) {
  const type = typeOf(file, node.childForFieldName('type'), place);
  const name = file.text(node.childForFieldName('name'));
  const value = file.read(node.childForFieldName('value'), place);
  if (place.type >= 0) file.member(place.type, name, { type, isStatic: true });
  else if (!place.self) declare(file, name, node, place, { type, value });
  return unknown;
}

/** A name of the place and, in a module inside the file, of that module. */
function declare(
  file: SourceFile,
  name: string,
  node: Node,
  place: Place,
  to: { definition?: number; value?: Member['value']; type?: TypeExpr },
): void {
  file.bind(place, name, node, to);
  file.member(moduleAt(file, place), name, { ...to, isStatic: false });
}

/** The module inside the file that a place is in directly; -1 where there is none. */
export function moduleAt(file: SourceFile, place: Place): number {
  const around = place.definition >= 0 ? file.definition(place.definition) : null;
  return around?.kind === 'object' && around.scope === place.scope ? place.definition : -1;
}

export function isPublic(file: SourceFile, node: Node): boolean {
  return node.namedChildren[0]?.type === 'visibility_modifier' && file.text(node.namedChildren[0]).startsWith('pub');
}
