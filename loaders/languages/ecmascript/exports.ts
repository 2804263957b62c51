import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, declarations } from './declarations.ts';
import type { EcmascriptFile, Place } from './file.ts';
import { hasToken, unquoted } from './values.ts';

/** `export …` of any form. */
export function exportStatement(file: EcmascriptFile, node: Node, place: Place): void {
  const line = file.line(node);
  const from = node.childForFieldName('source')?.text.slice(1, -1) ?? null;
  if (from !== null) file.addImport({ module: from, name: '' }, line);
  const declaration = node.childForFieldName('declaration');
  const value = node.childForFieldName('value');
  if (declaration) exportDeclared(file, declaration, place, line, hasToken(node, 'default'));
  else if (value) {
    const expr = file.expression(value, place, null, { name: 'default', node: value });
    if (expr.kind === 'definition') file.definition(expr.definition).exported = true;
    file.addExport('default', line, { value: expr });
  } else if (hasToken(node, '=')) {
    const [assigned] = node.namedChildren;
    if (assigned) file.addExport('=', line, { value: file.expression(assigned, place, null) });
  } else {
    for (const child of node.namedChildren) {
      if (child.type === 'namespace_export') {
        const name = child.namedChildren[0];
        if (name) file.addExport(unquoted(name), line, { from, imported: '*' });
      } else if (child.type === 'export_clause') exportListed(file, child, place, from);
    }
    if (from !== null && hasToken(node, '*')) file.addExport('*', line, { from });
  }
}

/** `export const x = …` and `export default function …`. */
function exportDeclared(file: EcmascriptFile, node: Node, place: Place, line: number, isDefault: boolean): void {
  for (const [name, index] of declared(file, node, place)) {
    if (index >= 0) file.definition(index).exported = true;
    file.addExport(isDefault ? 'default' : name, line, {
      value:
        index >= 0 && isDefault
          ? { kind: 'definition', definition: index }
          : { kind: 'name', name, scope: place.scope },
    });
  }
}

function declared(file: EcmascriptFile, node: Node, place: Place): Declared[] {
  if (node.type === 'ambient_declaration') return node.namedChildren.flatMap((child) => declared(file, child, place));
  const declaration = declarations[node.type];
  if (declaration) return declaration(file, node, place, true);
  file.visit(node, place);
  return [];
}

/** `export { a, b as c }`, also of another module. */
function exportListed(file: EcmascriptFile, clause: Node, place: Place, from: string | null): void {
  for (const one of clause.namedChildren) {
    const nameNode = one.childForFieldName('name');
    if (!nameNode) continue;
    const name = unquoted(nameNode);
    const outside = unquoted(one.childForFieldName('alias') ?? nameNode);
    file.addExport(
      outside,
      file.line(one),
      from === null ? { value: { kind: 'name', name, scope: place.scope } } : { from, imported: name },
    );
  }
}
