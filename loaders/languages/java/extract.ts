import type { FileFacts } from '../../facts/fact.ts';
import type { Node } from '../../facts/syntax-tree.ts';
import { declarations, members, typeDeclaration } from './declarations.ts';
import { expression } from './expressions.ts';
import { JavaFile, type Place } from './file.ts';
import { method } from './names.ts';
import { statements } from './statements.ts';
import { dottedName, isTypeName } from './types.ts';

/** Reads one Java file. */
export function extract(root: Node, source: string): FileFacts {
  const file = new JavaFile(source, root.endPosition.row + 1, { expression, statements, members });
  const place: Place = { scope: 0, definition: -1, type: -1 };
  let comment: Node | null = null;
  for (const node of root.namedChildren) {
    if (node.type === 'block_comment') {
      comment = node;
      continue;
    }
    if (node.type === 'package_declaration') {
      const name = node.namedChildren.find((child) => child.type.endsWith('identifier'));
      file.facts.packageName = name ? dottedName(file, name) : null;
    } else if (node.type === 'import_declaration') {
      importDeclaration(file, node);
    } else if (declarations.has(node.type)) {
      const definition = typeDeclaration(file, node, place, comment);
      const { name, line } = file.definition(definition);
      file.addBinding(place.scope, name, line, { definition });
    }
    if (node.type !== 'line_comment') comment = null;
  }
  file.facts.packageName ??= '';
  // Every file sees the names of this package without asking; what it asks for itself comes first.
  file.addImport({ module: 'java.lang', name: '**' }, 0);
  return file.facts;
}

/** A package is a module and the classes in it are its names: `a.b.Outer.Inner` is `Outer.Inner` of `a.b`. */
function importDeclaration(file: JavaFile, node: Node): void {
  const nameNode = node.namedChildren.find((child) => child.type.endsWith('identifier'));
  if (!nameNode) return;
  const names = dottedName(file, nameNode).split('.');
  const all = node.namedChildren.some((child) => child.type === 'asterisk');
  const isStatic = node.children.some((child) => child.type === 'static');
  const line = file.line(node);
  // Where conventions are not kept, all but the last name are the package.
  const firstType = names.findIndex(isTypeName);
  const packageLength =
    firstType >= 0 ? firstType : all && !isStatic ? names.length : names.length - (isStatic && !all ? 2 : 1);
  const module = names.slice(0, packageLength).join('.');
  const inner = names.slice(packageLength);
  if (all) {
    file.addImport({ module, name: [...inner, '**'].join('.') }, line);
    return;
  }
  const local = names.at(-1) ?? '';
  const add = (name: string, as: string): void => {
    const index = file.addImport({ module, name, local: as }, line);
    file.addBinding(0, as, line, { import: index });
  };
  add(inner.join('.'), local);
  // A static import brings the fields and the methods of that name.
  if (isStatic) add(method(inner.join('.')), method(local));
}
