import type { Node } from '../../facts/syntax-tree.ts';
import type { Expr, FileFacts } from '../../facts/fact.ts';
import { partsOf, type Place, type Reader, SourceFile, unknown } from '../reading/source-file.ts';
import { readers as declarations, readMembers } from './declarations.ts';
import { readers as expressions } from './expressions.ts';

/** Reads one Scala file, of either version. */
export function extract(root: Node, source: string, path: string): FileFacts {
  const file = new SourceFile('scala', root, source, path, {
    ...expressions,
    ...declarations,
    package_clause: packageClause,
    import_declaration: importDeclaration,
  });
  readMembers(file, root, file.top);
  file.addImport({ module: 'scala', name: '**' }, 0);
  const own = (file.facts.packageName ??= '').split('.');
  // The packages around are seen without asking.
  for (let length = own.length - 1; length > 0; length--) {
    file.addImport({ module: own.slice(0, length).join('.'), name: '**', line: 0 }, file.line(root));
  }
  return file.facts;
}

/** `package a.b` and then `package c` is `a.b.c`; of packages beside each other in one file the first stands for all. */
const packageClause: Reader = (file, node, place) => {
  const name = file.text(node.childForFieldName('name')).replace(/\s/g, '');
  const opensPackage = ({ type, startIndex }: Node) =>
    startIndex < node.startIndex && (type === 'package_object' || type === 'package_clause');
  const isBeside =
    node.childForFieldName('body') !== null &&
    node.parent?.namedChildren.some((one) => opensPackage(one) && one.childForFieldName('body') !== null) === true;
  if (!isBeside) file.facts.packageName = [file.facts.packageName, name].filter(Boolean).join('.');
  readMembers(file, node.childForFieldName('body'), place);
  return unknown;
};

/** What stands before the last name may be an object or a value that is seen here, and of one part it seldom is a package. */
function holderOf([first, ...rest]: readonly string[], place: Place): { holder?: Expr } {
  if (first === undefined || (place.definition < 0 && rest.length > 0)) return {};
  const start: Expr = { kind: 'name', name: first, scope: place.scope };
  return { holder: rest.reduce<Expr>((object, name) => ({ kind: 'member', object, name }), start) };
}

/** Packages are in lower case and classes are not: `a.b.Outer.Inner` is `Outer.Inner` of `a.b`. */
function importDeclaration(file: SourceFile, node: Node, place: Place) {
  const path = node
    .childrenForFieldName('path')
    .filter(({ isNamed }) => isNamed)
    .map(file.text);
  const rest = partsOf(node).filter(
    (part) => part.startIndex >= (node.childrenForFieldName('path').at(-1)?.endIndex ?? 0),
  );
  const add = (names: readonly string[], local: string): void => {
    const firstType = names.findIndex((name) => /^\p{Lu}/u.test(name));
    const isAll = names.at(-1) === '**';
    const length = firstType >= 0 ? firstType : names.length - 1;
    // What begins with a class is of the package itself.
    const module = length > 0 ? names.slice(0, length).join('.') : (file.facts.packageName ?? '');
    const wanted = { module, name: names.slice(length).join('.'), ...holderOf(names.slice(0, -1), place) };
    if (isAll) file.addImport(wanted, file.line(node));
    else file.importAs(file.top, { ...wanted, local }, node);
  };
  const [selectors] = rest;
  if (!selectors) add(path, path.at(-1) ?? '');
  for (const part of selectors?.type === 'namespace_selectors' ? partsOf(selectors) : rest) {
    const name = part.childForFieldName('name');
    if (part.type === 'namespace_wildcard') add([...path, '**'], '');
    else if (name) add([...path, file.text(name)], file.text(part.childForFieldName('alias')));
    else add([...path, file.text(part)], file.text(part));
  }
  return unknown;
}
