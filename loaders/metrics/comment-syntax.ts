/** How a language writes comments and strings; texts as they stand in the source. */
export interface CommentSyntax {
  line: readonly string[];
  block: readonly (readonly [open: string, close: string])[];
  quotes: readonly (readonly [open: string, close: string])[];
  /** Strings that are comments where they stand alone: Python's docstrings. */
  docstrings?: readonly string[];
  /** Block comments may hold block comments. */
  nested?: true;
}

const double = ['"', '"'] as const;
const single = ["'", "'"] as const;
const backtick = ['`', '`'] as const;
const slashes = { line: ['//'], block: [['/*', '*/']] } as const;

const c: CommentSyntax = { ...slashes, quotes: [double] };
const script: CommentSyntax = { ...slashes, quotes: [double, single, backtick] };
const hash: CommentSyntax = { line: ['#'], block: [], quotes: [double, single] };
const lisp: CommentSyntax = { line: [';'], block: [['#|', '|#']], quotes: [double] };
const dashes: CommentSyntax = { line: ['--'], block: [['{-', '-}']], quotes: [double], nested: true };

/** By linguist's name of the language. */
const syntaxes: Readonly<Record<string, CommentSyntax>> = {
  C: c,
  'C++': c,
  'C#': c,
  'Objective-C': c,
  'Objective-C++': c,
  Java: c,
  Groovy: { ...slashes, quotes: [['"""', '"""'], double, single] },
  Gradle: { ...slashes, quotes: [double, single] },
  Kotlin: { ...slashes, quotes: [['"""', '"""'], double], nested: true },
  Scala: { ...slashes, quotes: [['"""', '"""'], double], nested: true },
  Swift: { ...slashes, quotes: [['"""', '"""'], double], nested: true },
  Rust: { ...slashes, quotes: [double], nested: true },
  Zig: { line: ['//'], block: [], quotes: [double] },
  Go: { ...slashes, quotes: [double, backtick] },
  Dart: { ...slashes, quotes: [["'''", "'''"], ['"""', '"""'], double, single] },
  JavaScript: script,
  TypeScript: script,
  TSX: script,
  CoffeeScript: { line: ['#'], block: [['###', '###']], quotes: [double, single] },
  PHP: { line: ['//', '#'], block: [['/*', '*/']], quotes: [double, single] },
  Solidity: { ...slashes, quotes: [double, single] },
  Apex: { ...slashes, quotes: [single] },
  GLSL: { ...slashes, quotes: [] },
  Cuda: c,
  D: { ...slashes, quotes: [double, backtick] },
  Vala: c,
  Cypher: { ...slashes, quotes: [double, single, backtick] },
  Python: {
    line: ['#'],
    block: [],
    quotes: [double, single],
    docstrings: ['"""', "'''"],
  },
  Cython: { line: ['#'], block: [], quotes: [double, single], docstrings: ['"""', "'''"] },
  Starlark: { line: ['#'], block: [], quotes: [double, single], docstrings: ['"""', "'''"] },
  Ruby: { line: ['#'], block: [['=begin', '=end']], quotes: [double, single] },
  Perl: { line: ['#'], block: [['=pod', '=cut']], quotes: [double, single] },
  Shell: hash,
  Dockerfile: { line: ['#'], block: [], quotes: [] },
  Makefile: { line: ['#'], block: [], quotes: [] },
  CMake: { line: ['#'], block: [['#[[', ']]']], quotes: [double] },
  R: hash,
  Elixir: hash,
  Crystal: hash,
  Nim: { line: ['#'], block: [['#[', ']#']], quotes: [['"""', '"""'], double], nested: true },
  Julia: { line: ['#'], block: [['#=', '=#']], quotes: [['"""', '"""'], double], nested: true },
  Tcl: { line: ['#'], block: [], quotes: [double] },
  Awk: { line: ['#'], block: [], quotes: [double] },
  PowerShell: { line: ['#'], block: [['<#', '#>']], quotes: [double, single] },
  Haskell: dashes,
  Elm: dashes,
  PureScript: dashes,
  Lua: { line: ['--'], block: [['--[[', ']]']], quotes: [double, single] },
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
  'F#': { line: ['//'], block: [['(*', '*)']], quotes: [['"""', '"""'], double], nested: true },
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
  return (language === null ? undefined : syntaxes[language]) ?? none;
}
