import type { Definition, Parameter, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { unknown } from '../reading/facts-builder.ts';
import type { Frame, GoFile } from './file.ts';

/** Types of the standard library that hold values of another type. */
const containers: Readonly<Record<string, (args: readonly TypeExpr[]) => TypeExpr>> = {
  'iter.Seq': ([element = unknown]) => ({ kind: 'array', element }),
  'iter.Seq2': ([key = unknown, value = unknown]) => ({ kind: 'map', key, value }),
  'atomic.Pointer': ([element = unknown]) => ({ kind: 'array', element }),
  'unique.Handle': ([element = unknown]) => ({ kind: 'array', element }),
};

/** A type as written; a pointer is what it points to, a channel what it carries. */
export function typeOf(file: GoFile, node: Node, frame: Frame): TypeExpr {
  const inner = (field: string): TypeExpr => {
    const child = node.childForFieldName(field);
    return child ? typeOf(file, child, frame) : unknown;
  };
  switch (node.type) {
    case 'type_identifier':
    case 'identifier':
    case 'qualified_type':
    case 'selector_expression': {
      const name = file.text(node).replace(/\s/g, '');
      frame.used.add(name.split('.', 1)[0] ?? name);
      return { kind: 'reference', name, scope: frame.scope, args: [] };
    }
    case 'generic_type': {
      const type = inner('type');
      if (type.kind !== 'reference') return type;
      const args = typeArguments(file, node.childForFieldName('type_arguments'), frame);
      return containers[type.name]?.(args) ?? { ...type, args };
    }
    case 'pointer_type':
    case 'parenthesized_type':
    case 'type_constraint':
      return node.namedChildren[0] ? typeOf(file, node.namedChildren[0], frame) : unknown;
    case 'type_elem': {
      const options = node.namedChildren.map((child) => typeOf(file, child, frame));
      return options.length === 1 ? (options[0] ?? unknown) : { kind: 'union', options };
    }
    case 'slice_type':
    case 'array_type':
    case 'implicit_length_array_type':
      return { kind: 'array', element: inner('element') };
    case 'channel_type':
      return { kind: 'array', element: inner('value') };
    case 'map_type':
      return { kind: 'map', key: inner('key'), value: inner('value') };
    case 'function_type':
      return {
        kind: 'function',
        parameters: parametersOf(file, node.childForFieldName('parameters'), frame).map(({ type }) => type),
        returns: resultOf(file, node.childForFieldName('result'), frame),
      };
    case 'struct_type':
    case 'interface_type':
      return inPlace(file, node, frame);
    default:
      return unknown;
  }
}

/** `[int, string]` as types. */
export function typeArguments(file: GoFile, node: Node | null, frame: Frame): TypeExpr[] {
  return (node?.namedChildren ?? []).map((child) => typeOf(file, child, frame));
}

/** `[T any, K comparable]` with their constraints. */
export function typeParametersOf(file: GoFile, list: Node | null, frame: Frame): Definition['typeParameters'] {
  return (list?.namedChildren ?? []).flatMap((child) => {
    const constraint = child.childForFieldName('type')?.namedChildren[0];
    const bound = constraint ? typeOf(file, constraint, frame) : null;
    return namesOf(child, 'identifier').map((name) => ({ name: file.text(name), bound }));
  });
}

/** Parameters, or results that have names. */
export function parametersOf(file: GoFile, list: Node | null, frame: Frame): Parameter[] {
  return (list?.namedChildren ?? []).flatMap((child): Parameter[] => {
    const rest = child.type === 'variadic_parameter_declaration';
    if (!rest && child.type !== 'parameter_declaration') return [];
    const typeNode = child.childForFieldName('type');
    const type = typeNode ? typeOf(file, typeNode, frame) : null;
    const names = namesOf(child, 'identifier').map(file.text);
    return (names.length > 0 ? names : ['']).map((name) => ({ name, type, default: null, rest, optional: false }));
  });
}

/** What a function gives: nothing, a type, or several as a tuple. */
export function resultOf(file: GoFile, result: Node | null, frame: Frame): TypeExpr | null {
  if (result?.type !== 'parameter_list') return result ? typeOf(file, result, frame) : null;
  const elements = parametersOf(file, result, frame).map(({ type }) => type ?? unknown);
  return elements.length > 1 ? { kind: 'tuple', elements } : (elements[0] ?? null);
}

/** The last name of a type without its package, pointer and arguments; empty for one that has no name. */
export function nameOfType(file: GoFile, node: Node): string {
  switch (node.type) {
    case 'pointer_type':
    case 'parenthesized_type':
      return nameOfType(file, node.namedChildren[0] ?? node);
    case 'generic_type':
      return nameOfType(file, node.childForFieldName('type') ?? node);
    case 'qualified_type':
      return file.text(node.childForFieldName('name') ?? node);
    default:
      return node.namedChildCount > 0 ? '' : file.text(node);
  }
}

/** The grammar counts the commas between names as names. */
export function namesOf(node: Node, type: 'identifier' | 'field_identifier'): Node[] {
  return node.childrenForFieldName('name').filter((name) => name.type === type);
}

function inPlace(file: GoFile, node: Node, frame: Frame): TypeExpr {
  const body = node.type === 'struct_type' ? node.namedChildren[0] : node;
  if (!body || body.namedChildCount === 0) return unknown;
  const kind = node.type === 'struct_type' ? 'struct' : 'interface';
  const [definition, index] = file.define({ kind, name: '' }, node, frame);
  file.read.typeBody(file, node, definition, { ...frame, owner: index });
  return { kind: 'definition', definition: index };
}
