import { z } from 'zod';
import type { TestStatus } from '../suite.ts';
import { testName, type ReportedTest, type ReportReader } from './report-reader.ts';

const event = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  FailedBuild: z.string().optional(),
});

const ends: Record<string, TestStatus> = { pass: 'passed', fail: 'failed', skip: 'skipped' };

/** `go test -json`: `<package>.<test>`. A package that can't be compiled is an error of its own name, and so is a test that never ended. */
export const goJson: ReportReader = {
  read(text) {
    const statuses = new Map<string, TestStatus>();
    const failed: { id: string; hasTests: boolean; isBuild: boolean }[] = [];
    const withTests = new Set<string>();
    let events = 0;
    for (const line of text.split('\n')) {
      // The go command writes a few lines of its own between.
      if (!line.startsWith('{')) continue;
      const { Action, Package, Test, FailedBuild } = event.parse(JSON.parse(line));
      events += 1;
      if (Package === undefined) continue;
      if (Test !== undefined) {
        withTests.add(Package);
        const id = `${Package}.${testName(Test)}`;
        if (Action === 'run') statuses.set(id, 'error');
        else if (Action in ends) statuses.set(id, ends[Action]!);
      } else if (Action === 'fail') {
        failed.push({ id: Package, hasTests: withTests.has(Package), isBuild: FailedBuild !== undefined });
      }
    }
    if (events === 0) throw new Error('it has no event of go test -json');
    // A package fails with its tests; without one of them it is what failed.
    for (const { id, hasTests, isBuild } of failed) if (isBuild || !hasTests) statuses.set(id, 'error');
    return [...statuses].map(([id, status]): ReportedTest => ({ id, status }));
  },
};
