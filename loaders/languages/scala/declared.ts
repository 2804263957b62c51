import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, type DeclaredRules, fieldAs, has, namesAs } from '../reading/declared-names.ts';

/** What declares names in Scala. */
export const declared: DeclaredRules = {
  local: ['function_definition', 'lambda_expression', 'block', 'indented_block', 'case_block', 'indented_cases'],
  readers: {
    val_definition: values,
    var_definition: values,
    val_declaration: fieldAs('field'),
    var_declaration: fieldAs('field'),
    type_definition: fieldAs('type_alias'),
    simple_enum_case: fieldAs('enum_member'),
    full_enum_case: fieldAs('enum_member'),
    class_parameter(node) {
      const holder = node.parent?.parent;
      const isField =
        has(node, 'val') || has(node, 'var') || (holder?.type === 'class_definition' && has(holder, 'case'));
      return isField ? namesAs('field', [node.childForFieldName('name')]) : [];
    },
  },
};

const bodies: ReadonlySet<string> = new Set(['template_body', 'enum_body', 'with_template_body']);

/** A value that begins with a capital is a constant. */
function values(node: Node): Declared[] {
  const other = bodies.has(node.parent?.type ?? '') ? 'field' : 'variable';
  const pattern = node.childForFieldName('pattern');
  const names = pattern?.descendantsOfType('identifier').filter(({ parent }) => isBound(parent)) ?? [];
  return names.map((at) => ({
    kind: node.type === 'val_definition' && /^\p{Lu}/u.test(at.text) ? 'constant' : other,
    at,
  }));
}

const isBound = (parent: Node | null) =>
  parent !== null && ['val_definition', 'var_definition', 'identifiers', 'tuple_pattern'].includes(parent.type);
