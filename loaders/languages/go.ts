import { extractGo } from './go/extract.ts';
import { modules } from './go/modules.ts';
import type { Language } from './language.ts';

/** Go with modules, generics and iterators. */
export const go: Language = {
  id: 'go',
  extensions: ['.go'],
  grammar: 'tree-sitter-go/tree-sitter-go.wasm',
  family: 'go',
  extract: extractGo,
  modules,
  semantics: {
    explicitExports: false,
    packageScope: 'folder',
    membersAreNames: false,
    classScopeHidden: false,
    callMakesInstance: false,
    overloads: false,
    memberOrder: 'depth_first',
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
    arrayMembers: {},
    mapMembers: {},
    functions: { append: { gives: 'self' }, min: { gives: 'self' }, max: { gives: 'self' } },
    submodule: () => null,
  },
};
