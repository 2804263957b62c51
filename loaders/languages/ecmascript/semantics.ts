import type { Semantics } from '../language.ts';

/** Names and members as JavaScript and TypeScript find them. */
export const ecmascriptSemantics: Semantics = {
  explicitExports: true,
  packageScope: 'none',
  membersAreNames: false,
  classScopeHidden: false,
  callMakesInstance: false,
  overloads: false,
  memberOrder: 'depth_first',
  callMember: '()',
  indexType: '[]',
  iterationMembers: ['[Symbol.iterator]', '[Symbol.asyncIterator]'],
  mapIteration: 'entries',
  builtins: new Set(
    (
      'apply bind call then catch finally toString valueOf hasOwnProperty toJSON push pop shift unshift slice splice concat ' +
      'join map filter reduce forEach find findIndex some every includes indexOf keys values entries sort reverse flat flatMap ' +
      'get set has add delete clear next return throw test exec match replace split trim on once off emit addEventListener ' +
      'removeEventListener log warn error info debug write end pipe send close open parse stringify resolve reject assign'
    ).split(' '),
  ),
  arrayMembers: {
    at: { gives: 'element' },
    pop: { gives: 'element' },
    shift: { gives: 'element' },
    find: { gives: 'element', callback: 0 },
    findLast: { gives: 'element', callback: 0 },
    filter: { gives: 'self', callback: 0 },
    slice: { gives: 'self' },
    splice: { gives: 'self' },
    concat: { gives: 'self' },
    reverse: { gives: 'self' },
    toReversed: { gives: 'self' },
    sort: { gives: 'self', callback: 0 },
    toSorted: { gives: 'self', callback: 0 },
    fill: { gives: 'self' },
    values: { gives: 'self' },
    next: { gives: 'unknown' },
    map: { gives: 'mapped', callback: 0 },
    flatMap: { gives: 'mapped', callback: 0 },
    forEach: { gives: 'unknown', callback: 0 },
    some: { gives: 'unknown', callback: 0 },
    every: { gives: 'unknown', callback: 0 },
    findIndex: { gives: 'unknown', callback: 0 },
    reduce: { gives: 'unknown', callback: 1 },
    reduceRight: { gives: 'unknown', callback: 1 },
    entries: { gives: 'entries' },
  },
  mapMembers: {
    get: { gives: 'element' },
    set: { gives: 'self' },
    values: { gives: 'elements' },
    keys: { gives: 'keys' },
    entries: { gives: 'entries' },
    forEach: { gives: 'unknown', callback: 0 },
  },
  functions: {
    'Object.values': { gives: 'elements' },
    'Object.entries': { gives: 'entries' },
    'Object.freeze': { gives: 'unknown' },
    'Array.from': { gives: 'elements' },
  },
  functionalInterfaces: false,
  submodule: () => null,
};
