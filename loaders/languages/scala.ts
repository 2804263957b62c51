import { declared } from './scala/declared.ts';
import type { Language } from './language.ts';
import { legible } from './scala/legible.ts';
import { library } from './scala/library.ts';
import { nestedPackages } from './reading/packages.ts';
import { giving, usualSemantics } from './reading/semantics.ts';
import { double, slashes, tripled } from './reading/comments.ts';
import { testClasses } from './reading/tests.ts';

/** Scala 2 and 3, through its packages, companions and patterns. */
export const scala: Language = {
  id: 'scala',
  linguist: 'Scala',
  extensions: ['.scala', '.sc'],
  grammar: 'tree-sitter-scala/tree-sitter-scala.wasm',
  family: 'scala',
  ecosystem: 'maven',
  comments: { ...slashes, quotes: [tripled, double], nested: true },
  branches: {
    functions: ['function_definition'],
    branches: ['case_clause'],
    operators: ['if', 'for', 'while', 'catch', 'do'],
    cases: { node: 'operator_identifier', is: /^(?:&&|\|\|)$/ },
  },
  tests: [testClasses('scala')],
  extractor: async () => (await import('./scala/extract.ts')).extract,
  declared,
  legible,
  modules: nestedPackages(['.scala', '.sc'], { scala: 'scala/own-types' }),
  library,
  semantics: {
    ...usualSemantics,
    foreignNames: 'paths',
    callMakesInstance: true,
    callMember: 'apply',
    classMethodsApart: true,
    classCallMember: 'apply',
    classNamesAreObjects: true,
    openContainers: true,
    packagesAreNames: true,
    submodule: (specifier, name) => `${specifier}.${name}`,
    iterationMembers: ['iterator'],
    overloads: true,
    superclassThroughTraits: true,
    builtins: new Set(
      (
        'equals hashCode toString copy apply unapply map flatMap filter foreach fold get getOrElse isEmpty size length head tail ' +
        'last toList toSeq mkString contains exists forall find collect zip take drop reverse sum min max ++ :: + - * / % & | ^ ! ~ << >> >>> == != < > <= >= && || ' +
        'combine pure value run close update put add remove keys values iterator next hasNext show compare eqv traverse'
      ).split(' '),
    ),
    ofEvery: new Set('equals hashCode toString getClass isInstanceOf asInstanceOf == != ## eq ne'.split(' ')),
    arrayMembers: {
      ...giving('element', 'get getOrElse head last next apply find max min reduce headOption maxBy minBy', 0),
      ...giving(
        'self',
        'filter filterNot sortBy sorted take drop takeWhile dropWhile distinct reverse toList toSeq toVector toSet iterator tail init orElse headOption lastOption prepended appended',
        0,
      ),
      ...giving('mapped', 'map flatMap collect', 0),
      ...giving('unknown', 'foreach exists forall count groupBy partition foldLeft', 0),
    },
    mapMembers: {
      ...giving('elements', 'get values'),
      ...giving('element', 'apply getOrElse getOrElseUpdate'),
      ...giving('keys', 'keys keySet'),
    },
  },
};
