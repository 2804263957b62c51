import type { Definition, Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { commentOf, docOf, signatureOf } from './documentation.ts';
import type { EcmascriptFile, Naming, Place } from './file.ts';
import { defineFunction, visitDecorators } from './functions.ts';
import { statedType } from './jsdoc.ts';
import { addMethod, propertyValue } from './objects.ts';
import { isThis, memberName, methodSignature, typeExpr, typeParametersOf, typePlace, type TypePlace } from './types.ts';
import { hasToken } from './values.ts';

/** A class while its body is read. */
interface ClassBody {
  definition: number;
  /** Inside the class. */
  place: Place;
  types: TypePlace;
}

/** Reads one kind of a class's members. */
type MemberReader = (file: EcmascriptFile, node: Node, body: ClassBody) => void;

const members: Readonly<Record<string, MemberReader>> = {
  method_definition: method,
  abstract_method_signature: signature,
  method_signature: signature,
  public_field_definition: field,
  field_definition: field,
  class_static_block(file, node, { definition, place }) {
    file.visitAll(node, { ...place, self: { kind: 'definition', definition } });
  },
  decorator: (file, node, { place }) => file.visitAll(node, place),
  index_signature(file, node, { definition, types }) {
    const type = node.childForFieldName('type');
    if (type) file.addMember(definition, '[]', { type: typeExpr(file, type, types) });
  },
};

/** A class that its statement binds in the scope around it. */
export function classDeclaration(file: EcmascriptFile, node: Node, place: Place): number {
  return defineClass(file, node, null, place, true);
}

/** A class as a value: its name is seen inside it only. */
export function classExpression(file: EcmascriptFile, node: Node, place: Place, naming: Naming | null): Expr {
  return { kind: 'definition', definition: defineClass(file, node, naming, place, false) };
}

function defineClass(file: EcmascriptFile, node: Node, naming: Naming | null, place: Place, bind: boolean): number {
  const nameNode = node.childForFieldName('name');
  const name = nameNode?.text ?? naming?.name ?? '';
  const index = file.define('class', name, node, nameNode ?? naming?.node ?? node, place.owner);
  const scope = file.addScope(place.scope, index);
  if (nameNode) file.addBinding(bind ? place.scope : scope, name, file.line(nameNode), { definition: index });
  const self: Expr = { kind: 'self', definition: index };
  const inner: Place = { scope, hoist: scope, owner: index, self, method: index };
  const body = node.childForFieldName('body');
  const types = typePlace(inner);
  const definition = file.definition(index);
  Object.assign(definition, {
    scope,
    isAbstract: node.type === 'abstract_class_declaration',
    signature: signatureOf(file.source, node, body),
    doc: docOf(commentOf(node)),
    typeParameters: typeParametersOf(file, node.childForFieldName('type_parameters'), types),
  });
  visitDecorators(file, node, place);
  const heritage = node.namedChildren.find(({ type }) => type === 'class_heritage');
  if (heritage) bases(file, heritage, definition, { ...place, scope }, types);
  for (const child of body?.namedChildren ?? []) {
    members[child.type]?.(file, child, { definition: index, place: inner, types });
  }
  return index;
}

function bases(file: EcmascriptFile, heritage: Node, definition: Definition, place: Place, types: TypePlace): void {
  for (const clause of heritage.namedChildren) {
    if (clause.type === 'extends_clause') {
      const value = clause.childForFieldName('value');
      if (!value) continue;
      definition.bases.push({
        expr: extended(file, clause, value, place, types),
        line: file.line(value),
        how: 'extends',
      });
    } else if (clause.type === 'implements_clause') {
      for (const type of clause.namedChildren) {
        const expr: Expr = { kind: 'typed', type: typeExpr(file, type, types) };
        definition.bases.push({ expr, line: file.line(type), how: 'implements' });
      }
    } else {
      const expr = file.expression(clause, place, null);
      definition.bases.push({ expr, line: file.line(clause), how: 'extends' });
    }
  }
}

function extended(file: EcmascriptFile, clause: Node, value: Node, place: Place, types: TypePlace): Expr {
  const args = clause.childForFieldName('type_arguments')?.namedChildren ?? [];
  const isName = value.type === 'identifier' || value.type === 'member_expression';
  if (args.length === 0 || !isName) return file.expression(value, place, null);
  const { scope } = place;
  return {
    kind: 'typed',
    type: { kind: 'reference', name: value.text, scope, args: args.map((arg) => typeExpr(file, arg, types)) },
  };
}

function method(file: EcmascriptFile, node: Node, { definition, place }: ClassBody): void {
  const nameNode = node.childForFieldName('name');
  if (!nameNode) return;
  const name = memberName(nameNode);
  const kind = name === 'constructor' && !hasToken(node, 'static') ? 'constructor' : 'method';
  if (nameNode.type === 'computed_property_name') file.visitAll(nameNode, place);
  visitDecorators(file, node, place);
  const naming = { name, node: nameNode };
  const index = defineFunction(file, node, place, { kind, naming, self: null, expected: null });
  if (kind === 'constructor') parameterProperties(file, node, definition, index);
  addMethod(file, node, index, definition, name);
}

function signature(file: EcmascriptFile, node: Node, { definition, types }: ClassBody): void {
  const name = node.childForFieldName('name');
  if (name) methodSignature(file, node, name, definition, types);
}

function field(file: EcmascriptFile, node: Node, { definition, place, types }: ClassBody): void {
  visitDecorators(file, node, place);
  const nameNode = node.childForFieldName('name') ?? node.childForFieldName('property');
  if (!nameNode) return;
  const name = memberName(nameNode);
  const isStatic = hasToken(node, 'static');
  const typeNode = node.childForFieldName('type');
  const valueNode = node.childForFieldName('value');
  const type = typeNode ? typeExpr(file, typeNode, types) : statedType(file, node, place);
  const self: Expr = isStatic ? { kind: 'definition', definition } : place.self;
  const object = { definition, place: { ...place, self }, expected: type && ({ kind: 'typed', type } as const), self };
  const value = valueNode && propertyValue(file, valueNode, { name, node: nameNode }, object);
  if (value?.kind === 'definition' && file.definition(value.definition).kind !== 'object') {
    file.definition(value.definition).isStatic = isStatic;
    file.addMember(definition, name, { definition: value.definition, isStatic });
  } else file.addMember(definition, name, { value, type: type?.kind === 'unknown' ? null : type, isStatic });
}

/** `constructor(private readonly repo: Repo)` makes a field. */
function parameterProperties(file: EcmascriptFile, node: Node, owner: number, constructor: number): void {
  const nodes = (node.childForFieldName('parameters')?.namedChildren ?? []).filter(
    (child) => child.type !== 'comment' && child.type !== 'decorator' && !isThis(child),
  );
  for (const [at, child] of nodes.entries()) {
    const isField = child.children.some(
      ({ type }) => type === 'accessibility_modifier' || type === 'readonly' || type === 'override_modifier',
    );
    const parameter = file.definition(constructor).parameters[at];
    if (isField && parameter?.name) {
      file.addMember(owner, parameter.name, { type: parameter.type, value: parameter.default });
    }
  }
}
