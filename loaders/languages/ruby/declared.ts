import type { Node } from '../../facts/syntax-tree.ts';
import { type Declared, type DeclaredRules } from '../reading/declared-names.ts';

const kinds = {
  constant: 'constant',
  global_variable: 'variable',
  class_variable: 'field',
  instance_variable: 'field',
} as const;

/** What declares names in Ruby: constants, and what is assigned to an object's, a class's or everybody's variables. */
export const declared: DeclaredRules = {
  local: ['method', 'singleton_method'],
  byAssignment: true,
  readers: {
    assignment,
    operator_assignment: assignment,
    method: inMethod,
    singleton_method: inMethod,
    call(node) {
      if (
        !/^(?:attr|[cm]attr|class_attribute)(?:_accessor|_reader|_writer)?$/.test(
          node.childForFieldName('method')?.text ?? '',
        )
      )
        return [];
      return (node.childForFieldName('arguments')?.namedChildren ?? [])
        .filter(({ type }) => type === 'simple_symbol' || type === 'string')
        .map((at) => ({ kind: 'field', at, name: at.text.replace(/^[:"']|["']$/g, '') }));
    },
  },
};

function assignment(node: Node): Declared[] {
  const left = node.childForFieldName('left');
  const targets = left?.type === 'left_assignment_list' ? left.namedChildren : [left];
  return targets.flatMap((target) => {
    const at = target?.type === 'scope_resolution' ? target.childForFieldName('name') : target;
    return at && Object.hasOwn(kinds, at.type) ? [{ kind: kinds[at.type as keyof typeof kinds], at }] : [];
  });
}

function inMethod(node: Node): Declared[] {
  return node
    .descendantsOfType(['assignment', 'operator_assignment'])
    .flatMap(assignment)
    .filter(({ kind }) => kind !== 'constant');
}
