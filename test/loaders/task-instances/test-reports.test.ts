import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { format } from 'prettier';
import { readTestReports } from '../../../loaders/task-instances/test-reports/read-test-reports.ts';
import type { TestReportFormat } from '../../../src/model/task-instance.ts';
import { recordSuite } from '../../support/record-suite.ts';

const root = join(import.meta.dirname, '../..');
const recorded: Record<string, TestReportFormat> = {
  pytest: 'pytest_junit',
  jest: 'jest_json',
  vitest: 'vitest_json',
  mocha: 'mocha_json',
  node: 'tap',
  go: 'go_json',
  cargo: 'cargo_text',
  maven: 'junit',
};

const read = (name: TestReportFormat, ...reports: string[]) => {
  const { tests, problem } = readTestReports(
    name,
    new Map(reports.map((text, at) => [`out/${at}`, Buffer.from(text)])),
  );
  return { tests: Object.fromEntries(tests), problem };
};

describe('reports of tests', () => {
  for (const [name, reportFormat] of Object.entries(recorded)) {
    it(`of ${name}, as its real runner wrote them, are read (UPDATE_GOLDEN=1 runs it anew)`, async function () {
      const folder = join(root, 'golden/reports', name);
      const expected = `${folder}.json`;
      if (process.env['UPDATE_GOLDEN']) {
        this.timeout(600_000);
        await recordSuite(join(root, 'fixtures/suites', name), folder);
      }
      const paths = globSync('**/*.*', { cwd: folder }).sort();
      const { tests, problem } = readTestReports(
        reportFormat,
        new Map(paths.map((path) => [path, readFileSync(join(folder, path))])),
      );
      expect(problem).to.equal(null);
      const text = await format(JSON.stringify(Object.fromEntries(tests)), { parser: 'json', printWidth: 120 });
      if (process.env['UPDATE_GOLDEN']) writeFileSync(expected, text);
      expect(text).to.equal(readFileSync(expected, 'utf8'));
    });
  }

  it('of node:test as JUnit XML are named by the path of their suites', async () => {
    const file = join(root, 'fixtures/suites/node/test/ok.test.js');
    const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=junit', file], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    const { tests, problem } = read('junit', stdout);
    const byTap = JSON.parse(readFileSync(join(root, 'golden/reports/node.json'), 'utf8')) as Record<string, string>;
    delete byTap['test/unloadable.test.js'];
    // A test that has parts is no element of its own there.
    delete byTap['has parts'];
    expect(problem).to.equal(null);
    expect(tests).to.deep.equal(byTap);
  });

  it('of Gradle, whose form its documentation gives, are named by class and name', () => {
    const { tests } = read(
      'junit',
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="org.example.LibraryTest" tests="4" skipped="1" failures="1" errors="0" timestamp="2026-11-21T00:00:00" hostname="vm" time="0.02">
  <properties/>
  <testcase name="passes()" classname="org.example.LibraryTest" time="0.015"/>
  <testcase name="[1] &lt;a&gt; &#38; b" classname="org.example.LibraryTest" time="0.001"/>
  <testcase name="fails()" classname="org.example.LibraryTest" time="0.001">
    <failure message="no" type="org.opentest4j.AssertionFailedError">org.opentest4j.AssertionFailedError: no</failure>
  </testcase>
  <testcase name="later()" classname="org.example.LibraryTest" time="0.0"><skipped/></testcase>
  <system-out><![CDATA[<testcase name="forged" classname="x"/>]]></system-out>
  <system-err><![CDATA[]]></system-err>
</testsuite>`,
    );
    expect(tests).to.deep.equal({
      'org.example.LibraryTest.passes()': 'passed',
      'org.example.LibraryTest.[1] <a> & b': 'passed',
      'org.example.LibraryTest.fails()': 'failed',
      'org.example.LibraryTest.later()': 'skipped',
    });
  });

  it('in TAP 12 and 14 are read with plans before or after, escapes, and subtests of either form', () => {
    expect(
      read('tap', '1..4\nok\nok 2 - a name [12.5 ms]\nnot ok 3 a name # todo later\nok 4 # skip no\n').tests,
    ).to.deep.equal({ '1': 'passed', 'a name': 'passed', 'a name #2': 'xfailed', '4': 'skipped' });
    const fourteen = `TAP version 14
# Subtest: a group
    ok 1 - one \\# two
    # Subtest: inner
        not ok 1 - deep
        1..1
    not ok 2 - inner
    1..2
not ok 1 - a group
pragma +strict
ok 2 - \u001b[32mcoloured\u001b[0m
1..2
`;
    expect(read('tap', fourteen)).to.deep.equal({
      tests: {
        'a group > one # two': 'passed',
        'a group > inner > deep': 'failed',
        'a group > inner': 'failed',
        'a group': 'failed',
        coloured: 'passed',
      },
      problem: null,
    });
  });

  it('tell of packages and crates that can’t be compiled, and of tests that never ended', () => {
    const event = (...fields: string[]) => `{${fields.join(',')}}\n`;
    const inPackage = '"Package":"example.com/a"';
    expect(
      read(
        'go_json',
        'go: downloading something\n' +
          event('"Action":"run"', inPackage, '"Test":"TestHangs"') +
          event('"Action":"fail"', inPackage, '"Elapsed":600') +
          event('"Action":"fail"', '"Package":"example.com/b"', '"FailedBuild":"example.com/b"'),
      ).tests,
    ).to.deep.equal({ 'example.com/a.TestHangs': 'error', 'example.com/b': 'error' });
    expect(
      read(
        'cargo_text',
        'error[E0425]: cannot find\nerror: could not compile `suite` (test "one") due to 1 previous error\n',
      ).tests,
    ).to.deep.equal({ 'suite test "one" [build]': 'error' });
  });

  it('believe nothing that a failing test only printed', () => {
    const text = readFileSync(join(root, 'golden/reports/cargo/r.txt'), 'utf8');
    const forged = text.replace('---- tests::fails stdout ----\n', (line) => `${line}test tests::forged ... ok\n`);
    expect(forged).to.not.equal(text);
    expect(read('cargo_text', forged)).to.deep.equal(read('cargo_text', text));
  });

  it('that are none, or harm who reads them, are a problem told and not a result', () => {
    const entities = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]>`;
    const suite = '<testsuites x="1"><testsuite><testcase classname="a" name="b"/></testsuite></testsuites>';
    const hostile: [TestReportFormat, string][] = [
      ['junit', entities + suite],
      ['junit', `<?xml version="1.0"?><!-- x -->\n${entities}${suite}`],
      ['junit', '<testsuite>'.repeat(200_000)],
      ['junit', '{"not": "xml"}'],
      ['pytest_junit', '<html></html>'],
      ['jest_json', '['.repeat(100_000)],
      ['jest_json', '{"testResults":[{"name":1}]}'],
      ['mocha_json', '{"tests":{},"failures":[],"pending":[]}'],
      ['mocha_json', ''],
      ['go_json', 'no event'],
      ['go_json', '{"Action":"run"'],
      ['cargo_text', 'nothing of cargo'],
      ['tap', 'TAP version 13\nok 1 - the beginning\n'],
      ['tap', 'Bail out!'],
      ['tap', 'a'.repeat(65 * 1024 ** 2)],
    ];
    for (const [name, text] of hostile) {
      const { tests, problem } = read(name, text);
      expect(problem, `${name} ${text.slice(0, 40)}`).to.match(/^the report out\/0 could not be read: ./);
      expect(tests).to.deep.equal({});
    }
    expect(read('junit')).to.deep.equal({ tests: {}, problem: 'no report was written' });
    const { tests, problem } = read('junit', suite, 'broken', suite.replace('"b"', '"&#x63;&unknown;"'));
    expect(tests).to.deep.equal({ 'a.b': 'passed', 'a.c&unknown;': 'passed' });
    expect(problem).to.include('out/1');
  });

  it('have names without what changes from run to run: colours, lines, durations; and nothing else is lost', () => {
    const name = (text: string) =>
      Object.keys(
        read(
          'jest_json',
          JSON.stringify({
            testResults: [
              {
                name: '/testbed/a.test.js',
                status: 'passed',
                assertionResults: [{ ancestorTitles: [], title: text, status: 'passed' }],
              },
            ],
          }),
        ).tests,
      )[0];
    expect(name('takes (0.12s)')).to.equal('a.test.js > takes');
    expect(name('\u001b[31mred\u001b[0m\r\n  next [1.34 ms] ')).to.equal('a.test.js > red   next');
    for (const kept of ['[100%]', 'a (s)', 'waits 10 ms', 'in (1.5x)', 'f(2 s) > g', '/testbed/x', 'ü – “q”'])
      expect(name(kept)).to.equal(`a.test.js > ${kept}`);
  });
});
