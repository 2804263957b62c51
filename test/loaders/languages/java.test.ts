import { expect } from 'chai';
import { resolve } from '../../../loaders/resolution/resolve.ts';
import { edgesOf, factsOf, type Sources } from '../../support/edges-of.ts';

/** What is called in sources, a guarantee a row; a text alone is one file without a package. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  // Packages and imports.
  [
    'classes of one package see each other, in whatever folders they are',
    {
      'main/p/A.java': 'package p; class A { void a() { B.b(); } }',
      'generated/p/B.java': 'package p; class B { static void b() {} }',
    },
    ['A.a -> B.b'],
  ],
  [
    'a class of another package is seen by its import only',
    {
      'p/A.java': 'package p; import q.B; class A { void a() { B.b(); C.c(); } }',
      'q/B.java': 'package q; public class B { public static void b() {} }',
      'q/C.java': 'package q; public class C { public static void c() {} }',
    },
    ['A.a -> B.b'],
  ],
  [
    'an import on demand brings all classes of its package, after those of the own package',
    {
      'p/A.java': 'package p; import q.*; class A { void a() { B.b(); C.c(); } }',
      'p/C.java': 'package p; class C { static void c() {} }',
      'q/B.java': 'package q; public class B { public static void b() {} }',
      'q/C.java': 'package q; public class C { public static void other() {} }',
    },
    ['A.a -> B.b', 'A.a -> C.c'],
  ],
  [
    'what a package imports is not seen by those who import the package',
    {
      'p/A.java': 'package p; import q.*; class A { void a() { C.c(); } }',
      'q/B.java': 'package q; import r.C; public class B {}',
      'r/C.java': 'package r; public class C { public static void c() {} }',
    },
    [],
  ],
  [
    'static imports bring methods by name and on demand',
    {
      'p/A.java': 'package p; import static q.B.one; import static q.C.*; class A { void a() { one(); two(); } }',
      'q/B.java': 'package q; public class B { public static void one() {} }',
      'q/C.java': 'package q; public class C { public static void two() {} }',
    },
    ['A.a -> B.one', 'A.a -> C.two'],
  ],
  [
    'nested classes are imported by their outer class',
    {
      'p/A.java': 'package p; import q.B.In; class A { void a(In in) { in.b(); } }',
      'q/B.java': 'package q; public class B { public static class In { public void b() {} } }',
    },
    ['A.a -> B.In.b'],
  ],
  [
    'a class written with its package needs no import',
    {
      'p/A.java': 'package p; class A { void a(com.q.Bee b) { b.b(); com.q.Bee.s(); new com.q.Bee(); } }',
      'q/B.java': 'package com.q; public class Bee { public void b() {} public static void s() {} }',
    },
    ['A.a -> Bee', 'A.a -> Bee.b', 'A.a -> Bee.s'],
  ],
  [
    'a class of the package hides the one of java.lang',
    {
      'p/A.java': 'package p; class A { void a(Record r) { r.play(); } }',
      'p/Record.java': 'package p; class Record { void play() {} }',
    },
    ['A.a -> Record.play'],
  ],
  [
    'a method of a class outside is none of ours, whatever its name',
    'import org.other.Thing; class A { void a(Thing t, String s) { t.run(); s.length(); } void run() {} int length() { return 0; } }',
    [],
  ],
  // Names.
  [
    'fields, variables and methods have name spaces of their own',
    'class A { int size; int size() { return 0; } void a() { int size = 1; size(); } }',
    ['A.a -> A.size'],
  ],
  [
    'a field does not hide the class of its name where only a class can stand',
    'class Url { } class A { static Object Url = null; void a() { new Url(); } }',
    ['A.a -> Url'],
  ],
  [
    'an inner class sees the methods of its outer class and of its bases',
    'class B { void base() {} } class A { void outer() {} class In extends B { void a() { outer(); base(); } } }',
    ['A.In.a -> A.outer', 'A.In.a -> B.base'],
  ],
  [
    'an own or inherited method hides the outer ones of its name',
    'class B { void m() {} } class A { void m() {} class In extends B { void a() { m(); A.this.m(); } } class Two { void m() {} void a() { m(); } } }',
    ['A.In.a -> A.m', 'A.In.a -> B.m', 'A.Two.a -> A.Two.m'],
  ],
  [
    'a variable lives in its block',
    'class B { void m() {} } class C { void m() {} } class A { void a() { { B x = null; x.m(); } { C x = null; x.m(); } } }',
    ['A.a -> B.m', 'A.a -> C.m'],
  ],
  [
    'a local class is a class of its method',
    'class A { void a() { class L { void m() {} } new L().m(); } }',
    ['A.a -> A.a.L', 'A.a -> A.a.L.m'],
  ],
  // Classes and their instances.
  [
    'new goes to the class, and what a constructor calls comes from it',
    'class B { B() { help(); } void help() {} } class A { void a() { new B(); } }',
    ['A.a -> B', 'B -> B.help'],
  ],
  ['super(…) goes to the class above', 'class B { B(int i) {} } class A extends B { A() { super(1); } }', ['A -> B']],
  [
    "super.method() is the base's",
    'class B { void m() {} } class A extends B { void m() { super.m(); } }',
    ['A.m -> B.m'],
  ],
  [
    "Interface.super.method() is the interface's default method",
    'interface I { default void m() {} } class A implements I { public void m() { I.super.m(); } }',
    ['A.m -> I.m'],
  ],
  [
    'a method of an anonymous class calls for itself, and making one calls no base',
    'class B { void m() {} } class A { void help() {} B a() { return new B() { void m() { help(); super.m(); } }; } }',
    ['A.a.m -> A.help', 'A.a.m -> B.m'],
  ],
  [
    "an anonymous class's own methods are found through var",
    'class A { void a() { var x = new Object() { void m() {} }; x.m(); } }',
    ['A.a -> A.a.m'],
  ],
  [
    'what a field is set to belongs to no method',
    'class B { static B make() { return null; } } class A { B b = B.make(); static B c = B.make(); }',
    [],
  ],
  [
    'constants of an enum are its instances; a body may override',
    'enum E { X { void m() { help(); } }, Y; void m() {} void help() {} } class A { void a() { E.X.m(); for (E e : E.values()) e.help(); E.valueOf("X").help(); } }',
    ['A.a -> E.help', 'A.a -> E.m', 'E.X.m -> E.help'],
  ],
  [
    "a record's accessors give its components",
    'class B { void m() {} } record R(B first, B second) { R { check(); } void check() {} public B second() { return second; } } class A { void a(R r) { r.first().m(); r.second().m(); } }',
    ['A.a -> B.m', 'A.a -> R.second', 'R -> R.check'],
  ],
  [
    "an annotation's elements are functions",
    'import java.lang.reflect.Field; @interface Named { String value(); } class A { String a(Field f) { return f.getAnnotation(Named.class).value(); } }',
    ['A.a -> Named.value'],
  ],
  // Types of receivers.
  [
    'receivers are known by field, parameter, variable, var, cast, element and call',
    `class B { void f() {} void p() {} void v() {} void w() {} void c() {} void e() {} void r() {} B me() { return this; } }
     class A { B field; static B make() { return null; }
       void a(B p, Object o, B[][] bs) { B v = null; var w = make(); field.f(); this.field.f(); p.p(); v.v(); w.w(); ((B) o).c(); bs[0][1].e(); make().me().r(); } }`,
    ['A.a -> A.make', ...['c', 'e', 'f', 'me', 'p', 'r', 'v', 'w'].map((name) => `A.a -> B.${name}`)],
  ],
  [
    'patterns bind what they match, where it holds',
    `class B { void b() {} } class C { void c() {} void b() {} } record R(B first, C second) {}
     class A {
       void one(Object o) { if (o instanceof B x && o != null) x.b(); else if (o instanceof C x) x.c(); }
       void two(Object o) { if (!(o instanceof C c)) return; c.c(); }
       void three(Object o) { switch (o) { case B x -> x.b(); case C x when x != null -> x.c(); default -> {} } }
       void four(Object o) { if (o instanceof R(B b, var c)) b.b(); }
     }`,
    ['A.four -> B.b', 'A.one -> B.b', 'A.one -> C.c', 'A.three -> B.b', 'A.three -> C.c', 'A.two -> C.c'],
  ],
  [
    'a conditional and a switch may give any of their values',
    'class B { void b() {} } class A { static B x() { return null; } static B y() { return null; } void a(int i) { (i > 0 ? x() : y()).b(); var z = switch (i) { case 1 -> x(); default -> { yield y(); } }; z.b(); } }',
    ['A.a -> A.x', 'A.a -> A.y', 'A.a -> B.b'],
  ],
  [
    'resources and caught exceptions have their types',
    'class R implements AutoCloseable { public void close() {} void use() {} } class E1 extends Exception { void one() {} } class A { void a() { try (R r = new R()) { r.use(); } catch (E1 e) { e.one(); } } }',
    ['A.a -> E1.one', 'A.a -> R', 'A.a -> R.use'],
  ],
  // Generics and the language's own library.
  [
    'a type parameter is its bound, or its argument',
    'class B { void b() {} } class Box<T extends B> { T value; T get() { return value; } void x() { value.b(); } } class C extends B { void c() {} } class A { void a(Box<C> box) { box.get().c(); box.value.c(); } }',
    ['A.a -> Box.get', 'A.a -> C.c', 'Box.x -> B.b'],
  ],
  [
    "a base's type arguments are those of the class that extends it",
    'class B { void b() {} } abstract class Base<K, V> { abstract V value(K k); } abstract class Mid<X> extends Base<String, X> {} class A extends Mid<B> { B value(String k) { return null; } } class U { void a(Mid<B> m, A a) { m.value("").b(); } }',
    ['U.a -> B.b', 'U.a -> Base.value'],
  ],
  [
    'a generic method gives what its arguments say',
    'class B { void b() {} } class A { static <T> T same(T t) { return t; } static <T> T make(Class<T> type) { return null; } void a() { same(new B()).b(); make(B.class).b(); } }',
    ['A.a -> A.make', 'A.a -> A.same', 'A.a -> B', 'A.a -> B.b'],
  ],
  [
    "Java's containers give their elements",
    `import java.util.*; class B { void one() {} void two() {} void three() {} void four() {} void five() {} }
     class A { void a(List<B> list, Map<String, B> map, Optional<B> maybe, Iterator<? extends B> it) {
       list.get(0).one(); for (B b : list) b.two(); for (var e : map.entrySet()) e.getValue().three(); maybe.orElseThrow().four(); it.next().five(); } }`,
    ['five', 'four', 'one', 'three', 'two'].map((name) => `A.a -> B.${name}`),
  ],
  [
    'lambdas learn their parameters from what they are passed to, and give what they return',
    `import java.util.*; import java.util.stream.*; class B { C c() { return null; } } class C { void m() {} String name() { return ""; } }
     class A { void a(List<B> list) { list.stream().map(b -> b.c()).filter(c -> c.name() != null).forEach(c -> c.m()); } }`,
    ['A.a -> B.c', 'A.a -> C.m', 'A.a -> C.name'],
  ],
  [
    'a method reference gives what its method gives, and is no call',
    `import java.util.*; class B { C c() { return null; } static B make(String s) { return null; } } class C { void m() {} }
     class A { void a(List<String> list) { list.stream().map(B::make).map(B::c).forEach(c -> c.m()); } }`,
    ['A.a -> C.m'],
  ],
  [
    'an interface of ours with one method takes a lambda',
    'class B { void b() {} } interface Visitor { void visit(B b, int depth); default void end() {} } class A { void walk(Visitor v) {} void a() { walk((b, depth) -> b.b()); Visitor v = (b, d) -> b.b(); } }',
    ['A.a -> A.walk', 'A.a -> B.b'],
  ],
];

/** Which of several declarations a call means, by their parameters. */
const overloads: readonly [guarantee: string, source: string, parameters: readonly string[]][] = [
  [
    'the number of arguments',
    'class A { void m() {} void m(int a) {} void m(int a, int b) {} void a() { m(1); } }',
    ['int a'],
  ],
  [
    'the exact type',
    'class A { void m(Object o) {} void m(String s) {} void m(int i) {} void a() { m("x"); } }',
    ['String s'],
  ],
  [
    'the most specific class',
    'class B {} class C extends B {} class D extends C {} class A { void m(B b) {} void m(C c) {} void a() { m(new D()); } }',
    ['C c'],
  ],
  [
    'widening before boxing before Object',
    'class A { void m(Object o) {} void m(Integer i) {} void m(long l) {} void a(short s) { m(s); } }',
    ['long l'],
  ],
  ['unboxing', 'class A { void m(String s) {} void m(int i) {} void a(Integer i) { m(i); } }', ['int i']],
  [
    'a fixed number of parameters before any number',
    'class A { void m(String... all) {} void m(String one) {} void a() { m("x"); } }',
    ['String one'],
  ],
  ['arrays', 'class A { void m(byte[] b) {} void m(char[] c) {} void a(char[] x) { m(x); } }', ['char[] c']],
  [
    'what the library gives',
    'class A { void m(int i) {} void m(String s) {} void a(Class<?> c) { m(c.getName().trim()); } }',
    ['String s'],
  ],
  [
    'declarations of the classes above',
    'class B { void m(int i) {} } class A extends B { void m(String s) {} void a() { m(1); } }',
    ['int i'],
  ],
  [
    'how many parameters a lambda has',
    'import java.util.function.*; class A { void m(Function<String, String> f) {} void m(BiFunction<String, String, String> f) {} void a() { m((x, y) -> x); } }',
    ['BiFunction<String, String, String> f'],
  ],
];

describe('Java', () => {
  describe('calls', () => {
    for (const [guarantee, sources, edges] of calls) {
      it(guarantee, async () => {
        expect(await edgesOf(typeof sources === 'string' ? { 'A.java': sources } : sources)).to.deep.equal(
          [...edges].sort(),
        );
      });
    }
  });

  describe('of several declarations of one name a call means the one by', () => {
    for (const [guarantee, source, parameters] of overloads) {
      it(guarantee, async () => {
        const files = await factsOf({ 'A.java': source });
        const { edges } = resolve(files, { paths: ['A.java'], read: () => null });
        const signatures = [...edges]
          .filter(({ type }) => type === 'CALLS')
          .map(({ to }) => files[0]?.facts.definitions[to.definition]?.signature ?? '')
          .filter((signature) => signature.startsWith('void m('));
        expect(signatures).to.deep.equal(parameters.map((one) => `void m(${one})`));
      });
    }
  });

  it('classes inherit what they extend and implement, nested and generic ones too', async () => {
    const source = `interface I<T> {} interface J extends I<String> {} class B<T> { static class In {} }
      class C extends B<C> implements J, Runnable { public void run() {} } class D extends B.In {} enum E implements J { X { } }`;
    expect(await edgesOf({ 'A.java': source }, 'INHERITS')).to.deep.equal([
      'C -> B',
      'C -> J',
      'D -> B.In',
      'E -> J',
      'J -> I',
    ]);
  });

  it('a definition keeps its signature, first paragraph of documentation, lines and visibility', async () => {
    const source = `package p;

/** Holds {@link Thing}s &amp; more,
 *  in order.
 *
 * <p>Never empty.
 */
@Deprecated
public final class Box<T extends Thing> extends Base<T> {
  /** @return nothing. */
  @Override protected <K> T
      get(final K key, int... more) throws Oops { // why
    return null;
  }

  void hidden() {}
}
`;
    const [file] = await factsOf({ 'p/Box.java': source });
    const pick = file?.facts.definitions.map(({ qualifiedName, kind, signature, doc, line, endLine, exported }) => ({
      qualifiedName,
      kind,
      signature,
      doc,
      line,
      endLine,
      exported,
    }));
    expect(file?.facts.packageName).to.equal('p');
    expect(pick).to.deep.equal([
      {
        qualifiedName: 'Box',
        kind: 'class',
        signature: 'public final class Box<T extends Thing> extends Base<T>',
        doc: 'Holds Things & more, in order.',
        line: 9,
        endLine: 17,
        exported: true,
      },
      {
        qualifiedName: 'Box.get',
        kind: 'method',
        signature: 'protected <K> T get(final K key, int... more) throws Oops',
        doc: null,
        line: 12,
        endLine: 14,
        exported: true,
      },
      {
        qualifiedName: 'Box.hidden',
        kind: 'method',
        signature: 'void hidden()',
        doc: null,
        line: 16,
        endLine: 16,
        exported: false,
      },
    ]);
  });

  it('a file with syntax errors still gives what can be read', async () => {
    const source = 'class A { void a() { b(; } void b() {} void c() { b(); } ';
    expect(await edgesOf({ 'A.java': source })).to.include('A.c -> A.b');
  });

  it('long chains and long sums are read without running out of stack, and facts grow with the text alone', async () => {
    const chain = '.append("x")'.repeat(1500);
    const sum = '"x"' + ' + s'.repeat(3000);
    const source = `class A { A append(String s) { return this; } void a(String s) { new A()${chain}.end(); String t = ${sum}; } void end() {} }`;
    const files = await factsOf({ 'A.java': source });
    expect(JSON.stringify(files).length).to.be.below(30 * source.length);
    expect(files[0]?.facts.calls).to.have.length(1502);
  });
});
