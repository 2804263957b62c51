import { declared } from './python/declared.ts';
import type { ContainerMember, Language } from './language.ts';
import { modules } from './python/modules.ts';
import { double, hash, single } from './reading/comments.ts';

const members = (gives: ContainerMember['gives'], names: string): Record<string, ContainerMember> =>
  Object.fromEntries(names.split(' ').map((name) => [name, { gives }]));

/** Python 3; what jedi, the reference, takes for granted is taken for granted here. */
export const python: Language = {
  id: 'python',
  linguist: 'Python',
  extensions: ['.py', '.pyi', '.pyw'],
  grammar: 'tree-sitter-python/tree-sitter-python.wasm',
  family: 'python',
  ecosystem: 'pypi',
  comments: { ...hash, quotes: [double, single], docstrings: ['"""', "'''"] },
  branches: {
    functions: ['function_definition'],
    branches: [
      'if_statement',
      'elif_clause',
      'conditional_expression',
      'for_statement',
      'while_statement',
      'except_clause',
      'except_group_clause',
      'finally_clause',
      'for_in_clause',
      'if_clause',
    ],
    operators: ['and', 'or'],
  },
  tests: [/(^|\/)(test_[^/]*|[^/]*_tests?|tests|conftest)\.pyi?$/],
  importsByWord: true,
  extractor: async () => (await import('./python/extract.ts')).extract,
  declared,
  modules,
  semantics: {
    explicitExports: false,
    packageScope: 'none',
    foreignNames: 'imported_whole',
    namesHide: true,
    membersAreNames: false,
    classScopeHidden: true,
    callMakesInstance: true,
    overloads: false,
    functionalInterfaces: false,
    memberOrder: 'c3',
    argumentsTellParameters: true,
    callMember: '__call__',
    classMember: '__class__',
    indexMember: '__getitem__',
    iterationMembers: ['__iter__', '__aiter__', '__getitem__'],
    mapIteration: 'keys',
    builtins: new Set(
      (
        'append add clear copy count decode discard encode endswith extend find format get index insert items join keys ' +
        'lower lstrip pop popitem read readline remove replace reverse rfind rsplit rstrip setdefault sort split splitlines ' +
        'startswith strip title update upper values write close flush send throw seek tell group groups match search ' +
        'acquire release wait set put result cancel start run'
      ).split(' '),
    ),
    // What a generator gives to `with` is what its `contextmanager` yields.
    arrayMembers: {
      ...members('element', 'pop popleft __next__ __enter__ __aenter__ __getitem__ __anext__ send'),
      ...members('self', 'copy union intersection difference symmetric_difference __iter__ __aiter__'),
    },
    mapMembers: {
      ...members('element', 'get pop setdefault __getitem__'),
      ...members('elements', 'values'),
      ...members('keys', 'keys'),
      ...members('entries', 'items'),
      ...members('self', 'copy'),
    },
    functions: {
      ...members(
        'elements',
        'list tuple set frozenset sorted reversed collections.deque itertools.islice itertools.chain',
      ),
      ...members('element', 'max min anext heapq.heappop random.choice'),
      ...members('self', 'dict collections.OrderedDict copy.copy copy.deepcopy weakref.proxy'),
    },
    submodule: (specifier, name) => (specifier.endsWith('.') ? specifier + name : `${specifier}.${name}`),
  },
};
