import { declared } from './swift/declared.ts';
import type { Language } from './language.ts';
import { legible } from './swift/legible.ts';
import { packageModules } from './reading/packages.ts';
import { giving, usualSemantics } from './reading/semantics.ts';
import { double, slashes, tripled } from './reading/comments.ts';

/** Swift: types with their extensions, protocols, initializers by call. */
export const swift: Language = {
  id: 'swift',
  linguist: 'Swift',
  extensions: ['.swift'],
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm',
  family: 'swift',
  comments: { ...slashes, quotes: [tripled, double], nested: true },
  branches: {
    functions: ['function_declaration', 'init_declaration'],
    branches: ['switch_entry', 'ternary_expression', 'nil_coalescing_expression'],
    operators: ['if', 'for', 'while', 'guard', 'catch', 'repeat', '&&', '||'],
  },
  tests: [/Tests?\.swift$/],
  importsByWord: true,
  extractor: async () => (await import('./swift/extract.ts')).extract,
  declared,
  legible,
  modules: packageModules(['.swift']),
  semantics: {
    ...usualSemantics,
    nearestWins: true,
    callMakesInstance: true,
    overloads: true,
    callMember: 'callAsFunction',
    indexMember: 'subscript',
    iterationMembers: ['makeIterator'],
    nextMember: 'next',
    builtins: new Set(
      (
        'init append insert remove removeAll contains map filter reduce forEach compactMap flatMap sorted first last count isEmpty ' +
        'joined split hash encode decode description debugDescription resume cancel suspend start stop async sync lock unlock ' +
        'value get set add update load save write read close open print index prefix suffix min max enumerated zip'
      ).split(' '),
    ),
    arrayMembers: {
      ...giving('element', 'first last popLast removeFirst removeLast randomElement min max reduce', 0),
      ...giving('self', 'filter sorted reversed prefix suffix dropFirst dropLast shuffled lazy', 0),
      ...giving('mapped', 'map compactMap flatMap', 0),
      ...giving('unknown', 'forEach contains allSatisfy removeAll firstIndex', 0),
      ...giving('entries', 'enumerated'),
    },
    mapMembers: {
      ...giving('element', 'removeValue updateValue'),
      ...giving('elements', 'values'),
      ...giving('keys', 'keys'),
      ...giving('self', 'filter merging'),
    },
  },
};
