// Required by mocha where SKIPPED_TESTS names a file: writes there, as JSON, which tests were skipped and in which files they are.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const testsOf = (suite) => [...suite.tests, ...suite.suites.flatMap(testsOf)];

export const mochaHooks = {
  afterAll() {
    const skipped = testsOf(this.test.parent).filter((test) => test.isPending());
    const files = new Set(skipped.map(({ file }) => relative(process.cwd(), file)));
    const titles = new Set(skipped.map((test) => test.fullTitle()));
    writeFileSync(process.env['SKIPPED_TESTS'], JSON.stringify({ files: [...files], titles: [...titles] }));
  },
};
