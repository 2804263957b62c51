import type { EvaluationRun } from '../../src/model/evaluation-run.ts';
import type { MintRun } from '../../src/model/mint-run.ts';
import type { TaskInstance } from '../../src/model/task-instance.ts';

const sha = (letter: string) => letter.repeat(40);

/** A task instance as the minter makes them, with these fields. */
export function taskInstance(fields: Partial<TaskInstance> = {}): TaskInstance {
  return {
    schema_version: 1,
    instance_id: 'acme__shop-17',
    repo: 'acme/shop',
    base_commit: sha('b'),
    problem_statement: 'The price of an empty basket is NaN, and it should be zero.',
    problem_statement_source: 'commit_message',
    hints_text: 'Look at the sum.',
    patch:
      'diff --git a/price.js b/price.js\n--- a/price.js\n+++ b/price.js\n@@ -1 +1 @@\n-export const price = () => NaN;\n+export const price = () => 0;\n',
    test_patch:
      "diff --git a/test/price.test.js b/test/price.test.js\nnew file mode 100644\n--- /dev/null\n+++ b/test/price.test.js\n@@ -0,0 +1 @@\n+it('is zero');\n",
    verifying_tests: {
      fail_to_pass: ['test/price.test.js > price > is zero'],
      pass_to_pass: ['test/sum.test.js > sum > adds'],
      test_files: ['test/price.test.js'],
      framework: 'mocha',
    },
    difficulty: '<15 min fix',
    difficulty_detail: { source: 'heuristic-v1', files: 1, hunks: 1, lines_added: 1, lines_removed: 1, new_files: 0 },
    language: 'JavaScript',
    version: '1.4',
    created_at: '2026-11-01T10:00:00.000Z',
    environment: {
      environment_setup_commit: sha('b'),
      setup_cmds: ['npm ci'],
      test_cmd: 'npx mocha --reporter json --reporter-option output=$OUT/report.json',
      report: { format: 'mocha_json', path: '$OUT/report.json' },
      env: { NODE_ENV: 'test' },
      runtime: { node: '24.21.0' },
      env_key: 'e'.repeat(64),
      image: null,
      timeout_s: 600,
      network: false,
      isolation: 'bwrap',
    },
    provenance: {
      fix_commit: sha('f'),
      fix_kind: 'squash',
      pr_number: 17,
      issue_refs: ['#12'],
      patch_id: sha('d'),
      repo_license_spdx: 'MIT',
      origin: 'internal',
      minted_at: '2026-11-20T10:00:00.000Z',
      generator_version: '0.1.0',
      canary: 'ris-canary-0001',
    },
    validation: {
      status: 'valid',
      validated_at: '2026-11-20T10:00:00.000Z',
      runs_before: 3,
      runs_after: 3,
      flake_count: 0,
      quarantined_tests: [],
      scope: null,
      phases: [
        {
          phase: 'fix',
          run: 1,
          exit_code: 0,
          timed_out: false,
          duration_ms: 120.5,
          passed: 2,
          failed: 0,
          skipped: 0,
          log_sha256: '0'.repeat(64),
        },
      ],
      controls: { empty_patch: 'unresolved', gold_patch: 'resolved', test_only_patch: 'unresolved' },
    },
    quality: { flags: ['short_statement'], leak_score: 0, statement_words: 12, new_symbols_in_tests: ['price'] },
    ...fields,
  };
}

/** A search for task instances, with these fields. */
export function mintRun(fields: Partial<MintRun> = {}): MintRun {
  return {
    run_id: 'mint-1',
    repo: 'acme/shop',
    source: '/src/shop',
    head: sha('a'),
    commits: 10,
    minted: 1,
    rejected: { docs_only: 9 },
    started_at: '2026-11-20T09:00:00.000Z',
    completed_at: '2026-11-20T10:00:00.000Z',
    ...fields,
  };
}

/** What a model reached, with these fields. */
export function evaluationRun(fields: Partial<EvaluationRun> = {}): EvaluationRun {
  return {
    run_id: 'run-1',
    model: 'acme/coder-1',
    dataset: 'internal',
    evaluated: 3,
    solved: 2,
    solve_rate: 0.6667,
    timestamp: '2026-11-21T11:20:00Z',
    counts: { resolved: 2, unresolved: 1, empty_patch: 0, patch_failed: 0, timeout: 0, error: 0 },
    total: 4,
    solve_rate_total: 0.5,
    infra_suspected: 0,
    harness_version: '0.1.0',
    dataset_sha256: '0'.repeat(64),
    duration_s: 12.3,
    ...fields,
  };
}
