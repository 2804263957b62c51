import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { predictionStatusSchema } from '../../src/model/evaluation-run.ts';
import type { EvaluationRun, PredictionStatus, Usage } from '../../src/model/evaluation-run.ts';
import { isProven } from '../../src/model/task-instance.ts';
import type { ProvenTask, TaskInstance } from '../../src/model/task-instance.ts';
import { openControls, type Controls } from './controls/open-controls.ts';
import { evaluateInstance, place } from './evaluate-instance.ts';
import type { EvaluateOptions, InstanceOutcome } from './evaluate-instance.ts';
import { evaluationReport } from './evaluation-report.ts';
import { fails } from './grade.ts';
import { harnessVersion } from './harness-version.ts';
import { inParallel } from './in-parallel.ts';
import { infraFailureIn } from './infra-signatures.ts';
import type { InfraFailure } from './infra-signatures.ts';
import { modelFolder } from './read-predictions.ts';
import type { Prediction } from './read-predictions.ts';
import { writeLogs } from './write-logs.ts';

/** How far an evaluation is. */
export interface EvaluationProgress {
  done: number;
  total: number;
  counts: Record<PredictionStatus, number>;
}

/** What became of one prediction. */
export interface EvaluatedPrediction {
  instance_id: string;
  model: string;
  status: PredictionStatus;
  dropped_paths: string[];
  inconsistent: boolean;
  retried: string[];
  controlled: boolean | null;
  problem: string | null;
  infra: InfraFailure | null;
  /** Of an earlier evaluation of the same patch. */
  cached: boolean;
  /** Its folder of logs, below the evaluation's. */
  logs: string;
}

export interface Evaluation {
  runId: string;
  dataset: { name: string; instances: readonly TaskInstance[] };
  predictions: readonly Prediction[];
  runner: EvaluateOptions['runner'];
  /** Writes an instance's base commit, without history, into this folder; gives the paths of submodules that are not at hand. */
  checkout(instance: TaskInstance, folder: string): Promise<readonly string[]>;
  /** For logs and reports, in SWE-bench's order. */
  folder: string;
  /** For what is known of patches, whichever run they were in. */
  cacheFolder: string;
  /** Take what earlier evaluations of the same instance, patch and harness said. */
  resume: boolean;
  workers: number;
  timeoutSeconds?: number | undefined;
  retryPassToPass?: boolean | undefined;
  runEmpty?: boolean | undefined;
  onProgress?: (progress: EvaluationProgress) => void;
  /** What each model's attempts took, by its name. */
  usage?: ReadonlyMap<string, Usage>;
  signal?: AbortSignal | undefined;
}

/** Evaluates all predictions, writes logs and a report for each model, and gives what each reached. */
export async function evaluate(
  evaluation: Evaluation,
): Promise<{ runs: EvaluationRun[]; evaluated: EvaluatedPrediction[]; reports: string[] }> {
  const { predictions, dataset, folder, runId } = evaluation;
  const started = performance.now();
  const byId = new Map(dataset.instances.map((instance) => [instance.instance_id, instance]));
  const counts = zeroCounts();
  const results = new Map<Prediction, EvaluatedPrediction>();
  const controls = new Map<string, Controls>();
  evaluation.onProgress?.({ done: 0, total: predictions.length, counts });
  await inParallel(predictions, evaluation.workers, async (prediction) => {
    const instance = byId.get(prediction.instance_id);
    if (!instance) throw new Error(`${prediction.instance_id} is not in the dataset.`);
    if (!isProven(instance)) throw new Error(`${prediction.instance_id} is not validated.`);
    evaluation.signal?.throwIfAborted();
    const evaluated = await evaluateOne(instance, prediction, evaluation, controlsOf(instance, controls, evaluation));
    results.set(prediction, evaluated);
    counts[evaluated.status] += 1;
    evaluation.onProgress?.({ done: results.size, total: predictions.length, counts });
  });
  const evaluated = predictions.flatMap((prediction) => results.get(prediction) ?? []);
  const runs: EvaluationRun[] = [];
  const reports: string[] = [];
  for (const [model, own] of Map.groupBy(evaluated, (one) => one.model)) {
    const report = join(folder, `${modelFolder(model)}.${runId}.json`);
    await writeFileAtomic(report, `${JSON.stringify(evaluationReport(dataset.instances, own), null, 4)}\n`);
    reports.push(report);
    runs.push(summaryOf(model, own, evaluation, (performance.now() - started) / 1000));
  }
  return { runs, evaluated, reports };
}

/** What is kept of an outcome for the next time. */
const keptSchema = z.object({
  status: predictionStatusSchema,
  patch: z.string(),
  dropped_paths: z.array(z.string()),
  applied: z.string().nullable(),
  tests_status: z
    .object({
      FAIL_TO_PASS: z.object({ success: z.array(z.string()), failure: z.array(z.string()) }),
      PASS_TO_PASS: z.object({ success: z.array(z.string()), failure: z.array(z.string()) }),
    })
    .nullable(),
  inconsistent: z.boolean(),
  retried: z.array(z.string()),
  controlled: z.boolean().nullable(),
  problem: z.string().nullable(),
  exit_code: z.int().nullable(),
  /** Tests that failed and decide nothing. */
  other_failures: z.array(z.string()),
  log: z.string(),
});
export type KeptOutcome = z.infer<typeof keptSchema>;

async function evaluateOne(
  instance: ProvenTask,
  { model, patch }: Prediction,
  evaluation: Evaluation,
  controls: Controls,
): Promise<EvaluatedPrediction> {
  const { runId, folder, cacheFolder, resume, runner, timeoutSeconds, retryPassToPass, runEmpty } = evaluation;
  const settings = [
    timeoutSeconds ?? null,
    retryPassToPass === true,
    runEmpty === true,
    runner.isolation,
    runner.containment,
  ];
  const key = digestOf(JSON.stringify([instance, patch, harnessVersion, settings]));
  const file = join(cacheFolder, `${key}.json`);
  const known = resume ? await keptIn(file) : null;
  let missing: readonly string[] = [];
  const outcome =
    known ??
    kept(
      await evaluateInstance(instance, patch, {
        runner,
        checkout: async (tree) => {
          missing = await evaluation.checkout(instance, tree);
        },
        timeoutSeconds,
        retryPassToPass,
        runEmpty,
        controls,
        signal: evaluation.signal,
      }),
    );
  const mayLack = missing.length > 0 && outcome.status !== 'resolved';
  if (mayLack)
    outcome.problem = [
      ...(outcome.problem === null ? [] : [outcome.problem]),
      `Of the base these submodules are not at hand, and tests may fail for want of them: ${missing.join(', ')}. \`git submodule update --init --recursive\` in the clone brings them.`,
    ].join(' ');
  // What the machine may have caused shall be tried again.
  if (known === null && !mayLack && outcome.status !== 'error' && outcome.status !== 'timeout') {
    await mkdir(cacheFolder, { recursive: true });
    await writeFileAtomic(file, JSON.stringify(outcome));
  }
  const infra = outcome.status === 'resolved' ? null : infraFailureIn(`${outcome.problem ?? ''}\n${outcome.log}`);
  const logs = join('logs', 'run_evaluation', runId, modelFolder(model), instance.instance_id);
  await writeLogs(join(folder, logs), {
    instance,
    model,
    patch,
    outcome,
    infra,
    isolation: runner.isolation,
    containment: runner.containment,
    cached: known !== null,
  });
  const { status, dropped_paths, inconsistent, retried, controlled, problem } = outcome;
  const said = { instance_id: instance.instance_id, model, status, dropped_paths, inconsistent, retried };
  return { ...said, controlled, problem, infra, cached: known !== null, logs };
}

/** The same for all that is answered to a task. */
function controlsOf(instance: ProvenTask, known: Map<string, Controls>, evaluation: Evaluation): Controls {
  const { runner, timeoutSeconds, signal, checkout } = evaluation;
  const controls =
    known.get(instance.instance_id) ??
    openControls(instance, {
      runner,
      place: (folder, withFix) => place(instance, folder, { withFix, checkout: (tree) => checkout(instance, tree) }),
      timeoutSeconds,
      signal,
    });
  known.set(instance.instance_id, controls);
  return controls;
}

function kept({ result, ...outcome }: InstanceOutcome): KeptOutcome {
  const { FAIL_TO_PASS, PASS_TO_PASS } = outcome.tests_status ?? {};
  const listed = new Set(
    [FAIL_TO_PASS, PASS_TO_PASS].flatMap((list) => (list ? [...list.success, ...list.failure] : [])),
  );
  const failed = [...(result?.tests ?? [])].filter(([id, status]) => fails(status) && !listed.has(id));
  return {
    ...outcome,
    exit_code: result?.exit_code ?? null,
    other_failures: failed.map(([id]) => id),
    log: result?.log ?? '',
  };
}

async function keptIn(file: string): Promise<KeptOutcome | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : (keptSchema.safeParse(JSON.parse(text)).data ?? null);
}

const zeroCounts = (): Record<PredictionStatus, number> => ({
  resolved: 0,
  unresolved: 0,
  suspicious: 0,
  empty_patch: 0,
  patch_failed: 0,
  timeout: 0,
  error: 0,
});

function summaryOf(
  model: string,
  evaluated: readonly EvaluatedPrediction[],
  { runId, dataset: { name, instances }, usage = new Map() }: Evaluation,
  seconds: number,
): EvaluationRun {
  const counts = zeroCounts();
  for (const { status } of evaluated) counts[status] += 1;
  const solved = counts.resolved;
  const sorted = instances.toSorted((a, b) => (a.instance_id < b.instance_id ? -1 : 1));
  return {
    run_id: runId,
    model,
    dataset: name,
    evaluated: evaluated.length,
    solved,
    solve_rate: rate(solved, evaluated.length),
    timestamp: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    counts,
    total: instances.length,
    solve_rate_total: rate(solved, instances.length),
    uncontrolled: evaluated.filter(({ status, controlled }) => status === 'resolved' && controlled === false).length,
    infra_suspected: evaluated.filter(({ status, infra }) => status === 'error' || infra?.certain).length,
    usage: usage.get(model) ?? null,
    harness_version: harnessVersion,
    dataset_sha256: digestOf(sorted.map((instance) => `${JSON.stringify(instance)}\n`).join('')),
    duration_s: Math.round(seconds * 10) / 10,
  };
}

const rate = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 1e4) / 1e4);

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
