import { declared } from './java/declared.ts';
import type { Language } from './language.ts';
import { library } from './java/library.ts';
import { method } from './java/names.ts';
import { modules } from './java/modules.ts';
import { double, slashes } from './reading/comments.ts';
import { testClasses } from './reading/tests.ts';

/** Java, through its packages, scopes and types. */
export const java: Language = {
  id: 'java',
  linguist: 'Java',
  extensions: ['.java'],
  grammar: 'tree-sitter-java/tree-sitter-java.wasm',
  family: 'java',
  ecosystem: 'maven',
  comments: { ...slashes, quotes: [double] },
  branches: {
    functions: ['method_declaration', 'constructor_declaration', 'compact_constructor_declaration'],
    branches: [
      'if_statement',
      'for_statement',
      'enhanced_for_statement',
      'while_statement',
      'do_statement',
      'catch_clause',
      'ternary_expression',
    ],
    operators: ['&&', '||'],
    cases: { node: 'switch_label', is: /^case/ },
  },
  tests: [testClasses('java')],
  extractor: async () => (await import('./java/extract.ts')).extract,
  declared,
  modules,
  library,
  semantics: {
    explicitExports: false,
    elementsFromOutside: true,
    packageScope: 'name',
    foreignNames: 'paths',
    membersAreNames: true,
    classScopeHidden: false,
    callMakesInstance: false,
    overloads: true,
    functionalInterfaces: true,
    memberOrder: 'depth_first',
    callMember: null,
    iterationMembers: [method('iterator')],
    nextMember: method('next'),
    mapIteration: 'entries',
    builtins: new Set(['equals', 'hashCode', 'toString', 'getClass', 'clone', 'finalize', 'compareTo']),
    arrayMembers: {},
    mapMembers: {},
    functions: {},
    submodule: () => null,
  },
};
