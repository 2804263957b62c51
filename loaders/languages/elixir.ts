import { declared } from './elixir/declared.ts';
import type { Language } from './language.ts';
import { modules } from './elixir/modules.ts';
import { usualSemantics } from './reading/semantics.ts';
import { double, hash, single, tripled } from './reading/comments.ts';

/** Elixir: modules by their full names, functions by name and arity. */
export const elixir: Language = {
  id: 'elixir',
  linguist: 'Elixir',
  extensions: ['.ex', '.exs'],
  grammar: 'tree-sitter-elixir/tree-sitter-elixir.wasm',
  family: 'elixir',
  comments: { ...hash, quotes: [tripled, ["'''", "'''"], double, single] },
  tests: [/_test\.exs$/],
  extractor: async () => (await import('./elixir/extract.ts')).extract,
  declared,
  modules,
  semantics: { ...usualSemantics, overloads: true, strictArity: true },
};
