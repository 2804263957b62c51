import { expect } from 'chai';
import { edgesOf, type Sources } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

/** What is called in sources, a guarantee a row; a text alone is one file. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'a package sees its own names and those that a file imports, by name, alias or all, and no others',
    {
      'A.kt': dedent`
          package p
          import q.B
          import q.make as build
          import r.*
          fun f() {
            B()
            build()
            own()
            all()
            other()
          }
        `,
      'own.kt': 'package p\nfun own() {}',
      'q.kt': dedent`
        package q
        class B
        fun make() {}
        fun other() {}
      `,
      'r.kt': 'package r\nfun all() {}',
    },
    ['f -> B', 'f -> all', 'f -> make', 'f -> own'],
  ],
  [
    'a type of the repository is no container of the library, whatever its name, and has its own members and bases',
    {
      'a.kt': dedent`
        package p
        interface Flow<out T> { suspend fun collect(collector: Collector<T>) }
        interface Deferred<out T> { fun done(): T }
        fun interface Collector<in T> { suspend fun emit(value: T) }
        suspend fun <T> Flow<T>.collect(action: suspend (value: T) -> Unit) {}
      `,
      'b.kt': dedent`
        package p
        suspend fun f(flow: Flow<Int>, c: Collector<Int>) { flow.collect(c) }
        fun g(d: Deferred<Int>) { d.done() }
        fun h(xs: List<Deferred<Int>>) { xs.first().done() }
      `,
    },
    ['f -> Flow.collect', 'g -> Deferred.done', 'h -> Deferred.done'],
  ],
  [
    'an extension of the repository’s own type is chosen by what is imported, also where the library has a type of that name',
    {
      'a.kt': 'package p\ninterface Flow<T> { fun own() }',
      'b.kt': 'package q\nimport p.*\nclass Q { fun q() {} }\nfun <T> Flow<T>.twice(): Q = Q()',
      'd.kt': 'package z\nimport p.*\nclass Z { fun q() {} }\nfun <T> Flow<T>.twice(): Z = Z()',
      'c.kt': 'package r\nimport p.*\nimport z.twice\nfun f(x: Flow<Int>) { x.twice().q() }',
    },
    ['f -> Z.q', 'f -> twice', 'twice -> Q', 'twice -> Z'],
  ],
  [
    'receivers are typed by constructor properties, results, delegates, casts and smart casts',
    dedent`
      class B { fun go(): B = this }
      class A(private val p: B, q: B) {
        private val z by lazy { B() }
        init {
          q.go()
        }
        fun f(x: Any?, y: B?) {
          p.go().go()
          z.go()
          y?.go()
          y!!.go()
          if (x is B) {
            x.go()
          }
          (x as B).go()
        }
      }
    `,
    ['A.A -> B.go', 'A.f -> B.go'],
  ],
  [
    'a lambda’s parameter is what is handed to it',
    dedent`
      class B { fun go() {} }
      fun f(xs: List<B>) {
        xs.filter { it != null }.forEach { x -> x.go() }
      }
      fun g(b: B?) {
        b?.let { it.go() }
      }
      fun with(block: (B) -> Unit) {}
      fun h() {
        with { it.go() }
      }
      fun i(m: Map<String, B>) {
        for ((k, v) in m) {
          v.go()
        }
      }
    `,
    ['f -> B.go', 'g -> B.go', 'h -> B.go', 'h -> with', 'i -> B.go'],
  ],
  [
    'an extension of a type that the library has is found where it is imported or in its package, and takes what fits it',
    {
      'E.kt': dedent`
          package q
          fun String.twice(n: Int) = this
          fun <T> List<T>.each() {}
          fun Any.locked() {}
          infix fun Byte.and(n: Int) = n
          object K { fun Long.clamp() = 1 }

        `,
      'A.kt': dedent`
          package p
          import q.twice
          import q.each
          import q.locked
          import q.and
          class A { fun f(s: String) { "a".twice(2); s.trim().twice(2) }
          fun g(xs: List<A>) = xs.each()
          fun h() { this.locked() }
          fun i(x: Int) { x and 2; x.twice(2) } }

        `,
      'B.kt': dedent`
        package r
        fun j(s: String, l: Long) { s.twice(2); l.clamp() }

      `,
      'C.kt': dedent`
        package r
        import q.K.clamp
        fun k(l: Long) = l.clamp()

      `,
    },
    ['A.f -> twice', 'A.g -> each', 'A.h -> locked', 'k -> K.clamp'],
  ],
  [
    'a lambda has the `this` that its function hands it, after the names around it; `apply` gives what it is called on',
    dedent`
      class B { fun go() {}
      fun n(n: Int) = apply { go(); this.go() }
      fun o(): B = this }
      class A { fun go() {} }
      fun make(f: B.() -> Unit) {}
      fun f(b: B) { b.n(1).o().n(2) }
      fun g(b: B) { with(b) { go() } }
      fun h() = make { go() }
      fun i(b: B) { val go = 1
       b.run { o() }.n(go) }

    `,
    ['B.n -> B.go', 'f -> B.n', 'f -> B.o', 'g -> B.go', 'h -> B.go', 'h -> make', 'i -> B.n', 'i -> B.o'],
  ],
  [
    'what is called by a name is a function, though a variable has the name too',
    dedent`
      class A(val name: String) { fun name(i: Int) = 1
      fun f() { val name = name(2) } }
      fun run2(go: () -> Unit) { go() }
      fun go() {}

    `,
    ['A.f -> A.name'],
  ],
  [
    'an extension is a method of its receiver, and `this` in it is the receiver',
    {
      'A.kt': dedent`
        package p
        import q.B
        fun B.ext() {
          this.go()
        }
        fun f(b: B) {
          b.ext()
        }
      `,
      'B.kt': 'package q\nclass B { fun go() {} }',
    },
    ['ext -> B.go', 'f -> ext'],
  ],
  [
    'companions, objects and enums are reached through their class',
    dedent`
      class A {
        companion object {
          fun make(): A = A()
        }
        fun go() {}
      }
      object S {
        fun s() {}
      }
      enum class E {
        ONE;
        fun e() {}
      }
      fun f() {
        A.make().go()
        S.s()
        E.ONE.e()
      }
    `,
    ['A.make -> A', 'f -> A.go', 'f -> A.make', 'f -> E.e', 'f -> S.s'],
  ],
  [
    'overloads are told apart by the names of their arguments, in any order',
    dedent`
      class B { fun go() {} }
      class C { fun go() {} }
      class K { fun make(n: Int, s: String): B = B(); fun make(s: String, m: Int): C = C() }
      fun f(k: K) { k.make(m = 1, s = "").go() }
      fun g(k: K) { k.make(s = "", n = 1).go() }
    `,
    ['K.make -> B', 'K.make -> C', 'f -> C.go', 'f -> K.make', 'g -> B.go', 'g -> K.make'],
  ],
  [
    'overloads are chosen by their arguments, in classes and outside',
    dedent`
      class A
      class B
      fun one() {}
      fun two() {}
      fun f(a: A) {
        one()
      }
      fun f(b: B) {
        two()
      }
      fun g(b: B) {
        f(b)
      }
      class C {
        fun m(x: A) {
          one()
        }
        fun m(x: A, y: A) {}
        fun n(a: A) {
          m(a)
        }
      }
    `,
    ['C.m -> one', 'C.n -> C.m', 'f -> one', 'f -> two', 'g -> f'],
  ],
  [
    'what lies outside is none of ours, whatever its name',
    dedent`
      package p
      import other.Thing
      class A {
        fun run() {}
      }
      fun f(t: Thing, s: String) {
        t.run()
        Thing().run()
        s.run()
        println()
      }
    `,
    [],
  ],
  [
    'a constructor may be on lines of its own',
    'class Z {\n  fun z() {}\n\n  class A<T>\n  @Inject(1)\n  private constructor(\n    val b: B,\n  ) {\n    fun f() { b.go() }\n  }\n}\nclass B {\n  fun go() {}\n}\nclass C\nconstructor(val b: B) {\n  fun f() { b.go() }\n}',
    ['C.f -> B.go', 'Z.A.f -> B.go'],
  ],
  [
    'an index is `get`, and classes may be written on one line',
    dedent`
      class A { fun go() {} }
      class B { fun go() {} }
      class L { operator fun get(i: Int): A = A() }
      fun f(l: L) { l[0].go() }
      interface I { fun a(); fun b() }
    `,
    ['L.get -> A', 'f -> A.go'],
  ],
  [
    'what is negated is called, alone and as a member',
    dedent`
      class B { fun isOpen() = true }
      fun ready() = true
      fun f(b: B) {
        if (!ready() || !b.isOpen()) {
          return
        }
      }
    `,
    ['f -> B.isOpen', 'f -> ready'],
  ],
  [
    'variables that are named like modifiers and accessors are assigned at the start of a statement',
    dedent`
      class A {
        private var open = false
        private var set = 0
        fun f() {
          open = ready()
          val bit = 1
          set = bit
          if (ready()) { open = true }
          set += 1
        }
        fun ready() = open
      }
      fun t(a: A) {
        a.f()
      }
    `,
    ['A.f -> A.ready', 't -> A.f'],
  ],
  [
    'what is expected of other source sets is what the only one has; where several have it, nobody knows which',
    {
      'commonMain/A.kt': dedent`
          package p
          expect class A { fun go(n: Int = 1) }
          expect fun make(): A
          expect fun each()
          fun f(a: A) { a.go()
           make()
           A()
           each() }
        `,
      'jvmMain/A.kt': dedent`
          package p
          actual class A { actual fun go(n: Int) = one() }
          actual fun make(): A = A()
          fun one() {}
          actual fun each() = one()
        `,
      'jsMain/each.kt': 'package p\nactual fun each() {}',
    },
    ['A.go -> one', 'each -> one', 'f -> A', 'f -> A.go', 'f -> each', 'f -> make', 'make -> A'],
  ],
  [
    'an array is passed for any number of arguments with a star only, and `::class` is a class, not a text',
    dedent`
      package p
      import kotlin.reflect.KClass
      class A {
      fun add(vararg xs: A) = one()
      fun add(xs: Iterable<A>) = two()
      fun of(s: String) = one()
      fun of(c: KClass<*>) = two()
      fun of(c: Class<*>) = three()
      fun f(xs: List<A>) { add(xs) }
      fun g(xs: Array<A>) { add(*xs) }
      fun h() { of(A::class) }
      fun i() { of(A::class.java) } }
      fun one() {}
      fun two() {}
      fun three() {}
    `,
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
    dedent`
      package p
      import java.util.UUID
      import java.io.File
      fun UUID.text() = one()
      fun File.text() = two()
      fun File.f() = text()
      fun UUID.g() = run { text() }
      fun one() {}
      fun two() {}
    `,
    ['f -> text', 'g -> text', 'text -> one', 'text -> two'],
  ],
  [
    'a constructor calls what it hands over to, and what its defaults call',
    dedent`
      open class B(n: Int)
      class A(val n: Int = count(1)) : B(n) {
        constructor(s: String) : this(size(s))
      }
      class C : B {
        constructor() : super(2)
      }
      fun size(s: String) = 1
      fun count(n: Int) = n
    `,
    ['A.A -> A', 'A.A -> count', 'A.A -> size', 'C.C -> B'],
  ],
  [
    'what a class calls by a bare name is its method, though its constructor takes something of that name',
    dedent`
      class A(make: Int) {
        fun f() = make()
        companion object { fun make() = 1 }
      }
    `,
    ['A.f -> A.make'],
  ],
  [
    'an annotation above an accessor and a call that is named like one cost nothing',
    'class A {\n  val size\n    @JvmName("size")\n    get() = count()\n\n  fun f(xs: B) {\n    val copy = count()\n    get(copy)\n    count()\n  }\n  fun get(n: Int) = 1\n  fun count() = 1\n}\nfun g(a: A) { a.count() }\n',
    ['A.f -> A.count', 'A.f -> A.get', 'A.size -> A.count', 'g -> A.count'],
  ],
  [
    'a lambda behind the parentheses is for the last parameter, and one that is passed by name for that of its name',
    dedent`
      class B { fun go() {} }
      fun make(n: Int = 1, m: Int = 2, block: B.() -> Unit) {}
      fun f() = make(m = 3) { go() }
      fun g() = make(block = { go() })

    `,
    ['f -> B.go', 'f -> make', 'g -> B.go', 'g -> make'],
  ],
  [
    'what extends a type has the names of its package, whatever lies above the type',
    dedent`
      package p
      import q.Outer
      interface O : Outer
      typealias P = O
      fun P.f() = own()
      fun own() {}

    `,
    ['f -> own'],
  ],
  [
    'functions of one name are told apart by how many parameters the function takes that they are given, and by what a method mostly gives',
    dedent`
      import java.io.File
      fun <R> new(f: () -> R) = one()
      fun <R, A> new(f: (A) -> R) = two()
      fun <R, A> g(f: (A) -> R) = new(f)
      fun take(s: String) = one()
      fun take(s: File) = two()
      fun h(f: File) { take(f.parent.toString()) }
      fun one() {}
      fun two() {}

    `,
    ['g -> new', 'h -> take', 'new -> one', 'new -> two', 'take -> one', 'take -> two'],
  ],
  [
    'another name of a class that lies outside makes nothing of ours',
    dedent`
      package p
      class A
      typealias E = java.io.IOException
      typealias B = A
      fun f() { throw E("a") }
      fun g() = B()

    `,
    ['g -> A'],
  ],
  [
    'an annotation above a declaration that begins with a word that is also a name costs nothing',
    '@Suppress("a")\n@Keep\nenum class E { A; fun e() = go() }\n\n@Suppress("a")\nannotation class N\n\n@Suppress("a")\noperator fun E.plus(n: Int) = go()\n\n@K\ndata object O { fun o() = go() }\nfun go() = N()\n',
    ['E.e -> go', 'O.o -> go', 'go -> N', 'plus -> go'],
  ],
  [
    'a name that begins like an operator, a comment behind an annotation and an operator at the begin of a line cost nothing',
    dedent`
      class S { fun close() {} }
      fun f(in1: S, else_a: S) {
        go(1)
        in1.close()
        go(2)
        else_a.close()
      }
      @Flaky // now and then
      class A { fun a() = go(3) }
      fun g(a: Boolean) {
        !a
          || (a && h())
      }
      fun go(n: Int) {}
      fun h() = true

    `,
    ['A.a -> go', 'f -> S.close', 'f -> go', 'g -> h'],
  ],
  [
    'an object is told by what its class inherits and what it is called on, and so are the type parameters of extensions',
    dedent`
      interface Plugin<P> { fun make(): P }
      class Send {
        companion object : Plugin<Send> {
          override fun make() = Send()
        }
        fun go() {}
      }
      object Scope
      fun Scope.start(block: Send.() -> Unit) {}
      fun <P> install(plugin: Plugin<P>): P = plugin.make()
      fun <T> Iterable<T>.each(block: (T) -> Unit) {}
      fun f() = install(Send).go()
      fun g() = Scope.start { go() }
      fun h(xs: List<Send>) = xs.each { it.go() }
      fun i(vararg xs: Send) = xs.forEach { it.go() }

    `,
    [
      'Send.make -> Send',
      'f -> Send.go',
      'f -> install',
      'g -> Send.go',
      'g -> start',
      'h -> Send.go',
      'h -> each',
      'i -> Send.go',
      'install -> Plugin.make',
    ],
  ],
  [
    'functions that are handed in: `apply(block)` gives what it is called on, a Java function takes what its type says, the last parameter a lambda',
    dedent`
      import java.util.function.Consumer
      class B { fun go() = 1 }
      fun make(): B = B()
      fun f(block: B.() -> Unit) = B().apply(block).go()
      fun take(c: Consumer<B>) {}
      fun g() = take { it.go() }
      fun <T> later(n: Int = 1, init: () -> T): Lazy<T> = lazy(init)
      class C { val b by later { make() }
        fun h() = b.go() }

    `,
    ['C.h -> B.go', 'f -> B', 'f -> B.go', 'g -> B.go', 'g -> take', 'make -> B'],
  ],
  [
    'a function and a class of one name are told apart by what they take, a data class is copied, what is private at the top is of its file',
    {
      'A.kt': dedent`
        package p
        data class D(val a: Int, val b: Int) { fun more() = copy(a = 1).more() }
        fun D(a: Int) = D(a, 2)
        fun f() = D(1)
        fun g() = D(1, 2)
        fun h(s: String) = s.hidden()

      `,
      'B.kt': 'package p\nprivate fun String.hidden() = 1\nfun String.seen() = hidden()\n',
    },
    ['D -> D', 'D.more -> D', 'D.more -> D.more', 'f -> D', 'g -> D', 'seen -> hidden'],
  ],
  [
    'a class that another makes keeps its body, and what stands below a getter is read',
    dedent`
      interface I
      class A(val i: I) : I by i {
        fun a() = go()
      }
      class B(
        val i: I
      ) : J(),
        I by i {
        val n: Int get() = 1

        /** b */
        @Suppress("x")
        inline fun b() = go()
        val l by lazy { 1 }
      }
      fun go() {}

    `,
    ['A.a -> go', 'B.b -> go'],
  ],
  [
    'a function that is named like a modifier is called at the start of a statement, too',
    dedent`
      class W {
          fun a(t: String) {
              val x = make(t)
              open(x, t)
          }
          fun make(t: String) = t
          fun b() {
              internal(1) { make("") }
          }
          fun open(x: String, t: String) {}
          fun internal(n: Int, f: () -> Unit) {}
      }
    `,
    ['W.a -> W.make', 'W.a -> W.open', 'W.b -> W.internal', 'W.b -> W.make'],
  ],
  [
    'an extension that is a member of a class is seen in that class and below it, and the nearest receiver is meant',
    {
      'a.kt': dedent`
        package p
        interface D
        class One<T>
        class Box<T>
        abstract class Enc { abstract fun D.tag(n: Int): String; fun f(d: D) { d.tag(1) } }
        abstract class Dec { abstract fun D.tag(n: Int): String; fun f(d: D) { d.tag(1) } }
        abstract class Low : Dec() { fun g(d: D) { d.tag(2) } }
        fun <T> Box<T>.and(n: Int) {}
        fun <T> Box<One<T>>.and(m: Int) {}
        fun g(b: Box<One<Int>>) { b.and(1) }
        fun h(b: Box<Int>) { b.and(1) }
      `,
    },
    ['Dec.f -> Dec.tag', 'Enc.f -> Enc.tag', 'Low.g -> Dec.tag', 'g -> and', 'h -> and'],
  ],
  [
    'what overrides a method has its defaults, and a member that can’t be called so hides nothing further out',
    dedent`
      abstract class Base { abstract fun ensure(n: Int = 1) }
      class Own : Base() {
          override fun ensure(n: Int) {}
          fun f() { ensure() }
          fun twice(n: Int) {}
          fun g() { twice(1, 2) }
      }
      fun twice(n: Int, m: Int) {}
    `,
    ['Own.f -> Own.ensure', 'Own.g -> twice'],
  ],
  [
    'a class and functions of its name are of one package and of several files, and stay both where they are imported',
    {
      'a.kt':
        'package p\nclass Url(val s: String) { fun go() {} }\ninterface Job { fun cancel() }\nfun Job(n: Int): Job = make(n)\nfun make(n: Int): Job = make(n)',
      'b.kt': 'package p\nfun Url(n: Int): Url = Url("")\nfun f() { Url(1).go() }',
      'c.kt': 'package q\nimport p.*\nfun g(job: Job) { job.cancel() }\nfun h() { Job(1).cancel() }',
      'd.kt':
        'package r\nimport p.Job\nfun i(job: Job) { job.cancel() }\nfun Job.twice() {}\nfun j(job: Job) { job.twice() }',
    },
    [
      'Job -> make',
      'Url -> Url',
      'f -> Url',
      'f -> Url.go',
      'g -> Job.cancel',
      'h -> Job',
      'h -> Job.cancel',
      'i -> Job.cancel',
      'j -> twice',
      'make -> make',
    ],
  ],
  [
    'what no source can call is not meant',
    dedent`
      class One { fun go() {} }
      class Two { fun go() {} }
      @Deprecated("", level = DeprecationLevel.HIDDEN)
      fun buffer(n: Int = 1): One = One()
      fun buffer(n: Int = 1, other: Int = 2): Two = Two()
      fun f() { buffer(1).go() }
    `,
    ['buffer -> One', 'buffer -> Two', 'f -> Two.go', 'f -> buffer'],
  ],
];

describe('Kotlin', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      expect(await edgesOf(typeof sources === 'string' ? { 'A.kt': sources } : sources)).to.deep.equal(edges);
    });
  }

  it('classes, interfaces and objects inherit from what they call or name', async () => {
    const source = dedent`
        interface I
        interface J : I
        open class A
        class B(val i: I) : A(), J, I by i
        object O : A()
        class E : Exception()
      `;
    const edges = ['B -> A', 'B -> I', 'B -> J', 'J -> I', 'O -> A'];
    expect(await edgesOf({ 'A.kt': source }, 'INHERITS')).to.deep.equal(edges);
  });

  it('a companion that inherits is a class beside its own, and no function is inherited from', async () => {
    const source = dedent`
        interface I
        interface J
        class A { companion object : I { } }
        class B { companion object Key : I }
        class C : J
        private fun J(): J = C()

      `;
    const edges = ['A.Companion -> I', 'B.Key -> I', 'C -> J'];
    expect(await edgesOf({ 'A.kt': source }, 'INHERITS')).to.deep.equal(edges);
  });
});
