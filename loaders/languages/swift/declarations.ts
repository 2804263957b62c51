import type { Node } from '../../facts/syntax-tree.ts';
import type { Base, ClassKind, Definition, Expr, TypeExpr } from '../../facts/fact.ts';
import { oneLine } from '../reading/documentation.ts';
import { declareParameters, type NamedParameter } from '../reading/functions.ts';
import { partsOf, type Place, type Reader, skipped, type SourceFile, unknown } from '../reading/source-file.ts';
import { annotated, isType, typeOf, typeParametersOf } from './types.ts';

const kinds: Readonly<Record<string, ClassKind>> = { struct: 'struct', enum: 'enum', protocol: 'interface' };

/** What declares something. */
export const readers: Readonly<Record<string, Reader>> = {
  class_declaration: (file, node, place) =>
    node.childForFieldName('declaration_kind')?.type === 'extension'
      ? extension(file, node, place)
      : typeDeclaration(file, node, place),
  protocol_declaration: typeDeclaration,
  function_declaration: functionDeclaration,
  protocol_function_declaration: functionDeclaration,
  init_declaration: functionDeclaration,
  deinit_declaration: functionDeclaration,
  subscript_declaration: functionDeclaration,
  property_declaration: property,
  protocol_property_declaration: property,
  enum_entry(file, node, place) {
    const type: TypeExpr = place.type >= 0 ? { kind: 'definition', definition: place.type } : unknown;
    for (const name of node.childrenForFieldName('name'))
      if (name.type === 'simple_identifier') file.member(place.type, file.text(name), { type, isStatic: true });
    return unknown;
  },
  typealias_declaration(file, node, place) {
    const [nameNode] = node.childrenForFieldName('name');
    if (!nameNode) return unknown;
    const definition = file.define({ kind: 'type', name: file.text(nameNode) }, node, place, nameNode);
    declare(file, definition, nameNode, place);
    const inside = file.enter(definition, place);
    file.definition(definition).typeParameters = typeParametersOf(file, node, inside);
    file.definition(definition).returnType = typeOf(file, partsOf(node).findLast(isType), inside);
    return unknown;
  },
  associatedtype_declaration: skipped,
  modifiers: skipped,
  attribute: skipped,
};

const isOfClass = (place: Place): boolean => place.type >= 0 && place.definition === place.type;
/** Directly in an extension, whose members are those of what it extends. */
const isInExtension = (file: SourceFile, place: Place): boolean =>
  place.self !== null && file.facts.scopes[place.scope]?.receiver === place.self;

function modifiersOf(file: SourceFile, node: Node): string {
  return file.text(partsOf(node).find(({ type }) => type === 'modifiers'));
}

/** A name of the type around, or of the file. */
function declare(file: SourceFile, definition: number, nameNode: Node, place: Place): void {
  const own = file.definition(definition);
  if (isOfClass(place)) file.member(place.type, own.name, { definition, isStatic: true });
  else {
    if (isInExtension(file, place) && place.self) own.receiver = place.self;
    file.bind(place, own.name, nameNode, { definition });
  }
}

function basesOf(file: SourceFile, node: Node, place: Place, kind: ClassKind): Base[] {
  return partsOf(node)
    .filter(({ type }) => type === 'inheritance_specifier')
    .map((part, index) => ({
      expr: { kind: 'typed', type: typeOf(file, part.childForFieldName('inherits_from'), place) },
      line: file.line(part),
      how: kind === 'interface' || (kind === 'class' && index === 0) ? 'extends' : 'implements',
    }));
}

function typeDeclaration(file: SourceFile, node: Node, place: Place): Expr {
  const nameNode = node.childForFieldName('name');
  const body = node.childForFieldName('body');
  const kind = kinds[node.childForFieldName('declaration_kind')?.type ?? ''] ?? 'class';
  const exported = !/\b(?:file)?private\b/.test(modifiersOf(file, node));
  const definition = file.define({ kind, name: file.text(nameNode), exported, isStatic: true }, node, place, nameNode);
  declare(file, definition, nameNode ?? node, place);
  const inside = { ...file.enter(definition, place), self: null };
  const own = file.definition(definition);
  own.typeParameters = typeParametersOf(file, node, inside);
  own.bases = basesOf(file, node, inside, kind);
  file.readAll(body, inside);
  return unknown;
}

/** What an extension has, the type has that it extends; so has it what the extension conforms to. */
function extension(file: SourceFile, node: Node, place: Place): Expr {
  const inside = file.block({ ...place, definition: -1, type: -1 });
  const receiver = typeOf(file, node.childForFieldName('name'), inside);
  const bases = basesOf(file, node, inside, 'struct');
  if (bases.length > 0) file.define({ kind: 'class', name: '', bases, receiver }, node, place);
  file.receives(inside, receiver);
  file.readAll(node.childForFieldName('body'), { ...inside, self: receiver });
  return unknown;
}

/** A function, method, initializer or subscript. */
function functionDeclaration(file: SourceFile, node: Node, place: Place): Expr {
  const isInit = node.type === 'init_declaration';
  const isWordless = isInit || node.type === 'deinit_declaration' || node.type === 'subscript_declaration';
  const [written] = node.childrenForFieldName('name');
  const nameNode = isWordless
    ? (node.children.find(({ type }) => /^(?:init|deinit|subscript)$/.test(type)) ?? node)
    : (written ?? node);
  const name = isWordless ? node.type.replace('_declaration', '') : file.text(nameNode);
  const modifiers = modifiersOf(file, node);
  const isStatic = isInit || /\b(?:static|class)\b/.test(modifiers);
  const body = node.childForFieldName('body');
  const ofType = isOfClass(place);
  const inExtension = isInExtension(file, place);
  const definition = file.define(
    {
      kind: isInit && (ofType || inExtension) ? 'constructor' : ofType || inExtension ? 'method' : 'function',
      name,
      isStatic,
      exported: !/\b(?:file)?private\b/.test(modifiers),
      isAbstract: node.type === 'protocol_function_declaration' && !body,
      isAsync: /\basync\b/.test(file.source.slice(nameNode.endIndex, body?.startIndex ?? node.endIndex)),
    },
    node,
    place,
    nameNode,
  );
  const inside = file.enter(definition, place);
  adopt(file, definition, nameNode, isStatic, place);
  const own = file.definition(definition);
  own.typeParameters = typeParametersOf(file, node, inside);
  declareParameters(file, definition, inside, parametersOf(file, node, inside));
  const result = partsOf(node).findLast((part) => isType(part) && part.endIndex <= (body?.startIndex ?? node.endIndex));
  own.returnType = isInit ? selfType(place) : result ? typeOf(file, result, inside) : null;
  const computed = partsOf(node).find(({ type }) => type === 'computed_property');
  bodyOf(file, partsOf(body ?? computed), inside);
  return unknown;
}

function selfType(place: Place): TypeExpr | null {
  return place.self ?? (place.type >= 0 ? { kind: 'definition', definition: place.type } : null);
}

/** Makes a function or property a member of the type around, of the type that is extended, or a name here. */
function adopt(file: SourceFile, definition: number, nameNode: Node, isStatic: boolean, place: Place): void {
  const own = file.definition(definition);
  if (isOfClass(place)) file.member(place.type, own.name, { definition, isStatic });
  else if (isInExtension(file, place)) {
    own.receiver = place.self ?? unknown;
    own.extension = 'receiver';
  } else if (own.name !== 'init') file.bind(place, own.name, nameNode, { definition });
}

/** A body that is one expression gives its value. */
function bodyOf(file: SourceFile, parts: readonly Node[], place: Place): void {
  const [only] = parts;
  const statements = only?.type === 'statements' ? partsOf(only) : [];
  if (statements.length === 1) file.returns(place, file.read(statements[0], place));
  else for (const part of parts) file.read(part, place);
}

/** Parameters by their labels, as calls name them; what they are called inside is bound apart. */
export function parametersOf(file: SourceFile, node: Node, place: Place): NamedParameter[] {
  const parameters: NamedParameter[] = [];
  for (const part of partsOf(node)) {
    const last = parameters.at(-1);
    if (part.type !== 'parameter') continue;
    const label = file.text(part.childForFieldName('external_name'));
    const nameNode = part.childrenForFieldName('name').find(({ type }) => type === 'simple_identifier');
    if (!nameNode) continue;
    const type = annotated(file, part, place);
    const rest = file.text(part).endsWith('...');
    if (label !== '' && label !== '_')
      file.bind(
        place,
        file.text(nameNode),
        nameNode,
        type ? { type: rest ? { kind: 'array', element: type } : type } : {},
      );
    parameters.push({
      name: label === '' || label === '_' ? file.text(nameNode) : label,
      node: nameNode,
      type,
      rest,
      optional: rest || last === undefined ? rest : false,
    });
  }
  for (const value of node.childrenForFieldName('default_value')) {
    const before = parameters.findLast((parameter) => parameter.node.endIndex <= value.startIndex);
    if (before) before.optional = true;
    file.read(value, place);
  }
  return parameters;
}

/** Properties: those with code of their own are methods that reading them calls. */
function property(file: SourceFile, node: Node, place: Place): Expr {
  const isStatic = /\b(?:static|class)\b/.test(modifiersOf(file, node));
  let at: Node | null = null;
  let type: TypeExpr | null = null;
  const end = (value: Expr | null): void => {
    const nameNode = at?.childForFieldName('bound_identifier');
    if (nameNode) hold(file, nameNode, type ? { type } : { value }, isStatic, place);
    else
      for (const [index, part] of partsOf(at).entries()) {
        const inner = part.descendantsOfType('simple_identifier')[0];
        if (inner)
          file.bind(place, file.text(inner), inner, { value: { kind: 'index', object: value ?? unknown, at: index } });
      }
    at = null;
    type = null;
  };
  for (const part of partsOf(node)) {
    if (part.type === 'pattern') {
      if (at) end(null);
      at = part;
    } else if (part.type === 'type_annotation') type = annotated(file, part, place);
    else if (part.type === 'computed_property' && at) {
      computed(file, node, at, part, type, isStatic, place);
      at = null;
    } else if (
      !/^(?:value_binding_pattern|modifiers|protocol_property_requirements|willset_didset_block)$/.test(part.type)
    ) {
      const given = file.read(part, type ? { ...place, expected: { kind: 'typed', type } } : place);
      if (at) end(given);
    } else if (part.type === 'willset_didset_block') file.read(part, place);
  }
  if (at) end(null);
  return unknown;
}

function hold(
  file: SourceFile,
  nameNode: Node,
  known: { type?: TypeExpr; value?: Expr | null },
  isStatic: boolean,
  place: Place,
): void {
  if (isOfClass(place)) file.member(place.type, file.text(nameNode), { ...known, isStatic });
  else file.bind(place, file.text(nameNode), nameNode, known);
}

function computed(
  file: SourceFile,
  node: Node,
  pattern: Node,
  body: Node,
  type: TypeExpr | null,
  isStatic: boolean,
  place: Place,
): void {
  const nameNode = pattern.childForFieldName('bound_identifier');
  if (!nameNode) return;
  const isMember = isOfClass(place) || isInExtension(file, place);
  const more: Partial<Definition> = {
    isProperty: true,
    isStatic,
    returnType: type,
    signature: oneLine(file.source.slice(node.startIndex, body.startIndex)),
  };
  const definition = file.define(
    { kind: isMember ? 'method' : 'function', name: file.text(nameNode), ...more },
    node,
    place,
    nameNode,
  );
  if (isMember) adopt(file, definition, nameNode, isStatic, place);
  else file.bind(place, file.text(nameNode), nameNode, type ? { type } : {});
  bodyOf(file, partsOf(body), file.enter(definition, place));
}
