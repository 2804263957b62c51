import { ecmascriptModules } from './ecmascript/modules.ts';
import { ecmascriptSemantics } from './ecmascript/semantics.ts';
import type { Language } from './language.ts';

/** JavaScript, CommonJS and ES modules, with JSX. */
export const javascript: Language = {
  id: 'javascript',
  extensions: ['.js', '.mjs', '.cjs', '.jsx'],
  grammar: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  family: 'ecmascript',
  async extractor() {
    const { extractEcmascript } = await import('./ecmascript/extract.ts');
    return (root, source) => extractEcmascript('javascript', root, source);
  },
  modules: ecmascriptModules,
  semantics: ecmascriptSemantics,
};
