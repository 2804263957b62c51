import { expect } from 'chai';
import { edgesOf, factsOf, type Sources } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

/** What is called in sources, a guarantee a row; a text alone is one file of package `main`. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'a function of another file of the same folder is called by its name alone',
    { 'a.go': 'package p\nfunc A() { B() }', 'b.go': 'package p\nfunc B() {}' },
    ['A -> B'],
  ],
  [
    'a function of another folder is not called by its name alone',
    { 'a.go': 'package p\nfunc A() { B() }', 'q/b.go': 'package p\nfunc B() {}' },
    [],
  ],
  [
    'an external test package does not see the names of the package that it tests',
    {
      'go.mod': 'module example.com/p',
      'a.go': 'package p\nfunc A() {}',
      'a_test.go': dedent`
        package p_test
        import "example.com/p"
        func T1() { A() }
        func T2() { p.A() }
      `,
    },
    ['T2 -> A'],
  ],
  [
    'an import leads to the folder below the module path',
    {
      'go.mod': 'module example.com/app\n\ngo 1.24\n',
      'main.go': dedent`
        package main
        import "example.com/app/lib/store"
        func main() { store.Open() }
      `,
      'lib/store/store.go': 'package store\nfunc Open() {}',
      'store/store.go': 'package store\nfunc Open() {}',
    },
    ['main -> Open'],
  ],
  [
    'an import alias stands for its package',
    {
      'go.mod': 'module example.com/app',
      'main.go': dedent`
        package main
        import db "example.com/app/store"
        func main() { db.Open(); store.Open() }
      `,
      'store/store.go': 'package store\nfunc Open() {}',
    },
    ['main -> Open'],
  ],
  [
    'a package is called by the name of its clause where its path says another',
    {
      'go.mod': 'module example.com/app',
      'main.go': dedent`
        package main
        import "example.com/app/the-store"
        func main() { vault.Open() }
      `,
      'the-store/store.go': 'package vault\nfunc Open() {}',
    },
    ['main -> Open'],
  ],
  [
    'a dot import gives its names without a prefix',
    {
      'go.mod': 'module example.com/app',
      'main.go': dedent`
        package main
        import . "example.com/app/store"
        func main() { Open() }
      `,
      'store/store.go': 'package store\nfunc Open() {}',
    },
    ['main -> Open'],
  ],
  [
    'several modules of one repository see each other by their module paths',
    {
      'go.mod': 'module example.com/app',
      'main.go': dedent`
        package main
        import "example.com/tools/gen"
        func main() { gen.Run() }
      `,
      'tools/go.mod': 'module example.com/tools',
      'tools/gen/gen.go': 'package gen\nfunc Run() {}',
    },
    ['main -> Run'],
  ],
  [
    'a replaced module is read from its folder',
    {
      'app/go.mod': dedent`
        module example.com/app
        replace (
        \texample.com/fork v1.2.0 => ../fork // ours
        )

      `,
      'app/main.go': dedent`
        package main
        import "example.com/fork/x"
        func main() { x.Run() }
      `,
      'fork/go.mod': 'module example.com/original',
      'fork/x/x.go': 'package x\nfunc Run() {}',
    },
    ['main -> Run'],
  ],
  [
    'a function of a package outside the repository is no function of ours with that name',
    {
      'go.mod': 'module example.com/app',
      'main.go': dedent`
        package main
        import "example.com/other/store"
        func main() { store.Open() }
      `,
      'store/store.go': 'package store\nfunc Open() {}',
    },
    [],
  ],
  [
    'a method is found on its receiver, also where it is declared in another file',
    {
      'a.go': dedent`
        package p
        type T struct{}
        func New() *T { return nil }
      `,
      'b.go': dedent`
        package p
        func (t *T) Run() { t.stop() }
        func (t T) stop() {}
      `,
      'c.go': 'package p\nfunc Main() { New().Run() }',
    },
    ['Main -> New', 'Main -> T.Run', 'T.Run -> T.stop'],
  ],
  [
    'methods of one name on two types are told apart by the type of the receiver',
    dedent`
      type A struct{}
      func (A) Run() {}
      type B struct{}
      func (B) Run() {}
      func f(a A, b *B) { b.Run() }
    `,
    ['f -> B.Run'],
  ],
  [
    'an embedded struct promotes its methods, also by pointer and over several levels',
    dedent`
      type A struct{}
      func (a *A) Run() {}
      type B struct{ *A }
      type C struct{ B }
      func f(c C) { c.Run(); c.B.A.Run() }
    `,
    ['f -> A.Run'],
  ],
  [
    'of promoted methods the shallowest wins',
    `type Deep struct{}
     func (Deep) Run() {}
     type A struct{ Deep }
     type B struct{}
     func (B) Run() {}
     type T struct { A; B }
     func f(t T) { t.Run() }`,
    ['f -> B.Run'],
  ],
  [
    'a call on an interface goes to the method that the interface declares',
    dedent`
      type I interface{ Run() }
      type T struct{}
      func (T) Run() {}
      func f(i I) { i.Run() }
      func g() { var i I = T{}; i.Run() }
    `,
    ['f -> I.Run', 'g -> I.Run'],
  ],
  [
    'an interface has the methods of those that it embeds',
    dedent`
      type I interface{ Run() }
      type J interface{ I; Stop() }
      func f(j J) { j.Run(); j.Stop() }
    `,
    ['f -> I.Run', 'f -> J.Stop'],
  ],
  [
    'a struct that embeds an interface promotes its methods',
    dedent`
      type I interface{ Run() }
      type T struct{ I }
      func f(t *T) { t.Run() }
    `,
    ['f -> I.Run'],
  ],
  [
    'each of several results has its own type',
    dedent`
      type A struct{}
      func (A) Run() {}
      type B struct{}
      func (B) Run() {}
      func both() (A, *B, error) { return A{}, nil, nil }
      func f() { _, b, err := both(); _ = err; b.Run() }
    `,
    ['f -> B.Run', 'f -> both'],
  ],
  [
    'ranging over slices, maps and channels gives their elements',
    `type A struct{}
     func (A) Run() {}
     type B struct{}
     func (B) Run() {}
     func slice(as []*A) { for _, a := range as { a.Run() } }
     func values(m map[B]A) { for _, a := range m { a.Run() } }
     func keys(m map[B]A) { for b := range m { b.Run() } }
     func channel(c <-chan A) { for a := range c { a.Run() }; b := <-c; b.Run() }`,
    ['channel -> A.Run', 'keys -> B.Run', 'slice -> A.Run', 'values -> A.Run'],
  ],
  [
    'an element by a field of something is no type argument',
    `type A struct{}
     func (A) Run() {}
     type C struct{ key string; all map[string]map[string]A; make map[string]func() A }
     func f(c C) { a, ok := c.all[c.key][c.key]; _ = ok; a.Run() }
     func g(c C) { make := c.make; make[c.key]().Run() }
     func h(c C) { all := c.all[c.key]; all[c.key].Run() }`,
    ['f -> A.Run', 'g -> A.Run', 'h -> A.Run'],
  ],
  [
    'each case of a type switch has its own type',
    `type A struct{}
     func (A) Run() {}
     type B struct{}
     func (B) Stop() {}
     func f(v any) { switch x := v.(type) { case A: x.Run(); case *B: x.Stop() } }`,
    ['f -> A.Run', 'f -> B.Stop'],
  ],
  [
    'a type assertion says the type',
    dedent`
      type A struct{}
      func (A) Run() {}
      func f(v any) { if a, ok := v.(*A); ok { a.Run() }; v.(A).Run() }
    `,
    ['f -> A.Run'],
  ],
  [
    'literals, new and make say the type',
    dedent`
      type A struct{ b *B }
      type B struct{}
      func (*B) Run() {}
      func f() { (&A{}).b.Run(); x := new(B); x.Run(); m := make(map[string]*B); m["k"].Run() }
    `,
    ['f -> B.Run'],
  ],
  [
    'a conversion is no call, and gives a value of its type',
    dedent`
      type T int
      func (T) Run() {}
      func f(n int) { T(n).Run(); (*T)(nil).Run() }
    `,
    ['f -> T.Run'],
  ],
  [
    'a named slice, map or function has its own methods and the elements of what it stands for',
    `type A struct{}
     func (A) Run() {}
     type List []A
     func (l List) Each() { for _, a := range l { a.Run() } }
     type Make func() A
     func (m Make) Then() { m().Run() }
     func f(l List, m Make) { l.Each(); l[0].Run(); m.Then() }`,
    ['List.Each -> A.Run', 'Make.Then -> A.Run', 'f -> A.Run', 'f -> List.Each', 'f -> Make.Then'],
  ],
  [
    'an alias has the methods of the type that it stands for',
    dedent`
      type A struct{}
      func (A) Run() {}
      type B = A
      func f(b B) { b.Run() }
    `,
    ['f -> A.Run'],
  ],
  [
    'a generic type gives its argument back',
    `type A struct{}
     func (A) Run() {}
     type List[T any] struct{ items []T }
     func (l *List[E]) First() E { return l.items[0] }
     func f(l *List[*A]) { l.First().Run() }`,
    ['f -> A.Run', 'f -> List.First'],
  ],
  [
    'a generic function is called with and without its type arguments, and gives what they say',
    `type A struct{}
     func (A) Run() {}
     func make1[T any]() T { var t T; return t }
     func same[T any](t T) T { return t }
     func f(a A) { make1[A]().Run(); same(a).Run() }
     func g(a A) { same[A](a).Run() }`,
    ['f -> A.Run', 'f -> make1', 'f -> same', 'g -> A.Run', 'g -> same'],
  ],
  [
    'a type parameter has the methods of its constraint',
    dedent`
      type I interface{ Run() }
      func f[T I](t T) { t.Run() }
      type Box[T I] struct{ in T }
      func (b Box[T]) Do() { b.in.Run() }
    `,
    ['Box.Do -> I.Run', 'f -> I.Run'],
  ],
  [
    'what a closure calls belongs to the function around it',
    dedent`
      func run(f func()) { f() }
      func leaf() {}
      func f() { run(func() { leaf() }); g := func() { leaf() }; g() }
    `,
    ['f -> leaf', 'f -> run'],
  ],
  [
    'the result of a function value is known by its type',
    dedent`
      type A struct{}
      func (A) Run() {}
      type S struct{ make func() *A }
      func f(s S) { s.make().Run(); g := func() A { return A{} }; g().Run() }
    `,
    ['f -> A.Run'],
  ],
  [
    'a call of a variable is no call of the function that it holds at first',
    dedent`
      var hook = fallback
      func fallback() {}
      func f() { hook() }
    `,
    [],
  ],
  [
    'a local name hides the one of the package from its declaration on',
    dedent`
      func name() string { return "" }
      func run() {}
      func f() { name := name(); _ = name; run := 1; _ = run }
      func g() { { run := func() {}; run() }; run() }
    `,
    ['f -> name', 'g -> run'],
  ],
  [
    'an inner declaration may be made of the outer variable of the same name',
    dedent`
      type A struct{}
      func (a A) Next() *B { return nil }
      type B struct{}
      func (b *B) Next() *A { return nil }
      func f(x A) { if x := x.Next(); x != nil { x.Next() } }
    `,
    ['f -> A.Next', 'f -> B.Next'],
  ],
  [
    'a parameter may have the name of the package that its type is from',
    {
      'go.mod': 'module example.com/app',
      'main.go': dedent`
        package main
        import "example.com/app/table"
        func f(table *table.Table) { table.Run() }
      `,
      'table/table.go': dedent`
        package table
        type Table struct{}
        func (*Table) Run() {}
      `,
    },
    ['f -> Table.Run'],
  ],
  [
    'a receiver may have the name of its type',
    dedent`
      type app struct{}
      func (app *app) run() { app.stop() }
      func (app app) stop() {}
    `,
    ['app.run -> app.stop'],
  ],
  [
    'a variable may have the name of the package that its type is from',
    {
      'go.mod': 'module example.com/app',
      'main.go': dedent`
          package main
          import "example.com/app/table"
          func f(v any) { table := v.(table.Table); table.Run() }
        `,
      'table/table.go': dedent`
        package table
        type Table struct{}
        func (Table) Run() {}
      `,
    },
    ['f -> Table.Run'],
  ],
  [
    "elements of another package's variable have their type",
    {
      'go.mod': 'module example.com/app',
      'main.go': dedent`
        package main
        import "example.com/app/a"
        func f(i int) { a.All[i].Run() }
      `,
      'a/a.go': dedent`
        package a
        type A struct{}
        func (A) Run() {}
        var All []A
      `,
    },
    ['f -> A.Run'],
  ],
  [
    "the standard library's generics give the type that they were asked for",
    `type A struct{}
     func (*A) Run() {}
     func (*A) Error() string { return "" }
     func f(err error) { if a, ok := errors.AsType[*A](err); ok { a.Run() } }
     var current atomic.Pointer[A]
     func g() { current.Load().Run() }
     func all() iter.Seq2[int, *A] { return nil }
     func h() { for _, a := range all() { a.Run() } }
     var once = sync.OnceValue(func() *A { return nil })
     func i() { once().Run() }`.replace(/^/, 'import ("errors"; "iter"; "sync"; "sync/atomic")\n'),
    ['f -> A.Run', 'g -> A.Run', 'h -> A.Run', 'h -> all', 'i -> A.Run'],
  ],
  [
    'of declarations for several platforms those of the usual build count, unless another platform asks',
    {
      'open_windows.go': dedent`
        package p
        func open() { win() }
        func win() {}
        func onWindows() { open() }
      `,
      'open_linux.go': 'package p\nfunc open() int { return 0 }',
      'all.go': 'package p\nfunc all() { open(); win() }',
    },
    ['all -> open', 'all -> win', 'onWindows -> open', 'open -> win'],
  ],
  ...[
    '//go:build (darwin || windows) && amd64 || ignore',
    '//go:build !(linux && amd64)',
    '//go:build go1.99 && !legacy',
    '// +build windows,amd64 darwin\n// +build cgo',
  ].map((constraint): [string, Sources, string[]] => [
    `a file under ${JSON.stringify(constraint)} counts only where no other says the same`,
    {
      'a.go': `// Copyright\n\n${constraint}\n\npackage p\nvar it A\ntype A struct{}\nfunc (A) Run() {}`,
      'b.go': '//go:build linux && !race || go1.2\n\npackage p\nvar it B\ntype B struct{}\nfunc (B) Run() {}',
      'c.go': 'package p\nfunc f() { it.Run() }',
    },
    ['f -> B.Run'],
  ]),
  [
    'generated text of thousands of parts is read to its end',
    `func f() string { return ${'"a" +\n'.repeat(20_000)}end() }\nfunc end() string { return "" }`,
    ['f -> end'],
  ],
  [
    "the language's own functions are known unless the package has one of that name",
    dedent`
      type A struct{}
      func (A) Run() {}
      func max(a A) A { return a }
      func f(as []A) { append(as, A{})[0].Run(); len(as) }
      func g(a A) { max(a).Run() }
    `,
    ['f -> A.Run', 'g -> A.Run', 'g -> max'],
  ],
  [
    'constants and package variables have their types',
    dedent`
      type Color int
      func (Color) String() string { return "" }
      const (
      \tRed Color = iota
      \tGreen
      )
      const (
      \tA = Color(iota)
      \tB
      )
      var shade = Red
      func f() { Green.String() }
      func g() { shade.String() }
      func h() { B.String() }
    `,
    ['f -> Color.String', 'g -> Color.String', 'h -> Color.String'],
  ],
];

const asFiles = (sources: string | Sources): Sources =>
  typeof sources === 'string' ? { 'main.go': `package main\n${sources}\n` } : sources;

describe('Go: who calls whom', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      expect(await edgesOf(asFiles(sources))).to.deep.equal(edges);
    });
  }
});

describe('Go: who inherits from whom', () => {
  it('embedding inherits, in structs and interfaces, over packages and of generic types', async () => {
    const edges = await edgesOf(
      {
        'go.mod': 'module example.com/app',
        'a/a.go': dedent`
          package a
          type Base struct{}
          type Box[T any] struct{}
          type I interface{}

        `,
        'b.go': dedent`
            package b
            import "example.com/app/a"
            type S struct { *a.Base; a.Box[int]; named a.I }
            type J interface { a.I; Run() }

          `,
      },
      'INHERITS',
    );
    expect(edges).to.deep.equal(['J -> I', 'S -> Base', 'S -> Box']);
  });
});

describe('Go: what a definition tells', () => {
  const source = `package p

// Client talks to a server.
// It is safe for concurrent use.
//
// More of it.
type Client struct{}

//go:noinline
// Do sends one request.
func (c *Client) Do(
	req string,
) (n int, err error) {
	return 0, nil
}

type (
	// Doer does.
	Doer interface {
		// Do it.
		Do(req string) (int, error)
	}
	hidden []string
)

/* Helper helps. */
func helper[T any](ts ...T) {}
`;
  const definitions = async () => {
    const [file] = await factsOf({ 'p.go': source });
    return new Map(file?.facts.definitions.map((definition) => [definition.qualifiedName, definition]));
  };

  it('the signature is one line, as written', async () => {
    const known = await definitions();
    expect([...known.values()].map(({ signature }) => signature)).to.deep.equal([
      'type Client struct',
      'func (c *Client) Do(req string) (n int, err error)',
      'type Doer interface',
      'Do(req string) (int, error)',
      'type hidden []string',
      'func helper[T any](ts ...T)',
    ]);
  });

  it('the first paragraph of the comment right above documents it, without directives', async () => {
    const known = await definitions();
    expect([...known].map(([name, { doc }]) => [name, doc])).to.deep.equal([
      ['Client', 'Client talks to a server. It is safe for concurrent use.'],
      ['Client.Do', 'Do sends one request.'],
      ['Doer', 'Doer does.'],
      ['Doer.Do', 'Do it.'],
      ['hidden', null],
      ['helper', 'Helper helps.'],
    ]);
  });

  it('what starts with a capital letter is exported, and lines run from the name to the closing brace', async () => {
    const known = await definitions();
    expect([...known].map(([name, { exported, line, endLine }]) => [name, exported, line, endLine])).to.deep.equal([
      ['Client', true, 7, 7],
      ['Client.Do', true, 11, 15],
      ['Doer', true, 19, 22],
      ['Doer.Do', true, 21, 21],
      ['hidden', false, 23, 23],
      ['helper', false, 27, 27],
    ]);
  });
});
