import { declared } from './rust/declared.ts';
import type { Language } from './language.ts';
import { giving, usualSemantics } from './reading/semantics.ts';
import { legible } from './rust/legible.ts';
import { modules } from './rust/modules.ts';
import { double, slashes } from './reading/comments.ts';

/** Rust, through its modules, crates, traits and implementations. */
export const rust: Language = {
  id: 'rust',
  linguist: 'Rust',
  extensions: ['.rs'],
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm',
  family: 'rust',
  ecosystem: 'cargo',
  comments: { ...slashes, quotes: [double], nested: true },
  branches: {
    functions: ['function_item'],
    branches: ['match_arm'],
    operators: ['if', 'for', 'while', 'where', '&&', '||', '?'],
    choices: ['match_expression'],
    having: { let_declaration: 'alternative' },
  },
  tests: [/_(test|spec)\.rs$/],
  extractor: async () => (await import('./rust/extract.ts')).extract,
  declared,
  legible,
  modules,
  semantics: {
    ...usualSemantics,
    elementsFromOutside: true,
    extensionsAreExact: true,
    traitsTellMethods: true,
    foreignNames: 'paths',
    packageScope: 'none',
    membersAreNames: false,
    oneOfSeveral: true,
    derefMember: 'deref',
    memberOrder: 'breadth_first',
    callMakesInstance: true,
    openContainers: true,
    iterationMembers: ['next', 'into_iter', 'iter'],
    // What the standard library's types and traits have.
    builtins: new Set(
      (
        'new default clone from into try_from try_into as_ref as_mut to_string to_owned fmt eq ne cmp partial_cmp hash drop deref ' +
        'deref_mut index index_mut next iter iter_mut into_iter len is_empty push pop insert remove get get_mut contains contains_key ' +
        'extend collect map filter fold unwrap expect read write flush poll lock borrow borrow_mut as_str as_bytes parse join split ' +
        'trim take replace clear send recv run start finish write_str finish_non_exhaustive field entry keys values any all find last ' +
        'first position count sum min max rev zip chain skip step_by cloned copied as_slice to_vec ok err and_then or_else unwrap_or'
      ).split(' '),
    ),
    // Of Option, Result, Vec, iterators and locks, which hold elements of one type.
    arrayMembers: {
      ...giving(
        'element',
        'unwrap expect unwrap_or unwrap_or_default borrow borrow_mut get_or_insert insert pop pop_front pop_back swap_remove ' +
          'remove replace next next_back index get_mut_unchecked assume_init unwrap_unchecked load swap',
      ),
      ...giving('element', 'unwrap_or_else get_or_init get_or_insert_with max_by_key min_by_key max_by min_by'),
      ...giving(
        'self',
        'iter iter_mut into_iter lock read write try_lock ok ok_or ok_or_else as_ref as_mut take get get_mut first last first_mut last_mut ' +
          'peek peekable rev skip step_by chain cloned copied collect to_vec drain split_off nth as_slice as_mut_slice filter_ok fuse ' +
          'cycle or or_else upgrade map_err context with_context flatten_ok front back front_mut back_mut unwrap_err as_deref as_deref_mut',
      ),
      ...giving('self', 'filter inspect take_while skip_while find rfind retain', 0),
      ...giving('mapped', 'map filter_map flat_map and_then map_while', 0),
      ...giving(
        'unknown',
        'for_each any all position is_some_and is_ok_and sort_by_key max_by_key dedup_by_key partition',
        0,
      ),
      ...giving('entries', 'enumerate'),
    },
    mapMembers: {
      ...giving('elements', 'get get_mut remove values values_mut into_values insert'),
      ...giving('element', 'or_insert or_insert_with or_default'),
      ...giving('keys', 'keys into_keys'),
      ...giving('entries', 'iter iter_mut into_iter drain'),
      ...giving('self', 'entry clone'),
    },
  },
};
