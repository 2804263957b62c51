import { z } from 'zod';

/** The labels of SWE-bench Verified. */
export const difficultySchema = z
  .enum(['<15 min fix', '15 min - 1 hour', '1-4 hours', '>4 hours'])
  .meta({ id: 'Difficulty' });
export type Difficulty = z.infer<typeof difficultySchema>;

/** How the results of a test command are written down. */
export const reportFormatSchema = z
  .enum(['junit', 'pytest_junit', 'tap', 'jest_json', 'vitest_json', 'mocha_json', 'go_json', 'cargo_text'])
  .meta({ id: 'TestReportFormat' });
export type TestReportFormat = z.infer<typeof reportFormatSchema>;

/** How far the tests were kept from the machine that ran them. */
export const isolationSchema = z.enum(['bwrap', 'unshare', 'container', 'none']).meta({ id: 'Isolation' });
export type Isolation = z.infer<typeof isolationSchema>;

const sha1 = z.string().regex(/^[0-9a-f]{40}$/);
const count = z.int().min(0);
const time = z.iso.datetime();

/** How to run the tests of a repository at one commit. */
export const taskEnvironmentSchema = z
  .object({
    environment_setup_commit: sha1,
    /** Run once for each `env_key`, with the network where it is allowed. */
    setup_cmds: z.array(z.string()),
    test_cmd: z.string().min(1),
    report: z.object({
      format: reportFormatSchema,
      /** Where the command writes it: `$OUT/…`, or a glob within the tree. */
      path: z.string(),
    }),
    env: z.record(z.string(), z.string()),
    /** Versions by tool: `{"node": "24.21.0"}`. */
    runtime: z.record(z.string(), z.string()),
    /** SHA-256 over manifests and lockfiles at the base, the setup commands and the runtime; equal means the same setup. */
    env_key: z.string(),
    image: z.string().nullable(),
    timeout_s: z.int().min(1),
    network: z.literal(false),
    isolation: isolationSchema,
  })
  .meta({ id: 'TaskEnvironment' });
export type TaskEnvironment = z.infer<typeof taskEnvironmentSchema>;

/** A software-engineering task, proven by running its tests or about to be. Fields of SWE-bench have its names. */
export const taskInstanceSchema = z
  .object({
    schema_version: z.literal(1),
    /** `owner__repo-PR`, or without a pull request `owner__repo-` and 12 characters that tell nothing of the fix. */
    instance_id: z.string().regex(/^[A-Za-z0-9_.-]+__[A-Za-z0-9_.-]+-[A-Za-z0-9]+$/),
    repo: z.string(),
    /** First parent of the fix. */
    base_commit: sha1,
    problem_statement: z.string().min(1),
    problem_statement_source: z.enum(['issue', 'pull_request', 'commit_message', 'synthesized']),
    hints_text: z.string(),
    /** The gold patch: a git diff of all that is no test. */
    patch: z.string().min(1),
    test_patch: z.string().min(1),
    verifying_tests: z.object({
      fail_to_pass: z.array(z.string()).min(1),
      pass_to_pass: z.array(z.string()),
      /** Those of `pass_to_pass` that are not there without the fix, as what they are compiled with is not; left out where there are none. */
      collateral: z.array(z.string()).optional(),
      test_files: z.array(z.string()),
      framework: z.string(),
    }),
    difficulty: difficultySchema,
    difficulty_detail: z.object({
      source: z.enum(['heuristic-v1', 'human', 'llm']),
      files: count,
      hunks: count,
      lines_added: count,
      lines_removed: count,
      new_files: count,
    }),
    language: z.string(),
    /** `major.minor` of the nearest tag, or `0.0`. */
    version: z.string(),
    /** Committer date of the fix. RFC 3339, UTC. */
    created_at: time,
    /** Null until it was validated: a row of a public dataset does not say how its tests are run. */
    environment: taskEnvironmentSchema.nullable(),
    provenance: z.object({
      /** Null of a task from a public dataset. */
      fix_commit: sha1.nullable(),
      /** Null likewise. */
      fix_kind: z.enum(['merge', 'squash', 'commit']).nullable(),
      pr_number: count.nullable(),
      issue_refs: z.array(z.string()),
      /** `git patch-id --stable` of the gold patch; null of a task from a public dataset. */
      patch_id: z.string().nullable(),
      repo_license_spdx: z.string().nullable(),
      origin: z.enum(['internal', 'public']),
      minted_at: time,
      generator_version: z.string(),
      /** Says of a text in which it is found that it was made from this instance. */
      canary: z.string(),
    }),
    validation: z.object({
      /** `not_validated`: taken from a public dataset, and not proven here. */
      status: z.enum(['valid', 'not_validated']),
      /** Null where it was not. */
      validated_at: time.nullable(),
      /** Why the last attempt did not prove it; left out where there is nothing to say. */
      problem: z.string().optional(),
      runs_before: count,
      runs_after: count,
      flake_count: count,
      quarantined_tests: z.array(z.string()),
      /** The files that were run, where it was not the whole suite. */
      scope: z.array(z.string()).nullable(),
      phases: z.array(
        z.object({
          phase: z.enum(['base', 'test', 'fix']),
          run: z.int().min(1),
          exit_code: z.int().nullable(),
          timed_out: z.boolean(),
          duration_ms: z.number().min(0),
          passed: count,
          failed: count,
          skipped: count,
          log_sha256: z.string(),
        }),
      ),
      /** Null where they were not run. */
      controls: z.object({
        empty_patch: z.literal('unresolved').nullable(),
        gold_patch: z.literal('resolved').nullable(),
        test_only_patch: z.literal('unresolved').nullable(),
      }),
    }),
    quality: z.object({
      flags: z.array(z.string()),
      /** 0 to 1: the share of the gold patch's added lines that the statement gives away. */
      leak_score: z.number().min(0).max(1),
      /** Of what somebody wrote. */
      statement_words: count,
      /** Of the interface behind it; left out where there is none. */
      interface_words: count.optional(),
      new_symbols_in_tests: z.array(z.string()),
    }),
  })
  .meta({ id: 'TaskInstance' });
export type TaskInstance = z.infer<typeof taskInstanceSchema>;

/** A task that was proven by running its tests here, so that they can be run again. */
export type ProvenTask = TaskInstance & { environment: TaskEnvironment };
export const isProven = (instance: TaskInstance): instance is ProvenTask => instance.environment !== null;
