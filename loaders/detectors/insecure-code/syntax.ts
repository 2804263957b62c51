import { type GrammarNames, type SyntaxTree, typesThat } from '../../facts/syntax-tree.ts';

const oneOf = (list: string) => {
  const names = new Set(list.split(' '));
  return typesThat((name) => names.has(name));
};

/** What the grammars of all languages call the same things. */
export const isCall = oneOf(
  'call_expression new_expression call method_invocation object_creation_expression invocation_expression ' +
    'function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression instance_expression ' +
    'macro_invocation command echo_statement print_intrinsic include_expression include_once_expression require_expression ' +
    'require_once_expression shell_command_expression subshell generic_function implicit_object_creation_expression function_call',
);
export const isArguments = oneOf('arguments argument_list value_arguments token_tree');
export const isAssignment = oneOf(
  'assignment assignment_expression augmented_assignment augmented_assignment_expression assignment_statement operator_assignment ' +
    'variable_declarator short_var_declaration var_spec const_spec let_declaration val_definition var_definition property_declaration ' +
    'init_declarator named_expression variable_assignment for_statement for_in_statement enhanced_for_statement foreach_statement ' +
    'range_clause for_in_clause as_pattern const_item static_item const_element',
);
/** What sets something by its name: named arguments, entries of maps, fields. */
export const isEntry = oneOf(
  'keyword_argument pair keyed_element field_initializer argument value_argument assignment_expression assignment ' +
    'array_element_initializer jsx_attribute named_argument variable_declarator property_declaration initializer_pair ' +
    'variable_assignment assignment_statement default_parameter let_declaration val_definition short_var_declaration var_spec ' +
    'init_declarator const_spec const_item',
);
export const isBinary = oneOf(
  'binary_expression binary_operator binary infix_expression additive_expression concatenated_string interpolation ' +
    'template_substitution string_interpolation chained_string',
);
export const isIdentifier = oneOf(
  'identifier simple_identifier variable_name instance_variable global_variable shorthand_property_identifier constant',
);
export const isString = typesThat((name) =>
  /^(?:(?:raw_|interpreted_|encapsed_|interpolated_|verbatim_|multiline_|line_|template_|char_|concatenated_)?string(?:_literal|_content|_fragment|_expression|_literal_content)?|heredoc_body|heredoc|nowdoc|string_literal_content|interpreted_string_literal_content|raw_string|char_literal)$/.test(
    name,
  ),
);
const otherFunctions = oneOf(
  'lambda lambda_expression lambda_literal anonymous_function closure_expression anonymous_function_creation_expression arrow_function function_expression func_literal',
);
const known = new WeakMap<GrammarNames, Map<ReadonlySet<string>, Uint8Array>>();

/** By type, 1 for functions: by the language's own list, and what has no name. */
export function functionTypes(tree: SyntaxTree, functions: ReadonlySet<string>): Uint8Array {
  const lists = known.get(tree.names) ?? new Map<ReadonlySet<string>, Uint8Array>();
  known.set(tree.names, lists);
  let answers = lists.get(functions);
  if (!answers)
    lists.set(
      functions,
      (answers = Uint8Array.from(tree.names.types, (name, type) =>
        functions.has(name) || otherFunctions(tree, type) ? 1 : 0,
      )),
    );
  return answers;
}
