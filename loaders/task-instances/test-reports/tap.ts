import { Parser, type Result } from 'tap-parser';
import type { TestStatus } from '../suite.ts';
import { relative, testName, type ReportedTest, type ReportReader } from './report-reader.ts';

/** The Test Anything Protocol, versions 12 to 14: the descriptions of a test and of those that it is part of, joined by ` > `. */
export const tap: ReportReader = {
  read(text) {
    const found: ReportedTest[] = [];
    const parser = new Parser();
    let isWhole = false;
    const listen = (to: Parser, path: readonly string[]) => {
      let position = 0;
      to.on('assert', (result: Result) => {
        position += 1;
        // A group of Node's is no test: what fails in it fails by itself.
        if (result.diag && (result.diag as { type?: unknown }).type === 'suite') return;
        const name = testName(relative(result.name)) || String(position);
        found.push({ id: [...path, name].join(' > '), status: status(result) });
      });
      to.on('child', (child: Parser) => listen(child, [...path, testName(child.name)]));
    };
    listen(parser, []);
    parser.on('complete', ({ plan }) => {
      isWhole = plan.end !== null;
    });
    parser.end(text);
    if (!isWhole) throw new Error('it has no plan, as if it had not been finished');
    return found;
  },
};

function status({ ok, skip, todo }: Result): TestStatus {
  if (skip) return 'skipped';
  if (ok) return 'passed';
  return todo ? 'xfailed' : 'failed';
}
