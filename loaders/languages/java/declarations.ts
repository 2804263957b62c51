import type { Base, ClassKind, Definition, Expr, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { newMember } from '../reading/facts-builder.ts';
import { docOf, signatureOf } from './documentation.ts';
import { call, expression, lambda, parametersOf } from './expressions.ts';
import type { JavaFile, Place } from './file.ts';
import { constructorName, method } from './names.ts';
import { declaredType, typeOf, typeParameters } from './types.ts';

/** Nodes that declare a type, with the kind that it has. */
export const declarations: ReadonlyMap<string, ClassKind> = new Map([
  ['class_declaration', 'class'],
  ['interface_declaration', 'interface'],
  ['enum_declaration', 'enum'],
  ['record_declaration', 'record'],
  ['annotation_type_declaration', 'annotation'],
]);

/** Reads a class, interface, enum, record or annotation with all that is in it; gives the index of its definition. */
export function typeDeclaration(file: JavaFile, node: Node, place: Place, comment: Node | null): number {
  const kind = declarations.get(node.type) ?? 'class';
  const { modifiers, ...head } = headOf(file, node, comment);
  const outer = place.type >= 0 ? file.definition(place.type) : null;
  const scope = file.addScope(place.scope, file.facts.definitions.length);
  const inInterface = outer !== null && isInterface(outer);
  const definition = file.addDefinition({
    ...head,
    kind,
    owner: place.definition,
    scope,
    exported:
      (modifiers.has('public') || modifiers.has('protected') || inInterface) &&
      (outer ? outer.exported && place.definition === place.type : true),
    isStatic: outer === null || inInterface || kind !== 'class' || modifiers.has('static'),
    isAbstract: false,
  });
  const own = file.definition(definition);
  own.typeParameters = typeParameters(file, node, scope);
  own.bases = basesOf(file, node, definition, scope, place.scope);
  const inside: Place = { scope, definition, type: definition };
  const components = node.childForFieldName('parameters');
  if (components) {
    own.parameters = parametersOf(file, components, scope);
    for (const { name, type } of own.parameters) addField(own, name, type, false);
  }
  if (kind === 'enum') addEnumMembers(own, definition);
  const body = node.childForFieldName('body');
  if (body) members(file, body, inside);
  // A record has an accessor for each component that it does not write itself.
  for (const { name, type } of components ? own.parameters : []) {
    if (own.members.some((member) => member.name === method(name))) continue;
    addField(own, method(name), { kind: 'function', parameters: [], returns: type }, false);
  }
  return definition;
}

/** Reads what stands in the body of a class, anonymous ones included. */
export function members(file: JavaFile, body: Node, place: Place): void {
  const owner = file.definition(place.type);
  let comment: Node | null = null;
  for (const node of body.namedChildren) {
    switch (node.type) {
      case 'block_comment':
        comment = node;
        continue;
      case 'line_comment':
        continue;
      case 'field_declaration':
      case 'constant_declaration':
        field(file, node, place);
        break;
      case 'method_declaration':
      case 'constructor_declaration':
      case 'compact_constructor_declaration':
      case 'annotation_type_element_declaration':
        methodDeclaration(file, node, place, comment);
        break;
      case 'enum_constant':
        enumConstant(file, node, place);
        break;
      case 'enum_body_declarations':
        members(file, node, place);
        break;
      case 'static_initializer':
      case 'block':
        file.read.statements(file, [node.type === 'block' ? node : (node.firstNamedChild ?? node)], place);
        break;
      default:
        if (declarations.has(node.type)) {
          const definition = typeDeclaration(file, node, place, comment);
          const { name } = file.definition(definition);
          owner.members.push(newMember(name, { definition, isStatic: true }));
        } else if (node.type === 'ERROR') members(file, node, place);
    }
    comment = null;
  }
}

function isInterface({ kind }: Definition): boolean {
  return kind === 'interface' || kind === 'annotation';
}

/** What every declaration starts with. */
function headOf(file: JavaFile, node: Node, comment: Node | null) {
  const nameNode = node.childForFieldName('name');
  const modifiers = node.namedChildren.find((child) => child.type === 'modifiers');
  return {
    name: nameNode ? file.text(nameNode) : '',
    line: file.line(nameNode ?? node),
    endLine: node.endPosition.row + 1,
    signature: signatureOf(file.source, node, modifiers),
    doc: comment && docOf(file.text(comment)),
    modifiers: new Set(modifiers?.children.filter((child) => !child.isNamed).map((child) => child.type)),
  };
}

/** What a class extends is looked up outside it: its own members can't be meant. */
function basesOf(file: JavaFile, node: Node, definition: number, scope: number, outer: number): Base[] {
  const bases: Base[] = [];
  for (const clause of node.namedChildren) {
    const how = clause.type === 'super_interfaces' ? 'implements' : 'extends';
    const list =
      clause.type === 'superclass'
        ? clause.namedChildren
        : clause.type === 'super_interfaces' || clause.type === 'extends_interfaces'
          ? (clause.firstNamedChild?.namedChildren ?? [])
          : [];
    for (const type of list) {
      if (type.type.endsWith('comment')) continue;
      bases.push({ expr: { kind: 'typed', type: typeOf(file, type, scope, outer) }, line: file.line(type), how });
    }
  }
  if (bases.every(({ how }) => how === 'implements') || node.type === 'interface_declaration') {
    const name = roots[node.type] ?? 'Object';
    const args: TypeExpr[] = name === 'Enum' ? [{ kind: 'definition', definition }] : [];
    const type: TypeExpr = { kind: 'reference', name, scope: 0, args };
    // What a class extends is asked before what it implements.
    bases[name === 'Object' ? 'push' : 'unshift']({
      expr: { kind: 'typed', type },
      line: file.line(node),
      how: 'extends',
    });
  }
  return bases;
}

/** What is extended without being written. */
const roots: Readonly<Record<string, string>> = {
  enum_declaration: 'Enum',
  record_declaration: 'Record',
  annotation_type_declaration: 'Annotation',
};

function addField({ members: list }: Definition, name: string, type: TypeExpr | null, isStatic: boolean): void {
  list.push({ name, definition: -1, value: null, type, isStatic });
}

function addEnumMembers(own: Definition, definition: number): void {
  const self: TypeExpr = { kind: 'definition', definition };
  addField(own, method('values'), { kind: 'function', returns: { kind: 'array', element: self } }, true);
  addField(own, method('valueOf'), { kind: 'function', returns: self }, true);
}

function field(file: JavaFile, node: Node, place: Place): void {
  const owner = file.definition(place.type);
  const modifiers = node.namedChildren.find((child) => child.type === 'modifiers');
  const isStatic = isInterface(owner) || (modifiers?.children.some((child) => child.type === 'static') ?? false);
  const typeNode = node.childForFieldName('type');
  for (const declarator of node.childrenForFieldName('declarator')) {
    const name = declarator.childForFieldName('name');
    const type = declaredType(file, typeNode, place.scope, declarator.childForFieldName('dimensions'));
    const value = declarator.childForFieldName('value');
    if (name) addField(owner, file.text(name), type, isStatic);
    if (value?.type === 'lambda_expression' && type) lambda(file, value, place, { kind: 'typed', type });
    else if (value) expression(file, value, place);
  }
}

function enumConstant(file: JavaFile, node: Node, place: Place): void {
  const owner = file.definition(place.type);
  const name = node.childForFieldName('name');
  if (name) addField(owner, file.text(name), { kind: 'definition', definition: place.type }, true);
  const callee: Expr = { kind: 'definition', definition: place.type };
  call(file, node, callee, place, { types: [], line: file.line(node), isNew: true });
  const body = node.childForFieldName('body');
  if (!body) return;
  const line = file.line(name ?? node);
  const definition = file.addDefinition({
    kind: 'class',
    name: '',
    qualifiedName: `${owner.qualifiedName}.${name ? file.text(name) : ''}`,
    line,
    endLine: node.endPosition.row + 1,
    owner: place.definition,
    scope: file.addScope(place.scope, file.facts.definitions.length),
    bases: [{ expr: { kind: 'typed', type: { kind: 'definition', definition: place.type } }, line, how: 'extends' }],
  });
  members(file, body, { scope: file.definition(definition).scope, definition, type: definition });
}

function methodDeclaration(file: JavaFile, node: Node, place: Place, comment: Node | null): void {
  const owner = file.definition(place.type);
  const { modifiers, ...head } = headOf(file, node, comment);
  const isConstructor = node.type.endsWith('constructor_declaration');
  const body = node.childForFieldName('body');
  const scope = file.addScope(place.scope, file.facts.definitions.length);
  const definition = file.addDefinition({
    ...head,
    kind: isConstructor ? 'constructor' : 'method',
    owner: place.type,
    scope,
    exported:
      owner.exported &&
      (modifiers.has('public') || modifiers.has('protected') || (isInterface(owner) && !modifiers.has('private'))),
    isStatic: modifiers.has('static'),
    isAbstract: body === null && !modifiers.has('native'),
  });
  const own = file.definition(definition);
  own.typeParameters = typeParameters(file, node, scope);
  const list = node.childForFieldName('parameters');
  own.parameters = list ? parametersOf(file, list, scope) : isConstructor ? owner.parameters : [];
  for (const { name, type } of own.parameters) file.addBinding(scope, name, own.line, { type });
  if (!isConstructor) {
    own.returnType = declaredType(file, node.childForFieldName('type'), scope, node.childForFieldName('dimensions'));
  }
  const name = isConstructor ? constructorName : method(own.name);
  owner.members.push(newMember(name, { definition, isStatic: own.isStatic }));
  if (body) file.read.statements(file, body.namedChildren, { scope, definition, type: place.type });
}
