import { junitStatus } from './junit.ts';
import { testName, type ReportedTest, type ReportReader } from './report-reader.ts';
import { attribute, elements, parseXml, type XmlElement } from './xml.ts';

/** pytest's JUnit XML of the family `xunit1`, which alone names files: `<file>::<Class>::<name>`, and the file alone where it can't be read. */
export const pytestJunit: ReportReader = {
  // A test and what is cleaned up after it may both be there.
  oneById: true,
  read(text) {
    const document = parseXml(text);
    const root = (document['testsuites'] ?? document) as XmlElement;
    const suites = elements(root, 'testsuite');
    if (suites.length === 0) throw new Error('it has no <testsuite>');
    return suites.flatMap((suite) =>
      elements(suite, 'testcase').map((test): ReportedTest => {
        const file = attribute(test, 'file');
        const name = testName(attribute(test, 'name'));
        const className = attribute(test, 'classname');
        const status = junitStatus(test);
        if (className === '' && status === 'error') return { id: file || name, status };
        const module = file.replace(/\.[^./]*$/, '').replaceAll('/', '.');
        const classes = className === module ? [] : className.replace(`${module}.`, '').split('.');
        return { id: [file, ...classes, name].filter(Boolean).join('::'), status };
      }),
    );
  },
};
