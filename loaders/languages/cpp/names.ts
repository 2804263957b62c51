import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr, TypeExpr } from '../../facts/fact.ts';
import { named, partsOf, type Place, type SourceFile, unknown } from '../reading/source-file.ts';

/** Types of the library that hold elements of their first argument. */
const containers =
  /^(?:vector|list|deque|set|unordered_set|multiset|array|span|initializer_list|forward_list|queue|stack|priority_queue|valarray|flat_hash_set|QVector|QList)$/;
const maps = /^(?:map|unordered_map|multimap|flat_hash_map|node_hash_map|QMap|QHash)$/;
/** Those that stand for what they hold. */
const wrappers =
  /^(?:unique_ptr|shared_ptr|auto_ptr|weak_ptr|optional|reference_wrapper|atomic|scoped_refptr|intrusive_ptr|observer_ptr|not_null|scoped_ptr|QPointer|QSharedPointer|StatusOr|expected)$/;

/** Names that containers have for what leads to their elements. */
const iterators = /^(?:const_)?(?:reverse_)?(?:iterator|reference|pointer)$|^value_type$/;

/** `ns::Foo<T>::bar` without its type arguments. */
export function plainName(file: SourceFile, node: Node | null | undefined): string {
  switch (node?.type) {
    case 'qualified_identifier': {
      const scope = node.childForFieldName('scope');
      const name = plainName(file, node.childForFieldName('name'));
      return scope ? `${plainName(file, scope)}::${name}` : name;
    }
    case 'template_type':
    case 'template_function':
    case 'template_method':
      return plainName(file, node.childForFieldName('name'));
    case 'dependent_name':
    case 'dependent_type':
      return plainName(file, partsOf(node)[0]);
    case 'destructor_name':
      return file.text(node).replace(/\s/g, '');
    case undefined:
      return '';
    default:
      return file.text(node).replace(/\s+/g, '');
  }
}

/** The namespace that a place is in, `a::b::`; empty at the top. */
export function namespaceOf(file: SourceFile, place: Place): string {
  for (let at = place.scope; at >= 0;) {
    const scope = file.facts.scopes[at];
    const own = scope?.prefixes?.[0];
    if (own) return own;
    at = scope?.parent ?? -1;
  }
  return '';
}

/** Each directive may double them. */
const maxPrefixes = 16;

/**
 * What may stand before a name that is written here, the innermost namespace first: each `using namespace` opens one that may lie in what
 * those before it opened.
 */
export function prefixesAt(file: SourceFile, place: Place): string[] {
  const found = new Set<string>();
  for (let at = place.scope; at >= 0;) {
    const scope = file.facts.scopes[at];
    for (const prefix of scope?.prefixes ?? []) found.add(prefix);
    at = scope?.parent ?? -1;
  }
  const all = [...found.add('')];
  if (all.length <= maxPrefixes) return all;
  // What lies least deep, and of that what was opened last.
  const depth = (prefix: string) => prefix.split('::').length;
  return all
    .toReversed()
    .toSorted((a, b) => depth(a) - depth(b))
    .slice(0, maxPrefixes);
}

/** A name as a value: of a namespace, or a member of the class before the last `::`. */
export function valueNamed(file: SourceFile, node: Node, place: Place): Expr {
  const name = plainName(file, node);
  // `::open()` is nobody's member.
  const isOfTop = node.type === 'qualified_identifier' && !node.childForFieldName('scope');
  const whole: Expr = { kind: 'name', name: name.replace(/^::/, ''), scope: isOfTop ? file.top.scope : place.scope };
  if (isOfTop) return whole;
  const at = name.lastIndexOf('::');
  if (at <= 0) return whole;
  const object: Expr = { kind: 'name', name: name.slice(0, at), scope: place.scope, isType: true };
  return { kind: 'union', options: [whole, { kind: 'member', object, name: name.slice(at + 2) }], first: true };
}

/** A type as written; pointers and references are what they lead to. */
export function typeOf(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr {
  switch (node?.type) {
    case 'primitive_type':
    case 'sized_type_specifier':
      return named(file.text(node).replace(/\s+/g, ' '), place);
    case 'type_identifier':
    case 'identifier':
    case 'namespace_identifier':
      return named(file.text(node), place);
    case 'struct_specifier':
    case 'class_specifier':
    case 'union_specifier':
    case 'enum_specifier': {
      const name = node.childForFieldName('name');
      return name ? named(plainName(file, name), place) : unknown;
    }
    case 'qualified_identifier': {
      const inner = innermost(node);
      if (iterators.test(file.text(inner))) return iteratorOf(file, node, place);
      return inner.type === 'template_type'
        ? template(file, inner, plainName(file, node), place)
        : named(plainName(file, node), place);
    }
    case 'template_type':
      return template(file, node, plainName(file, node), place);
    case 'type_descriptor':
      return typeOf(file, node.childForFieldName('type'), place);
    case 'dependent_type':
      return typeOf(file, partsOf(node)[0], place);
    default:
      return unknown;
  }
}

/** The arguments of a template, as types. */
export function templateArguments(file: SourceFile, node: Node | null | undefined, place: Place): TypeExpr[] {
  return partsOf(node?.childForFieldName('arguments')).map((part) => typeOf(file, part, place));
}

/** Of `a::b::c` the `c`. */
export function innermost(node: Node): Node {
  const name = node.type === 'qualified_identifier' ? node.childForFieldName('name') : null;
  return name ? innermost(name) : node;
}

/** An iterator is what it leads to, as a pointer is; a class may have one of its own. */
function iteratorOf(file: SourceFile, node: Node, place: Place): TypeExpr {
  const name = plainName(file, node);
  let holder = node;
  for (let next = node.childForFieldName('name'); next?.type === 'qualified_identifier';)
    [holder, next] = [next, next.childForFieldName('name')];
  const scope = holder.childForFieldName('scope');
  const held = name.slice(0, name.lastIndexOf('::'));
  const type = scope?.type === 'template_type' ? template(file, scope, held, place) : named(held, place);
  const element: TypeExpr = {
    kind: 'typeof',
    value: { kind: 'iterate', object: { kind: 'typed', type } },
  };
  return type.kind === 'reference' ? { kind: 'union', options: [named(name, place), element] } : element;
}

function template(file: SourceFile, node: Node, name: string, place: Place): TypeExpr {
  const args = templateArguments(file, node, place);
  const [first = unknown, second = unknown] = args;
  const last = name.slice(name.lastIndexOf(':') + 1);
  // What it holds is used through it; to declare one makes none.
  const own = named(name, place, args);
  if (wrappers.test(last))
    return { kind: 'library', own, type: { kind: 'typeof', value: { kind: 'typed', type: first } } };
  if (containers.test(last)) return { kind: 'library', own, type: { kind: 'array', element: first } };
  if (maps.test(last)) return { kind: 'library', own, type: { kind: 'map', key: first, value: second } };
  if (last === 'pair' || last === 'tuple') return { kind: 'tuple', elements: args };
  return own;
}
