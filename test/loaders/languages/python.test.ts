import { expect } from 'chai';
import { edgesOf, factsOf, type Sources } from '../../support/edges-of.ts';

type Row = readonly [guarantee: string, sources: string | Sources, edges: readonly string[]];

const asSources = (sources: string | Sources): Sources =>
  typeof sources === 'string' ? { 'main.py': sources } : sources;

/** Two classes with a method of one name, so that only the right receiver gives one edge. */
const pair = `
class A:
    def run(self): ...
    def me(self): return self

class B:
    def run(self): ...
`;

const modules: readonly Row[] = [
  [
    'a name comes from the module that it is imported from, under its alias',
    { 'pkg/__init__.py': '', 'pkg/a.py': 'def f(): ...', 'main.py': 'from pkg.a import f as g\ndef main(): g()' },
    ['main -> f'],
  ],
  [
    'a package gives what its __init__ imports from its modules',
    {
      'pkg/__init__.py': 'from .inner import f',
      'pkg/inner/__init__.py': 'from .deep import *',
      'pkg/inner/deep.py': 'def f(): ...',
      'main.py': 'import pkg\ndef main(): pkg.f()',
    },
    ['main -> f'],
  ],
  [
    'dots before a module go up the packages',
    {
      'pkg/__init__.py': '',
      'pkg/util.py': 'def f(): ...',
      'pkg/sub/__init__.py': '',
      'pkg/sub/a.py': dedent`
        from .. import util
        from ..util import f
        def main():
            util.f()
        def other(): f()
      `,
    },
    ['main -> f', 'other -> f'],
  ],
  [
    'import a.b makes a.b.c() lead into the submodule, though __init__ does not name it',
    {
      'a/__init__.py': '',
      'a/b.py': 'def c(): ...',
      'main.py': 'import a.b\ndef main(): a.b.c()',
    },
    ['main -> c'],
  ],
  [
    'an absolute import finds the package below src',
    {
      'src/pkg/__init__.py': '',
      'src/pkg/a.py': 'def f(): ...',
      'tests/test_a.py': 'from pkg.a import f\ndef test_a(): f()',
    },
    ['test_a -> f'],
  ],
  [
    'a module of the standard library is not the package member of the same name beside the importer',
    {
      'pkg/__init__.py': '',
      'pkg/json.py': 'def dumps(): ...',
      'pkg/a.py': 'import json\ndef main(): json.dumps()',
    },
    [],
  ],
  [
    'folders without an __init__ are packages, too',
    {
      'app/core/jobs.py': 'def f(): ...\ndef g(): ...',
      'app/main.py': dedent`
          import app.core.jobs
          from app.core import jobs
          def main():
              jobs.f()
              app.core.jobs.g()
        `,
    },
    ['main -> f', 'main -> g'],
  ],
  [
    'a script finds the module beside it',
    { 'tools/helper.py': 'def f(): ...', 'tools/run.py': 'import helper\ndef main(): helper.f()' },
    ['main -> f'],
  ],
  [
    'a name imported from outside leads nowhere, whatever is called the same inside',
    dedent`
      from requests import get
      def main(): get()
      class A:
          def get(self): ...
    `,
    [],
  ],
  [
    'an import under try and TYPE_CHECKING counts as any other',
    {
      'a.py': 'class A:\n    def run(self): ...',
      'b.py': 'def f(): ...',
      'main.py': `
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from a import A
try:
    import fast as b
except ImportError:
    import b
def main(x: "A"):
    x.run()
    b.f()
`,
    },
    ['main -> A.run', 'main -> f'],
  ],
  [
    'an import inside a function is known there',
    {
      'a.py': 'def f(): ...',
      'main.py': dedent`
      def main():
          from a import f
          f()
      def other(): f()
    `,
    },
    ['main -> f'],
  ],
];

const scopes: readonly Row[] = [
  [
    'a name is looked up in the functions around, then in the file, never in the class around',
    `
def f(): ...
class A:
    def f(self): ...
    def main(self):
        f()
def outer():
    def f(): ...
    def inner(): f()
`,
    ['A.main -> f', 'outer.inner -> outer.f'],
  ],
  [
    'a call in a lambda belongs to the function around it, in a named lambda to that name',
    dedent`
      def f(): ...
      def main(): return lambda: f()
      g = lambda: f()
    `,
    ['g -> f', 'main -> f'],
  ],
  [
    'calls in the body of a class and at the top of a file belong to nobody',
    'def f(): ...\nf()\nclass A:\n    x = f()',
    [],
  ],
  [
    'the variable of a comprehension hides the one outside, inside it only',
    `${pair}
def main(bs: list[B]):
    x = A()
    [x.run() for x in bs]
def other(bs: list[B]):
    x = A()
    [x for x in bs]
    x.run()
`,
    ['main -> A', 'main -> B.run', 'other -> A', 'other -> A.run'],
  ],
  [
    'a decorated function keeps its name',
    dedent`
      import functools
      @functools.lru_cache(None)
      def f(): ...
      def main(): f()
    `,
    ['main -> f'],
  ],
  [
    'of overloads the declaration with the body is called',
    `
from typing import overload
@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x): return g()
def g(): ...
def main(): f(1)
`,
    ['f -> g', 'main -> f'],
  ],
  [
    'global makes an assignment that of the file',
    `${pair}
current = None
def start():
    global current
    current = A()
def main(): current.run()
`,
    ['main -> A.run', 'start -> A'],
  ],
];

const classes: readonly Row[] = [
  [
    'calling a class is a call of the class',
    dedent`
    class A:
        def __init__(self): ...
    def main(): A()
  `,
    ['main -> A'],
  ],
  [
    'a member is looked up in C3 order',
    `
class Root:
    def run(self): ...
class Left(Root): ...
class Right(Root):
    def run(self): ...
class Leaf(Left, Right): ...
def main(): Leaf().run()
`,
    ['main -> Leaf', 'main -> Right.run'],
  ],
  [
    'self and cls stand for the class around, whatever they are called',
    `
class A:
    def run(this): this.help(); this.make()
    def help(self): ...
    @classmethod
    def make(klass): return klass().help()
    @staticmethod
    def free(self): self.help()
`,
    ['A.make -> A', 'A.make -> A.help', 'A.run -> A.help', 'A.run -> A.make'],
  ],
  [
    'super() leads to the next class, with and without arguments',
    `
class A:
    def __init__(self): ...
    def run(self): ...
class B(A):
    def __init__(self): super().__init__()
    def run(self): super(B, self).run()
`,
    ['B.__init__ -> A.__init__', 'B.run -> A.run'],
  ],
  [
    'a field is what any method assigns to it',
    `${pair}
class C:
    def main(self): self.x.run()
    def setup(self): self.x = A()
`,
    ['C.main -> A.run', 'C.setup -> A'],
  ],
  [
    'a class attribute, its annotation first, types what is read from an instance',
    `${pair}
class C:
    x: B
    y = A()
    def main(self):
        self.x.run()
        self.y.run()
`,
    ['C.main -> A.run', 'C.main -> B.run'],
  ],
  [
    'a property and a cached_property give what they return',
    `${pair}
from functools import cached_property
class C:
    @property
    def a(self): return A()
    @a.setter
    def a(self, value): ...
    @cached_property
    def b(self) -> B: ...
    def main(self):
        self.a.run()
        self.b.run()
`,
    ['C.a -> A', 'C.main -> A.run', 'C.main -> B.run'],
  ],
  [
    'a member that a base from outside may define leads nowhere',
    dedent`
      from lib import Base
      class A(Base):
          def main(self): self.save()
      class B:
          def save(self): ...
    `,
    [],
  ],
  [
    'calling an instance calls its __call__',
    dedent`
      class A:
          def __call__(self): ...
      def main(a: A): a()
    `,
    ['main -> A.__call__'],
  ],
  [
    'the class of an object is reached by type() and __class__',
    dedent`
      class A:
          def again(self): return type(self)()
          def more(self): return self.__class__()
    `,
    ['A.again -> A', 'A.more -> A'],
  ],
  [
    'the constants of an enumeration are its instances',
    dedent`
      from enum import Enum
      class Color(Enum):
          RED = 1
          def name_of(self): ...
      def main(): Color.RED.name_of()
    `,
    ['main -> Color.name_of'],
  ],
];

const types: readonly Row[] = [
  ['an annotation types a parameter', `${pair}\ndef main(x: B): x.run()`, ['main -> B.run']],
  ['an annotation in a string does, too', `${pair}\ndef main(x: "A | None"): x.run()`, ['main -> A.run']],
  [
    'Optional, Union and | give each of their options',
    `${pair}
import typing as t
def one(x: t.Optional[A]): x.run()
def two(x: t.Union[A, B]): x.run()
def three(x: A | B | None): x.run()
`,
    ['one -> A.run', 'three -> A.run', 'three -> B.run', 'two -> A.run', 'two -> B.run'],
  ],
  ['type[X] is the class itself', `${pair}\ndef main(x: type[A]): x().run()`, ['main -> A', 'main -> A.run']],
  [
    'containers give their elements to loops, indices, unpacking and their own methods',
    `${pair}
def loop(xs: list[A]):
    for x in xs: x.run()
def index(xs: dict[str, A]): xs["a"].run()
def values(xs: dict[str, A]):
    for key, x in xs.items(): x.run()
def unpack(xs: tuple[int, A]):
    _, x = xs
    x.run()
def first(xs: list[A]): next(iter(sorted(xs))).run()
def numbered(xs: list[A]):
    for i, x in enumerate(xs): x.run()
`,
    ['first -> A.run', 'index -> A.run', 'loop -> A.run', 'numbered -> A.run', 'unpack -> A.run', 'values -> A.run'],
  ],
  [
    'a container of the repository that is named like one of typing is its own class',
    {
      'queues.py': 'class Queue:\n    def get(self): ...',
      'main.py': 'from queues import Queue\ndef main(q: "Queue[int]"): q.get()',
    },
    ['main -> Queue.get'],
  ],
  [
    'a container written in place holds what is put into it',
    `${pair}
def main():
    xs = []
    xs.append(A())
    for x in xs: x.run()
class C:
    def __init__(self): self.xs = {}
    def add(self): self.xs["b"] = B()
    def use(self): self.xs["b"].run()
`,
    ['C.add -> B', 'C.use -> B.run', 'main -> A', 'main -> A.run'],
  ],
  [
    'a call gives what the function declares, or else returns, over files',
    {
      'a.py': dedent`
        class A:
            def run(self): ...
        def make(): return A()
        def declared() -> A: return load()
      `,
      'main.py': dedent`
        import a
        def main(): a.make().run()
        def other(): a.declared().run()
      `,
    },
    ['main -> A.run', 'main -> make', 'make -> A', 'other -> A.run', 'other -> declared'],
  ],
  [
    'a function that hands back its parameter gives what this call passed',
    `${pair}
def same(x): return x
def main(): same(A()).run()
def other(): same(B()).run()
`,
    ['main -> A', 'main -> A.run', 'main -> same', 'other -> B', 'other -> B.run', 'other -> same'],
  ],
  [
    'a method that returns self gives the object that it was called on',
    `
class A:
    def set(self): return self
class B(A):
    def run(self): ...
def main(b: B): b.set().run()
`,
    ['main -> A.set', 'main -> B.run'],
  ],
  [
    'a parameter without a type is what callers pass, also by name and to a constructor',
    `${pair}
def use(x): x.run()
def main(): use(x=A())
class C:
    def __init__(self, b): self.b = b
    def go(self): self.b.run()
def other(): C(B())
`,
    ['C.go -> B.run', 'main -> A', 'main -> use', 'other -> B', 'other -> C', 'use -> A.run'],
  ],
  [
    'a type variable of a class stands for the argument that a subclass or an annotation gives',
    `${pair}
from typing import Generic, TypeVar
T = TypeVar("T")
class Box(Generic[T]):
    def get(self) -> T: ...
class BoxOfB(Box[B]): ...
def main(x: Box[A]): x.get().run()
def other(x: BoxOfB): x.get().run()
`,
    ['main -> A.run', 'main -> Box.get', 'other -> B.run', 'other -> Box.get'],
  ],
  [
    'a type variable of a function stands for what is passed, else for its bound',
    `${pair}
from typing import TypeVar
T = TypeVar("T", bound=A)
def same(x: T) -> T: x.run(); return x
class Sub(A):
    def more(self): ...
def main(s: Sub): same(s).more()
def new[U](x: U) -> U: ...
def other(b: B): new(b).run()
`,
    ['main -> Sub.more', 'main -> same', 'other -> B.run', 'other -> new', 'same -> A.run'],
  ],
  ['a cast says the type', `${pair}\nimport typing\ndef main(x): typing.cast("A", x).run()`, ['main -> A.run']],
];

const flow: readonly Row[] = [
  [
    'an assignment hides the one before it',
    `${pair}\ndef main():\n    x = A()\n    x.run()\n    x = B()`,
    ['main -> A', 'main -> A.run', 'main -> B'],
  ],
  [
    'branches join behind an if, and one that returns does not',
    `${pair}
def main(c):
    if c: x = A()
    else: x = B()
    x.run()
def other(a: A, b: B, c):
    x = a
    if c:
        x = b
        return
    x.run()
`,
    ['main -> A', 'main -> A.run', 'main -> B', 'main -> B.run', 'other -> A.run'],
  ],
  [
    'isinstance tells the type in its branch and, refused, behind it',
    `${pair}
def main(x):
    if isinstance(x, A): x.run()
def other(x):
    if not isinstance(x, (B,)): raise TypeError
    x.run()
def third(x): return isinstance(x, A) and x.run()
`,
    ['main -> A.run', 'other -> B.run', 'third -> A.run'],
  ],
  [
    'what isinstance refuses is no instance of it, in the branches after it and behind it',
    `${pair}
from typing import Union
AB = Union[str, A, "B"]
def main(x: AB):
    if isinstance(x, A): pass
    elif isinstance(x, str): pass
    else: x.run()
def other(x: AB):
    if x is None or isinstance(x, (str, B)): return
    x.run()
`,
    ['main -> B.run', 'other -> A.run'],
  ],
  [
    'an alias of a type is that type, and a parameter’s annotation speaks of what is around the function',
    {
      'box.py': 'class Box:\n    def get(self): ...',
      'main.py': `
import box
from typing import Optional
Boxed = Optional["box.Box"]
class T:
    def __init__(self, box: Optional[box.Box] = box.NONE): self.box = box
    def get(self): self.box.get()
def f(x: Boxed): x.get()
`,
    },
    ['T.get -> Box.get', 'f -> Box.get'],
  ],
  [
    'a named tuple is unpacked into its fields, and an index calls __getitem__',
    `${pair}
from typing import NamedTuple
class Pair(NamedTuple):
    first: A
    second: "B"
class Row:
    def __getitem__(self, key) -> B: ...
def many() -> "list[Pair]": ...
def f():
    for one, other in many(): one.run()
def g(pair: Pair): pair[1].run()
def h(row: Row): row["x"].run()
`,
    ['f -> A.run', 'f -> many', 'g -> B.run', 'h -> B.run'],
  ],
  [
    'a name that is assigned from itself keeps what it may be',
    `
class Lines:
    def __iter__(self) -> "Iterator[Text]": ...
class Text:
    def split(self) -> Lines: ...
    def strip(self): ...
class Other:
    def strip(self): ...
def f(line: Text):
    for line in line.split():
        for line in line.split(): line.strip()
`,
    ['f -> Text.split', 'f -> Text.strip'],
  ],
  [
    'with binds what __enter__ gives, or what a contextmanager yields',
    `${pair}
from contextlib import contextmanager
class C:
    def __enter__(self): return A()
    def __exit__(self, *args): ...
@contextmanager
def open_b():
    yield B()
def main():
    with C() as a, open_b() as b:
        a.run()
        b.run()
`,
    ['C.__enter__ -> A', 'main -> A.run', 'main -> B.run', 'main -> C', 'main -> open_b', 'open_b -> B'],
  ],
  [
    'a walrus binds where it stands',
    `${pair}\ndef find() -> A | None: ...\ndef main():\n    if (x := find()): x.run()`,
    ['main -> A.run', 'main -> find'],
  ],
  [
    'except and match bind instances of the class that they name',
    `${pair}
class Failed(Exception):
    def tell(self): ...
def main():
    try: ...
    except Failed as e: e.tell()
def other(x):
    match x:
        case A(): x.run()
        case B() as b: b.run()
`,
    ['main -> Failed.tell', 'other -> A.run', 'other -> B.run'],
  ],
  [
    'await gives what the coroutine returns',
    `${pair}\nasync def load() -> A: ...\nasync def main(): (await load()).run()`,
    ['main -> A.run', 'main -> load'],
  ],
];
import { dedent } from '../../support/dedent.ts';

for (const [title, rows] of Object.entries({
  'modules and packages': modules,
  scopes,
  classes,
  types,
  'flow of values': flow,
})) {
  describe(`Python calls: ${title}`, () => {
    for (const [guarantee, sources, edges] of rows) {
      it(guarantee, async () => expect(await edgesOf(asSources(sources))).to.deep.equal(edges));
    }
  });
}

describe('Python bases', () => {
  it('a class extends its bases, imported, dotted and with type arguments, and none from outside', async () => {
    const edges = await edgesOf(
      {
        'a.py': 'class Base: ...\nclass Box[T]: ...',
        'main.py': dedent`
            import abc
            import a
            from a import Base as B
            class C(B, a.Box[int], abc.ABC, metaclass=abc.ABCMeta): ...
          `,
      },
      'INHERITS',
    );
    expect(edges).to.deep.equal(['C -> Base', 'C -> Box']);
  });
});

describe('Python: what a definition tells', () => {
  const definitions = async (source: string) => {
    const [file] = await factsOf({ 'p.py': source });
    return file?.facts.definitions ?? [];
  };

  it('signature, first paragraph of the docstring, and lines from the name to the end', async () => {
    const [client, send] = await definitions(`
class Client(Base):
    """Talks to a server.
    Safe for threads.

    More of it.
    """
    @retry
    async def send(
        self,
        data: bytes,
        *,
        times: int = 3,
    ) -> None:
        "Sends."
        ...
`);
    expect([client, send].map((one) => [one?.signature, one?.doc, one?.line, one?.endLine])).to.deep.equal([
      ['Client(Base)', 'Talks to a server. Safe for threads.', 2, 16],
      ['send(self, data: bytes, *, times: int = 3) -> None', 'Sends.', 9, 16],
    ]);
  });

  it('exported is what __all__ lists, members with their class', async () => {
    const all = await definitions(
      dedent`
        __all__ = ["A"]
        class A:
            def f(self): ...
            def _g(self): ...
        class B: ...
      `,
    );
    expect(all.filter(({ exported }) => exported).map(({ qualifiedName }) => qualifiedName)).to.deep.equal([
      'A',
      'A.f',
    ]);
  });

  it('without __all__ it is what has no underscore', async () => {
    const all = await definitions(dedent`
      def f():
          def inner(): ...
      def _g(): ...
    `);
    expect(all.filter(({ exported }) => exported).map(({ name }) => name)).to.deep.equal(['f']);
  });

  it('an expression nested ten thousand deep leaves the rest of its file as it is', async () => {
    const chain = `x = a${'.b()'.repeat(10_000)}\ny = ${Array(10_000).fill('"a"').join(' + ')}`;
    expect(await edgesOf({ 'main.py': `def f(): ...\n${chain}\ndef g(): f()` })).to.deep.equal(['g -> f']);
  });

  it('a file with broken syntax still gives the definitions around it', async () => {
    const all = await definitions('def f(): ...\ndef g(:\n    !!\ndef h(): ...');
    expect(all.map(({ name }) => name)).to.include.members(['f', 'h']);
  });
});
