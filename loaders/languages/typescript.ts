import { declared } from './ecmascript/declared.ts';
import { legible, legibleTsx } from './ecmascript/legible.ts';
import { ecmascriptModules } from './ecmascript/modules.ts';
import { ecmascriptSemantics } from './ecmascript/semantics.ts';
import type { Language } from './language.ts';
import { backtick, double, single, slashes } from './reading/comments.ts';
import { branches } from './ecmascript/branches.ts';

/** TypeScript without JSX, where `<T>x` is a cast. */
export const typescript: Language = {
  id: 'typescript',
  linguist: 'TypeScript',
  extensions: ['.ts', '.mts', '.cts'],
  grammar: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
  family: 'ecmascript',
  ecosystem: 'npm',
  comments: { ...slashes, quotes: [double, single, backtick] },
  branches,
  importsByWord: true,
  async extractor() {
    const { extractEcmascript } = await import('./ecmascript/extract.ts');
    return (root, source) => extractEcmascript('typescript', root, source);
  },
  declared,
  legible,
  modules: ecmascriptModules,
  semantics: ecmascriptSemantics,
};

/** TypeScript with JSX. */
export const tsx: Language = {
  ...typescript,
  id: 'tsx',
  linguist: 'TSX',
  extensions: ['.tsx'],
  grammar: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
  async extractor() {
    const { extractEcmascript } = await import('./ecmascript/extract.ts');
    return (root, source) => extractEcmascript('tsx', root, source);
  },
  legible: legibleTsx,
};
