import { declared } from './php/declared.ts';
import type { Language } from './language.ts';
import { method } from './php/names.ts';
import { packageModules } from './reading/packages.ts';
import { giving, usualSemantics } from './reading/semantics.ts';
import { double, single } from './reading/comments.ts';
import { testClasses } from './reading/tests.ts';

/** PHP 8, through its namespaces, classes and traits; doc comments give the types that the code leaves out. */
export const php: Language = {
  id: 'php',
  linguist: 'PHP',
  extensions: ['.php', '.phtml', '.inc'],
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm',
  family: 'php',
  ecosystem: 'composer',
  comments: { line: ['//', '#'], block: [['/*', '*/']], quotes: [double, single] },
  branches: {
    functions: ['method_declaration', 'function_definition'],
    branches: ['conditional_expression'],
    operators: ['if', 'elseif', 'for', 'foreach', 'while', 'case', 'catch', 'match', '&&', '||', 'and', 'or'],
  },
  tests: [testClasses('php')],
  extractor: async () => (await import('./php/extract.ts')).extract,
  declared,
  modules: packageModules(['.php', '.phtml', '.inc']),
  semantics: {
    ...usualSemantics,
    foreignNames: 'imported_whole',
    nearestWins: true,
    membersAreNames: false,
    iterationMembers: [method('getIterator'), method('current')],
    indexMember: method('offsetGet'),
    callMember: method('__invoke'),
    builtins: new Set(
      (
        'count current key next rewind valid getIterator offsetGet offsetSet offsetExists offsetUnset jsonSerialize format modify ' +
        'getMessage getCode getPrevious getFile getLine getTrace __toString __invoke bind call fetch fetchAll execute prepare query ' +
        'get set has add remove push pop all first last map filter each toArray isEmpty keys values merge contains'
      ).split(' '),
    ),
    functions: {
      ...giving('element', 'reset() end() current() array_pop() array_shift() next() prev() max() min()'),
      ...giving(
        'self',
        'array_values() array_filter() array_slice() array_reverse() array_merge() array_unique() iterator_to_array() array_splice() array_diff() array_intersect()',
      ),
      ...giving('keys', 'array_keys()'),
    },
  },
};
