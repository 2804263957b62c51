import type { Node } from '../../facts/syntax-tree.ts';
import { type DeclaredRules, fieldAs, has, namesAs } from '../reading/declared-names.ts';

/** What declares names in C#. */
export const declared: DeclaredRules = {
  local: [
    'method_declaration',
    'constructor_declaration',
    'destructor_declaration',
    'operator_declaration',
    'conversion_operator_declaration',
    'indexer_declaration',
    'local_function_statement',
    'lambda_expression',
    'anonymous_method_expression',
    'accessor_list',
    'arrow_expression_clause',
    'global_statement',
  ],
  readers: {
    field_declaration: (node) =>
      namesAs(
        has(node, 'const') || (has(node, 'static') && has(node, 'readonly')) ? 'constant' : 'field',
        declarators(node),
      ),
    event_field_declaration: (node) => namesAs('field', declarators(node)),
    event_declaration: fieldAs('field'),
    property_declaration: fieldAs('field'),
    enum_member_declaration: fieldAs('enum_member'),
    using_directive: fieldAs('type_alias'),
    delegate_declaration: fieldAs('type_alias'),
    record_declaration: (node) =>
      namesAs(
        'field',
        node.namedChildren
          .filter(({ type }) => type === 'parameter_list')
          .flatMap((list) => list.namedChildren.map((each) => each.childForFieldName('name'))),
      ),
  },
};

const declarators = (node: Node) =>
  node.namedChildren
    .filter(({ type }) => type === 'variable_declaration')
    .flatMap((each) => each.namedChildren)
    .filter(({ type }) => type === 'variable_declarator')
    .map((each) => each.childForFieldName('name'));
