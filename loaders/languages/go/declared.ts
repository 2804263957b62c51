import { type DeclaredRules, fieldAs } from '../reading/declared-names.ts';

/** What declares names in Go. */
export const declared: DeclaredRules = {
  local: ['block', 'parameter_list'],
  readers: {
    const_spec: fieldAs('constant'),
    var_spec: fieldAs('variable'),
    field_declaration: fieldAs('field'),
    type_alias: fieldAs('type_alias'),
    type_spec: fieldAs('type_alias'),
  },
};
