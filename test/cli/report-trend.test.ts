import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { repoIntel } from '../support/cli.ts';
import { gitRepository, temporaryFolder, writeFiles } from '../support/git-repository.ts';
import type { GitRepository } from '../support/git-repository.ts';

interface Point {
  commit: string;
  as_of: string;
  score: number;
  grade: string | null;
  dimensions: { id: string; score: number | null }[];
  values: Record<string, number | null>;
  changes: {
    factor_id: string;
    before: number;
    after: number;
    came: { path: string | null; note: string | null }[];
    went: { path: string | null; note: string | null }[];
  }[];
}
interface Report extends Point {
  as_of_commit: string;
  matrix: { id: string; value: number | null }[];
  trend: Point[];
}

const ada = { name: 'Ada <b>Lovelace</b>', email: 'ada@example.com' };
const bob = { name: 'Bob', email: 'bob@example.org' };
const key = ['ghp', '_', 'a8Kd93jfLq02mZx7Rw5TyPb1NvC4sE6uHgQi'].join('');
const tests = Object.fromEntries(
  [1, 2, 3].map((n) => [`tests/test_book_${n}.py`, `def test_price_${n}():\n    assert price(${n}) == ${n}\n`]),
);

describe('repo-intel report --trend', function () {
  let repository: GitRepository;
  let folder: string;
  before(() => {
    folder = temporaryFolder();
    repository = gitRepository({ name: 'ledger' });
    const commit = (date: string, author: typeof ada, files: Record<string, string | null>, subject = date) =>
      repository.commit(subject, { files, author, date: `${date}T12:00:00Z` });
    commit('2024-01-05', ada, { 'src/book.py': 'def price(a):\n    return a\n', ...tests });
    for (let n = 1; n <= 12; n++) commit(`2024-02-${10 + n}`, ada, { [`src/part_${n}.py`]: `PART = ${n}\n` });
    // The second quarter: a secret, another author, and who Bob is.
    commit('2024-04-03', bob, { 'src/config.py': `TOKEN = "${key}"\n`, '.mailmap': 'Robert <bob@example.org>\n' });
    commit('2024-05-03', bob, { 'src/book.py': '# Of one.\ndef price(a):\n    return a\n' });
    // The third: without tests.
    commit('2024-07-03', ada, Object.fromEntries(Object.keys(tests).map((path) => [path, null])));
    commit('2024-08-03', ada, { 'src/last.py': 'LAST = 1\n' });
  });
  after(() => {
    repository.remove();
    rmSync(folder, { recursive: true });
  });

  const report = async (...args: string[]): Promise<Report> => {
    const { code, stdout, stderr } = await repoIntel(['report', repository.path, '--json', ...args]);
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout) as Report;
  };

  describe('with all points', () => {
    let trend: Point[];
    let html: string;
    before(async () => {
      const file = join(folder, 'trend.html');
      ({ trend } = await report('--trend', '--html', file));
      html = await readFile(file, 'utf8');
    });

    it('has the first commit of each quarter and the one that is measured', () =>
      expect(trend.map(({ as_of }) => as_of)).to.deep.equal(['2024-01-05', '2024-04-03', '2024-07-03', '2024-08-03']));

    it('each is what --ref of that commit is as of its day', async () => {
      for (const { commit, as_of, score, grade, dimensions, values } of trend.slice(1, 3)) {
        const one = await report('--ref', commit, '--as-of', as_of, '--name', 'ledger');
        expect({ score, grade }).to.deep.equal({ score: one.score, grade: one.grade });
        expect(dimensions.map((each) => each.score)).to.deep.equal(one.dimensions.map((each) => each.score));
        expect(values).to.deep.equal(Object.fromEntries(one.matrix.map(({ id, value }) => [id, value])));
      }
    });

    it('says what moved it: the secret and its file, the tests that are gone', () => {
      const [, second, third] = trend;
      const secrets = second?.changes.find(({ factor_id }) => factor_id === 'security.secrets');
      expect(secrets?.came.map(({ path }) => path)).to.deep.equal(['src/config.py']);
      expect(third?.changes.map(({ factor_id, after, before }) => [factor_id, after < before])).to.deep.include([
        'test.volume',
        true,
      ]);
    });

    it('is a chart in the page, in which nothing of the repository is markup', () => {
      expect(html).to.include('<h2>Trend</h2>').and.to.include('What moved the score').and.to.include('2024-04-03');
      // The verdict says where it comes from, in words.
      expect(html).to.match(
        /On 2024-0\d-0\d it was graded [A-E], \d+ of 100: since then [a-z ]+ (fell|rose) from \d+ to \d+/,
      );
      expect(html).not.to.include('<b>Lovelace');
    });
  });

  it('ends with the grade that the report itself gives, where time has changed it', async () => {
    const texts = async (asOf: string) => {
      const file = join(folder, `as-of-${asOf}.html`);
      const args = ['report', repository.path, '--trend', '2', '--as-of', asOf, '--html', file];
      const { code, stdout, stderr } = await repoIntel(args);
      expect(code, stderr).to.equal(0);
      const html = await readFile(file, 'utf8');
      const [, days] = /<h2>Trend<\/h2>([\s\S]*?)<\/section>/.exec(html) ?? [];
      return { text: stdout.replaceAll(/\s+/g, ' '), html: (days ?? '').replaceAll(/\s+/g, ' ') };
    };
    const [then, later] = [await texts('2024-08-03'), await texts('2027-02-01')];
    const said = /this report, of 2027-02-01, grades the commit of 2024-08-03 at \d+ \([A-E]\)\./;
    expect(later.text).to.match(said);
    expect(later.html).to.match(said);
    expect(`${then.text}${then.html}`).to.not.include('this report, of');
    const points = ({ html }: { html: string }) => html.match(/<circle /g)?.length ?? 0;
    expect(points(later)).to.be.greaterThan(points(then));
  });

  it('so many points, the newest; --redact names neither files nor people', async () => {
    const { trend } = await report('--trend', '2', '--redact');
    expect(trend.map(({ score }) => score)).to.not.include(null);
    expect(trend.map(({ as_of }) => as_of)).to.deep.equal(['2024-07-03', '2024-08-03']);
    expect(JSON.stringify(trend)).not.to.match(/\.py|Lovelace|Robert|Bob/);
  });

  it('is kept by a load that asks for it, and by those after it until one does not', async () => {
    const environment = { DATA_DIR: join(folder, 'data') };
    const load = async (...args: string[]) => {
      const { code, stdout, stderr } = await repoIntel(['load', repository.path, '--json', ...args], environment);
      expect(code, stderr).to.equal(0);
      return (JSON.parse(stdout) as { status: string }).status;
    };
    const past = async () => {
      const { stdout, stderr } = await repoIntel(['dd', '--repo', 'ledger', '--json'], environment);
      expect(stderr).to.equal('');
      return (JSON.parse(stdout) as { verdict: string[] }).verdict[1];
    };
    try {
      expect(await load('--trend', '3')).to.equal('loaded');
      expect(await load()).to.equal('unchanged');
      expect(await past()).to.match(/^On 2024-0\d-0\d it was graded [A-E], /);
      expect(await load('--no-trend')).to.equal('loaded');
      expect(await past()).to.match(/^Strongest in /);
    } finally {
      await repoIntel(['stop'], environment);
    }
  });

  it('is left out of a load, which says so, where an old commit can not be read', async () => {
    const damaged = gitRepository({ name: 'damaged', files: { 'a.py': 'def a():\n    pass\n' } });
    const tree = damaged.git('rev-parse', 'HEAD^{tree}').trim();
    damaged.commit('Later', { files: { 'b.py': 'def b():\n    pass\n' } });
    damaged.commit('Last', { files: { 'c.py': 'def c():\n    pass\n' } });
    rmSync(join(damaged.path, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    const { code, stdout, stderr } = await repoIntel(['load', damaged.path, '--trend', '--json'], {
      DATA_DIR: join(folder, 'damaged'),
    });
    damaged.remove();
    expect(code, stderr).to.equal(0);
    const { status, warnings } = JSON.parse(stdout) as { status: string; warnings: string[] };
    expect(status).to.equal('loaded');
    expect(warnings.join('\n')).to.include('trend_unreadable: the trend is left out. ');
  });

  it('refuses what is no number of points, and a folder without history', async () => {
    expect((await repoIntel(['report', repository.path, '--trend', '1'])).code).to.equal(2);
    const plain = temporaryFolder();
    writeFiles(plain, { 'a.py': 'def a():\n    pass\n' });
    const { code, stderr } = await repoIntel(['report', plain, '--trend']);
    rmSync(plain, { recursive: true });
    expect(code).to.equal(1);
    expect(stderr).to.include('has no history, and a trend needs one');
  });
});
