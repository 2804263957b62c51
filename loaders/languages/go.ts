import { declared } from './go/declared.ts';
import { legible } from './go/legible.ts';
import { modules } from './go/modules.ts';
import type { ContainerMember, Language } from './language.ts';
import { backtick, double, slashes } from './reading/comments.ts';

const giving = (gives: ContainerMember['gives'], names: string): Record<string, ContainerMember> =>
  Object.fromEntries(names.split(' ').map((name) => [name, { gives }]));

/** Go with modules, generics and iterators. */
export const go: Language = {
  id: 'go',
  linguist: 'Go',
  extensions: ['.go'],
  grammar: 'tree-sitter-go/tree-sitter-go.wasm',
  family: 'go',
  ecosystem: 'go',
  comments: { ...slashes, quotes: [double, backtick] },
  branches: {
    functions: ['function_declaration', 'method_declaration', 'func_literal'],
    branches: ['if_statement', 'for_statement', 'expression_case', 'type_case', 'communication_case'],
    operators: ['&&', '||'],
  },
  tests: [/_test\.go$/],
  importsByWord: true,
  extractor: async () => (await import('./go/extract.ts')).extract,
  declared,
  legible,
  modules,
  semantics: {
    explicitExports: false,
    packageScope: 'folder',
    membersAreNames: false,
    classScopeHidden: false,
    callMakesInstance: false,
    variablesHoldTypes: true,
    overloads: false,
    functionalInterfaces: false,
    memberOrder: 'breadth_first',
    callMember: null,
    iterationMembers: [],
    mapIteration: 'keys',
    // What the standard library's interfaces ask for: many types have them.
    builtins: new Set(
      (
        'Error String Read Write Close Len Less Swap Lock Unlock RLock RUnlock Add Done Wait Unwrap Is As Format GoString ' +
        'MarshalJSON UnmarshalJSON MarshalText UnmarshalText Scan Value Seek Flush ServeHTTP Header WriteHeader Next Get Set'
      ).split(' '),
    ),
    // Of `atomic.Pointer` and `unique.Handle`; slices, maps and channels have no methods.
    arrayMembers: giving('element', 'Load Swap Value'),
    mapMembers: {},
    functions: {
      ...giving(
        'self',
        'append min max sync.OnceValue cmp.Or slices.Clone slices.Clip slices.Grow slices.Compact maps.Clone',
      ),
      ...giving('elements', 'maps.Values slices.Collect slices.Sorted slices.SortedFunc slices.Values slices.Backward'),
      ...giving('element', 'slices.Max slices.MaxFunc slices.Min slices.MinFunc'),
      ...giving('keys', 'maps.Keys'),
    },
    submodule: () => null,
  },
};
