import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, type DeclaredRules } from '../reading/declared-names.ts';

/** What declares names in a script: variables that are assigned outside of functions. */
export const declared: DeclaredRules = {
  local: ['function_definition', 'subshell', 'command_substitution', 'command'],
  byAssignment: true,
  readers: {
    variable_assignment: (node) => (node.parent?.type === 'declaration_command' ? [] : variable(node)),
    declaration_command(node) {
      const isConstant = /^(?:readonly\b|(?:declare|typeset)\s+-\w*r)/.test(node.text);
      return node.namedChildren
        .flatMap((child) =>
          child.type === 'variable_name' ? [{ kind: 'variable' as const, at: child }] : variable(child),
        )
        .map((each) => ({ ...each, kind: isConstant ? 'constant' : 'variable' }));
    },
  },
};

function variable(node: Node): Declared[] {
  const name = node.type === 'variable_assignment' ? node.childForFieldName('name') : null;
  const at = name?.type === 'subscript' ? name.childForFieldName('name') : name;
  return at ? [{ kind: 'variable', at }] : [];
}
