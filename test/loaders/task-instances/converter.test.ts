import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { converterOf } from '../../../loaders/task-instances/exchange/converter.ts';
import { readTestReports } from '../../../loaders/task-instances/test-reports/read-test-reports.ts';
import type { TestStatus } from '../../../loaders/task-instances/suite.ts';
import type { TestReportFormat } from '../../../src/model/task-instance.ts';
import { temporaryFolder } from '../../support/git-repository.ts';
import { needsCommand } from '../../support/required.ts';

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

const shown: Record<TestStatus, string | null> = {
  passed: 'PASSED',
  xfailed: 'PASSED',
  failed: 'FAILED',
  error: 'FAILED',
  skipped: null,
};

/** What the exported program prints of the reports in a folder. */
function convert(format: TestReportFormat, folder: string): string[] {
  const { status, stdout, stderr } = spawnSync('python3', ['-', format, '$REPORTS/**/*.*'], {
    input: converterOf(format),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], REPORTS: folder },
  });
  expect([status, stderr]).to.deep.equal([0, '']);
  return stdout.split('\n').filter(Boolean).toSorted();
}

const expected = (tests: Iterable<[string, TestStatus]>) =>
  [...tests].flatMap(([id, status]) => (shown[status] === null ? [] : [`[${shown[status]}] ${id}`])).toSorted();

describe('the exported converters', () => {
  before(function () {
    needsCommand(this, 'python3');
  });
  for (const [name, format] of Object.entries(recorded)) {
    it(`say of the reports of ${name} what our readers say`, () => {
      const folder = join(import.meta.dirname, '../../golden/reports', name);
      const golden = JSON.parse(readFileSync(`${folder}.json`, 'utf8')) as Record<string, TestStatus>;
      const lines = convert(format, folder);
      expect(lines).to.deep.equal(expected(Object.entries(golden)));
      expect(lines.length).to.be.greaterThan(1);
    });
  }

  it('say the same of what is odd: names twice, groups within groups, directives, entities, colours and times', () => {
    const odd: [TestReportFormat, string][] = [
      [
        'tap',
        'TAP version 14\n# Subtest: a\n    # Subtest: b \\# c\n        ok 1 - same\n        ok 2 - same\n        not ok 3 - x # TODO later\n        ok 4 # SKIP no\n        1..4\n    ok 1 - b \\# c\n    not ok 2\n    1..2\nnot ok 1 - a\n  ---\n  type: suite\n  ...\nok 2 - took [1.34 ms]\nok 3 - /tmp/x/testbed/a.js\n1..3\n',
      ],
      [
        'junit',
        '<testsuites tests="3"><testsuite name="s"><testcase classname="a.B" name="&lt;x&gt; &#38; &quot;y&quot;"/><testcase classname="a.B" name="z"><error/></testcase><testsuite name="in"><testcase name="alone (0.12s)"><skipped/></testcase><testcase name="alone"><failure/></testcase></testsuite></testsuite></testsuites>',
      ],
      [
        'jest_json',
        JSON.stringify({
          testResults: [
            {
              name: '/run/7/testbed/a.js',
              status: 'failed',
              assertionResults: ['passed', 'passed', 'todo', 'new', 'failed'].map((status) => ({
                ancestorTitles: ['\u001b[31mred\u001b[39m', ' two\n lines '],
                title: 'ümlaut 😀 (12 ms)',
                status,
              })),
            },
          ],
        }),
      ],
      [
        'go_json',
        ['run', 'output', 'fail', 'run']
          .map((Action, n) => JSON.stringify({ Action, Package: 'x/y', Test: n > 2 ? 'TestB/<&>#01' : 'TestA' }))
          .concat('# x/z', JSON.stringify({ Action: 'fail', Package: 'x/z', FailedBuild: 'x/z' }))
          .join('\n'),
      ],
    ];
    for (const [format, text] of odd) {
      const folder = temporaryFolder();
      try {
        writeFileSync(join(folder, 'r.txt'), text);
        const { tests, problem } = readTestReports(format, new Map([['out/r.txt', Buffer.from(text)]]));
        expect([format, problem]).to.deep.equal([format, null]);
        expect(tests.size).to.be.greaterThan(2);
        expect(convert(format, folder)).to.deep.equal(expected(tests));
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  });
});
