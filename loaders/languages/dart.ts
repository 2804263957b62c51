import { declared } from './dart/declared.ts';
import type { Language } from './language.ts';
import { modules } from './dart/modules.ts';
import { giving, usualSemantics } from './reading/semantics.ts';
import { double, single, slashes, tripled } from './reading/comments.ts';

/** Dart: libraries by their URIs, classes with mixins and named constructors, extensions. */
export const dart: Language = {
  id: 'dart',
  linguist: 'Dart',
  extensions: ['.dart'],
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-dart.wasm',
  family: 'dart',
  comments: { ...slashes, quotes: [["'''", "'''"], tripled, double, single] },
  tests: [/_test\.dart$/],
  importsByWord: true,
  extractor: async () => (await import('./dart/extract.ts')).extract,
  declared,
  modules,
  semantics: {
    ...usualSemantics,
    packageScope: 'none',
    foreignNames: 'imported_whole',
    callMakesInstance: true,
    openContainers: true,
    callMember: 'call',
    indexMember: '[]',
    iterationMembers: ['iterator'],
    nextMember: 'current',
    builtins: new Set(
      (
        'add addAll remove clear contains length isEmpty isNotEmpty map where forEach toList toSet toString hashCode noSuchMethod ' +
        'runtimeType call then catchError whenComplete listen cancel close write writeln read put get set update build dispose init ' +
        'of from parse tryParse compareTo first last keys values entries split trim join replaceAll substring startsWith endsWith'
      ).split(' '),
    ),
    arrayMembers: {
      ...giving(
        'element',
        'first last single elementAt firstWhere lastWhere singleWhere removeLast removeFirst removeAt reduce',
        0,
      ),
      ...giving(
        'self',
        'where toList toSet take skip takeWhile skipWhile followedBy reversed toIterable asBroadcastStream',
        0,
      ),
      ...giving('mapped', 'map expand asyncMap', 0),
      ...giving('unknown', 'forEach any every fold listen sort removeWhere indexWhere', 0),
    },
    mapMembers: {
      ...giving('element', 'putIfAbsent remove update'),
      ...giving('elements', 'values'),
      ...giving('keys', 'keys'),
      ...giving('entries', 'entries'),
    },
  },
};
