import { expect } from 'chai';
import { edgesOf, type Sources } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

/** What is called in sources, a guarantee a row; a text alone is one file. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'a package sees its own names, those of the packages around and those that a file imports, and no others',
    {
      'A.scala': dedent`
          package p
          package in
          import q.{B, C => D}
          import r._
          class A { def f() = { new B(); new D(); Own.go(); Up.go(); All.go(); No.go() } }
        `,
      'own.scala': 'package p.in\nobject Own { def go() = 1 }',
      'up.scala': 'package p\nobject Up { def go() = 1 }',
      'q.scala': dedent`
        package q
        class B
        class C
        object No { def go() = 1 }
      `,
      'r.scala': 'package r\nobject All { def go() = 1 }',
    },
    ['A.f -> All.go', 'A.f -> B', 'A.f -> C', 'A.f -> Own.go', 'A.f -> Up.go'],
  ],
  [
    'a type of the repository is no container of the library, whatever its name',
    {
      'a.scala': 'package p\nclass Chain[A] { def prepend(a: A): Chain[A] = this\n def size: Int = 1 }',
      'b.scala': 'package p\nclass B { def f(c: Chain[Int]) = { c.prepend(1).prepend(2) } }',
    },
    ['B.f -> Chain.prepend'],
  ],
  [
    'a type of the repository that extends a container of the library is one, too',
    {
      'a.scala': 'package p\nclass X { def go = 1 }\ntrait Seq[A] extends scala.collection.Iterable[A] { def own = 1 }',
      'b.scala':
        'package p\nclass B { def f(o: Seq[X]) = { o.foreach(x => x.go); o.own }\n def g(o: Seq[X]) = { for (x <- o) x.go } }',
    },
    ['B.f -> Seq.own', 'B.f -> X.go', 'B.g -> X.go'],
  ],
  [
    'a companion’s members are reached through its class, and a case class is made without `new`',
    dedent`
      class A { def go() = 1 }
      object A {
        def make(): A = new A()
      }
      case class D(a: A)
      object M {
        def f() = { A.make().go(); D(null).a.go() }
      }
    `,
    ['A.make -> A', 'M.f -> A.go', 'M.f -> A.make', 'M.f -> D'],
  ],
  [
    'an instance has nothing of its companion, which sees its own names',
    dedent`
      trait Base { def go(n: Int): Int }
      abstract class A extends Base { def f(a: A) = a.go(1) }
      object A { def go(n: Int): Int = n; def twice(n: Int) = go(n) }
    `,
    ['A.f -> Base.go', 'A.twice -> A.go'],
  ],
  [
    'a case class is made by what it takes or by what its companion says, and what needs no default is meant first',
    dedent`
      case class A(n: Int)
      object A { def apply(s: String): A = new A(s.length) }
      class B { def go: Int = go(""); def go(s: String = ""): Int = 1 }
      class C { def f(b: B) = { A(1); A(""); b.go } }
    `,
    ['A.apply -> A', 'B.go -> B.go', 'C.f -> A', 'C.f -> A.apply', 'C.f -> B.go'],
  ],
  [
    'an implicit conversion lends the members of what it gives, where it is seen',
    {
      'A.scala': dedent`
        package p
        class Rich(s: String) { def shout: String = s }
        trait Syntax { implicit def rich(s: String): Rich = new Rich(s) }
        object all extends Syntax
        class Own extends Syntax { def f(s: String) = s.shout }
      `,
      'B.scala': 'package q\nimport p.all._\nclass B { def f(s: String) = s.shout }',
      'C.scala': 'package r\nclass C { def f(s: String) = s.shout }',
    },
    ['B.f -> Rich.shout', 'Own.f -> Rich.shout', 'Syntax.rich -> Rich'],
  ],
  [
    'an operator with a colon at its end is of what stands on the right, and one with a sign of assignment may be without it',
    dedent`
      class L { def +:(n: Int): L = this; def ++(l: L): L = this }
      class A { def f(l: L) = { 1 +: l; var m = l; m ++= l } }
    `,
    ['A.f -> L.++', 'A.f -> L.+:'],
  ],
  [
    'type parameters with a sign of variance are told apart, and a block hands on what is asked for',
    dedent`
      class B { def go = 1 }
      class R[+A] { def map[C](f: A => C): R[C] = null }
      class A { def f(r: R[B]) = { r.map { _.go }; r.map { b: B => b.go } } }
    `,
    ['A.f -> B.go', 'A.f -> R.map'],
  ],
  [
    'further lists of arguments and further traits are of the instance that is made',
    dedent`
      class K(n: Int)(m: Int)
      trait T
      object K { def apply(n: Int): Int = n }
      class A { def f = new K(1)(2); def g = new K(1)(2) with T { def h = f } }
    `,
    ['A.f -> K', 'A.g.h -> A.f'],
  ],
  [
    'an argument’s name tells which function is meant and is no call, a tuple has its parts by number, and `implicitly` gives a type',
    dedent`
      class B { def go = 1 }
      class C { def go = 2 }
      class K { def make(n: Int): B = null; def make(s: Int): C = null }
      class A {
        def s = 2
        def f(k: K) = k.make(s = 1).go
        def g(p: (Int, B)) = { p._2.go; implicitly[B].go }
      }
    `,
    ['A.f -> C.go', 'A.f -> K.make', 'A.g -> B.go'],
  ],
  [
    'a method without parameters is called by its name alone',
    'class B { def go = 1; val x = 2 }\nclass A(b: B) { def f = { b.go; b.x } }',
    ['A.f -> B.go'],
  ],
  [
    'receivers are known by parameters, results, patterns, generators and what lambdas are handed',
    dedent`
      class B { def go() = 1; def next(): Option[B] = None }
      class A {
        def f(b: B, xs: List[B]) = {
          b.next().map(_.go())
          xs.foreach(x => x.go())
          for (y <- xs) y.go()
          b.next() match {
            case Some(z) => z.go()
            case None => 1
          }
        }
        def g(x: Any) = x match {
          case b: B => b.go()
          case _ => 1
        }
      }
    `,
    ['A.f -> B.go', 'A.f -> B.next', 'A.g -> B.go'],
  ],
  [
    'traits give their methods, and `super` goes up',
    dedent`
      trait T { def one() = two(); def two(): Int }
      class P { def up() = 1 }
      class A extends P with T {
        def two() = 2
        override def up() = super.up()
        def f() = one()
      }
    `,
    ['A.f -> T.one', 'A.up -> P.up', 'T.one -> T.two'],
  ],
  [
    'methods without parameters are called by their bare name, also from outer classes and where a function is asked for, variables are not',
    dedent`
      abstract class A
        extends B
      {
        def ch: Int
        def f(n: Int) = { val ch2 = 1; ch + ch2 + n }
        def g = run(h)
        def h: Int = 2
        def run(x: Int) = x
      }
      class B
    `,
    ['A.f -> A.ch', 'A.g -> A.h', 'A.g -> A.run'],
  ],
  [
    'a call of a class is its companion’s `apply` where it has one, and a call of an instance its own; a second list of arguments is of the same call',
    dedent`
      class A(n: Int) { def apply(i: Int): A = this
       def at(i: Int)(j: Int): A = this }
      object A { def apply(n: String): A = new A(1) }
      case class C(n: Int) { def go = 1 }
      object U { def f = A("a")
       def g(a: A) = a(1)(2)
       def h = C(1).go
       def i(a: A) = a.at(1)(2) }
    `,
    ['A.apply -> A', 'U.f -> A.apply', 'U.g -> A.apply', 'U.h -> C', 'U.h -> C.go', 'U.i -> A.at'],
  ],
  [
    'an implicit class adds its methods to what it takes, where it is imported; packages may be named from those around',
    {
      'R.scala': dedent`
          package p.q
          object R { implicit class Rich(s: String) { def twice(n: Int) = s }
           def plain(c: Char) = 1
           def plain(s: Seq[Char]) = 2 }
        `,
      'A.scala': dedent`
        package p
        import q.R._
        object A { def f = "a".twice(2)
         def g(s: String) = s.trim.twice(2) }
      `,
      'B.scala': dedent`
        package p
        object B extends q.T { def f = "a".twice(2)
         def g = up }
      `,
      'T.scala': 'package p.q\ntrait T { def up = 1 }',
    },
    ['A.f -> R.Rich.twice', 'A.g -> R.Rich.twice', 'B.g -> T.up'],
  ],
  [
    'an extension is a method of its receiver',
    dedent`
      class B { def go() = 1 }
      extension (b: B) def twice(): Int = b.go()
      object M { def f(b: B) = b.twice() }
    `,
    ['M.f -> twice', 'twice -> B.go'],
  ],
  [
    'an extension’s receiver may be a library’s type or have type parameters',
    dedent`
      class B
      extension [A](xs: List[A]) def second(): A = xs.head
      extension (s: String) def shout() = s
      object M { def f(xs: List[B]) = xs.second(); def g(s: String) = s.shout() }
    `,
    ['M.f -> second', 'M.g -> shout'],
  ],
  [
    'what lies outside is no instance of a class from here, and has what every value has',
    dedent`
      package p
      class A { def march() = 1 }
      class B
      object All {
        implicit def toA(b: B): A = new A
        implicit class Named(s: Symbol) { def text = 1; override def toString() = "a" }
        def f(t: other.Thing, b: B) = { t.march(); t.toString; b.march() }
        def g(b: B) = other.same(b).march()
      }
    `,
    ['All.f -> A.march', 'All.g -> A.march', 'All.toA -> A'],
  ],
  [
    'a class that is reached through its package is its companion, not a new one',
    {
      'a.scala': 'package kit\ncase class A(x: Int)\nobject A { def make(x: Int) = A(x) }',
      'b.scala': 'package app\nobject M { def f() = kit.A.make(1) }',
    },
    ['A.make -> A', 'M.f -> A.make'],
  ],
  [
    'a loop draws what its source hands to `flatMap`, and yields what `map` gives of it',
    dedent`
      class Box[A](a: A) {
        def flatMap[B](f: A => Box[B]): Box[B] = f(a)
        def map[B](f: A => B): Box[B] = new Box(f(a))
        def get(): A = a
      }
      class U { def go() = new V }
      class V { def end() = 1 }
      object M {
        def f(u: Box[U], v: Box[V]) = for { a <- u; b <- v } yield { a.go(); b.end() }
        def g(u: Box[U]) = (for (a <- u) yield new V).get().end()
      }
    `,
    ['Box.map -> Box', 'M.f -> U.go', 'M.f -> V.end', 'M.g -> Box.get', 'M.g -> V', 'M.g -> V.end', 'U.go -> V'],
  ],
  [
    'what is left open among arguments makes a function, and a function type may be written by its name',
    dedent`
      class A { def go() = 1; def and(a: A) = a }
      object M {
        def each(f: A => Int) = 1
        def each(f: Int) = 2
        def both(f: (A, A) => A) = 1
        def two(x: Int, a: A): Int = 1
        def f() = each(two(1, _: A))
        def g() = both(_ and _)
        def made(x: Int) = new A
        def i(xs: List[Int]) = xs.map(made(_).go())
        def h(p: PartialFunction[Int, A]) = p(1).go()
      }
    `,
    [
      'M.f -> M.each',
      'M.f -> M.two',
      'M.g -> A.and',
      'M.g -> M.both',
      'M.h -> A.go',
      'M.i -> A.go',
      'M.i -> M.made',
      'M.made -> A',
    ],
  ],
  [
    'a class is called by an `apply` that its companion inherits, and in a companion a bare name is the companion’s',
    dedent`
      trait Making { def apply(x: Int): A = new A { def run(x: Int) = 1 } }
      abstract class A { def run(x: Int): Int }
      object A extends Making {
        def run(x: String): Int = 1
        def f(x: Other) = run(x)
      }
      object M { def g() = A(1) }
    `,
    ['A.f -> A.run', 'M.g -> Making.apply'],
  ],
  [
    'what lies outside is none of ours, whatever its name',
    dedent`
      package p
      import other.Thing
      class A { def run() = 1 }
      object M { def f(t: Thing, s: String) = { t.run(); new Thing().run(); s.run(); println(1) } }
    `,
    [],
  ],
  [
    'a package is imported by its whole name',
    {
      'a.scala': dedent`
        package com.acme.kit
        class A { def go() = 1 }
        object B { def go() = 1 }
      `,
      'b.scala': dedent`
          package com.acme.shop
          import com.acme.kit.A
          import com.acme.kit.{B => C}
          class D { def f(a: A) = { a.go(); C.go() } }
        `,
    },
    ['D.f -> A.go', 'D.f -> B.go'],
  ],
  [
    'a function with type parameters has its parameters, which tell it from others of its name and from a class',
    dedent`
      trait P {
        case class Both[+T](a: T, b: Int)
        def Both[U](a: U, b: Int, c: Int): Both[U] = one()
        def f() = Both(1, 2, 3)
        def g() = Both(1, 2).go()
        def one() = new Both(1, 2)
        def take[T](a: Int): Int = one()
        def take[T](a: Int, b: Int): Int = two()
        def two() = 1
        def h() = take(1, 2)
      }
      class Q extends P { def i(x: Both[Int]) = x.a }

    `,
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
    dedent`
      class A {
        def f(): Int // = none
          = g(1)
        def g(n: Int): Int
          = h()
        def h() = 1
      }

    `,
    ['A.f -> A.g', 'A.g -> A.h'],
  ],
  [
    'what holds elements is read by its name, and not called',
    dedent`
      class B { def go(): Int = 1 }
      case class A(bs: List[B]) {
        def f() = bs.filter(_.go() > 1).map(_.go())
      }

    `,
    ['A.f -> B.go'],
  ],
  [
    'what a trait says it is mixed into has members that are names, under a name of its own, too',
    dedent`
      trait B { def go(): Int = 1 }
      trait A { self: B =>
        def f() = go()
        def g() = self.go()
      }
      trait C { this: B =>
        def h() = go()
      }

    `,
    ['A.f -> B.go', 'A.g -> B.go', 'C.h -> B.go'],
  ],
  [
    '`this(…)` calls what the object has for being called, `Outer.this` is that of a class around, and a loop yields what `map` gives',
    dedent`
      class A {
        def apply(n: Int): A = this
        def map(f: Int => Int): A = this
        def named(s: String): A = this
        def f() = this(1).named("a")
        def g() = (for (x <- this) yield x).named("b")
        class B { def h() = A.this(1).named("c") }
      }

    `,
    ['A.B.h -> A.apply', 'A.B.h -> A.named', 'A.f -> A.apply', 'A.f -> A.named', 'A.g -> A.named'],
  ],
  [
    'a function that is assigned to a name has that name',
    dedent`
      class A {
        val f = { (n: Int) =>
          go()
          n
        }
        lazy val g = (n: Int) => go()
        def go() = 1
      }

    `,
    ['A.f -> A.go', 'A.g -> A.go'],
  ],
  [
    'an object is called by what it has or inherits for being called, and is an instance where a value is asked for',
    dedent`
      trait Unit { def apply(n: Int): Length = new Length }
      object Meters extends Unit
      object Feet { def apply(n: Int): Length = new Length }
      class Length {
        def to(that: Length): Double = 1
        def to(unit: Unit): Double = 2
        def meters = to(Meters)
      }
      object M { def f() = { Meters(1); Feet(2) } }
    `,
    [
      'Feet.apply -> Length',
      'Length.meters -> Length.to',
      'M.f -> Feet.apply',
      'M.f -> Unit.apply',
      'Unit.apply -> Length',
    ],
  ],
  [
    'a companion’s `apply` is its own: what extends the class is made without it',
    dedent`
      class A
      object A { def apply(n: Int): A = new A }
      case class B(n: Int) extends A
      object M { def f() = { A(1); B(2) } }
    `,
    ['A.apply -> A', 'M.f -> A.apply', 'M.f -> B'],
  ],
  [
    'arrows may be written as one character',
    dedent`
      class B { def go() = 1 }
      object M {
        def f(bs: List[B]) = {
          for (b ← bs) b.go()
          bs match {
            case _ ⇒ g(bs)
          }
        }
        def g(bs: List[B]) = bs.map(c⇒ c.go())
      }
    `,
    ['M.f -> B.go', 'M.f -> M.g', 'M.g -> B.go'],
  ],
  [
    'what a package’s object has is of the package, and a name may begin with all packages around it',
    {
      'package.scala': 'package object p {\n  type Area = p.space.Area\n  def unit = 1\n}',
      'area.scala': 'package p.space\nclass Area { def go() = 1 }',
      'A.scala': dedent`
        package p.mass
        import p._
        class Mass { def f(area: Area) = { area.go(); unit } }
      `,
    },
    ['Mass.f -> Area.go', 'Mass.f -> unit'],
  ],
  [
    'numbers have their own operators, and an implicit class only those whose parameters fit',
    dedent`
      trait Quantity[A <: Quantity[A]] { def value: Double }
      class Length extends Quantity[Length] { def value = 1.0 }
      object Conversions {
        implicit class Numbers(d: Double) {
          def *[A <: Quantity[A]](that: A): A = that
        }
        def f(d: Double, length: Length) = d * length
        def g(d: Double) = d * 2.0
        def h(d: Double) = d * unknown.value
      }
    `,
    ['Conversions.f -> Conversions.Numbers.*'],
  ],
  [
    'what a method without parameters is called with is for what it gives',
    dedent`
      class Unit { def apply(n: Int): Int = n }
      class Length {
        def unit: Unit = new Unit
        def f() = unit(1)
      }
    `,
    ['Length.f -> Length.unit', 'Length.f -> Unit.apply', 'Length.unit -> Unit'],
  ],
  [
    'an import may take names from an object or a value that is seen where it stands',
    {
      'package.scala': dedent`
        package p
        package object parser { object combinator extends Combinator }
      `,
      'Combinator.scala': 'package p.parser\ntrait Combinator { def ok: Int = 1 }',
      'A.scala': dedent`
        package p.parser
        trait A {
          import combinator._
          def f() = ok
        }
        object B {
          object Inner { def go() = 1 }
          import Inner._
          def g() = go()
        }
        class Context { def pos = 1; def fail = 2 }
        object C {
          def h(context: Context) = { import context._; pos }
          def i(context: Context) = { import context.fail; fail }
        }
      `,
    },
    ['A.f -> Combinator.ok', 'B.g -> B.Inner.go', 'C.h -> Context.pos', 'C.i -> Context.fail'],
  ],
  [
    'a variable may have the name of Scala 3’s word for extensions',
    dedent`
      class A {
        def f(extension: String) = { extension.trim }
        def g(extension: String) = s"a.\${extension.trim}"
        def h() = f("")
      }
    `,
    ['A.h -> A.f'],
  ],
  [
    'a definition may begin on the line on which the comment above it ends',
    dedent`
      trait A {
        def f(n: Int): Int =
          g(n)
        /** What
          * it does.
          */  def g[B: Ordering](n: Int): Int = f(n)
      }
    `,
    ['A.f -> A.g', 'A.g -> A.f'],
  ],
  [
    'a package has what its object inherits, implicit classes too',
    {
      'package.scala': 'package p\npackage object in extends Implicits with Names',
      'Names.scala': 'package p.in\ntrait Names { def size = 1 }',
      'Implicits.scala': dedent`
        package p.in
        trait Implicits {
          implicit class Inputs(in: java.io.InputStream) {
            def buffered(n: Int) = n
            def twice = buffered(2)
          }
          implicit class Outputs(out: java.io.OutputStream) {
            def buffered(n: Int) = n
            def twice = buffered(2)
          }
          implicit class All[A](value: A) { def closed: A = value }
        }
      `,
      'A.scala':
        'package p.in\nimport java.io.OutputStream\nclass A { def f(out: OutputStream) = { out.twice; out.closed; size } }',
      'B.scala': 'package q\nimport p.in._\nclass B { def f(out: java.io.Reader) = out.closed }',
      'C.scala': 'package q\nclass C { def f(out: java.io.Reader) = out.closed }',
    },
    [
      'A.f -> Implicits.All.closed',
      'A.f -> Implicits.Outputs.twice',
      'A.f -> Names.size',
      'B.f -> Implicits.All.closed',
      'Implicits.Inputs.twice -> Implicits.Inputs.buffered',
      'Implicits.Outputs.twice -> Implicits.Outputs.buffered',
    ],
  ],
  [
    'overloads are told apart by what a function that is passed gives, and by what is handed on one by one',
    dedent`
      object A {
        def of[C, X](f: C => X): One = null
        def of[C, X, Y](f: C => Tuple2[X, Y]): Two = null
        def all(name: One): One = null
        def all(names: String*): Two = null
        def f[C, X, Y](g: C => (X, Y)) = of(g).go
        def h(names: Seq[String]) = all(names: _*).go
        def i() = of((n: Int) => n.toString).go
      }
      trait One { def go = 1 }
      trait Two { def go = 2 }
    `,
    ['A.f -> A.of', 'A.f -> Two.go', 'A.h -> A.all', 'A.h -> Two.go', 'A.i -> A.of', 'A.i -> One.go'],
  ],
  [
    'an object and a trait make no instances, and a class outside is none that something is added to',
    dedent`
      import q.{Companion, Files}
      object Encoder extends Companion
      trait Decoder
      object Decoder extends Companion
      object A {
        implicit class Streams(out: java.io.OutputStream) { def write(n: Int) = n }
        def f() = { Encoder[Int].encode(1); Decoder[Int]; Files.write(1) }
        def g(out: java.io.OutputStream) = out.write(1)
      }
    `,
    ['A.g -> A.Streams.write'],
  ],
  [
    'a conversion may give what values of a class outside often have, where a class surely lacks it',
    dedent`
      trait Parser { def go = 1 }
      trait Ops { def |(other: Parser): Parser }
      object A {
        implicit def toOps(p: Parser): Ops = null
        def f(a: Parser, b: Parser) = a | b
      }
    `,
    ['A.f -> Ops.|'],
  ],
];

describe('Scala', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      expect(await edgesOf(typeof sources === 'string' ? { 'A.scala': sources } : sources)).to.deep.equal(edges);
    });
  }

  it('classes, traits, objects and enums inherit from what they extend', async () => {
    const source = dedent`
        trait I
        trait J extends I
        class A
        class B(x: Int) extends A with J
        object O extends A
        case class C() extends Exception
        enum E extends I {
          case X, Y
        }
      `;
    const edges = ['B -> A', 'B -> J', 'E -> I', 'J -> I', 'O -> A'];
    expect(await edgesOf({ 'A.scala': source }, 'INHERITS')).to.deep.equal(edges);
  });

  it('who extends a trait extends the class that the trait extends, and an object inherits beside the class of its name', async () => {
    const source = dedent`
        class A
        trait T extends A
        trait U extends T
        class B extends U
        class C extends A with U
        class D extends Exception with T
        trait V
        class E extends V
        object E extends T

      `;
    const edges = [
      'B -> A',
      'B -> U',
      'C -> A',
      'C -> U',
      'D -> T',
      'E -> A',
      'E -> T',
      'E -> V',
      'T -> A',
      'U -> A',
      'U -> T',
    ];
    expect(await edgesOf({ 'A.scala': source }, 'INHERITS')).to.deep.equal(edges);
  });
});
