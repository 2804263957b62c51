import { expect } from 'chai';
import { resolve } from '../../../loaders/resolution/resolve.ts';
import { edgesOf, factsOf, type Sources } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

/** What is called in sources, a guarantee a row; a text alone is one file of C++. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'a class of the repository is no container or pointer of the library, whatever its name',
    {
      'a.h':
        'namespace own { template <class T> class optional { public: T go() { return *get(); } T* get() { return 0; } }; template <class T> class span { public: T* head() { return 0; } }; }',
      'b.cc': '#include "a.h"\nvoid f(own::optional<int> o, own::span<int>& s) { o.go(); s.head(); }',
    },
    ['f -> own.optional.go', 'f -> own.span.head', 'own.optional.go -> own.optional.get'],
  ],
  [
    'a class of the repository that extends a container or pointer of the library is one, too',
    {
      'a.h':
        'struct X { void go() {} }; namespace own { template <class T> class vector : public std::vector<T> { public: void mine() {} }; template <class T> class shared_ptr : public std::shared_ptr<T> { public: void mine() {} }; }',
      'b.cc':
        '#include "a.h"\nvoid f(own::vector<X> v) { v[0].go(); v.mine(); }\nvoid g(own::shared_ptr<X> p) { p->go(); p.mine(); }',
    },
    ['f -> X.go', 'f -> own.vector.mine', 'g -> X.go', 'g -> own.shared_ptr.mine'],
  ],
  [
    'a macro that begins a statement keeps what follows in its function',
    dedent`
      #if defined(NO_EXCEPTIONS)
      #define TRY if ((true))
      #define CATCH_ALL if ((false))
      #else
      #define TRY try
      #define CATCH_ALL catch (...)
      #endif
      #define CATCH_ONE(type) catch (type)
      #define OTHERWISE else
      namespace n {
      void f() {} void g() {} void h() {} void last() {}
      struct S { void run(); };
      void S::run() {
        TRY { f(); }
        CATCH_ONE (Error&) { g(); }
        CATCH_ALL { h(); }
        if (f) g(); OTHERWISE { last(); }
      }
      void after() { last(); }
      }
    `,
    ['n.S.run -> n.f', 'n.S.run -> n.g', 'n.S.run -> n.h', 'n.S.run -> n.last', 'n.after -> n.last'],
  ],
  [
    'the repository’s own `make_unique` is called, and what the library’s makes is an instance',
    dedent`
      namespace own {
      template <typename T> struct unique_ptr { T* operator->() { return p; } T* p; };
      template <typename T> unique_ptr<T> make_unique(int n) { return unique_ptr<T>(); }
      struct A { A(int n); void go() {} };
      void f() { make_unique<A>(1)->go(); }
      }
      void g() { auto a = own::make_unique<own::A>(1); a->go(); }
      void h() { std::make_unique<own::A>(1)->go(); }
    `,
    [
      'g -> own.A.go',
      'g -> own.make_unique',
      'h -> own.A',
      'h -> own.A.go',
      'own.f -> own.A.go',
      'own.f -> own.make_unique',
      'own.make_unique -> own.unique_ptr',
    ],
  ],
  [
    'what a namespace takes from another by `using` is its own for other files, too',
    {
      'a.h': dedent`
        namespace n { namespace inner { struct T { void go() {} T& next() { return *this; } }; void f() {} }
        using inner::T; using inner::f; }
      `,
      'b.cc': dedent`
        #include "a.h"
        namespace n { void user(T& t) { T& other = t.next(); other.go(); f(); } }
        void outside(n::T& t) { t.go(); n::f(); }
      `,
    },
    [
      'n.user -> n.inner.T.go',
      'n.user -> n.inner.T.next',
      'n.user -> n.inner.f',
      'outside -> n.inner.T.go',
      'outside -> n.inner.f',
    ],
  ],
  [
    'of functions that each build has in its own way the one counts that Linux takes, or each that it may take',
    {
      'a.h': dedent`
        struct A { void go() {} }; struct B { void go() {} };
        #ifdef _WIN32
        A* make() { return 0; }
        #else
        B* make() { return 0; }
        #endif
        #if defined(MINE)
        A* own() { return 0; }
        #else
        B* own() { return 0; }
        #endif
      `,
      'b.cc': '#include "a.h"\nvoid f() { make()->go(); own()->go(); }',
      'c.c': dedent`
        #if defined(_WIN32)
        void now(void) { }
        #elif defined(HAVE_CLOCK)
        void now(void) { }
        #else
        void now(void) { }
        #endif
        void g(void) { now(); }
      `,
    },
    ['f -> B.go', 'f -> make', 'f -> own', 'g -> now', 'g -> now'],
  ],
  [
    'of two methods that differ in `&` and `&&` the one is called that is for what has a name, or for what a call gives',
    dedent`
      struct Named { void one() {} }; struct Nameless { void two() {} };
      struct C {
        C(int n) {}
        Named* w(int n) & { return 0; }
        Nameless* w(int n) && { return 0; }
        C& same() { return *this; }
        C copy() { return *this; }
      };
      void a(C& c) { c.w(1)->one(); }
      void b() { C(1).w(1)->two(); }
      void d(C& c) { c.same().w(1)->one(); }
      void e(C& c) { c.copy().w(1)->two(); }
    `,
    [
      'a -> C.w',
      'a -> Named.one',
      'b -> C',
      'b -> C.w',
      'b -> Nameless.two',
      'd -> C.same',
      'd -> C.w',
      'd -> Named.one',
      'e -> C.copy',
      'e -> C.w',
      'e -> Nameless.two',
    ],
  ],
  [
    'what has the name of a macro that begins a statement is none where no statement begins, nor what is named as functions are where another file says it',
    {
      'a.h': dedent`
        #define repeat(n) for (int i_ = 0; i_ < (n); i_++)
        #define loop for (;;)
        #define check if (true)
        #define each(p) for (p = 0; p < 3; p++)
        #define TRY try
        #define TWICE(n) for (n = 0; n < 2; n++)
      `,
      'b.cc': dedent`
        void go() {} int repeat(int n) { go(); return n; }
        void after() { repeat(3); go(); }
        struct L { void go() {} template <class F> void each(F f) { f(); } };
        void run(L* loop) { loop->go(); }
        void check(L* l) { l->go(); }
        void all(L& l) { l.each(go); }
        enum E { TRY, LAST };
        int TWICE(int n) { go(); return n; }
        void two() { int x = TWICE(1); TWICE(x); go(); }
      `,
      'c.cc': dedent`
        #define twice(n) for (n = 0; n < 2; n++)
        struct C { int n; void run(); };
        void C::run() { /* a: */ twice(n) { go(); } if (n) TWICE(n) go(); }
        void last() { go(); }
      `,
    },
    [
      'C.run -> go',
      'TWICE -> go',
      'after -> go',
      'after -> repeat',
      'all -> L.each',
      'check -> L.go',
      'last -> go',
      'repeat -> go',
      'run -> L.go',
      'two -> TWICE',
      'two -> go',
    ],
  ],
  [
    'what a pointer leads to is an lvalue and what is moved an rvalue, and what a call gives may be either where its type does not say so',
    dedent`
      struct Left { void one() {} }; struct Right { void two() {} };
      struct C {
        C(int) {}
        Left* w(int) & { return 0; }
        Right* w(int) && { return 0; }
        void own() && { w(1)->one(); }
        C& same() & { return *this; }
        C&& same() && { return *this; }
      };
      struct V {
        using reference = C&;
        reference front() { return *at; }
        auto back() -> C& { return *at; }
        C* at;
      };
      C* get() { return 0; }
      void a() { get()->w(1)->one(); }
      void b() { (*get()).w(1)->one(); }
      void d(V& v) { v.front().w(1)->one(); }
      void e(V& v) { v.back().w(1)->one(); }
      void f(C& c) { std::move(c).w(1)->two(); }
      void h(C& c) { c.same().same().w(1)->one(); }
      void i() { C(1).same().same().w(1)->two(); }
      template <class T> void g(C&& c) { std::forward<C>(c).w(1)->two(); }
    `,
    [
      'C.own -> C.w',
      'C.own -> Left.one',
      'a -> C.w',
      'a -> Left.one',
      'a -> get',
      'b -> C.w',
      'b -> Left.one',
      'b -> get',
      'd -> C.w',
      'd -> Left.one',
      'd -> V.front',
      'e -> C.w',
      'e -> Left.one',
      'e -> V.back',
      'f -> C.w',
      'f -> Right.two',
      'g -> C.w',
      'g -> Right.two',
      'h -> C.same',
      'h -> C.w',
      'h -> Left.one',
      'i -> C',
      'i -> C.same',
      'i -> C.w',
      'i -> Right.two',
    ],
  ],
  [
    'the repository’s own `make_unique` makes an instance, whatever it says of what it gives',
    dedent`
      struct A { A(int) {} void go() {} };
      namespace one { template <typename T, typename... P> auto make_unique(P&&... p) { return pointer_to<T>(p...); } }
      namespace two { template <typename T> typename std::enable_if<!std::is_array<T>::value, std::unique_ptr<T>>::type make_unique(int n) { return 0; } }
      namespace three {
      template <typename T> struct Result { using scalar = std::unique_ptr<T>; };
      template <typename T> typename Result<T>::scalar make_unique(int n) { return 0; }
      }
      struct Arena { template <typename T> T* make_shared(int n); void in() { make_shared<A>(1)->go(); } };
      void f() { one::make_unique<A>(1)->go(); }
      void g() { auto a = two::make_unique<A>(1); a->go(); }
      void h() { three::make_unique<A>(1)->go(); }
    `,
    [
      'Arena.in -> A.go',
      'f -> A.go',
      'f -> one.make_unique',
      'g -> A.go',
      'g -> two.make_unique',
      'h -> A.go',
      'h -> three.make_unique',
    ],
  ],
  [
    'a condition that the grammar can’t take is as likely as it was, comments and strings have none, `__cplusplus` is C++’s, and what is seldom taken may be',
    {
      'a.h': dedent`
        /* Usage:
        #ifdef _WIN32
        */
        const char* text = R"(
        #ifdef _WIN32
        )";
        struct A { void go() {} }; struct B { void go() {} };
        inline A* first() { return 0; }
        #if defined(_WIN32) && __has_include(<windows.h>)
        inline A* second() { return 0; }
        #else
        inline B* second() { return 0; }
        #endif
      `,
      'd.h': `${Array.from({ length: 8 }, (_, i) => `#ifdef FEATURE_${i}\n`).join('')}inline A* third() { return 0; }
${'#endif\n'.repeat(8)}#ifdef _WIN32
inline B* third() { return 0; }
#endif`,
      'z.h': 'inline B* first() { return 0; }',
      'b.cc': '#include "a.h"\nvoid f() { first()->go(); second()->go(); }\nvoid g() { third()->go(); }',
      'c.c': dedent`
        #ifdef __cplusplus
        static void of_cpp(void) { }
        static void now(void) { of_cpp(); }
        #else
        static void of_c(void) { }
        static void now(void) { of_c(); }
        #endif
        void h(void) { now(); }
      `,
    },
    [
      'f -> A.go',
      'f -> B.go',
      'f -> first',
      'f -> second',
      'g -> A.go',
      'g -> third',
      'h -> now',
      'now -> of_c',
      'now -> of_cpp',
    ],
  ],
  [
    'what a source or a nameless namespace takes by `using` no other file has, and what a header takes comes behind what another defines',
    {
      'x.h': 'namespace x { struct Client { void go() {} }; struct Server { void go() {} }; }',
      'a.cc': '#include "x.h"\nnamespace app { using x::Client; void own(Client& c) { c.go(); } }',
      'c.h': 'namespace app { struct Client { void go() {} }; struct Server { void go() {} }; }',
      'd.h': 'namespace app { using x::Server; } namespace m { namespace { using x::Client; } }',
      'b.cc': dedent`
        #include "c.h"
        namespace app { void f(Client& c, Server& s) { c.go(); s.go(); } }
        namespace m { void g(Client& c) { c.go(); } }
      `,
    },
    ['app.f -> app.Client.go', 'app.f -> app.Server.go', 'app.own -> x.Client.go'],
  ],
  [
    'C: a function is one of all files, unless it is static or another program’s',
    {
      'a/one.c': dedent`
          #include "h.h"
          static void own(void) {}
          void one(void) { two(); own(); hidden(); same(); printf("x"); }
        `,
      'a/two.c': dedent`
        void two(void) {}
        static void hidden(void) {}
        void same(void) {}
      `,
      'a/own.cc': 'namespace { void two(void) {} }\nvoid cc() { two(); }',
      'b/two.c': 'static void own(void) {}\nvoid same(void) { own(); }',
      'a/h.h': 'void two(void);\nstatic inline void in_header(void) { two(); }',
    },
    ['cc -> two', 'in_header -> two', 'one -> own', 'one -> same', 'one -> two', 'same -> own'],
  ],
  [
    'C: what a pointer to a function calls is nobody’s, whatever its name',
    {
      'a.c': dedent`
          struct ops { int (*run)(int); };
          int run(int x) { return x; }
          int f(struct ops *o, int (*run)(int)) { o->run(1); return run(2); }
        `,
    },
    [],
  ],
  [
    '`using namespace` opens what lies in what those before it opened, for what is written apart from its class as well',
    {
      'frame.h': dedent`
        namespace Lib { namespace Tags {
          class Frame { public: void set(int x); protected: explicit Frame(int x); int field(int at) const; };
        } }
      `,
      'picture.h': dedent`
        #include "frame.h"
        namespace Lib { namespace Tags {
          class Picture : public Frame { public: Picture(); int render() const; private: class Private; Private *d; };
        } }
      `,
      'frame.cpp': dedent`
        #include "frame.h"
        using namespace Lib;
        using namespace Tags;
        Frame::Frame(int x) { set(x); }
        void Frame::set(int x) {}
        int Frame::field(int at) const { return at; }
      `,
      'picture.cpp': dedent`
        #include "picture.h"
        using namespace Lib;
        class Tags::Picture::Private { public: Private() {} int size() { return 1; } };
        Tags::Picture::Picture() : Frame(0), d(new Private()) { set(1); }
        int Tags::Picture::render() const { return field(d->size()); }
      `,
      'list.tcc': 'template <class T> class List { public: void clear() { free(); } void free() {} };',
      'other.cpp': 'namespace Lib { namespace In { void in() {} } using namespace In; void out() { in(); } }',
    },
    [
      'Frame.Frame -> Frame.set',
      'Lib.out -> Lib.In.in',
      'List.clear -> List.free',
      'Tags.Picture.Picture -> Frame.set',
      'Tags.Picture.Picture -> Lib.Tags.Frame',
      'Tags.Picture.Picture -> Tags.Picture.Private',
      'Tags.Picture.render -> Frame.field',
      'Tags.Picture.render -> Tags.Picture.Private.size',
    ],
  ],
  [
    'another name of a type that a class has is known from outside: pointers and iterators; to declare a pointer makes nothing',
    {
      'image.hpp': dedent`
        namespace Lib {
          class Image { public: typedef std::auto_ptr<Image> AutoPtr; int size() { return 1; } };
          class Datum { public: long count() { return 1; } };
          typedef std::list<Datum> Data;
          class All { public: typedef Data::const_iterator const_iterator; const_iterator find(int key) const; };
        }
      `,
      'main.cpp': dedent`
        #include "image.hpp"
        void named(Lib::Image::AutoPtr image) { image->size(); }
        void own() { std::unique_ptr<Lib::Image> image; image->size(); }
        void found(Lib::All &all) { Lib::All::const_iterator it = all.find(1); it->count(); }
      `,
    },
    ['found -> Lib.Datum.count', 'named -> Lib.Image.size', 'own -> Lib.Image.size'],
  ],
  [
    'what a namespace has hides what the top has, in its classes, their bases and what is written apart from them',
    {
      'top.hpp':
        'class Log { public: void put() {} };\nclass Base { public: void go() {} };\nint parse(int a) { return a; }',
      'n.hpp': dedent`
        namespace N {
          class Log { public: void put() {} };
          class Base { public: void go() {} };
          int parse(int a) { return a; }
          class Service : public Base { Log log; void write() { log.put(); go(); parse(1); } void apart(); };
          void Service::apart() { parse(2); }
        }
      `,
      'traits.cpp': dedent`
        class One { public: void go() {} };
        class Two { public: void go() {} };
        template <class K> struct Of;
        template <> struct Of<int> { typedef One Type; };
        template <> struct Of<char> { typedef Two Type; };
        void use(Of<int>::Type it) { it.go(); }
      `,
      'many.cpp': dedent`
        namespace Lib { namespace In { class B { public: void go() {} }; } class K; }
        using namespace A; using namespace B; using namespace C; using namespace D; using namespace Lib; using namespace In;
        void far(B &b) { b.go(); }
      `,
    },
    [
      'N.Service.apart -> N.parse',
      'N.Service.write -> N.Base.go',
      'N.Service.write -> N.Log.put',
      'N.Service.write -> N.parse',
      'far -> Lib.In.B.go',
    ],
  ],
  [
    'an iterator is what it leads to, as a pointer is: of a list, of a map a pair, of a class with one of its own that',
    {
      'a.cc': dedent`
        class A { public: void go() {} };
        class Own { public: class iterator { public: void next() {} }; };
        typedef std::vector<A> List;
        class B {
          std::vector<A*> list; std::map<int, A*> map;
          void declared() { std::vector<A*>::const_iterator it; for (it = list.begin(); it != list.end(); ++it) (*it)->go(); }
          void named(List all) { for (List::iterator it = all.begin(); it != all.end(); ++it) it->go(); }
          void automatic() { for (auto it = list.rbegin(); it != list.rend(); ++it) (*it)->go(); }
          void ofMap() { std::map<int, A*>::iterator it = map.find(1); it->second->go(); }
          void found() { map.find(1)->second->go(); }
          void own() { Own::iterator it; it.next(); }
        };
      `,
    },
    [
      'B.automatic -> A.go',
      'B.declared -> A.go',
      'B.found -> A.go',
      'B.named -> A.go',
      'B.ofMap -> A.go',
      'B.own -> Own.iterator.next',
    ],
  ],
  [
    '`::` at the beginning means what stands at the top, never a member',
    {
      'a.cc': dedent`
        int open(int x) { return x; }
        namespace n {
        void g() {}
        class F { public: bool open(int x) { return ::open(x); } void close(int x) { ::close(x); } void h() { ::n::g(); open(1); } };
        }
      `,
    },
    ['n.F.h -> n.F.open', 'n.F.h -> n.g', 'n.F.open -> open'],
  ],
  [
    'what a smart pointer of ours points at is called through it',
    {
      'a.cc': dedent`
        template <typename T> class Ref { T* ptr; public: T* operator->() const { return ptr; } void reset() {} };
        class A { public: void go() {} void reset() {} };
        typedef Ref<A> ARef;
        void f(ARef a) { a->go(); a.reset(); }
      `,
    },
    ['f -> A.go', 'f -> Ref.reset'],
  ],
  [
    'a class’s methods are those in it and those written apart from it, in whatever files',
    {
      'a.h': 'namespace n { class A { public: A(int x); void f(); int g() const; static A* make(); }; }',
      'a.cc': dedent`
          #include "a.h"
          namespace n { void A::f() { g(); this->g(); A::make()->g(); } int A::g() const { return 1; } }
          n::A* n::A::make() { return new A(1); }
        `,
    },
    ['n.A.f -> n.A.g', 'n.A.f -> n.A.make', 'n.A.make -> n.A'],
  ],
  [
    'names are those of the namespaces around, of those that are used, and those written out',
    {
      'a.cc': dedent`
          namespace a { void f() {} namespace in { void g() { f(); } } }
          namespace b { void f() {} void h() { f(); a::f(); } }
          using namespace b; using a::in::g;
          void t() { h(); g(); ::b::f(); }
        `,
    },
    ['a.in.g -> a.f', 'b.h -> a.f', 'b.h -> b.f', 't -> a.in.g', 't -> b.f', 't -> b.h'],
  ],
  [
    'receivers are typed by fields, parameters, smart pointers, casts, results and `auto`',
    'class B { public: B* go() { return this; } }; class A { B* b_; std::vector<B> bs_; std::unique_ptr<B> p_; B make(); ' +
      'void f(const B& x, void* v) { b_->go()->go(); x.go(); for (auto& e : bs_) e.go(); p_->go(); auto y = make(); y.go(); static_cast<B*>(v)->go(); } ' +
      'void g() { auto z = std::make_shared<B>(); z->go(); auto l = [&](B* k) { k->go(); }; } };',
    ['A.f -> B.go', 'A.g -> B', 'A.g -> B.go'],
  ],
  [
    'overloads are chosen by their arguments, and what a class does not have its base has',
    'class X {}; class Y {}; void one() {} void two() {} void f(X x) { one(); } void f(Y y) { two(); } void g(Y y) { f(y); } ' +
      'class P { public: virtual void run() = 0; void up() {} }; class C : public P { void run() override { up(); P::up(); } }; void h(P* p) { p->run(); }',
    ['C.run -> P.up', 'f -> one', 'f -> two', 'g -> f', 'h -> P.run'],
  ],
  [
    'a declaration with arguments constructs, and so does `new`',
    'class A { public: A(int x) { init(); } void init() {} }; void f() { A a(1); new A(2); A* p = nullptr; }',
    ['A.A -> A.init', 'f -> A'],
  ],
  [
    'macros between the words of a declaration are no types',
    'class MY_EXPORT A { public: void f() { g(); } void g() LOCKS_EXCLUDED(mu_) {} }; MY_API void h(A* a) { a->f(); }',
    ['A.f -> A.g', 'h -> A.f'],
  ],
  [
    'macros of the repository are read: marks, namespaces, functions that they declare, types that they wrap',
    {
      'config.h': dedent`
          #ifdef A
          #define LIB_FN __attribute__((visibility("default")))
          #else
          #define LIB_FN
          #endif
          #define EXCL(x)
          #define LIB_CONSTEXPR constexpr
          #define LIB_BEGIN namespace lib { inline namespace v1 {
          #define LIB_END }}
          #define LIB_OF(type) LIB_FN type
          #define LIB_GETTER(name) \\
            int get_##name() { return seek(); }
          #define local static

        `,
      'a.h': dedent`
          #include "config.h"
          LIB_BEGIN
          class LIB_FN A {
           public:
            LIB_CONSTEXPR auto size() const -> int { return 1; }
            void unlock() EXCL(mutex) { size(); }
            int seek() { return 2; }
            LIB_GETTER(all)
          };
          LIB_END

        `,
      'b.cc': dedent`
          #include "a.h"
          local int own(lib::A* a) { return a->size(); }
          LIB_OF(int) twice(lib::A& a) { a.unlock(); return own(&a); }

        `,
      'c.cc': dedent`
        int own(int x) { return x; }
        int other() { return own(1); }

      `,
    },
    [
      'lib.A.get_all -> lib.A.seek',
      'lib.A.unlock -> lib.A.size',
      'other -> own',
      'own -> lib.A.size',
      'twice -> lib.A.unlock',
      'twice -> own',
    ],
  ],
  [
    'a macro keeps the lines of what follows, whatever its arguments are and however many lines it takes',
    {
      'a.cc': dedent`
          #define DEFINE(name, body) void name() { body }
          #define WRAP(x) x
          #define BEGIN namespace n { namespace m {
          void target() {}
          DEFINE(one,
            target();
          )
          BEGIN
          WRAP(
            void) two() { target(); }
          }}

        `,
    },
    ['n.m.two -> target', 'one -> target'],
  ],
  [
    'a name that only looks like a macro is none: members, strings, comments, other parts of a condition',
    {
      'a.h': dedent`
        #define lock(x)
        #define LOG(x)
        #ifdef B
        #define TRACE(x)
        #else
        #define TRACE(x) print(x)
        #endif

      `,
      'a.cc': dedent`
          struct M { void lock(int i) {} };
          int f() { return 1; }
          /* LOG( */ void g(M& m) { m.lock(f()); TRACE(f()); char c = '"'; const char* s = "LOG("; f(); }

        `,
    },
    ['g -> M.lock', 'g -> f'],
  ],
  [
    'a conditional that cuts through a declaration or statement leaves the side that an ordinary build on Linux takes',
    {
      'a.cc': dedent`
          void f() {}
          void windows() {}
          class A
          #if defined(NEW) || __has_include(<new>)
            : public B
          #endif
          {
            void g() { f(); }
          };
          void h(int a
          #ifdef _WIN32
          , int b) { windows();
          #else
          ) { f();
          #endif
          }
          #if 0
          void dead() { f(); }
          #endif
          #define LONG(x) \\
            ((x) /* why */ \\
             + 1)
          void after() { f(); }

        `,
    },
    ['A.g -> f', 'after -> f', 'h -> f'],
  ],
  [
    'of several definitions of a macro the one of an ordinary build counts, and a value is not taken for a mark',
    {
      'a.h': dedent`
          #ifdef _MSC_VER
          #define NS_BEGIN namespace ms {
          #else
          #define NS_BEGIN namespace n {
          #endif
          #define NS_END }
          #define KIND

        `,
      'a.cc': dedent`
        #include "a.h"
        NS_BEGIN
        int f() { return 1; }
        void g(int k) { k = KIND; f(); }
        NS_END

      `,
    },
    ['n.g -> n.f'],
  ],
  [
    'what a nameless namespace has is seen wherever it is opened again, and its overloads are told apart',
    'namespace n { namespace { void f(int x) {} void a() {} void f(double x) { a(); } } }\nnamespace n { namespace { void g() { f(1); } } void h() { n::a(); } }',
    ['n.f -> n.a', 'n.g -> n.f', 'n.h -> n.a'],
  ],
  [
    'a class is constructed by its heirs’ initializers and by a declaration that looks like a function’s; friends stand beside it',
    dedent`
      class W { public: W(int a, int b) {} void go() {} friend void help(W* w) { w->go(); } };
      class V : public W { int own_; public: V(int a) : W(a, 1), own_(a) {} };
      void f(int a, int b) { W w(a, b); w.go(); help(&w); }
    `,
    ['V.V -> W', 'f -> W', 'f -> W.go', 'f -> help', 'help -> W.go'],
  ],
  [
    'overloads are told apart by the language’s own types and by literals',
    dedent`
      void one() {} void two() {} void f(int x) { one(); } void f(const char* s) { two(); } void f(bool b) {}
      void g(const char* s) { f(s); }
      void h() { f(1); }
    `,
    ['f -> one', 'f -> two', 'g -> f', 'h -> f'],
  ],
  [
    'an index is operator[]',
    dedent`
      class A { public: void go() {} };
      class B { public: void go() {} };
      class L { public: A operator[](int i) { return a; } A a; };
      void f(L l) { l[0].go(); }
    `,
    ['f -> A.go'],
  ],
  [
    'another name of a class makes it, also one that a class has, and so does the name of a class inside it',
    dedent`
      template <typename T> class View { public: View(T* t) {} int size() { return 1; } };
      using Text = View<char>;
      class Base { public: typedef View<int> Numbers; Base(int n) {} };
      class A : public Base {
       public:
        A(int n) : Base(n), value(n) {}
        A(Text t);
        int f(Numbers numbers) { return numbers.size(); }
        int g() { return Numbers(0).size(); }
        A h() { return A(1); }
        int value;
      };
      A::A(Text t) : Base(1) {}
      class value { public: value(int n) {} };
      int i() { return Text(0).size(); }
    `,
    [
      'A.A -> Base',
      'A.A -> Base',
      'A.f -> View.size',
      'A.g -> View',
      'A.g -> View.size',
      'A.h -> A',
      'i -> View',
      'i -> View.size',
    ],
  ],
  [
    'a class inside a base is known by its bare name in methods apart from their class, whose constructor has no name of its own',
    {
      'a.h': dedent`
        namespace n {
          struct Base { struct Link { int get() { return 1; } }; typedef Link Other; };
          struct A : Base { A(); A(int x); A* clone(); int f(Link* l, void* o); int g(); };
        }
      `,
      'a.cc': dedent`
        #include "a.h"
        namespace n {
          A::A() {}
          A::A(int x) { g(); }
          A* A::clone() { return new A(*this); }
          int A::f(Link* l, void* o) { Other* other = (Other*)o; return l->get() + other->get(); }
          int
          A::
          g()
          { Link l; return l.get(); }
        }
      `,
    },
    [
      'n.A.A -> n.A.g',
      'n.A.clone -> n.A',
      'n.A.f -> n.Base.Link.get',
      'n.A.g -> n.Base.Link',
      'n.A.g -> n.Base.Link.get',
    ],
  ],
  [
    'of two methods that differ in `const` the one is called that the object asks for',
    {
      'a.h': dedent`
        struct Kept { void kept() const {} };
        struct Free { void free() const {} };
        struct A {
          const Kept& part() const; Free& part();
          A* next; A* at; A own;
          void constant() const; void plain();
        };
      `,
      'a.cc': dedent`
        #include "a.h"
        const Kept& A::part() const { return *(Kept*)next; }
        Free& A::part() { return *(Free*)next; }
        void A::constant() const { auto f = [&]() { part().kept(); }; f(); next->part().free(); own.part().kept(); }
        void A::plain() { part().free(); (*this).own.part().free(); }
        void changed(A& a, A* const p) { a.part().free(); p->next->part().free(); }
        void kept(const A& a, A const* p) { a.part().kept(); (*p).own.part().kept(); for (const A& one : list) one.part().kept(); }
        void copied(const A& a) { A other(a); other.part().free(); }
      `,
    },
    [
      'A.constant -> A.part',
      'A.constant -> A.part',
      'A.constant -> Free.free',
      'A.constant -> Kept.kept',
      'A.plain -> A.part',
      'A.plain -> Free.free',
      'changed -> A.part',
      'changed -> Free.free',
      'copied -> A',
      'copied -> A.part',
      'copied -> Free.free',
      'kept -> A.part',
      'kept -> Kept.kept',
    ],
  ],
];

describe('C and C++', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      expect(await edgesOf(typeof sources === 'string' ? { 'a.cc': sources } : sources)).to.deep.equal(edges);
    });
  }

  it('a call reaches what stands on its own side of an `#if`', async () => {
    const source = dedent`
      #ifdef _WIN32
      static void nap(void) { }
      void spin(void) { nap(); }
      #else
      static void nap(void) { }
      void turn(void) { nap(); }
      #endif
    `;
    for (const path of ['a.c', 'a.cc']) {
      const [file] = await factsOf({ [path]: source });
      if (!file) throw new Error('There are no facts.');
      const { edges } = resolve([file], { paths: [path], read: () => source });
      const lines = [...edges].map(({ line, to }) => [line, file.facts.definitions[to.definition]?.line]);
      expect(lines, path).to.deep.equal([
        [3, 2],
        [6, 5],
      ]);
    }
  });

  it('classes inherit from their bases, through namespaces and templates', async () => {
    const source =
      'namespace n { class A {}; template <typename T> class T1 : public A {}; } struct B : n::T1<int>, private std::string {};';
    expect(await edgesOf({ 'a.hpp': source }, 'INHERITS')).to.deep.equal(['B -> n.T1', 'n.T1 -> n.A']);
  });

  it('a base with its arguments is the class that is written for these, where there is one', async () => {
    const source = dedent`
      namespace n {
        template <typename T, typename Tag> struct P;
        template <typename T> struct P<T, int> {};
        template <typename T> struct P<T, char*> : public P<T,int> {};
        template <typename T> struct P<T, long> : P<T, char *> {};
        template <> struct P<int, short> { P(int x) {} };
        struct A : P<int, short> { A() : P<int, short>(1) {} };
      }
    `;
    const [file] = await factsOf({ 'a.hpp': source });
    const { edges } = resolve(file ? [file] : [], { paths: ['a.hpp'], read: () => source });
    const line = (at: number) => file?.facts.definitions[at]?.line;
    const between = (wanted: string) =>
      [...edges]
        .filter(({ type }) => type === wanted)
        .map(({ from, to }) => `${line(from.definition)} -> ${line(to.definition)}`)
        .sort();
    expect(between('INHERITS')).to.deep.equal(['4 -> 3', '5 -> 4', '7 -> 6']);
    expect(between('CALLS')).to.include('7 -> 6');
  });

  it('a class has its name and bases behind macros that the repository does not define', async () => {
    const source = dedent`
      #include <elsewhere/export.h>

      NAMESPACE_ELSEWHERE

      class __EXPORT A;
      class __EXPORT A {
      public:
        int f() { return 1; }
      };
      struct DLL(a) b_export B : public A {};
      class __EXPORT C : private B {
      public:
        C() { f(); }
      };
      struct b { int x; };
      /** Says what a struct
       * is, and what a class B : A has */
      struct D: C { struct b inner { 1 }; };
      enum E { FIRST,
        LAST_BEGIN
      };
      BOOL
      outside(void) { return D().f(); }

      END_NAMESPACE
      #define AFTER
      class F : A {};
    `;
    const bases = ['B -> A', 'C -> B', 'D -> C', 'F -> A'];
    expect(await edgesOf({ 'a.hpp': source }, 'INHERITS')).to.deep.equal(bases);
    expect(await edgesOf({ 'a.hpp': source })).to.deep.equal(['C.C -> A.f', 'outside -> A.f', 'outside -> D']);
    const [file] = await factsOf({ 'a.hpp': source });
    expect(file?.facts.syntaxErrors).to.equal(0);
  });

  it('a function stands where its name does, whatever is before it', async () => {
    const [file] = await factsOf({ 'a.cc': 'struct A { int f(); };\nint\nA::\nf() { return 1; }' });
    expect(file?.facts.definitions.find(({ name }) => name === 'f')?.line).to.equal(4);
  });

  it('an include leads to the file beside, or to the nearest whose path ends so', async () => {
    const sources: Sources = {
      'src/a.c': dedent`
        #include "b.h"
        #include <lib/c.h>
        #include <stdio.h>
      `,
      'src/b.h': 'int b(void);',
      'include/lib/c.h': 'int c(void);',
      'old/lib/b.h': 'int b(void);',
    };
    const files = await factsOf(sources);
    const { modules, externalImports } = resolve(files, { paths: Object.keys(sources).sort(), read: () => null });
    const found = ['b.h', 'lib/c.h'].flatMap((text) => modules(0, text));
    expect(found.map((document) => files[document]?.path)).to.deep.equal(['src/b.h', 'include/lib/c.h']);
    expect(Array.from(externalImports, ({ module }) => module)).to.deep.equal(['stdio.h']);
  });
});
