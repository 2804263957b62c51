import { expect } from 'chai';
import { resolve } from '../../../loaders/resolution/resolve.ts';
import { edgesOf, factsOf, type Sources } from '../../support/edges-of.ts';
import { dedent } from '../../support/dedent.ts';

/** What is called in sources, a guarantee a row; a text alone is one file. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'constants are found from the innermost module outwards, in whatever files they are',
    {
      'a.rb': 'module App; class A; def f; B.new; Util.go; ::Util.go; App::B.make; end; end; end',
      'b.rb': 'module App; class B; def self.make; end; end; module Util; def self.go; end; end; end',
      'c.rb': 'module Util; def self.go; end; end',
    },
    ['App.A.f -> App.B', 'App.A.f -> App.B.make', 'App.A.f -> App.Util.go', 'App.A.f -> Util.go'],
  ],
  [
    'a class that is opened again is one class, also by its whole name',
    {
      'a.rb': 'module M; class A; def f; g; h; end; end; end',
      'b.rb': 'module M; class A; def g; end; end; end',
      'c.rb': 'class M::A; def h; f; end; end',
    },
    ['M.A.f -> M.A.g', 'M.A.f -> M.A.h', 'M.A.h -> M.A.f'],
  ],
  [
    'a name that is no variable is a message to self, of an instance or of the class',
    'class A; def f; go; x = 1; x; self.go; self.class.make; end; def go; end; def x; end; def self.make; build; end; class << self; def build; end; end; end',
    ['A.f -> A.go', 'A.f -> A.make', 'A.make -> A.build'],
  ],
  [
    'receivers are known by assignment, instance variables, accessors, results and what callers pass',
    'class B; def go; self; end; end; class A; attr_reader :b; def initialize; @b = B.new; end; def f; @b.go; b.go.go; y = make; y.go; use(B.new); end; ' +
      'def make; B.new; end; def use(z); z.go; end; def lazy; @lazy ||= B.new; end; def g; lazy.go; end; end',
    [
      'A -> B',
      'A.f -> A.make',
      'A.f -> A.use',
      'A.f -> B',
      'A.f -> B.go',
      'A.g -> A.lazy',
      'A.g -> B.go',
      'A.lazy -> B',
      'A.make -> B',
      'A.use -> B.go',
    ],
  ],
  [
    'on a receiver without a type a method is meant whose name nothing else has, but none that Ruby has, that a value has or that takes too much',
    {
      'a.rb':
        'class A; attr_reader :held; def only(x); end; def scan; end; def none; end; def held_too; end; end; class B; attr_reader :held_too; end\n' +
        'class C; def f(x) x.only(1); end; def g(x) x.only; end; def h(x) x.scan; end; def i(x) x.none(1); end; def j(x) x.held_too; end; def k; "".only(1); C.only(1); end; end',
    },
    ['C.f -> A.only'],
  ],
  [
    'two or three of one family of classes are meant, and not two of different ones',
    'class A; end; class B < A; def go; end; def far; end; end; class C < A; def go; end; end; class D; def far; end; end\n' +
      'class E; def many; end; end; class F; def many; end; end; class G; def many; end; end; class H; def many; end; end\n' +
      'def f(x) x.go; end; def g(x) x.far; end; def h(x) x.many; end',
    ['f -> B.go', 'f -> C.go'],
  ],
  [
    'the name of a receiver tells no method that a class of another name above has, too',
    'class Base; def fits(x); end; end; class Pattern < Base; def fits(x); end; end; class Short < Pattern; def fits(x); end; end; ' +
      'class Any < Base; def fits(x); end; end; def f(pattern) pattern.fits(1); end',
    [],
  ],
  [
    'what else is called on a receiver, or its name, tells which method is meant, also of a name that Ruby has',
    dedent`
      class Door; def swing; end; def latch; end; end; class Gate < Door; def close; end; end; class Jar; def swing; end; def close; end; def seal; end; end
      class Box; def close; end; end; class Can; def close; end; end; class PaintCan; def wash; end; def wipe; end; end; class Rag; def wash; end; def wipe; end; end
      def f(x) x.swing; x.latch; x.close; end
      def g(x) x.close; end
      def h(paint_can) paint_can.wash; end
      class User; def initialize(x); @x = x; end; def one; @x.close; end; def two; @x.seal; end; end
    `,
    [
      'User.one -> Jar.close',
      'User.two -> Jar.seal',
      'f -> Door.latch',
      'f -> Door.swing',
      'f -> Gate.close',
      'h -> PaintCan.wash',
    ],
  ],
  [
    'of many methods of a name the one is meant that takes what is given, and of a hundred and more none',
    Array.from(
      { length: 100 },
      (_, n) => `class A${n}; def many(x); end; ${n < 50 ? 'def few(x); end; ' : ''}end; `,
    ).join('') + 'class B; def many; end; def few; end; end; def f(x) x.many; x.few; end',
    ['f -> B.few'],
  ],
  [
    'a mixin that nothing here uses may have what anything has',
    'module M; def f; only; self.class.make; end; end; class A; def only; end; def self.make; end; end; class B; def g; only; end; end',
    ['M.f -> A.make', 'M.f -> A.only'],
  ],
  [
    'a method that only the classes below have is called in them',
    'class A; def run; step; end; end; class B < A; def step; end; end; class C < B; def step; end; end; class D; def step; end; end',
    ['A.run -> B.step', 'A.run -> C.step'],
  ],
  [
    'a block takes what its method yields',
    'class A; def go; end; end; class B; def each_a(n) 3.times { yield A.new, n }; end; def f; each_a(1) { |a, n| a.go; n.go }; end; end',
    ['B.each_a -> A', 'B.f -> A.go', 'B.f -> B.each_a'],
  ],
  [
    'a singleton gives its one instance, and an instance makes none',
    'class A; include Singleton; def go; new; A.instance.stay; end; def stay; end; end; class B; def stay; end; def f; A.instance.go; end; end',
    ['A.go -> A.stay', 'B.f -> A.go'],
  ],
  [
    'what a mixin gives in `included` those that mix it in have, too',
    dedent`
      module Shell; def say; end; end
      module Finders; def find; end; end
      module Base
        class << self
          def included(base)
            super(base)
            base.extend Finders
            base.send :include, Shell
          end
        end
      end
      class A
        include Base
        def f; say; self.class.find; end
      end
    `,
    ['A.f -> Finders.find', 'A.f -> Shell.say'],
  ],
  [
    'what a mixin extends its classes with their instances have not, which have what is above',
    dedent`
      module Finders; def find; end; end
      module Base
        def self.included(base); base.extend Finders; base.extend ClassMethods; end
        module ClassMethods; def make; end; end
      end
      class Model; def find; end; def make; end; end
      class A < Model
        include Base
        def f; find; make; end
        def self.g; find; make; end
      end
      class B; include Base; def f; find; end; end
    `,
    ['A.f -> Model.find', 'A.f -> Model.make', 'A.g -> Base.ClassMethods.make', 'A.g -> Finders.find'],
  ],
  [
    'a class that is written in another from outside has its own bases, and the other has none of them',
    {
      'a.rb': 'class T; module B; def z; end; end; def y; z; end; end',
      'b.rb': 'class T::G; include T::B; def y; z; end; end',
    },
    ['T.G.y -> T.B.z'],
  ],
  [
    'what a mixin has in ClassMethods its classes have',
    'module M; def self.included(base) base.extend ClassMethods; end; module ClassMethods; def make; end; end; end; class A; include M; make; def f; self.class.make; end; end',
    ['A.f -> M.ClassMethods.make'],
  ],
  [
    'a method is passed what the one is that it has the place of',
    'class C; def go; end; end; class D; def go; end; end; class A; def f; step(C.new); end; def step(c); end; end; class B < A; def step(c); c.go; end; end',
    ['A.f -> A.step', 'A.f -> B.step', 'A.f -> C', 'B.step -> C.go'],
  ],
  [
    'blocks see the variables around them and get the elements',
    'class B; def go; end; end; def f(n) b = B.new; n.times { b.go }; [B.new].each { |x| x.go }; n.each { |b| b.go }; end',
    ['f -> B', 'f -> B.go'],
  ],
  [
    'an accessor gives what it holds, a bare `new` makes one of the class, and `dup` is another of the same',
    dedent`
      class B; def go; end; end
      class A
       attr_reader :b
       def initialize; @b = B.new; end
       def f; b.go; end
       def g; dup.f; end
       def self.make; new.g; end
      end
      class C; def h; x = A.new; x.b.go; end; end

    `,
    ['A -> B', 'A.f -> B.go', 'A.g -> A.f', 'A.make -> A', 'A.make -> A.g', 'C.h -> A', 'C.h -> B.go'],
  ],
  [
    'mixins give their methods, after those of the class and before those above it; `super` goes up',
    'module M; def one; end; def two; end; end; class P; def two; end; def three; end; end; ' +
      'class A < P; include M; def one; super; end; def f; one; two; three; end; def initialize; super; end; end',
    ['A.f -> A.one', 'A.f -> M.two', 'A.f -> P.three', 'A.one -> M.one'],
  ],
  [
    'where a condition or a `when` says what a variable is, it is so inside',
    'class B; def go; end; end; class C; def go; end; end; def f(x) case x when B then x.go end; if x.is_a?(C) then x.go end; end',
    ['f -> B.go', 'f -> C.go'],
  ],
  [
    'methods by name, aliases and classes made by a call are definitions too',
    'class A; define_method(:dyn) { go }; def go; end; alias_method :went, :go; def f; dyn; went; end; end; P = Struct.new(:x) do def d; x; e; end; def e; end; end; ' +
      'def t; P.new(1).d; end',
    ['A.dyn -> A.go', 'A.f -> A.dyn', 'A.f -> A.go', 'P.d -> P.e', 't -> P', 't -> P.d'],
  ],
  [
    'a class method called `new` is called in place of the class',
    'class A; def self.new(x); super(); end; def go; end; end; class B < A; end; class C; end; def t; A.new(1).go; C.new; end',
    ['t -> A.go', 't -> A.new', 't -> C'],
  ],
  [
    'what is not defined in the repository makes no edge, whatever its name',
    'class A; def run; end; end; def f(io) File.open("x").run; JSON.run; io.other.run; puts 1; end',
    [],
  ],
  [
    'a mixin finds what the classes have that it is mixed into, where they are few',
    dedent`
      module Env; def get; end; end; module Helpers; def params; get; end; def own; params; end; end
      class Request; include Env; include Helpers; end; class Other; def get; end; end
      module Common; def f; get; end; end; 
    ` + Array.from('ABCDEFGHIJKLM', (name) => `class ${name}; include Common; include Env; end`).join('; '),
    ['Helpers.own -> Helpers.params', 'Helpers.params -> Env.get'],
  ],
  [
    'an index is the method `[]`',
    'class A; def go; end; end; class B; def go; end; end; class L; def [](key) = A.new; end; def f; L.new[1].go; end',
    ['L.[] -> A', 'f -> A.go', 'f -> L', 'f -> L.[]'],
  ],
  [
    'an element that is read and given calls `[]` and `[]=`, also by other names, and a class gives what its own `[]` does',
    'class A; def go; end; end; class L; def get(k) = @a; def set(k, v) = @a; alias [] get; alias :[]= :set; def self.[](x) = A.new; end\n' +
      'def f(k) l = L.new; l[k] ||= 1; L[k].go; [A.new][0].go; end; def g; l = L.new; l[1] = 2; end',
    ['L.[] -> A', 'f -> A', 'f -> A.go', 'f -> L', 'f -> L.[]', 'f -> L.get', 'f -> L.set', 'g -> L', 'g -> L.set'],
  ],
  [
    '`super` in a constructor is the constructor above, of a mixin what comes after it in the class',
    'class P; def initialize(b); @b = b; @b.go; end; end; module M; def initialize(x); super; end; end\n' +
      'class A < P; include M; def initialize(b); super(b); end; end; class B; def go; end; end; def t; A.new(B.new); P.new(B.new); end',
    ['A -> M.initialize', 'M -> P.initialize', 'P -> B.go', 't -> A', 't -> B', 't -> P'],
  ],
  [
    'an instance has none of the methods that are its class’s own',
    'class P; def parse; end; end; class A < P; def self.parse; a = new; a.parse; end; end',
    ['A.parse -> A', 'A.parse -> P.parse'],
  ],
  [
    'what an accessor is given is what it gives, of a class too; a block of `tap` has its receiver, `inherited` the new class',
    dedent`
      class B; def go; end; end; class A; class << self; attr_accessor :made; def reset; end; alias make new; end
       self.made = B.new
       def self.inherited(other); super; other.reset; end; def go; end; end
      def f; A.made.go; B.new.tap { |b| b.go }; A.make.go; end
    `,
    ['A.inherited -> A.reset', 'f -> A.go', 'f -> B', 'f -> B.go'],
  ],
  [
    'elements of an array that is taken apart are each at their place',
    'class A; def go; end; end; class B; def run; end; def go; end; end; def pair = [A.new, B.new]\ndef f; a, b = pair; a.go; b.run; end; def g; pair.each { |x| x.go }; end',
    ['f -> A.go', 'f -> B.run', 'f -> pair', 'g -> A.go', 'g -> B.go', 'g -> pair', 'pair -> A', 'pair -> B'],
  ],
  [
    'what a class passes to a new one of itself is what its constructor gets',
    'class B; def go; end; end; class A; def self.make; new(B.new); end; def initialize(b); @b = b; end; def f; @b.go; end; end',
    ['A.f -> B.go', 'A.make -> A', 'A.make -> B'],
  ],
  [
    'what an object calls of its own may be what a class below has in its place, what is made of a class is that class',
    dedent`
      class Shape; def draw; outline; end; def outline; end; def self.make; new.outline; end; end
      class Circle < Shape; def outline; end; end
      module Filled; def outline; end; end
      class Disc < Circle; include Filled; end
      class Other; def outline; end; end
    `,
    [
      'Shape.draw -> Circle.outline',
      'Shape.draw -> Shape.outline',
      'Shape.make -> Shape',
      'Shape.make -> Shape.outline',
    ],
  ],
  [
    'what is passed round in a circle is what came into it',
    dedent`
      class S; def read; end; end; class T; def read; end; end
      class P
       def run; span(S.new); end
       def span(s); s.read; link(s); end
       def link(s); s.read; span(s); end
      end
    `,
    ['P.link -> P.span', 'P.link -> S.read', 'P.run -> P.span', 'P.run -> S', 'P.span -> P.link', 'P.span -> S.read'],
  ],
  [
    'what only the classes below a receiver’s have is meant, of objects and of classes, but not of what was just made of it',
    dedent`
      class Plot; def show; Renderer.new(self).show; end; def all; self.class.sort; end; end
      class Renderer; def initialize(plot); @plot = plot; end; def show; @plot.rows; Plot.new.rows; end; end
      class Bar < Plot; def rows; end; def self.sort; end; end
      class Line < Plot; def rows; end; end
      class Grid; def rows; end; def self.sort; end; end
    `,
    [
      'Plot.all -> Bar.sort',
      'Plot.show -> Renderer',
      'Plot.show -> Renderer.show',
      'Renderer.show -> Bar.rows',
      'Renderer.show -> Line.rows',
      'Renderer.show -> Plot',
    ],
  ],
  [
    'classes that are written in one from outside are found by their whole names, in other files too',
    {
      'a.rb':
        'class Net::HTTP::Lasting; class Fault; end; def f; Net::HTTP::Lasting::Pool.new.go; Fault.new; Net::HTTP.new; end; end',
      'b.rb': 'class Net::HTTP::Lasting::Pool < Net::HTTP::Lasting; def go; f; Net::HTTP::Other.new.go; end; end',
    },
    [
      'Net.HTTP.Lasting.Pool.go -> Net.HTTP.Lasting.f',
      'Net.HTTP.Lasting.f -> Net.HTTP.Lasting.Fault',
      'Net.HTTP.Lasting.f -> Net.HTTP.Lasting.Pool',
      'Net.HTTP.Lasting.f -> Net.HTTP.Lasting.Pool.go',
    ],
  ],
  [
    'what is appended without spaces is no heredoc, and what looks like it is',
    'class A; def f(s); s<<go; @a[1]<<"x"<<more; end; class<<self; def make; puts <<T\ngo\nT\n build; end; def build; end; end; def go; end; def more; end; end',
    ['A.f -> A.go', 'A.f -> A.more', 'A.make -> A.build'],
  ],
  [
    'what is put into a variable is an element of it, and operators are methods where a class has them',
    dedent`
      class B; def go; end; def stay; end; def <=>(other); other; end; end; class C; def go; end; def stay; end; end
      class List; def <<(one); @all << one; end; def f; @all.each { |x| x.go }; end; end
      class A
       def initialize; @held = []; @list = List.new; end
       def f; @held.push(B.new); @list << B.new; end
       def g; @held.first.stay; some = []; some << C.new; some.each { |x| x.stay }; B.new <=> 1; 1 <=> B.new; end
      end
    `,
    [
      'A -> List',
      'A.f -> B',
      'A.f -> List.<<',
      'A.g -> B',
      'A.g -> B.<=>',
      'A.g -> B.stay',
      'A.g -> C',
      'A.g -> C.stay',
      'List.f -> B.go',
    ],
  ],
  [
    'a block is handed what the one is that it is passed on as, `call` hands it what `yield` would, and what can be iterated hands its elements',
    dedent`
      class B; def go; end; def stay; end; def leave; end; end; class C; def go; end; def stay; end; def leave; end; end
      class L
       include Enumerable
       def each; yield B.new; end
       def all; map { |x| x.go }; end
       def walk(&block); visit(&block); end
       def visit(&block); block.call(C.new); end
      end
      def f; L.new.walk { |c| c.stay }; L.new.find { |b| b.stay }; L.new.each(&:leave); end
    `,
    [
      'L.all -> B.go',
      'L.each -> B',
      'L.visit -> C',
      'L.walk -> L.visit',
      'f -> B.leave',
      'f -> B.stay',
      'f -> C.stay',
      'f -> L',
      'f -> L.each',
      'f -> L.walk',
    ],
  ],
  [
    'an argument with a name is for the parameter of this name, or one of a hash',
    dedent`
      class B; def go; end; end; class C; def go; end; end
      class A; def initialize(b: nil, c: nil); @b = b; @c = c; end; def f; @b.go; end; def g; @c.go; end; end
      def make; A.new(c: C.new, b: B.new); end
      def take(all) all[:x].go; end
      def give; take(x: B.new); end
    `,
    ['A.f -> B.go', 'A.g -> C.go', 'give -> B', 'give -> take', 'make -> A', 'make -> B', 'make -> C', 'take -> B.go'],
  ],
  [
    'what is added to classes of the language itself all objects, literals and containers have, and so they have functions at the top of files',
    {
      'a.rb':
        'class String; def to_ber; end; end; class Array; def to_ber; each { |x| x.to_ber }; end; end; class Hash; include Ber; end; class Integer; def to_ber; end; end\n' +
        'module Ber; def to_ber; end; end; class Object; def here?; end; end; module Kernel; def there; end; end; def help; end; class Other; def here?; end; end',
      'b.rb':
        'class A; def f; "a".to_ber; 5.to_ber; end; def g; [1].to_ber; end; def h; { a: 1 }.to_ber; A.new.here?; there; help; end; def help_too; end; end',
    },
    [
      'A.f -> Integer.to_ber',
      'A.f -> String.to_ber',
      'A.g -> Array.to_ber',
      'A.h -> A',
      'A.h -> Ber.to_ber',
      'A.h -> Kernel.there',
      'A.h -> Object.here?',
      'A.h -> help',
    ],
  ],
];

describe('Ruby', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      expect(await edgesOf(typeof sources === 'string' ? { 'a.rb': sources } : sources)).to.deep.equal(edges);
    });
  }

  it('superclasses and mixins are inherited', async () => {
    const source =
      'module M; end; class A; end; class B < A; include M, Comparable; extend N; end; module N; end; E = Class.new(B)';
    expect(await edgesOf({ 'a.rb': source }, 'INHERITS')).to.deep.equal(['B -> A', 'B -> M', 'B -> N', 'E -> B']);
    // What is so by convention alone nobody wrote down.
    expect(await edgesOf({ 'a.rb': 'module M; module ClassMethods; end; end' }, 'INHERITS')).to.deep.equal([]);
  });

  it('`require` leads to files beside this one and on the load path', async () => {
    const sources: Sources = {
      'lib/one.rb': dedent`
        require 'one/two'
        require_relative 'one/three'
        require 'json'
      `,
      'lib/one/two.rb': '',
      'lib/one/three.rb': '',
    };
    const files = await factsOf(sources);
    const { modules, externalImports } = resolve(files, { paths: Object.keys(sources), read: () => null });
    const found = files[0]!.facts.imports.flatMap(({ module }) => modules(0, module));
    expect(found.map((document) => files[document]?.path)).to.deep.equal(['lib/one/two.rb', 'lib/one/three.rb']);
    expect(Array.from(externalImports, ({ module }) => module)).to.deep.equal(['json']);
  });
});
