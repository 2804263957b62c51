import { expect } from 'chai';
import { cutStatement } from '../../../loaders/task-instances/statements/cut-statement.ts';
import { interfaceOf, withInterface } from '../../../loaders/task-instances/statements/interface.ts';
import { textsOf } from '../../../loaders/task-instances/statements/told.ts';
import { withCpuTime } from '../../support/cpu-time.ts';

function patchOf(path: string, ...lines: string[]): string {
  const side = (other: string) => lines.filter((line) => !line.startsWith(other)).length;
  const header = `--- a/${path}\n+++ b/${path}\n@@ -1,${side('+')} +1,${side('-')} @@`;
  return `diff --git a/${path} b/${path}\n${header}\n${lines.map((line) => `${line}\n`).join('')}`;
}

const statement = 'Baskets can not be counted: whoever asks for that is told nothing, where it should be a number.';
const told = (patch: string, testPatch: string, more: { statement?: string; failToPass?: string[] } = {}) => ({
  statement,
  source: 'commit_message' as const,
  patch,
  testPatch,
  failToPass: [],
  testFiles: ['tests/test_basket.py'],
  leakScore: 0,
  ...more,
});
const interfaceIn = (...given: Parameters<typeof told>) => interfaceOf(textsOf({ ...told(...given), interface: '' }));

describe('what tests ask for and a statement does not say', () => {
  for (const [language, path, lines, tests, wanted] of [
    [
      'Python',
      'src/basket.py',
      [
        '+class Basket:',
        '+    def count_of(self, kind, strict=False, start=_NOTHING):',
        '+        return self._hidden',
      ],
      ['+    assert basket.count_of("a", strict=True) == 1'],
      '- New is a function `count_of` of `Basket`, which takes `kind`, `strict` (`False` by default) and `start` (which may be left out).',
    ],
    [
      'JavaScript',
      'lib/basket.js',
      ['+basket.countOf = function countOf(kind, { strict = true } = {}) {', '+  return inner(kind);', '+};'],
      ["+  assert.equal(basket.countOf('a'), 1);"],
      '- New is a function `countOf` of `basket`, which takes `kind` and `strict` (`true` by default).',
    ],
    [
      'TypeScript',
      'src/basket.ts',
      ['+export function countOf(', '+  kind: string,', '+  options?: Options,', '+): number {'],
      ["+  expect(countOf('a')).toBe(1);"],
      '- New is a function `countOf`, which takes `kind` and `options`.',
    ],
    [
      'Go',
      'basket.go',
      ['+func (b *Basket) CountOf(kind string, strict bool) (int, error) {', '+\treturn b.inner(kind)', '+}'],
      ['+\tn, err := b.CountOf("a", true)'],
      '- New is a function `CountOf` of `Basket`, which takes `kind` of the type `string` and `strict` of the type `bool` and gives `(int, error)`.',
    ],
    [
      'Rust',
      'src/basket.rs',
      ['+pub fn count_of(kind: Kind, strict: bool) -> usize {', '+    inner(kind)', '+}'],
      ['+        assert_eq!(count_of(Kind::A, true), 1);'],
      '- New is a function `count_of`, which takes `kind` of the type `Kind` and `strict` of the type `bool` and gives `usize`.',
    ],
    [
      'Java',
      'src/Basket.java',
      ['+  public int countOf(String kind, boolean strict) {', '+    return inner(kind);', '+  }'],
      ['+    assertEquals(1, basket.countOf("a", true));'],
      '- New is a function `countOf`, which takes `kind` of the type `String` and `strict` of the type `boolean`.',
    ],
    [
      'Kotlin',
      'src/Basket.kt',
      ['+fun Basket.countOf(kind: String, strict: Boolean = false): Int {', '+    return inner(kind)', '+}'],
      ['+        assertEquals(1, basket.countOf("a"))'],
      '- New is a function `countOf`, which takes `kind` of the type `String` and `strict` of the type `Boolean` (`false` by default) and gives `Int`.',
    ],
    [
      'Ruby',
      'lib/basket.rb',
      ['+  def count_of(kind, strict: false)', '+    inner(kind)', '+  end'],
      ['+    assert_equal 1, basket.count_of("a")'],
      '- New is a function `count_of`.',
    ],
    [
      'PHP',
      'src/Basket.php',
      ['+    public function countOf(string $kind, bool $strict = false): int', '+    {'],
      ['+        $this->assertSame(1, $basket->countOf("a"));'],
      '- New is a function `countOf`, which takes `kind` and `strict` (`false` by default).',
    ],
  ] as const)
    it(`is a new function with what it takes: in ${language}`, () =>
      expect(interfaceIn(patchOf(path, ...lines), patchOf(`tests/${path}`, ...tests))).to.equal(wanted));

  it('is a new parameter of what was there, an option, a class and an error', () => {
    const patch = patchOf(
      'src/basket.py',
      '-def count(basket):',
      '+class BasketError(Exception):',
      '+    pass',
      '+def count(basket, max_items=100):',
      '+    if os.environ.get("BASKET_LIMIT"):',
      '+        raise BasketError()',
    );
    const testPatch = patchOf(
      'tests/test_basket.py',
      '+    monkeypatch.setenv("BASKET_LIMIT", "1")',
      '+    with pytest.raises(BasketError):',
      '+        count([], max_items=3)',
    );
    expect(interfaceIn(patch, testPatch).split('\n')).to.deep.equal([
      '- `count` takes `max_items` (`100` by default).',
      '- New is a class or type `BasketError`.',
      '- A variable of the environment is `BASKET_LIMIT`.',
      '- The tests expect an error of the kind `BasketError`.',
    ]);
    const { flags } = cutStatement(told(patch, testPatch));
    expect(flags).to.not.include('underspecified');
  });

  for (const [what, path, lines, test, wanted] of [
    [
      'overloads of TypeScript',
      'a.ts',
      [
        'export function countOf(kind: string): number;',
        'export function countOf(kind: string, at: Date): number;',
        'export function countOf(kind: string, at?: Date): number {',
      ],
      'countOf(1)',
      '- New is a function `countOf`.',
    ],
    [
      'overloads of Java',
      'A.java',
      ['  public int countOf(String kind) {', '  public int countOf(String kind, int start) {'],
      'basket.countOf("a")',
      '- New is a function `countOf`.',
    ],
    [
      'lifetimes of Rust',
      'a.rs',
      ["pub fn count_of<'a>(text: &'a str, start: &'a mut usize) -> Option<&'a str> {"],
      'count_of(a)',
      '- New is a function `count_of`.',
    ],
    [
      'a lifetime and a function of Rust',
      'a.rs',
      ["pub fn count_of<'a>(text: &'a str, by: fn(&'a str)) -> usize {"],
      'count_of(a)',
      '- New is a function `count_of`.',
    ],
    [
      'references of PHP',
      'a.php',
      ['    public function countOf(array &$items, int ...$more): int', '    {'],
      '$this->countOf($a)',
      '- New is a function `countOf`.',
    ],
    ['names that are not ASCII', 'a.py', ['def größe(stück):'], 'größe(1)', ''],
    [
      'names of parameters that are not ASCII',
      'a.py',
      ['def count_of(stück, größe=1):'],
      'count_of(1)',
      '- New is a function `count_of`.',
    ],
    [
      'generics and annotations of Java',
      'A.java',
      ['  public int countOf(final @Nullable Map<String, List<Integer>> kinds, int... more) {'],
      'basket.countOf(a)',
      '- New is a function `countOf`.',
    ],
    [
      'parameters of C#',
      'A.cs',
      ['    public int CountOf(string? kind, Dictionary<string, int[]> kinds, bool strict = false)', '    {'],
      'basket.CountOf(a)',
      '',
    ],
    [
      'references of C#',
      'A.cs',
      ['    public int CountOf(ref int start, out string kind, params int[] more)', '    {'],
      'basket.CountOf(a)',
      '',
    ],
    [
      'a constant of Kotlin',
      'A.kt',
      ['    public const val MAX_ITEMS: String = "basket.items"'],
      'Basket.MAX_ITEMS',
      '- New is `MAX_ITEMS`, which the tests use.',
    ],
    [
      'a constant of Java',
      'A.java',
      ['  public static final int MAX_ITEMS = 3;'],
      'Basket.MAX_ITEMS',
      '- New is `MAX_ITEMS`, which the tests use.',
    ],
    [
      'a constant of PHP',
      'a.php',
      ['    const MAX_ITEMS = 3;'],
      'Basket::MAX_ITEMS',
      '- New is `MAX_ITEMS`, which the tests use.',
    ],
    ['a private constant', 'A.java', ['  private static final int MAX_ITEMS = 3;'], 'Basket.MAX_ITEMS', ''],
  ] as const)
    it(`is told of ${what}`, () =>
      expect(
        interfaceIn(patchOf(path, ...lines.map((line) => `+${line}`)), patchOf(`tests/${path}`, `+    ${test};`)),
      ).to.equal(wanted));

  it('is an error that is caught where nothing else may come, and one of a namespace', () => {
    const java = patchOf('A.java', '+    throw new IllegalStateException(text);');
    const caught = ['+    basket.count();', '+    fail();', '+  } catch (IllegalStateException expected) {'];
    const wanted = '- The tests expect an error of the kind `IllegalStateException`.';
    expect(interfaceIn(java, patchOf('ATest.java', ...caught))).to.equal(wanted);
    expect(interfaceIn(java, patchOf('ATest.java', ...caught.toSpliced(1, 1)))).to.equal('');
    const php = patchOf('a.php', '+    throw new \\Shop\\Exception\\EmptyBasket($text);');
    for (const test of [
      '$this->expectException(EmptyBasket::class);',
      '* @expectedException \\Shop\\Exception\\EmptyBasket',
    ])
      expect(interfaceIn(php, patchOf('ATest.php', `+    ${test}`))).to.equal(
        '- The tests expect an error of the kind `EmptyBasket`.',
      );
  });

  it('is no helper that tests do not use, nothing private, and no list of parameters that is not simply written', () => {
    const read = (path: string, lines: string[], test: string) =>
      interfaceIn(patchOf(path, ...lines), patchOf(`tests/${path}`, test));
    expect(read('a.js', ['+function collapse(tree) {'], "+  it('should collapse spaces', () => clean())")).to.equal('');
    expect(read('a.ts', ['+  private walkTwice(tree: Tree): void {'], '+  basket.walkTwice(1)')).to.equal('');
    for (const [line, test] of [
      ['def count_of(a, *rest):', 'count_of(1)'],
      ['def count_of(a, by=lambda x: x):', 'count_of(1)'],
    ])
      expect(read('a.py', [`+${line}`], `+    ${test}`)).to.equal('- New is a function `count_of`.');
    expect(read('a.py', ['+    @property', '+    def size(self):'], '+    basket.size')).to.equal(
      '- New is `size`, which the tests use.',
    );
  });

  it('is a message, with dots for what is filled in, and how a value is written', () => {
    const patch = patchOf(
      'lib/basket.js',
      "+  fail(`a basket of ${kinds.join(', ')} can't hold ${count} more`);",
      "+  fail('nothing is ' +",
      "+    'left of it');",
      "+  header('X-Basket-Kind');",
      "+  log('nobody asks for this text');",
    );
    const testPatch = patchOf(
      'test/basket.test.js',
      '+  expect(() => add()).toThrow("a basket of a, b can\'t hold 17 more");',
      '+  expect(() => take()).toThrow(/nothing is left/);',
      "+  expect(headers['X-Basket-Kind']).toBe(1234);",
    );
    expect(interfaceIn(patch, testPatch).split('\n')).to.deep.equal([
      '- Written exactly so: `X-Basket-Kind`.',
      "- A text reads `a basket of … can't hold … more`, where … stands for what is filled in, or for more.",
      '- A text reads `nothing is left…`, where … stands for what is filled in, or for more.',
    ]);
  });

  it('is a message that Go fills in', () => {
    const patch = patchOf(
      'basket.go',
      '+\treturn fmt.Errorf("a basket of %v can hold %q, and no more than %.2f kinds", kinds, kind, most)',
    );
    const testPatch = patchOf(
      'basket_test.go',
      '+\twant := "a basket of [a b] can hold \\"c\\", and no more than 2.50 kinds"',
    );
    expect(interfaceIn(patch, testPatch)).to.equal(
      '- A text reads `a basket of … can hold "…", and no more than … kinds`, where … stands for what is filled in, or for more.',
    );
  });

  it('is nothing that the statement says, that was there, that no test asks for, or that a hidden test is called', () => {
    const patch = patchOf('src/basket.py', '+def count_of(kind):', '+    return inner_sum(kind)');
    const testPatch = patchOf('tests/test_basket.py', '+    assert count_of("a") == 1');
    expect(interfaceIn(patch, testPatch, { statement: 'count_of a kind fails' })).to.equal('');
    const known = patchOf('src/basket.py', ' def count_of(kind):', '+    return inner_sum(kind)');
    expect(interfaceIn(known, testPatch, { statement: 'count_of a kind fails' })).to.equal('');
    expect(interfaceIn(patch, patchOf('tests/test_basket.py', '+    assert True'))).to.equal('');
    expect(interfaceIn(patch, testPatch, { failToPass: ['tests/test_basket.py::count_of'] })).to.equal('');
  });

  it('has no line of the patch or of its tests: a message that is one is not told, and the task is flagged', () => {
    const text = 'a basket has no place for more than that';
    const patch = patchOf('lib/basket.js', '+const usage = `', `+${text}`, '+`;', `+fail('${text}');`);
    const testPatch = patchOf('test/basket.test.js', `+  expect(() => add()).toThrow('${text}');`);
    expect(interfaceIn(patch, testPatch)).to.equal('');
    expect(cutStatement(told(patch, testPatch)).flags).to.include('underspecified');
  });

  it('has of a text that is more than what tests ask for that part alone, and none with code, or with signs that nobody sees', () => {
    const inTest = (line: string) => patchOf('test/basket.test.js', line);
    const read = (line: string, test: string) => interfaceIn(patchOf('lib/basket.js', line), inTest(test));
    expect(
      read(
        "+  log('falls back to the second cache when stat fails')",
        "+  it('second cache', () => expect(log).has(/second cache/))",
      ),
    ).to.equal('- A text reads `…second cache…`, where … stands for what is filled in, or for more.');
    for (const text of [
      '`nothing of ${twice({ deep: hidden })} was found here`',
      '`nothing of ${items.map((each) => { return each; })} was found here`',
      '"no such basket: #{basket.name.inspect} was found here"',
    ])
      expect(read(`+  fail(${text})`, '+  expect(f).toThrow(/was found here/)')).to.not.match(/[{}]|hidden|each|name/);
    expect(read('+  fail(`nothing of {`)', '+  expect(f).toThrow(`nothing of {`)')).to.equal('');
    for (const sign of ['\u{1b}', '\u{202e}', '\u{2028}'])
      expect(read(`+  fail('a bad ${sign} basket')`, `+  expect(f).toThrow('a bad ${sign} basket')`)).to.equal('');
  });

  it('stands behind the statement, under a heading', () => {
    expect(withInterface({ statement, interface: '' })).to.equal(statement);
    expect(withInterface({ statement, interface: '- `a` takes `b`.' })).to.match(
      /a number\.\n\n## Interface\n\n.*\n\n- `a` takes `b`\.$/,
    );
    expect(withInterface({ statement: 'So:\n\n```js\na();', interface: '- `b`' })).to.match(
      /^So:\n\n```js\na\(\);\n```\n\n## Interface/,
    );
  });

  it('is short, and made in time that grows with the patch, whatever that is full of', async () => {
    const hostile: [name: string, line: (n: number) => string][] = [
      ['functions', (n) => `+def count_${n}(kind_${n}, strict_${n}="${'x'.repeat(40)}"):`],
      ['marks', () => `+  fail("${'\'"`\\'.repeat(40)}`],
      ['holes', (n) => `+  fail("a basket ${'{} of '.repeat(30)}${n} baskets")`],
      ['parentheses', () => `+def f${'('.repeat(300)}`],
      ['spaces', () => `+function${' '.repeat(300)}`],
      ['classes', (n) => `+class Basket${n}(object): pass`],
    ];
    for (const [name, line] of hostile) {
      const cost = async (count: number) => {
        const lines = Array.from({ length: count }, (_, n) => line(n));
        const given = told(patchOf('src/a.py', ...lines), patchOf('tests/a.py', ...lines));
        const { ms } = await withCpuTime(() => {
          expect(interfaceOf(textsOf({ ...given, interface: '' })).length).to.be.below(4000);
        });
        return ms;
      };
      const [few, many] = [await cost(500), await cost(2000)];
      expect(many, name).to.be.below(12 * few + 400);
    }
  });

  it('takes no more than its share of time where lists, lines, classes and values are many; of the largest patches nothing is told', async () => {
    const shapes: [name: string, path: string, few: number, line: (n: number) => string, asked?: boolean][] = [
      ['Java', 'src/A.java', 100, (n) => `+def f${n}(${'final '.repeat(80)}${' '.repeat(480)}=)`],
      ['spaces', 'src/a.js', 100, (n) => `+function f${n}(a${' '.repeat(950)}=) {`],
      ['classes', 'src/a.py', 3000, (n) => `+class C${n}:\n+    x = 1`],
      ['values', 'src/a.py', 1500, (n) => `+    "value-${n}-x",`, true],
    ];
    for (const [name, path, few, line, asked] of shapes) {
      const cost = async (count: number) => {
        const lines = Array.from({ length: count }, (_, n) => line(n));
        const given = told(patchOf(path, ...lines), patchOf('tests/a.py', ...(asked ? lines : ['+x'])));
        return (await withCpuTime(() => interfaceOf(textsOf({ ...given, interface: '' })))).ms;
      };
      const [once, fourTimes] = [await cost(few), await cost(4 * few)];
      expect(fourTimes, name).to.be.below(6 * once + 100);
    }
    const large = patchOf('src/basket.py', '+def count_of(kind):', `+    # ${'x'.repeat(500_000)}`);
    expect(interfaceIn(large, patchOf('tests/test_basket.py', '+    count_of(1)'))).to.equal('');
  });
});
