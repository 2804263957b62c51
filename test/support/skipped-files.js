// Required by mocha where SKIPPED_FILES names a file: writes there, a line each, the test files of which something was skipped.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const isSkipped = (suite) => suite.tests.some((test) => test.isPending()) || suite.suites.some(isSkipped);

export const mochaHooks = {
  afterAll() {
    const files = this.test.parent.suites.filter(isSkipped).map(({ file }) => relative(process.cwd(), file));
    writeFileSync(process.env['SKIPPED_FILES'], [...new Set(files)].join('\n'));
  },
};
