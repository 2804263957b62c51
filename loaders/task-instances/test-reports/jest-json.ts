import { z } from 'zod';
import type { TestStatus } from '../suite.ts';
import { relative, testName, type ReportReader } from './report-reader.ts';

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

const statuses: Record<string, TestStatus> = {
  passed: 'passed',
  failed: 'failed',
  pending: 'skipped',
  skipped: 'skipped',
  todo: 'skipped',
  disabled: 'skipped',
};

/** The JSON of Jest and of Vitest: `<file> > <group> > <title>`. A file that could not be loaded is `<file> > [suite load]`, failed. */
export const jestJson: ReportReader = {
  read(text) {
    return report.parse(JSON.parse(text)).testResults.flatMap((file) => {
      const path = relative(file.name);
      if (file.assertionResults.length === 0 && file.status === 'failed')
        return [{ id: `${path} > [suite load]`, status: 'failed' as const }];
      return file.assertionResults.map(({ ancestorTitles, title, status }) => ({
        id: [path, ...ancestorTitles.map(testName), testName(title)].join(' > '),
        // A status that a later version invents is none that passed.
        status: statuses[status] ?? 'error',
      }));
    });
  },
};
