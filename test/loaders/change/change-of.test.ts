import { expect } from 'chai';
import { changeOf } from '../../../loaders/change/change-of.ts';
import type { Change } from '../../../src/model/change.ts';
import { gitRepository, type FileContent, type GitRepository } from '../../support/git-repository.ts';

const shop: Readonly<Record<string, string>> = {
  'src/price.ts': `export function price(net: number): number {
  return net * 1.2;
}

/** Of a dozen. */
export function dozen(net: number): number {
  return 12 * price(net);
}

export class Cart {
  total = 0;
  add(net: number): void {
    this.total += price(net);
  }
  clear(): void {
    this.total = 0;
  }
}
`,
  'src/order.ts': `import { Cart, dozen } from './price.ts';

export function order(cart: Cart): number {
  cart.clear();
  return dozen(3);
}
`,
  'test/price.test.ts': `import { dozen } from '../src/price.ts';

dozen(1);
`,
};

/** The file with one text in place of another. */
function edit(path: keyof typeof shop, from: string, to: string): Record<string, FileContent> {
  const text = shop[path] ?? '';
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  return { [path]: text.replace(from, to) };
}

describe('the change between two commits', () => {
  let repository: GitRepository;

  before(() => {
    repository = gitRepository({ name: 'shop', files: { ...shop } });
  });
  after(() => repository.remove());

  /** What the change does that these files make of the shop. */
  async function changed(files: Record<string, FileContent>): Promise<Change> {
    repository.git('checkout', '--quiet', '--detach', 'main');
    repository.commit('Change', { files });
    return (await changeOf(repository.path, 'main..HEAD')).change;
  }
  const ids = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);
  const parts = ({ symbols }: Change) =>
    Object.fromEntries(symbols.changed.items.map((each) => [each.id, each.parts.join(' ')]));

  it('names what changed, who is affected by which way, and the tests that reach it', async () => {
    const change = await changed(edit('src/price.ts', '1.2', '1.3'));
    expect(parts(change)).to.deep.equal({ 'src/price.ts#price': 'body' });
    expect(change.affected.items.map(({ id, depth, way }) => [id, depth, way])).to.deep.equal([
      ['src/price.ts#Cart.add', 1, ['src/price.ts#Cart.add', 'src/price.ts#price']],
      ['src/price.ts#dozen', 1, ['src/price.ts#dozen', 'src/price.ts#price']],
      ['src/order.ts#order', 2, ['src/order.ts#order', 'src/price.ts#dozen', 'src/price.ts#price']],
    ]);
    expect(change.affected.by_depth).to.deep.equal([2, 1]);
    // The test calls it at the top of its file, by way of another function.
    expect(change.tests.reaching.items).to.deep.equal([
      { id: 'test/price.test.ts', path: 'test/price.test.ts', reaches: 1 },
    ]);
    expect(change.tests.untested.total).to.equal(0);
  });

  it('tells the signature from the body, and both from who sees it; names what no test reaches', async () => {
    const text = (shop['src/price.ts'] ?? '')
      .replace('price(net: number)', 'price(net: number, tax = 1)')
      .replace('export function dozen', 'export async function dozen')
      .replace('this.total += price(net)', 'this.total -= price(net)')
      .replace('total = 0;\n  add', 'total = 1;\n  add');
    const change = await changed({ 'src/price.ts': text, ...edit('src/order.ts', 'export function', 'function') });
    expect(parts(change)).to.deep.equal({
      'src/order.ts#order': 'visibility',
      'src/price.ts#price': 'signature',
      'src/price.ts#dozen': 'signature',
      'src/price.ts#Cart': 'body',
      'src/price.ts#Cart.add': 'body',
    });
    expect(ids(change.tests.untested)).to.deep.equal(['src/price.ts#Cart.add']);
    expect(change.notes).to.deep.equal([]);
  });

  it('follows what is renamed, and says who still looks for the old name', async () => {
    const change = await changed(edit('src/price.ts', 'function dozen', 'function twelve'));
    expect(parts(change)).to.deep.equal({ 'src/price.ts#twelve': 'name' });
    expect(change.symbols.removed.total + change.symbols.added.total).to.equal(0);
    expect(change.broken.items).to.deep.equal([
      {
        repository: null,
        from: 'src/order.ts#order',
        path: 'src/order.ts',
        line: 3,
        to: 'src/price.ts#dozen',
        now: 'src/price.ts#twelve',
        arguments: null,
      },
    ]);
  });

  it('follows what is moved, and files that are renamed, with their callers, of whom none is broken', async () => {
    const text = shop['src/price.ts'] ?? '';
    const [first = ''] = text.split(/(?<=^}\n)/m, 1);
    const change = await changed({
      'src/net.ts': first,
      'src/price.ts': null,
      'src/prices.ts': `import { price } from './net.ts';\n${text.slice(first.length)}`,
      ...edit('src/order.ts', './price.ts', './prices.ts'),
      'test/price.test.ts': "import { dozen } from '../src/prices.ts';\n\ndozen(1);\n",
    });
    expect(parts(change)).to.deep.equal({
      'src/net.ts#price': 'place',
      'src/prices.ts#dozen': 'place',
      'src/prices.ts#Cart': 'place',
      'src/prices.ts#Cart.add': 'place',
      'src/prices.ts#Cart.clear': 'place',
    });
    expect([change.broken.total, change.affected.total, change.edges.lost.total]).to.deep.equal([0, 0, 0]);
  });

  it('takes what comes to lie in a namespace for what it was, however short it is', async () => {
    using shapes = gitRepository({
      name: 'shapes',
      files: {
        'a.ts': 'interface Base { id: number }\nexport interface One extends Base { one: string; name: string }\n',
      },
    });
    const base = shapes.git('rev-parse', 'HEAD').trim();
    shapes.commit('Group', {
      files: {
        'a.ts':
          'export namespace Shape {\n  interface Base { id: number }\n  export interface One extends Base { one: string; name: string }\n}\n',
      },
    });
    const { change } = await changeOf(shapes.path, `${base}..HEAD`);
    expect(parts(change)).to.deep.equal({ 'a.ts#Shape.Base': 'place', 'a.ts#Shape.One': 'place' });
    expect([change.symbols.removed.total, change.affected.total, change.broken.total]).to.deep.equal([0, 0, 0]);
  });

  it('tells whoever makes instances of another constructor, and which tests do', async () => {
    using made = gitRepository({
      name: 'made',
      files: {
        'src/cart.ts':
          'export class Cart {\n  private total: number;\n  constructor() {\n    this.total = 0;\n  }\n  sum(): number {\n    return this.total;\n  }\n}\n',
        'src/shop.ts': "import { Cart } from './cart.ts';\n\nexport function open(): Cart {\n  return new Cart();\n}\n",
        'src/bag.py': 'class Bag:\n    def __init__(self):\n        self.things = 0\n',
        'src/hand.py': 'from bag import Bag\n\n\ndef take():\n    return Bag()\n',
        'test/cart.test.ts': "import { open } from '../src/shop.ts';\n\nopen();\n",
      },
    });
    const base = made.git('rev-parse', 'HEAD').trim();
    made.commit('Begin at one', {
      files: {
        'src/cart.ts':
          'export class Cart {\n  private total: number;\n  constructor() {\n    this.total = 1;\n  }\n  sum(): number {\n    return this.total;\n  }\n}\n',
        'src/bag.py': 'class Bag:\n    def __init__(self):\n        self.things = 1\n',
      },
    });
    const { change } = await changeOf(made.path, `${base}..HEAD`);
    expect(parts(change)).to.deep.equal({ 'src/bag.py#Bag.__init__': 'body', 'src/cart.ts#Cart.constructor': 'body' });
    expect(change.affected.items.map(({ id, depth, way }) => [id, depth, way.at(-1)])).to.deep.equal([
      ['src/hand.py#take', 1, 'src/bag.py#Bag'],
      ['src/shop.ts#open', 1, 'src/cart.ts#Cart'],
    ]);
    expect(ids(change.tests.untested)).to.deep.equal(['src/bag.py#Bag.__init__']);
  });

  it('says who used what was removed, and is still there', async () => {
    const text = shop['src/price.ts'] ?? '';
    const change = await changed({ 'src/price.ts': text.replace(/\/\*\* Of a dozen[^]*?\n}\n/, '') });
    expect(ids(change.symbols.removed)).to.deep.equal(['src/price.ts#dozen']);
    // The only test called nothing else.
    expect(change.notes.join()).to.include('so what no test reaches is not known');
    expect(change.broken.items.map(({ from, to, now }) => [from, to, now])).to.deep.equal([
      ['src/order.ts#order', 'src/price.ts#dozen', null],
    ]);
    expect(change.edges.lost.items).to.deep.include({
      type: 'CALLS',
      from: 'src/order.ts#order',
      to: 'src/price.ts#dozen',
    });
  });

  it('calls nobody broken who no longer uses it, or has the name from elsewhere; and whoever changed and still says it', async () => {
    const using = (how: string) => ({ 'src/again.ts': how });
    repository.git('checkout', '--quiet', '--detach', 'main');
    const base = repository.commit('Before', {
      files: {
        'package.json': '{"dependencies": {"dozens": "1"}}',
        ...using("import { dozen } from './price.ts';\n\nexport function again(): number {\n  return dozen(1);\n}\n"),
        'src/still.ts':
          "import { dozen } from './price.ts';\n\nexport function still(): number {\n  return dozen(1);\n}\n",
      },
    });
    const text = shop['src/price.ts'] ?? '';
    repository.commit('After', {
      files: {
        'src/price.ts': text.replace(/\/\*\* Of a dozen[^]*?\n}\n/, ''),
        'src/order.ts':
          "import { Cart } from './price.ts';\n\nexport function order(cart: Cart): void {\n  cart.clear();\n}\n",
        ...using("import { dozen } from 'dozens';\n\nexport function again(): number {\n  return dozen(1);\n}\n"),
        'src/still.ts':
          "import { dozen } from './price.ts';\n\nexport function still(): number {\n  return dozen(2);\n}\n",
      },
    });
    const { change } = await changeOf(repository.path, base);
    expect(change.broken.items.map(({ from }) => from)).to.deep.equal(['src/still.ts#still']);
  });

  describe('of what functions take', () => {
    /** What functions took, what they take now, and calls of each, of which those that are broken come first up to `|`. */
    type Takes = readonly (readonly [before: string, after: string, ...calls: string[]])[];
    /** Changes `f0`, `f1` … at once, each called `f` here; and expects exactly those calls to be broken. */
    async function expectBroken(
      path: string,
      takes: Takes,
      {
        head = '',
        define,
        call,
      }: Record<'define' | 'call', (name: string, what: string) => string> & { head?: string },
    ): Promise<void> {
      const named = (text: string, at: number) => text.replaceAll(/\bf\b/g, `f${at}`);
      const text = (which: 0 | 1) =>
        [
          head,
          ...takes.map((each, at) => define(`f${at}`, named(each[which], at))),
          ...takes.flatMap(([, , ...calls], at) =>
            calls.filter((each) => each !== '|').map((each, nth) => call(`c${at}x${nth}`, named(each, at))),
          ),
        ].join('\n');
      repository.git('checkout', '--quiet', '--detach', 'main');
      const base = repository.commit('Before', { files: { 'go.mod': 'module shop\n', [path]: text(0) } });
      repository.commit('After', { files: { [path]: text(1) } });
      const { change } = await changeOf(repository.path, base);
      const lines = text(1).split('\n');
      const found = change.broken.items.map(({ from, to, now, line, arguments: passed }) => {
        expect([to, now]).to.deep.equal([`${path}#${/f\d+$/.exec(to)?.[0]}`, to]);
        expect(passed).to.be.a('number');
        return `${from.split('#')[1]} ${lines[(line ?? 0) - 1]?.trim()}`;
      });
      const expected = takes.flatMap(([, , ...calls], at) =>
        calls.slice(0, Math.max(0, calls.indexOf('|'))).map((each, nth) => {
          const name = `c${at}x${nth}`;
          return `${name} ${call(name, named(each, at)).split('\n').at(-1)?.trim()}`;
        }),
      );
      expect(found).to.have.members(expected);
    }
    const python = {
      define: (name: string, takes: string) =>
        takes.includes('def ') ? takes : `def ${name}(${takes}):\n    return 1`,
      call: (name: string, what: string) => `def ${name}(x):\n    return ${what}`,
    };
    const script = {
      define: (name: string, takes: string) => `function ${name}(${takes}) {}`,
      call: (name: string, what: string) => `function ${name}(x) { ${what}; }`,
    };

    it('says which calls pass too few or too many in Python, with defaults, names and any number of them', () =>
      expectBroken(
        'f.py',
        [
          ['a', 'a, b', 'f(1)', 'f(a=1)', '|', 'f(1, 2)', 'f(*x)', 'f(**x)'],
          ['a', 'a, b=2, *c, **d', '|', 'f(1)', 'f(a=1)'],
          ['a, b=1', 'a', 'f(1, 2)', 'f(1, b=2)', '|', 'f(1)'],
          ['a, **b', 'a, c=0', 'f(1, d=2)', '|', 'f(1, c=2)'],
          ['*a', 'a', 'f(1, 2)', '|', 'f(1)'],
          ['a', 'a, *, b', 'f(1)', '|'],
          ['a, b', 'a, *, b', '|', 'f(1, b=2)'],
          ['@inject\ndef f(a):\n    return 1', '@inject\ndef f(a, b):\n    return 1', '|', 'f(1)'],
          [
            'if X:\n    def f(a): pass\nelse:\n    def f(a): pass',
            'if X:\n    def f(a, b): pass\nelse:\n    def f(a): pass',
            '|',
            'f(1)',
          ],
          ['a', 'a, b', '|', 'x.f(1)', 'unknown(f)(1)'],
        ],
        python,
      ));

    it('says so of TypeScript and Go, and nothing of JavaScript, which takes any', async () => {
      await expectBroken(
        'f.ts',
        [
          ['a: number', 'a: number, b: number', 'f(1)', '|', 'f(1, 2)', 'f(...x)'],
          ['a: number, b: number', 'a: number', 'f(1, 2)', '|'],
          ['a: number', 'a: number, b = 1, c?: number, ...d: number[]', '|', 'f(1)'],
          ['a: number', 'a: number, b: number | void', '|', 'f(1)'],
        ],
        script,
      );
      await expectBroken(
        'f.go',
        [
          ['a int', 'a, b int', 'f(1)', '|', 'f(g())'],
          ['a ...int', 'a int', 'f(1, 2)', '|', 'f(1)', 'f(x...)'],
          ['a int', 'a int, b ...int', '|', 'f(1)'],
        ],
        {
          head: 'package f\nfunc g() (int, int) { return 1, 2 }',
          define: (name, takes) => `func ${name}(${takes}) {}`,
          call: (name, what) => `func ${name}(x []int) { ${what} }`,
        },
      );
      await expectBroken('f.js', [['a', 'a, b', '|', 'f(1)']], script);
    });
  });

  it('sees that only comments and white space differ', async () => {
    const change = await changed({
      'src/price.ts': (shop['src/price.ts'] ?? '')
        .replace('/** Of a dozen. */', '// Twelve.')
        .replace('  return net * 1.2;', '    return net  *  1.2; // VAT'),
    });
    expect(change.only_comments).to.equal(true);
    expect(change.symbols.changed.total).to.equal(0);
    expect(change.files.items).to.deep.equal([
      { path: 'src/price.ts', old_path: null, status: 'changed', what: 'comments' },
    ]);
  });

  it('takes white space in strings, directives, indentation and what looks like a comment for code', async () => {
    repository.git('checkout', '--quiet', '--detach', 'main');
    const files = {
      'blank.ts': "export const f = () => ' ';\n",
      'directive.go': 'package a\n\n//go:noinline\nfunc F() {}\n',
      'indented.py': 'def f(x):\n    if x:\n        g()\n        h()\n',
      'slashes.ts': "export const f = () => '// a';\n",
    };
    const base = repository.commit('Before', { files });
    const other = {
      'blank.ts': files['blank.ts'].replace("' '", "'  '"),
      'directive.go': files['directive.go'].replace('//go:noinline\n', ''),
      'indented.py': files['indented.py'].replace('        h()', '    h()'),
      'slashes.ts': files['slashes.ts'].replace('// a', '// b'),
    };
    repository.commit('After', { files: other });
    const { change } = await changeOf(repository.path, base);
    expect(change.files.items.map(({ path, what }) => [path, what])).to.deep.equal(
      Object.keys(files).map((path) => [path, 'code']),
    );
    expect(ids(change.symbols.changed)).to.include.members(['blank.ts#f', 'indented.py#f', 'slashes.ts#f']);
  });

  it('finds no change between a commit and itself', async () => {
    const { change: nothing } = await changeOf(repository.path, 'main..main');
    expect([nothing.files.total, nothing.symbols.changed.total, nothing.affected.total]).to.deep.equal([0, 0, 0]);
  });

  it('compares from where base and head parted, and says so', async () => {
    repository.git('checkout', '--quiet', '-B', 'side', 'main');
    repository.commit('Aside', { files: edit('src/order.ts', 'dozen(3)', 'dozen(4)') });
    repository.git('checkout', '--quiet', '--detach', 'main');
    repository.commit('Change', { files: edit('src/price.ts', '1.2', '1.5') });
    const { change } = await changeOf(repository.path, 'side..HEAD');
    expect(Object.keys(parts(change))).to.deep.equal(['src/price.ts#price']);
    expect(change.base).to.equal(repository.git('rev-parse', 'main').trim());
    expect(change.notes.join('\n')).to.include('side has commits that HEAD has not: it is compared from');
  });

  it('says what is wrong with a range', async () => {
    repository.git('checkout', '--quiet', '--detach', 'main');
    const head = repository.commit('Later', { files: edit('src/price.ts', '1.2', '1.6') });
    for (const [range, why] of [
      [`${head}..main`, `comes after main: say main..${head}`],
      ['nowhere..HEAD', 'has no branch, tag or commit nowhere'],
      ['main..nowhere', 'has no branch, tag or commit nowhere'],
    ] as const) {
      const error = await changeOf(repository.path, range).catch((thrown: unknown) => thrown);
      expect(String(error)).to.include(why);
    }
  });

  it('says of a shallow clone how to make it whole', async () => {
    repository.git('checkout', '--quiet', 'main');
    using clone = gitRepository();
    clone.git('fetch', '--quiet', '--depth=1', `file://${repository.path}`, 'main');
    clone.git('checkout', '--quiet', 'FETCH_HEAD');
    const error = await changeOf(clone.path, 'HEAD~1..HEAD').catch((thrown: unknown) => thrown);
    expect(String(error)).to.include('is a shallow clone that lacks HEAD~1: `git fetch --unshallow`');
  });

  it('says what is not committed, and that a merge is under way', async () => {
    repository.git('checkout', '--quiet', '--force', '-B', 'left', 'main');
    repository.commit('Left', { files: edit('src/price.ts', '1.2', '1.7') });
    repository.write(edit('src/order.ts', 'dozen(3)', 'dozen(5)'));
    expect((await changeOf(repository.path, 'main')).change.notes.join()).to.include(
      '1 file is changed and not committed',
    );
    repository.git('checkout', '--quiet', '--force', '-B', 'right', 'main');
    repository.commit('Right', { files: edit('src/price.ts', '1.2', '1.8') });
    expect(() => repository.git('merge', 'left')).to.throw();
    expect((await changeOf(repository.path, 'main')).change.notes.join()).to.include(
      'A merge with conflicts is under way',
    );
    repository.git('merge', '--abort');
  });
});
