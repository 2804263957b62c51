import type { Node } from '../../facts/syntax-tree.ts';
import type { Definition, TypeExpr } from '../../facts/fact.ts';
import { named, partsOf, type Place, type SourceFile, unknown } from '../reading/source-file.ts';

const containers =
  /^(?:(?:Mutable)?(?:List|Set|Collection|Iterable|Iterator|ListIterator)|Array|ArrayList|ArrayDeque|HashSet|LinkedHashSet|Sequence|Flow|StateFlow|SharedFlow|MutableStateFlow|Channel|Deque|Queue|Optional)$/;
const maps = /^(?:Mutable|Hash|LinkedHash|Tree|Concurrent)?(?:Hash)?Map$/;
/** Java's types of functions, for which a lambda stands, by what they give: nothing, their last argument, their first. */
const functions: ReadonlyMap<string, 'nothing' | 'last' | 'first'> = new Map([
  ...['Consumer', 'BiConsumer', 'Predicate', 'BiPredicate'].map((name) => [name, 'nothing'] as const),
  ...['Function', 'BiFunction', 'Supplier', 'Callable'].map((name) => [name, 'last'] as const),
  ...['UnaryOperator', 'BinaryOperator'].map((name) => [name, 'first'] as const),
]);
/** Those that stand for what they hold. */
const wrappers = /^(?:Lazy|Deferred|Result|AtomicReference|WeakReference|ThreadLocal)$/;

/** The nodes that are types. */
export function isType({ type }: Node): boolean {
  return /^(?:user_type|nullable_type|function_type|parenthesized_type|non_nullable_type|dynamic_type)$/.test(type);
}

/** A type as written. */
export function typeOf(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr {
  switch (node?.type) {
    case 'user_type': {
      const name = partsOf(node)
        .filter(({ type }) => type === 'identifier')
        .map(file.text)
        .join('.');
      const list = node.namedChildren.find(({ type }) => type === 'type_arguments');
      const args = partsOf(list).map((part) => typeOf(file, partsOf(part).at(-1) ?? part, place));
      const [first = unknown, second = unknown] = args;
      const own = named(name, place, args);
      if (wrappers.test(name) && args.length > 0) return { kind: 'library', own, type: first };
      if (containers.test(name)) return { kind: 'library', own, type: { kind: 'array', element: first } };
      if (maps.test(name)) return { kind: 'library', own, type: { kind: 'map', key: first, value: second } };
      const gives = args.length > 0 ? functions.get(name) : undefined;
      return gives ? { kind: 'library', own, type: functionOf(args, gives) } : own;
    }
    case 'nullable_type':
    case 'parenthesized_type':
    case 'non_nullable_type':
      return typeOf(file, node.namedChildren.find(isType), place);
    case 'function_type': {
      const parts = partsOf(node);
      const list = parts.find(({ type }) => type === 'function_type_parameters');
      const parameters = partsOf(list).map((part) =>
        typeOf(file, isType(part) ? part : part.namedChildren.find(isType), place),
      );
      const before = parts.find((part) => isType(part) && part.startIndex < (list?.startIndex ?? 0));
      return {
        kind: 'function',
        parameters,
        ...(before ? { self: typeOf(file, before, place) } : {}),
        returns: typeOf(file, parts.findLast(isType), place),
      };
    }
    default:
      return unknown;
  }
}

/** `Consumer<T>`, `Function<T, R>`, `BinaryOperator<T>` as types of functions. */
function functionOf(args: TypeExpr[], gives: 'nothing' | 'last' | 'first'): TypeExpr {
  if (gives === 'last') return { kind: 'function', parameters: args.slice(0, -1), returns: args.at(-1) ?? null };
  if (gives === 'nothing') return { kind: 'function', parameters: args, returns: null };
  return { kind: 'function', parameters: [...args, ...args], returns: args[0] ?? null };
}

/** `<T : Bound>`, with what `where` adds. */
export function typeParametersOf(file: SourceFile, node: Node, place: Place): Definition['typeParameters'] {
  const clause = node.namedChildren.find(({ type }) => type === 'type_constraints');
  const bounds = new Map(
    partsOf(clause).map((part) => [
      file.text(part.namedChildren[0]),
      typeOf(file, part.namedChildren.find(isType), place),
    ]),
  );
  const list = node.namedChildren.find(({ type }) => type === 'type_parameters');
  return partsOf(list).map((part) => {
    const name = file.text(part.namedChildren.find(({ type }) => type === 'identifier'));
    const bound = part.namedChildren.find(isType);
    return { name, bound: bound ? typeOf(file, bound, place) : (bounds.get(name) ?? null) };
  });
}
