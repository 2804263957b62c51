import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { MintJob } from '../stores/jobs/port.ts';
import { reportFormatSchema } from '../model/task-instance.ts';
import type { TestReportFormat } from '../model/task-instance.ts';

/** How the tests of a repository are run, where its files do not tell. */
export interface SuiteSettingsFlags {
  testCmd?: string;
  setupCmd?: string[];
  report?: { format: TestReportFormat; path: string };
  config?: string;
  runs?: number;
  timeout?: number;
}

/** Adds the flags that say what is run. */
export const suiteSettingsFlags = (command: Command): Command =>
  command
    .option('--test-cmd <command>', 'runs the tests and writes a report; {files} in it stands for test files')
    .option('--report <format:path>', `what the tests write: ${reportFormatSchema.options.join(', ')}`, reportOption)
    .option('--setup-cmd <command>', 'run before, once for each state of the lockfiles; may be repeated', append)
    .option('--config <file>', 'settings in place of the repository’s own benchmark.yml');

/** Those of the flags that stand in place of a file's. */
export function settingsOf({ testCmd, setupCmd, report, runs, timeout }: SuiteSettingsFlags): MintJob['settings'] {
  return {
    ...(testCmd === undefined ? {} : { test_cmd: testCmd }),
    ...(setupCmd === undefined ? {} : { setup_cmds: setupCmd }),
    ...(report === undefined ? {} : { report }),
    ...(runs === undefined ? {} : { runs }),
    ...(timeout === undefined ? {} : { timeout_s: timeout }),
  };
}

export const append = (text: string, texts: string[] = []): string[] => [...texts, text];

function reportOption(text: string): NonNullable<SuiteSettingsFlags['report']> {
  const [, format, path] = /^(\w+):(.+)$/.exec(text) ?? [];
  const known = reportFormatSchema.safeParse(format);
  if (!known.success || path === undefined)
    throw new InvalidArgumentError(
      `One of ${reportFormatSchema.options.join(', ')}, a colon, and a path: tap:$OUT/report.tap`,
    );
  return { format: known.data, path };
}
