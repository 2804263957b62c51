import type { Node } from '../../facts/syntax-tree.ts';
import { type DeclaredRules, has, isCapitals, namesAs } from '../reading/declared-names.ts';

/** What declares names in Swift: properties, cases of enums, other names of types. */
export const declared: DeclaredRules = {
  local: ['function_body', 'lambda_literal', 'computed_property', 'willset_didset_block'],
  readers: {
    property_declaration(node) {
      const isStatic = node.namedChildren.some((part) => part.type === 'modifiers' && has(part, 'static'));
      const isFixed = node.namedChildren.some((part) => part.type === 'value_binding_pattern' && part.text === 'let');
      const inType = node.parent?.type.endsWith('_body') ?? false;
      return names(node).map((at) => ({
        kind:
          (isStatic && isFixed) || isCapitals(at.text)
            ? 'constant'
            : inType
              ? 'field'
              : isFixed
                ? 'constant'
                : 'variable',
        at,
      }));
    },
    protocol_property_declaration: (node) => names(node).map((at) => ({ kind: 'field', at })),
    enum_entry: (node) =>
      namesAs(
        'enum_member',
        node.childrenForFieldName('name').filter(({ type }) => type === 'simple_identifier'),
      ),
    typealias_declaration: (node) => namesAs('type_alias', [node.childForFieldName('name')]),
    associatedtype_declaration: (node) => namesAs('type_alias', [node.childForFieldName('name')]),
  },
};

const names = (node: Node): Node[] =>
  node.childrenForFieldName('name').flatMap((pattern) => pattern.childForFieldName('bound_identifier') ?? []);
