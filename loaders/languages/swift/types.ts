import type { Node } from '../../facts/syntax-tree.ts';
import type { Definition, TypeExpr } from '../../facts/fact.ts';
import { named, partsOf, type Place, type SourceFile, unknown } from '../reading/source-file.ts';

const containers =
  /^(?:Array|Set|ContiguousArray|ArraySlice|AnySequence|AsyncStream|AsyncThrowingStream|Sequence|Collection)$/;
/** Those that stand for what they hold. */
const wrappers = /^(?:Optional)$/;

/** The nodes that are types. */
export function isType({ type }: Node): boolean {
  return /(?:^user|^optional|^array|^dictionary|^function|^tuple|^opaque|^existential|^metatype|^protocol_composition)_type$/.test(
    type,
  );
}

/** A type as written. */
export function typeOf(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr {
  switch (node?.type) {
    case 'user_type': {
      const parts = partsOf(node);
      const name = parts
        .filter(({ type }) => type === 'type_identifier')
        .map(file.text)
        .join('.');
      const list = parts.findLast(({ type }) => type === 'type_arguments');
      const args = partsOf(list).map((part) => typeOf(file, part, place));
      const [first = unknown, second = unknown] = args;
      if (wrappers.test(name) && args.length > 0) return first;
      if (containers.test(name) && args.length > 0) return { kind: 'array', element: first };
      if (name === 'Dictionary') return { kind: 'map', key: first, value: second };
      return name === 'Self' && place.self ? place.self : named(name, place, args);
    }
    case 'optional_type':
    case 'opaque_type':
    case 'existential_type':
      return typeOf(file, partsOf(node).find(isType), place);
    case 'array_type':
      return { kind: 'array', element: typeOf(file, partsOf(node).find(isType), place) };
    case 'dictionary_type': {
      const [key, value] = partsOf(node).filter(isType);
      return { kind: 'map', key: typeOf(file, key, place), value: typeOf(file, value, place) };
    }
    case 'tuple_type': {
      const elements = partsOf(node).map((part) =>
        typeOf(file, isType(part) ? part : partsOf(part).find(isType), place),
      );
      return elements.length === 1 ? (elements[0] ?? unknown) : { kind: 'tuple', elements };
    }
    case 'function_type': {
      const list = node.childForFieldName('params');
      const parameters = partsOf(list).map((part) =>
        typeOf(file, isType(part) ? part : partsOf(part).findLast(isType), place),
      );
      return {
        kind: 'function',
        parameters,
        returns: typeOf(
          file,
          partsOf(node).findLast((part) => isType(part) && part.id !== list?.id),
          place,
        ),
      };
    }
    default:
      return unknown;
  }
}

/** The type that is written behind a name; null where none is. */
export function annotated(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr | null {
  const written = partsOf(node).find(isType);
  return written ? typeOf(file, written, place) : null;
}

/** `<T: Bound>`. */
export function typeParametersOf(file: SourceFile, node: Node, place: Place): Definition['typeParameters'] {
  const list = partsOf(node).find(({ type }) => type === 'type_parameters');
  return partsOf(list)
    .filter(({ type }) => type === 'type_parameter')
    .map((part) => ({
      name: file.text(partsOf(part).find(({ type }) => type === 'type_identifier')),
      bound: annotated(file, part, place),
    }));
}
