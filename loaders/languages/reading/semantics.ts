import type { ContainerMember, Semantics } from '../language.ts';

/** What most languages with written types have in common; each says what it does otherwise. */
export const usualSemantics: Semantics = {
  explicitExports: false,
  packageScope: 'name',
  membersAreNames: true,
  classScopeHidden: false,
  callMakesInstance: false,
  overloads: false,
  functionalInterfaces: false,
  memberOrder: 'depth_first',
  callMember: null,
  iterationMembers: [],
  mapIteration: 'entries',
  builtins: new Set(),
  arrayMembers: {},
  mapMembers: {},
  functions: {},
  submodule: () => null,
};

/** Container methods of these names, all of which give the same. */
export function giving(
  gives: ContainerMember['gives'],
  names: string,
  callback?: number,
  as?: string,
): Record<string, ContainerMember> {
  const rule: ContainerMember = { gives, ...(callback !== undefined && { callback }), ...(as !== undefined && { as }) };
  return Object.fromEntries(names.split(' ').map((name) => [name, rule]));
}

/** Container methods of these names, which take what is held. */
export const taking = (names: string): Record<string, ContainerMember> =>
  Object.fromEntries(names.split(' ').map((name) => [name, { gives: 'unknown', takes: true }]));
