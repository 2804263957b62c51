import { expect } from 'chai';
import { cutStatement } from '../../../loaders/task-instances/statements/cut-statement.ts';
import { statementFlags } from '../../../loaders/task-instances/statements/statement-flags.ts';
import type { Told } from '../../../loaders/task-instances/statements/told.ts';
import { withCpuTime } from '../../support/cpu-time.ts';

function patchOf(path: string, ...lines: string[]): string {
  const side = (other: string) => lines.filter((line) => !line.startsWith(other)).length;
  const header = `--- a/${path}\n+++ b/${path}\n@@ -1,${side('+')} +1,${side('-')} @@`;
  return `diff --git a/${path} b/${path}\n${header}\n${lines.map((line) => `${line}\n`).join('')}`;
}

const told = (fields: Partial<Told>): Told => ({
  statement: 'An empty basket has no price: an error is thrown where it should be nothing.',
  source: 'commit_message',
  patch: patchOf('src/price.py', ' def price(items):', '-    return reduce(add, items)', '+    return sum(items)'),
  testPatch: patchOf('tests/test_price.py', '+def test_of_nothing():', '+    assert price([]) == 0'),
  failToPass: ['tests/test_price.py::test_of_nothing'],
  testFiles: ['tests/test_price.py'],
  leakScore: 0,
  interface: '',
  ...fields,
});
const flags = (fields: Partial<Told>) => statementFlags(told(fields));

describe('what is against a statement', () => {
  it('is nothing where it says what was wrong, also by names that were there or that tests ask for', () => {
    expect(flags({})).to.deep.equal([]);
    expect(flags({ statement: 'Add a price of nothing\n\nThe price of an empty basket is an error.' })).to.deep.equal(
      [],
    );
    expect(flags({ statement: '`price` and `reduce` of an empty list throw TypeError' })).to.deep.equal([]);
    const patch = patchOf(
      'src/price.py',
      '-def price(items):',
      '+def price(items, currency=None):',
      '+    return total(items, currency)',
    );
    const testPatch = patchOf('tests/test_price.py', '+    assert price([], currency="EUR") == 0');
    expect(flags({ statement: 'Let `price` take a `currency`', patch, testPatch })).to.deep.equal([]);
  });

  it('tells_the_fix: it quotes it, names what only it brings, or says what to use in place of what', () => {
    for (const fields of [
      { leakScore: 0.1 },
      {
        statement: 'Baskets are wrong. Use `checked_sum` there.',
        patch: patchOf('src/price.py', '-    return reduce(add, items)', '+    return checked_sum(items)'),
      },
      {
        statement: 'The price has trailing space. Just lstrip instead of strip.',
        patch: patchOf('src/price.py', '-    return text.strip()', '+    return text.lstrip()'),
      },
      { statement: 'Change how _add_up counts the price of an empty basket.' },
      { statement: 'The price of nothing is an error\n\nIt adds nothing to nothing. Use an empty\nstart.' },
      { statement: 'The price of nothing is an error\n* Normalize the empty start of the sum\n* Add tests' },
      { statement: 'Bind the price of an empty basket to zero where it is an error now' },
      { statement: 'Instantiate the basket where the price of nothing is an error' },
      { statement: "The price of nothing is an error\n\nI've added a beginning to what is counted." },
      {
        statement: 'The price of nothing is an error, which fractions.total handles.',
        patch: patchOf('src/price.py', '-    return reduce(add, items)', '+    return fractions.total(items)'),
      },
      { statement: 'Use whole cents to fix prices that are an error' },
      { statement: 'fix(price): use whole cents to avoid prices that are an error' },
      {
        statement: 'Have a price of nothing in sum_of_all',
        patch: patchOf('src/price.py', ' sum_of_all = [', '+    0,'),
      },
      { statement: 'The price of nothing is an error\n* Edit the sum to begin at zero' },
      { statement: 'The price of nothing is an error. Instead, we begin at zero.' },
      { statement: 'Using a start to have a better price of nothing' },
      { statement: 'Use the right variable for the price of nothing' },
      { statement: 'The price of nothing is an error.\n\nBegin the sum with whole\ncents.' },
      {
        statement:
          'The price of nothing is an error. Without items, or when all are gone, it fails.\nIf there is none, begin the sum with cents.',
      },
      { statement: 'The price of nothing is an error. The fix uses whole cents.' },
      { statement: 'The price of nothing is an error\n\nHandle empty sums to avoid calling the shop' },
      { statement: 'Moved the sum of prices back to the basket' },
      { statement: 'The price of nothing is an error. The right solution is just to begin at zero.' },
      { statement: 'The price of nothing is an error. An empty start avoids it.' },
      { statement: 'The price of nothing is an error.\n\nThis change modifies the sum to begin at zero.' },
      { statement: 'The price of nothing is an error.\nDue to a typo, the sum is empty.' },
      { statement: 'Resolve the price of an empty basket by its root instead of its parent' },
      { statement: 'The price of nothing is an error. Fixed by starting at zero cents.' },
      { statement: 'The price of nothing is an error. This changes the price to nothing by adding a start.' },
      { statement: 'The price of nothing is an error. Fix by starting at zero cents.' },
      { statement: 'The price of nothing is an error. Advance sum.start to what was counted.' },
      { statement: 'The price of nothing is an error. Once there is none, count the cents from zero.' },
      { statement: 'The price of nothing is an error. That is done in `_add_up` of the basket.' },
      { statement: 'The price of nothing: _add_up did not ignore what is empty.' },
      { statement: 'The price of nothing is an error. To give nothing then, begin the sum with cents.' },
      { statement: 'The price of nothing is an error. By special-casing this, the sum is nothing.' },
      { statement: 'The price of nothing is an error. This uses the sum of cents to have none.' },
      {
        statement: 'Look for a price of nothing using hasattr',
        patch: patchOf('src/price.py', '-    if items.price:', '+    if hasattr(items, "price"):'),
      },
      { statement: 'The price of nothing is an error. This version will pick the smaller of both sums.' },
      { statement: 'The price of nothing is an error. Both ends of the sum should be swapped then.' },
      { statement: 'The price of nothing is no price. That of others is implemented with cents.' },
      { statement: 'The price of nothing is an error\n* Switches to cents for an empty sum' },
      { statement: 'The price of nothing is an error\n\n* fix: omit the tax of an empty sum' },
      { statement: ':zap: Re-use the sum of an empty basket as its price' },
      { statement: 'Sync the sum of an empty basket that is wrong with its price' },
      { statement: 'The price of nothing is an error. Match on an empty sum instead.' },
      { statement: 'The price of nothing is an error. Apply the same guard as for the tax.' },
      { statement: 'The price of nothing is an error. Default isEmpty to zero, and add a test.' },
      { statement: 'The price of nothing is an error. Count `items[0]`, as the tax has it.' },
      { statement: 'The price of nothing is an error. Leaving the sum empty lets the basket count it.' },
      { statement: 'The price of nothing is an error. Its kind was never added to the list of sums.' },
      { statement: 'The price of nothing is an error. Since the basket knows it, you should ask that.' },
      { statement: 'The price of nothing is an error. Reset the sum before each test of a basket.' },
      { statement: '# Price\nThe price of nothing is an error.\n# My proposal\nA sum of cents' },
      { statement: 'Implement __len__ of an empty basket so its price works correctly' },
      { statement: 'The price of nothing is an error. It works by adding a start to the sum.' },
      { statement: 'The price of nothing is an error. Now prices return zero for it.' },
      { statement: 'Remove the unnecessary check of an empty basket for the price of nothing' },
      { statement: "Don't use defer for the price of an empty basket, which takes a second" },
      {
        statement: 'An empty basket has the price of the last one, as lastPrice is kept',
        patch: patchOf('src/price.py', ' def price(items):', '+    lastPrice = 0'),
        testPatch: patchOf('tests/test_price.py', '+    # lastPrice is not kept.', '+    assert price([]) == 0'),
      },
      { statement: 'Close an empty basket to prevent a price of nothing that is an error' },
      { statement: 'Remove the start of an empty sum preventing a price of nothing' },
      { statement: 'Add a guard to the price of nothing, avoiding an error for an empty basket' },
      {
        statement:
          'The price of nothing is an error.\nScan by item so that a price of nothing is kept instead of lost.',
      },
      { statement: 'The price of nothing is an error.\n* Recursively check the kinds of items of a sum' },
      { statement: 'The price of nothing is an error. We solve this problem by adding zero to the sum.' },
      { statement: 'The price of nothing is an error. Now it tracks the end of each sum, and goes on from there.' },
      { statement: 'The price of nothing is an error. Instead use the new sums of the shop.' },
      { statement: 'The price of nothing is an error. That delegated to sums.of(items) with one too many.' },
      { statement: 'The price of nothing is an error\n* Make a sum none if empty rather than default to cents' },
      { statement: 'A missing loop guard causes an error for the price of an empty basket' },
      { statement: 'The price of an empty basket does not null-check what is never there' },
      { statement: 'An operator precedence bug has an error as the price of nothing' },
      { statement: 'Fix the price of an empty basket and use the new API of cents' },
      { statement: 'Ignore the price of nothing in a basket to use zero cents instead' },
      { statement: 'Rewind an empty basket before its price is an error' },
      { statement: '[shop] Sync the sum of an empty basket that is wrong with its price' },
      { statement: 'shop/basket: sync the sum of an empty basket that is wrong with its price' },
      { statement: 'price of a basket: count its tax too (fixes the lost cents of an empty one)' },
      { statement: 'The price of nothing is an error, as price.py adds up what is not there.' },
      {
        statement: 'The price of nothing is an error with %d instead of %g for an empty basket',
        patch: patchOf('src/price.py', '-    return "%g" % items', '+    return "%d" % items'),
      },
      {
        statement: 'The price of nothing is an error, where `~{3,}` stands for what `~~~` is.',
        patch: patchOf('src/price.py', '-    return match("~{3,}", items)', '+    return match("~~~", items)'),
      },
      {
        statement: 'Support money from babel as the price of a basket that is empty',
        patch: `${told({}).patch}${patchOf('requirements.txt', ' attrs', '+babel>=2')}`,
      },
    ])
      expect(flags(fields), JSON.stringify(fields)).to.deep.equal(['tells_the_fix']);
    for (const statement of [
      'The price of nothing is an error\n* Remove wrong comments of the sum\n* Change tests to the new form',
      'fix(price): inline price of an empty basket is shown as an error',
      "Don't use the price of the last basket when there is an empty one",
      'Use of price with an empty basket is an error. A fix is needed.',
      'The price of nothing is an error. Raise an exception of the shop. Whether the basket is empty is no matter.',
      'Raise an error of its own instead of a TypeError for the price of nothing',
      'The price of nothing is an error. Function price_of_all is where that happens.',
      'The price of nothing is an error. The basket.price of it is no number.',
      'The price of nothing is an error. Django 1.8 gives another one.',
      'The price of nothing is an error. Default `start` is nothing then.',
      'The price of nothing is an error.\nTraceback:\n    File "price.py", line 3, in add_up',
      'Raise an error of the shop to prevent an empty basket with a price',
      'The price of nothing is an error. Now it fails for the whole shop.',
      'The price of nothing is an error. Now it skips every second item of the basket.',
      'The price of nothing is an error. Newly added items are not in it.',
      'The price of nothing is an error. Previously removed items come back.',
      'The price of nothing hangs without a lock file of the basket',
      'Prices by item of an empty basket so that none is lost: an error is shown now',
      'The price of an empty basket is an error without a break for lunch: allow to use zero',
    ])
      expect(flags({ statement }), statement).to.deep.equal([]);
    const twice = 'Pass the currency of a price to all listeners\n* Pass the currency of a price to the listeners';
    expect(flags({ statement: twice })).to.deep.equal(['underspecified']);
    const reads = patchOf(
      'src/price.py',
      '-    return reduce(add, items)',
      '+    items = json.loads(config.read("settings.yaml"))',
      '+    return render(yaml.load(items), info=html.escape("index.html"))',
    );
    for (const name of ['config.json', 'settings.yaml', 'index.html', 'example.info'])
      expect(
        flags({ statement: `The price of nothing is an error with no ${name} there.`, patch: reads }),
        name,
      ).to.eql([]);
    const seen =
      'The price of nothing is an error: IndexError\n    at price.lowestItem (price.py:3)\nwhere it should be nothing';
    const patch = patchOf(
      'src/price.py',
      ' def lowestItem(items):',
      '-    raise IndexError(items)',
      '+    return None',
    );
    expect(flags({ statement: seen, patch })).to.deep.equal([]);
    const steps = 'The price of nothing is an error\n* Set up an empty basket\n* Call `price`';
    expect(flags({ statement: steps, source: 'issue' })).to.deep.equal([]);
    const uses = 'The price of nothing is an error. We use an empty basket at night.';
    expect(flags({ statement: uses, source: 'issue' })).to.deep.equal([]);
    const around = 'The price of nothing is an error. One can instead use a basket of one item.';
    expect(flags({ statement: around, source: 'issue' })).to.deep.equal([]);
  });

  it('tells_the_fix: it names a file that is changed, also one that begins with a dot', () => {
    const patch = `${told({}).patch}${patchOf('.pricerc.yaml', '-start: none', '+start: zero')}`;
    for (const name of ['.pricerc.yaml', './.pricerc.yaml...', 'src/price.py'])
      expect(flags({ patch, statement: `The price of nothing is an error with ${name}` }), name).to.deep.equal([
        'tells_the_fix',
      ]);
    for (const frame of ['price.py:3: error: nothing', '/src/price.py:3:14 error nothing', '  price.py:3 in add_up'])
      expect(flags({ patch, statement: `The price of nothing is an error.\n${frame}` }), frame).to.deep.equal([]);
  });

  it('tells_the_fix: it names what only the fix brings, and no test asks for but in a comment', () => {
    const patch = patchOf('src/price.py', '-    return reduce(add, items)', '+    return taxRate(items)');
    const of = (line: string) =>
      flags({
        statement: 'The price of nothing is an error, as taxRate is not known',
        patch,
        testPatch: patchOf('tests/test_price.py', `+    ${line}`, '+    assert price([]) == 0'),
      });
    for (const code of ['expect(2 * taxRate([]))', 'run("basket #3 " + taxRate([]))', '#define START taxRate([])'])
      expect(of(code), code).to.not.include('tells_the_fix');
    for (const comment of [
      '# taxRate',
      '## taxRate',
      '#: taxRate',
      '// taxRate',
      '* taxRate',
      '/* taxRate */',
      'price() # taxRate',
    ])
      expect(of(comment), comment).to.include('tells_the_fix');
  });

  it('is found in time that grows with a statement, whatever it is full of', async () => {
    const costOf = async (text: string) => {
      const statement = `${told({}).statement}\n${text}`;
      return (await withCpuTime(() => flags({ statement, patch: told({}).patch }))).ms;
    };
    // Where a pattern begins anew at each place, each of these takes about a second or more, and a plain one ten milliseconds.
    const length = 24_000;
    const plain = await costOf('price '.repeat(length / 6));
    for (const hostile of ['.'.repeat(length), '-.'.repeat(length / 2), `price:${'1'.repeat(length)}`])
      expect(await costOf(hostile), hostile.slice(0, 10)).to.be.below(10 * plain + 100);
  });

  it('names_hidden_test: a test that must pass, or its file', () => {
    for (const statement of ['See test_of_nothing', 'What tests/test_price.py shows', 'What test_price shows'])
      expect(flags({ statement }), statement).to.deep.equal(['names_hidden_test', 'underspecified']);
    const failToPass = ['price > returns nothing for an empty basket', 'adds'];
    expect(flags({ failToPass, statement: 'The basket adds wrongly.' })).to.deep.equal([]);
    expect(flags({ failToPass, statement: 'price returns nothing for an empty basket' })).to.deep.equal([
      'names_hidden_test',
    ]);
  });

  it('underspecified: the tests ask for a name or a message that only the fix has', () => {
    const message = 'a basket must have items';
    const patch = patchOf('src/price.py', ' def price(items):', `+    if not items: raise ValueError("${message}")`);
    const testPatch = patchOf(
      'tests/test_price.py',
      `+    with raises(ValueError, match='${message}'):`,
      '+        price([])',
    );
    expect(flags({ patch, testPatch })).to.deep.equal(['underspecified']);
    expect(flags({ patch, testPatch, statement: `It should say that ${message}.` })).to.deep.equal([]);
    const parameter = patchOf('src/price.py', '-def price(items):', '+def price(items, fallback=0):');
    const asks = patchOf('tests/test_price.py', '+    assert price([], fallback=1) == 1');
    const field = patchOf('src/price.py', ' class Basket:', '+    may_be_empty = True');
    const sets = patchOf('tests/test_price.py', '+    Basket.may_be_empty = False', '+    assert price([]) == 0');
    expect(flags({ patch: field, testPatch: sets })).to.deep.equal(['underspecified']);
    const filled = patchOf('src/price.py', '+    raise ValueError(f"there is no price for {basket} in it")');
    const reads = patchOf('tests/test_price.py', "+    assert str(error) == 'there is no price for b1 in it'");
    expect(flags({ patch: filled, testPatch: reads })).to.deep.equal(['underspecified']);
    expect(flags({ patch: parameter, testPatch: asks })).to.deep.equal(['underspecified']);
    expect(flags({ patch: parameter, testPatch: asks, statement: 'Let price have a fallback.' })).to.deep.equal([]);
    const pattern = patchOf('tests/test_price.py', "+    with raises(ValueError, match=r'^a basket must have.*$'):");
    expect(flags({ patch, testPatch: pattern })).to.deep.equal(['underspecified']);
    const escaped = patchOf(
      'tests/test_price.py',
      "+    with raises(ValueError, match=r'\\(.*\\) a basket must have'):",
    );
    expect(flags({ patch, testPatch: escaped })).to.deep.equal(['underspecified']);
    expect(flags({ patch, testPatch: pattern, statement: `It should say that ${message}.` })).to.deep.equal([]);
  });

  it('underspecified: the tests set a variable of the environment that only the fix reads', () => {
    const asked = (read: string, test: string) =>
      flags({
        patch: patchOf('src/price.py', '-    return reduce(add, items)', `+    return sum(items, ${read})`),
        testPatch: patchOf('tests/test_price.py', `+    ${test}`, '+    assert price([]) == 0'),
      });
    for (const read of [
      'process.env.PRICE_START',
      'os.environ["PRICE_START"]',
      "os.environ.get('PRICE_START')",
      'getenv("PRICE_START")',
      'os.Getenv("PRICE_START")',
    ]) {
      expect(asked(read, 'set("PRICE_START=1")'), read).to.deep.equal(['underspecified']);
      expect(asked(read, 'set("PRICE_STARTING=1")'), read).to.deep.equal([]);
    }
    expect(asked('os.environ["price_proxy"]', 'set("price_proxy=1")')).to.deep.equal(['underspecified']);
    for (const member of ['overlay', 'get_template', 'Overlay'])
      expect(asked(`self.env.${member}("price")`, `assert "${member}"`), member).to.deep.equal([]);
  });

  it('underspecified: the tests ask for a value that only the fix has, and that nobody would think of', () => {
    const asked = (before: string, after: string, statement: string) =>
      flags({
        statement,
        patch: patchOf('src/price.py', `-def price(items, shown=${before}):`, `+def price(items, shown=${after}):`),
        testPatch: patchOf('tests/test_price.py', '+def test_of_nothing():', `+    assert price([]).shown == ${after}`),
      });
    const statement = 'The price of an empty basket is shown wrongly.';
    for (const value of ["'%.3g'", '"naive-price"', '1250', '0.35'])
      expect(asked('None', value, statement), value).to.deep.equal(['underspecified']);
    for (const value of ["'x'", '12', 'True']) expect(asked('None', value, statement), value).to.deep.equal([]);
    expect(asked('None', "'%.3g'", `${statement} It should be %.3g.`)).to.deep.equal([]);
    expect(asked('None', "'naive-price'", `${statement} It should be a naive price.`)).to.deep.equal([]);
    const option = patchOf('src/price.js', '+  return this.options().priceOfNothing;');
    const gives = patchOf('tests/price.js', '+  price({ name: "Ann", priceOfNothing: 1 });');
    expect(flags({ statement, patch: option, testPatch: gives })).to.deep.equal(['underspecified']);
    const variable = patchOf('src/price.js', '+  return process.env.SHOP_PRICE || sum(items);');
    const sets = patchOf('tests/price.js', '+  run("price", { SHOP_PRICE: "0" });');
    expect(flags({ statement, patch: variable, testPatch: sets })).to.deep.equal(['underspecified']);
    expect(flags({ statement: `${statement} SHOP_PRICE has it.`, patch: variable, testPatch: sets })).to.deep.equal([]);
  });

  it('underspecified: the tests ask for an error, a form or a private function of which nothing is said', () => {
    const raises = patchOf('src/price.py', ' def price(items):', '+    raise LookupError("empty")');
    const wants = patchOf('tests/test_price.py', '+    with raises(LookupError):', '+        price([])');
    expect(flags({ patch: raises, testPatch: wants })).to.deep.equal(['underspecified']);
    expect(
      flags({ patch: raises, testPatch: wants, statement: 'Of nothing price raises no LookupError.' }),
    ).to.deep.equal([]);
    const shown = patchOf('src/price.py', '+        return f"<Basket(owner={self.owner!r}, items={self.items})>"');
    const reads = patchOf('tests/test_price.py', '+    assert repr(basket) == "<Basket(owner=\'Ann\', items=[])>"');
    const statement = 'The price of an empty basket shows no owner and no items.';
    expect(flags({ patch: shown, testPatch: reads, statement })).to.deep.equal(['underspecified']);
    const inside = patchOf('src/price.py', '-def _add_up(items):', '+def _add_up(items, start=0):');
    const calls = patchOf('tests/test_price.py', '+    assert _add_up([], start=1) == 1');
    expect(flags({ patch: inside, testPatch: calls, statement: 'Let a price have a start.' })).to.deep.equal([
      'underspecified',
    ]);
  });

  it('underspecified: its title does not say what happens, and other words do not speak for it', () => {
    const lines = ['+    if not items:', '+        items = [0]', '+    total = sum(items)', '+    return total'];
    const patch = patchOf('src/price.py', ' def price(items):', '-    return reduce(add, items)', ...lines);
    for (const statement of [
      'Fixed the baskets\n\nAdd tests that fail without it',
      'Improve handling of the prices of baskets',
      // What is no sentence behind a short title does not speak for it.
      'price([1, 2]) gives 4\n\nExpected: 3\nActual: 4',
      'Fixed the price of baskets\n\nAdd tests that fail without it',
      'fix: when `price` of a basket is asked for',
      // Words that say nothing make no title clear, nor does one that is said again.
      'Some more of the various other problems with the price of baskets are handled better',
      'Price and price and price and price and price of baskets and baskets',
    ])
      expect(flags({ statement, patch }), statement).to.deep.equal(['underspecified']);
    for (const statement of [
      'Fix a crash in the price of baskets',
      // Words enough of what the tests speak of pass, also where they say too little.
      'fix(price): counting of baskets and their prices',
      'Support several currencies in the price of baskets',
      // A short title is weighed with the sentence behind it.
      'The price\n\nIt is an error for a basket that is empty, where it should be nothing.',
      'Fix the price of baskets\n\nIt was counted twice.',
      'fix: when a basket is empty, its price is no number',
      'Return a price for empty baskets, too',
      'Fixed a KeyError in the price of baskets',
      'Segfault when parsing the price of deeply nested baskets',
      'Deadlock in the pool of prices when two threads close it',
      'price([1, 2]) of a basket gives 4\n\nExpected: 3\nActual: 4',
      'price(items) gives NaN for a basket with a gap',
      'Memory of prices grows beyond all bounds',
      'The total is computed before the discount, so customers pay more than the shown price',
      'The price of a basket isn’t rounded: I see 0.3000004',
    ])
      expect(flags({ statement, patch }), statement).to.deep.equal([]);
    const shown = 'Price of two baskets\n\n```\n>>> price([1, 2])\n4\n```';
    expect(flags({ statement: shown, patch, source: 'issue' })).to.deep.equal([]);
    expect(flags({ statement: shown, patch })).to.deep.equal([]);
    const empty = 'Price of two baskets\n\nThese are two.';
    expect(flags({ statement: empty, patch, source: 'issue' })).to.deep.equal(['underspecified']);
    const named = patchOf('src/price.py', '+def price(items, tax=0, discount=0):');
    const testPatch = patchOf('tests/test_price.py', '+    assert price([], tax=1, discount=1) == 0');
    const statement = 'Return a price for empty baskets, too';
    expect(flags({ statement, patch: named, testPatch })).to.deep.equal(['underspecified']);
  });

  it('underspecified: it names what is new, and does not say what that does', () => {
    const patch = patchOf('src/price.py', '+class Basket:', '+    pass');
    const testPatch = patchOf('tests/test_price.py', '+def test_of_nothing():', '+    assert price(Basket()) == 0');
    for (const statement of ['New Basket for prices', 'Basket\n\ntests and docs for Basket'])
      expect(flags({ statement, patch, testPatch }), statement).to.deep.equal(['underspecified']);
    const says = 'A Basket holds items and counts what they cost, which is nothing at first';
    expect(flags({ statement: says, patch, testPatch })).to.deep.equal([]);
    const option = patchOf('src/price.py', "+    parser.add('--in-cents')");
    const asks = patchOf('tests/test_price.py', "+    assert run('price', '--in-cents') == 0");
    expect(flags({ statement: 'Add --in-cents to prices', patch: option, testPatch: asks })).to.deep.equal([
      'underspecified',
    ]);
  });

  it('underspecified: it leaves what is wrong to another text, or speaks of other things than the tests', () => {
    for (const statement of [
      'Added a fix for price, issue #172, and more tests',
      ':bookmark: Version 8.2.0\nhandling the price of nothing\nsmall optimizations of the basket',
      '100% coverage of price and basket',
      'Also refactor the price of an empty basket',
      'Some refactoring of the price of an empty basket',
      'Simplify the price of an empty basket',
      'Add nothing to the price tests',
      'Drop support for Python 3.8 in price',
      'Add testing for Go 1.15 to the price of nothing',
      'Update money to its latest version for the price of nothing',
      'Fix the price of nothing for the change of money from v3 to v4',
      'Fix what flake8-bugbear says of price',
      'Release the connection pool when the server shuts down, and log the remaining sockets.',
      'The price of nothing is an error. This is the same fix as in the shop.',
    ])
      expect(flags({ statement }), statement).to.deep.equal(['underspecified']);
    for (const statement of [
      'As in #172, the price of an empty basket is an error, though nothing is in it and nothing has to be paid.',
      'The price of nothing is an error.\nTraceback:\n    File "price.py", line 3, in _add_up',
      'The price of nothing is an error.\n```\nprice._add_up([])\n```',
    ])
      expect(flags({ statement }), statement).to.deep.equal([]);
    for (const statement of [
      'Traceback:\n    File "price.py", line 3, in _add_up\nThe price of nothing is an error.',
      '```\nprice._add_up([])\n```\nThe price of nothing is an error.',
    ])
      expect(flags({ statement }), statement).to.deep.equal(['underspecified']);
  });

  it('changelog_only: it is what the fix writes into the list of changes', () => {
    const patch = `${told({}).patch}${patchOf('CHANGES.rst', '+-   The price of an empty basket is zero, no error is thrown.')}`;
    expect(flags({ patch, statement: 'The price of an empty basket is zero, no error is thrown' })).to.deep.equal([
      'changelog_only',
    ]);
    expect(flags({ patch })).to.deep.equal([]);
  });
});

describe('a statement that says first what was wrong and then how it was mended', () => {
  const wrong = [
    'Let an empty basket have no price',
    '',
    'The price of an empty basket is an error, e.g. at night, when nobody has bought anything',
    'yet. Each page that shows a price is an error then, too.',
  ].join('\n');
  const cut = (statement: string, fields: Partial<Told> = {}) => cutStatement(told({ ...fields, statement }));
  const whole = { interface: '', leakScore: 0, flags: ['tells_the_fix'] };

  it('ends before the first sentence that tells it, or that names a test', () => {
    for (const way of [
      '\n\nBegin the sum at zero, as the sibling does. Baskets with items are as before.',
      ' Instead, we begin at zero.',
      '\n\n- Begin the sum at zero.\n- Baskets with items are as before.',
      '\n\nFix: the sum has a start, `start=0`, in place of none.',
      '\n\n## Solution\nThe sum has a start.',
      '\n\nThis is done in three steps:\n\n- Begin the sum at zero.',
      ' Baskets with items were right\nbefore, so this brings the others in line:\n- Begin the sum at zero.',
      '\n\nNow test_of_nothing passes.',
    ])
      expect(cut(wrong + way), way).to.deep.equal({ statement: wrong, interface: '', leakScore: 0, flags: [] });
    // What it quotes of the fix is gone with it.
    const quoted = cut(`${wrong}\n\nNow it says:\n\n    return sum(items)`, { leakScore: 1 });
    expect(quoted).to.deep.equal({ statement: wrong, interface: '', leakScore: 0, flags: [] });
  });

  it('is its title where that says what happens, and the way begins behind it', () => {
    const title = 'An error is thrown for the price of an empty basket';
    for (const way of ['Begin the sum at zero, as the sibling does.', '* Begin the sum at zero\n* Add tests'])
      expect(cut(`${title}\n\n${way}`), way).to.deep.equal({
        statement: title,
        interface: '',
        leakScore: 0,
        flags: [],
      });
    for (const other of ['The price of nothing is an error', 'Let the price of each basket be counted in cents']) {
      const statement = `${other}\n\nBegin the sum at zero, as the sibling does.`;
      expect(cut(statement), statement).to.deep.equal({ statement, ...whole });
    }
  });

  it('is whole where its title says what happens, and much is told between that and the way', () => {
    const title = 'An error is thrown for the price of an empty basket';
    const good = 'Baskets with items have been right before. '.repeat(20);
    const telling = 'Begin the sum at zero cents. '.repeat(60).trim();
    const statement = `${title}\n\n${good}${telling}`;
    expect(cut(statement)).to.deep.equal({ statement, ...whole });
  });

  it('does not end in the middle of a block of code', () => {
    const shown = `${wrong}\n\n\`\`\`\nprice([]). Then\n- checked_sum(items)\n\`\`\``;
    const patch = patchOf('src/price.py', '-    return reduce(add, items)', '+    return checked_sum(items)');
    expect(cut(shown, { patch })).to.deep.equal({ statement: wrong, interface: '', leakScore: 0, flags: [] });
  });

  it('is cut in time that grows with it, whatever it is full of', () => {
    // Each line end may be an end: with a pattern that looks beyond its line this takes a quarter of an hour.
    const statement = `${wrong}${'\n\f'.repeat(8_000)}\n\nBegin the sum at zero, as the sibling does.`;
    expect(cut(statement)).to.deep.equal({ statement: wrong, interface: '', leakScore: 0, flags: [] });
  });

  it('stays whole, and flagged, where too little would be left', () => {
    for (const statement of [
      'The price of nothing is an error.\n\nBegin the sum at zero, as the sibling does.',
      `Bind the price to an empty start${wrong.slice(wrong.indexOf('\n'))}\n\nBegin the sum at zero.`,
      `${wrong}\n\n${'Begin the sum at zero, as the sibling does, and go on from there. '.repeat(5).trim()}`,
    ])
      expect(cut(statement), statement).to.deep.equal({ statement, ...whole });
    const patch = patchOf('src/price.py', '-def price(items):', '+def price(items, fallback=0):');
    const testPatch = patchOf('tests/test_price.py', '+    assert price([], fallback=1) == 1');
    // What tests ask for is told behind what is left.
    expect(cut(`${wrong}\n\nBegin the sum at the fallback.`, { patch, testPatch })).to.deep.equal({
      statement: wrong,
      interface: '- `price` takes `fallback` (`0` by default).',
      leakScore: 0,
      flags: [],
    });
  });

  it('is all of a statement against which there is nothing', () => {
    expect(cut(wrong)).to.deep.equal({ statement: wrong, interface: '', leakScore: 0, flags: [] });
  });
});
