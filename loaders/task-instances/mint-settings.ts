import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { reportFormatSchema } from '../../src/model/task-instance.ts';
import { listTree } from '../snapshot/list-tree.ts';
import { readBlobs } from '../snapshot/read-blobs.ts';

const commands = z.union([z.string().transform((command) => [command]), z.array(z.string())]);

/** What may be said of a repository's tests, and of what shall be minted from it. */
export const mintSettingsSchema = z.strictObject({
  /** Run once for each state of manifests and lockfiles, with network. */
  setup_cmds: commands.optional(),
  /** Writes its report; `{files}` in it stands for test files. */
  test_cmd: z.string().min(1).optional(),
  report: z.strictObject({ format: reportFormatSchema, path: z.string().min(1) }).optional(),
  /** What is a test and what is source, where the usual names do not tell. */
  test_globs: z.array(z.string()).optional(),
  source_globs: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  timeout_s: z.int().min(1).optional(),
  setup_timeout_s: z.int().min(1).optional(),
  /** A suite that takes longer is narrowed to some files. */
  suite_limit_s: z.int().min(1).optional(),
  /** Each side is run so often. */
  runs: z.int().min(1).optional(),
  max_files: z.int().min(1).optional(),
  max_lines: z.int().min(1).optional(),
  min_words: z.int().min(1).optional(),
  license: z.string().optional(),
  origin: z.enum(['internal', 'public']).optional(),
});
export type MintSettings = z.infer<typeof mintSettingsSchema>;

const fileName = 'benchmark.yml';

/** Reads settings from a file; throws one sentence where they can't be understood. */
export async function readMintSettings(file: string): Promise<MintSettings> {
  return settingsIn(await readFile(file, 'utf8'), file);
}

/** The settings that a repository brings in its `benchmark.yml`; none where it has no such file. */
export async function mintSettingsOf(gitDir: string, commit: string): Promise<MintSettings> {
  const entry = (await listTree(gitDir, commit, false)).find(({ path, kind }) => path === fileName && kind === 'file');
  if (!entry) return {};
  for await (const content of readBlobs(gitDir, [entry.blobId]))
    if (content) return settingsIn(content.toString('utf8'), `The repository’s ${fileName}`);
  return {};
}

function settingsIn(text: string, name: string): MintSettings {
  let value: unknown;
  try {
    value = parse(text) ?? {};
  } catch (error) {
    throw new Error(`${name} is no YAML: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  const parsed = mintSettingsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${name} can't be used: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? ''}`);
}
