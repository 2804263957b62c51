import type { Language } from './language.ts';
import { includedFiles } from './reading/included-files.ts';
import { usualSemantics } from './reading/semantics.ts';

/** Scripts of Bash and its like: functions, and files that are read in. */
export const shell: Language = {
  id: 'shell',
  extensions: ['.sh', '.bash', '.bats', '.ksh'],
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm',
  isHardToOptimise: true,
  family: 'shell',
  extractor: async () => (await import('./shell/extract.ts')).extract,
  modules: includedFiles,
  semantics: { ...usualSemantics, packageScope: 'none', membersAreNames: false },
};
