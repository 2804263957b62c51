import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, type DeclaredRules, fieldAs, has, namesAs } from '../reading/declared-names.ts';

/** What declares names in JavaScript and TypeScript. */
export const declared: DeclaredRules = {
  local: [
    'function_declaration',
    'function_expression',
    'generator_function',
    'generator_function_declaration',
    'arrow_function',
    'method_definition',
    'class_static_block',
  ],
  byAssignment: true,
  readers: {
    lexical_declaration: (node) => (isInBlock(node) ? [] : variables(node)),
    variable_declaration: variables,
    public_field_definition: fieldAs('field'),
    field_definition: fieldAs('field', 'property'),
    property_signature: fieldAs('field'),
    type_alias_declaration: fieldAs('type_alias'),
    enum_body: (node) => fieldAs('enum_member')(node).map(unquoted),
    enum_assignment: (node) => fieldAs('enum_member')(node).map(unquoted),
    method_definition: (node) => [...ofParameters(node), ...ofThis(node)],
    // What is written with a capital makes objects.
    function_declaration: (node) => (/^\p{Lu}/u.test(node.childForFieldName('name')?.text ?? '') ? ofThis(node) : []),
    assignment_expression(node) {
      const left = node.childForFieldName('left');
      const object = left?.childForFieldName('object')?.text ?? '';
      const property = left?.type === 'member_expression' ? left.childForFieldName('property') : null;
      if (/^(?:module\s*\.\s*)?exports$/.test(object)) return namesAs('variable', [property]);
      const around = /^(\p{Lu}[\p{L}\p{N}_$]*)(?:\.prototype)?$/u.exec(object)?.[1];
      return namesAs('field', around === undefined ? [] : [property]).map((each) => ({
        ...each,
        around: around ?? '',
      }));
    },
  },
};

/** It holds for a block alone, which is no namespace's. */
function isInBlock({ parent }: Node): boolean {
  if (parent?.type === 'for_statement') return true;
  const outer = parent?.parent?.type;
  return parent?.type === 'statement_block' && outer !== 'internal_module' && outer !== 'module';
}

function variables(node: Node): Declared[] {
  const kind = has(node, 'const') ? 'constant' : 'variable';
  const targets = node.namedChildren
    .filter((each) => !isImport(each.childForFieldName('value')))
    .map((each) => each.childForFieldName('name'));
  return namesAs(kind, targets.flatMap(bound));
}

/** `require('fs')`, `require('fs').promises`, `await import('fs')`: what it gives is declared there. */
function isImport(value: Node | null): boolean {
  let node = value;
  while (node?.type === 'member_expression' || node?.type === 'await_expression')
    node = node.childForFieldName('object') ?? node.firstNamedChild;
  const called = node?.type === 'call_expression' ? node.childForFieldName('function') : null;
  return called?.type === 'import' || called?.text === 'require';
}

/** By the type of what is around it: the field in which a pattern has a name that it binds. */
const binding: Readonly<Record<string, string | null>> = {
  object_pattern: null,
  array_pattern: null,
  rest_pattern: null,
  pair_pattern: 'value',
  assignment_pattern: 'left',
  object_assignment_pattern: 'left',
};

function bound(target: Node | null): Node[] {
  if (target === null || target.type === 'identifier') return target ? [target] : [];
  return target.descendantsOfType(['identifier', 'shorthand_property_identifier_pattern']).filter((each) => {
    const field = binding[each.parent?.type ?? ''];
    return field === null || (field !== undefined && each.parent?.childForFieldName(field)?.id === each.id);
  });
}

const unquoted = (each: Declared): Declared =>
  each.at.type === 'string' ? { ...each, name: each.at.text.slice(1, -1) } : each;

/** TypeScript's parameters that are fields as well. */
function ofParameters(method: Node): Declared[] {
  const parameters = method.childForFieldName('parameters')?.namedChildren ?? [];
  const fields = parameters.filter((each) =>
    each.children.some(
      ({ type }) => type === 'accessibility_modifier' || type === 'readonly' || type === 'override_modifier',
    ),
  );
  return namesAs(
    'field',
    fields.map((each) => each.childForFieldName('pattern')),
  );
}

/** `this.name = …`. */
function ofThis(node: Node): Declared[] {
  return node.descendantsOfType('assignment_expression').flatMap((assignment) => {
    const left = assignment.childForFieldName('left');
    const isOwn = left?.type === 'member_expression' && left.childForFieldName('object')?.type === 'this';
    return isOwn ? namesAs('field', [left.childForFieldName('property')]) : [];
  });
}
