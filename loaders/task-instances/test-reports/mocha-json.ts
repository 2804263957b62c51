import { z } from 'zod';
import type { TestStatus } from '../suite.ts';
import { relative, testName, type ReportedTest, type ReportReader } from './report-reader.ts';

const test = z.object({
  title: z.string(),
  fullTitle: z.string(),
  file: z.string().nullish(),
  duration: z.number().optional(),
  err: z.record(z.string(), z.unknown()).optional(),
});
const report = z.object({ tests: z.array(test), failures: z.array(test), pending: z.array(test) });

/** Mocha's JSON: `<file> > <full title>`. A hook that fails is a failure of its own name. */
export const mochaJson: ReportReader = {
  read(text) {
    const { tests, failures, pending } = report.parse(JSON.parse(text));
    const id = ({ file, fullTitle }: z.infer<typeof test>) =>
      [...(file ? [relative(file)] : []), testName(fullTitle)].join(' > ');
    const skipped = new Set(pending.map(id));
    const status = (each: z.infer<typeof test>): TestStatus => {
      if (Object.keys(each.err ?? {}).length > 0) return 'failed';
      return each.duration === undefined && skipped.has(id(each)) ? 'skipped' : 'passed';
    };
    // Hooks are among the failures alone.
    const hooks = failures.filter(({ title }) => /^"(before|after) (all|each)" hook/.test(title));
    return [
      ...tests.map((each): ReportedTest => ({ id: id(each), status: status(each) })),
      ...hooks.map((each): ReportedTest => ({ id: id(each), status: 'failed' })),
    ];
  },
};
