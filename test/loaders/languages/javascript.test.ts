import { expect } from 'chai';
import { edgesOf, factsOf, type Sources } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

/** What is called in sources, a guarantee a row; a text alone is the file `a.js`. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'a function is called by its name before and after its declaration',
    'function a() { b() } function b() { a() }',
    ['a -> b', 'b -> a'],
  ],
  [
    'a local name hides the function of the same name outside',
    'function b() {} function a() { const b = other(); b() }',
    [],
  ],
  ['a parameter hides the function of the same name outside', 'function b() {} function a(b) { b() }', []],
  ['an arrow function has the name of its variable', 'const b = () => {}; const a = () => b()', ['a -> b']],
  [
    'what an anonymous function calls belongs to the nearest named one',
    'function b() {} function a(xs) { xs.forEach(() => { [1].map(function () { b() }) }) }',
    ['a -> b'],
  ],
  ['what the top of a file calls belongs to nobody', 'function b() {} b()', []],
  [
    'a named import leads to the exported function',
    { 'a.mjs': "import { b as c } from './b.mjs'\nexport function a() { c() }", 'b.mjs': 'export function b() {}' },
    ['a -> b'],
  ],
  [
    'a default import leads to the default export',
    { 'a.js': "import f from './b.js'\nfunction a() { f() }", 'b.js': 'export default function b() {}' },
    ['a -> b'],
  ],
  [
    'a namespace import gives the module’s names',
    { 'a.js': "import * as m from './b.js'\nfunction a() { m.b() }", 'b.js': 'export const b = () => {}' },
    ['a -> b'],
  ],
  [
    'an import is followed through barrels and renaming re-exports',
    {
      'a.js': "import { z, y } from './index.js'\nfunction a() { z(); y() }",
      'index.js': "export * from './c.js'\nexport { b as z } from './b.js'",
      'b.js': 'export function b() {}',
      'c.js': "export * from './d.js'",
      'd.js': 'export function y() {}',
    },
    ['a -> b', 'a -> y'],
  ],
  [
    'barrels that import each other end',
    {
      'a.js': "import { x } from './b.js'\nfunction a() { x() }",
      'b.js': "export * from './c.js'",
      'c.js': "export * from './b.js'",
    },
    [],
  ],
  [
    'an import from outside calls nothing of the same name inside',
    { 'a.js': "import { b } from 'elsewhere'\nfunction a() { b() }", 'b.js': 'export function b() {}' },
    [],
  ],
  [
    'module.exports = function is what require gives',
    { 'a.js': "const b = require('./b')\nfunction a() { b() }", 'b.js': 'module.exports = function named() {}' },
    ['a -> named'],
  ],
  [
    'an unnamed function given to module.exports is called exports',
    { 'a.js': "function a() { require('./b')() }", 'b.js': 'module.exports = () => {}' },
    ['a -> exports'],
  ],
  [
    'module.exports = {…} gives its members, also taken apart',
    {
      'a.js': "const { b, c: d } = require('./b')\nfunction a() { b(); d() }",
      'b.js': 'function b() {}\nmodule.exports = { b, c() {} }',
    },
    ['a -> b', 'a -> c'],
  ],
  [
    'exports.x = and module.exports.x = give members',
    {
      'a.js': "const m = require('./b')\nfunction a() { m.b(); m.c() }",
      'b.js': 'exports.b = function () {}\nmodule.exports.c = function () {}',
    },
    ['a -> b', 'a -> c'],
  ],
  [
    'exports that are called in their own file lead there',
    'exports.b = () => {}\nfunction a() { exports.b(); module.exports.b() }',
    ['a -> b'],
  ],
  [
    'exports that stay the module’s function or object take more members',
    {
      'a.js': "const m = require('./b')\nfunction a() { m(); new m.C().d(); m.list.e() }",
      'b.js': dedent`
          module.exports = function b() { return new exports.C() }
          exports = module.exports
          exports.C = class C { d() {} }
          exports.list = {}
          exports.list.e = function () {}
        `,
    },
    ['a -> C', 'a -> C.d', 'a -> b', 'a -> e', 'b -> C'],
  ],
  [
    'members named by a symbol’s variable are found by it',
    dedent`
      const key = Symbol()
      const o = { [key]() {}, a() { this[key]() } }
      o[key] = 1
    `,
    ['a -> [key]'],
  ],
  [
    'Object.assign(module.exports, …) gives the other object’s members',
    { 'a.js': "const m = require('./b')\nfunction a() { m.b() }", 'b.js': 'Object.assign(module.exports, { b() {} })' },
    ['a -> b'],
  ],
  [
    'a folder stands for its index, a manifest for its main',
    {
      'a.js': dedent`
        const l = require('./lib')
        const p = require('./pkg')
        function a() { l.b(); p.c() }
      `,
      'lib/index.js': 'exports.b = () => {}',
      'pkg/package.json': '{"main":"src/main.js"}',
      'pkg/src/main.js': 'exports.c = () => {}',
    },
    ['a -> b', 'a -> c'],
  ],
  [
    'methods given to a prototype are called on instances',
    dedent`
      function C() {}
      C.prototype.b = function () {}
      function a() { new C().b() }
    `,
    ['a -> C', 'a -> C.b'],
  ],
  [
    'this in a prototype’s method is the instance',
    dedent`
      function C() {}
      C.prototype.a = function () { this.b() }
      C.prototype.b = function () {}
    `,
    ['C.a -> C.b'],
  ],
  [
    'a prototype given as a whole gives its methods',
    dedent`
      function C() {}
      C.prototype = { a() { this.b() }, b() {} }
      function f() { new C().b() }
    `,
    ['C.a -> C.b', 'f -> C', 'f -> C.b'],
  ],
  [
    'util.inherits and Object.setPrototypeOf make a base',
    dedent`
      function B() {}
      B.prototype.b = function () {}
      function C() {}
      util.inherits(C, B)
      function D() {}
      Object.setPrototypeOf(D.prototype, B.prototype)
      function a() { new C().b(); const d = new D(); d.b() }
    `,
    ['a -> B.b', 'a -> C', 'a -> D'],
  ],
  [
    'Object.create(base) has the base’s members',
    dedent`
      const base = { b() {} }
      const o = Object.create(base)
      o.c = function () { this.b() }
      function a() { o.c() }
    `,
    ['a -> c', 'c -> b'],
  ],
  [
    'functions given to an object later are its methods',
    dedent`
      const app = {}
      app.a = function () { this.b() }
      app.b = function () {}
    `,
    ['a -> b'],
  ],
  ['this in an object’s method is the object', 'const o = { a() { this.b() }, b: function () {} }', ['a -> b']],
  [
    'this in a plain callback is not the object around',
    'const o = { a(xs) { xs.forEach(function () { this.b() }) }, b() {} }',
    [],
  ],
  [
    'this in an arrow function is that of the function around',
    'const o = { a(xs) { xs.forEach(() => this.b()) }, b() {} }',
    ['a -> b'],
  ],
  [
    'inherited methods, super and constructors are found up the chain',
    'class B { constructor() { this.x() } x() {} y() {} }\nclass C extends B { constructor() { super(); } z() { super.y(); this.x() } }',
    ['B -> B.x', 'C -> B', 'C.z -> B.x', 'C.z -> B.y'],
  ],
  [
    'a field keeps the class of what the constructor gives it',
    'class B { b() {} }\nclass C { constructor() { this.f = new B() } a() { this.f.b() } }',
    ['C -> B', 'C.a -> B.b'],
  ],
  [
    'this.constructor is the class',
    'class C { constructor() {} clone() { return new this.constructor() } static s() {} t() { this.constructor.s() } }',
    ['C.clone -> C', 'C.t -> C.s'],
  ],
  ['a static method is called on the class', 'class C { static s() {} a() { C.s() } }', ['C.a -> C.s']],
  [
    'what a function returns is known to its callers',
    dedent`
      class C { b() {} }
      function make() { return new C() }
      function a() { make().b() }
    `,
    ['a -> C.b', 'a -> make', 'make -> C'],
  ],
  [
    'a method that returns this can be chained',
    'class C { x() { return this } y() {} }\nfunction a() { new C().x().x().y() }',
    ['a -> C', 'a -> C.x', 'a -> C.y'],
  ],
  [
    'await and async functions hand their result on',
    dedent`
      class C { b() {} }
      async function load() { return new C() }
      async function a() { const c = await load(); c.b() }
    `,
    ['a -> C.b', 'a -> load', 'load -> C'],
  ],
  [
    'elements of arrays, maps and sets keep their class',
    'class C { b() {} }\nfunction a() { for (const c of [new C()]) c.b(); [new C()].map((c) => c.b()) }',
    ['a -> C', 'a -> C.b'],
  ],
  ['instanceof narrows', 'class C { b() {} }\nfunction a(x) { if (x instanceof C) x.b() }', ['a -> C.b']],
  [
    'a JSX element calls its component, an element of the page nothing',
    {
      'a.jsx': dedent`
          function B() {}
          function div() {}
          function A() { return <div><B onClick={() => h()} /></div> }
          function h() {}
        `,
    },
    ['A -> B', 'A -> h'],
  ],
  [
    'a getter’s value is known, reading it is no call',
    'class C { b() {} }\nclass D { get c() { return new C() } a() { this.c.b() } }',
    ['D.a -> C.b', 'D.c -> C'],
  ],
  ['setters and getters have what they call', 'class D { set x(v) { this.check(v) } check() {} }', ['D.x -> D.check']],
  [
    'generators give what they yield',
    dedent`
      class C { b() {} }
      function* g() { yield new C() }
      function a() { for (const c of g()) c.b() }
    `,
    ['a -> C.b', 'a -> g', 'g -> C'],
  ],
];

describe('JavaScript', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      expect(await edgesOf(typeof sources === 'string' ? { 'a.js': sources } : sources)).to.deep.equal(edges);
    });
  }

  it('classes extend classes of other files; a base outside the repository is no edge', async () => {
    const sources = {
      'a.js': dedent`
        import { B } from './b.js'
        class A extends B {}
        class C extends A {}
      `,
      'b.js': 'export class B extends Outside {}',
    };
    expect(await edgesOf(sources, 'INHERITS')).to.deep.equal(['A -> B', 'C -> A']);
  });

  it('doc comments give the types of parameters, results and fields, also from other files', async () => {
    const sources = {
      'a.js':
        '/** @typedef {import("./c.js").C} Alias */\n\n/**\n * @param {Alias} x\n * @returns {Alias[]}\n */\nfunction a(x) { x.b(); return [] }\nfunction f() { a()[0].b() }',
      'c.js': dedent`
        export class C { constructor() {
        /** @type {C[]} */
        this.all = [] }
        b() { this.all[0].d() } d() {} }
      `,
    };
    expect(await edgesOf(sources)).to.deep.equal(['C.b -> C.d', 'a -> C.b', 'f -> C.b', 'f -> a']);
  });

  it('a definition carries its name’s line, its signature and the first paragraph of its doc comment', async () => {
    const source = dedent`
        /**
         * Adds two numbers.
         *
         * Slowly.
         * @param {number} a
         */
        export async function add(a, b = 1) {
          return a + b
        }

      `;
    const [file] = await factsOf({ 'a.js': source });
    const [add] = file?.facts.definitions ?? [];
    expect(add).to.include({
      name: 'add',
      line: 7,
      endLine: 9,
      exported: true,
      isAsync: true,
      doc: 'Adds two numbers.',
      signature: 'async function add(a, b = 1)',
    });
  });

  it('the rest of a file is read where a part of it can’t be', async () => {
    const [file] = await factsOf({
      'a.js': dedent`
      function a() { b() }
      function b() {}
      class { ] oops

    `,
    });
    expect(file?.facts.syntaxErrors).to.be.greaterThan(0);
    expect(file?.facts.definitions.map(({ name }) => name)).to.include.members(['a', 'b']);
  });
});
