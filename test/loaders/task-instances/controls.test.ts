import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { toldValueOf } from '../../../loaders/task-instances/controls/open-controls.ts';
import { plantControls, type Planting } from '../../../loaders/task-instances/controls/plant.ts';
import {
  knownTests,
  testData,
  toldByFile,
  toldOf,
  valueKey,
} from '../../../loaders/task-instances/controls/told-values.ts';
import { testDeclarations } from '../../../loaders/task-instances/controls/test-file.ts';
import { withInterface } from '../../../loaders/task-instances/statements/interface.ts';
import { gitRepository } from '../../support/git-repository.ts';
import { givenFor, unescaped, wrongValues } from '../../../loaders/task-instances/controls/wrong-values.ts';

const times = 200;
const draw = <T>(make: () => T): T[] => Array.from({ length: times }, make);

/** Each has one test that is told what is right from beside it. */
const tables = {
  'test_words.py': `TABLE = [("G h", "g-h")]\n\n\n@pytest.mark.parametrize("text, slugged", TABLE)\ndef test_words(text, slugged):\n    assert slug(text) == slugged\n`,
  'test_rows.py': `@pytest.mark.parametrize("text, slugged", [pytest.param("G h", "g-h", id="one")])\ndef test_rows(text, slugged):\n    assert slug(text) == slugged\n`,
  'words.test.js': `const TABLE = [['G h', 'g-h']];\nfor (const [text, slugged] of TABLE) {\n  it('slugs ' + text, () => expect(slug(text)).toBe(slugged));\n}\n`,
  'rows.test.js': `[['G h', 'g-h']].forEach(([text, slugged]) => {\n  it(text, () => expect(slug(text)).toBe(slugged));\n});\n`,
  'each.test.ts': `it.each([['G h', 'g-h']])('%s', (text, slugged) => {\n  expect(slug(text)).toBe(slugged);\n});\n`,
  'words_test.go': `package slug\n\nimport "testing"\n\nvar TABLE = []struct{ in, want string }{{"G h", "g-h"}}\n\nfunc TestWords(t *testing.T) {\n\tfor _, each := range TABLE {\n\t\tif got := Slug(each.in); got != each.want {\n\t\t\tt.Errorf("got %q, want %q", got, each.want)\n\t\t}\n\t}\n}\n`,
  'tests/words.rs': `const TABLE: &[(&str, &str)] = &[("G h", "g-h")];\n\n#[test]\nfn words() {\n    for (text, slugged) in TABLE {\n        assert_eq!(slug(text), *slugged);\n    }\n}\n`,
  'tests/cases.rs': `#[rstest]\n#[case("G h", "g-h")]\nfn words(#[case] text: &str, #[case] slugged: &str) {\n    assert_eq!(slug(text), slugged);\n}\n`,
  'WordsTest.java': `class WordsTest {\n  @ParameterizedTest\n  @CsvSource({"G h", "g-h"})\n  void words(String text) {\n    assertEquals(slugged(text), Slug.of(text));\n  }\n}\n`,
  'WordsTest.kt': `class WordsTest {\n  @ParameterizedTest\n  @ValueSource(strings = ["G h", "g-h"])\n  fun words(text: String) {\n    assertEquals(slugged(text), slug(text))\n  }\n}\n`,
};

describe('controls', () => {
  describe('what the base gives in place of what is wanted', () => {
    for (const [form, report, wanted, given] of [
      ['pytest', 'message="AssertionError: assert &apos;-a--b-&apos; == &apos;a-b&apos;&#10;  - a-b"', 'a-b', '-a--b-'],
      ['mocha', JSON.stringify({ err: { actual: '"$12.5"', expected: '"$12.50"' } }), '$12.50', '$12.5'],
      [
        'a value within another',
        JSON.stringify({ actual: JSON.stringify({ text: '$7' }, null, 2) }) + '$7.00',
        '$7.00',
        '$7',
      ],
      ['go', JSON.stringify({ Output: '    slug_test.go:9: got "-a--b-", want "a-b"\n' }), 'a-b', '-a--b-'],
      ['go without quotes', JSON.stringify({ Output: 'got -a--b-, want a-b\n' }), 'a-b', '-a--b-'],
      ['cargo', '  left: "-a--b-"\n right: "a-b"\n', 'a-b', '-a--b-'],
      ['JUnit', 'expected: &lt;a-b&gt; but was: &lt;-a--b-&gt;', 'a-b', '-a--b-'],
      ['nothing like it', 'assert "something else altogether" == "a-b"', 'a-b', null],
    ] as const)
      it(form, () => expect(givenFor(wanted, { source: '"c-d"', said: unescaped(report) })).to.equal(given));

    it('is not what the tests themselves say', () => {
      const said = 'slug(" A b") == "a-b", but "-a-b"';
      expect(givenFor('a-b', { source: 'assert slug(" A b") == "a-b"', said })).to.equal('-a-b');
    });
  });

  it('no value is told by how like it is to what the base gives, nor by its place among the others', () => {
    const literal = { start: 0, end: 0, kind: 'string', text: '"$12.50"' } as const;
    const said = 'expected "$12.5" to equal "$12.50"';
    const rows = draw(() => wrongValues(literal, { source: '', pool: [], said }).map((text) => text.slice(1, -1)));
    for (const row of rows) {
      expect(row).to.have.length(5);
      expect(new Set([...row, '$12.50']).size).to.equal(6);
      expect(row.every((text) => /^[$12.50]*$/.test(text))).to.equal(true);
    }
    const share = (isRight: (row: readonly string[]) => boolean) => rows.filter(isRight).length / times;
    // In a row of six the right one is at each place as often; so neither the shortest nor the longest is it.
    const lengths = (row: readonly string[]) => row.map((text) => text.length);
    expect(share((row) => Math.max(...lengths(row)) < 6)).to.be.below(0.35);
    expect(share((row) => Math.min(...lengths(row)) > 6)).to.be.below(0.35);
    expect(share((row) => row.includes('$12.5'))).to.be.above(0.6);
  });

  it('no number is told by its place among the others, nor by how round it is', () => {
    for (const text of ['1000', '200', '0.5', '12.50', '404', '1.0']) {
      const literal = { start: 0, end: 0, kind: text.includes('.') ? 'float' : 'integer', text } as const;
      const rows = draw(() => wrongValues(literal, { source: '', pool: [], said: '' }));
      const digits = (number: string) => number.replace('.', '').replace(/^0+|0+$/g, '').length;
      for (const row of rows) {
        expect(new Set([...row, text].map(Number)).size, row.join(' ')).to.equal(6);
        for (const other of row.filter((each) => Number(each) !== 0))
          expect(digits(other), other).to.equal(digits(text));
      }
      const share = (isRight: (row: readonly number[]) => boolean) =>
        rows.filter((row) => isRight(row.map(Number))).length / times;
      expect(
        share((row) => Math.min(...row) > Number(text)),
        text,
      ).to.be.below(0.35);
      expect(
        share((row) => Math.max(...row) < Number(text)),
        text,
      ).to.be.below(0.35);
    }
  });

  it('numbers that lie beside the right one fit its type: of a byte they are bytes', () => {
    for (const [text, max] of [
      ['200', 255],
      ['255', 255],
      ['126', 127],
      ['65535', 65_535],
      ['2147483647', 2 ** 31 - 1],
      ['3000000000', 2 ** 32 - 1],
    ] as const) {
      const literal = { start: 0, end: 0, kind: 'integer', text } as const;
      const pool = [{ ...literal, text: '999' }];
      const rows = draw(() => wrongValues(literal, { source: '', pool, said: '', isNear: true }).map(Number));
      for (const row of rows) {
        expect(new Set([...row, Number(text)]).size, row.join(' ')).to.equal(6);
        expect(Math.max(...row), text).to.be.at.most(max);
      }
    }
  });

  it('of a text in words no other is told by a word that there is not, nor by what most are like', () => {
    const literal = { start: 0, end: 0, kind: 'string', text: '"nothing was found here"' } as const;
    const source =
      'def test_none():\n    # Whatever stands in the file.\n    assert count([]) == "nothing was found here"\n';
    const said = "assert 'found some items' == 'nothing was found here'";
    const known = new Set(`${source}${said}`.toLowerCase().match(/[a-z]{3,}/g));
    const rows = draw(() => wrongValues(literal, { source, pool: [literal], said }).map((text) => text.slice(1, -1)));
    for (const row of rows) {
      expect(new Set([...row, 'nothing was found here']).size).to.equal(6);
      for (const word of row.flatMap((text) => text.toLowerCase().match(/[a-z]{3,}/g) ?? []))
        expect(known.has(word) || known.has(`${word}s`) || known.has(word.replace(/s+$/, '')), word).to.equal(true);
    }
    const likeness = (text: string, all: readonly string[]) => {
      const words = new Set(text.split(' '));
      return all.reduce((sum, other) => sum + other.split(' ').filter((word) => words.has(word)).length, 0);
    };
    const told = rows.filter((row) => {
      const all = [...row, 'nothing was found here'];
      const own = likeness('nothing was found here', all);
      return row.every((text) => likeness(text, all) < own);
    });
    expect(told.length / times).to.be.below(0.35);
  });

  for (const [path, source] of Object.entries({
    'test_slug.py': `from slug import slug\n\n\ndef test_trims():\n    assert slug(" A  b ") == "a-b"\n`,
    'slug.test.js': `it('trims', () => assert.ok(slug(' A  b ') === 'a-b'));\nit('trims more', () => {\n  assert(slug(' A ') === 'a');\n});\n`,
    'slug_test.go': `package slug\n\nimport "testing"\n\nfunc TestTrims(t *testing.T) {\n\tif got := Slug(" A  b "); got != "a-b" {\n\t\tt.Errorf("got %q", got)\n\t}\n}\n`,
    'tests/slug.rs': `#[test]\nfn trims() {\n    assert!(slug(" A  b ") == "a-b");\n}\n`,
    'tests/SlugTest.php': `<?php\n\nclass SlugTest extends TestCase\n{\n    public function testTrims(): void\n    {\n        $this->assertSame('a-b', slug(' A  b '));\n    }\n}\n`,
    'test/slug_test.rb': `class SlugTest < Minitest::Test\n  def test_trims\n    assert_equal "a-b", slug(" A  b ")\n  end\nend\n`,
    'spec/slug_spec.rb': `RSpec.describe "slug" do\n  it 'trims' do\n    expect(slug(' A  b ')).to eq('a-b')\n  end\nend\n`,
    ...tables,
  }))
    it(`what is planted in ${path} can be read, however its changes meet`, async () => {
      const tests = await testDeclarations(path, source);
      const planting = { assertions: true, copiesOf: () => 7 };
      for (const planted of draw(() => plantControls(source, tests, planting, '"-a--b-" is not "a-b"'))) {
        const found = await testDeclarations(path, planted?.source ?? '');
        expect(found, planted?.source).to.have.length(tests.length * 8);
      }
    }).timeout(30_000);

  for (const [path, source] of Object.entries(tables))
    it(`what a table of cases has is changed in ${path}, and no copy takes the table as it was for all to see`, async () => {
      const tests = await testDeclarations(path, source);
      const cells = tests.flatMap((test) => [test, ...test.tables].flatMap(({ literals }) => literals));
      expect(cells.map(({ text }) => text.slice(1, -1))).to.deep.equal(['G h', 'g-h']);
      for (const planted of draw(() => plantControls(source, tests, { assertions: true, copiesOf: () => 7 }, ''))) {
        expect(planted?.source.match(/\bTABLE\b/g) ?? []).to.have.length(/TABLE/.test(source) ? 1 : 0);
        // Some ask something else.
        expect(planted?.asking).to.not.deep.equal([]);
      }
    }).timeout(30_000);

  describe('values of one test or of two', () => {
    /** Of each test, the values that each of its copies compares with. */
    const rowsIn = async (source: string, planting: Partial<Planting> = {}) => {
      const tests = await testDeclarations('test_slug.py', source);
      const rows: (readonly string[])[][] = [];
      for (let draws = 0; draws < times; draws++) {
        const planted = plantControls(source, tests, { assertions: true, copiesOf: () => 7, ...planting }, '');
        const copies = await testDeclarations('test_slug.py', planted?.source ?? '');
        const asserted = /assert (?:not \()?\w+\([^)]*\) (?:==|is) (?:"([^"]*)"|(\w+))/g;
        rows.push(
          copies.map(({ start, end }) =>
            Array.from(
              (planted?.source ?? '').slice(start, end).matchAll(asserted),
              ([, text, word]) => text ?? word ?? '',
            ),
          ),
        );
      }
      return rows;
    };

    it('are the same in all copies where they are the same', async () => {
      for (const copies of await rowsIn(
        'def test_a():\n    assert slug("A b") == "a-b"\n    assert slug("a B") == "a-b"\n\n\ndef test_b():\n    assert slug("A B") == "a-b"\n',
      )) {
        const [twice, once] = [2, 1].map((count) => copies.filter(({ length }) => length === count));
        expect(twice?.every(([one, other]) => one === other)).to.equal(true);
        const [one = new Set(), other] = [twice, once].map((some) => new Set(some?.map(([text]) => text)));
        expect(one).to.deep.equal(other);
        expect(one.size).to.be.above(3);
      }
    }).timeout(60_000);

    it('do not tell by one that has few others which the rest of them is', async () => {
      const told = (
        await rowsIn('def test_a():\n    assert slug("A b") == "a-b"\n    assert is_slug("A b") is False\n')
      ).filter((copies) => new Set(copies.filter(([, word]) => word === 'False').map(([text]) => text)).size === 1);
      expect(told.length / times).to.be.below(0.2);
    }).timeout(60_000);

    it('are left as they are where everybody can read them, and others can be changed', async () => {
      const source = 'def test_a():\n    assert slug("A b") == "a-b"\n    assert count("A b") == 3\n';
      for (const copies of await rowsIn(source, { knownFrom: ({ text }) => (text === '3' ? 'test' : null) }))
        expect(copies.every(([, number]) => number === '3')).to.equal(true);
    }).timeout(60_000);

    it('are left where all can be read, and only what another assertion says something else of is asked', async () => {
      const more = 'def test_b():\n    assert count("q") == 1\n';
      for (const [source, isAskedAnew] of [
        [`def test_a():\n    assert count("a,,b") == 2\n\n\n${more}`, true],
        [`def test_a():\n    assert count("a,,b") == 2\n\n\ndef test_b():\n    assert size("q") == 1\n`, false],
        // Of what stands for something else in each test nothing is known.
        [`def test_a():\n    count = make(1)\n    assert count("a,,b") == 2\n\n\n${more}`, false],
      ] as const) {
        const tests = await testDeclarations('test_slug.py', source);
        for (const planted of draw(() =>
          plantControls(
            source,
            tests,
            { assertions: true, copiesOf: () => 7, knownFrom: ({ text }) => (text === '2' ? 'test' : null) },
            '',
          ),
        )) {
          const copies = (planted?.source ?? '').match(/\w+\("[^"]*"\) == \d+/g) ?? [];
          const ofA = copies.filter((copy) => copy.includes('a,,b') || copy.endsWith(' 2'));
          expect(ofA.every((copy) => copy.endsWith(' 2'))).to.equal(isAskedAnew);
          expect(new Set(ofA).size).to.equal(isAskedAnew ? 2 : new Set(ofA).size);
          expect(copies.every((copy) => /"(a,,b|q)"/.test(copy))).to.equal(true);
          // What a copy says that asks something else is said of no other solution.
          const asks = planted?.asking.filter(({ test }) => test.name === 'test_a') ?? [];
          expect(asks.length > 0).to.equal(isAskedAnew);
        }
      }
    }).timeout(60_000);

    it('are left as they are where they are a part of the question', async () => {
      const source = 'def test_a():\n    assert part("w8 ;e5") == "w8"\n    assert size("w8 ;e5") == 47\n';
      for (const copies of await rowsIn(source)) expect(copies.every(([part]) => part === 'w8')).to.equal(true);
    }).timeout(60_000);

    it('are changed in all tests that compare with them, or in none', async () => {
      const source =
        'def test_new():\n    assert size("x;y") == 47\n\n\ndef test_grown():\n    assert size("abc") == 47\n    assert name("abc") == "v w"\n';
      for (const copies of await rowsIn(source, {
        knownFrom: ({ text }, { name }) => (text === '47' && name === 'test_grown' ? 'test' : null),
      })) {
        const [news, grown] = [1, 2].map(
          (count) => new Set(copies.flatMap((row) => (row.length === count ? (row[0] ?? []) : []))),
        );
        expect(news).to.deep.equal(grown);
      }
    }).timeout(60_000);

    it('which can be read are changed of those tests alone that decide nothing by the others', async () => {
      const source =
        'def test_a():\n    assert slug("A b") == "a-b"\n    assert count("A b") == 3\n\n\ndef test_raises():\n    with pytest.raises(Wrong):\n        parse("abc")\n';
      const knownFrom: Planting['knownFrom'] = ({ text }) => (text === '3' ? 'test' : null);
      const numbers = async (wide: string) =>
        (await rowsIn(source, { knownFrom, isWide: ({ name }) => name === wide })).flatMap((copies) =>
          copies.flatMap(([, number]) => number ?? []),
        );
      expect(new Set(await numbers('test_raises'))).to.deep.equal(new Set(['3']));
      expect(new Set(await numbers('test_a')).size).to.be.above(3);
    }).timeout(60_000);

    it('are chosen in linear time', async () => {
      const plant = async (count: number) => {
        const lines = Array.from({ length: count }, (_, at) => `    assert slug("${at}", ${at}) == "a${at}"\n`);
        const source = `def test_a():\n${lines.join('')}`;
        const tests = await testDeclarations('test_slug.py', source);
        expect(tests).to.have.length(1);
        const began = performance.now();
        plantControls(source, tests, { assertions: true, copiesOf: () => 7 }, '');
        return performance.now() - began;
      };
      await plant(100);
      const ratios = [];
      for (let tries = 0; tries < 3; tries++) ratios.push((await plant(8_000)) / (await plant(1_000)));
      expect(Math.min(...ratios)).to.be.below(24);
    }).timeout(60_000);
  });

  it('tests of PHP and Ruby are told with what they compare with, and may say the opposite', async () => {
    for (const [path, source, name, opposite] of [
      [
        'tests/SlugTest.php',
        `<?php\nclass SlugTest extends TestCase {\n  public function testTrims() {\n    $this->assertSame('a-b', slug("$x"));\n  }\n}\n`,
        'testTrims',
        'assertNotSame',
      ],
      [
        'test/slug_test.rb',
        `class SlugTest < Minitest::Test\n  def test_trims\n    assert_equal 'a-b', slug("#{x}")\n  end\nend\n`,
        'test_trims',
        'refute_equal',
      ],
      [
        'spec/slug_spec.rb',
        `describe Slug do\n  it 'trims' do\n    expect(slug(' A')).to eq 'a-b'\n  end\nend\n`,
        'trims',
        'not_to',
      ],
    ] as const) {
      const [test, ...more] = await testDeclarations(path, source);
      expect(more).to.deep.equal([]);
      expect(test).to.include({ name, comparesValues: true });
      expect(test?.literals.map(({ text }) => text)).to.deep.equal(["'a-b'"]);
      expect(test?.opposites.flat().map(({ text }) => text)).to.deep.equal([opposite]);
    }
  });

  it('only a file of the tests tells what a test compares with, and only one that reads and compares', async () => {
    const toldIn = async (body: string, changed: readonly string[], files: readonly string[] = []) => {
      const source = `def test_slug():\n    ${body}\n`;
      const [test] = await testDeclarations('tests/test_slug.py', source);
      expect(test).to.include({ name: 'test_slug' });
      return test && toldByFile(testData(changed, files), source, test);
    };
    const compares = 'assert slug((CASES / "a.in").read_text()) == (CASES / "a.out").read_text()';
    expect(await toldIn(compares, ['tests/cases/b.txt'])).to.equal('what tests/cases/b.txt has');
    expect(await toldIn(compares, [], ['tests/cases/a.out'])).to.equal('what tests/cases/a.out has');
    expect(await toldIn('check("a.out")', ['tests/cases/a.out'])).to.equal('what tests/cases/a.out has');
    for (const [body, changed, files] of [
      ['assert slug("config.json", x) == slug(x)', [], ['docs/config.json']],
      ['assert slug(find("setup.cfg")) == slug(x)', [], ['setup.cfg', 'tests/setup.cfg']],
      ['assert slug(x) == slug(y)', ['tests/cases/b.txt'], []],
      [compares, ['tests/README.md', 'tests/requirements.txt', 'tests/tsconfig.json'], []],
      ['with raises(ValueError):\n        slug(open("a.in"))', ['tests/cases/a.in'], []],
      ['assert is_slug(open("a.in").read())', ['tests/cases/a.in'], []],
    ] as const)
      expect(await toldIn(body, changed, files), body).to.equal(null);
  });

  it('a text of the file stands in for another only in the quotes that it is plain in', async () => {
    const source = `class NameTest {\n  @Test\n  fun names() {\n    assertEquals("\${1}_x", name("a"))\n    assertEquals("b_y", name("b"))\n    use("b_y", "c_z")\n  }\n}\n`;
    const tests = await testDeclarations('NameTest.kt', source);
    expect(tests).to.have.length(1);
    for (const planted of draw(() => plantControls(source, tests, { assertions: true, copiesOf: () => 7 }, '')))
      expect(planted?.source.match(/\$\{1\}_x/g)).to.have.length(8);
    const beside = new Map(
      [`'#{x}'`, `'b y'`, `"c z"`, `"d z"`].map(
        (text) => [valueKey({ kind: 'string', text }), { kind: 'string', text }] as const,
      ),
    );
    const made = draw(() =>
      wrongValues({ kind: 'string', text: '"c z"' }, { source: '', pool: [], said: '', beside }),
    ).flat();
    expect(made).to.include('"d z"');
    expect(made.filter((text) => /#|b y/.test(text))).to.deep.equal([]);
  });

  it('a module that a test loads is no value that it compares with, but what Go requires is', async () => {
    const js = `it('slugs', () => {\n  const { slug } = require('./slug');\n  assert.equal(slug('A'), 'a');\n});\n`;
    const go = `package slug\n\nfunc TestSlug(t *testing.T) {\n\trequire.Equal(t, "a", Slug("A"))\n}\n`;
    for (const [path, source, text] of [
      ['slug.test.js', js, "'a'"],
      ['slug_test.go', go, '"a"'],
    ] as const) {
      const [test] = await testDeclarations(path, source);
      expect(test?.literals.map((literal) => literal.text)).to.deep.equal([text]);
    }
  });

  describe('what the base’s own test tells of a test', () => {
    const toldHere = async (before: string, after: string) => {
      const write = (body: string) => `def test_f():\n    ${body.split('; ').join('\n    ')}\n`;
      const [base, fix] = [write(before), write(after)];
      const known = knownTests(base, await testDeclarations('test_f.py', base));
      const [test] = await testDeclarations('test_f.py', fix);
      return test && toldOf(new Set(), fix, test, known.get(test.name));
    };
    it('is nothing of an expectation that was corrected', async () => {
      for (const [before, after] of [
        ['assert f(2) == 3', 'assert f(3) == 2'],
        [
          'assert f(1) == 2; assert f(2) == 2; assert f(3) == 4',
          'assert f(1) == 2; assert f(2) == 3; assert f(3) == 4',
        ],
        [
          'assert f(1) == 2; assert f(2) == 2; assert f(3) == 4',
          'assert f(1) == 2; assert f(2) == 4; assert f(3) == 4',
        ],
        [
          'assert ok("x") is True; assert ok("y") is False; assert ok("z") is True',
          'assert ok("x") is True; assert ok("y") is False; assert ok("z") is False',
        ],
        ['assert f(A) == 3', 'assert f(B) == 3'],
        ['g = make(A); assert g("x") == 3', 'g = make(B); assert g("x") == 3'],
        ['assert f(3) == 2', 'assert f(2) == 3'],
      ] as const)
        expect(await toldHere(before, after), after).to.equal(null);
    });
    it('is all of one that says nothing new', async () => {
      expect(await toldHere('assert f(1) == 2; assert f(2) == 3', 'assert f(2)  ==  3')).to.equal('3');
    });
    it('is what all tests of one name tell', async () => {
      const source = `class A:\n    def test_get(self):\n        assert f(1) == 2\n\n\nclass B:\n    def test_get(self):\n        assert f(3) == 4\n`;
      const known = knownTests(source, await testDeclarations('test_f.py', source)).get('test_get');
      const values = Array.from(known?.values ?? [], (key) => key.split('\0')[1]);
      expect(values).to.have.members(['1', '2', '3', '4']);
    });
  });

  it('a value that the statement has is told, as one that the interface behind it has: also with dots for what is filled in', async () => {
    using repository = gitRepository({ files: { 'src/basket.py': 'def put(n):\n    pass\n' } });
    mkdirSync(join(repository.path, 'tests'));
    const file = 'tests/test_basket.py';
    const source = 'def test_full():\n    assert put(17) == "a basket of 17 has no place"\n';
    writeFileSync(join(repository.path, file), source);
    const verifying_tests = {
      fail_to_pass: [`${file}::test_full`],
      pass_to_pass: [],
      test_files: [file],
      framework: 'pytest',
    };
    const value = '"a basket of 17 has no place"';
    const statement = 'Nobody is told that a basket is full.';
    const interfaces = [
      '- A text reads `a basket of … has no place`, where …',
      `- A text reads ${value.replaceAll('"', '`')}.`,
    ];
    for (const [problem_statement, told] of [
      [statement, null],
      [`${statement} It shall say ${value}.`, value],
      ...interfaces.map((text) => [withInterface({ statement, interface: text }), value] as const),
      [withInterface({ statement, interface: '- A text reads `a basket of … has a place`, where …' }), null],
    ] as const)
      expect(await toldValueOf({ problem_statement, verifying_tests }, repository.path), problem_statement).to.equal(
        told,
      );
  });

  it('a statement tells no value by a part of a word, and an interface none by words that are ours: but each that it has between marks', async () => {
    using repository = gitRepository({ files: { 'src/basket.py': 'def put(n):\n    pass\n' } });
    mkdirSync(join(repository.path, 'tests'));
    const file = 'tests/test_basket.py';
    const verifying_tests = {
      fail_to_pass: [`${file}::test_full`],
      pass_to_pass: [],
      test_files: [file],
      framework: 'pytest',
    };
    for (const [value, statement, more, isTold] of [
      ['"kind"', 'Baskets of mankind are wrong.', '', false],
      ['"kind"', 'Baskets of a kind are wrong.', '', true],
      ['100', 'See #21003.', '', false],
      ['100', 'It holds 100.', '', true],
      ['"name"', 'It is wrong.', '- New is a function `put`, which takes `n`.', false],
      ['"function"', 'It is wrong.', '- New is a function `put`, which takes `n`.', false],
      ['2.5', 'It is wrong.', '- Written exactly so: `2.5`.', true],
      [
        '"a `bad` basket of 17 is full"',
        'It is wrong.',
        '- A text reads `` a `bad` basket of … is full ``, where …',
        true,
      ],
    ] as const) {
      writeFileSync(join(repository.path, file), `def test_full():\n    assert put(17) == ${value}\n`);
      const problem_statement = withInterface({ statement, interface: more });
      const told = await toldValueOf({ problem_statement, verifying_tests }, repository.path);
      expect(told, problem_statement).to.equal(isTold ? value : null);
    }
  });

  it('a table in the body of a Go test is what it compares with, and told where the base has it', async () => {
    const write = (rows: string) =>
      `package slug\n\nimport "testing"\n\nfunc TestSlug(t *testing.T) {\n\ttests := []struct{ in, out string }{${rows}}\n\tfor _, tt := range tests {\n\t\tif got := Slug(tt.in); got != tt.out {\n\t\t\tt.Errorf("got %q", got)\n\t\t}\n\t}\n}\n`;
    const [base, fix] = [write('{"A b", "a-b"}, {"C", "c"}'), write('{"A b", "a-b"}, {"C d", "c-d"}')];
    const known = knownTests(base, await testDeclarations('slug_test.go', base));
    for (const [source, told] of [
      [base, '"A b"'],
      [fix, null],
    ] as const) {
      const [test] = await testDeclarations('slug_test.go', source);
      expect(test).to.include({ asksOnly: true, hasTable: true });
      expect(test && toldOf(new Set(), source, test, known.get('TestSlug'))).to.equal(told);
    }
  });

  it('where nothing is compared, what is tested is asked something else', async () => {
    const source = `def test_is_slug():\n    assert is_slug("a-b")\n`;
    const [test] = await testDeclarations('test_slug.py', source);
    expect(test?.literals.map(({ text }) => text)).to.deep.equal(['"a-b"']);
    expect(test?.asksOnly).to.equal(true);
    const planted = plantControls(source, test ? [test] : [], { assertions: true, copiesOf: () => 7 }, '');
    expect(planted?.asking).to.not.deep.equal([]);
  });
});
