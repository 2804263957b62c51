import type { Node } from '../../facts/syntax-tree.ts';
import type { Definition, TypeExpr } from '../../facts/fact.ts';
import { named, partsOf, type Place, type SourceFile, unknown } from '../reading/source-file.ts';

/** Types of the library that hold elements of their first argument. */
const containers =
  /^(?:Option|Some|List|Seq|Vector|Set|Array|Iterable|Iterator|IndexedSeq|LazyList|Stream|Queue|Stack|Try|Future|ListBuffer|ArrayBuffer|NonEmptyList|Traversable|Chain)$/;
/** `A => B` under its name. */
const functions = /^(?:PartialFunction|Function\d+)$/;
const maps = /^(?:Map|HashMap|TreeMap|SortedMap|TrieMap)$/;

/** A type as written. */
export function typeOf(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr {
  switch (node?.type) {
    case 'type_identifier':
    case 'identifier':
      return named(file.text(node), place);
    case 'stable_type_identifier':
    case 'projected_type':
      return named(file.text(node).replace(/\s/g, '').replace('#', '.'), place);
    case 'generic_type':
      return genericType(file, node, place);
    case 'repeated_parameter_type':
    case 'lazy_parameter_type':
    case 'annotated_type':
    case 'parenthesized_type':
      return typeOf(file, node.childForFieldName('type') ?? partsOf(node)[0], place);
    case 'compound_type':
      return { kind: 'union', options: partsOf(node).map((part) => typeOf(file, part, place)) };
    case 'tuple_type':
      return { kind: 'tuple', elements: partsOf(node).map((part) => typeOf(file, part, place)) };
    case 'function_type': {
      const list = node.childForFieldName('parameter_types');
      const types = list?.type === 'parameter_types' ? partsOf(list) : list ? [list] : [];
      const returns = typeOf(file, node.childForFieldName('return_type'), place);
      return { kind: 'function', parameters: types.map((part) => typeOf(file, part, place)), returns };
    }
    default:
      return unknown;
  }
}

/** A type with arguments; of the library's own what they hold or take. */
function genericType(file: SourceFile, node: Node, place: Place): TypeExpr {
  const name = file.text(node.childForFieldName('type')).replace(/\s/g, '');
  const args = partsOf(node.childForFieldName('type_arguments')).map((part) => typeOf(file, part, place));
  const [first = unknown, second = unknown] = args;
  const library = (type: TypeExpr): TypeExpr => ({ kind: 'library', own: named(name, place, args), type });
  if (name === 'Either') return library({ kind: 'array', element: second });
  if (/^Tuple\d+$/.test(name)) return { kind: 'tuple', elements: args };
  if (containers.test(name)) return library({ kind: 'array', element: first });
  if (functions.test(name)) return { kind: 'function', parameters: args.slice(0, -1), returns: args.at(-1) ?? unknown };
  if (maps.test(name)) return library({ kind: 'map', key: first, value: second });
  return named(name, place, args);
}

/** `[A, B <: Bound]` */
export function typeParametersOf(file: SourceFile, node: Node, place: Place): Definition['typeParameters'] {
  // Of a function it is no field.
  const list = partsOf(node).find(({ type }) => type === 'type_parameters');
  // With a sign of variance, a name and its bounds have a node of their own.
  const parts = partsOf(list).flatMap((part) =>
    part.type.endsWith('variant_type_parameter') ? partsOf(part) : [part],
  );
  const parameters: Definition['typeParameters'] = [];
  for (const part of parts) {
    if (part.type === 'identifier' || part.type === 'type_identifier')
      parameters.push({ name: file.text(part), bound: null });
    // A bound is of the name before it.
    const last = parameters.at(-1);
    if (last && part.type === 'upper_bound') last.bound = typeOf(file, part.childForFieldName('type'), place);
  }
  return parameters;
}
