import { expect } from 'chai';
import { dedent } from '../../support/dedent.ts';
import { edgesOf, factsOf } from '../../support/edges-of.ts';

/** What the language allows and its grammar can't read: each was met in a public history. Then the functions that are found, by line. */
const cases: [what: string, path: string, source: string, found: string[]][] = [
  [
    'TypeScript: types alone that are given on',
    'a.ts',
    `export type * from './b';\nexport type * as c from './c';\nexport function f() {}`,
    ['f 3'],
  ],
  [
    'TypeScript: types of other files with parameters, as lists, among others, and for a function',
    'a.ts',
    dedent`
      type A = string | import('./b').B<import('c').C> | (import('d').D & { e: string })[];
      const loading = load<[typeof import('./b'), typeof import('c')]>(), other = load<typeof import('./b')>();
      function f(): import('d').D[] { return []; }

    `,
    ['f 3'],
  ],
  [
    'TypeScript: escapes that stand for no character',
    'a.ts',
    'const a = String.raw`\\x` + String.raw`\\u{z`;\nfunction f() { return "\\x41\\u0041\\u{41}\\\\x"; }',
    ['f 2'],
  ],
  ['JavaScript: the same', 'a.js', 'const a = String.raw`\\x`;\nfunction f() {}', ['f 2']],
  [
    'TSX: a sign in the text of an element, beside types',
    'a.tsx',
    'type A = Array<B> & C;\nfunction f() { return <b>\n  Build & run\n</b>; }',
    ['f 2'],
  ],
  [
    'C#: a variable that is called async',
    'A.cs',
    dedent`
      class A {
        async Task F(bool async) { await base.F(async); G(async, 1); H(async ? 1 : 2); }
        async Task G(bool b, int n) { await Task.WhenAll(async () => { }, async x => { }); }
      }

    `,
    ['F 2', 'G 3'],
  ],
  [
    'Kotlin: a function that is called as a modifier',
    'A.kt',
    'class A {\n  fun suspend() = b.suspend()\n  fun c() = 1\n}',
    ['suspend 2', 'c 3'],
  ],
  [
    'Kotlin: a lambda that may wait, a member of what may be nothing, and what has to be around a function',
    'A.kt',
    dedent`
      fun f() { val started = suspend { start() }; a.zip(b, String?::plus) }
      context(project: Project)
      internal fun g(n: Int) { }

    `,
    ['f 1', 'g 3'],
  ],
  [
    'Go: new of a value, beside types',
    'a.go',
    'package a\n\nfunc f() { _ = new(uint64(1)); _ = new(a.b.C()); _ = new("x"); _ = new(n + 1); _ = new(int); _ = new([]T); _ = new(a.B) }',
    ['f 3'],
  ],
  [
    'Lua: globals, attributes and arguments of 5.5',
    'a.lua',
    dedent`
      global <const> *
      global a <const>, b = 1, 2
      global function f(a, ...rest) return rest end
      local <close> file = open()

    `,
    ['f 3'],
  ],
  [
    'Rust: what stands behind the items of a macro',
    'src/lib.rs',
    'ffi_fn! {\n    /// Doc.\n    fn f(b: *mut c) -> *mut d {\n        g(b)\n    } ?= ptr::null_mut()\n}\nfn g() {}',
    ['f 3', 'g 7'],
  ],
  [
    'Scala: a type right behind a brace, and a value below what is handed in',
    'A.scala',
    dedent`
      object A {
        val a = fun {x: Rep[Int] => y(x) }
        def f() = until(() =>
          is.forall(_.over),
          "never over")
        def g() = 1
      }

    `,
    ['f 3', 'g 6'],
  ],
  ['Shell: what ends no command', 'a.sh', 'codes="${codes:-NU1901;NU1902}"\nf() {\n  g; h\n}', ['f 2']],
];

/** What looks like it and is something else; then the edges of its calls. */
const honest: [what: string, sources: Record<string, string>, edges: string[]][] = [
  [
    'TypeScript: a class of the same name as the type of another file',
    {
      'a.ts': "class A<T> { get() {} }\nfunction f(a: import('./b').A<string>) { a.get(); }",
      'b.ts': 'export class A<T> { get() {} }\nexport class B {}',
    },
    ['f -> A.get'],
  ],
  [
    'Scala: what a class takes itself for',
    { 'A.scala': 'trait L { def log() = 1 }\nclass S {this: L =>\n  def run() = log()\n}' },
    ['S.run -> L.log'],
  ],
  [
    'Rust: a comment behind the last item',
    { 'src/lib.rs': 'foo! {\n fn a() {}\n /* old {} */\n}\nfn b() { a() }' },
    ['b -> a'],
  ],
  [
    'Kotlin: a call above a variable',
    { 'A.kt': 'fun context(n: Int) {}\nfun f() {\n  context(1)\n  val a = 2\n}' },
    ['f -> context'],
  ],
];

describe('what a grammar can’t read though the language allows it', () => {
  for (const [what, path, source, found] of cases) {
    it(what, async () => {
      const [file] = await factsOf({ [path]: source });
      expect(file?.facts.syntaxErrors).to.equal(0);
      const functions = file?.facts.definitions.filter(({ kind, name }) => /function|method/.test(kind) && name !== '');
      expect(functions?.map(({ name, line }) => `${name} ${line}`)).to.deep.equal(found);
    });

    for (const [what, sources, edges] of honest)
      it(`leaves what it can read: ${what}`, async () => {
        expect(await edgesOf(sources)).to.deep.equal(edges);
      });
  }
});
