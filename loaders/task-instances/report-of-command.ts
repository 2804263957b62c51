import type { TaskEnvironment } from '../../src/model/task-instance.ts';

/** How the usual runners are told where to write, and in which format. */
// Bounded: by `maxCommandLength`.
const forms: readonly [RegExp, TaskEnvironment['report']['format']][] = [
  [/--junit-?xml[= ](\S+)/, 'pytest_junit'],
  [/--test-reporter[= ]tap\b.*--test-reporter-destination[= ](\S+)/, 'tap'],
  [/--test-reporter[= ]junit\b.*--test-reporter-destination[= ](\S+)/, 'junit'],
  [/\bvitest\b.*--outputFile[= ](\S+)/, 'vitest_json'],
  [/\bjest\b.*--outputFile[= ](\S+)/, 'jest_json'],
  [/\bmocha\b.*--reporter[= ]json\b.*\boutput=(\S+)/, 'mocha_json'],
  [/\bgo test\b.*-json\b.*>\s*(\S+)/, 'go_json'],
  [/\bcargo test\b.*(?:>|\btee)\s+(\S+)/, 'cargo_text'],
  [/>\s*(\S+\.tap)\b/, 'tap'],
];

const maxCommandLength = 2_000;

/** The report that a test command writes, as far as its own words tell. */
export function reportOfCommand(command: string): TaskEnvironment['report'] | null {
  if (command.length > maxCommandLength) return null;
  for (const [form, format] of forms) {
    const [, path] = form.exec(command) ?? [];
    if (path !== undefined) return { format, path: path.replace(/^(["'])(.*)\1$/, '$2') };
  }
  return null;
}
