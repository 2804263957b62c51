import type { TestReportFormat } from '../../../src/model/task-instance.ts';
import { cargoText } from './cargo-text.ts';
import { goJson } from './go-json.ts';
import { jestJson } from './jest-json.ts';
import { junit } from './junit.ts';
import { mochaJson } from './mocha-json.ts';
import { pytestJunit } from './pytest-junit.ts';
import type { ReportReader } from './report-reader.ts';
import { tap } from './tap.ts';

/** The reader of each form. */
export const reportReaders: Readonly<Record<TestReportFormat, ReportReader>> = {
  junit,
  pytest_junit: pytestJunit,
  tap,
  jest_json: jestJson,
  // Vitest writes Jest's form.
  vitest_json: jestJson,
  mocha_json: mochaJson,
  go_json: goJson,
  cargo_text: cargoText,
};
