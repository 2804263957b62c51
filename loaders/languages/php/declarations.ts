import type { Node } from '../../facts/syntax-tree.ts';
import type { Base, ClassKind, TypeExpr } from '../../facts/fact.ts';
import { declareParameters, type NamedParameter } from '../reading/functions.ts';
import { lastOf, partsOf, type Place, type Reader, type SourceFile, unknown } from '../reading/source-file.ts';
import { constructorName, method, typeNamed } from './names.ts';
import { documentedType, typeOf } from './types.ts';

/** What declares something. */
export const readers: Readonly<Record<string, Reader>> = {
  class_declaration: (file, node, place) => typeDeclaration(file, node, place, 'class'),
  trait_declaration: (file, node, place) => typeDeclaration(file, node, place, 'class'),
  interface_declaration: (file, node, place) => typeDeclaration(file, node, place, 'interface'),
  enum_declaration: (file, node, place) => typeDeclaration(file, node, place, 'enum'),
  enum_case(file, node, place) {
    const type: TypeExpr = { kind: 'definition', definition: place.type };
    file.member(place.type, file.text(node.childForFieldName('name')), { type, isStatic: true });
    return unknown;
  },
  /** `use T;` in a class: a trait's methods are the class's. */
  use_declaration(file, node, place) {
    const own = file.definition(place.type);
    for (const part of partsOf(node)) {
      if (!part.type.endsWith('name')) continue;
      // What a class extends comes after its traits.
      own.bases.unshift(baseOf(file, part, place, 'implements'));
    }
    return unknown;
  },
  method_declaration: functionDeclaration,
  function_definition: functionDeclaration,
  property_declaration(file, node, place) {
    const isStatic = node.namedChildren.some(({ type }) => type === 'static_modifier');
    const comment = file.commentAbove(node);
    const written = typeOf(file, node.childForFieldName('type'), place);
    const type = written.kind === 'unknown' ? documentedType(file, comment, 'var', node, place) : written;
    for (const part of partsOf(node)) {
      if (part.type !== 'property_element') continue;
      const value = file.read(part.childForFieldName('default_value'), place);
      file.member(place.type, variableName(file, part.childForFieldName('name')), { type, value, isStatic });
    }
    return unknown;
  },
  const_declaration(file, node, place) {
    for (const part of partsOf(node)) {
      if (part.type !== 'const_element') continue;
      const [name, value] = partsOf(part);
      const read = file.read(value, place);
      if (place.type >= 0) file.member(place.type, file.text(name), { value: read, isStatic: true });
      else if (name) file.bind(file.top, file.text(name), name, { value: read });
    }
    return unknown;
  },
};

function typeDeclaration(file: SourceFile, node: Node, place: Place, kind: ClassKind) {
  const nameNode = node.childForFieldName('name');
  const name = file.text(nameNode);
  const definition = file.define({ kind, name }, node, place, nameNode);
  // A class in a function or an `if` is everybody's.
  file.bind(file.top, name, node, { definition });
  readBody(file, node, definition, place);
  return unknown;
}

/** The bases and the members of a class, anonymous ones included. */
export function readBody(file: SourceFile, node: Node, definition: number, place: Place): void {
  const inside = file.enter(definition, place);
  const own = file.definition(definition);
  for (const clause of partsOf(node)) {
    const how = clause.type === 'base_clause' ? 'extends' : 'implements';
    if (clause.type !== 'base_clause' && clause.type !== 'class_interface_clause') continue;
    own.bases.push(...partsOf(clause).map((part) => baseOf(file, part, inside, how)));
  }
  file.readAll(node.childForFieldName('body'), inside);
}

function baseOf(file: SourceFile, node: Node, place: Place, how: Base['how']): Base {
  return { expr: { kind: 'typed', type: typeNamed(file, file.text(node), node, place) }, line: file.line(node), how };
}

function functionDeclaration(file: SourceFile, node: Node, place: Place) {
  const nameNode = node.childForFieldName('name');
  const name = file.text(nameNode);
  const comment = file.commentAbove(node);
  const ofClass = node.type === 'method_declaration' && place.type >= 0;
  const isStatic = node.namedChildren.some(({ type }) => type === 'static_modifier');
  const isPrivate = node.namedChildren.some(
    (part) => part.type === 'visibility_modifier' && file.text(part) === 'private',
  );
  const body = node.childForFieldName('body');
  const kind = !ofClass ? 'function' : name === '__construct' ? 'constructor' : 'method';
  const definition = file.define(
    { kind, name, isStatic, isAbstract: !body, exported: !isPrivate },
    node,
    place,
    nameNode,
  );
  const memberName = kind === 'constructor' ? constructorName : method(name);
  if (ofClass) file.member(place.type, memberName, { definition, isStatic });
  else file.bind(file.top, method(name), nameNode ?? node, { definition });
  const inside = file.enter(definition, place);
  const parameters = parametersOf(file, node.childForFieldName('parameters'), inside, comment);
  declareParameters(file, definition, inside, parameters);
  const result = node.childForFieldName('return_type');
  const written = result ? typeOf(file, result, inside) : unknown;
  const own = file.definition(definition);
  const isFluent = /^(?:static|\$this)$/.test(file.text(result) || (/@return\s+(\S+)/.exec(comment)?.[1] ?? ''));
  own.returnType =
    isFluent && !isStatic && ofClass
      ? { kind: 'typeof', value: { kind: 'self', definition } }
      : written.kind === 'unknown'
        ? documentedType(file, comment, 'return', node, inside)
        : written;
  if (body) lastOf(file, body, inside);
  return unknown;
}

/** Parameters with the nodes that name them; what a constructor promotes becomes a property. */
export function parametersOf(file: SourceFile, list: Node | null, place: Place, comment = ''): NamedParameter[] {
  return partsOf(list).flatMap((part): NamedParameter[] => {
    const nameNode = part.childForFieldName('name');
    if (!nameNode) return [];
    const name = variableName(file, nameNode);
    const written = typeOf(file, part.childForFieldName('type'), place);
    const type = written.kind === 'unknown' ? documentedType(file, comment, 'param', part, place, name) : written;
    if (part.type === 'property_promotion_parameter') file.member(place.type, name, { type });
    const rest = part.type === 'variadic_parameter';
    return [
      {
        name: `$${name}`,
        node: nameNode,
        type,
        rest,
        optional: rest || part.childForFieldName('default_value') !== null,
      },
    ];
  });
}

/** `$name` without its sign. */
export function variableName(file: SourceFile, node: Node | null | undefined): string {
  return file.text(node).replace(/^[&.]*\$/, '');
}
