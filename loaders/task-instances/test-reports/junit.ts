import type { TestStatus } from '../suite.ts';
import { relative, testName, type ReportedTest, type ReportReader } from './report-reader.ts';
import { attribute, elements, parseXml, type XmlElement } from './xml.ts';

/** JUnit's XML as Maven's Surefire and Gradle write it, and many others: `<classname>.<name>`. Node's, whose suites are nested, gives their path. */
export const junit: ReportReader = {
  read(text) {
    const document = parseXml(text);
    const root = (document['testsuites'] ?? document) as XmlElement;
    if (document['testsuites'] === undefined && document['testsuite'] === undefined)
      throw new Error('it has neither <testsuites> nor <testsuite>');
    // All others say at least how many tests there are.
    const isNode = 'testsuites' in document && !Object.keys(root).some((key) => key.startsWith('@'));
    const found: ReportedTest[] = [];
    const read = (suite: XmlElement, path: readonly string[]) => {
      for (const test of elements(suite, 'testcase')) {
        const name = testName(attribute(test, 'name'));
        const className = attribute(test, 'classname');
        const id = isNode ? [...path, relative(name)].join(' > ') : [className, name].filter(Boolean).join('.');
        found.push({ id, status: junitStatus(test) });
      }
      for (const inner of elements(suite, 'testsuite')) read(inner, [...path, testName(attribute(inner, 'name'))]);
    };
    if (typeof root === 'object') read(root, []);
    return found;
  },
};

/** What a `<testcase>` says became of it. */
export function junitStatus(test: XmlElement): TestStatus {
  const skipped = test['skipped'] as XmlElement | string | undefined;
  const type = typeof skipped === 'object' ? attribute(skipped, 'type') : '';
  // What is still to be done may fail, and then it runs all the same.
  if (type === 'todo') return 'failure' in test || 'error' in test ? 'xfailed' : 'passed';
  if ('error' in test) return 'error';
  if ('failure' in test) return 'failed';
  if (skipped === undefined) return 'passed';
  return type === 'pytest.xfail' ? 'xfailed' : 'skipped';
}
