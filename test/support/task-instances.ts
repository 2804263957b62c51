import { exampleTask } from '../../src/benchmark/example-task.ts';
import { namesOf, type EvaluationAttempt } from '../../src/model/evaluation-attempt.ts';
import type { EvaluationOutcome } from '../../src/model/evaluation-outcome.ts';
import type { EvaluationRun } from '../../src/model/evaluation-run.ts';
import type { MintRun } from '../../src/model/mint-run.ts';
import type { ProvenTask } from '../../src/model/task-instance.ts';
import type { RelationalStore } from '../../src/stores/relational/port.ts';

const sha = (letter: string) => letter.repeat(40);

/** The documentation's task instance, with these fields. */
export function taskInstance(fields: Partial<ProvenTask> = {}): ProvenTask {
  return { ...exampleTask, ...fields };
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
    counts: { resolved: 2, unresolved: 1, suspicious: 0, empty_patch: 0, patch_failed: 0, timeout: 0, error: 0 },
    total: 4,
    solve_rate_total: 0.5,
    infra_suspected: 0,
    uncontrolled: 0,
    usage: null,
    harness_version: '0.1.0',
    dataset_sha256: '0'.repeat(64),
    duration_s: 12.3,
    ...fields,
  };
}

/** What became of one task, with these fields. */
export function evaluationOutcome(fields: Partial<EvaluationOutcome> = {}): EvaluationOutcome {
  return {
    instance_id: 'acme__shop-17',
    repo: 'acme/shop',
    language: 'TypeScript',
    difficulty: '<15 min fix',
    committed_at: '2026-10-01T00:00:00Z',
    status: 'resolved',
    controlled: true,
    problem: null,
    dropped_paths: [],
    infra: null,
    logs: 'logs/run_evaluation/run-1/acme__coder-1/acme__shop-17',
    usage: null,
    ...fields,
  };
}

/** What was answered to one task and seen of it, with these fields. */
export function evaluationAttempt(fields: Partial<EvaluationAttempt> = {}): EvaluationAttempt {
  const none = { total: 0, names: [] };
  return {
    instance_id: 'acme__shop-17',
    patch: { text: exampleTask.patch, cut: null },
    tests: {
      fail_to_pass: { passed: namesOf(exampleTask.verifying_tests.fail_to_pass), failed: none },
      pass_to_pass: { passed: namesOf(exampleTask.verifying_tests.pass_to_pass), failed: none },
    },
    log: { text: '2 passing\n', cut: null },
    trajectory: null,
    ...fields,
  };
}

/** Keeps what models reached as this organization has it. */
export async function saveEvaluationRuns(
  store: RelationalStore,
  organizationId: string,
  runs: readonly EvaluationRun[],
): Promise<void> {
  await store.tenant(organizationId, async ({ evaluationRuns }) => {
    for (const run of runs) await evaluationRuns.save(run);
  });
}
