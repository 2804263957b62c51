import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Isolation, ProvenTask } from '../../src/model/task-instance.ts';
import { limitsIn, networkIn, type Containment } from './containment.ts';
import type { KeptOutcome } from './evaluate.ts';
import { evalScript } from './exchange/eval-script.ts';
import type { InfraFailure } from './infra-signatures.ts';

const [start, end, exitCode] = ['>>>>> Start Test Output', '>>>>> End Test Output', '>>>>> Test Exit Code'];

/** What is told of one prediction. */
interface LogEntry {
  instance: ProvenTask;
  model: string;
  patch: string | null;
  outcome: KeptOutcome;
  infra: InfraFailure | null;
  isolation: Isolation;
  containment: Containment;
  /** Of an earlier evaluation. */
  cached: boolean;
}

/** Writes the logs of one prediction: the files of SWE-bench's harness, which its own tools can read and grade again. */
export async function writeLogs(folder: string, entry: LogEntry): Promise<void> {
  const { instance, patch, outcome } = entry;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const ofTests =
    outcome.tests_status === null
      ? {}
      : {
          'test_output.txt': testOutput(outcome),
          'report.json': `${JSON.stringify({ [instance.instance_id]: reportOf(entry) }, null, 4)}\n`,
        };
  const files = {
    'run_instance.log': runLog(entry),
    'patch.diff': patch ?? '',
    'eval.sh': evalScript(instance),
    ...ofTests,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

function reportOf({ patch, outcome, infra }: LogEntry) {
  const none = { success: [], failure: [] };
  return {
    patch_is_None: patch === null,
    patch_exists: patch !== null,
    patch_successfully_applied: outcome.applied !== null,
    resolved: outcome.status === 'resolved',
    infra_failure: infra?.certain ?? false,
    ...(infra ? { infra_failure_reason: infra.reason } : {}),
    tests_status: { ...outcome.tests_status, FAIL_TO_FAIL: none, PASS_TO_FAIL: none },
  };
}

/** What the tests printed, and, between the marks that only we set, what became of those that count. */
function testOutput({
  log,
  tests_status: status,
  exit_code: code,
  inconsistent,
  status: verdict,
  other_failures: others,
}: KeptOutcome): string {
  const lists = status ? [status.FAIL_TO_PASS, status.PASS_TO_PASS] : [];
  const lines = [
    ...lists.flatMap(({ success }) => success.map((id) => `[PASSED] ${id}`)),
    ...[...lists.flatMap(({ failure }) => failure), ...others].map((id) => `[FAILED] ${id}`),
  ];
  // Whoever grades it again shall not believe it either.
  const isDoubted = inconsistent || verdict === 'suspicious';
  // A run that contradicts itself is one that ended with an error and without a failed test.
  const believed = isDoubted ? lines.filter((line) => line.startsWith('[PASSED]')) : lines;
  return [
    log.replaceAll('>>>>>', '>>>>').replaceAll(/^\[(?=PASSED|FAILED)/gm, ' ['),
    start,
    ...believed,
    end,
    `${exitCode}: ${isDoubted ? 1 : (code ?? 137)}`,
    '',
  ].join('\n');
}

function runLog({ instance, model, outcome, infra, isolation, containment, cached }: LogEntry): string {
  const lines = [
    `instance: ${instance.instance_id}`,
    `model: ${model}`,
    `base commit: ${instance.base_commit}`,
    `isolation: ${isolation}`,
    `limits: ${limitsIn(containment.limits)}`,
    `network of the setup: ${networkIn(containment.setup_network)}; of the tests: ${networkIn(isolation === 'none' ? 'host' : 'none')}`,
    ...(cached ? ['known from an earlier evaluation of the same patch'] : []),
    ...outcome.dropped_paths.map((path) => `dropped: ${path}`),
    ...(outcome.applied === null ? [] : [`applied by: ${outcome.applied}`]),
    ...(outcome.inconsistent ? ['the report of the tests contradicts their exit code'] : []),
    ...outcome.retried.map((id) => `passed when it was run again: ${id}`),
    ...(outcome.controlled === false ? ['no control could be made of the tests'] : []),
    ...(outcome.controlled ? ['run with controls among the tests'] : []),
    ...(outcome.problem === null ? [] : [`problem: ${outcome.problem}`]),
    ...(infra ? [`maybe the machine: ${infra.reason}`] : []),
    `result: ${outcome.status}`,
  ];
  return `${lines.join('\n')}\n`;
}
