import { declared } from './cpp/declared.ts';
import { legible } from './cpp/legible.ts';
import { preprocessor } from './cpp/preprocess.ts';
import type { Language } from './language.ts';
import { double, slashes } from './reading/comments.ts';
import { includedFiles } from './reading/included-files.ts';
import { giving, usualSemantics } from './reading/semantics.ts';

/** C++, through its namespaces, classes and templates. A header is read so in a C project, too. */
export const cpp: Language = {
  id: 'cpp',
  linguist: 'C++',
  extensions: [
    '.cpp',
    '.cc',
    '.cxx',
    '.c++',
    '.hpp',
    '.hh',
    '.hxx',
    '.h++',
    '.h',
    '.inl',
    '.ino',
    '.ipp',
    '.ixx',
    '.tcc',
    '.tpp',
    '.txx',
    '.cppm',
  ],
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm',
  family: 'c',
  comments: { ...slashes, quotes: [double] },
  branches: {
    functions: ['function_definition'],
    branches: [],
    operators: ['if', 'for', 'while', 'case', 'catch', '&&', '||', '?', '#if', '#ifdef', '#elif'],
  },
  tests: [/_(test|spec)\.(cc|cpp)$/],
  async extractor() {
    const { extract } = await import('./cpp/extract.ts');
    return (root, source, path) => extract('cpp', root, source, path);
  },
  declared,
  preprocessor,
  legible,
  modules: includedFiles,
  semantics: {
    ...usualSemantics,
    callMakesInstance: true,
    classesAreCalled: true,
    overloads: true,
    nearestWins: true,
    indexMember: 'operator[]',
    derefMember: 'operator->',
    callMember: 'operator()',
    mapIteration: 'entries',
    builtins: new Set(
      (
        'begin end cbegin cend rbegin rend size empty clear push_back emplace_back pop_back front back insert erase find at data ' +
        'reserve resize swap count c_str str length append substr get reset release lock unlock try_lock push pop top emplace ' +
        'assign capacity load store exchange open close read write flush what message code name type value first second'
      ).split(' '),
    ),
    arrayMembers: {
      // An iterator is what it leads to, as a pointer is.
      ...giving('element', 'front back at top begin end rbegin rend cbegin cend find lower_bound upper_bound data'),
    },
    mapMembers: {
      ...giving('element', 'at'),
      ...giving('entry', 'begin end rbegin rend cbegin cend find lower_bound upper_bound'),
    },
  },
};
