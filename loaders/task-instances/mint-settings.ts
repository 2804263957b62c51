import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { minRuns, tooFewRuns } from '../../src/model/mint-run.ts';
import { reportFormatSchema } from '../../src/model/task-instance.ts';
import { readBlobs } from '../snapshot/read-blobs.ts';
import { reportOfCommand } from './report-of-command.ts';

const commands = z.union([z.string().transform((command) => [command]), z.array(z.string())]);

const count = z.int().min(1);

/** What may be said of a repository's tests, and of what shall be minted from it. */
const mintSettingsSchema = z.strictObject({
  /** Run once for each state of manifests and lockfiles, with network. */
  setup_cmds: commands.exactOptional(),
  /** Writes its report; `{files}` in it stands for test files. */
  test_cmd: z.string().min(1).exactOptional(),
  report: z.strictObject({ format: reportFormatSchema, path: z.string().min(1) }).exactOptional(),
  env: z.record(z.string(), z.string()).default({}),
  /** What is a test and what is source, where the usual names do not tell. */
  test_globs: z.array(z.string()).exactOptional(),
  source_globs: z.array(z.string()).exactOptional(),
  timeout_s: count.default(600),
  /** A suite that takes longer is narrowed to some files. */
  suite_limit_s: count.default(300),
  /** Each side is run so often. */
  runs: count.default(3),
  max_files: count.default(15),
  max_lines: count.default(500),
  min_words: count.default(8),
  license: z.string().nullable().default(null),
  origin: z.enum(['internal', 'public']).default('internal'),
});
export type MintSettings = z.infer<typeof mintSettingsSchema>;
/** As they are written: most may be left out. */
export type MintSettingsGiven = z.input<typeof mintSettingsSchema>;

const fileName = 'benchmark.yml';

/**
 * The settings of a repository: of the file, else of the repository's own `benchmark.yml`, each replaced by what is given. Throws where
 * they say that a proof is a single run.
 */
export async function mintSettings(
  { gitDir, commit }: { gitDir: string; commit: string },
  file: string | null,
  given: MintSettingsGiven,
): Promise<MintSettings> {
  const settings = completed(file === null ? await settingsOf(gitDir, commit) : await readSettings(file), given);
  if (settings.runs < minRuns) throw new Error(`runs: ${tooFewRuns}.`);
  return settings;
}

/** Those for tasks of several repositories: of the file, where there is one, replaced by what is given. */
export async function settingsFor(file: string | null, given: MintSettingsGiven): Promise<MintSettings> {
  return completed(file === null ? {} : await readSettings(file), given);
}

function completed(written: MintSettingsGiven, given: MintSettingsGiven): MintSettings {
  // Another command has another report, and may need no setup.
  const { setup_cmds: _setup, test_cmd: _test, report: _report, ...rest } = written;
  const settings = mintSettingsSchema.parse({ ...(given.test_cmd === undefined ? written : rest), ...given });
  if (settings.test_cmd === undefined || settings.report !== undefined) return settings;
  const report = reportOfCommand(settings.test_cmd);
  if (report === null)
    throw new Error(
      'What the test command writes does not show in it: say so by --report, or by report in benchmark.yml.',
    );
  return { ...settings, report };
}

async function readSettings(file: string): Promise<MintSettingsGiven> {
  return settingsIn(await readFile(file, 'utf8'), file);
}

async function settingsOf(gitDir: string, commit: string): Promise<MintSettingsGiven> {
  for await (const content of readBlobs(gitDir, [`${commit}:${fileName}`]))
    if (content) return settingsIn(content.toString('utf8'), `The repository’s ${fileName}`);
  return {};
}

/** Throws one sentence where they can't be understood. */
function settingsIn(text: string, name: string): MintSettingsGiven {
  let value: unknown;
  try {
    value = parse(text) ?? {};
  } catch (error) {
    throw new Error(`${name} is no YAML: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  const parsed = mintSettingsSchema.safeParse(value);
  if (parsed.success) return value as MintSettingsGiven;
  const [issue] = parsed.error.issues;
  throw new Error(`${name} can't be used: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? ''}`);
}
