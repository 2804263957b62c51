import { declared } from './kotlin/declared.ts';
import type { Language } from './language.ts';
import { legible } from './kotlin/legible.ts';
import { library } from './kotlin/library.ts';
import { packageModules } from './reading/packages.ts';
import { giving, usualSemantics } from './reading/semantics.ts';
import { double, slashes, tripled } from './reading/comments.ts';
import { testClasses } from './reading/tests.ts';

/** Kotlin, through its packages, extensions and lambdas. */
export const kotlin: Language = {
  id: 'kotlin',
  linguist: 'Kotlin',
  extensions: ['.kt', '.kts'],
  grammar: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  family: 'kotlin',
  ecosystem: 'maven',
  comments: { ...slashes, quotes: [tripled, double], nested: true },
  branches: {
    functions: ['function_declaration', 'getter', 'setter', 'secondary_constructor'],
    branches: ['when_entry'],
    operators: ['if', 'for', 'while', 'catch', '&&', '||', '?:'],
    choices: ['when_expression'],
  },
  tests: [testClasses('kt')],
  extractor: async () => (await import('./kotlin/extract.ts')).extract,
  declared,
  legible,
  modules: packageModules(['.kt', '.kts'], { kotlin: 'kotlin/own-types' }),
  library,
  semantics: {
    ...usualSemantics,
    classNamesAreObjects: true,
    foreignNames: 'paths',
    callMakesInstance: true,
    overloads: true,
    openContainers: true,
    strictArity: true,
    spreadsByWord: true,
    functionalInterfaces: true,
    filesHide: true,
    defaultsAreInherited: true,
    functionsAreNoTypes: true,
    indexMember: 'get',
    callMember: 'invoke',
    iterationMembers: ['iterator'],
    nextMember: 'next',
    builtins: new Set(
      (
        'equals hashCode toString compareTo copy let also apply run with use get set add remove contains iterator next hasNext size ' +
        'isEmpty clear put map filter forEach first last joinToString plus minus invoke close read write flush start stop cancel ' +
        'await launch async collect emit value format trim split replace append build create of name ' +
        'shl shr ushr and or xor inv until downTo step to coerceIn coerceAtLeast coerceAtMost'
      ).split(' '),
    ),
    arrayMembers: {
      ...giving(
        'element',
        'first firstOrNull last lastOrNull single singleOrNull get getOrNull find next removeFirst removeLast maxByOrNull minByOrNull elementAt poll peek random await reduce',
        0,
      ),
      ...giving(
        'self',
        'filter filterNot filterNotNull sortedBy sorted take drop takeWhile dropWhile distinct distinctBy reversed toList toSet toMutableList asSequence asReversed onEach plus minus iterator orEmpty shuffled subList apply also',
        0,
      ),
      ...giving('mapped', 'map mapNotNull flatMap', 0),
      ...giving(
        'unknown',
        'forEach any all none count sumOf associateBy groupBy partition associateWith collect removeAll indexOfFirst',
        0,
      ),
      ...giving('entries', 'withIndex'),
    },
    mapMembers: {
      ...giving('element', 'get getValue getOrPut getOrDefault remove put getOrElse'),
      ...giving('self', 'filterKeys filterValues filter toMap toMutableMap plus'),
    },
    functions: giving('self', 'requireNotNull checkNotNull'),
  },
};
