import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, type DeclaredRules, isCapitals } from '../reading/declared-names.ts';

/** What declares names in Lua: variables of a file, fields that are given to a table, and those of a table that is written out. */
export const declared: DeclaredRules = {
  local: ['function_declaration', 'function_definition'],
  byAssignment: true,
  readers: {
    assignment_statement: (node) => targets(node).flatMap(target),
    variable_declaration: (node) =>
      node.namedChildren
        .filter(({ type }) => type === 'variable_list')
        .flatMap((list) => list.namedChildren.flatMap(target)),
  },
};

const targets = (node: Node): Node[] =>
  node.namedChildren.find(({ type }) => type === 'variable_list')?.namedChildren ?? [];

function target(node: Node): Declared[] {
  if (node.type === 'identifier') return [{ kind: isCapitals(node.text) ? 'constant' : 'variable', at: node }];
  const table = node.type === 'dot_index_expression' ? node.childForFieldName('table') : null;
  const at = node.childForFieldName('field');
  return table?.type === 'identifier' && at
    ? [{ kind: isCapitals(at.text) ? 'constant' : 'field', at, around: table.text }]
    : [];
}
