import type { Base, Definition, Expr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { forEachDocumented, oneLine } from './documentation.ts';
import { type Frame, type GoFile, isExported, newFrame } from './file.ts';

import { newMember } from '../reading/facts-builder.ts';
import { nameOfType, namesOf, parametersOf, resultOf, typeOf, typeParametersOf } from './types.ts';

/** A function or method at the top of a file. */
export function readFunction(file: GoFile, node: Node, doc: string | null): void {
  const name = node.childForFieldName('name');
  const body = node.childForFieldName('body');
  if (!name) return;
  const receiver = node
    .childForFieldName('receiver')
    ?.namedChildren.find((child) => child.type === 'parameter_declaration');
  const own = file.text(name);
  const [definition, index] = file.define(
    {
      kind: receiver ? 'method' : 'function',
      name: own,
      line: file.line(name),
      signature: oneLine(file.source.slice(node.startIndex, body?.startIndex ?? node.endIndex)),
      doc,
    },
    node,
    file.top,
  );
  const frame = file.enter(index, file.top);
  definition.scope = frame.scope;
  if (receiver) readReceiver(file, receiver, definition, frame);
  else {
    definition.typeParameters = typeParametersOf(file, node.childForFieldName('type_parameters'), frame);
    // Nobody can call `init`, and a package may have many.
    if (own !== 'init') file.bind(file.top, own, definition.line, { definition: index });
  }
  readSignature(file, node, definition, frame, definition.typeParameters.length > 0 ? frame : file.top);
  if (body) file.read.statements(file, body, frame);
}

/**
 * Parameters and results. Their types are looked up in `outer`, as they don't see the parameters: in
 * `func(table *table.Table)` the type is the package's.
 */
export function readSignature(file: GoFile, node: Node, definition: Definition, frame: Frame, outer: Frame): void {
  const result = node.childForFieldName('result');
  const { line } = definition;
  definition.parameters = parametersOf(file, node.childForFieldName('parameters'), outer);
  definition.returnType = resultOf(file, result, outer);
  for (const { name, type, rest } of definition.parameters) {
    if (name) file.bindParameter(frame, name, line, { type: rest && type ? { kind: 'array', element: type } : type });
  }
  if (result?.type !== 'parameter_list') return;
  for (const { name, type } of parametersOf(file, result, outer))
    if (name) file.bindParameter(frame, name, line, { type });
}

/** `type Name …`, at the top of a file or in a function. */
export function readType(file: GoFile, spec: Node, frame: Frame, doc: string | null): void {
  const name = spec.childForFieldName('name');
  const type = spec.childForFieldName('type');
  if (!name || !type) return;
  const kind = type.type === 'struct_type' ? 'struct' : type.type === 'interface_type' ? 'interface' : 'type';
  const head = kind === 'type' ? file.text(spec) : `${file.source.slice(spec.startIndex, type.startIndex)}${kind}`;
  const [definition, index] = file.define(
    { kind, name: file.text(name), line: file.line(name), signature: oneLine(`type ${head}`), doc },
    spec,
    frame,
  );
  file.bind(frame, definition.name, definition.line, { definition: index });
  const generic = spec.childForFieldName('type_parameters');
  const inner = generic ? file.enter(index, frame) : newFrame(frame.scope, index, false);
  if (generic) {
    definition.scope = inner.scope;
    definition.typeParameters = typeParametersOf(file, generic, inner);
  }
  readTypeBody(file, type, definition, inner);
}

/** What a type is made of: fields, methods, or another type. */
export function readTypeBody(file: GoFile, type: Node, definition: Definition, frame: Frame): void {
  if (type.type === 'struct_type') {
    for (const field of type.namedChildren[0]?.namedChildren ?? []) readField(file, field, definition, frame);
  } else if (type.type === 'interface_type') {
    forEachDocumented(type, file.text, (element, doc) => readElement(file, element, definition, frame, doc));
  } else {
    definition.returnType = typeOf(file, type, frame);
  }
}

function readReceiver(file: GoFile, receiver: Node, definition: Definition, frame: Frame): void {
  const type = receiver.childForFieldName('type');
  const name = receiver.childForFieldName('name');
  if (!type) return;
  const owner = nameOfType(file, type);
  definition.qualifiedName = `${owner}.${definition.name}`;
  definition.exported &&= isExported(owner);
  const written = typeOf(file, type, frame);
  if (written.kind !== 'reference') return;
  // The receiver may have the name of its type: `func (app app) run()`. Its arguments are names for the type's parameters.
  definition.receiver = { ...written, scope: file.top.scope };
  definition.typeParameters = written.args.flatMap((arg) =>
    arg.kind === 'reference' ? [{ name: arg.name, bound: null }] : [],
  );
  if (name) file.bindParameter(frame, file.text(name), file.line(name), { type: definition.receiver });
}

function readField(file: GoFile, field: Node, definition: Definition, frame: Frame): void {
  const typeNode = field.childForFieldName('type');
  if (field.type !== 'field_declaration' || !typeNode) return;
  const type = typeOf(file, typeNode, frame);
  const names = namesOf(field, 'field_identifier').map(file.text);
  if (names.length === 0) {
    names.push(nameOfType(file, typeNode));
    definition.bases.push(...basesOf(file, typeNode, frame));
  }
  definition.members.push(...names.map((name) => newMember(name, { type })));
}

function readElement(file: GoFile, element: Node, definition: Definition, frame: Frame, doc: string | null): void {
  const name = element.childForFieldName('name');
  if (element.type === 'type_elem') {
    const [only, ...others] = element.namedChildren;
    if (only && others.length === 0) definition.bases.push(...basesOf(file, only, frame));
  } else if (element.type === 'method_elem' && name) {
    const own = file.text(name);
    const [, index] = file.define(
      {
        kind: 'method',
        name: own,
        isAbstract: true,
        exported: definition.exported && isExported(own),
        signature: oneLine(file.text(element)),
        doc,
        parameters: parametersOf(file, element.childForFieldName('parameters'), frame),
        returnType: resultOf(file, element.childForFieldName('result'), frame),
      },
      element,
      frame,
    );
    definition.members.push(newMember(own, { definition: index }));
  }
}

function basesOf(file: GoFile, node: Node, frame: Frame): Base[] {
  const type = typeOf(file, node, frame);
  if (type.kind !== 'reference') return [];
  const [first = '', second] = type.name.split('.');
  const name: Expr = { kind: 'name', name: first, scope: type.scope };
  const plain: Expr = second === undefined ? name : { kind: 'member', object: name, name: second };
  return [{ expr: type.args.length > 0 ? { kind: 'typed', type } : plain, line: file.line(node), how: 'embeds' }];
}
