import { expect } from 'chai';
import { edgesOf, factsOf, type Sources } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

/** What is called in sources, a guarantee a row; a text alone is one file. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'a namespace sees its own classes, those of the namespaces around and those that it uses, and no others',
    {
      'A.cs': 'using Q; namespace P.In; class A { void F() { B.G(); C.G(); D.G(); E.G(); } }',
      'B.cs': 'namespace P { class B { public static void G() {} } }',
      'sub/C.cs': 'namespace Q; class C { public static void G() {} }',
      'D.cs': 'namespace P.In { class D { public static void G() {} } }',
      'E.cs': 'namespace R; class E { public static void G() {} }',
    },
    ['A.F -> B.G', 'A.F -> C.G', 'A.F -> D.G'],
  ],
  [
    'a type of the repository is no container of the library, whatever its name',
    {
      'A.cs':
        'namespace P { public class Queue<T> { public T Head() { return Peek(); } public T Peek() { return default(T); } } }',
      'B.cs': 'using P; class B { void F(Queue<int> q) { q.Head(); } }',
    },
    ['B.F -> Queue.Head', 'Queue.Head -> Queue.Peek'],
  ],
  [
    'a type of the repository that extends what the library has by such a name is a container, too',
    {
      'A.cs':
        'using System.Collections.Generic; namespace P { public class X { public void Go() {} } public class List<T> : IEnumerable<T> { public T this[int i] { get { return default(T); } } public void Own() {} } public class Queue<T> : IEnumerable<T> { public void Own() {} } }',
      'B.cs':
        'using P; class B { void F(List<X> xs) { xs[0].Go(); xs.Own(); } void G(Queue<X> xs) { foreach (var x in xs) x.Go(); xs.Own(); } }',
    },
    ['B.F -> List.Own', 'B.F -> X.Go', 'B.G -> Queue.Own', 'B.G -> X.Go'],
  ],
  [
    'what is used globally is used in the whole project, a static class gives its methods, an alias is its class',
    {
      'p/Usings.cs': 'global using Q;',
      'p/A.cs': 'using static Q.C; using X = Q.C; namespace P; class A { void F() { C.G(); H(); X.I(); } }',
      'q/C.cs':
        'namespace Q; public class C { public static void G() {} public static void H() {} public static void I() {} }',
      'q/B.cs': 'namespace R; class B { void F() { C.G(); } }',
    },
    ['A.F -> C.G', 'A.F -> C.H', 'A.F -> C.I'],
  ],
  [
    'receivers are typed by fields, properties, parameters, results, patterns and `var`',
    'class B { public B Go() => this; public B P => Go(); } class A { B f; B Q { get; set; } B Make() => new B(); ' +
      'void C(object o, B p) { f.Go(); Q.Go(); p.Go().Go(); var x = Make(); x.Go(); if (o is B b) b.Go(); ((B)o).Go(); (o as B)?.P.Go(); this.Make(); } }',
    ['A.C -> A.Make', 'A.C -> B.Go', 'A.Make -> B', 'B.P -> B.Go'],
  ],
  [
    'collections give their elements, also to lambdas',
    'using System.Collections.Generic; class B { public void Go() {} } class A { void F(List<B> xs, Dictionary<string, B> d, B[] a) { foreach (var x in xs) x.Go(); } ' +
      'void G(List<B> xs) { xs.Where(x => x != null).ForEach(x => x.Go()); } void H(Dictionary<string, B> d) { d["a"].Go(); } async void I(Task<B> t) { (await t).Go(); } }',
    ['A.F -> B.Go', 'A.G -> B.Go', 'A.H -> B.Go', 'A.I -> B.Go'],
  ],
  [
    'parts of a partial class are one class',
    {
      'A.cs': 'namespace P; public partial class A { void F() { G(); } }',
      'B.cs': 'namespace P; public partial class A : Base { void G() { Up(); } }',
      'Base.cs': 'namespace P; class Base { protected void Up() {} }',
    },
    ['A.F -> A.G', 'A.G -> Base.Up'],
  ],
  [
    'an extension method is a method of its first parameter’s class',
    {
      'A.cs': 'namespace P; class A {} class U { void F(A a) { a.Twice(2); } }',
      'E.cs': 'namespace Q; static class E { public static int Twice(this P.A a, int x) => x; }',
      'X.cs':
        'namespace P; static class X { public static void Other(this A a) {} } class Y { void F(A a) { a.Other(); } }',
    },
    ['Y.F -> X.Other'],
  ],
  [
    'an extension of a type that the library has is found by its name where its namespace is used, and no method of ours goes before it',
    {
      'E.cs':
        'namespace Q; public static class E { public static string Twice(this string s, int n) => s; public static void Each<T>(this IList<T> xs) {} }',
      'A.cs':
        'using Q; namespace P; class A { void F(string s) { "a".Twice(2); s.Trim().Twice(2); E.Twice(s, 2); } void G(IList<A> xs) { xs.Each(); } }',
      'B.cs': 'namespace R; class B { void F(string s) { s.Twice(2); } }',
      'C.cs':
        'using Q; namespace P; class C { C Twice(int n) => this; void F(C c) { c.Twice(2); } void H(int i) { i.Twice(2); } }',
    },
    ['A.F -> E.Twice', 'A.G -> E.Each', 'C.F -> C.Twice'],
  ],
  [
    'an extension that is called as a function takes its object as an argument, beside functions of its name that extend nothing',
    {
      'E.cs':
        'static class E { public static bool IsText(this Type t) => true; public static bool Fits(Type t) { return IsText(t); } public static bool Plain(this Type t) { return E.IsText(t); } ' +
        'static T Try<T>(IEnumerable<T> xs) => xs.First(); public static T Try<T>(this Root r, string s) { return Try(All<T>(r)); } public static IEnumerable<T> All<T>(this Root r) => null; ' +
        'public static int Get(this Root r, Func<Item, int> f) => Get(r, x => x.Go(), 1); static int Get(Root r, Func<Item, int> f, int n) => n; }',
      'Root.cs': 'class Root {} class Item { public int Go() => 1; }',
      'A.cs': 'class A { void F() { unknown.IsText(); } }',
    },
    [
      'A.F -> E.IsText',
      'E.Fits -> E.IsText',
      'E.Get -> E.Get',
      'E.Get -> Item.Go',
      'E.Plain -> E.IsText',
      'E.Try -> E.All',
      'E.Try -> E.Try',
    ],
  ],
  [
    'what implements an interface’s member under that interface’s name is no member of its class by its own',
    'interface I { void Set(string s); int N { get; } } class B { public void Go() {} } ' +
      'class A : I { void I.Set(string s) { Set(s); } B Set(string s) { return null; } int I.N { get { return 0; } } B N() { return null; } void F() { Set("").Go(); N().Go(); } void G(I i) { i.Set(""); } }',
    ['A.F -> A.N', 'A.F -> A.Set', 'A.F -> B.Go', 'A.G -> I.Set', 'A.Set -> A.Set'],
  ],
  [
    'of what several builds have in their own way the one is meant that defines no unusual symbol, and has what symbols say that there is',
    'static class X {\n#if PORTABLE\n static One Get(string s) => null;\n#else\n static Two Get(string s) => null;\n#endif\n' +
      '#if FEATURE_SOCKETS\n static One Put(string s) => null;\n#else\n static Two Put(string s) => null;\n#endif\n' +
      'static void F() { Get("").Go(); }\n static void G() { Put("").Go(); } }\nclass One { public void Go() {} }\nclass Two { public void Go() {} }',
    ['X.F -> Two.Go', 'X.F -> X.Get', 'X.G -> One.Go', 'X.G -> X.Put'],
  ],
  [
    'an extension is only meant where it is called, also on a property of a type outside whose name is like a class’s',
    'class A<T> { protected T Subject; } class B : A<Type> { void F() { Subject.IsText(); } void G(DateTime d) { d.Ticks.Ticks().Go(); } } class C { public void Go() {} } ' +
      'static class X { public static bool IsText(this object o) => true; public static C Ticks(this long n) => null; }',
    ['B.F -> X.IsText', 'B.G -> C.Go', 'B.G -> X.Ticks'],
  ],
  [
    'a class is iterated over by what it implements, and indexed by its indexer',
    'using System.Collections.Generic; class Rule { public void Go() {} } class Rules : IEnumerable<Rule> { public IEnumerator<Rule> GetEnumerator() => null; IEnumerator IEnumerable.GetEnumerator() => null; } ' +
      'class More : List<Rule> {} class ByName { public Rule this[string s] { get { return null; } } } interface Some : IEnumerable<Rule> {} ' +
      'class A { void F(Rules rules) { foreach (var rule in rules) rule.Go(); } void G(More more) { more.First(x => true).Go(); } void H(ByName rules) { rules[""].Go(); } void I(Some some) { foreach (var rule in some) rule.Go(); } }',
    ['A.F -> Rule.Go', 'A.G -> Rule.Go', 'A.H -> Rule.Go', 'A.I -> Rule.Go'],
  ],
  [
    'an array is something to iterate over, and what can be iterated over no array',
    'using System.Collections.Generic; using System.Linq; class Two { public void Go() {} } class One { public void Go() {} } ' +
      'class A { One All(params string[] xs) { return null; } Two All(IEnumerable<string> xs) { return null; } void F(IEnumerable<string> xs) { All(xs).Go(); } void G(string[] xs) { All(xs).Go(); } ' +
      'void H(string[] xs) { All(xs.Where(x => true)).Go(); } void I(IEnumerable<string> xs) { All(xs.ToArray()).Go(); } void J(List<string> xs) { All(xs).Go(); } }',
    [
      'A.F -> A.All',
      'A.F -> Two.Go',
      'A.G -> A.All',
      'A.G -> One.Go',
      'A.H -> A.All',
      'A.H -> Two.Go',
      'A.I -> A.All',
      'A.I -> One.Go',
      'A.J -> A.All',
      'A.J -> Two.Go',
    ],
  ],
  [
    'what every value’s methods give, and a string’s own, chooses overloads',
    'class One { public void Go() {} } class Two { public void Go() {} } class A { One P(string s) { return null; } Two P(object o) { return null; } Two Q(Type t) { return null; } One Q(string s) { return null; } ' +
      'void F(A a, Thing t) { P(t.ToString()).Go(); } void G(Thing t) { P(string.Join("", t)).Go(); } void H(A a) { Q(a.GetType()).Go(); } void I(Thing t) { P(t.Other()).Go(); } }',
    [
      'A.F -> A.P',
      'A.F -> One.Go',
      'A.G -> A.P',
      'A.G -> One.Go',
      'A.H -> A.Q',
      'A.H -> Two.Go',
      'A.I -> A.P',
      'A.I -> Two.Go',
    ],
  ],
  [
    'what overloads take is in terms of the object’s type arguments',
    'class One { public void Go() {} } class Two { public void Go() {} } class Base<S, T> { public One Add(S s) { return null; } public Two Add(T t) { return null; } } ' +
      'class Own : Base<One, Two> {} class A { void F(Own own, Two two) { own.Add(two).Go(); } void G(Base<Two, One> own, Two two) { own.Add(two).Go(); } }',
    ['A.F -> Base.Add', 'A.F -> Two.Go', 'A.G -> Base.Add', 'A.G -> One.Go'],
  ],
  [
    'what is asked of a value that may be of a type is called: `x is T && f(x)`',
    'class One { public void Go() {} } class Two { public void Go() {} } class A { One E(object o) { return null; } Two E(A a) { return null; } bool Is(A a) => true; ' +
      'bool F(object o) { return o is A && Is((A)o) || o is null || Is(null); } void G(object o) { E((A)o).Go(); } One K(int n) => null; Two K(double d) => null; void H(double d) { K(-d).Go(); } }',
    ['A.F -> A.Is', 'A.G -> A.E', 'A.G -> Two.Go', 'A.H -> A.K', 'A.H -> Two.Go'],
  ],
  [
    'what is read as what it holds is it by `Result` and `Value`, also after waiting; pairs, keys and values are a map’s',
    'using System.Collections.Generic; using System.Threading.Tasks; class B { public void Go() {} } struct S { public void Go() {} } class A { Task<B> Get() { return null; } ' +
      'async Task F() { var b = await Get().ConfigureAwait(false); b.Go(); } void G() { Get().Result.Go(); } void H(S? s) { s.Value.Go(); } ' +
      'void I(Dictionary<S, B> all) { foreach (var pair in all) { pair.Key.Go(); pair.Value.Go(); } } void J(Dictionary<S, B> all) { foreach (var b in all.Values) b.Go(); } }',
    [
      'A.F -> A.Get',
      'A.F -> B.Go',
      'A.G -> A.Get',
      'A.G -> B.Go',
      'A.H -> S.Go',
      'A.I -> B.Go',
      'A.I -> S.Go',
      'A.J -> B.Go',
    ],
  ],
  [
    'an extension is meant where no method of the object can be called so, and methods that are named have all counts of their name',
    'using System; class Item { public void Go() {} public void Run(Action a) {} } static class X { public static void Go(this Item item, int n) {} public static void Run(this Item item, Action<Action> a) {} } ' +
      'class A { void F(Item item) { item.Go(1); } void G(Item item) { item.Go(); } void H(Item item) { item.Run(Again); } void I(Item item) { item.Run(Once); } void Again(Action a) {} void Once() {} }',
    ['A.F -> X.Go', 'A.G -> Item.Go', 'A.H -> X.Run', 'A.I -> Item.Run'],
  ],
  [
    'a lambda has all its parameters, but `delegate` without a list; what a container takes is what it holds',
    'using System; using System.Collections.Generic; class One { public void Go() {} } class Two { public void Go() {} } class A { One By(Func<int, A> f) { return null; } Two By(Func<A> f) { return null; } ' +
      'void F() { By(() => this).Go(); } void G() { By(x => this).Go(); } void H(List<Action<One>> all) { all.Add(one => one.Go()); } One Take(Action<int> f) => null; void I() { Take(delegate { }).Go(); } }',
    ['A.F -> A.By', 'A.F -> Two.Go', 'A.G -> A.By', 'A.G -> One.Go', 'A.H -> One.Go', 'A.I -> A.Take', 'A.I -> One.Go'],
  ],
  [
    'a class in a class with type parameters is found by its way, and a part that an ordinary build takes stands for all',
    {
      'A.cs':
        'namespace P { class A<T> { public class In { public void Go() {} } } class A { class In {} void F() { new A<int>.In().Go(); } void G() { new P.A<int>.In(); } void H() { new B(); } } }',
      'B.Debug.cs': 'namespace P {\n#if DEBUG\n partial class B { void One() {} }\n#endif\n}',
      'B.cs': 'namespace P { partial class B { B() { Two(); } void Two() { One(); } } }',
    },
    ['A.F -> A.In', 'A.F -> A.In.Go', 'A.G -> A.In', 'A.H -> B', 'B -> B.Two', 'B.Two -> B.One'],
  ],
  [
    'literals and keywords’ types choose overloads, and no call means a declaration that takes another number of arguments',
    'class A { void W(object o) {} void W(string s) {} void W(long l) {} static A GetType(A a) => a; ' +
      'void F(byte b) { W("a"); } void G(byte b) { W(b); } void H(A a) { W(a); } void I() { GetType(); } }',
    ['A.F -> A.W', 'A.G -> A.W', 'A.H -> A.W'],
  ],
  [
    'overloads are chosen by number and type of arguments, and a class by its number of type parameters',
    'class A { void P<T>() {} void P() { P<int>(); } } class B {} class G { } class G<T> { } class O { void M(A a) { N(); } void M(B b) {} void M(A a, int x = 1) {} void N() {} void F(B b) { M(b); new G(); } void H() { new G<int>(); } }',
    ['A.P -> A.P', 'O.F -> G', 'O.F -> O.M', 'O.H -> G', 'O.M -> O.N'],
  ],
  [
    'a class outside is none of ours, whatever its methods are called',
    'using Other; class A { void F(Thing t) { t.Run(); Other.Run(); new Thing().Run(); Console.Run(); } void Run() {} }',
    [],
  ],
  [
    'base calls go up, and a constructor’s calls are its class’s',
    'class A { public virtual void Run() {} } class B : A { B() { Run(); } public override void Run() { base.Run(); } }',
    ['B -> B.Run', 'B.Run -> A.Run'],
  ],
  [
    'directives may stand between bases, parameters and a method and its body',
    dedent`
      class A : I
      #if X
        , J
      #endif
      {
        public void F(int a
      #if X
          , int b = 0
      #endif
        )
      #if X
        { G(); }
      #else
        ;
      #endif
        void G() {}
        #region h
        void H() => G();
        #endregion
      }
    `,
    ['A.F -> A.G', 'A.H -> A.G'],
  ],
  [
    'a name may begin with a namespace, in full or from one around; a namespace around comes before what a `using` outside brings',
    {
      'A.cs': dedent`
          using N.Other;
          namespace N.In { class A {
            void F(N.Deep.Down.D d) { d.Go(); }
            void G() { Deep.Down.D.Make(); }
            void H() { new Two(); }
            void I() { N.Other.Two.Make(); }
          } }

        `,
      'D.cs': 'namespace N.Deep.Down { class D { public void Go() {} public static void Make() {} } }\n',
      'Two.cs': 'namespace N { class Two {} }\n',
      'Other.cs': 'namespace N.Other { class Two { public static void Make() {} } }\n',
    },
    ['A.F -> D.Go', 'A.G -> D.Make', 'A.H -> Two', 'A.I -> Two.Make'],
  ],
  [
    'of several declarations one takes what is converted without being asked, and any number before what may hold elements',
    {
      'A.cs': dedent`
          namespace N { class Text : List<byte> { public static implicit operator Text(string s) { return null; } }
          class A {
            void Add(Text t) { One(); }
            void Add(byte[] t) { Two(); }
            void F() { Add("a"); }
            void All(IEnumerable<Text> ts) { One(); }
            void All(params Text[] ts) { Two(); }
            void G(Text t) { All(t); }
            void One() {}
            void Two() {} } }

        `,
    },
    ['A.Add -> A.One', 'A.Add -> A.Two', 'A.All -> A.One', 'A.All -> A.Two', 'A.F -> A.Add', 'A.G -> A.All'],
  ],
  [
    'a class of the repository that is named like a container is made, and what it has comes before what arrays have',
    'using System.Collections.Generic; class Collection<T> : IList<T> {} static class X { public static bool None<T>(this T[] xs) { return true; } public static bool None<T>(this Collection<T> xs) { return true; } } ' +
      'class A { void F() { var c = new Collection<A>(); c.None(); } void G(byte[] b) { b.None(); } void H(List<A> c) { new List<A>(); } }',
    ['A.F -> Collection', 'A.F -> X.None', 'A.G -> X.None'],
  ],
  [
    'an extension of `object` is of functions and types, too, and its type parameters are those of what it is called on',
    'using System; using System.Collections.Generic; static class X { public static void Guard(this object o) {} public static string Name(this Type t) { return ""; } public static void Map<T>(this IEnumerable<T> xs, Action<T> f) {} } ' +
      'class A { void Go() {} void F(Func<int> f) { f.Guard(); typeof(A).Name(); } void G(List<A> xs) { xs.Map(x => x.Go()); } }',
    ['A.F -> X.Guard', 'A.F -> X.Name', 'A.G -> A.Go', 'A.G -> X.Map'],
  ],
  [
    'a lambda that gives something is no action where a function is asked for',
    'using System; class B { public void Go() {} } class A { B b; static void Do<T>(T t, Action<T> f) {} static B Do<T>(T t, Func<T, B> f) { return null; } ' +
      'void F() { Do(1, x => b).Go(); } void G() { Do(1, x => { b.ToString(); }); } }',
    ['A.F -> A.Do', 'A.F -> B.Go', 'A.G -> A.Do'],
  ],
  [
    'an async lambda gives a task, also where it gives nothing',
    'using System; using System.Threading.Tasks; class B { public void Go() {} } class A { static void Do(Action f) {} static B Do(Func<Task> f) { return null; } ' +
      'void F() { Do(async () => { await Task.Yield(); }).Go(); } }',
    ['A.F -> A.Do', 'A.F -> B.Go'],
  ],
  [
    'a lambda gives what it calls gives: nothing, where that is an action',
    'using System; class B { public void Go() {} } class C { public void Go() {} } class A { static B Do<R>(Func<int, R> f) { return null; } static C Do(Action<int> f) { return null; } ' +
      'void F(Action act) { Do(x => act()).Go(); } void G(Func<int> get) { Do(x => get()).Go(); } void H() { Do(x => F(null)).Go(); } }',
    ['A.F -> A.Do', 'A.F -> C.Go', 'A.G -> A.Do', 'A.G -> B.Go', 'A.H -> A.Do', 'A.H -> A.F', 'A.H -> C.Go'],
  ],
  [
    'an argument that is passed by name is for the parameter of that name, wherever that stands',
    'class B { public void Go() {} } class C { public void Go() {} } class A { static B Do(int n, object one = null) { return null; } static C Do(int n, int m = 0, object other = null) { return null; } ' +
      'A(int a) {} A(object b, string c = "") { H(); } void F() { Do(1, other: "").Go(); } void G() { Do(1, one: "").Go(); } static void H() {} }',
    ['A -> A.H', 'A.F -> A.Do', 'A.F -> C.Go', 'A.G -> A.Do', 'A.G -> B.Go'],
  ],
];

describe('C#', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      expect(await edgesOf(typeof sources === 'string' ? { 'A.cs': sources } : sources)).to.deep.equal(edges);
    });
  }

  it('a definition has the first paragraph above it as its words, and its head as its signature', async () => {
    const source = dedent`
        /// <summary>
        /// Makes a <see cref="T:P.Foo"/> of List<int>.
        /// </summary>
        /// <returns>It.</returns>
        [Pure]
        public class A<T> : B
        {
        }
      `;
    const [file] = await factsOf({ 'A.cs': source });
    expect(file?.facts.definitions[0]).to.include({
      doc: 'Makes a P.Foo of List<int>.',
      signature: 'public class A<T> : B',
      line: 6,
      endLine: 8,
    });
  });

  it('classes, records, structs and interfaces inherit from what they name', async () => {
    const source =
      'interface I {} interface J : I {} class A {} class B : A, J {} record R(int X) : S(X), I; record S(int X); struct T : I {} class C : Exception {}';
    const edges = ['B -> A', 'B -> J', 'J -> I', 'R -> I', 'R -> S', 'T -> I'];
    expect(await edgesOf({ 'A.cs': source }, 'INHERITS')).to.deep.equal(edges);
  });
});
