import type { BranchRules } from '../language.ts';

/** What is measured in JavaScript and TypeScript. */
export const branches: BranchRules = {
  functions: [
    'function_declaration',
    'function_expression',
    'arrow_function',
    'method_definition',
    'generator_function',
    'generator_function_declaration',
  ],
  branches: [
    'if_statement',
    'for_statement',
    'for_in_statement',
    'while_statement',
    'do_statement',
    'catch_clause',
    'switch_case',
    'ternary_expression',
  ],
  operators: ['&&', '||', '??'],
  having: { assignment_pattern: 'right', required_parameter: 'value', optional_parameter: 'value' },
};
