import { cpp } from './cpp.ts';
import type { Language } from './language.ts';

/** C; shares its reader and its names with C++. */
export const c: Language = {
  ...cpp,
  id: 'c',
  extensions: ['.c'],
  grammar: 'tree-sitter-c/tree-sitter-c.wasm',
  async extractor() {
    const { extract } = await import('./cpp/extract.ts');
    return (root, source, path) => extract('c', root, source, path);
  },
  semantics: { ...cpp.semantics, callMakesInstance: false, overloads: false, callMember: null },
};
