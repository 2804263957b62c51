import { expect } from 'chai';
import { absenceFactor, truckFactor } from '../../../src/model/people.ts';
import { gitRepository } from '../../support/git-repository.ts';
import { commits, metricsOf, metricsOfFiles, weekly } from './metrics-of.ts';

describe('metrics: contributors', () => {
  const module = (name: string, line: number | string) => ({ [`${name}.py`]: `def f():\n    return ${line}\n` });
  const tenFiles = (prefix: string) =>
    Object.assign({}, ...Array.from({ length: 10 }, (_, i) => module(`${prefix}/m${i}`, i)));

  it('are counted over the twelve months before the commit that is measured, bots and merges left out', async () => {
    using repository = gitRepository();
    // Old made everything, two years before; Ann and Ben work on it now, Ann twice as much; a bot most of all.
    commits(repository, 'Old', ['2022-01-01T00:00:00Z'], () => tenFiles('core'));
    commits(repository, 'Ann', weekly('2024-06-01T00:00:00Z', 16), (i) => module('core/m0', `ann ${i}`));
    commits(repository, 'Ben', weekly('2024-06-02T00:00:00Z', 8), (i) => module('ben', i));
    commits(repository, 'renovate[bot]', weekly('2024-06-03T00:00:00Z', 40), (i) => ({
      'requirements.txt': `koa==${i}\n`,
    }));
    const { metric, measurements } = await metricsOf(repository.path);

    expect(metric('active_contributors_12m').value).to.equal(2);
    // Ann alone has 16 of 24.
    expect(metric('contributor_absence_factor_12m')).to.deep.include({ value: 1, numerator: 16, denominator: 24 });
    // Sixteen weeks of Ann's, within which Ben's eight lie; the bot's other weeks count for nothing.
    expect(metric('active_week_pct_12m')).to.deep.include({ numerator: 16, denominator: 52 });
    // Old still knows nine of the eleven files, Ann the one that she changed sixteen times, Ben his own.
    expect(metric('truck_factor')).to.deep.include({ value: 1, denominator: 11 });
    expect(metric('orphaned_code_pct')).to.deep.include({ numerator: 9, denominator: 11 });
    expect(measurements.authorship.reduce((sum, { files }) => sum + files, 0)).to.equal(11);
    expect(JSON.stringify(measurements)).to.not.contain('example.org');
    // From Old's first month to the last, those without a commit too; the bot is in none.
    const { months = [], people = [] } = measurements.activity ?? {};
    expect(months).to.have.length(30);
    expect(months[0]).to.deep.equal({ month: '2022-01', commits: 1, people: 1 });
    expect(months[1]).to.deep.equal({ month: '2022-02', commits: 0, people: 0 });
    expect(months.at(-1)).to.deep.equal({ month: '2024-06', commits: 2, people: 2 });
    expect(people.map(({ name }) => name)).to.deep.equal(['Ann', 'Ben', 'Old']);
    for (const [index, { commits: all }] of months.entries())
      expect(people.reduce((sum, { commits }) => sum + (commits[index] ?? 0), 0)).to.equal(all);
  });

  it('earn nothing by comments, docstrings, white space, moves and modes, nor do they keep anything alive', async () => {
    using repository = gitRepository();
    const text = (comment: string, docstring: string, blank: string) =>
      `# ${comment}\ndef f(a):\n    """${docstring}"""\n    return "# kept" + ${blank}a\n`;
    commits(repository, 'Ann', weekly('2024-01-01T00:00:00Z', 20), (i) => ({
      ...(i === 0 ? tenFiles('core') : {}),
      'core/n.py': text('x', 'x', '').replace('kept', String(i)),
    }));
    const written: [string, string, string][] = [
      ['reviewed', 'x', ''],
      ['reviewed', 'Says\n    more.', ''],
      ['reviewed', 'Says\n    more.', '  '],
    ];
    commits(repository, 'Sham', weekly('2024-03-01T00:00:00Z', 8), (i) => ({
      'core/n.py': text(...(written[i % 3] ?? ['', '', ''])).replace('kept', '19'),
    }));
    repository.git('mv', 'core/m0.py', 'core/moved.py');
    repository.git('update-index', '--chmod=+x', 'core/m1.py');
    commits(repository, 'Sham', ['2024-03-02T00:00:00Z'], () => ({}));
    const { metric } = await metricsOf(repository.path);
    expect(metric('active_contributors_12m').value, 'as git shortlog').to.equal(2);
    expect(metric('contributor_absence_factor_12m')).to.deep.include({ value: 1, numerator: 20, denominator: 20 });
    expect(metric('truck_factor').evidence.map(({ note }) => note)).to.deep.equal(['Ann: author of 11 of 11 files']);
    expect(metric('active_week_pct_12m').numerator).to.equal(20);
    // A text that looks like a comment is code.
    commits(repository, 'Ben', ['2024-03-03T00:00:00Z'], () => ({
      'core/n.py': text('x', 'x', '').replace('kept', 'ben'),
    }));
    const { metric: after } = await metricsOf(repository.path);
    expect(after('contributor_absence_factor_12m').denominator).to.equal(21);
  });

  it('follow a file over its renames', async () => {
    using repository = gitRepository();
    commits(repository, 'Ann', weekly('2024-05-01T00:00:00Z', 20), (i) =>
      i === 0 ? tenFiles('a') : module('a/m0', i),
    );
    repository.git('mv', 'a', 'b');
    commits(repository, 'Ben', ['2024-05-02T00:00:00Z'], () => ({}));
    const { metric } = await metricsOf(repository.path);
    expect(metric('truck_factor').evidence[0]?.note).to.equal('Ann: author of 10 of 10 files');
  });

  it('say why where the history is too short, or there is none', async () => {
    const { metric } = await metricsOfFiles({ 'a.py': 'x = 1\n' });
    expect(metric('contributor_absence_factor_12m')).to.deep.include({ value: null, reason: 'history_too_short' });
    expect(metric('truck_factor')).to.deep.include({
      value: null,
      status: 'not_measured',
      reason: 'history_too_short',
    });
    expect(metric('active_week_pct_12m')).to.deep.include({ value: null, status: 'not_applicable' });
    expect(metric('active_contributors_12m').value).to.equal(1);
  });

  it('the absence factor is the smallest number of people with half of the commits', () => {
    expect([[], [1], [5, 5], [4, 3, 3], [49, 51], [1, 1, 1, 1, 1]].map(absenceFactor)).to.deep.equal([
      0, 1, 1, 2, 1, 3,
    ]);
  });

  it('the truck factor takes away whoever knows most until more than half of the files know nobody', () => {
    const files = (...groups: [authors: string, files: number][]) =>
      groups.map(([authors, count]) => ({ authors: authors.split('').sort(), files: count }));
    expect(truckFactor(files(['a', 10]))).to.equal(1);
    expect(truckFactor(files(['a', 5], ['b', 5]))).to.equal(2);
    expect(truckFactor(files(['a', 6], ['b', 4]))).to.equal(1);
    expect(truckFactor(files(['ab', 10]))).to.equal(2);
    expect(truckFactor(files(['ab', 4], ['c', 3], ['d', 3]))).to.equal(3);
  });
});
