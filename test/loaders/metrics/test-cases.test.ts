import { expect } from 'chai';
import { gitRepository } from '../../support/git-repository.ts';
import { commits, metricsOf, metricsOfFiles, weekly } from './metrics-of.ts';
import { dedent } from '../../support/dedent.ts';

/** By file, its text, how many tests it has, how many of them assert nothing, and how many assert nothing of the repository; as the frameworks' own documentation writes tests. */
const sources: Record<string, { text: string; tests: number; idle: number; apart?: number }> = {
  'test/mocha.test.js': {
    tests: 6,
    idle: 3,
    text: `const assert = require('assert');
describe('Array', () => {
  it('returns -1 when the value is not present', () => { assert.equal([1, 2, 3].indexOf(value()), -1); });
  it('responds', (done) => { request(app).get('/users').expect(200, done); });
  it('asserts through a helper', async () => { await respondsWell(get('/')); });
  it('is empty', () => {});
  it('calls only', () => { value(); });
  it('compares literals', () => { const one = 1; assert.equal(one, 1); assert.ok('text'); });
});
`,
  },
  'test/tried.test.js': {
    tests: 5,
    idle: 0,
    text: dedent`
      const shop = require('../shop');
      it('looks at what was tried', () => { let known = null; try { known = shop(1); } catch {} expect(known).toBe(1); });
      it('tries again', async () => { for (;;) { try { expect(shop(1)).toBe(1); break; } catch {} await sleep(10); } });
      it('hands in what asserts', (done) => { try { shop.on('x', (it) => { expect(it).toBe(1); done(); }); } catch {} });
      it('gives more than the assertion', () => { return expect(shop(1)).toBe(1) || true; });
      it('hears of it', () => { try { expect(shop(1)).toBe(1); } catch (error) { throw new Error(error); } });

    `,
  },
  'test/noted.test.js': {
    tests: 1,
    idle: 0,
    text: "const shop = require('../shop');\nQUnit.test('is noted', (assert) => { try { assert.equal(shop(1), 1); } catch {} });\n",
  },
  'test/helpers.js': {
    tests: 0,
    idle: 0,
    text: dedent`
      exports.respondsWell = function respondsWell(r) { return checkStatus(r); };
      function checkStatus(r) { expect(r.status).toBe(200); }

    `,
  },
  'test/presence.test.js': {
    tests: 11,
    idle: 6,
    apart: 1,
    text: `const shop = require('./shop');
const prices = [1, 2];
it('is itself', () => { const shop = { id: 1 }; expect(shop).toBe(shop); });
it('is what it was told', () => { const shop = { id: 1, tags: ['a'] }; expect(shop.id).toBe(1); expect(prices[0]).toBe(1); });
it('is there', () => { expect(shop).toBeDefined(); assert.ok(shop); assert.isNotNull(shop.open); });
it('is a function', () => { expect(typeof shop).toBe('function'); expect(shop).to.be.a('function'); });
it('is loaded', () => { const loaded = require('./shop'); expect(loaded).toBeTruthy(); });
it('is the same over lines', () => {
  const shop = {
    id: 1,
  };
  assert.deepEqual(shop, shop);
});
it('was filled', () => { const calls = []; run(calls); expect(calls).toEqual([]); });
it('counts', () => { let count = 0; assert.equal(++count, 1); });
it('came of a call', () => { const found = find(1); expect(found).toBeDefined(); });
it('is open', () => { expect(shop.isOpen).toBe(true); });
it('gives what it should', () => { const expected = { id: 1 }; expect(find(1)).toEqual(expected); });
`,
  },
  'src/sum.test.ts': {
    tests: 5,
    idle: 3,
    apart: 1,
    text: `import { expect, test } from 'vitest';
test('adds 1 + 2 to equal 3', () => { expect(sum(1, 2)).toBe(3); });
test.each([[1, 1, 2]])('add(%i, %i)', (a, b, expected) => { expect(a + b).toBe(expected); });
test('throws', () => { try { sum('a'); throw new Error('not thrown'); } catch (error) { } });
test('is true', () => { expect(true).toBe(true); });
test('is the same', () => { expect(1 + 1).toEqual(2); });
`,
  },
  'test/never.test.js': {
    tests: 5,
    idle: 3,
    text: `it('leaves', () => { return; expect(shop(1)).toBe(1); });
it('swallows', () => { try { expect(shop(1)).toBe(1); } catch {} });
it('is either', () => { expect(shop === 1 || true).toBe(true); });
it('hoists', () => { return check(); function check() { expect(shop(1)).toBe(1); } });
it('hears of it', () => { try { shop(1); } catch (error) { expect(error.message).toBe('no'); } });
`,
  },
  'test/ava.test.js': {
    tests: 2,
    idle: 1,
    text: dedent`
      import test from 'ava';
      test('foo', t => { t.is(foo(), 1); });
      test('passes', t => { t.pass(); });

    `,
  },
  'tests/test_presence.py': {
    tests: 5,
    idle: 4,
    text: `from shop import users

def test_there():
    assert users is not None

def test_some():
    assert users

def test_itself():
    shop = {"id": 1}
    assert shop is shop

def test_own():
    shop = {
        "id": 1,
    }
    assert shop["id"] == 1

def test_found():
    found = users.find(1)
    assert found is not None
`,
  },
  'tests/test_sample.py': {
    tests: 7,
    idle: 3,
    apart: 1,
    text: `import pytest, unittest

def inc(x):
    return x + 1

def test_answer():
    assert inc(3) == 5

def test_zero_division():
    with pytest.raises(ZeroDivisionError):
        1 / zero()

class TestStringMethods(unittest.TestCase):
    def test_upper(self):
        self.assertEqual('foo'.upper(), name)

    def test_time_out(self):
        try:
            get(url)
            pytest.fail("should time out")
        except Timeout:
            pass

def test_nothing(): pass

def test_literal():
    assert 5 == 5

def test_truth():
    expected = True
    assert expected
`,
  },
  'sum_test.go': {
    tests: 4,
    idle: 2,
    text: `package sum

func TestAbs(t *testing.T) {
	got := Abs(-1)
	if got != 1 {
		t.Errorf("Abs(-1) = %d; want 1", got)
	}
}

func TestSomething(t *testing.T) { assert.Equal(t, Sum(1), 123, "they should be equal") }

func TestNothing(t *testing.T) { Abs(1) }

func TestLiterals(t *testing.T) {
	assert.Equal(t, 1, 1)
	if 1 != 1 {
		t.Fatal("never")
	}
}

func BenchmarkAbs(b *testing.B) { Abs(1) }
`,
  },
  'src/test/java/CalculatorTest.java': {
    tests: 6,
    idle: 2,
    text: `class CalculatorTest {
  @Test
  void addition() { assertEquals(2, calculator.add(1, 1)); }
  @Test(expected = IndexOutOfBoundsException.class)
  public void empty() { new ArrayList<Object>().get(0); }
  @ParameterizedTest
  @ValueSource(strings = { "racecar", "radar" })
  void palindromes(String candidate) { assertThat(candidate).isNotEmpty(); }
  @Test
  void mocks() { verify(mockedList).add("one"); }
  @Test
  void nothing() { calculator.add(1, 1); }
  @Test
  void literals() { assertTrue(true); assertEquals(1, 1); }
  private void helper() {}
}
`,
  },
  'src/test/kotlin/SampleTest.kt': {
    tests: 3,
    idle: 1,
    text: `class SampleTest : StringSpec({
}) {
  @Test
  fun testSum() { assertEquals(42, testSample.sum(40, 2)) }
  @Test
  fun infix() { user.name shouldBe "sam" }
  @Test
  fun nothing() { testSample.sum(1, 2) }
}
`,
  },
  'src/test/scala/ExampleTest.scala': {
    tests: 3,
    idle: 1,
    text: `class ExampleTest extends AnyFunSuite {
  test("An empty Set should have size 0") { assert(Set.empty.size == size) }
  test("Invoking head should throw") { intercept[NoSuchElementException](Set.empty.head) }
  test("nothing") { println(1) }
}
`,
  },
  'tests/UnitTest1.cs': {
    tests: 4,
    idle: 2,
    text: `public class UnitTest1 {
  [Fact]
  public void PassingTest() { Assert.Equal(4, Add(2, 2)); }
  [Theory]
  [InlineData(3)]
  public void Fluent(int value) { Add(value, 1).Should().Be(4); }
  [Fact]
  public void Nothing() { Add(2, 2); }
  [Fact]
  public void Literal() { Assert.True(true); }
}
`,
  },
  'test/meme_test.rb': {
    tests: 6,
    idle: 2,
    text: `class TestMeme < Minitest::Test
  def test_that_kitty_can_eat
    assert_equal "OHAI!", @meme.i_can_has_cheezburger?
  end

  def test_nothing
    @meme.run
  end

  it "expects" do
    expect(order.total).to eq(Money.new(5.55, :USD))
  end

  it "must" do
    _(thing.size).must_equal 42
  end

  test "raises" do
    assert_raises(ArgumentError) do
      run
    end
  end

  it "is true" do
    assert true
  end
end
`,
  },
  'tests/StackTest.php': {
    tests: 4,
    idle: 2,
    text: `<?php
final class StackTest extends TestCase {
    public function testPushAndPop(): void { $stack = []; $this->assertSame(0, count($stack)); }
    public function testException(): void { $this->expectException(InvalidArgumentException::class); run(); }
    #[Test]
    public function nothing(): void { run(); }
    public function testLiteral(): void { $this->assertTrue(true); }
}
`,
  },
  'src/lib.rs': {
    tests: 4,
    idle: 2,
    text: `pub fn add(left: u64, right: u64) -> u64 { left + right }
#[cfg(test)]
mod tests {
    #[test]
    fn it_works() { let result = add(2, 2); assert_eq!(result, 4); }
    #[test]
    #[should_panic(expected = "less than")]
    fn greater_than_100() { Guess::new(200); }
    #[tokio::test]
    async fn nothing() { add(1, 1); }
    #[test]
    fn literals() { assert!(true); assert_eq!(2, 2); }
}
`,
  },
  'tests/factorial_test.cc': {
    tests: 4,
    idle: 2,
    text: `TEST(FactorialTest, HandlesZeroInput) { EXPECT_EQ(Factorial(0), 1); }
TEST_CASE("Factorials are computed", "[factorial]") { REQUIRE( Factorial(1) == 1 ); }
TEST(FactorialTest, Nothing) { Factorial(3); }
TEST(FactorialTest, Literal) { EXPECT_TRUE(true); }
`,
  },
  'tests/test_unity.c': {
    tests: 3,
    idle: 2,
    text: `void test_function_should_doBlah(void) { TEST_ASSERT_EQUAL(expected, blah()); }
void test_nothing(void) { blah(); }
void test_literal(void) { assert(1 == 1); }
int test_of_a_module(struct context *c, int argc) { return blah(); }
`,
  },
  'test/addition.bats.sh': {
    tests: 2,
    idle: 1,
    text: dedent`
      #!/usr/bin/env bash
      @test "addition using bc" {
        result="$(echo 2+2 | bc)"
        [ "$result" -eq 4 ]
      }
      @test "nothing" {
        run_it
      }

    `,
  },
};

describe('metrics: tests that assert', () => {
  it('are told from those that do not, in each language by its frameworks', async () => {
    const { metric } = await metricsOfFiles({
      'src/app.js': 'run();\n',
      ...Object.fromEntries(Object.entries(sources).map(([path, { text }]) => [path, text])),
    });
    const { evidence, quantities } = metric('test_code_ratio_pct');
    const told = new Map(
      evidence.flatMap(({ path, note }) => {
        const [, idle, tests] = /^(\d+) of (\d+) tests assert nothing(?:, |$)/.exec(note ?? '') ?? [];
        return path === null || idle === undefined ? [] : [[path, `${idle} of ${tests}`]];
      }),
    );
    const expected = Object.entries(sources)
      .filter(([, { idle }]) => idle > 0)
      .map(([path, { tests, idle }]) => [path, `${idle} of ${tests}`]);
    expect(Object.fromEntries(told)).to.deep.equal(Object.fromEntries(expected));
    const total = (key: 'tests' | 'idle' | 'apart') =>
      Object.values(sources).reduce((sum, each) => sum + (each[key] ?? 0), 0);
    expect(quantities).to.deep.equal({
      tests: total('tests'),
      without_assertion: total('idle'),
      apart: total('apart'),
    });
  });

  it('count where they reach code of the repository that does something, or what nobody can account for', async () => {
    const { metric } = await metricsOfFiles({
      'src/shop.js': 'exports.sum = (a, b) => a + b;\n',
      'src/same.js': 'exports.same = function (value) {\n  return value;\n};\n',
      'src/index.js': "exports.same = require('./same').same;\n",
      'shop/prices.py': 'def total(prices):\n    return sum(prices)\n',
      'test/helper.js': "const { sum } = require('../src/shop');\nexports.check = (a) => sum(a, 1);\n",
      'test/reach.test.js': dedent`
        const { sum } = require('../src/shop');
        const { check } = require('./helper');
        const request = require('supertest');
        describe('shop', () => {
          let shop;
          beforeEach(() => { shop = sum(1, 2); });
          it('sums', () => { expect(sum(1, 2)).toBe(3); });
          it('is set up', () => { expect(shop + 1).toBe(4); });
          it('is checked', () => { expect(check(1)).toBe(2); });
          it('answers', async () => { expect((await request('http://127.0.0.1').get('/')).status).toBe(200); });
          it('has fixtures', async ({ page }) => { expect(await page.title()).toBe('Shop'); });
          it('loads', () => { const loaded = require('../src/shop'); expect(loaded.sum(1, 1)).toBe(2); });
          it('is of the language', () => { expect(Math.max(1, 2)).toBe(2); });
          it('is a mock', () => { const ask = jest.fn(() => 1); expect(ask()).toBe(1); });
        });

      `,
      'test/same.test.js': dedent`
        const { same } = require('../src');
        it('is same', () => { expect(same(1)).toBe(1); });

      `,
      'tests/test_prices.py': dedent`
        import math
        from unittest.mock import Mock
        import pytest
        from shop.prices import total

        class Case(unittest.TestCase):
            def setUp(self):
                self.total = total([1])
            def test_kept(self):
                self.assertEqual(self.total, 1)

        def test_total():
            assert total([1, 2]) == 3

        def test_client(client):
            assert client.get("/").status == 200

        @pytest.mark.parametrize("prices, expected", [(total([1]), 1)])
        def test_all(prices, expected):
            assert prices == expected

        def test_language():
            assert math.floor(1.5) == 1

        def test_mock():
            ask = Mock(return_value=1)
            assert ask() == 1

      `,
    });
    const { evidence } = metric('test_code_ratio_pct');
    const told = evidence.flatMap(({ path, note }) => (path !== null && note?.includes('reach') ? [[path, note]] : []));
    const which = 'tests reach no code of the repository that does anything';
    expect(Object.fromEntries(told)).to.deep.equal({
      'test/reach.test.js': `2 of 8 ${which}`,
      'test/same.test.js': `1 of 1 ${which}`,
      'tests/test_prices.py': `2 of 6 ${which}`,
    });
  });

  /** By test file, how many of its tests reach nothing; without those whose tests all reach. */
  const apartIn = async (files: Record<string, string>): Promise<Record<string, string>> => {
    const { evidence } = (await metricsOfFiles(files)).metric('test_code_ratio_pct');
    return Object.fromEntries(
      evidence.flatMap(({ path, note }) => {
        const [, counts] = /^(\d+ of \d+) tests reach no code/.exec(note ?? '') ?? [];
        return path === null || counts === undefined ? [] : [[path, counts]];
      }),
    );
  };

  it('reach what a double or a test framework loads for them, not what it stands in for', async () => {
    const apart = await apartIn({
      'src/app.js': 'exports.sum = (a, b) => a + b;\n',
      'test/proxied.test.js': dedent`
        const proxyquire = require('proxyquire');
        const rewire = require('rewire');
        const app = proxyquire('../src/app', { fs: {} });
        it('is proxied', () => { expect(app.sum(1, 2)).toBe(3); });
        it('is rewired', () => { expect(rewire('../src/app').sum(1, 2)).toBe(3); });

      `,
      'test/actual.test.ts': dedent`
        const app = jest.requireActual('../src/app');
        it('is outside', () => { expect(app.sum(1, 2)).toBe(3); });
        it('is inside', async () => {
          const own = await vi.importActual<typeof import('../src/app')>('../src/app');
          expect(own.sum(1, 2)).toBe(3);
        });

      `,
      'test/mocked.test.js': dedent`
        it('is mocked', () => {
          jest.mock('../src/app');
          const ask = jest.fn(() => 1);
          expect(ask()).toBe(1);
        });
        it('../src/app', () => { expect(Math.max(1, 2)).toBe(2); });

      `,
    });
    expect(apart).to.deep.equal({ 'test/mocked.test.js': '2 of 2' });
  });

  it('reach what they load by a path that is computed', async () => {
    const apart = await apartIn({
      'src/app.js': 'exports.sum = (a, b) => a + b;\n',
      'src/app.py': 'def total(prices):\n    return sum(prices)\n',
      'test/joined.test.js': dedent`
        const path = require('path');
        const app = require(path.join(__dirname, '../src/app.js'));
        it('is joined', () => { expect(app.sum(1, 2)).toBe(3); });

      `,
      'test/root.test.js': dedent`
        const root = '../src/app';
        const { sum } = require(root);
        it('is of a constant', () => { expect(sum(1, 2)).toBe(3); });

      `,
      'test/template.test.js':
        "const app = require(`../src/app`);\nit('is a plain template', () => { expect(app.sum(1, 2)).toBe(3); });\n",
      'test/inside.test.js': dedent`
        import path from 'node:path';
        const modules = import.meta.glob('../src/*.js');
        it('is a template', () => { const kind = 'app'; expect(require(\`../src/\${kind}\`).sum(1, 2)).toBe(3); });
        it('is awaited', async () => { const app = await import(path.join('..', 'src/app.js')); expect(app.sum(1, 2)).toBe(3); });
        it('is a sum of texts', () => { const app = require('../src/' + 'app'); expect(app.sum(1, 2)).toBe(3); });
        it('is of a pattern', () => { expect(Object.keys(modules)).toContain('../src/app.js'); });
        it('loads what comes with Node', () => { const own = require('path'); expect(own.join('a', 'b')).toBe('a/b'); });

      `,
      'test/test_computed.py': dedent`
        import importlib
        import runpy
        import pytest

        app = importlib.import_module("src.app")
        skipped = pytest.importorskip("src.app")

        def test_outside():
            assert app.total([1]) == 1

        def test_skipped():
            assert skipped.total([1]) == 1

        def test_inside():
            own = __import__("src.app")
            assert own.app.total([1]) == 1

        def test_run():
            assert runpy.run_path("src/app.py")["total"]([1]) == 1

        def test_exec():
            names = {}
            exec("from src.app import total", names)
            assert names["total"]([1]) == 1

        def test_nothing():
            one = dict(a=1)
            assert one["a"] == 1

      `,
    });
    expect(apart).to.deep.equal({ 'test/inside.test.js': '1 of 5', 'test/test_computed.py': '1 of 6' });
  });

  it('reach by a module that is of another language, or of the repository, or starts a process', async () => {
    const apart = await apartIn({
      'src/app.js': 'exports.sum = (a, b) => a + b;\n',
      'lib/util.py': 'def total(prices):\n    return sum(prices)\n',
      'lib/queue.py': 'def total(prices):\n    return sum(prices)\n',
      'test/queue.test.js': dedent`
        const queue = require('queue');
        const util = require('util');
        it('is a package', () => { expect(queue([1, 2]).length).toBe(2); });
        it('is of the language', () => { expect(util.inspect(1)).toBe('1'); });

      `,
      'test/deno.test.ts': dedent`
        import { expect } from 'expect';
        Deno.test('starts', async () => { expect((await new Deno.Command('app').output()).code).toBe(0); });
        Deno.test('is of the language', () => { expect(Math.max(1, 2)).toBe(2); });

      `,
      'tests/test_modules.py': dedent`
        import os
        import queue
        import random
        import sys
        sys.path.insert(0, "lib")
        import util

        def test_util():
            assert util.total([1]) == 1

        def test_queue():
            assert queue.total([1]) == 1

        def test_os():
            assert os.system("app") == 0

        def test_path():
            assert os.path.join("a", "b") == "a/b"

        def test_random():
            assert random.Random(1).randint(1, 1) == 1

      `,
    });
    expect(apart).to.deep.equal({
      'test/queue.test.js': '1 of 2',
      'test/deno.test.ts': '1 of 2',
      'tests/test_modules.py': '2 of 5',
    });
  });

  it('reach through files that import each other, in whatever order', async () => {
    const names = ['compat', 'extra'] as const;
    for (const first of names)
      for (const core of ['a-core', 'z-core'])
        expect(
          await apartIn({
            'src/index.js': `export * from './compat.js';\nexport * from './${core}.js';\n`,
            'src/compat.js': "export { sum as add } from './index.js';\n",
            'src/extra.js': "export { add as plus } from './compat.js';\n",
            [`src/${core}.js`]: 'export const sum = (a, b) => a + b;\n',
            'src/idle.js': "export { other } from './other.js';\n",
            'src/other.js': "export { idle } from './idle.js';\n",
            [`test/${first === 'compat' ? 'a' : 'z'}.test.js`]:
              "import { add } from '../src/compat.js';\nit('adds', () => { expect(add(1, 2)).toBe(3); });\n",
            'test/m.test.js':
              "import { sum } from '../src/index.js';\nimport { plus } from '../src/extra.js';\nimport { idle } from '../src/idle.js';\n" +
              "it('sums', () => { expect(sum(1, 2)).toBe(3); });\nit('is plus', () => { expect(plus(1, 2)).toBe(3); });\n" +
              "it('is idle', () => { expect(idle(1)).toBe(1); });\n",
          }),
        ).to.deep.equal({ 'test/m.test.js': '1 of 3' });
  });

  it('reach what is in a package whose own file is empty', async () => {
    const tests = (name: string) => `import ${name}\n\ndef test_a():\n    assert ${name}.a.total([1]) == 1\n`;
    const apart = await apartIn({
      'shop/__init__.py': '',
      'shop/prices/__init__.py': '',
      'shop/prices/a.py': 'def total(prices):\n    return sum(prices)\n',
      'bare/__init__.py': '',
      'bare/a.py': 'def total(prices):\n    return prices\n',
      'tests/test_shop.py': tests('shop'),
      'tests/test_bare.py': tests('bare'),
    });
    expect(apart).to.deep.equal({ 'tests/test_bare.py': '1 of 1' });
  });

  it('count where they speak of more names than are kept', async () => {
    const many = Array.from({ length: 70 }, (_, n) => `a${n}`);
    const test = (names: readonly string[]) =>
      `import { ${many.join(', ')} } from 'assert';\nimport { zero } from '../src/app';\n` +
      `it('is long', () => { expect([${names.join(', ')}]).toEqual([]); });\n`;
    const apart = await apartIn({
      'src/app.js': 'export const zero = (a, b) => a + b;\n',
      'test/long.test.js': test([...many, 'zero']),
      'test/short.test.js': test(many.slice(0, 9)),
    });
    expect(apart).to.deep.equal({ 'test/short.test.js': '1 of 1' });
  });

  it('are looked for in time, whatever a file is made of', async () => {
    const { metric } = await metricsOfFiles({
      'src/app.js': 'run();\n',
      'test/unclosed.test.js': "it('x', () => { ".repeat(20_000),
      'test/throws.test.js': 'throw a;\n'.repeat(50_000),
      'test/quotes.lua': `"'\\`.repeat(100_000),
      'test/open.test.rb': "it 'x' do\n".repeat(20_000),
    });
    expect(metric('test_code_ratio_pct').status).to.equal('measured');
  });

  it('count for volume and discipline, the others do not', async () => {
    using repository = gitRepository();
    commits(repository, 'Ann', weekly('2024-05-01T00:00:00Z', 12), (i) => ({
      'a.py': `x = ${i}\n`,
      ...(i % 3 === 0
        ? { 'test_a.py': `import a\n\ndef test_a():\n    assert a.x == ${i}\n\ndef test_b(): pass\n` }
        : {}),
      ...(i % 2 === 0 ? { 'test_b.py': `def test_${i}(): pass\n` } : {}),
    }));
    const { metric } = await metricsOf(repository.path);
    expect(metric('test_code_ratio_pct')).to.deep.include({ numerator: 3, denominator: 1 });
    expect(metric('test_cochange_pct')).to.deep.include({ numerator: 4, denominator: 12 });
  });

  it('make a report in the tree believable, if it knows half of production', async () => {
    const report = (...lines: number[]) => `SF:a.py\n${lines.map((line) => `DA:${line},9\n`).join('')}end_of_record\n`;
    const files = {
      'a.py': 'x = 1\n'.repeat(40),
      'b.py': 'y = 1\n'.repeat(20),
      'test_a.py': 'import a\n\ndef test_a():\n    assert a.x\n',
    };
    const of = async (more: Record<string, string>) =>
      (await metricsOfFiles({ ...files, ...more })).metric('line_coverage_pct');
    const invented = await of({ 'lcov.info': report(1, 2, 3) });
    expect(invented).to.deep.include({ value: null, reason: 'report_incomplete' });
    expect(invented.evidence[0]?.note).to.equal('knows 15 % of the lines of production code');
    const beyond = await of({ 'lcov.info': report(...Array.from({ length: 40 }, (_, line) => line + 100)) });
    expect(beyond.reason).to.equal('report_incomplete');
    const whole = await of({ 'lcov.info': report(...Array.from({ length: 20 }, (_, line) => line + 1)) });
    expect(whole.value).to.equal(100);
    expect(whole.evidence.map(({ note }) => note)).to.include('knows 67 % of the lines of production code');
    const unasserted = await of({
      'lcov.info': report(...Array.from({ length: 20 }, (_, line) => line + 1)),
      'test_a.py': 'def test_a(): pass\n',
    });
    expect(unasserted).to.deep.include({ value: null, reason: 'no_report_found' });
    // Three lines of tests can't cover all of these.
    const tooMuch = await of({ 'lcov.info': report(...Array.from({ length: 31 }, (_, line) => line + 1)) });
    expect(tooMuch).to.deep.include({ value: null, reason: 'no_report_found' });
    expect(tooMuch.evidence[0]?.note).to.contain('31 lines of production covered by 3 lines of tests');
  });
});
