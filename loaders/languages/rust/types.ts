import type { Definition, Expr, TypeExpr, TypeReference } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { named, partsOf, type Place, type SourceFile, unknown } from '../reading/source-file.ts';

/** Types of the standard library that stand for what they hold. */
const pointers: ReadonlySet<string> = new Set(
  'Box Rc Arc Cow Pin Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Wrapping Reverse'.split(' '),
);
/** Those that hold one or many of their first argument, and give it out by a method. */
const containers: ReadonlySet<string> = new Set(
  (
    'Option Result Vec VecDeque HashSet BTreeSet BinaryHeap LinkedList Mutex RwLock RefCell Cell OnceCell OnceLock LazyLock ' +
    'Weak ManuallyDrop MaybeUninit NonNull Poll SmallVec IndexSet'
  ).split(' '),
);
const maps: ReadonlySet<string> = new Set(['HashMap', 'BTreeMap', 'IndexMap']);
const iterators: ReadonlySet<string> = new Set(
  'Iterator IntoIterator DoubleEndedIterator ExactSizeIterator'.split(' '),
);

/** A type as written; a reference is what it refers to. */
export function typeOf(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr {
  if (!node) return unknown;
  switch (node.type) {
    case 'type_identifier':
    case 'identifier':
    case 'primitive_type':
    case 'scoped_type_identifier':
    case 'scoped_identifier':
      return typeAt(file, segmentsOf(file, node), place, []);
    case 'generic_type':
      return generic(file, node, place);
    case 'reference_type':
    case 'pointer_type':
      return typeOf(file, node.childForFieldName('type'), place);
    case 'dynamic_type':
    case 'abstract_type':
      return typeOf(file, node.childForFieldName('trait'), place);
    case 'bracketed_type':
    case 'parenthesized_type':
    case 'bounded_type':
    case 'qualified_type':
      return typeOf(file, node.namedChildren[0], place);
    case 'array_type':
      return { kind: 'array', element: typeOf(file, node.childForFieldName('element'), place) };
    case 'tuple_type':
      return { kind: 'tuple', elements: partsOf(node).map((part) => typeOf(file, part, place)) };
    case 'higher_ranked_trait_bound':
      return typeOf(file, node.childForFieldName('type'), place);
    case 'function_type': {
      const result = node.childForFieldName('return_type');
      return {
        kind: 'function',
        parameters: partsOf(node.childForFieldName('parameters')).map((part) =>
          typeOf(file, part.childForFieldName('type') ?? part, place),
        ),
        returns: result ? typeOf(file, result, place) : null,
      };
    }
    default:
      return unknown;
  }
}

/** `<T: Bound>`, with what the `where` clause adds. */
export function typeParametersOf(file: SourceFile, node: Node, place: Place): Definition['typeParameters'] {
  const clause = node.namedChildren.find(({ type }) => type === 'where_clause');
  const boundsOf = new Map<string, TypeExpr[]>();
  const add = (name: string, node: Node | null) => {
    const bounds = boundsIn(file, node, place);
    const known = boundsOf.get(name);
    if (known) known.push(...bounds);
    else boundsOf.set(name, bounds);
  };
  const parameters = partsOf(node.childForFieldName('type_parameters')).filter(({ type }) => type === 'type_parameter');
  for (const part of parameters) add(file.text(part.childForFieldName('name')), part.childForFieldName('bounds'));
  // The clause may name one parameter several times.
  for (const part of partsOf(clause)) add(file.text(part.childForFieldName('left')), part.childForFieldName('bounds'));
  return parameters.map((part) => {
    const name = file.text(part.childForFieldName('name'));
    const options = boundsOf.get(name) ?? [];
    return { name, bound: options.length > 1 ? { kind: 'union', options } : (options[0] ?? null) };
  });
}

function boundsIn(file: SourceFile, bounds: Node | null, place: Place): TypeExpr[] {
  return partsOf(bounds)
    .filter(({ type }) => type !== 'lifetime')
    .map((part) => typeOf(file, part, place));
}

/** `a::b::C` as its names, without type arguments; empty where it is no plain path. */
export function segmentsOf(file: SourceFile, node: Node | null | undefined): string[] {
  switch (node?.type) {
    case 'scoped_identifier':
    case 'scoped_type_identifier': {
      const path = node.childForFieldName('path');
      const before = path ? segmentsOf(file, path) : [];
      return path && before.length === 0 ? [] : [...before, file.text(node.childForFieldName('name'))];
    }
    case 'generic_type':
    case 'generic_type_with_turbofish':
      return segmentsOf(file, node.childForFieldName('type'));
    case 'bracketed_type':
      return segmentsOf(file, node.namedChildren[0]);
    case 'qualified_type':
      return segmentsOf(file, node.childForFieldName('type'));
    case undefined:
    case 'macro_invocation':
      return [];
    default:
      return [file.text(node)];
  }
}

/** What an implementation says of the types that its trait names, `type Target = T`, by what it calls itself. */
const associated = new WeakMap<TypeExpr, ReadonlyMap<string, TypeExpr>>();

/** Reads `type Target = T` of an implementation, which is `Self::Target` in it. */
export function associate(file: SourceFile, self: TypeExpr, body: Node | null, place: Place): void {
  const items = partsOf(body).filter(({ type }) => type === 'type_item');
  const types = items.map((item): [string, TypeExpr] => [
    file.text(item.childForFieldName('name')),
    typeOf(file, item.childForFieldName('type'), { ...place, self }),
  ]);
  // All that is not known is one object.
  if (self !== unknown) associated.set(self, new Map(types));
}

/** A type by its path. */
function typeAt(file: SourceFile, segments: readonly string[], place: Place, args: TypeExpr[]): TypeExpr {
  if (segments[0] === undefined) return unknown;
  if (segments[0] === 'Self' && place.self) {
    const own = segments.length === 2 ? associated.get(place.self)?.get(segments[1] ?? '') : undefined;
    if (own) return own;
    return segments.slice(1).reduce<TypeExpr>((object, name) => ({ kind: 'member', object, name }), place.self);
  }
  return named(rooted(file, segments, place).join('.'), place, args);
}

/** A path as a value: a function, a class, a variant, a constant. */
export function pathOf(file: SourceFile, segments: readonly string[], place: Place): Expr {
  if (segments[0] === undefined) return unknown;
  const [first = '', ...rest] = rooted(file, segments, place);
  const isType = /^\p{Lu}/u.test(first) && rest.length > 0;
  const start: Expr =
    first === 'Self' && place.self
      ? classOf(place.self)
      : { kind: 'name', name: first, scope: place.scope, ...(isType ? { isType } : {}) };
  return rest.reduce<Expr>((object, name) => ({ kind: 'member', object, name }), start);
}

/** A type by its name, also where the library has one of that name; null for any other. */
export function referenceOf(type: TypeExpr): TypeReference | null {
  if (type.kind === 'library') return type.own;
  return type.kind === 'reference' ? type : null;
}

/** The class itself whose instances have this type. */
function classOf(type: TypeExpr): Expr {
  if (type.kind === 'definition') return { kind: 'definition', definition: type.definition };
  const reference = referenceOf(type);
  if (!reference) return unknown;
  const [first = '', ...rest] = reference.name.split('.');
  const start: Expr = { kind: 'name', name: first, scope: reference.scope, isType: true };
  return rest.reduce<Expr>((object, name) => ({ kind: 'member', object, name }), start);
}

/** The same path from a name that the file has: `crate`, `self` and `super` become imports, or a module in this file. */
export function rooted(file: SourceFile, segments: readonly string[], place: Place): string[] {
  const [first = ''] = segments;
  if (!/^(?:crate|self|super)$/.test(first) || segments.length < 2) return [...segments];
  const rest = segments.slice(segments.findLastIndex((name) => name === 'super') + 1);
  if (first === 'crate') return [imported(file, 'crate'), ...segments.slice(1)];
  const supers = first === 'super' ? segments.length - rest.length : 0;
  const around = modulesAround(file, place);
  const inFile = around[supers];
  if (inFile !== undefined) return [moduleName(file, inFile), ...rest.filter((name) => name !== 'self')];
  const up = supers - around.length;
  const names = first === 'self' ? segments.slice(1) : rest;
  return [imported(file, up <= 0 ? 'self' : Array.from({ length: up }, () => 'super').join('::')), ...names];
}

/** Modules of this file that the place is in, the innermost first. */
export function modulesAround(file: SourceFile, place: Place): number[] {
  const found: number[] = [];
  for (let at = place.definition; at >= 0; at = file.definition(at).owner) {
    if (file.definition(at).kind === 'object') found.push(at);
  }
  return found;
}

function moduleName(file: SourceFile, definition: number): string {
  const name = `self#${definition}`;
  return bindOnce(file, name, { definition });
}

function imported(file: SourceFile, module: string): string {
  const known = file.facts.imports.findIndex((one) => one.module === module && one.name === '*');
  if (known >= 0) return bindOnce(file, module, { import: known });
  const index = file.addImport({ module, name: '*', local: module }, 0);
  return bindOnce(file, module, { import: index });
}

function bindOnce(file: SourceFile, name: string, to: { definition: number } | { import: number }): string {
  const top = file.facts.scopes[0]?.bindings;
  if (!top?.some((one) => one.name === name)) {
    file.addBinding(0, name, 1, to);
  }
  return name;
}

function generic(file: SourceFile, node: Node, place: Place): TypeExpr {
  const segments = segmentsOf(file, node.childForFieldName('type'));
  const list = partsOf(node.childForFieldName('type_arguments'));
  const args = list
    .filter(({ type }) => type !== 'lifetime' && type !== 'type_binding')
    .map((part) => typeOf(file, part, place));
  const name = segments.at(-1) ?? '';
  const own = typeAt(file, segments, place, args);
  const library = libraryType(file, name, list, args, place);
  return library && own.kind === 'reference' ? { kind: 'library', own, type: library } : own;
}

/** What the standard library has by this name, for these arguments. */
function libraryType(
  file: SourceFile,
  name: string,
  list: readonly Node[],
  args: readonly TypeExpr[],
  place: Place,
): TypeExpr | null {
  if (pointers.has(name)) return args[0] ?? unknown;
  if (containers.has(name)) return { kind: 'array', element: args[0] ?? unknown };
  if (maps.has(name)) return { kind: 'map', key: args[0] ?? unknown, value: args[1] ?? unknown };
  if (!iterators.has(name)) return null;
  const item = list.find(
    (part) => part.type === 'type_binding' && file.text(part.childForFieldName('name')) === 'Item',
  );
  return { kind: 'array', element: typeOf(file, item?.childForFieldName('type'), place) };
}
