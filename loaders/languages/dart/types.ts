import type { Node } from '../../facts/syntax-tree.ts';
import type { Definition, TypeExpr } from '../../facts/fact.ts';
import { named, partsOf, type Place, type SourceFile, unknown } from '../reading/source-file.ts';

const containers = /^(?:List|Set|Iterable|Iterator|Queue|Stream|LinkedHashSet|HashSet|UnmodifiableListView|ListQueue)$/;
const maps = /^(?:Linked|Hash|LinkedHash|SplayTree)?Map$/;
/** Those that stand for what they hold. */
const wrappers = /^(?:Future|FutureOr)$/;

/** The types that stand side by side in a list of nodes: a name, its parts, its arguments. */
export function typesIn(file: SourceFile, nodes: readonly Node[], place: Place): TypeExpr[] {
  const types: TypeExpr[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    if (node?.type === 'function_type') types.push(functionType(file, node, place));
    else if (node?.type === 'record_type' || node?.type === 'void_type') types.push(unknown);
    if (node?.type !== 'type_identifier') continue;
    let name = file.text(node);
    while (nodes[at + 1]?.type === 'type_identifier' && file.source[nodes[at]?.endIndex ?? 0] === '.')
      name += `.${file.text(nodes[++at])}`;
    const list = nodes[at + 1]?.type === 'type_arguments' ? nodes[++at] : null;
    types.push(typeNamed(name, typesIn(file, partsOf(list), place), place));
  }
  return types;
}

function typeNamed(name: string, args: TypeExpr[], place: Place): TypeExpr {
  const [first = unknown, second = unknown] = args;
  if (wrappers.test(name)) return first;
  if (containers.test(name)) return { kind: 'array', element: first };
  if (maps.test(name)) return { kind: 'map', key: first, value: second };
  return /^(?:dynamic|Object|Never|Null)$/.test(name) ? unknown : named(name, place, args);
}

function functionType(file: SourceFile, node: Node, place: Place): TypeExpr {
  const list = partsOf(node).find(({ type }) => type === 'parameter_type_list');
  const parameters = partsOf(list).map((part) => typesIn(file, partsOf(part), place)[0] ?? null);
  const before = partsOf(node).filter(({ id }) => id !== list?.id);
  return { kind: 'function', parameters, returns: typesIn(file, before, place)[0] ?? null };
}

/** The type that is written before a name; null where none is. */
export function typeBefore(file: SourceFile, node: Node, name: Node | null, place: Place): TypeExpr | null {
  const before = partsOf(node).filter(({ endIndex }) => endIndex <= (name?.startIndex ?? node.endIndex));
  const [type = null] = typesIn(file, before, place);
  return type?.kind === 'unknown' ? null : type;
}

/** `<T extends Bound>`. */
export function typeParametersOf(file: SourceFile, node: Node, place: Place): Definition['typeParameters'] {
  const list = partsOf(node).find(({ type }) => type === 'type_parameters');
  return partsOf(list).map((part) => {
    const [name, bound] = partsOf(part);
    return { name: file.text(name), bound: bound ? (typesIn(file, partsOf(bound), place)[0] ?? null) : null };
  });
}
