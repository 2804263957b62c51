import type { Node } from '../../facts/syntax-tree.ts';
import { type DeclaredRules, fieldAs, namesAs } from '../reading/declared-names.ts';

/** What declares names in Java. */
export const declared: DeclaredRules = {
  local: [
    'method_declaration',
    'constructor_declaration',
    'compact_constructor_declaration',
    'lambda_expression',
    'block',
    'static_initializer',
  ],
  readers: {
    field_declaration(node) {
      const modifiers = node.namedChildren.find(({ type }) => type === 'modifiers')?.text ?? '';
      const isConstant = /\bstatic\b/.test(modifiers) && /\bfinal\b/.test(modifiers);
      return namesAs(isConstant ? 'constant' : 'field', declarators(node));
    },
    constant_declaration: (node) => namesAs('constant', declarators(node)),
    enum_constant: fieldAs('enum_member'),
    record_declaration: (node) =>
      namesAs(
        'field',
        (node.childForFieldName('parameters')?.namedChildren ?? []).map((each) => each.childForFieldName('name')),
      ),
  },
};

const declarators = (node: Node) =>
  node.childrenForFieldName('declarator').map((each) => each.childForFieldName('name'));
