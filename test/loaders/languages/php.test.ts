import { expect } from 'chai';
import { edgesOf, type Sources } from '../../support/edges-of.ts';

/** What is called in sources, a guarantee a row; a text alone is one file without its opening tag. */
const calls: readonly [guarantee: string, sources: string | Sources, edges: readonly string[]][] = [
  [
    'classes are those of the own namespace, those used by name or alias, and those written with their namespace',
    {
      'A.php':
        'namespace P; use Q\\B; use Q\\C as D; use Q; class A { function f() { B::g(); D::g(); E::g(); \\Q\\F::g(); Q\\F::h(); C::g(); } }',
      'E.php': 'namespace P; class E { static function g() {} }',
      'q.php':
        'namespace Q; class B { static function g() {} } class C { static function g() {} } class F { static function g() {} static function h() {} }',
    },
    ['A.f -> B.g', 'A.f -> C.g', 'A.f -> E.g', 'A.f -> F.g', 'A.f -> F.h'],
  ],
  [
    'a function is the namespace’s, one that is used, or the global one',
    {
      'a.php': 'namespace P; use function Q\\two; function a() { one(); two(); three(); \\Q\\four(); }',
      'b.php': 'namespace P; function one() {}',
      'c.php': 'namespace Q; function one() {} function two() {} function three() {} function four() {}',
      'd.php': 'function three() {}',
    },
    ['a -> four', 'a -> one', 'a -> three', 'a -> two'],
  ],
  [
    'receivers are typed by properties, promoted parameters, results and `new`',
    'class B { function go(): self { return $this; } static function make(): static { return new static(); } } class A { private ?B $p; private $q; ' +
      'function __construct(private B $c) { $this->q = new B(); } function f(B $x) { $this->p->go(); $this->c->go(); $this->q->go(); $x->go()->go(); B::make()->go(); } }',
    ['A -> B', 'A.f -> B.go', 'A.f -> B.make', 'B.make -> B'],
  ],
  [
    'doc comments give the types that the code leaves out',
    'class B { function go() {} } class A { /** @var B[] */ private $bs; /** @param B $b\n * @return array<string, B> */ function f($b) { $b->go(); foreach ($this->bs as $k => $x) { $x->go(); } } ' +
      'function g() { $this->f(null)["a"]->go(); /** @var B $y */ $y = unserialize(""); $y->go(); } }',
    ['A.f -> B.go', 'A.g -> A.f', 'A.g -> B.go'],
  ],
  [
    'a trait’s methods come before those of the parent, and `parent` is above',
    'trait T { function x() {} } class P { function x() {} function __construct() {} } class A extends P { use T; function __construct() { parent::__construct(); $this->x(); parent::x(); } }',
    ['A -> P', 'A -> P.x', 'A -> T.x'],
  ],
  [
    'where a condition says what a variable is, it is so inside',
    'class B { function go() {} } class C { function go() {} } function f($x, $y) { if ($y && $x instanceof B) { $x->go(); } if ($x instanceof C) { $x->go(); } }',
    ['f -> B.go', 'f -> C.go'],
  ],
  [
    'methods, properties and functions of one name are three',
    'class A { public $run; function run() { $this->run; run(); ($this->run)(); } } function run() { }',
    ['A.run -> run'],
  ],
  [
    'a class outside is none of ours, whatever its methods are called',
    'namespace P; use Other\\Thing; class A { function f(Thing $t) { $t->run(); Thing::run(); strlen(""); (new \\DateTime())->run(); } function run() {} }',
    [],
  ],
  [
    'an index is offsetGet',
    'class A { function go() {} } class B { function go() {} } class L { function offsetGet($key): A {} } function f(L $l) { $l[0]->go(); }',
    ['f -> A.go'],
  ],
];

const tagged = (text: string) => `<?php\n${text}`;

describe('PHP', () => {
  for (const [guarantee, sources, edges] of calls) {
    it(guarantee, async () => {
      const files = typeof sources === 'string' ? { 'a.php': sources } : sources;
      const whole = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, tagged(text)]));
      expect(await edgesOf(whole)).to.deep.equal(edges);
    });
  }

  it('classes, interfaces, enums and traits are inherited', async () => {
    const source =
      'interface I extends J {} interface J {} trait T {} abstract class A implements I { use T; } class B extends A implements \\Countable {} enum E: string implements I { case A = "a"; }';
    const edges = ['A -> I', 'A -> T', 'B -> A', 'E -> I', 'I -> J'];
    expect(await edgesOf({ 'a.php': tagged(source) }, 'INHERITS')).to.deep.equal(edges);
  });
});
