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
    'an extension of a type that the library has is found where it is imported or in its package, and takes what fits it',
    {
      'E.kt':
        'package q\nfun String.twice(n: Int) = this\nfun <T> List<T>.each() {}\nfun Any.locked() {}\ninfix fun Byte.and(n: Int) = n\nobject K { fun Long.clamp() = 1 }\n',
      'A.kt':
        'package p\nimport q.twice\nimport q.each\nimport q.locked\nimport q.and\nclass A { fun f(s: String) { "a".twice(2); s.trim().twice(2) }\n' +
        'fun g(xs: List<A>) = xs.each()\nfun h() { this.locked() }\nfun i(x: Int) { x and 2; x.twice(2) } }\n',
      'B.kt': 'package r\nfun j(s: String, l: Long) { s.twice(2); l.clamp() }\n',
      'C.kt': 'package r\nimport q.K.clamp\nfun k(l: Long) = l.clamp()\n',
    },
    ['A.f -> twice', 'A.g -> each', 'A.h -> locked', 'k -> K.clamp'],
  ],
  [
    'a lambda has the `this` that its function hands it, after the names around it; `apply` gives what it is called on',
    'class B { fun go() {}\nfun n(n: Int) = apply { go(); this.go() }\nfun o(): B = this }\nclass A { fun go() {} }\n' +
      'fun make(f: B.() -> Unit) {}\nfun f(b: B) { b.n(1).o().n(2) }\nfun g(b: B) { with(b) { go() } }\nfun h() = make { go() }\n' +
      'fun i(b: B) { val go = 1\n b.run { o() }.n(go) }\n',
    ['B.n -> B.go', 'f -> B.n', 'f -> B.o', 'g -> B.go', 'h -> B.go', 'h -> make', 'i -> B.n', 'i -> B.o'],
  ],
  [
    'what is called by a name is a function, though a variable has the name too',
    'class A(val name: String) { fun name(i: Int) = 1\nfun f() { val name = name(2) } }\nfun run2(go: () -> Unit) { go() }\nfun go() {}\n',
    ['A.f -> A.name'],
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
  [
    'what is negated is called, alone and as a member',
    'class B { fun isOpen() = true }\nfun ready() = true\nfun f(b: B) {\n  if (!ready() || !b.isOpen()) {\n    return\n  }\n}',
    ['f -> B.isOpen', 'f -> ready'],
  ],
  [
    'variables that are named like modifiers and accessors are assigned at the start of a statement',
    'class A {\n  private var open = false\n  private var set = 0\n  fun f() {\n    open = ready()\n    val bit = 1\n    set = bit\n    if (ready()) { open = true }\n' +
      '    set += 1\n  }\n  fun ready() = open\n}\nfun t(a: A) {\n  a.f()\n}',
    ['A.f -> A.ready', 't -> A.f'],
  ],
  [
    'what is expected of other source sets is what the only one has; where several have it, nobody knows which',
    {
      'commonMain/A.kt':
        'package p\nexpect class A { fun go(n: Int = 1) }\nexpect fun make(): A\nexpect fun each()\nfun f(a: A) { a.go()\n make()\n A()\n each() }',
      'jvmMain/A.kt':
        'package p\nactual class A { actual fun go(n: Int) = one() }\nactual fun make(): A = A()\nfun one() {}\nactual fun each() = one()',
      'jsMain/each.kt': 'package p\nactual fun each() {}',
    },
    ['A.go -> one', 'each -> one', 'f -> A', 'f -> A.go', 'f -> each', 'f -> make', 'make -> A'],
  ],
  [
    'an array is passed for any number of arguments with a star only, and `::class` is a class, not a text',
    'package p\nimport kotlin.reflect.KClass\nclass A {\nfun add(vararg xs: A) = one()\nfun add(xs: Iterable<A>) = two()\nfun of(s: String) = one()\nfun of(c: KClass<*>) = two()\n' +
      'fun of(c: Class<*>) = three()\nfun f(xs: List<A>) { add(xs) }\nfun g(xs: Array<A>) { add(*xs) }\nfun h() { of(A::class) }\nfun i() { of(A::class.java) } }\nfun one() {}\nfun two() {}\nfun three() {}',
    [
      'A.add -> one',
      'A.add -> two',
      'A.f -> A.add',
      'A.g -> A.add',
      'A.h -> A.of',
      'A.i -> A.of',
      'A.of -> one',
      'A.of -> three',
      'A.of -> two',
    ],
  ],
  [
    'an extension that is called by its bare name extends what is received there',
    'package p\nimport java.util.UUID\nimport java.io.File\nfun UUID.text() = one()\nfun File.text() = two()\nfun File.f() = text()\nfun UUID.g() = run { text() }\nfun one() {}\nfun two() {}',
    ['f -> text', 'g -> text', 'text -> one', 'text -> two'],
  ],
  [
    'a constructor calls what it hands over to, and what its defaults call',
    'open class B(n: Int)\nclass A(val n: Int = count(1)) : B(n) {\n  constructor(s: String) : this(size(s))\n}\nclass C : B {\n  constructor() : super(2)\n}\nfun size(s: String) = 1\nfun count(n: Int) = n',
    ['A.A -> A', 'A.A -> count', 'A.A -> size', 'C.C -> B'],
  ],
  [
    'what a class calls by a bare name is its method, though its constructor takes something of that name',
    'class A(make: Int) {\n  fun f() = make()\n  companion object { fun make() = 1 }\n}',
    ['A.f -> A.make'],
  ],
  [
    'an annotation above an accessor and a call that is named like one cost nothing',
    'class A {\n  val size\n    @JvmName("size")\n    get() = count()\n\n  fun f(xs: B) {\n    val copy = count()\n    get(copy)\n    count()\n  }\n  fun get(n: Int) = 1\n  fun count() = 1\n}\nfun g(a: A) { a.count() }\n',
    ['A.f -> A.count', 'A.f -> A.get', 'A.size -> A.count', 'g -> A.count'],
  ],
  [
    'a lambda behind the parentheses is for the last parameter, and one that is passed by name for that of its name',
    'class B { fun go() {} }\nfun make(n: Int = 1, m: Int = 2, block: B.() -> Unit) {}\nfun f() = make(m = 3) { go() }\nfun g() = make(block = { go() })\n',
    ['f -> B.go', 'f -> make', 'g -> B.go', 'g -> make'],
  ],
  [
    'what extends a type has the names of its package, whatever lies above the type',
    'package p\nimport q.Outer\ninterface O : Outer\ntypealias P = O\nfun P.f() = own()\nfun own() {}\n',
    ['f -> own'],
  ],
  [
    'functions of one name are told apart by how many parameters the function takes that they are given, and by what a method mostly gives',
    'import java.io.File\nfun <R> new(f: () -> R) = one()\nfun <R, A> new(f: (A) -> R) = two()\nfun <R, A> g(f: (A) -> R) = new(f)\nfun take(s: String) = one()\nfun take(s: File) = two()\n' +
      'fun h(f: File) { take(f.parent.toString()) }\nfun one() {}\nfun two() {}\n',
    ['g -> new', 'h -> take', 'new -> one', 'new -> two', 'take -> one', 'take -> two'],
  ],
  [
    'another name of a class that lies outside makes nothing of ours',
    'package p\nclass A\ntypealias E = java.io.IOException\ntypealias B = A\nfun f() { throw E("a") }\nfun g() = B()\n',
    ['g -> A'],
  ],
  [
    'an annotation above a declaration that begins with a word that is also a name costs nothing',
    '@Suppress("a")\n@Keep\nenum class E { A; fun e() = go() }\n\n@Suppress("a")\nannotation class N\n\n@Suppress("a")\noperator fun E.plus(n: Int) = go()\n\n@K\ndata object O { fun o() = go() }\nfun go() = N()\n',
    ['E.e -> go', 'O.o -> go', 'go -> N', 'plus -> go'],
  ],
  [
    'a name that begins like an operator, a comment behind an annotation and an operator at the begin of a line cost nothing',
    'class S { fun close() {} }\nfun f(in1: S, else_a: S) {\n  go(1)\n  in1.close()\n  go(2)\n  else_a.close()\n}\n' +
      '@Flaky // now and then\nclass A { fun a() = go(3) }\nfun g(a: Boolean) {\n  !a\n    || (a && h())\n}\nfun go(n: Int) {}\nfun h() = true\n',
    ['A.a -> go', 'f -> S.close', 'f -> go', 'g -> h'],
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
