import type { TypeExpr } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import type { JavaFile } from './file.ts';

const unknown: TypeExpr = { kind: 'unknown' };

/** A type as written; null for `var`, which leaves it to the value. */
export function declaredType(
  file: JavaFile,
  node: Node | null,
  scope: number,
  dimensions?: Node | null,
): TypeExpr | null {
  if (!node || (node.type === 'type_identifier' && file.text(node) === 'var')) return null;
  return arrayOf(typeOf(file, node, scope), dimensions ? rank(file, dimensions) : 0);
}

/** What a type node means; `head` is where its outermost name is looked up, where that differs from its arguments. */
export function typeOf(file: JavaFile, node: Node, scope: number, head = scope): TypeExpr {
  switch (node.type) {
    case 'integral_type':
    case 'floating_point_type':
    case 'boolean_type':
      return primitive(file.text(node));
    case 'type_identifier':
    case 'identifier':
    case 'void_type':
    case 'scoped_type_identifier':
    case 'scoped_identifier':
      return typeNamed(file, dottedName(file, node), head, []);
    case 'generic_type': {
      const [name, list] = node.namedChildren;
      if (!name) return unknown;
      const args = (list?.namedChildren ?? []).map((argument) => typeOf(file, argument, scope));
      return typeNamed(file, dottedName(file, name), head, args);
    }
    case 'array_type': {
      const [element, dimensions] = node.namedChildren;
      return element ? arrayOf(typeOf(file, element, scope, head), dimensions ? rank(file, dimensions) : 1) : unknown;
    }
    case 'wildcard': {
      const bound = node.namedChildren.findLast((child) => !isMark(child) && child.type !== 'super');
      return bound ? typeOf(file, bound, scope) : unknown;
    }
    case 'annotated_type': {
      const inner = node.namedChildren.findLast((child) => !isMark(child));
      return inner ? typeOf(file, inner, scope, head) : unknown;
    }
    case 'catch_type':
    case 'type_bound': {
      const options = node.namedChildren.map((child) => typeOf(file, child, scope));
      return options.length === 1 && options[0] ? options[0] : { kind: 'union', options };
    }
    default:
      return unknown;
  }
}

/** `int` and its like, by the name that the library has for it: no program's class is called so. */
export function primitive(name: string): TypeExpr {
  return { kind: 'reference', name: `_${name}`, scope: 0, args: [] };
}

/** The type parameters of a class or method, with what they extend. */
export function typeParameters(file: JavaFile, declaration: Node, scope: number) {
  const list = declaration.childForFieldName('type_parameters');
  return (list?.namedChildren ?? [])
    .filter((child) => child.type === 'type_parameter')
    .map((parameter) => {
      const children = parameter.namedChildren;
      const name = children.find((child) => child.type === 'type_identifier');
      const bound = children.find((child) => child.type === 'type_bound');
      return { name: name ? file.text(name) : '', bound: bound ? typeOf(file, bound, scope) : null };
    });
}

/** A type of this name, whose package may be written before it. */
function typeNamed(file: JavaFile, name: string, scope: number, args: TypeExpr[]): TypeExpr {
  const names = name.split('.');
  const first = names.findIndex(isTypeName);
  if (first <= 0) return { kind: 'reference', name, scope, args };
  const local = importQualified(file, names.slice(0, first).join('.'), names[first] ?? '');
  return { kind: 'reference', name: [local, ...names.slice(first + 1)].join('.'), scope: 0, args };
}

/** The file's own name for a class that is written with its package; no identifier has a `/`. */
export function importQualified(file: JavaFile, packageName: string, name: string): string {
  const local = `${packageName.replaceAll('.', '/')}/${name}`;
  if (!file.facts.imports.some((known) => known.local === local)) {
    const index = file.addImport({ module: packageName, name, local }, 1);
    file.addBinding(0, local, 1, { import: index });
  }
  return local;
}

/** Packages are in lower case and types are not: what the language leaves open, its naming conventions settle. */
export function isTypeName(name: string): boolean {
  return /^[^\p{Ll}_]/u.test(name);
}

/** Wrapped as many times as there are brackets. */
export function arrayOf(type: TypeExpr, times: number): TypeExpr {
  return times > 0 ? arrayOf({ kind: 'array', element: type }, times - 1) : type;
}

/** How many pairs of brackets these are. */
export function rank(file: JavaFile, dimensions: Node): number {
  return file.text(dimensions).split('[').length - 1;
}

/** `Outer.Inner` of a name that may have annotations and type arguments in between. */
export function dottedName(file: JavaFile, node: Node): string {
  switch (node.type) {
    case 'scoped_type_identifier':
    case 'scoped_identifier':
      return node.namedChildren
        .filter((child) => !isMark(child))
        .map((child) => dottedName(file, child))
        .join('.');
    case 'generic_type':
      return node.firstNamedChild ? dottedName(file, node.firstNamedChild) : '';
    default:
      return file.text(node);
  }
}

function isMark(node: Node): boolean {
  return node.type.endsWith('annotation') || node.type.endsWith('comment');
}
