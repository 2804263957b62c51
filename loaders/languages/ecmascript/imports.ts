import type { Node } from '../../facts/syntax-tree.ts';
import type { EcmascriptFile, Place } from './file.ts';
import { hasToken, unquoted } from './values.ts';

/** `import …` of any form. */
export function importStatement(file: EcmascriptFile, node: Node, place: Place): void {
  const clause = node.namedChildren.find(({ type }) => type === 'import_clause' || type === 'import_require_clause');
  const module = (node.childForFieldName('source') ?? clause?.childForFieldName('source'))?.text.slice(1, -1);
  if (module === undefined) return;
  if (!clause) {
    file.addImport({ module, name: '' }, file.line(node));
    return;
  }
  const typeOnly = hasToken(node, 'type');
  for (const [name, local] of importedNames(clause)) {
    const index = file.addImport({ module, name, local: local.text, typeOnly }, file.line(local));
    file.addBinding(place.scope, local.text, file.line(local), { import: index });
  }
}

/** What is asked for by which name, with the node that names it here. */
function importedNames(clause: Node): [string, Node][] {
  const first = (node: Node): [string, Node][] => node.namedChildren.slice(0, 1).map((local) => ['*', local]);
  if (clause.type === 'import_require_clause') return first(clause);
  return clause.namedChildren.flatMap((child): [string, Node][] => {
    if (child.type === 'identifier') return [['default', child]];
    if (child.type === 'namespace_import') return first(child);
    if (child.type !== 'named_imports') return [];
    return child.namedChildren.flatMap((one): [string, Node][] => {
      const name = one.childForFieldName('name');
      return name ? [[unquoted(name), one.childForFieldName('alias') ?? name]] : [];
    });
  });
}
