import { declared } from './lua/declared.ts';
import type { Language } from './language.ts';
import { legible } from './lua/legible.ts';
import { modules } from './lua/modules.ts';
import { giving, usualSemantics } from './reading/semantics.ts';
import { double, single } from './reading/comments.ts';

/** Lua, through its tables: those that functions are put into are its modules and classes. */
export const lua: Language = {
  id: 'lua',
  linguist: 'Lua',
  extensions: ['.lua', '.rockspec'],
  grammar: '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm',
  family: 'lua',
  comments: { line: ['--'], block: [['--[[', ']]']], quotes: [['[[', ']]'], double, single] },
  branches: {
    functions: ['function_declaration', 'function_definition'],
    branches: [],
    operators: ['if', 'elseif', 'while', 'for', 'repeat', 'and', 'or'],
  },
  tests: [/_spec\.lua$/, /(?:^|\/)test[-_][^/]*\.lua$/],
  importsByWord: true,
  extractor: async () => (await import('./lua/extract.ts')).extract,
  declared,
  legible,
  modules,
  semantics: {
    ...usualSemantics,
    explicitExports: true,
    nearestWins: true,
    membersAreNames: false,
    callMakesInstance: true,
    argumentsTellParameters: true,
    callMember: '__call',
    indexMember: '__index',
    builtins: new Set(
      (
        'new init insert remove concat sort unpack pack format gsub gmatch match find sub rep byte char lower upper len reverse open ' +
        'close read write lines seek flush setvbuf time clock date getenv exit execute remove rename tmpname floor ceil max min abs ' +
        'random huge get set add pop push clear update each map filter next type run call load require print error assert'
      ).split(' '),
    ),
    functions: { ...giving('self', 'assert'), ...giving('entries', 'ipairs pairs') },
  },
};
