import { createHash } from 'node:crypto';
import { z } from 'zod';
import { difficultySchema, taskInstanceSchema } from '../../../src/model/task-instance.ts';
import type { TaskInstance } from '../../../src/model/task-instance.ts';
import { languageOf } from '../../snapshot/language-of.ts';
import { changedLines } from '../changed-lines.ts';
import { difficultyOf } from '../difficulty.ts';
import { harnessVersion } from '../harness-version.ts';
import { isTestFile } from '../is-test-file.ts';
import { leakScore, newSymbolsInTests } from '../leaks.ts';
import { patchSections } from '../patch-sections.ts';
import { pathKinds } from '../path-kinds.ts';
import { statementFlags } from '../statements/statement-flags.ts';
import { wordsIn } from '../statements/statement.ts';

/** Names of tests: a list, or one written as JSON. */
const names = z.unknown().transform((written, context): string[] => {
  try {
    return z.array(z.string()).parse(typeof written === 'string' ? JSON.parse(written) : written);
  } catch {
    context.addIssue('This is neither a list of names nor one written as JSON.');
    return z.NEVER;
  }
});

/** A time of any usual form; one that names no zone is UTC. */
const moment = z.union([z.date(), z.string()]).transform((written, context): string => {
  const hasZone = typeof written !== 'string' || /(Z|[+-]\d\d:?\d\d)$/i.test(written) || !written.includes(':');
  const time = new Date(hasZone ? written : `${written.replace(' ', 'T')}Z`);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  context.addIssue('This is no time.');
  return z.NEVER;
});

/** A row of SWE-bench, Lite, Verified and what has their form. What else it has is not read. */
const rowSchema = z.object({
  instance_id: z.string(),
  repo: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'This is no owner/name.'),
  base_commit: z.string(),
  problem_statement: z.string(),
  hints_text: z.string().nullish(),
  patch: z.string(),
  test_patch: z.string(),
  FAIL_TO_PASS: names,
  PASS_TO_PASS: names,
  version: z.string().nullish(),
  created_at: moment,
  difficulty: z.string().nullish(),
});

const kindOf = pathKinds({ isTest: isTestFile, isSource: () => true });

/**
 * The task of a row of a public dataset. How its tests are run is not in it: until it was validated it has no environment, and nothing
 * says that it can be solved here. Throws `ZodError` for what is no such row.
 */
export function fromPublicRow(row: unknown): TaskInstance {
  const { FAIL_TO_PASS, PASS_TO_PASS, ...fields } = rowSchema.parse(row);
  const { instance_id, repo, problem_statement: statement, patch, test_patch: testPatch } = fields;
  const [, number] = /-(\d+)$/.exec(instance_id) ?? [];
  const leak = leakScore(statement, patch, new Set());
  const testFiles = patchSections(testPatch).flatMap(({ text, paths }) =>
    /^deleted file mode/m.test(text) ? [] : paths.slice(-1),
  );
  const told = {
    source: 'issue' as const,
    statement,
    interface: '',
    patch,
    testPatch,
    failToPass: FAIL_TO_PASS,
    testFiles,
    leakScore: leak,
  };
  return taskInstanceSchema.parse({
    schema_version: 1,
    instance_id,
    repo,
    base_commit: fields.base_commit,
    problem_statement: statement,
    problem_statement_source: 'issue',
    hints_text: fields.hints_text ?? '',
    patch,
    test_patch: testPatch,
    verifying_tests: {
      fail_to_pass: FAIL_TO_PASS,
      pass_to_pass: PASS_TO_PASS,
      test_files: testFiles,
      framework: 'not known',
    },
    ...sizeOf(patch, fields.difficulty),
    version: fields.version ?? '0.0',
    created_at: fields.created_at,
    environment: null,
    provenance: {
      fix_commit: null,
      fix_kind: null,
      pr_number: number === undefined ? null : Number(number),
      issue_refs: [],
      patch_id: null,
      repo_license_spdx: null,
      origin: 'public',
      minted_at: new Date().toISOString(),
      generator_version: harnessVersion,
      canary: `This is a task of a benchmark, not to be trained on: canary ${digestOf(instance_id)}`,
    },
    validation: {
      status: 'not_validated',
      validated_at: null,
      runs_before: 0,
      runs_after: 0,
      flake_count: 0,
      quarantined_tests: [],
      scope: null,
      phases: [],
      controls: { empty_patch: null, gold_patch: null, test_only_patch: null },
    },
    quality: {
      flags: statementFlags(told),
      leak_score: leak,
      statement_words: wordsIn(statement),
      new_symbols_in_tests: newSymbolsInTests(statement, patch, testPatch),
    },
  });
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** How large the patch is and in which language; how long it takes is what people said, where they did. */
function sizeOf(
  patch: string,
  label: string | null | undefined,
): Pick<TaskInstance, 'difficulty' | 'difficulty_detail' | 'language'> {
  const files = patchSections(patch).map(({ text, paths }) => ({
    path: paths.at(-1) ?? '',
    status: /^new file mode/m.test(text) ? ('added' as const) : ('modified' as const),
    hunks: text.match(/^@@ /gm)?.length ?? 0,
    added: changedLines(text, '+').length,
    removed: changedLines(text, '-').length,
  }));
  const code = files.filter(({ path }) => kindOf(path) === 'code');
  const [largest] = code.toSorted((a, b) => b.added + b.removed - (a.added + a.removed));
  const told = difficultySchema.safeParse(label);
  const { difficulty, difficulty_detail: detail } = difficultyOf(code.length > 0 ? code : files);
  return {
    difficulty: told.data ?? difficulty,
    difficulty_detail: told.success ? { ...detail, source: 'human' } : detail,
    language: languageOf(largest?.path ?? '') ?? '',
  };
}
