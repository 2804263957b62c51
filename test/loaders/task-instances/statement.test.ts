import { expect } from 'chai';
import type { Issue } from '../../../loaders/task-instances/issues.ts';
import { originOf, statementOf } from '../../../loaders/task-instances/statements/statement.ts';

const step = (message: string) => ({
  id: '1',
  parents: ['0'],
  author: { name: '', email: '' },
  authoredAt: '2024-01-01T00:00:00Z',
  committedAt: '2024-01-01T00:00:00Z',
  message,
  files: [],
  truncated: false,
});
const say = (message: string, issues: readonly Issue[] = []) =>
  statementOf(step(message), '', new Map(issues.map((issue) => [issue.id, issue])));

describe('the statement of a task', () => {
  const texts: [string, string][] = [
    ['Fix #271:  Return 405 instead of 404', 'Return 405 instead of 404'],
    ['Return 405 (#11) (#12)', 'Return 405'],
    [
      'Return 405\n\nA method that is not allowed is an error of the server, as it follows a broken\nlink.\nFix link',
      'Return 405\n\nA method that is not allowed is an error of the server, as it follows a broken\nlink.',
    ],
    ['Return 405 (#12)\n\nFixes #5, acme/api#6\nSigned-off-by: Ann <a@b.c>\nPR-URL: x', 'Return 405'],
    ['It fixes 3 bugs in UTF-8, of 1234567', 'It fixes 3 bugs in UTF-8, of 1234567'],
    ['Broken since 1a2b3c4, see https://example.com/a/b/pull/7', 'Broken since , see'],
    ['Before\n\n```diff\n-a\n+b\n```\nafter', 'Before\n\nafter'],
    ['Before\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\nafter', 'Before\n\nafter'],
    ['Merge pull request #7 from ann/topic\n\nSay what is\r\nright<!-- of a\ntemplate -->', 'Say what is\nright'],
    ['Say it\n\n[pre-commit.ci] auto fixes\n\nfor more information, see https://pre-commit.ci\n---------', 'Say it'],
    [
      'Say it\n* Update src/price.py\n* add tests\n* Fix linting errors\n* Apply suggestions from code review',
      'Say it',
    ],
    ['Say it\n\nrefactor: one loop\nAdded unit tests for it\nUpdate README.md', 'Say it'],
    ['Type of errors\nAdd comments to baskets', 'Type of errors\nAdd comments to baskets'],
    ['Say it\n\nSee merge request acme/api!12', 'Say it'],
    ['Say it\n\nCloses: gh-57, gh-58', 'Say it'],
    ['Fix #1, fix #2, closes #3: Say it', 'Say it'],
    ['[MRG+1] Say it\n\n--HG--\nrename : a.py => b.py\nextra : convert_revision : svn%3A1', 'Say it'],
    [
      'Say it\n* Bump version and update changelog\n* Add ann to AUTHORS.rst\n* Fix typo in test_price\n* Remove dead code',
      'Say it',
    ],
    ['Remove a version of news\nFix tests of the tax', 'Remove a version of news'],
    ['Say it\n* Improve exception assertion in PriceTest\n* Update the latest', 'Say it\n\n* Update the latest'],
    ['Fix runTests ignoring the filter\n\nAll run.', 'Fix runTests ignoring the filter\n\nAll run.'],
    ['Improve PriceTest of none', 'Improve PriceTest of none'],
    [
      'Say it:\n  at Price.of(Price.java:3)\n  at PriceTest.ofNone(PriceTest.java:1)',
      'Say it:\n  at Price.of(Price.java:3)',
    ],
  ];
  for (const [message, text] of texts)
    it(`has nothing that leads to the fix: ${JSON.stringify(message)}`, () => {
      expect(say(message).text).to.equal(text);
    });

  it('is the issues that are closed, else the pull request, else the message', () => {
    const issue = (id: string) => ({ id, title: `Title of ${id}`, body: 'Body', comments: [] });
    const known = ['5', '6', '12', 'PAY-3'].map(issue);
    const source = (message: string) => {
      const { source, text, issueRefs } = say(message, known);
      return [source, text, issueRefs];
    };
    expect(source('Add (#12)\n\nFixes #5 and closes https://example.com/a/b/issues/6')).to.deep.equal([
      'issue',
      'Title of 5\nBody\n\nTitle of 6\nBody',
      ['#5', '#6'],
    ]);
    expect(source('Resolves PAY-3, fixes UTF-8')).to.deep.equal(['issue', 'Title of PAY-3\nBody', ['PAY-3']]);
    expect(source('Add (#12)\n\nFixes #99')).to.deep.equal(['pull_request', 'Title of 12\nBody', ['#99']]);
    expect(source('Add (#13)')).to.deep.equal(['commit_message', 'Add', []]);
  });

  it('is of a merge, a squashed pull request or a plain commit', () => {
    const origin = (message: string, parents: string[]) => originOf({ message, parents });
    expect(origin('Merge pull request #7 from a/b', ['1', '2'])).to.deep.equal({ kind: 'merge', prNumber: 7 });
    expect(origin('Merge branch x\n\nSee merge request a/b!8\n', ['1', '2'])).to.deep.equal({
      kind: 'merge',
      prNumber: 8,
    });
    expect(origin('Add (#9)', ['1'])).to.deep.equal({ kind: 'squash', prNumber: 9 });
    expect(origin('Add #9', ['1'])).to.deep.equal({ kind: 'commit', prNumber: null });
  });
});
