import { expect } from 'chai';
import { edgesOf, type Sources } from '../../support/edges-of.ts';

/** What is called in sources, a guarantee a row; a text alone is one file. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'a package sees its own names and those that a file imports, by name, alias or all, and no others',
    {
      'A.kt':
        'package p\nimport q.B\nimport q.make as build\nimport r.*\nfun f() {\n  B()\n  build()\n  own()\n  all()\n  other()\n}',
      'own.kt': 'package p\nfun own() {}',
      'q.kt': 'package q\nclass B\nfun make() {}\nfun other() {}',
      'r.kt': 'package r\nfun all() {}',
    },
    ['f -> B', 'f -> all', 'f -> make', 'f -> own'],
  ],
  [
    'receivers are typed by constructor properties, results, delegates, casts and smart casts',
    'class B { fun go(): B = this }\nclass A(private val p: B, q: B) {\n  private val z by lazy { B() }\n  init {\n    q.go()\n  }\n' +
      '  fun f(x: Any?, y: B?) {\n    p.go().go()\n    z.go()\n    y?.go()\n    y!!.go()\n    if (x is B) {\n      x.go()\n    }\n    (x as B).go()\n  }\n}',
    ['A.A -> B.go', 'A.f -> B.go'],
  ],
  [
    'a lambda’s parameter is what is handed to it',
    'class B { fun go() {} }\nfun f(xs: List<B>) {\n  xs.filter { it != null }.forEach { x -> x.go() }\n}\nfun g(b: B?) {\n  b?.let { it.go() }\n}\n' +
      'fun with(block: (B) -> Unit) {}\nfun h() {\n  with { it.go() }\n}\nfun i(m: Map<String, B>) {\n  for ((k, v) in m) {\n    v.go()\n  }\n}',
    ['f -> B.go', 'g -> B.go', 'h -> B.go', 'h -> with', 'i -> B.go'],
  ],
  [
    'an extension is a method of its receiver, and `this` in it is the receiver',
    {
      'A.kt': 'package p\nimport q.B\nfun B.ext() {\n  this.go()\n}\nfun f(b: B) {\n  b.ext()\n}',
      'B.kt': 'package q\nclass B { fun go() {} }',
    },
    ['ext -> B.go', 'f -> ext'],
  ],
  [
    'companions, objects and enums are reached through their class',
    'class A {\n  companion object {\n    fun make(): A = A()\n  }\n  fun go() {}\n}\nobject S {\n  fun s() {}\n}\nenum class E {\n  ONE;\n  fun e() {}\n}\nfun f() {\n  A.make().go()\n  S.s()\n  E.ONE.e()\n}',
    ['A.make -> A', 'f -> A.go', 'f -> A.make', 'f -> E.e', 'f -> S.s'],
  ],
  [
    'overloads are chosen by their arguments, in classes and outside',
    'class A\nclass B\nfun one() {}\nfun two() {}\nfun f(a: A) {\n  one()\n}\nfun f(b: B) {\n  two()\n}\nfun g(b: B) {\n  f(b)\n}\nclass C {\n  fun m(x: A) {\n    one()\n  }\n  fun m(x: A, y: A) {}\n  fun n(a: A) {\n    m(a)\n  }\n}',
    ['C.m -> one', 'C.n -> C.m', 'f -> one', 'f -> two', 'g -> f'],
  ],
  [
    'what lies outside is none of ours, whatever its name',
    'package p\nimport other.Thing\nclass A {\n  fun run() {}\n}\nfun f(t: Thing, s: String) {\n  t.run()\n  Thing().run()\n  s.run()\n  println()\n}',
    [],
  ],
  [
    'a constructor may be on lines of its own',
    'class Z {\n  fun z() {}\n\n  class A<T>\n  @Inject(1)\n  private constructor(\n    val b: B,\n  ) {\n    fun f() { b.go() }\n  }\n}\nclass B {\n  fun go() {}\n}\nclass C\nconstructor(val b: B) {\n  fun f() { b.go() }\n}',
    ['C.f -> B.go', 'Z.A.f -> B.go'],
  ],
  [
    'an index is `get`, and classes may be written on one line',
    'class A { fun go() {} }\nclass B { fun go() {} }\nclass L { operator fun get(i: Int): A = A() }\nfun f(l: L) { l[0].go() }\ninterface I { fun a(); fun b() }',
    ['L.get -> A', 'f -> A.go'],
  ],
];

describe('Kotlin', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      expect(await edgesOf(typeof sources === 'string' ? { 'A.kt': sources } : sources)).to.deep.equal(edges);
    });
  }

  it('classes, interfaces and objects inherit from what they call or name', async () => {
    const source =
      'interface I\ninterface J : I\nopen class A\nclass B(val i: I) : A(), J, I by i\nobject O : A()\nclass E : Exception()';
    const edges = ['B -> A', 'B -> I', 'B -> J', 'J -> I', 'O -> A'];
    expect(await edgesOf({ 'A.kt': source }, 'INHERITS')).to.deep.equal(edges);
  });
});
