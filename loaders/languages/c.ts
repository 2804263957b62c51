import { cpp } from './cpp.ts';
import type { Language } from './language.ts';

/** C; shares its reader and its names with C++. */
export const c: Language = {
  ...cpp,
  id: 'c',
  linguist: 'C',
  extensions: ['.c'],
  grammar: 'tree-sitter-c/tree-sitter-c.wasm',
  tests: [/_(test|spec)\.c$/],
  async extractor() {
    const { extract } = await import('./cpp/extract.ts');
    return (root, source, path) => extract('c', root, source, path);
  },
  semantics: { ...cpp.semantics, callMakesInstance: false, overloads: false, callMember: null },
};
