import { expect } from 'chai';
import { edgesOf, type Sources } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

/** What is called in sources, a guarantee a row; a text alone is the file `a.ts`. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'a parameter’s annotation says whose method is called',
    'class C { b() {} }\nfunction a(c: C, d?: C | null) { c.b(); d?.b() }',
    ['a -> C.b'],
  ],
  [
    'a method of an interface is called there',
    dedent`
      interface I { b(): void }
      class C implements I { b() {} }
      function a(i: I) { i.b() }
    `,
    ['a -> I.b'],
  ],
  [
    'an overloaded function is called at the declaration with the body',
    dedent`
      function b(x: string): void
      function b(x: number): void
      function b(x: any) {}
      class C { m(x: 1): void; m(x: any) {} }
      function a(c: C) { b(1); c.m(1) }
    `,
    ['a -> C.m', 'a -> b'],
  ],
  [
    'of overloads without a body the arguments choose one',
    dedent`
      class X {} class Y {}
      interface I { b(x: X): { x(): void }; b(x: X, y: Y): { y(): void } }
      function a(i: I, x: X, y: Y) { i.b(x, y).y(); i.b(x).x() }
    `,
    ['a -> I.b', 'a -> I.b', 'a -> I.b.x', 'a -> I.b.y'],
  ],
  [
    'parameter properties are fields',
    dedent`
      class R { find() {} }
      class S { constructor(private readonly repo: R) {}
      get() { this.repo.find() } }
    `,
    ['S.get -> R.find'],
  ],
  [
    'fields with a type or an initial value are known',
    dedent`
      class R { find() {} }
      class S { a: R; b = new R(); static c = new R()
      m() { this.a.find(); this.b.find(); S.c.find() } }
    `,
    ['S.m -> R.find'],
  ],
  [
    'abstract classes are called at the abstract method, subclasses at their own',
    dedent`
      abstract class B { abstract x(): void
      run() { this.x() } }
      class C extends B { x() {} }
      function a(c: C) { c.x(); c.run() }
    `,
    ['B.run -> B.x', 'a -> B.run', 'a -> C.x'],
  ],
  [
    'type arguments reach through classes, bases and methods',
    dedent`
      class C { b() {} }
      class Box<T> { constructor(readonly value: T) {}
      get(): T { return this.value } }
      class Sub extends Box<C> {}
      function a(x: Box<C>, y: Sub) { x.get().b(); y.value.b(); new Box(new C()).get().b() }
    `,
    ['a -> Box', 'a -> Box.get', 'a -> C', 'a -> C.b'],
  ],
  [
    'a type parameter without an argument has its bound’s members',
    'class C { b() {} }\nfunction a<T extends C>(x: T) { x.b() }',
    ['a -> C.b'],
  ],
  [
    'type parameters are learnt from arguments and from callbacks',
    dedent`
      class C { b() {} }
      function id<T>(x: T): T { return x }
      function call<R>(f: () => R): R { return f() }
      function a() { id(new C()).b(); call(() => new C()).b() }
    `,
    ['a -> C', 'a -> C.b', 'a -> call', 'a -> id'],
  ],
  [
    'a callback’s parameters have the types that its place asks for',
    dedent`
      class C { b() {} }
      function each(f: (c: C) => void) {}
      const on: { go: (c: C) => void } = { go: (c) => c.b() }
      function a() { each((c) => c.b()) }
    `,
    ['a -> C.b', 'a -> each', 'go -> C.b'],
  ],
  [
    'this in a callback is what its type says',
    dedent`
      class C { b() {} }
      function run(f: (this: C) => void) {}
      function a() { run(function () { this.b() }) }
    `,
    ['a -> C.b', 'a -> run'],
  ],
  [
    'results without an annotation are followed over files',
    {
      'a.ts': "import { make } from './b.ts'\nexport function a() { make().b() }",
      'b.ts': "import { C } from './c.ts'\nexport function make() { return new C() }",
      'c.ts': 'export class C { b() {} }',
    },
    ['a -> C.b', 'a -> make', 'make -> C'],
  ],
  [
    'a specifier that ends in .js means the source that it is built from',
    { 'a.ts': "import { b } from './b.js'\nfunction a() { b() }", 'b.ts': 'export function b() {}' },
    ['a -> b'],
  ],
  [
    'a type-only import gives types',
    {
      'a.ts': dedent`
          import type { C } from './c'
          import { type D as E } from './c'
          function a(c: C, e: E) { c.b(); e.d() }
        `,
      'c.ts': 'export class C { b() {} }\nexport interface D { d(): void }',
    },
    ['a -> C.b', 'a -> D.d'],
  ],
  [
    'paths and baseUrl of tsconfig.json are followed, also through extends and comments',
    {
      'tsconfig.json': '{ // base\n "extends": "./tsconfig.base.json", }',
      'tsconfig.base.json': '{"compilerOptions":{"baseUrl":"./src","paths":{"@/*":["*"],"one":["lib/one.ts"]}}}',
      'src/a.ts': dedent`
          import { b } from '@/lib/b'
          import { c } from 'one'
          import { d } from 'lib/d'
          function a() { b(); c(); d() }
        `,
      'src/lib/b.ts': 'export function b() {}',
      'src/lib/one.ts': 'export function c() {}',
      'src/lib/d/index.ts': 'export function d() {}',
    },
    ['a -> b', 'a -> c', 'a -> d'],
  ],
  [
    'a workspace package is found by its name and its exports, built files at their sources',
    {
      'packages/app/a.ts': dedent`
        import { b } from '@x/lib'
        import { c } from '@x/lib/sub'
        function a() { b(); c() }
      `,
      'packages/lib/package.json':
        '{"name":"@x/lib","exports":{".":{"types":"./dist/index.d.ts","import":"./dist/index.js"},"./*":"./dist/*.js"}}',
      'packages/lib/src/index.ts': 'export function b() {}',
      'packages/lib/src/sub.ts': 'export function c() {}',
    },
    ['a -> b', 'a -> c'],
  ],
  [
    'imports of the package itself by # are followed',
    {
      'package.json': '{"imports":{"#lib/*":"./src/*.ts"}}',
      'src/a.ts': "import { b } from '#lib/b'\nfunction a() { b() }",
      'src/b.ts': 'export function b() {}',
    },
    ['a -> b'],
  ],
  [
    'a namespace gives what it exports',
    dedent`
      namespace N { export function b() {}
      export class C { m() {} } }
      function a(c: N.C) { N.b(); c.m() }
    `,
    ['a -> N.C.m', 'a -> N.b'],
  ],
  [
    'an abstract class and a namespace of its name are one, over files',
    {
      'a.ts': dedent`
        import { B } from './b.ts'
        class C extends B { m() { super.m(); this.n() } }
      `,
      'b.ts': 'export abstract class B { m() {} n() {} }\nexport namespace B { export const enum State { On } }',
    },
    ['C.m -> B.m', 'C.m -> B.n'],
  ],
  [
    'a name can be a type and a value at once, over files',
    {
      'a.ts': dedent`
        import { C } from './b.ts'
        class D extends C { d() { this.b() } }
        function a(c: C) { c.b() }
      `,
      'b.ts': 'export interface C { b(): void }\nexport const C: new () => C = make()',
    },
    ['D.d -> C.b', 'a -> C.b'],
  ],
  [
    'an alias stands for its type, with its arguments',
    dedent`
      class C { b() {} }
      type Maybe<T> = T | undefined
      type F = () => C
      function a(x: Maybe<C>, f: F) { x!.b(); f().b() }
    `,
    ['a -> C.b'],
  ],
  [
    'indexed, typeof and utility types are seen through',
    dedent`
      class C { b() {} }
      const c = new C()
      interface I { x: { y: C } }
      function make() { return new C() }
      function a(p: I["x"]["y"], q: typeof c, r: ReturnType<typeof make>, s: Partial<C>) { p.b(); q.b(); r.b(); s.b() }
    `,
    ['a -> C.b', 'make -> C'],
  ],
  [
    'casts and satisfies keep or set the type',
    'class C { b() {} }\nfunction a(x: unknown) { (x as C).b(); (<C>x).b(); (new C() satisfies object).b() }',
    ['a -> C', 'a -> C.b'],
  ],
  [
    'arrays, maps and promises give their elements',
    'class C { b() {} }\nasync function a(xs: C[], m: Map<string, C>, p: Promise<C>) { xs[0].b(); for (const x of xs) x.b(); m.get("k")?.b(); (await p).b(); xs.filter(Boolean).map((x) => x.b()) }',
    ['a -> C.b'],
  ],
  [
    'a variable keeps its declared type whatever is assigned',
    dedent`
      interface I { b(): void }
      class C implements I { b() {} }
      function a() { let i: I; i = new C(); i.b() }
    `,
    ['a -> C', 'a -> I.b'],
  ],
  [
    'taking an object apart keeps the types of its parts',
    dedent`
      class C { b() {} }
      interface O { c: C; d?: { e: C } }
      function a({ c, d: { e } }: O) { c.b(); e.b() }
    `,
    ['a -> C.b'],
  ],
  [
    'a predicate narrows its argument, any other test leaves it',
    dedent`
      class C { b() {} } class D { d() {} }
      function isC(x: unknown): x is C { return true }
      function ok(x: D) { return true }
      function a(x: unknown, y: D) { if (isC(x)) x.b(); if (ok(y)) y.d() }
    `,
    ['a -> C.b', 'a -> D.d', 'a -> isC', 'a -> ok'],
  ],
  [
    'an exclamation mark belongs to the operand right before it',
    dedent`
      class C { b() { return 1 } }
      function d() { return 1 }
      function a(c?: C) { return d() - c!.b() }
    `,
    ['a -> C.b', 'a -> d'],
  ],
  [
    'an import written as a type gives its types',
    {
      'a.ts': 'function a(c: import("./b").C, m: typeof import("./b")) { c.b(); m.d() }',
      'b.ts': 'export class C { b() {} }\nexport function d() {}',
    },
    ['a -> C.b', 'a -> d'],
  ],
  [
    'a decorator that is called counts for nobody but is found',
    dedent`
      function Dec() { return mark() }
      function mark() {}
      @Dec() class C {}
    `,
    ['Dec -> mark'],
  ],
  [
    'TSX components are called with their element',
    {
      'a.tsx': "import { B } from './b'\nexport const A = () => <B<string> x={1} />",
      'b.tsx': 'export function B() { return null }',
    },
    ['A -> B'],
  ],
  [
    'import x = require() gives the module',
    { 'a.ts': "import m = require('./b')\nfunction a() { m.b() }", 'b.ts': 'function b() {}\nexport = { b }' },
    ['a -> b'],
  ],
  [
    'a type that is a template with escaped backticks costs nothing',
    dedent`
      type M<U extends string> =
        \`Missing \\\`Self\\\` - use \\\`\${U}<Self>()({ ... })\\\`\`
      function a() { return b(\`\\\`\${c()}\\\\\`) }
      function b(s: string) {}
      function c() {}
    `,
    ['a -> b', 'a -> c'],
  ],
  [
    'a variable keeps the type parameter that it is first given',
    dedent`
      interface Item<T> { next(): T; b(): void }
      function a<I extends Item<I>>(first: I) { for (let it = first; it; it = it.next()) it.b() }
    `,
    ['a -> Item.b', 'a -> Item.next'],
  ],
  [
    'of overloads the one that takes nothing is chosen where nothing is passed',
    dedent`
      class X { b() {} }
      class S { x(): X; x(value: X): this; x(value?: X): any { return this } }
      function a(s: S) { s.x().b(); s.x(new X()).x().b() }
    `,
    ['a -> S.x', 'a -> X', 'a -> X.b'],
  ],
  [
    'what a type says of every key is the type of elements',
    dedent`
      class X { b() {} }
      interface I { [key: string]: X } type T = { [key: string]: X }
      class S { f: { [key: number]: X } = {}
      m(k: number) { this.f[k].b() } }
      function i(x: I, k: string) { x[k].b() }
      function t(x: T, k: string) { x[k].b() }
    `,
    ['S.m -> X.b', 'i -> X.b', 't -> X.b'],
  ],
];

describe('TypeScript', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      expect(await edgesOf(typeof sources === 'string' ? { 'a.ts': sources } : sources)).to.deep.equal(edges);
    });
  }

  it('classes and interfaces inherit by extends and implements, over files, namespaces and type arguments', async () => {
    const sources = {
      'a.ts': dedent`
          import { B, type I } from './b.ts'
          import * as b from './b.ts'
          class A extends B<string> implements I, b.J {}
          interface K extends I, b.J {}
        `,
      'b.ts': dedent`
        export class B<T> {}
        export interface I {}
        export interface J {}
      `,
    };
    expect(await edgesOf(sources, 'INHERITS')).to.deep.equal(['A -> B', 'A -> I', 'A -> J', 'K -> I', 'K -> J']);
  });
});
