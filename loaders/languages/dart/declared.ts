import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, type DeclaredRules, fieldAs, has, namesAs } from '../reading/declared-names.ts';

/** What declares names in Dart: variables of a library, fields, members of enums, other names of types. */
export const declared: DeclaredRules = {
  local: ['function_body', 'function_expression', 'formal_parameter_list'],
  readers: {
    initialized_identifier: (node) => variable(node, false),
    static_final_declaration: (node) => variable(node, true),
    enum_constant: fieldAs('enum_member'),
    type_alias: (node) => namesAs('type_alias', [node.namedChildren.find(({ type }) => type === 'type_identifier')]),
  },
};

function variable(node: Node, isStaticFinal: boolean): Declared[] {
  const declaration = node.parent?.parent;
  const isConstant = isStaticFinal && (declaration ? has(declaration, 'const') || isConstAtTop(node) : false);
  const isField = declaration?.type === 'declaration';
  return namesAs(isConstant ? 'constant' : isField ? 'field' : 'variable', [node.namedChildren[0]]);
}

/** At the top of a file the word stands before the list. */
function isConstAtTop(node: Node): boolean {
  return node.parent?.previousNamedSibling?.type === 'const_builtin';
}
