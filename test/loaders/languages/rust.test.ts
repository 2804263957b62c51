import { expect } from 'chai';
import { edgesOf, type Sources } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

/** What is called in sources, a guarantee a row; a text alone is one file, the crate's root. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'modules are files by their `mod`, and paths lead through them from the crate, the module above and the module itself',
    {
      'src/lib.rs': 'mod a; pub fn root() { a::one(); crate::a::b::two(); }',
      'src/a/mod.rs': 'pub mod b; pub fn one() { b::two(); self::b::two(); super::root(); }',
      'src/a/b.rs': 'pub fn two() { super::one(); super::super::root(); }',
    },
    ['one -> root', 'one -> two', 'root -> one', 'root -> two', 'two -> one', 'two -> root'],
  ],
  [
    'what is used has its name, its alias or all names of its module, also through a re-export',
    {
      'src/lib.rs': 'mod a; mod c; pub use a::{Foo, make as build}; use c::*; fn f() { Foo::new(); build(); three(); }',
      'src/a.rs': 'pub struct Foo; impl Foo { pub fn new() -> Self { Foo } } pub fn make() {}',
      'src/c.rs': 'pub fn three() { crate::build(); let x = crate::Foo::new(); }',
    },
    ['f -> Foo.new', 'f -> make', 'f -> three', 'three -> Foo.new', 'three -> make'],
  ],
  [
    'another crate of the repository is reached by the name in its Cargo.toml',
    {
      'one/Cargo.toml': '[package]\nname = "my-one"\n',
      'one/src/lib.rs': 'pub fn f() {}',
      'two/src/main.rs': 'use my_one::f; fn main() { f(); }',
    },
    ['main -> f'],
  ],
  [
    'what comes from a crate outside is none of ours, whatever its name',
    'use other::go; fn run() {} fn f(x: other::Thing) { go(); x.run(); other::run(); String::new().go(); } fn new() {}',
    [],
  ],
  [
    'methods belong to their type wherever they are implemented, and receivers are typed by parameters, fields and results',
    {
      'src/lib.rs':
        'mod b; pub struct A { b: b::B } impl A { fn go(&self) { self.b.one().two(); Self::make(); } fn make() -> Self { todo!() } }',
      'src/b.rs':
        'use crate::A; pub struct B; pub struct C; impl B { pub fn one(&self) -> C { C } } impl C { pub fn two(&self) {} } fn f(a: &mut A) { a.go(); A::make().go(); }',
    },
    ['A.go -> A.make', 'A.go -> B.one', 'A.go -> C.two', 'f -> A.go', 'f -> A.make'],
  ],
  [
    'pointers are what they point to, and containers give their elements',
    'use std::collections::HashMap; struct T; impl T { fn go(&self) {} fn next(&self) -> Option<Box<T>> { None } fn all(&self) -> Vec<T> { vec![] } } ' +
      'fn a(t: std::sync::Arc<T>) { if let Some(n) = t.next() { n.go(); } } fn b(t: &T) { for x in t.all().iter() { x.go(); } } ' +
      'fn c(m: HashMap<String, T>) -> Option<()> { m.get("x")?.go(); None } fn d(t: T) { t.all().iter().map(|x| x.go()); }',
    ['a -> T.go', 'a -> T.next', 'b -> T.all', 'b -> T.go', 'c -> T.go', 'd -> T.all', 'd -> T.go'],
  ],
  [
    'a crate’s own type is no container or pointer of the library, whatever its name',
    {
      'src/lib.rs':
        'mod b; pub struct SmallVec<A> { a: A } impl<A> SmallVec<A> { pub fn len(&self) -> usize { self.grow() } fn grow(&self) -> usize { Self::most() } fn most() -> usize { 1 } }',
      'src/b.rs': 'use crate::SmallVec; fn f(v: &SmallVec<u8>) { v.len(); }',
    },
    ['SmallVec.grow -> SmallVec.most', 'SmallVec.len -> SmallVec.grow', 'f -> SmallVec.len'],
  ],
  [
    'what a crate hands on from the library is the library’s, a type of its own by such a name is its own, and comments say nothing',
    {
      'src/lib.rs':
        'mod sync { pub use std::sync::{Arc, Mutex}; pub struct Weak<T> { t: T } impl<T> Weak<T> { pub fn up(&self) { Self::make(); } fn make() {} } } mod a;\n// Note: we use self by reference, as in Box and Rc\npub struct T; impl T { pub fn go(&self) {} } fn f(a: Box<T>) { a.go(); }',
      'src/a.rs':
        'use crate::sync::{Arc, Mutex, Weak}; use crate::T; fn g(a: Arc<T>, m: Mutex<T>) { a.go(); m.lock().unwrap().go(); } fn h(w: Weak<T>, o: crate::sync::Arc<T>) { w.up(); o.go(); } ' +
        'trait Iterator<A> { fn step(&self) {} } struct I; impl Iterator<u8> for I {} fn k(i: I, j: &dyn Iterator<u8>) { i.step(); j.step(); }',
    },
    ['Weak.up -> Weak.make', 'f -> T.go', 'g -> T.go', 'h -> T.go', 'h -> Weak.up', 'k -> Iterator.step'],
  ],
  [
    'a trait that is implemented for a type from outside, or for functions, gives it its methods',
    'trait U { fn high(&self) -> u8; fn low(&self) -> u8 { 1 } } impl U for u16 { fn high(&self) -> u8 { 1 } } impl U for u32 { fn high(&self) -> u8 { 2 } } ' +
      'fn f(x: u16) { x.high(); x.low(); } struct S { a: u32 } impl S { fn g(&self) { self.a.high(); } } ' +
      'trait P { fn then(self); fn map(self) -> u8; } impl<F> P for F where F: Fn(u8) -> u8 { fn then(self) {} fn map(self) -> u8 { 1 } } ' +
      'fn one(x: u8) -> u8 { x } fn h() { one.then(); } fn k(x: Option<u8>) { x.map(); }',
    ['S.g -> u32.high', 'f -> U.low', 'f -> u16.high', 'h -> F.then'],
  ],
  [
    'an element of a tuple is of no type that a trait is implemented for',
    'trait U { fn high(&self) -> u8; } struct S; impl S { fn high(&self) {} } impl U for u16 { fn high(&self) -> u8 { 1 } } impl U for u32 { fn high(&self) -> u8 { 2 } } fn f(t: (S, u32)) { t.0.high(); } ' +
      'trait D { fn ser(&self); } impl<A: D, B: D> D for (A, B) { fn ser(&self) { self.0.ser(); } }',
    ['ser -> D.ser'],
  ],
  [
    'a function inside a method is no method, whatever the method is implemented for',
    'trait P { fn m(&self); } struct A; impl P for u8 { fn m(&self) { fn third() {} third(); } } impl P for [u8] { fn m(&self) { fn fourth() {} fourth(); } } ' +
      'impl P for A { fn m(&self) { fn fifth() {} fifth(); } } impl A { fn own(&self) { fn sixth() {} sixth(); } }',
    ['A.m -> A.m.fifth', 'A.own -> A.own.sixth', 'm -> m.fourth', 'u8.m -> u8.m.third'],
  ],
  [
    'what is implemented for a type that a macro names says nothing of other files',
    {
      'src/lib.rs':
        'mod b; trait P { type Out; fn m(&self); } impl P for name!() { type Out = A; fn m(&self) {} } struct A; impl A { fn go(&self) {} }',
      'src/b.rs':
        'impl name!() { fn make(&self) -> Self::Out { todo!() } fn n(&self) { fn make() -> Self::Out { todo!() } make().go(); } fn m() {} fn f() { m(); } }',
    },
    ['f -> m', 'n -> n.make'],
  ],
  [
    'what is written for a type from outside comes before what its trait has for all',
    'trait U { fn low(&self) -> u8 { 1 } } impl U for u16 { fn low(&self) -> u8 { 2 } } impl U for u32 {} fn f(x: u16) { x.low(); } fn g(x: u32) { x.low(); }',
    ['f -> u16.low', 'g -> U.low'],
  ],
  [
    'what implements a trait for a pointer to it does not stand for all that have the trait',
    'trait P { fn go(&self); } impl P for Box<dyn P> { fn go(&self) {} } struct A; impl P for A { fn go(&self) {} } fn f<T: P>(t: T) { t.go(); } fn g(a: A) { a.go(); }',
    ['f -> P.go', 'g -> A.go'],
  ],
  [
    'a type parameter has all its bounds, wherever they are written',
    'trait A { fn a(&self); } trait B { fn b(&self); } trait C { fn c(&self); } fn f<T: A>(t: T) where T: B, T: C { t.a(); t.b(); t.c(); }',
    ['f -> A.a', 'f -> B.b', 'f -> C.c'],
  ],
  [
    'a method that one trait alone has is meant on a receiver that nobody knows, unless that comes from another crate',
    'use other::Thing; trait A { fn as_char(&self) -> char; fn twice(&self); } impl A for u8 { fn as_char(&self) -> char { todo!() } fn twice(&self) {} } ' +
      'struct S; impl S { fn twice(&self) {} } fn f<I: Iterator>(mut i: I) where I::Item: A { i.next().unwrap().as_char(); i.next().unwrap().twice(); } fn g(t: Thing) { t.as_char(); }',
    ['f -> A.as_char'],
  ],
  [
    'items in the braces of a macro are items',
    'pin_project! { /// A body.\n #[derive(Debug)] pub struct Body<T> { #[pin] inner: T } }\n' +
      'ast! {\n pub struct Node #full { pub name: Name }\n}\nquote! { struct No; impl No { fn no(&self) { f(); } } }\n' +
      'cfg_x! { impl Node { fn go(&self) { self.name.is("}"); } } } struct Name; impl Name { fn is(&self, s: &str) {} } fn f(n: Node, b: Body<Node>) { n.go(); b.inner.go(); }',
    ['Node.go -> Name.is', 'f -> Node.go'],
  ],
  [
    'a macro whose braces hold no items keeps them, and a character of any plane is no end of one',
    dedent`
      fn a() -> u8 { 1 } fn b() -> u8 { 1 }
      fn f() {
        json! {
          type: a(), use: 2
        }
      }
      own! { pub(in crate) fn c() { let faces = ['😀','{']; b(); } }
      own! { impl<T> Holder<T> { fn d(&self) { b(); } } }
      struct Holder<T> { t: T }

    `,
    ['Holder.d -> b', 'c -> b', 'f -> a'],
  ],
  [
    'an item in a macro may be told of at length',
    `own! {\n${'/// Of it.\n'.repeat(900)}pub fn e() { b(); }\n} fn b() {}`,
    ['e -> b'],
  ],
  [
    'a name that is declared again is another one from there on',
    'struct A; struct B; impl A { fn b(&self) -> B { B } fn x(&self) {} } impl B { fn x(&self) {} } fn f(v: A) { let v = v.b(); v.x(); }',
    ['f -> A.b', 'f -> B.x'],
  ],
  [
    'a trait gives its methods to what implements it and to generics that it bounds',
    'trait T { fn one(&self) { self.two(); } fn two(&self); } struct A; impl T for A { fn two(&self) {} } ' +
      'fn f(a: A) { a.one(); a.two(); } fn g<X: T>(x: X) { x.one(); } fn h(x: &dyn T) { x.two(); } fn i(x: impl T) { x.one(); }',
    ['T.one -> T.two', 'f -> A.two', 'f -> T.one', 'g -> T.one', 'h -> T.two', 'i -> T.one'],
  ],
  [
    'of several implementations of one trait the argument chooses',
    'struct A; struct B; struct C; impl From<A> for C { fn from(a: A) -> C { a.a(); C } } impl From<B> for C { fn from(b: B) -> C { b.b(); C } } ' +
      'impl A { fn a(&self) {} } impl B { fn b(&self) {} } fn f(b: B) { C::from(b); }',
    ['C.from -> A.a', 'C.from -> B.b', 'f -> C.from'],
  ],
  [
    'where the argument does not tell which of many is meant, none is',
    'struct A; struct B; struct D; struct C; impl From<A> for C { fn from(a: A) -> C { C } } impl From<B> for C { fn from(b: B) -> C { C } } ' +
      'impl From<D> for C { fn from(d: D) -> C { C } } impl C { fn go(&self) {} } fn f(x: other::X) { C::from(x).go(); }',
    ['f -> C.go'],
  ],
  [
    'variants of an enum give what they hold',
    'struct A; impl A { fn go(&self) {} } enum K { One(A), Two } fn f(k: K) { match k { K::One(a) => a.go(), K::Two => {} } }',
    ['f -> A.go'],
  ],
  [
    'a tuple struct is made by a call, also as `Self`; arguments of the crate’s own macros are read',
    dedent`
      struct Id(u8); impl Id { fn new() -> Self { Self(1) } fn go(&self) {} }
      macro_rules! ok { ($e:expr) => { $e } }
      fn make() -> Result<Id, ()> { Ok(Id(2)) }
      fn f() { let id = ok!(make()); id.go(); }

    `,
    ['Id.new -> Id', 'f -> Id.go', 'f -> make', 'make -> Id'],
  ],
  [
    'what stands right of a `let` in a condition is of the names before it',
    dedent`
      struct A; struct B; impl A { fn b(&self) -> Option<B> { None } } impl B { fn go(&self) -> Option<u8> { None } }
      fn f(x: A) { if let Some(x) = x.b() { x.go(); } }
      fn g(x: A) { while let Some(x) = x.b() && let Some(y) = x.go() { } }

    `,
    ['f -> A.b', 'f -> B.go', 'g -> A.b', 'g -> B.go'],
  ],
  [
    'a class that iterates gives its elements to what it inherits from `Iterator`',
    dedent`
      struct It; struct B; impl B { fn go(&self) -> bool { true } } impl Iterator for It { type Item = B; fn next(&mut self) -> Option<B> { None } }
      fn f(it: It) { it.filter(|b| b.go()); }

    `,
    ['f -> B.go'],
  ],
  [
    'arguments of the usual macros are read',
    'fn one() -> u8 { 1 } struct A; impl A { fn two(&self) -> u8 { 2 } } fn f(a: A) { assert_eq!(one(), a.two()); println!("{}", vec![one()][0]); own!(one()); }',
    ['f -> A.two', 'f -> one'],
  ],
  [
    'a module inside a file has its own names and sees those around',
    'fn f() {} mod inner { pub fn g() { super::f(); } pub struct S; } fn h() { inner::g(); } #[cfg(test)] mod tests { use super::*; fn t() { f(); } }',
    ['h -> inner.g', 'inner.g -> f', 'tests.t -> f'],
  ],
  [
    'another crate of the repository is reached by its name in full, and `T::default()` is a `T`',
    {
      'a/Cargo.toml': '[package]\nname = "a-kit"\n',
      'a/src/lib.rs': dedent`
        #[derive(Default)]
        pub struct A;
        impl A { pub fn go(&self) {} }
        pub fn help() {}
      `,
      'b/Cargo.toml': '[package]\nname = "b"\n',
      'b/src/lib.rs':
        'struct B; impl B { fn go(&self) {} }\nfn f() { a_kit::help(); let a = a_kit::A::default(); a.go(); }',
    },
    ['f -> A.go', 'f -> help'],
  ],
  [
    'what implements `Deref` has the methods of what it stands for, and its own first',
    dedent`
      use std::ops::Deref;
      struct A;
      impl A { fn go(&self) {} fn own(&self) {} }
      struct Guard<'a, T> { inner: &'a T }
      impl<'a, T> Deref for Guard<'a, T> {
        type Target = T;
        fn deref(&self) -> &Self::Target { self.inner }
      }
      impl<'a, T> Guard<'a, T> { fn own(&self) {} }
      struct Holder<'a> { guard: Guard<'a, A> }
      impl Holder<'_> { fn f(&self) { self.guard.go(); self.guard.own(); self.guard.none(); } }
    `,
    ['Holder.f -> A.go', 'Holder.f -> Guard.own'],
  ],
  [
    'a method of a generic type gives what the type was made with, by whatever names its implementation calls it',
    dedent`
      struct A;
      impl A { fn go(&self) {} }
      struct B;
      impl B { fn go(&self) {} }
      struct Pair<K, V> { k: K, v: V }
      impl<X, Y> Pair<X, Y> { fn second(&self) -> &Y { &self.v } }
      fn f(pair: Pair<A, B>) { pair.second().go(); }
    `,
    ['f -> B.go', 'f -> Pair.second'],
  ],
  [
    'what a method is called on may have its type written out',
    dedent`
      struct A;
      impl A {
        fn go(&mut self) {}
        fn poll(mut self: Pin<&mut Self>, n: i32) { self.go(); }
        fn f(&mut self) { Pin::new(&mut self).poll(1); }
      }
    `,
    ['A.f -> A.poll', 'A.poll -> A.go'],
  ],
];

describe('Rust', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      const found = await edgesOf(typeof sources === 'string' ? { 'src/lib.rs': sources } : sources);
      expect(found).to.deep.equal(edges);
    });
  }

  it('what a type implements, here or elsewhere, and what a trait asks for is inherited', async () => {
    const sources = {
      'src/lib.rs': 'mod t; pub struct A; impl t::T for A {} impl Clone for A { }',
      'src/t.rs': 'pub trait S {} pub trait T: S + Send {} impl S for crate::A {}',
    };
    expect(await edgesOf(sources, 'INHERITS')).to.deep.equal(['A -> S', 'A -> T', 'T -> S']);
  });
});
