import { lstat, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PredictionStatus } from '../../src/model/evaluation-run.ts';
import type { ProvenTask, TaskInstance } from '../../src/model/task-instance.ts';
import { applyLeniently, applyPatch, changedPaths, restorePaths } from '../snapshot/apply-patch.ts';
import { contradictionIn } from './controls/contradiction.ts';
import { runControl, type Control, type Controls } from './controls/open-controls.ts';
import { grade } from './grade.ts';
import type { TestsStatus } from './grade.ts';
import { isPlantedInRunner, mayChange, normalisePatch } from './normalise-patch.ts';
import type { NormalisedPatch } from './normalise-patch.ts';
import { patchPaths } from './patch-sections.ts';
import type { SuiteResult, SuiteRunner } from './suite.ts';

/** What became of one patch. */
export interface InstanceOutcome {
  status: PredictionStatus;
  /** The patch as it was applied; empty where nothing was. */
  patch: string;
  /** What it had no right to change. */
  dropped_paths: string[];
  /** By which way it was applied. */
  applied: string | null;
  /** Null where no test was run. */
  tests_status: TestsStatus | null;
  /** The report contradicts the exit code. */
  inconsistent: boolean;
  /** Tests that failed once and passed when they were run again. */
  retried: string[];
  /** Whether it was run with controls that tell something, too; null where that was not needed, false where there are none. */
  controlled: boolean | null;
  /** Why the status is what it is, where the tests do not tell. */
  problem: string | null;
  /** The last run of the tests. */
  result: SuiteResult | null;
}

export interface EvaluateOptions {
  runner: SuiteRunner;
  /** Writes the instance's base commit, without history, into this folder. */
  checkout(folder: string): Promise<unknown>;
  /** In place of the instance's own. */
  timeoutSeconds?: number | undefined;
  /** Run the tests once more where all that fails are tests that passed before. */
  retryPassToPass?: boolean | undefined;
  /** Run the tests without a patch, too: to prove that they need one. */
  runEmpty?: boolean | undefined;
  /** With what a patch that solves the instance is tried once more; without it, its word is taken. */
  controls?: Controls | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Applies a patch to the instance's base, puts the tests of the fix in place and runs them. Whatever the patch is, it is an outcome;
 * what fails on our side is the outcome `error`.
 */
export async function evaluateInstance(
  instance: ProvenTask,
  patch: string | null,
  options: EvaluateOptions,
): Promise<InstanceOutcome> {
  const isEmpty = patch === null || patch.trim() === '';
  const outcome: InstanceOutcome = {
    status: isEmpty ? 'empty_patch' : 'unresolved',
    patch: '',
    dropped_paths: [],
    applied: null,
    tests_status: null,
    inconsistent: false,
    retried: [],
    controlled: null,
    problem: null,
    result: null,
  };
  if (isEmpty && !options.runEmpty) return outcome;
  const folder = await mkdtemp(join(tmpdir(), 'repo-intel-evaluate-'));
  try {
    const tree = join(folder, 'tree');
    await options.checkout(tree);
    const prepared = await options.runner.prepare({ ...request(instance, options), tree });
    if (prepared.problem !== null) return { ...outcome, status: 'error', problem: prepared.problem };
    if (!isEmpty) {
      const normalised = normalisePatch(patch, instance);
      Object.assign(outcome, await applyModelPatch(tree, normalised, instance));
      if (outcome.problem !== null) return { ...outcome, status: 'patch_failed' };
      const planted = outcome.dropped_paths.find(isPlantedInRunner);
      if (planted !== undefined)
        return {
          ...outcome,
          status: 'suspicious',
          problem: `It plants ${JSON.stringify(planted)} in what runs the tests.`,
        };
    }
    const unplaced = await placeTests(tree, instance);
    if (unplaced !== null) {
      if (outcome.applied === null) throw new Error(unplaced);
      return { ...outcome, status: 'patch_failed', problem: unplaced };
    }
    const tested = await runTests(tree, instance, outcome, options);
    if (tested.status !== 'resolved') return tested;
    const skipped = skippedIn(instance, tested);
    if (skipped.length > 0)
      return {
        ...tested,
        status: 'suspicious',
        problem: `It lets ${skipped.length} ${skipped.length === 1 ? 'test' : 'tests'} be skipped that passed without it, ${JSON.stringify(skipped[0])} first.`,
      };
    return options.controls ? await withControls(tree, instance, tested, options.controls, options) : tested;
  } catch (error) {
    options.signal?.throwIfAborted();
    return { ...outcome, status: 'error', problem: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Tests that passed before the fix and with it, and are skipped now. For SWE-bench they are neither kept nor broken; a patch that breaks
 * one may be what skips it.
 */
const skippedIn = ({ verifying_tests: { pass_to_pass: passToPass } }: ProvenTask, { result }: InstanceOutcome) =>
  passToPass.filter((id) => result?.tests.get(id) === 'skipped');

async function applyModelPatch(
  tree: string,
  normalised: NormalisedPatch,
  instance: ProvenTask,
): Promise<Pick<InstanceOutcome, 'patch' | 'dropped_paths' | 'applied' | 'problem'>> {
  const { patch, dropped_paths: dropped, problem } = normalised;
  if (problem !== null) return { patch: '', dropped_paths: dropped, applied: null, problem };
  // A patch of nothing but tests is one that changes nothing.
  if (patch === '') return { patch, dropped_paths: dropped, applied: null, problem: null };
  const applied = await applyLeniently(tree, normalised);
  if (applied.problem !== null) return { patch, dropped_paths: dropped, applied: null, problem: applied.problem };
  // What it says was looked at; what it did counts.
  const isAllowed = mayChange(instance);
  const changed = await changedPaths(tree);
  const back = changed.filter((path) => !isAllowed(path));
  await restorePaths(tree, back);
  const gold = new Set(patchPaths(instance.patch));
  for (const path of changed.filter((path) => !back.includes(path) && !gold.has(path))) {
    const found = await lstat(join(tree, path)).catch(() => null);
    if (found && !found.isFile())
      return { patch, dropped_paths: dropped, applied: null, problem: `It makes ${JSON.stringify(path)} no file.` };
  }
  return { patch, dropped_paths: [...new Set([...dropped, ...back])].sort(), applied: applied.way, problem: null };
}

/** Puts the tests of the fix in place of whatever the patch made of them; gives why that can't be done, where it can't. */
async function placeTests(tree: string, { test_patch: testPatch }: TaskInstance): Promise<string | null> {
  await restorePaths(tree, patchPaths(testPatch));
  const { problem } = await applyPatch(tree, testPatch);
  return problem === null ? null : `The tests could not be put in place: ${problem}`;
}

async function runTests(
  tree: string,
  instance: ProvenTask,
  outcome: InstanceOutcome,
  options: EvaluateOptions,
): Promise<InstanceOutcome> {
  const run = () => options.runner.run({ ...request(instance, options), tree, files: instance.validation.scope });
  const result = await run();
  const first = gradeOf(instance, outcome, result);
  const failed = first.tests_status?.PASS_TO_PASS.failure ?? [];
  const isWorthAnother =
    options.retryPassToPass &&
    first.status === 'unresolved' &&
    first.tests_status?.FAIL_TO_PASS.failure.length === 0 &&
    failed.length > 0;
  if (!isWorthAnother) return first;
  const second = gradeOf(instance, outcome, await run());
  const retried = failed.filter((id) => second.tests_status?.PASS_TO_PASS.success.includes(id));
  return { ...second, retried };
}

/** Writes the instance's base with its tests into a folder, and its gold patch where that is asked for, by the way of any patch. */
export async function place(
  instance: ProvenTask,
  folder: string,
  { withFix, checkout }: Pick<EvaluateOptions, 'checkout'> & { withFix: boolean },
): Promise<void> {
  await checkout(folder);
  const applied = withFix
    ? await applyModelPatch(folder, normalisePatch(instance.patch, instance), instance)
    : { problem: null };
  const unplaced = applied.problem ?? (await placeTests(folder, instance));
  if (unplaced !== null) throw new Error(unplaced);
}

/** Rounds of controls go on until this is how likely guessing passes them; that of what has contradicted one must be its square. */
const maxChance = 0.01;
const maxRounds = 5;

/**
 * Runs what has solved its instance again, with tests that must fail among those that must pass. Whoever contradicts two such
 * rounds, made apart from each other where that can be, has not made its tests pass by solving it.
 */
async function withControls(
  tree: string,
  instance: ProvenTask,
  outcome: InstanceOutcome,
  controls: Controls,
  options: EvaluateOptions,
): Promise<InstanceOutcome> {
  let [chance, isControlled, problem]: [number, boolean, string | null] = [1, false, null];
  let contradicted: Control | null = null;
  let [spared, told]: [readonly string[], string | null] = [[], null];
  const isLikely = () => chance > (problem === null ? maxChance : maxChance ** 2);
  for (let round = 1; isLikely() && round <= maxRounds + (problem === null ? 0 : 1); round++) {
    // What has contradicted one round is asked again by the same where no other can be made.
    const control: Control | null = (await controls(round)) ?? contradicted;
    if (control === null) break;
    for (const [path, source] of control.files) await writeFile(join(tree, path), source);
    const contradiction = contradictionIn(
      control,
      await runControl(instance, tree, control, options),
      outcome.result?.tests ?? new Map(),
    );
    ({ spared, told } = control);
    if (contradiction === null) [chance, isControlled] = [chance * control.chance, true];
    else if (problem === null) [problem, contradicted] = [contradiction, control];
    else {
      const said = `Its tests passed, but not by themselves: ${contradiction}.`;
      return { ...outcome, status: 'suspicious', controlled: true, problem: said };
    }
  }
  // A contradiction needs no more, but to agree is nothing where all can be copied.
  if (told !== null) return { ...outcome, problem: copiedSentence(told), controlled: false };
  return { ...outcome, problem: null, controlled: isControlled && spared.length === 0 };
}

const copiedSentence = (told: string) =>
  `All that its tests compare with, ${told} first, can be read elsewhere in the repository or in their names: a copy of it passes as a fix does.`;

function gradeOf(
  { verifying_tests: tests }: TaskInstance,
  outcome: InstanceOutcome,
  result: SuiteResult,
): InstanceOutcome {
  const { resolved, inconsistent, tests_status } = grade(tests, result);
  const failed = outcome.status === 'empty_patch' ? 'empty_patch' : 'unresolved';
  return {
    ...outcome,
    tests_status,
    // What was broken off has no exit code to contradict.
    inconsistent: inconsistent && !result.timed_out && !result.out_of_memory,
    result,
    status: result.timed_out ? 'timeout' : resolved ? 'resolved' : failed,
    problem: result.problem,
  };
}

function request({ environment }: ProvenTask, { timeoutSeconds, signal }: EvaluateOptions) {
  return {
    environment: { ...environment, timeout_s: timeoutSeconds ?? environment.timeout_s },
    ...(signal ? { signal } : {}),
  };
}
