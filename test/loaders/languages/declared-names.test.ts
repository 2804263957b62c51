import { expect } from 'chai';
import { languages } from '../../../loaders/languages/index.ts';
import { factsOf } from '../../support/edges-of.ts';

/** A file of each language, and all that it declares beside functions and classes: kind, the class around, name, line. */
const files: Record<string, { source: string; declares: string[] }> = {
  'a.go': {
    source: `package a
const Max, min = 1, 2
const (
	_   = iota
	Red
)
var counter, other int
var run = func() { inner := 1; var deep int; _ = inner }
type Celsius = float64
type Pair struct {
	Left, right int
	io.Reader
}
func (p Pair) f(arg int) { const local = 1 }`,
    declares: [
      'constant Max 2',
      'constant min 2',
      'constant Red 5',
      'variable counter 7',
      'variable other 7',
      'variable run 8',
      'field Pair.Left 11',
      'field Pair.right 11',
    ],
  },
  'a.py': {
    source: `MAX = 1
limit: int = 2
frozen: Final = 3
a, (b, *c) = d = 1, 2
obj.attr = e['k'] = 1
type Al = int
Old: TypeAlias = str
limit = 3
if True:
    inside = 1
class C(Base):
    size: int = 0
    LAST = 1
    class Deep:
        low = 1
    def f(self, q: int):
        self.made = self.also = 1
        self.x, self.y = 1, 2
        local = 3
        self.made = 4
class Color(str, enum.Enum):
    RED = 'r'
    @property
    def f(me): me.late: int = 1
def g():
    local = lambda: 1`,
    declares: [
      'constant MAX 1',
      'variable limit 2',
      'constant frozen 3',
      'variable a 4',
      'variable b 4',
      'variable c 4',
      'variable d 4',
      'type_alias Al 6',
      'type_alias Old 7',
      'variable inside 10',
      'field C.size 12',
      'constant C.LAST 13',
      'field C.Deep.low 15',
      'field C.made 17',
      'field C.also 17',
      'field C.x 18',
      'field C.y 18',
      'enum_member Color.RED 22',
      'field Color.late 24',
    ],
  },
  'a.ts': {
    source: `export const MAX = 1, { a, b: c = MAX, ...rest } = x, [d, e = 1] = y;
let v: number; var w = function () { const local = 1; };
const call = () => 1;
declare const amb: string;
export type T = { p: string };
interface I { r: string; m(arg: string): void; [key: string]: unknown }
enum E { A, B = 2, 'c' }
abstract class C {
  static x = 1; private y: string; #z = 1; handler = () => {}; abstract k: string;
  constructor(private pp: string, readonly qq: number, rr: string) { this.made = 1; }
  m() { this.late = 2; this.made = 3; }
}
namespace N { export const inN = 1; }
if (a) { const block = 1; }
for (let i = 0; ; ) {}`,
    declares: [
      'constant MAX 1',
      'constant a 1',
      'constant c 1',
      'constant rest 1',
      'constant d 1',
      'constant e 1',
      'variable v 2',
      'constant amb 4',
      'field T.p 5',
      'field I.r 6',
      'enum_member E.A 7',
      'enum_member E.B 7',
      'enum_member E.c 7',
      'field C.x 9',
      'field C.y 9',
      'field C.#z 9',
      'field C.k 9',
      'field C.pp 10',
      'field C.qq 10',
      'field C.made 10',
      'field C.late 11',
      'constant inN 13',
    ],
  },
  'a.tsx': { source: 'export const size = <b>1</b>;', declares: ['constant size 1'] },
  'a.js': {
    source: `var app = exports = module.exports = {}; const fs = require('fs'), { join } = require('path').posix, lib = await import('x'), made = require('y')();
exports.version = 1; module.exports.title = 'x'; app.other = {};
class C { static x = 1; y }
function Point() { this.made = 1; const local = 1 }
Point.origin = new Point(); Point.prototype.size = 2; Point.prototype.move = function () {}; Point['x'] = 1;
function plain() { this.no = 1 }
(function () { var hidden = 1; })();`,
    declares: [
      'variable app 1',
      'constant made 1',
      'variable version 2',
      'variable title 2',
      'field C.x 3',
      'field C.y 3',
      'field made 4',
      'field Point.origin 5',
      'field Point.size 5',
    ],
  },
  'A.java': {
    source: `class A {
  static final int MAX = 1, MIN = 2;
  private int f[], g;
  { int local; }
  void m(int arg) { int local; }
}
interface I { int C = 1; }
enum E { ONE, TWO(2); int w; }
record R(int x, String y) { }`,
    declares: [
      'constant A.MAX 2',
      'constant A.MIN 2',
      'field A.f 3',
      'field A.g 3',
      'constant I.C 7',
      'enum_member E.ONE 8',
      'enum_member E.TWO 8',
      'field E.w 8',
      'field R.x 9',
      'field R.y 9',
    ],
  },
  'a.rs': {
    source: `pub const MAX: u32 = 1;
static mut COUNT: i32 = 1;
type Pairs = Vec<u8>;
macro_rules! twice { () => {} }
struct P<T> { pub x: T, y: i32 }
union U { a: i32 }
enum E { A, B(i32), C { z: i32 } }
impl<T> P<T> { const K: i32 = 1; fn f(arg: i32) { const L: i32 = 1; } }
trait Tr { type Assoc; }
lazy_static! { pub static ref LAZY: i32 = 1; static ref TWO: i32 = 2; }`,
    declares: [
      'constant MAX 1',
      'variable COUNT 2',
      'macro twice 4',
      'field P.x 5',
      'field P.y 5',
      'field U.a 6',
      'enum_member E.A 7',
      'enum_member E.B 7',
      'enum_member E.C 7',
      'field E.z 7',
      'constant P.K 8',
      'type_alias Tr.Assoc 9',
      'constant LAZY 10',
      'constant TWO 10',
    ],
  },
  'a.cs': {
    source: `using Alias = System.String;
namespace N {
  class A {
    public const int Max = 1, Min = 0;
    static readonly int Ro = 2;
    int f, g = 1;
    public int Prop { get; set; }
    public event EventHandler Ev;
    void M(int arg) { int local = 1; }
  }
  enum E { One, Two = 2 }
  record R(int X, string Y);
}`,
    declares: [
      'type_alias Alias 1',
      'constant A.Max 4',
      'constant A.Min 4',
      'constant A.Ro 5',
      'field A.f 6',
      'field A.g 6',
      'field A.Prop 7',
      'field A.Ev 8',
      'enum_member E.One 11',
      'enum_member E.Two 11',
      'field R.X 12',
      'field R.Y 12',
    ],
  },
  'a.php': {
    source: `<?php
namespace A;
const TOP = 1, TOP2 = 2;
if (true) { \\define('OLD', 3); }
define("N\\\\NEW", 3);
$global = 1; $global = 2;
class C {
  const X = 1;
  private $p = 1, $q;
  static ?int $s;
  function __construct(private int $prom, $no) { $local = 1; }
}
enum Suit: string { case Hearts = 'H'; const Wild = 1; }
function f() { $local = 1; }`,
    declares: [
      'constant TOP 3',
      'constant TOP2 3',
      'constant OLD 4',
      'constant NEW 5',
      'variable global 6',
      'constant C.X 8',
      'field C.p 9',
      'field C.q 9',
      'field C.s 10',
      'field C.prom 11',
      'enum_member Suit.Hearts 13',
      'constant Suit.Wild 13',
    ],
  },
  'a.rb': {
    source: `MAX = 1
A::B = 2
X, Y = 1, 2
$glob ||= 1
local = 1
class C < D
  K = 1
  @@count = 0
  attr_accessor :name
  def initialize(a)
    @a = a
    @b, @c = 1, 2
    local = @a = 1
  end
end`,
    declares: [
      'constant MAX 1',
      'constant B 2',
      'constant X 3',
      'constant Y 3',
      'variable $glob 4',
      'constant C.K 7',
      'field C.@@count 8',
      'field C.name 9',
      'field C.@a 11',
      'field C.@b 12',
      'field C.@c 12',
    ],
  },
  'a.kt': {
    source: `const val MAX = 1
val top: Int = 2
var (aa, bb) = pair
typealias Names = List<String>
class A(val x: Int, private var y: Int, z: Int) {
  val f = 1
  lateinit var g: String
  companion object {
    const val C = 2
  }
  init { val local = 1 }
  fun m(arg: Int) { val local = 1 }
}
enum class E(val n: Int) {
  ONE(1),
  TWO(2)
}`,
    declares: [
      'constant MAX 1',
      'variable top 2',
      'variable aa 3',
      'variable bb 3',
      'field A.x 5',
      'field A.y 5',
      'field A.f 6',
      'field A.g 7',
      'constant A.C 9',
      'field E.n 14',
      'enum_member E.ONE 15',
      'enum_member E.TWO 16',
    ],
  },
  'a.c': {
    source: `#define MAX 1
#ifdef X
#  define DEEP(a, b) \\
     (a)
#endif
static int counter = 0, *ptr, arr[3];
const char *const names[] = {"a"};
static const int lim = 3;
const char *text;
extern int ext;
int (*fp)(int arg);
int fun(int arg);
typedef struct node {
  int val;
  struct node *next;
  int (*cb)(void);
} node_t;
typedef int (*handler)(int);
enum color { RED, GREEN = 2 };
MODULE_API int (*unread)(int *key) ATTRIBUTE;
int f(void) { int local; return MAX; }`,
    declares: [
      'macro MAX 1',
      'macro DEEP 3',
      'variable counter 6',
      'variable ptr 6',
      'variable arr 6',
      'constant names 7',
      'constant lim 8',
      'variable text 9',
      'variable ext 10',
      'variable fp 11',
      'field node.val 14',
      'field node.next 15',
      'field node.cb 16',
      'type_alias node_t 17',
      'type_alias handler 18',
      'enum_member color.RED 19',
      'enum_member color.GREEN 19',
    ],
  },
  'a.cpp': {
    source: `namespace n {
constexpr int kMax = 1;
std::vector<int> vec(3);
using Str = std::string;
class A {
  int x_ = 0, *p, &r;
  static const int kS = 1;
  std::map<int, int> m_;
  void f();
  enum class E { One };
  A() : x_(1) { int local; }
};
template <class T> using Vec = std::vector<T>;
int A::stat = 1;
auto [q, s] = pair;
}`,
    declares: [
      'constant kMax 2',
      'variable vec 3',
      'type_alias Str 4',
      'field n.A.x_ 6',
      'field n.A.p 6',
      'field n.A.r 6',
      'constant n.A.kS 7',
      'field n.A.m_ 8',
      'enum_member n.A.E.One 10',
      'type_alias Vec 13',
      'variable stat 14',
      'variable q 15',
      'variable s 15',
    ],
  },
  'a.scala': {
    source: `object O {
  val Max = 1
  final val X, Y = 2
  var z: Int = 3
  type Ints = List[Int]
  val (m, n) = (1, 2)
  def f(arg: Int) = { val local = 1; local }
}
trait Tr { val d: Int }
class A(val x: Int, y: Int) { private val g = { val local = 1; local } }
case class B(p: Int)
enum Color(val rgb: Int) { case Red extends Color(1); case Green, Blue }`,
    declares: [
      'constant O.Max 2',
      'constant O.X 3',
      'constant O.Y 3',
      'field O.z 4',
      'field O.m 6',
      'field O.n 6',
      'field Tr.d 9',
      'field A.x 10',
      'field A.g 10',
      'field B.p 11',
      'field Color.rgb 12',
      'enum_member Color.Red 12',
      'enum_member Color.Green 12',
      'enum_member Color.Blue 12',
    ],
  },
  'a.sh': {
    source: `X=1
readonly Y=2
export Z=3 W
declare -r Q=1
FOO=bar cmd
arr[1]=2
f() { g=1; local h=2; }
if true; then I=1; X=2; fi
z=$(a=1; echo)`,
    declares: [
      'variable X 1',
      'constant Y 2',
      'variable Z 3',
      'variable W 3',
      'constant Q 4',
      'variable arr 6',
      'variable I 8',
      'variable z 9',
    ],
  },
  'a.lua': {
    source: `local M = {}
local MAX_SIZE = 10
count = 0
local a, b = 1, 2
M.version = "1.0"
function M.run(x)
  local inner = x
  return inner
end
return M
`,
    declares: [
      'constant M 1',
      'constant MAX_SIZE 2',
      'variable count 3',
      'variable a 4',
      'variable b 4',
      'field M.version 5',
    ],
  },
  'a.ex': {
    source: `defmodule Shop do
  @max_size 10
  @moduledoc "text"
  defstruct [:name, price: 0]
  @type money :: integer
  defmacro twice(x), do: x
  def run(x) do
    local = x
    local
  end
end
`,
    declares: ['constant Shop.max_size 2', 'field Shop.name 4', 'field Shop.price 4', 'type_alias Shop.money 5'],
  },
  'a.dart': {
    source: `const maxSize = 10;
final version = '1.0';
var count = 0;
typedef Handler = void Function(int);
enum Colour { red, green }
class Box {
  static const limit = 3;
  final int size;
  int? a, b;
  Box(this.size);
  int twice() { var local = 2; return size * local; }
}
`,
    declares: [
      'constant maxSize 1',
      'constant version 2',
      'variable count 3',
      'type_alias Handler 4',
      'enum_member Colour.red 5',
      'enum_member Colour.green 5',
      'constant Box.limit 7',
      'field Box.size 8',
      'field Box.a 9',
      'field Box.b 9',
    ],
  },
  // The other name of a type and the computed property are symbols of the graph.
  'a.swift': {
    source: `let maxSize = 10
var count = 0
typealias Handler = (Int) -> Void
enum Colour { case red, green
  case blue(Int) }
struct Box {
  static let limit = 3
  let size: Int
  var double: Int { size * 2 }
  func twice() -> Int { let local = 2; return size * local }
}
protocol Named { var name: String { get } }
`,
    declares: [
      'constant maxSize 1',
      'variable count 2',
      'enum_member Colour.red 4',
      'enum_member Colour.green 4',
      'enum_member Colour.blue 5',
      'constant Box.limit 7',
      'field Box.size 8',
      'field Named.name 12',
    ],
  },
};

describe('declared names', () => {
  for (const [path, { source, declares }] of Object.entries(files)) {
    it(`are found in ${path}, without locals, parameters, functions and classes`, async () => {
      const [file] = await factsOf({ [path]: source });
      const found = file?.facts.declared.map(
        ({ kind, name, line, around }) => `${kind} ${around === '' ? name : `${around}.${name}`} ${line}`,
      );
      expect(found).to.deep.equal(declares);
    });
  }

  it('are found in every language that is read', () => {
    const tested = Object.keys(files).map((path) => path.slice(path.lastIndexOf('.')));
    for (const { id, extensions } of languages)
      expect(
        extensions.some((extension) => tested.includes(extension)),
        id,
      ).to.equal(true);
  });
});
