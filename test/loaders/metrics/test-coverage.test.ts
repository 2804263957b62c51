import { expect } from 'chai';
import { readCoverageReport } from '../../../loaders/metrics/test-coverage/coverage-report.ts';
import { gitRepository } from '../../support/git-repository.ts';
import { commits, metricsOf, metricsOfFiles, weekly } from './metrics-of.ts';
import { dedent } from '../../support/dedent.ts';

describe('metrics: tests', () => {
  const lcov = (files: Record<string, [covered: number, lines: number]>) =>
    Object.entries(files)
      .map(([path, [covered, lines]]) =>
        [
          'TN:',
          `SF:${path}`,
          ...Array.from({ length: lines }, (_, i) => `DA:${i + 1},${i < covered ? 3 : 0}`),
          'end_of_record',
        ].join('\n'),
      )
      .join('\n');

  it('of a repository with tests, reports and skipped ones', async () => {
    const { metric } = await metricsOfFiles({
      'src/a.js': 'a();\nb();\n// c\n\nd();\n',
      'src/lone/b.js': 'a();\n',
      'test/a.test.js': dedent`
          it('runs', () => { assert(a()); });
          it.skip('waits', () => { assert(b()); });
          // it.skip('is a comment')

        `,
      'lcov.info': lcov({ '/home/ann/shop/src/a.js': [2, 8], 'src/lone/b.js': [2, 2] }),
    });
    expect(metric('test_code_ratio_pct')).to.deep.include({ value: 50, numerator: 2, denominator: 4 });
    expect(metric('test_code_ratio_pct').evidence.map(({ path }) => path)).to.deep.equal(['src', 'src/lone']);
    expect(metric('line_coverage_pct')).to.deep.include({ value: 40, numerator: 4, denominator: 10 });
    expect(metric('line_coverage_pct').quantities).to.deep.equal({ lines_below_80: 4, conditions: 0 });
    expect(metric('skipped_test_count').evidence.map(({ path, line }) => [path, line])).to.deep.equal([
      ['test/a.test.js', 2],
    ]);
  });

  it('takes a report that names what is gone for one of another time, and no report for none', async () => {
    const stale = await metricsOfFiles({ 'a.py': 'x = 1\n', 'lcov.info': lcov({ 'a.py': [1, 1], 'gone.py': [1, 1] }) });
    expect(stale.metric('line_coverage_pct')).to.deep.include({ value: null, reason: 'report_stale' });
    const none = await metricsOfFiles({ 'a.py': 'x = 1\n', 'coverage.xml': '<coverage><packages>' });
    expect(none.metric('line_coverage_pct')).to.deep.include({ value: null, reason: 'no_report_found' });
  });

  it('reads every kind of report alike', () => {
    const read = (text: string) =>
      readCoverageReport(text).map(({ path, lines, conditions, conditionsCovered }) => ({
        path,
        lines: [...lines].map(([line, isCovered]) => `${line}${isCovered ? '+' : '-'}`).join(' '),
        conditions: `${conditionsCovered}/${conditions}`,
      }));
    const of = (path: string, conditions = '0/0') => [{ path, lines: '1+ 2+ 3-', conditions }];
    expect(read(lcov({ 'a.py': [2, 3] }))).to.deep.equal(of('a.py'));
    expect(
      read(`<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "x.dtd"><coverage><sources><source>/ci/shop</source></sources>
        <packages><package><classes>
        <class filename="a.py"><lines><line number="1" hits="1"/><line number="2" hits="4" branch="true" condition-coverage="50% (1/2)"/>
        <line number="3" hits="0"/></lines></class></classes></package></packages></coverage>`),
    ).to.deep.equal(of('/ci/shop/a.py', '1/2'));
    expect(
      read(`<report name="x"><package name="org/x"><class name="org/x/A"/><sourcefile name="A.java"><line nr="1" mi="0" ci="3" mb="0" cb="0"/>
        <line nr="2" mi="1" ci="1" mb="3" cb="1"/><line nr="3" mi="2" ci="0" mb="0" cb="0"/>
        <counter type="LINE" missed="1" covered="2"/></sourcefile></package></report>`),
    ).to.deep.equal(of('org/x/A.java', '1/4'));
    expect(
      read(`<coverage generated="1"><project><file name="a.php" path="/x/a.php"><line num="7" type="method" count="1"/>
        <line num="1" type="stmt" count="1"/><line num="2" type="cond" truecount="1" falsecount="0"/><line num="3" type="stmt" count="0"/>
        </file></project></coverage>`),
    ).to.deep.equal(of('/x/a.php', '1/2'));
    expect(
      read(dedent`
      mode: set
      example.com/x/a.go:1.1,2.9 2 1
      example.com/x/a.go:3.1,3.9 1 0

    `),
    ).to.deep.equal(of('example.com/x/a.go'));
  });

  it('takes reports together by their lines, and each for the folder that it lies in or speaks of', async () => {
    const module = 'x = 1\n'.repeat(4);
    const { metric } = await metricsOfFiles({
      'api/src/a.py': module,
      'web/src/a.py': module,
      'test_a.py': 'def test_a():\n    assert a.x\n',
      'web/coverage/lcov.info': dedent`
        SF:src/a.py
        DA:1,1
        DA:2,0
        DA:3,0
        end_of_record

      `,
      'web/coverage/browser.lcov': dedent`
          SF:src/a.py
          DA:2,5
          DA:3,0
          DA:4,0
          end_of_record
          SF:src/a.py
          DA:3,1
          end_of_record

        `,
      'coverage.xml': `<coverage><sources><source>/ci/shop/api</source></sources><packages><package><classes><class filename="src/a.py">
        <lines><line number="1" hits="1"/><line number="2" hits="0"/><line number="3" hits="0"/></lines></class></classes></package></packages></coverage>`,
    });
    expect(metric('line_coverage_pct')).to.deep.include({ numerator: 4, denominator: 7 });
    const worst = metric('line_coverage_pct').evidence.at(-1);
    expect([worst?.path, worst?.note]).to.deep.equal(['api/src/a.py', '1 of 3 lines covered']);
  });

  it('takes hostile reports without a fall', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><coverage><packages>&b;</packages></coverage>';
    const { metric } = await metricsOfFiles({
      'a.py': 'x = 1\n',
      'coverage.xml': bomb,
      'cobertura.xml': '<coverage '.repeat(10_000),
      'jacoco.xml': `<report>${'<package>'.repeat(5_000)}`,
      'lcov.info': `SF:\nDA:x,y\n${'DA:1'.repeat(10_000)}\nend_of_record`,
      'coverage.out': 'mode: set\na.go:1.1,999999999.1 1 1\n',
      'clover.xml': '<coverage><project>7</project></coverage>',
    });
    expect(metric('line_coverage_pct').status).to.equal('not_measured');
  });

  it('counts the commits that change tests with what they change', async () => {
    using repository = gitRepository();
    commits(repository, 'Ann', weekly('2024-05-01T00:00:00Z', 12), (i) => ({
      'a.py': `x = ${i}\n`,
      ...(i % 3 === 0 ? { 'test_a.py': `def test_a():\n    assert a.x == ${i}\n` } : {}),
    }));
    const { metric } = await metricsOf(repository.path);
    expect(metric('test_cochange_pct')).to.deep.include({ numerator: 4, denominator: 12 });
    expect(metric('test_cochange_pct').evidence[0]?.note).to.equal('Ann 11');
  });
});
