import { expect } from 'chai';
import { measure } from '../../loaders/measure.ts';
import { openPopulation } from '../../src/due-diligence/population/population.ts';
import { reportJson, reportOf } from '../../src/due-diligence/report.ts';
import type { Architecture } from '../../src/model/architecture.ts';
import type { PeopleByComponent } from '../../src/due-diligence/people-by-component.ts';
import { repoIntel } from '../support/cli.ts';
import { gitRepository } from '../support/git-repository.ts';
import type { FileContent, GitRepository } from '../support/git-repository.ts';

interface Report {
  architecture: Architecture;
  people_by_component: PeopleByComponent;
  [member: string]: unknown;
}

const ann = { name: 'Ann Author', email: 'ann@example.com' };
const carol = { name: 'Carol Tester', email: 'carol@example.net' };
const bob = { name: 'Bob Builder', email: 'bob@example.org' };

const body = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `def ${name}_${n}(value):\n    return value * ${n} + ${n * 7}\n`).join('\n');

/** Four components, none above another: `web` on `orders` and `store`, `orders` on `store`, `mail` on nothing. */
const shop = {
  'src/web/__init__.py': '',
  'src/web/views.py': `from orders.book import book_1\nfrom store.rows import rows_1\n\n${body('views', 12)}`,
  'src/orders/__init__.py': '',
  'src/orders/book.py': `from store.rows import rows_2\n\n${body('book', 12)}`,
  'src/orders/price.py': `from orders.book import book_2\nfrom store.rows import rows_4\n\n${body('price', 9)}`,
  'src/store/__init__.py': '',
  'src/store/rows.py': body('rows', 12),
  'src/store/keys.py': `from store.rows import rows_3\n\n${body('keys', 6)}`,
  'src/mail/__init__.py': '',
  'src/mail/send.py': body('send', 12),
  'tests/test_book.py': 'from orders.book import book_1\n\n\ndef test_book():\n    assert book_1(1) == 8\n',
  'tests/test_rows.py': 'from store.rows import rows_1\n\n\ndef test_rows():\n    assert rows_1(1) == 8\n',
} satisfies Record<string, string>;

const testsOfShop = Object.keys(shop).filter((path) => path.startsWith('tests/'));

/** Each file has one author: Bob those of `mail`, Ann all others. */
function shopRepository(): GitRepository {
  const repository = gitRepository({ name: 'shop' });
  for (const [path, content] of Object.entries(shop)) {
    const author = path.startsWith('src/mail/') ? bob : ann;
    repository.commit(`Add ${path}`, { files: { [path]: content }, author });
  }
  return repository;
}

/** What `report --json` writes, without a process of its own for each. */
async function report({ path }: GitRepository, asOf = '2024-03-25'): Promise<Report> {
  const yardstick = { rate: { currency: 'EUR', hourly_rate: 100 }, population: openPopulation(undefined) };
  return JSON.parse(JSON.stringify(reportJson(reportOf(await measure(path, { asOf }), yardstick, asOf)))) as Report;
}

async function reportByCommand({ path }: GitRepository, ...args: string[]): Promise<Report> {
  const { code, stdout, stderr } = await repoIntel(['report', path, '--as-of', '2024-03-25', '--json', ...args]);
  expect(code, stderr).to.equal(0);
  return JSON.parse(stdout) as Report;
}

/** With these files, in a commit of their own. */
async function reportWith(files: Record<string, FileContent>): Promise<Report> {
  using repository = shopRepository();
  repository.commit('Change it', { files });
  return await report(repository);
}

const cyclesOf = ({ architecture }: Report) => architecture.cycles.items.map(({ components }) => components);

describe('the architecture in a report', function () {
  let before: Report;
  let beforeAgain: Report;
  this.beforeAll(async () => {
    using repository = shopRepository();
    before = await reportByCommand(repository);
    beforeAgain = await reportByCommand(repository);
  });

  it('is the same bytes for the same commit and day', () => {
    expect(beforeAgain).to.deep.equal(before);
  });

  it('has components of production alone, with how they depend on each other', () => {
    const { components, edges, cycles, file_cycles: circles, made_of, basis } = before.architecture;
    expect({ made_of, basis }).to.deep.equal({ made_of: 'folders', basis: ['imports'] });
    const figures = components.items.map(({ name, files, used_by: ca, uses: ce, instability, depth }) => ({
      name,
      files,
      ca,
      ce,
      instability,
      depth,
    }));
    expect(figures.sort((a, b) => (a.name < b.name ? -1 : 1))).to.deep.equal([
      { name: 'src/mail', files: 2, ca: 0, ce: 0, instability: null, depth: 0 },
      { name: 'src/orders', files: 3, ca: 1, ce: 1, instability: 0.5, depth: 1 },
      { name: 'src/store', files: 3, ca: 2, ce: 0, instability: 0, depth: 0 },
      { name: 'src/web', files: 2, ca: 0, ce: 2, instability: 1, depth: 2 },
    ]);
    expect(edges.total).to.equal(3);
    expect(edges.items.find(({ from, to }) => from === 'src/web' && to === 'src/store')).to.deep.include({
      imports: 1,
      calls: null,
      example: { path: 'src/web/views.py', line: 2, to_path: 'src/store/rows.py', to_line: null },
    });
    expect([cycles.total, circles.total]).to.deep.equal([0, 0]);
  });

  describe('what changes when one thing does', () => {
    it('an added cycle shows among the cycles, the edges and the coupling of its two ends, and at no other place', async () => {
      const cyclic = { 'src/store/keys.py': `from orders.price import price_1\n${shop['src/store/keys.py']}` };
      const harmless = { 'src/store/keys.py': `from store.rows import rows_4\n${shop['src/store/keys.py']}` };
      const [after, control] = [await reportWith(cyclic), await reportWith(harmless)];
      expect(cyclesOf(control)).to.deep.equal([]);
      expect(cyclesOf(after)).to.deep.equal([['src/orders', 'src/store']]);
      const [cycle] = after.architecture.cycles.items;
      expect(cycle?.edges.items[0]?.example).to.deep.equal({
        path: 'src/store/keys.py',
        line: 1,
        to_path: 'src/orders/price.py',
        to_line: null,
      });
      expect(changed(control, after)).to.deep.equal([
        'architecture.components.items.src/orders.cycle',
        // What is in a circle is one step.
        'architecture.components.items.src/orders.depth',
        'architecture.components.items.src/orders.instability',
        'architecture.components.items.src/orders.used_by',
        'architecture.components.items.src/store.cohesion',
        'architecture.components.items.src/store.cycle',
        'architecture.components.items.src/store.instability',
        'architecture.components.items.src/store.uses',
        'architecture.components.items.src/web.depth',
        'architecture.cycles',
        'architecture.edges',
      ]);
    });

    it('a deleted folder of tests lowers what is told of tests, and nothing of the architecture', async () => {
      const after = await reportWith({ 'tests/test_book.py': null, 'tests/test_rows.py': null });
      const control = await reportWith({});
      expect(changed(control, after).filter((path) => !path.startsWith('matrix.'))).to.satisfy((paths: string[]) =>
        paths.every((path) => !path.startsWith('architecture') && !path.startsWith('people_by_component')),
      );
      expect(dimensionsThatFell(control, after)).to.deep.equal(['testing']);
    });

    it('nor do tests that are skipped, or whose author has left, count for production code and who knows it', async () => {
      using repository = shopRepository();
      const skipped = 'import pytest\n\n\n@pytest.mark.skip\ndef test_it():\n    assert True\n';
      const old = { 'tests/test_old.py': skipped, 'tests/test_older.py': skipped };
      repository.commit('Test it', { files: old, author: carol, date: '2022-01-01T00:00:00Z' });
      repository.commit('Change it', { date: '2024-03-24T00:00:00Z' });
      const control = await report(repository);
      repository.git('reset', '--quiet', '--hard', 'HEAD~1');
      const files = Object.fromEntries([...Object.keys(old), ...testsOfShop].map((path) => [path, null]));
      repository.commit('Change it', { files, date: '2024-03-24T00:00:00Z' });
      const after = await report(repository);
      expect(scoresOf(after).get('testing')).to.be.below(scoresOf(control).get('testing') ?? 0);
      for (const [dimension, score] of scoresOf(control))
        if (dimension !== 'testing') expect(scoresOf(after).get(dimension), dimension).to.equal(score);
    });

    it('who leaves takes along what nobody else knows', async () => {
      using repository = shopRepository();
      const after = await reportByCommand(repository, '--without', 'bob builder');
      const left = after.people_by_component.if_leave;
      expect(left?.people).to.deep.equal(['Bob Builder']);
      expect(left?.components).to.deep.equal([{ component: 'src/mail', files: 2, lines: 24, lost: true }]);
      expect(left?.files.items[0]).to.deep.equal({ path: 'src/mail/send.py', lines: 24, component: 'src/mail' });
      expect(left?.hours.likely).to.equal(0.1);
      expect(changed(before, after)).to.deep.equal(['people_by_component.if_leave']);
    });

    it('who left is missed by the components that they knew, and by no other', async () => {
      using repository = shopRepository();
      // A year and more later, of one of the two.
      const year = { author: ann, date: '2025-03-01T00:00:00Z', files: { 'src/web/__init__.py': 'WEB = 1\n' } };
      repository.commit('Go on', year);
      const { people_by_component: people } = await report(repository, '2025-03-02');
      const orphaned = people.components.map(({ component, orphaned }) => [component, orphaned.files]);
      expect(Object.fromEntries(orphaned)).to.deep.equal({
        'src/mail': 2,
        'src/orders': 0,
        'src/store': 0,
        'src/web': 0,
      });
    });
  });

  describe('someone who wants their cycle not seen', () => {
    const price = body('price', 9);

    it('moves the import inside a function', async () => {
      const hidden = {
        'src/store/keys.py': 'def late():\n    from orders.price import price_1\n    return price_1(2)\n',
      };
      const after = await reportWith(hidden);
      expect(cyclesOf(after)).to.deep.equal([['src/orders', 'src/store']]);
      expect(after.architecture.cycles.items[0]?.edges.items[0]?.example.line).to.equal(2);
    });

    it('renames the folders', async () => {
      const moved = Object.entries(shop).flatMap(([path, content]): [string, FileContent][] =>
        path.startsWith('src/orders/')
          ? [
              [path, null],
              [path.replace('orders', 'purchases'), content.replaceAll('orders.', 'purchases.')],
            ]
          : [],
      );
      const after = await reportWith({
        ...Object.fromEntries(moved),
        'src/web/views.py': shop['src/web/views.py'].replace('orders.', 'purchases.'),
        'src/store/keys.py': `from purchases.price import price_1\n${body('keys', 6)}`,
      });
      expect(cyclesOf(after)).to.deep.equal([['src/purchases', 'src/store']]);
    });

    for (const folder of ['vendor', 'third_party', 'node_modules', 'tests'])
      it(`puts it under ${folder}/`, async () => {
        const after = await reportWith({
          'src/store/keys.py': `from ${folder}.glue import glue\n\n${body('keys', 6)}`,
          [`${folder}/glue.py`]: `from orders.price import price_1\n\n\ndef glue():\n    return price_1(3)\n`,
        });
        expect(after.architecture.own_among_others.items).to.deep.equal([`${folder}/glue.py`]);
        expect(cyclesOf(after).flat()).to.include.members(['src/orders', 'src/store']);
      });

    it('says that all of it is one component', async () => {
      const after = await reportWith({
        'architecture.yml': 'components:\n  - name: all\n    paths: [src]\n',
        'src/orders/price.py': `from store.keys import keys_1\n\n${price}`,
        'src/store/keys.py': `from orders.price import price_1\n\n${body('keys', 6)}`,
      });
      expect(after.architecture).to.include({ made_of: 'configured' });
      expect(after.architecture.components.items.map(({ name }) => name)).to.deep.equal(['all']);
      expect(after.architecture.file_cycles.items.map(({ files }) => files.items)).to.deep.equal([
        ['src/orders/price.py', 'src/store/keys.py'],
      ]);
    });
  });

  it('leaves the code of others out, that knows nothing of who uses it', async () => {
    const after = await reportWith({
      'src/store/keys.py': `from vendor.glue import glue\n\n${body('keys', 6)}`,
      'vendor/glue.py': body('glue', 3),
    });
    expect(after.architecture.own_among_others.total).to.equal(0);
    expect(after.architecture.components.items.map(({ name }) => name)).to.not.include('vendor');
  });

  it('takes the components of architecture.yml, and says what is wrong with it', async () => {
    const configured = await reportWith({
      'architecture.yml':
        'components:\n  - name: below\n    paths: [src/store, "src/o*s/**"]\n  - { name: web, paths: src/web/ }\n',
    });
    const shown = configured.architecture.components.items.map(({ name, paths }) => ({ name, paths }));
    expect(shown).to.deep.equal([
      { name: 'below', paths: ['src/orders/', 'src/store/'] },
      { name: 'web', paths: ['src/web/'] },
      { name: 'elsewhere', paths: ['src/mail/'] },
    ]);
    using repository = shopRepository();
    repository.commit('Configure', { files: { 'architecture.yml': 'components: 7\n' } });
    const { stderr } = await repoIntel(['report', repository.path]);
    expect(stderr).to.include('architecture.yml could not be used and is left out (components: ');
  });

  it('--calls knows who calls whom, and what nothing uses', async () => {
    using repository = shopRepository();
    const dead = 'def _forgotten(value):\n    return _forgotten(value - 1)\n\n\n';
    const used =
      'HOOKS = {}\n\n\ndef hook(each):\n    HOOKS[each] = 1\n    return each\n\n\n@hook\ndef _hooked(value):\n    return value\n\n\n';
    const named =
      'def _by_name(value):\n    return value\n\n\ndef run(kind):\n    return globals()["_by_" + kind]\n\n\n';
    repository.commit('Leave some over', {
      files: {
        'src/mail/late.py': `${dead}${used}${named}`,
        'src/web/views.py': `${shop['src/web/views.py']}\n\ndef show():\n    return book_1(2) + rows_1(1)\n`,
        'pyproject.toml': '[project]\nname = "shop"\nversion = "1.0.0"\n',
        'tests/test_late.py': 'def _helper(value):\n    return value\n',
      },
    });
    const { architecture } = await reportByCommand(repository, '--calls');
    expect(architecture.basis).to.deep.equal(['imports', 'calls', 'inherits']);
    const edge = architecture.edges.items.find(({ from, to }) => from === 'src/web' && to === 'src/orders');
    expect(edge).to.deep.include({ imports: 1, calls: 1, inherits: 0 });
    expect(edge?.example).to.include({ path: 'src/web/views.py', to_path: 'src/orders/book.py', to_line: 6 });
    expect(
      architecture.dead_code?.items.map(({ path, name, confidence }) => ({ path, name, confidence })),
    ).to.deep.equal([{ path: 'src/mail/late.py', name: '_forgotten', confidence: 'high' }]);
  });

  it('--calls finds what dead code alone uses, and leaves what a trait, an interface or others may ask for', async () => {
    using repository = gitRepository({ name: 'mixed' });
    repository.commit('Begin', {
      files: {
        'go.mod': 'module example.com/mixed\n\ngo 1.22\n',
        'main.go':
          'package main\n\nimport "example.com/mixed/text"\n\nfunc main() {\n\t// lonely()\n\tprintln(text.Shout("a"))\n}\n',
        'text/text.go': `package text

import "strings"

// Shout is used.
func Shout(s string) string { return strings.ToUpper(s) }

// Whisper is used by nobody, in a program.
func Whisper(s string) string { return below(s) }

// below is used by Whisper.
func below(s string) string { return strings.ToLower(s) }

func lonely() {}

type quiet struct{}

// Close is asked for by io.Closer.
func (q quiet) Close() error { return nil }
`,
        'shared/go.mod': 'module example.com/shared\n\ngo 1.22\n',
        'shared/shared.go': 'package shared\n\n// Offered is for others.\nfunc Offered() {}\n',
        'side/Cargo.toml': '[package]\nname = "side"\nversion = "0.1.0"\n',
        'side/src/main.rs': `use std::fmt;

struct Point;

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "point")
    }
}

pub fn forgotten() {}

fn main() {
    println!("{}", Point);
}
`,
      },
    });
    const { architecture } = await reportByCommand(repository, '--calls');
    expect(architecture.dead_code?.items.map(({ name, confidence }) => `${name} ${confidence}`)).to.have.members([
      'Whisper medium',
      'below high',
      'lonely high',
      'forgotten medium',
    ]);
  });

  it('knows an import in a comment of types with --calls and without', async () => {
    using repository = gitRepository({ name: 'typed' });
    repository.commit('Begin', {
      files: {
        'src/web/show.js': `const path = require('node:path');

/** Shows it.
 * @param {import('../orders/order').Order} order
 */
function show(order) {
  return path.join(order.name);
}

module.exports = { show };
`,
        'src/orders/order.js': 'class Order {}\n\nmodule.exports = { Order };\n',
      },
    });
    for (const options of [[], ['--calls']]) {
      const { architecture } = await reportByCommand(repository, ...options);
      expect(
        architecture.edges.items.map(({ from, to }) => [from, to]),
        options.join(' '),
      ).to.deep.equal([['src/web', 'src/orders']]);
    }
  });

  it('hides names with --redact', async () => {
    using repository = shopRepository();
    const text = JSON.stringify(await reportByCommand(repository, '--redact', '--without', 'Bob Builder'));
    expect(text).to.not.match(/Bob|Ann Author|src\/|views\.py|mail/);
    expect(text).to.include('"if_leave":{"people":["person-');
  });
});

/** The members that differ, and of the architecture's components which figure; ids of commits, which always do, are none. */
function changed(before: unknown, after: unknown, at = ''): string[] {
  const text = (value: unknown) => (JSON.stringify(value) ?? '').replaceAll(/\b[0-9a-f]{40}\b/g, 'commit');
  if (text(before) === text(after)) return [];
  if (/^(as_of_commit|committed_at)$/.test(at)) return [];
  const isDeep = /^(?:|architecture|architecture\.components(?:\.items(?:\.[^.]+)?)?|people_by_component|matrix)$/.test(
    at,
  );
  if (!isDeep || typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return [at];
  const byName = (value: object): Record<string, unknown> =>
    Array.isArray(value)
      ? Object.fromEntries(value.map((each: { name?: string; id?: string }) => [each.name ?? each.id ?? '', each]))
      : { ...value };
  const [one, other] = [byName(before), byName(after)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .sort()
    .flatMap((key) => changed(one[key], other[key], at === '' ? key : `${at}.${key}`));
}

const scoresOf = (report: Report) =>
  new Map((report['dimensions'] as { id: string; score: number | null }[]).map(({ id, score }) => [id, score]));

function dimensionsThatFell(before: Report, after: Report): string[] {
  const old = scoresOf(before);
  return [...scoresOf(after)].flatMap(([id, score]) => (score !== null && score < (old.get(id) ?? 0) ? [id] : []));
}
