import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestReportFormat } from '../../../src/model/task-instance.ts';

/** The file that reads a format. */
const readers: Record<TestReportFormat, string> = {
  junit: 'junit.py',
  pytest_junit: 'junit.py',
  tap: 'tap.py',
  jest_json: 'jest_json.py',
  vitest_json: 'jest_json.py',
  mocha_json: 'mocha_json.py',
  go_json: 'go_json.py',
  cargo_text: 'cargo_text.py',
};

const textOf = (file: string) => readFileSync(join(import.meta.dirname, 'converters', file), 'utf8').trimEnd();

/**
 * One Python program that prints what a report of this format says, a line a test, as the readers of test-reports/ understand it;
 * it takes the format, and the report's path or glob.
 */
export const converterOf = (format: TestReportFormat): string =>
  `${['names.py', readers[format], 'print_results.py'].map(textOf).join('\n\n\n')}\n`;
