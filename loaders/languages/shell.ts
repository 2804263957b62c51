import { declared } from './shell/declared.ts';
import { legible } from './shell/legible.ts';
import type { Language } from './language.ts';
import { includedFiles } from './reading/included-files.ts';
import { usualSemantics } from './reading/semantics.ts';
import { double, hash, single } from './reading/comments.ts';

/** Scripts of Bash and its like: functions, and files that are read in. */
export const shell: Language = {
  id: 'shell',
  linguist: 'Shell',
  extensions: ['.sh', '.bash', '.bats', '.ksh'],
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm',
  family: 'shell',
  comments: { ...hash, quotes: [double, single] },
  extractor: async () => (await import('./shell/extract.ts')).extract,
  declared,
  legible,
  modules: includedFiles,
  semantics: { ...usualSemantics, packageScope: 'none', membersAreNames: false },
};
