import { declared } from './ecmascript/declared.ts';
import { legibleJavascript as legible } from './ecmascript/legible.ts';
import { ecmascriptModules } from './ecmascript/modules.ts';
import { ecmascriptSemantics } from './ecmascript/semantics.ts';
import type { Language } from './language.ts';
import { backtick, double, single, slashes } from './reading/comments.ts';
import { branches } from './ecmascript/branches.ts';

/** JavaScript, CommonJS and ES modules, with JSX. */
export const javascript: Language = {
  id: 'javascript',
  linguist: 'JavaScript',
  extensions: ['.js', '.mjs', '.cjs', '.jsx'],
  grammar: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  family: 'ecmascript',
  ecosystem: 'npm',
  comments: { ...slashes, quotes: [double, single, backtick] },
  branches,
  tests: [/[._-](test|tests|spec|specs|e2e|cy|bench)\.[cm]?[jt]sx?$/i],
  importsByWord: true,
  async extractor() {
    const { extractEcmascript } = await import('./ecmascript/extract.ts');
    return (root, source) => extractEcmascript('javascript', root, source);
  },
  declared,
  legible,
  modules: ecmascriptModules,
  semantics: ecmascriptSemantics,
};
