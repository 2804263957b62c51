import type { Node } from '../../facts/syntax-tree.ts';
import { type DeclaredRules, fieldAs, has, isCapitals, namesAs } from '../reading/declared-names.ts';

/** What declares names in Kotlin. */
export const declared: DeclaredRules = {
  local: [
    'function_declaration',
    'anonymous_function',
    'lambda_literal',
    'anonymous_initializer',
    'secondary_constructor',
    'getter',
    'setter',
  ],
  readers: {
    property_declaration(node) {
      const isConst = node.namedChildren.some(({ type, text }) => type === 'modifiers' && /\bconst\b/.test(text));
      const other = node.parent?.type === 'source_file' ? 'variable' : 'field';
      return variables(node).map((at) => ({ kind: isConst || isCapitals(at.text) ? 'constant' : other, at }));
    },
    class_parameter: (node) => (has(node, 'val') || has(node, 'var') ? namesAs('field', [identifier(node)]) : []),
    enum_entry: (node) => namesAs('enum_member', [identifier(node)]),
    type_alias: fieldAs('type_alias', 'type'),
  },
};

const identifier = (node: Node) => node.namedChildren.find(({ type }) => type === 'identifier');

const variables = (node: Node) =>
  node.namedChildren
    .flatMap((child) => (child.type === 'multi_variable_declaration' ? child.namedChildren : [child]))
    .filter(({ type }) => type === 'variable_declaration')
    .flatMap((each) => identifier(each) ?? []);
