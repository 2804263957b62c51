import type { TestReportFormat } from '../../../src/model/task-instance.ts';
import type { TestStatus } from '../suite.ts';
import { reportReaders } from './index.ts';

/** What the reports of one run say. */
export interface TestReports {
  tests: Map<string, TestStatus>;
  /** Why that is not all; null where each file was read. */
  problem: string | null;
}

/** A larger one is none that a runner wrote. */
const maxBytes = 64 * 1024 ** 2;
const worstFirst: readonly TestStatus[] = ['error', 'failed', 'xfailed', 'skipped', 'passed'];

/** Reads a run's reports, by their paths; what can't be read is told, and the rest counts. */
export function readTestReports(format: TestReportFormat, reports: ReadonlyMap<string, Buffer>): TestReports {
  const { read, oneById = false } = reportReaders[format];
  const tests = new Map<string, TestStatus>();
  let problem: string | null = reports.size === 0 ? 'no report was written' : null;
  for (const [path, content] of [...reports].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    try {
      if (content.length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
      for (const { id, status } of read(content.toString('utf8'))) add(tests, id, status, oneById);
    } catch (error) {
      problem ??= `the report ${path} could not be read: ${firstLine((error as Error).message)}`;
    }
  }
  return { tests, problem };
}

function add(tests: Map<string, TestStatus>, id: string, status: TestStatus, oneById: boolean): void {
  const before = tests.get(id);
  if (before === undefined) tests.set(id, status);
  else if (oneById) tests.set(id, worstFirst.find((each) => each === before || each === status) ?? status);
  else {
    let count = 2;
    while (tests.has(`${id} #${count}`)) count += 1;
    tests.set(`${id} #${count}`, status);
  }
}

const firstLine = (text: string) => text.split('\n', 1)[0]?.slice(0, 200) ?? '';
