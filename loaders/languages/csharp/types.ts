import type { Definition, TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { keywordTypes } from './library.ts';
import { named, partsOf, type Place, type SourceFile, unknown } from '../reading/source-file.ts';

/** Types of the library that hold elements of their first argument. */
const containers =
  /^(?:I?(?:List|Collection|Enumerable|Enumerator|Queryable|Set|OrderedEnumerable|AsyncEnumerable)|IReadOnly(?:List|Collection|Set)|HashSet|SortedSet|Queue|Stack|LinkedList|Collection|ObservableCollection|ConcurrentBag|ConcurrentQueue|ConcurrentStack|Immutable(?:List|Array|HashSet)|ReadOnlyCollection|(?:ReadOnly)?Span|(?:ReadOnly)?Memory|ArraySegment|IGrouping)$/;
const maps = /^(?:I?(?:ReadOnly|Sorted|Concurrent|Immutable|Frozen)?Dictionary|SortedList|ILookup)$/;
/** Those that stand for what they hold: what is awaited is it. */
const wrappers = /^(?:Task|ValueTask|Nullable|ConfiguredTaskAwaitable)$/;

/** Names of the library's own types by their keywords, and by what those stand for. */
const keywords: ReadonlyMap<string, string> = new Map(
  keywordTypes.flatMap(({ name, keyword, alias }) => [
    [keyword, name],
    [alias, name],
  ]),
);

/** The type of a literal. */
export function ofKeyword(keyword: string): TypeExpr {
  return { kind: 'reference', name: keywords.get(keyword) ?? keyword, scope: 0, args: [] };
}

/** What a function gives that gives nothing. */
const nothing = ofKeyword('void');
const action: TypeExpr = { kind: 'function', parameters: [], returns: nothing };

/** A type as written. */
export function typeOf(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr {
  switch (node?.type) {
    case 'predefined_type':
    case 'identifier': {
      const name = file.text(node);
      if (keywords.has(name)) return ofKeyword(name);
      const own = named(name, place);
      return name === 'Action' ? { kind: 'library', own, type: action } : own;
    }
    case 'qualified_name':
    case 'alias_qualified_name':
      return qualified(file, node, place);
    case 'generic_name':
      return generic(file, node, place);
    case 'nullable_type':
    case 'ref_type':
    case 'scoped_type':
    case 'pointer_type':
      return typeOf(file, node.childForFieldName('type') ?? node.namedChildren[0], place);
    case 'array_type':
      return { kind: 'array', element: typeOf(file, node.childForFieldName('type'), place) };
    case 'tuple_type':
      return {
        kind: 'tuple',
        elements: partsOf(node).map((part) => typeOf(file, part.childForFieldName('type'), place)),
      };
    default:
      return unknown;
  }
}

/** A type that is written down; null for `var`. */
export function declaredType(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr | null {
  return !node || node.type === 'implicit_type' ? null : typeOf(file, node, place);
}

/** `<T, U>` with what their `where` clauses ask for. */
export function typeParametersOf(file: SourceFile, node: Node, place: Place): Definition['typeParameters'] {
  const list = node.namedChildren.find(({ type }) => type === 'type_parameter_list');
  const bounds = new Map(
    partsOf(node)
      .filter(({ type }) => type === 'type_parameter_constraints_clause')
      .map((clause) => [
        file.text(clause.namedChildren[0]),
        partsOf(clause).flatMap((part) => {
          const type = part.childForFieldName('type');
          return type ? [typeOf(file, type, place)] : [];
        }),
      ]),
  );
  return partsOf(list).map((part) => {
    const name = file.text(part.childForFieldName('name') ?? part);
    const options = bounds.get(name) ?? [];
    return { name, bound: options.length > 1 ? { kind: 'union', options } : (options[0] ?? null) };
  });
}

/** `Foo<A, B>`: its name and its arguments. */
export function genericOf(file: SourceFile, node: Node, place: Place): { name: string; args: TypeExpr[] } {
  const [name, list] = node.namedChildren;
  return { name: file.text(name), args: partsOf(list).map((part) => typeOf(file, part, place)) };
}

/** `A.B<C>.D`: each part is a class by its name and its number of arguments. */
function qualified(file: SourceFile, node: Node, place: Place): TypeExpr {
  const names: string[] = [];
  let args: TypeExpr[] = [];
  const add = (part: Node) => {
    if (part.type === 'generic_name') {
      const own = genericOf(file, part, place);
      names.push(classKey(own.name, own.args.length));
      args = own.args;
    } else {
      names.push(file.text(part));
      args = [];
    }
  };
  const stack = [node];
  for (let part = stack.pop(); part; part = stack.pop()) {
    if (part.type === 'qualified_name' || part.type === 'alias_qualified_name')
      stack.push(...partsOf(part).toReversed());
    else if (file.text(part) !== 'global') add(part);
  }
  return named(names.join('.'), place, args);
}

function generic(file: SourceFile, node: Node, place: Place): TypeExpr {
  const { name, args } = genericOf(file, node, place);
  const [first = unknown, second = unknown] = args;
  const own = named(classKey(name, args.length), place, args);
  if (wrappers.test(name)) return { kind: 'library', own, type: first };
  if (containers.test(name)) return { kind: 'library', own, type: { kind: 'array', element: first } };
  if (maps.test(name)) return { kind: 'library', own, type: { kind: 'map', key: first, value: second } };
  if (name === 'Func') return { kind: 'function', parameters: args.slice(0, -1), returns: args.at(-1) ?? null };
  if (name === 'Predicate') return { kind: 'function', parameters: args, returns: ofKeyword('bool') };
  if (name === 'Action') return { kind: 'function', parameters: args, returns: nothing };
  return own;
}

/** How facts name a class: `Foo` and `Foo<T>` are two. */
export function classKey(name: string, parameters: number): string {
  return parameters > 0 ? `${name}\`${parameters}` : name;
}

/** A name without the arguments of its types. */
export function withoutArguments(name: string): string {
  const start = name.indexOf('<');
  const end = name.lastIndexOf('>');
  return start >= 0 && end > start ? name.slice(0, start) + name.slice(end + 1) : name;
}
