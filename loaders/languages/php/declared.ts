import type { Node } from '../../facts/syntax-tree.ts';
import { type DeclaredRules, namesAs } from '../reading/declared-names.ts';

/** What declares names in PHP; those of variables without `$`. */
export const declared: DeclaredRules = {
  local: ['function_definition', 'method_declaration', 'anonymous_function', 'arrow_function'],
  byAssignment: true,
  readers: {
    const_element: (node) => namesAs('constant', [node.namedChild(0)]),
    property_element: (node) => namesAs('field', [nameIn(node.childForFieldName('name'))]),
    method_declaration: (node) =>
      namesAs(
        'field',
        (node.childForFieldName('parameters')?.namedChildren ?? [])
          .filter(({ type }) => type === 'property_promotion_parameter')
          .map((each) => nameIn(each.childForFieldName('name'))),
      ),
    enum_case: (node) => namesAs('enum_member', [node.childForFieldName('name')]),
    function_call_expression(node) {
      if (node.childForFieldName('function')?.text.toLowerCase().replace(/^\\/, '') !== 'define') return [];
      const at = node.childForFieldName('arguments')?.namedChild(0)?.namedChild(0);
      // A namespace may stand before it.
      return at ? [{ kind: 'constant', at, name: /^["'](?:.*\\)?(\w+)["']$/su.exec(at.text)?.[1] ?? '' }] : [];
    },
    assignment_expression(node) {
      const left = node.childForFieldName('left');
      const isOwn = left?.type === 'variable_name' && node.parent?.type === 'expression_statement';
      return namesAs('variable', isOwn ? [nameIn(left)] : []);
    },
  },
};

const nameIn = (variable: Node | null | undefined) => variable?.namedChild(0);
