import methods from '../reference-data/ruby-methods.json' with { type: 'json' };
import { declared } from './ruby/declared.ts';
import type { Language } from './language.ts';
import { giving, usualSemantics } from './reading/semantics.ts';
import { legible } from './ruby/legible.ts';
import { modules } from './ruby/modules.ts';
import { double, single } from './reading/comments.ts';

/** Ruby, through its constants, reopened classes and mixins. */
export const ruby: Language = {
  id: 'ruby',
  linguist: 'Ruby',
  extensions: ['.rb', '.rake', '.gemspec', '.ru'],
  filenames: ['Rakefile', 'Gemfile', 'Guardfile', 'Capfile'],
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm',
  family: 'ruby',
  ecosystem: 'rubygems',
  comments: { line: ['#'], block: [['=begin', '=end']], quotes: [double, single] },
  branches: {
    functions: ['method', 'singleton_method'],
    branches: [],
    operators: 'if elsif unless until for while rescue ensure when and or && || ?'.split(' '),
  },
  tests: [/_(test|spec)\.rb$/],
  importsByWord: true,
  extractor: async () => (await import('./ruby/extract.ts')).extract,
  declared,
  legible,
  modules,
  semantics: {
    ...usualSemantics,
    foreignNames: 'paths',
    modulesGoOnOutside: true,
    argumentsTellParameters: true,
    classMember: 'class',
    openClasses: {
      object: ['Object', 'Kernel', 'BasicObject'],
      class: ['Class', 'Module', 'Object', 'Kernel', 'BasicObject'],
      array: ['Array', 'Enumerable', 'Object', 'Kernel', 'BasicObject'],
      map: ['Hash', 'Enumerable', 'Object', 'Kernel', 'BasicObject'],
    },
    mixins: true,
    selfMayBeBelow: true,
    classMethodsApart: true,
    indexMember: '[]',
    callMember: null,
    newMember: 'new',
    readsByCall: true,
    iterationMembers: ['each'],
    openContainers: true,
    namesTellMethods: true,
    builtins: new Set([...methods, ...'build create format get remove set stop type with'.split(' ')]),
    arrayMembers: {
      ...giving(
        'element',
        'first last pop shift sample fetch find detect max_by min_by max min reduce inject at dig',
        0,
      ),
      ...giving(
        'self',
        'each select filter reject sort sort_by reverse uniq compact take drop to_a dup freeze shuffle + << push concat each_with_index ' +
          'take_while drop_while flatten partition each_slice lazy sum',
        0,
      ),
      ...giving('mapped', 'map collect flat_map filter_map', 0),
      ...giving(
        'unknown',
        'any? all? none? count each_with_object group_by index_by to_h index find_index delete_if',
        0,
      ),
    },
    mapMembers: {
      ...giving('element', 'fetch [] delete dig'),
      ...giving('elements', 'values'),
      ...giving('keys', 'keys'),
      ...giving('self', 'merge dup freeze to_h select reject'),
    },
  },
};
