import { languageByLinguist } from '../index.ts';
import type { CommentSyntax } from '../language.ts';
import { backtick, double, hash as hashes, single, slashes, tripled } from './comments.ts';

const c: CommentSyntax = { ...slashes, quotes: [double] };
const hash: CommentSyntax = { ...hashes, quotes: [double, single] };
const lisp: CommentSyntax = { line: [';'], block: [['#|', '|#']], quotes: [double] };
const dashes: CommentSyntax = { line: ['--'], block: [['{-', '-}']], quotes: [double], nested: true };

/** By linguist's name, of languages that are counted but not read; those that are read say it themselves. */
const syntaxes: Readonly<Record<string, CommentSyntax>> = {
  'Objective-C': c,
  'Objective-C++': c,
  Groovy: { ...slashes, quotes: [tripled, double, single] },
  Gradle: { ...slashes, quotes: [double, single] },
  Zig: { line: ['//'], block: [], quotes: [double] },
  CoffeeScript: { line: ['#'], block: [['###', '###']], quotes: [double, single] },
  Solidity: { ...slashes, quotes: [double, single] },
  Apex: { ...slashes, quotes: [single] },
  GLSL: { ...slashes, quotes: [] },
  Cuda: c,
  D: { ...slashes, quotes: [double, backtick] },
  Vala: c,
  Cypher: { ...slashes, quotes: [double, single, backtick] },
  Cython: { line: ['#'], block: [], quotes: [double, single], docstrings: ['"""', "'''"] },
  Starlark: { line: ['#'], block: [], quotes: [double, single], docstrings: ['"""', "'''"] },
  Perl: { line: ['#'], block: [['=pod', '=cut']], quotes: [double, single] },
  Dockerfile: { line: ['#'], block: [], quotes: [] },
  Makefile: { line: ['#'], block: [], quotes: [] },
  CMake: { line: ['#'], block: [['#[[', ']]']], quotes: [double] },
  R: hash,
  Crystal: hash,
  Nim: { line: ['#'], block: [['#[', ']#']], quotes: [tripled, double], nested: true },
  Julia: { line: ['#'], block: [['#=', '=#']], quotes: [tripled, double], nested: true },
  Tcl: { line: ['#'], block: [], quotes: [double] },
  Awk: { line: ['#'], block: [], quotes: [double] },
  PowerShell: { line: ['#'], block: [['<#', '#>']], quotes: [double, single] },
  Haskell: dashes,
  Elm: dashes,
  PureScript: dashes,
  Ada: { line: ['--'], block: [], quotes: [double] },
  VHDL: { line: ['--'], block: [], quotes: [double] },
  SQL: { line: ['--'], block: [['/*', '*/']], quotes: [single] },
  PLSQL: { line: ['--'], block: [['/*', '*/']], quotes: [single] },
  PLpgSQL: { line: ['--'], block: [['/*', '*/']], quotes: [single] },
  TSQL: { line: ['--'], block: [['/*', '*/']], quotes: [single] },
  Clojure: { line: [';'], block: [], quotes: [double] },
  'Emacs Lisp': { line: [';'], block: [], quotes: [double] },
  'Common Lisp': lisp,
  Scheme: lisp,
  Racket: lisp,
  Erlang: { line: ['%'], block: [], quotes: [double, single] },
  MATLAB: { line: ['%'], block: [['%{', '%}']], quotes: [double, single] },
  OCaml: { line: [], block: [['(*', '*)']], quotes: [double], nested: true },
  'F#': { line: ['//'], block: [['(*', '*)']], quotes: [tripled, double], nested: true },
  Pascal: {
    line: ['//'],
    block: [
      ['{', '}'],
      ['(*', '*)'],
    ],
    quotes: [single],
  },
  Fortran: { line: ['!'], block: [], quotes: [double, single] },
  'Visual Basic .NET': { line: ["'"], block: [], quotes: [double] },
  'Vim Script': { line: ['"'], block: [], quotes: [] },
  Assembly: { line: [';', '#', '//'], block: [['/*', '*/']], quotes: [] },
  Verilog: c,
  SystemVerilog: c,
  HCL: { line: ['#', '//'], block: [['/*', '*/']], quotes: [double] },
  Nix: { line: ['#'], block: [['/*', '*/']], quotes: [["''", "''"], double] },
};

const none: CommentSyntax = { line: [], block: [], quotes: [] };

/** A language that is not listed has no comments that we know: every line that is not blank is code. */
export function commentSyntax(language: string | null): CommentSyntax {
  return languageByLinguist(language)?.comments ?? (language === null ? undefined : syntaxes[language]) ?? none;
}
