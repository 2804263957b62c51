import { expect } from 'chai';
import { edgesOf, type Sources } from '../../support/edges-of.ts';

/** What is called in sources, a guarantee a row; a text alone is one file. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'a package sees its own names, those of the packages around and those that a file imports, and no others',
    {
      'A.scala':
        'package p\npackage in\nimport q.{B, C => D}\nimport r._\nclass A { def f() = { new B(); new D(); Own.go(); Up.go(); All.go(); No.go() } }',
      'own.scala': 'package p.in\nobject Own { def go() = 1 }',
      'up.scala': 'package p\nobject Up { def go() = 1 }',
      'q.scala': 'package q\nclass B\nclass C\nobject No { def go() = 1 }',
      'r.scala': 'package r\nobject All { def go() = 1 }',
    },
    ['A.f -> All.go', 'A.f -> B', 'A.f -> C', 'A.f -> Own.go', 'A.f -> Up.go'],
  ],
  [
    'a companion’s members are reached through its class, and a case class is made without `new`',
    'class A { def go() = 1 }\nobject A {\n  def make(): A = new A()\n}\ncase class D(a: A)\nobject M {\n  def f() = { A.make().go(); D(null).a.go() }\n}',
    ['A.make -> A', 'M.f -> A.go', 'M.f -> A.make', 'M.f -> D'],
  ],
  [
    'a method without parameters is called by its name alone',
    'class B { def go = 1; val x = 2 }\nclass A(b: B) { def f = { b.go; b.x } }',
    ['A.f -> B.go'],
  ],
  [
    'receivers are known by parameters, results, patterns, generators and what lambdas are handed',
    'class B { def go() = 1; def next(): Option[B] = None }\nclass A {\n  def f(b: B, xs: List[B]) = {\n    b.next().map(_.go())\n    xs.foreach(x => x.go())\n    for (y <- xs) y.go()\n' +
      '    b.next() match {\n      case Some(z) => z.go()\n      case None => 1\n    }\n  }\n  def g(x: Any) = x match {\n    case b: B => b.go()\n    case _ => 1\n  }\n}',
    ['A.f -> B.go', 'A.f -> B.next', 'A.g -> B.go'],
  ],
  [
    'traits give their methods, and `super` goes up',
    'trait T { def one() = two(); def two(): Int }\nclass P { def up() = 1 }\nclass A extends P with T {\n  def two() = 2\n  override def up() = super.up()\n  def f() = one()\n}',
    ['A.f -> T.one', 'A.up -> P.up', 'T.one -> T.two'],
  ],
  [
    'methods without parameters are called by their bare name, also from outer classes and where a function is asked for, variables are not',
    'abstract class A\n  extends B\n{\n  def ch: Int\n  def f(n: Int) = { val ch2 = 1; ch + ch2 + n }\n  def g = run(h)\n  def h: Int = 2\n  def run(x: Int) = x\n}\nclass B',
    ['A.f -> A.ch', 'A.g -> A.h', 'A.g -> A.run'],
  ],
  [
    'a call of a class is its companion’s `apply` where it has one, and a call of an instance its own; a second list of arguments is of the same call',
    'class A(n: Int) { def apply(i: Int): A = this\n def at(i: Int)(j: Int): A = this }\nobject A { def apply(n: String): A = new A(1) }\n' +
      'case class C(n: Int) { def go = 1 }\nobject U { def f = A("a")\n def g(a: A) = a(1)(2)\n def h = C(1).go\n def i(a: A) = a.at(1)(2) }',
    ['A.apply -> A', 'U.f -> A.apply', 'U.g -> A.apply', 'U.h -> C', 'U.h -> C.go', 'U.i -> A.at'],
  ],
  [
    'an implicit class adds its methods to what it takes, where it is imported; packages may be named from those around',
    {
      'R.scala':
        'package p.q\nobject R { implicit class Rich(s: String) { def twice(n: Int) = s }\n def plain(c: Char) = 1\n def plain(s: Seq[Char]) = 2 }',
      'A.scala': 'package p\nimport q.R._\nobject A { def f = "a".twice(2)\n def g(s: String) = s.trim.twice(2) }',
      'B.scala': 'package p\nobject B extends q.T { def f = "a".twice(2)\n def g = up }',
      'T.scala': 'package p.q\ntrait T { def up = 1 }',
    },
    ['A.f -> R.Rich.twice', 'A.g -> R.Rich.twice', 'B.g -> T.up'],
  ],
  [
    'an extension is a method of its receiver',
    'class B { def go() = 1 }\nextension (b: B) def twice(): Int = b.go()\nobject M { def f(b: B) = b.twice() }',
    ['M.f -> twice', 'twice -> B.go'],
  ],
  [
    'what lies outside is none of ours, whatever its name',
    'package p\nimport other.Thing\nclass A { def run() = 1 }\nobject M { def f(t: Thing, s: String) = { t.run(); new Thing().run(); s.run(); println(1) } }',
    [],
  ],
  [
    'a package is imported by its whole name',
    {
      'a.scala': 'package com.acme.kit\nclass A { def go() = 1 }\nobject B { def go() = 1 }',
      'b.scala':
        'package com.acme.shop\nimport com.acme.kit.A\nimport com.acme.kit.{B => C}\nclass D { def f(a: A) = { a.go(); C.go() } }',
    },
    ['D.f -> A.go', 'D.f -> B.go'],
  ],
  [
    'a function with type parameters has its parameters, which tell it from others of its name and from a class',
    'trait P {\n  case class Both[+T](a: T, b: Int)\n  def Both[U](a: U, b: Int, c: Int): Both[U] = one()\n  def f() = Both(1, 2, 3)\n  def g() = Both(1, 2).go()\n  def one() = new Both(1, 2)\n' +
      '  def take[T](a: Int): Int = one()\n  def take[T](a: Int, b: Int): Int = two()\n  def two() = 1\n  def h() = take(1, 2)\n}\nclass Q extends P { def i(x: Both[Int]) = x.a }\n',
    [
      'P.Both -> P.one',
      'P.f -> P.Both',
      'P.g -> P.Both',
      'P.h -> P.take',
      'P.one -> P.Both',
      'P.take -> P.one',
      'P.take -> P.two',
    ],
  ],
  [
    'the body of a function may begin with its `=` on the next line',
    'class A {\n  def f(): Int // = none\n    = g(1)\n  def g(n: Int): Int\n    = h()\n  def h() = 1\n}\n',
    ['A.f -> A.g', 'A.g -> A.h'],
  ],
  [
    'what holds elements is read by its name, and not called',
    'class B { def go(): Int = 1 }\ncase class A(bs: List[B]) {\n  def f() = bs.filter(_.go() > 1).map(_.go())\n}\n',
    ['A.f -> B.go'],
  ],
  [
    'what a trait says it is mixed into has members that are names, under a name of its own, too',
    'trait B { def go(): Int = 1 }\ntrait A { self: B =>\n  def f() = go()\n  def g() = self.go()\n}\ntrait C { this: B =>\n  def h() = go()\n}\n',
    ['A.f -> B.go', 'A.g -> B.go', 'C.h -> B.go'],
  ],
  [
    '`this(…)` calls what the object has for being called, `Outer.this` is that of a class around, and a loop yields what `map` gives',
    'class A {\n  def apply(n: Int): A = this\n  def map(f: Int => Int): A = this\n  def named(s: String): A = this\n  def f() = this(1).named("a")\n  def g() = (for (x <- this) yield x).named("b")\n' +
      '  class B { def h() = A.this(1).named("c") }\n}\n',
    ['A.B.h -> A.apply', 'A.B.h -> A.named', 'A.f -> A.apply', 'A.f -> A.named', 'A.g -> A.named'],
  ],
  [
    'a function that is assigned to a name has that name',
    'class A {\n  val f = { (n: Int) =>\n    go()\n    n\n  }\n  lazy val g = (n: Int) => go()\n  def go() = 1\n}\n',
    ['A.f -> A.go', 'A.g -> A.go'],
  ],
];

describe('Scala', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      expect(await edgesOf(typeof sources === 'string' ? { 'A.scala': sources } : sources)).to.deep.equal(edges);
    });
  }

  it('classes, traits, objects and enums inherit from what they extend', async () => {
    const source =
      'trait I\ntrait J extends I\nclass A\nclass B(x: Int) extends A with J\nobject O extends A\ncase class C() extends Exception\nenum E extends I {\n  case X, Y\n}';
    const edges = ['B -> A', 'B -> J', 'E -> I', 'J -> I', 'O -> A'];
    expect(await edgesOf({ 'A.scala': source }, 'INHERITS')).to.deep.equal(edges);
  });
});
