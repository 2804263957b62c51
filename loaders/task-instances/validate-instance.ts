import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProvenTask, TaskInstance } from '../../src/model/task-instance.ts';
import { languageOf } from '../snapshot/language-of.ts';
import { describeEnvironment } from './describe-environment.ts';
import type { DescribedEnvironment } from './describe-environment.ts';
import { toldValueOf } from './controls/open-controls.ts';
import { evaluateInstance, place } from './evaluate-instance.ts';
import { grade } from './grade.ts';
import { phaseOf } from './mint-candidate.ts';
import type { MintSettings } from './mint-settings.ts';
import { reportedTests } from './reported-tests.ts';
import type { SuiteResult, SuiteRunner, TestStatus } from './suite.ts';

/** What proving a task from elsewhere needs. */
export interface ValidateOptions {
  runner: SuiteRunner;
  /** Writes the instance's base commit, without history, into this folder. */
  checkout(folder: string): Promise<unknown>;
  settings: MintSettings;
  /** Called with what was printed by `setup`, `nop` and `gold`. */
  onLog(name: string, log: string): Promise<void>;
  signal?: AbortSignal | undefined;
}

type Tests = Pick<TaskInstance['verifying_tests'], 'fail_to_pass' | 'pass_to_pass'> & { quarantined: string[] };

/**
 * Proves a task that was minted elsewhere: its gold patch must solve it here, and no patch at all must not. It gets the environment in
 * which that was so and the tests' names as they are reported there; tests that passed before elsewhere and don't here are set apart.
 * One that can't be proven comes back with why, in `validation.problem`.
 */
export async function validateInstance(instance: TaskInstance, options: ValidateOptions): Promise<TaskInstance> {
  let problem: string | null = null;
  let tried: string | null = null;
  for (const asOf of ['its time', 'any time'] as const) {
    const described = await environmentOf(instance, asOf, options);
    if (typeof described !== 'string' && described.environment.env_key === tried) break;
    const proven = typeof described === 'string' ? described : await proveIn(described, instance, options);
    if (typeof proven !== 'string') return proven;
    problem ??= proven;
    if (typeof described !== 'string') tried = described.environment.env_key;
  }
  const { validation } = instance;
  return {
    ...instance,
    environment: null,
    validation: { ...validation, status: 'not_validated', validated_at: null, problem: problem ?? 'not known' },
  };
}

/** How the tests of its base are run, set up; or why they can't be. */
async function environmentOf(
  { base_commit: base, created_at: committedAt }: TaskInstance,
  asOf: 'its time' | 'any time',
  { runner, checkout, settings, onLog, signal }: ValidateOptions,
): Promise<DescribedEnvironment | string> {
  const folder = await mkdtemp(join(tmpdir(), 'repo-intel-validate-'));
  try {
    const tree = join(folder, 'tree');
    await checkout(tree);
    const described = await describeEnvironment(tree, { base, committedAt }, settings, runner, asOf);
    if (described === null) return 'How its tests are run is not known: --test-cmd and --report say it.';
    const { environment } = described;
    const prepared = await runner.prepare({ tree, environment, ...(signal ? { signal } : {}) });
    if (prepared.problem === null) return described;
    await onLog('setup', prepared.log);
    return `The setup failed: ${prepared.problem}.`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function proveIn(
  { environment, framework }: DescribedEnvironment,
  instance: TaskInstance,
  { runner, checkout, settings, onLog, signal }: ValidateOptions,
): Promise<ProvenTask | string> {
  const scope = scopeOf(instance);
  const before = instance.validation;
  const task: ProvenTask = { ...instance, environment, validation: { ...before, scope } };
  const run = async (name: 'nop' | 'gold', patch: string) => {
    const outcome = await evaluateInstance(task, patch, { runner, checkout, runEmpty: true, signal });
    if (outcome.result) await onLog(name, outcome.result.log);
    return outcome;
  };
  const results: Record<'nop' | 'gold', SuiteResult[]> = { nop: [], gold: [] };
  for (let number = 1; number <= settings.runs; number++)
    for (const name of ['gold', 'nop'] as const) {
      const { result, status, problem } = await run(name, name === 'gold' ? instance.patch : '');
      if (result === null || status === 'timeout')
        return `With ${said[name]} its tests could not be run: ${problem ?? status}.`;
      if (name === 'gold' && result.tests.size === 0)
        return `With the gold patch no test was reported: ${problem ?? `the tests ended with ${result.exit_code}`}.`;
      results[name].push(result);
    }
  const tests = testsHere(instance.verifying_tests, results);
  if (typeof tests === 'string') return tests;
  const { quarantined, ...verifying } = tests;
  const graded = { ...instance.verifying_tests, ...verifying };
  if (!results.gold.every((result) => grade(graded, result).resolved))
    return 'The report of the tests contradicts their exit code with the gold patch.';
  if (results.nop.some((result) => grade(graded, result).resolved)) return 'It is solved without any patch.';
  const verified = { ...graded, framework };
  const isCopied = await canBeCopied(task, verified, checkout);
  const phases = [
    ...results.nop.map((result, index) => phaseOf('test', index + 1, result)),
    ...results.gold.map((result, index) => phaseOf('fix', index + 1, result)),
  ];
  const { problem: _, ...rest } = before;
  return {
    ...task,
    verifying_tests: verified,
    quality: {
      ...task.quality,
      flags: [...task.quality.flags.filter((flag) => flag !== 'uncontrolled'), ...(isCopied ? ['uncontrolled'] : [])],
    },
    validation: {
      ...rest,
      status: 'valid',
      validated_at: new Date().toISOString(),
      runs_before: settings.runs,
      runs_after: settings.runs,
      flake_count: quarantined.filter((id) => differs(id, results.gold)).length,
      quarantined_tests: quarantined,
      scope,
      phases,
      controls: { empty_patch: 'unresolved', gold_patch: 'resolved', test_only_patch: null },
    },
  };
}

/** Whether all that its tests compare with can be read elsewhere. */
async function canBeCopied(
  task: ProvenTask,
  verifying_tests: TaskInstance['verifying_tests'],
  checkout: ValidateOptions['checkout'],
) {
  const folder = await mkdtemp(join(tmpdir(), 'repo-intel-validate-'));
  try {
    const tree = join(folder, 'tree');
    await place(task, tree, { withFix: false, checkout });
    return (await toldValueOf({ ...task, verifying_tests }, tree)) !== null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const said = { nop: 'no patch', gold: 'the gold patch' };

const passes = (status: TestStatus | undefined) => status === 'passed' || status === 'xfailed';
const differs = (id: string, runs: readonly SuiteResult[]) => new Set(runs.map(({ tests }) => tests.get(id))).size > 1;

/** The tests of both lists as they are called here, or what is against them. */
function testsHere(
  { fail_to_pass: failToPass, pass_to_pass: passToPass }: TaskInstance['verifying_tests'],
  { nop, gold }: Record<'nop' | 'gold', readonly SuiteResult[]>,
): Tests | string {
  const reported = [...new Set(gold.flatMap(({ tests }) => [...tests.keys()]))];
  const always = (runs: readonly SuiteResult[], id: string) => runs.every(({ tests }) => passes(tests.get(id)));
  const never = (runs: readonly SuiteResult[], id: string) => runs.every(({ tests }) => !passes(tests.get(id)));
  const turned = new Set<string>();
  const kept = new Set<string>();
  const against = { 'not reported': [] as string[], failing: [] as string[], 'passing without it': [] as string[] };
  for (const [name, ids] of reportedTests(failToPass, reported)) {
    const own = ids.filter((id) => always(gold, id));
    const fixed = own.filter((id) => never(nop, id));
    for (const id of fixed) turned.add(id);
    // A name that was cut short stands for several tests.
    for (const id of own) if (always(nop, id)) kept.add(id);
    if (ids.length === 0) against['not reported'].push(name);
    else if (own.length < ids.length) against.failing.push(name);
    else if (fixed.length === 0) against['passing without it'].push(name);
  }
  const complaints = Object.entries(against)
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${names.length} ${what} (${JSON.stringify(names[0])} first)`);
  if (complaints.length > 0)
    return `Of ${failToPass.length} tests that the gold patch must fix: ${complaints.join(', ')}.`;
  const quarantined: string[] = [];
  for (const [name, ids] of reportedTests(passToPass, reported)) {
    if (ids.length === 0) quarantined.push(name);
    for (const id of ids)
      if (always(gold, id) && !turned.has(id)) kept.add(id);
      else if (!turned.has(id)) quarantined.push(id);
  }
  return { fail_to_pass: [...turned], pass_to_pass: [...kept], quarantined: [...new Set(quarantined)] };
}

/** The files that the tests of a row are in: those that their names tell, and those of its tests' patch. */
function scopeOf({ verifying_tests: { fail_to_pass, pass_to_pass, test_files: files } }: TaskInstance): string[] {
  const named = [...fail_to_pass, ...pass_to_pass].flatMap((id) => /^([^\s:[]+\.\w+)::/.exec(id)?.[1] ?? []);
  const own = files.filter((path) => languageOf(path) !== null && !/(^|\/)(conftest|__init__)\.py$/.test(path));
  return [...new Set([...named, ...own])].toSorted();
}
