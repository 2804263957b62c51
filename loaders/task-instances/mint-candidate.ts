import { createHash } from 'node:crypto';
import { constants, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rejection } from '../../src/model/rejections.ts';
import { taskInstanceSchema } from '../../src/model/task-instance.ts';
import type { ProvenTask, TaskEnvironment, TaskInstance } from '../../src/model/task-instance.ts';
import { applyPatch } from '../snapshot/apply-patch.ts';
import { checkout } from '../snapshot/checkout.ts';
import { nearestTag } from '../snapshot/nearest-tag.ts';
import { patchIdOf } from '../snapshot/patch-id.ts';
import { fewWords } from './candidates.ts';
import type { Candidate } from './candidates.ts';
import { changedTests, testsIn } from './controls/changed-tests.ts';
import { toldValueOf } from './controls/open-controls.ts';
import { cutPatches } from './cut-patches.ts';
import type { CutFix } from './cut-patches.ts';
import { cutStatement } from './statements/cut-statement.ts';
import type { GivenStatement } from './statements/cut-statement.ts';
import { withInterface } from './statements/interface.ts';
import type { DescribedEnvironment } from './describe-environment.ts';
import { evaluateInstance } from './evaluate-instance.ts';
import { newSymbolsInTests } from './leaks.ts';
import { digestOfChanges } from './references.ts';
import { rememberedRuns } from './remembered-runs.ts';
import { scopeOf } from './scope.ts';
import { wordsIn } from './statements/statement.ts';
import type { SuiteResult, SuiteRunner } from './suite.ts';
import { firstObjection, verdictOf } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** What proving a candidate needs. */
export interface Prover {
  gitDir: string;
  /** `owner/name`. */
  repo: string;
  origin: TaskInstance['provenance']['origin'];
  license: string | null;
  runner: SuiteRunner;
  /** How the tests of a checked out base are run; null where that can't be told. */
  environmentOf(tree: string, asOf: 'its time' | 'any time'): Promise<DescribedEnvironment | null>;
  /** Digests of the patches of other datasets, which models may know. */
  references: ReadonlySet<string>;
  /** Each side is run so often. */
  runs: number;
  /** A suite that takes longer is narrowed to the tests of the fix and of what it changes. */
  suiteLimitMs: number;
  /** Where results of runs are kept. */
  runsFolder: string;
  generatorVersion: string;
  /** Called with each run, for its log. */
  onRun(phase: 'base' | 'test' | 'fix', run: number, result: SuiteResult): Promise<void>;
  /** Called with what a setup that failed has printed; gives where that is kept. */
  onFailedSetup(log: string): Promise<string>;
  onMessage(sentence: string): void;
  isTest: (path: string) => boolean;
  /** Submodules of the base that are not at hand: empty folders for its tests. */
  missing: readonly string[];
  signal?: AbortSignal;
}

type Phases = TaskInstance['validation']['phases'];

/** Runs the tests of a candidate before and after, and makes an instance of it where they prove it; else says what is against it. */
export async function mintCandidate(candidate: Candidate, prover: Prover): Promise<TaskInstance | Rejection> {
  const cut = await cutPatches(prover.gitDir, candidate, prover.signal);
  if (typeof cut === 'string') return cut;
  const folder = await mkdtemp(join(tmpdir(), 'repo-intel-mint-'));
  try {
    const trees = { test: join(folder, 'test'), fix: join(folder, 'fix') };
    await checkoutBase(candidate, trees.test, prover);
    const proven = await proveInSomeEnvironment(candidate, cut, trees, prover);
    if (typeof proven === 'string')
      return mayLackSubmodule(proven, candidate, prover) ? 'environment_incomplete' : proven;
    const instance = await instanceOf(candidate, cut, proven.described, proven.proof, prover);
    if ((await toldValueOf(instance, trees.test)) !== null) instance.quality.flags.push('uncontrolled');
    return (await controlsHold(instance, candidate, prover)) ? instance : 'control_failed';
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Against these another environment may help. */
const mayBeTheEnvironment: ReadonlySet<Rejection> = new Set(['setup_failed', 'base_failed', 'environment_incomplete']);

/** Whether tests can't be loaded, or none passes, and the base has submodules that are not at hand; says which. */
function mayLackSubmodule(proven: Rejection, { instanceId }: Candidate, { missing, onMessage }: Prover): boolean {
  if (missing.length === 0 || (proven !== 'base_failed' && proven !== 'environment_incomplete')) return false;
  onMessage(
    `${instanceId}: its tests may need what is in ${missing.join(', ')}, and the clone does not have that: run \`git submodule update --init --recursive\` there, and mint from its folder.`,
  );
  return true;
}

/** With dependencies of the base's own time, and where these don't serve, with those of today. */
async function proveInSomeEnvironment(
  candidate: Candidate,
  cut: CutFix,
  trees: { test: string; fix: string },
  prover: Prover,
): Promise<{ described: DescribedEnvironment; proof: Proof } | Rejection> {
  const described = await prover.environmentOf(trees.test, 'its time');
  if (described === null) return 'no_runner';
  const proof = await proveIn(described, candidate, cut, trees, prover);
  if (typeof proof !== 'string') return { described, proof };
  if (!mayBeTheEnvironment.has(proof)) return proof;
  for (const tree of Object.values(trees)) await rm(tree, { recursive: true, force: true });
  await checkoutBase(candidate, trees.test, prover);
  const other = await prover.environmentOf(trees.test, 'any time');
  if (other === null || other.environment.env_key === described.environment.env_key) return proof;
  const again = await proveIn(other, candidate, cut, trees, prover);
  if (typeof again !== 'string') return { described: other, proof: again };
  return mayBeTheEnvironment.has(again) ? proof : again;
}

async function proveIn(
  { environment }: DescribedEnvironment,
  candidate: Candidate,
  cut: CutFix,
  trees: { test: string; fix: string },
  prover: Prover,
): Promise<Proof | Rejection> {
  const prepared = await prover.runner.prepare({ tree: trees.test, environment, ...aborted(prover) });
  if (prepared.problem === null) return prove(candidate, cut, trees, environment, prover);
  const kept = await prover.onFailedSetup(prepared.log);
  prover.onMessage(`${candidate.instanceId}: the setup failed: ${prepared.problem}. Its log: ${kept}`);
  return 'setup_failed';
}

interface Proof {
  verdict: Verdict;
  given: GivenStatement;
  newSymbols: string[];
  scope: string[] | null;
  phases: Phases;
}

const copyOptions = {
  recursive: true,
  verbatimSymlinks: true,
  preserveTimestamps: true,
  mode: constants.COPYFILE_FICLONE,
} as const;

/** The phases: the base; then by turns the base with the fix's tests, and the fix, each in a copy of its own. */
async function prove(
  candidate: Candidate,
  cut: CutFix,
  trees: { test: string; fix: string },
  environment: TaskEnvironment,
  prover: Prover,
): Promise<Proof | Rejection> {
  const phases: Phases = [];
  const run = async (phase: keyof typeof trees | 'base', number: number, files: readonly string[] | null) => {
    const tree = phase === 'fix' ? trees.fix : trees.test;
    const runner = rememberedRuns(prover.runner, prover.runsFolder, number, {
      treeId: cut.trees[phase],
      missing: prover.missing,
    });
    const result = await runner.run({ tree, environment, files, ...aborted(prover) });
    phases.push(phaseOf(phase, number, result));
    await prover.onRun(phase, number, result);
    return result;
  };
  const atBase = await runBase(candidate, environment, prover, (files) => run('base', 1, files));
  if (typeof atBase === 'string') return atBase;
  const { base, scope } = atBase;
  // What was run of too much says nothing.
  if (scope !== null) phases.shift();

  const before = await testsIn(trees.test, candidate.testFiles);
  if (!(await applies(trees.test, cut.test_patch))) return 'tree_mismatch';
  const isOfFix = changedTests(before, await testsIn(trees.test, candidate.testFiles));
  await cp(trees.test, trees.fix, copyOptions);
  if (!(await applies(trees.fix, cut.patch))) return 'tree_mismatch';
  const runs: Record<keyof typeof trees, SuiteResult[]> = { test: [], fix: [] };
  for (let number = 1; number <= prover.runs; number++) {
    for (const phase of ['test', 'fix'] as const) {
      const result = await run(phase, number, scope);
      if (result.timed_out) return 'timeout';
      if (result.out_of_memory) return 'out_of_memory';
      if (phase === 'fix' && result.tests.size === 0) return 'no_report';
      if (phase === 'fix' && cannotLoad(result, candidate.testFiles)) return 'environment_incomplete';
      runs[phase].push(result);
    }
    const objection = number === 1 ? firstObjection({ base, ...runs }) : null;
    if (objection !== null) return objection;
  }
  const verdict = verdictOf({ base, ...runs }, isOfFix);
  if (typeof verdict === 'string') return verdict;
  const given = givenStatement(candidate, cut, verdict.fail_to_pass);
  const newSymbols = newSymbolsInTests(withInterface(given), cut.patch, cut.test_patch);
  const first = runs.test[0];
  if (first && needsNames(newSymbols, verdict, first)) return 'unspecified_symbols';
  return { verdict, given, newSymbols, scope, phases };
}

/** What is said of a task, once it is known which tests must pass. */
const givenStatement = (
  { statement: { text, source }, testFiles, leakScore }: Candidate,
  { patch, test_patch: testPatch }: CutFix,
  failToPass: readonly string[],
): GivenStatement => cutStatement({ statement: text, source, patch, testPatch, failToPass, testFiles, leakScore });

/** The base's tests, narrowed where they take too long; null where none of what is left is there. */
async function runBase(
  candidate: Candidate,
  environment: TaskEnvironment,
  prover: Prover,
  run: (files: readonly string[] | null) => Promise<SuiteResult>,
): Promise<{ base: SuiteResult | null; scope: string[] | null } | Rejection> {
  let base: SuiteResult | null = await run(null);
  let scope: string[] | null = null;
  if (base.timed_out || base.duration_ms > prover.suiteLimitMs) {
    const narrowed = await scopeOf(candidate, environment, prover);
    if (narrowed === null && base.timed_out) return 'timeout';
    if (narrowed !== null) {
      scope = narrowed.files;
      base = narrowed.atBase.length > 0 ? await run(narrowed.atBase) : null;
    }
  }
  if (base?.out_of_memory) return 'out_of_memory';
  return base && !base.timed_out && !hasPassed(base) ? 'base_failed' : { base, scope };
}

const hasPassed = ({ tests }: SuiteResult) => [...tests.values()].some((status) => status === 'passed');

/** Whether one of these files could not be loaded, by the ids that readers of reports give that. */
const cannotLoad = ({ tests }: SuiteResult, files: readonly string[]): boolean =>
  files.some((file) => tests.get(file) === 'error' || tests.get(`${file} > [suite load]`) === 'failed');

/** No test fails by what it finds: none can even be loaded, and the tests use such names. */
function needsNames(names: readonly string[], { fail_to_pass: failing }: Verdict, { tests }: SuiteResult): boolean {
  return names.length > 0 && failing.every((id) => tests.get(id) !== 'failed');
}

/** What git's objects become is proved; attributes may make other files of them. */
async function applies(tree: string, patch: string): Promise<boolean> {
  return (await applyPatch(tree, patch)).problem === null;
}

/**
 * The instance is graded as any solution of it will be: without a patch and with its tests alone it must be unresolved, with the
 * gold patch resolved. The trees are those of the first runs, whose results are taken; another tree would be run.
 */
async function controlsHold(instance: ProvenTask, candidate: Candidate, prover: Prover): Promise<boolean> {
  const runner = rememberedRuns(prover.runner, prover.runsFolder, 1, { missing: prover.missing });
  const isResolved = async (patch: string) => {
    const { status, problem } = await evaluateInstance(instance, patch, {
      runner,
      checkout: (folder) => checkoutBase(candidate, folder, prover),
      runEmpty: true,
      ...aborted(prover),
    });
    if (status === 'error') prover.onMessage(`${instance.instance_id}: ${problem ?? 'its controls could not be run'}`);
    return status === 'error' ? null : status === 'resolved';
  };
  const { patch, test_patch: testPatch } = instance;
  return (
    (await isResolved('')) === false && (await isResolved(testPatch)) === false && (await isResolved(patch)) === true
  );
}

function checkoutBase({ base }: Candidate, folder: string, { gitDir, signal }: Prover): Promise<string[]> {
  return checkout({ gitDir, commit: base, folder, ...(signal ? { signal } : {}) });
}

const aborted = ({ signal }: Prover) => (signal ? { signal } : {});

export function phaseOf(phase: 'base' | 'test' | 'fix', run: number, result: SuiteResult): Phases[number] {
  const count = (...statuses: string[]) => [...result.tests.values()].filter((each) => statuses.includes(each)).length;
  return {
    phase,
    run,
    exit_code: result.exit_code,
    timed_out: result.timed_out,
    duration_ms: Math.round(result.duration_ms),
    passed: count('passed', 'xfailed'),
    failed: count('failed', 'error'),
    skipped: count('skipped'),
    log_sha256: result.log_sha256,
  };
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

async function instanceOf(
  candidate: Candidate,
  { patch, test_patch }: CutFix,
  { environment, framework }: { environment: TaskEnvironment; framework: string },
  { verdict, given, newSymbols, scope, phases }: Proof,
  prover: Prover,
): Promise<ProvenTask> {
  const { source, hints, issueRefs } = candidate.statement;
  const words = wordsIn(given.statement);
  const flags = {
    short_statement: words < fewWords,
    new_symbols_in_tests: newSymbols.length > 0,
    flaky_tests: verdict.flakes > 0,
    decontamination_overlap: prover.references.has(digestOfChanges(patch)),
  };
  const [, version] = /(?<!\d)(\d+\.\d+)/.exec((await nearestTag(prover.gitDir, candidate.base)) ?? '') ?? [];
  const now = new Date().toISOString();
  const instance = taskInstanceSchema.parse({
    schema_version: 1,
    instance_id: candidate.instanceId,
    repo: prover.repo,
    base_commit: candidate.base,
    problem_statement: withInterface(given),
    problem_statement_source: source,
    hints_text: hints,
    patch,
    test_patch,
    verifying_tests: {
      fail_to_pass: verdict.fail_to_pass,
      pass_to_pass: verdict.pass_to_pass,
      ...(verdict.collateral.length > 0 ? { collateral: verdict.collateral } : {}),
      test_files: candidate.testFiles,
      framework,
    },
    difficulty: candidate.difficulty,
    difficulty_detail: candidate.difficulty_detail,
    language: candidate.language,
    version: version ?? '0.0',
    created_at: candidate.committedAt,
    environment,
    provenance: {
      fix_commit: candidate.fix,
      fix_kind: candidate.kind,
      pr_number: candidate.prNumber,
      issue_refs: issueRefs,
      patch_id: await patchIdOf(prover.gitDir, patch),
      repo_license_spdx: prover.license,
      origin: prover.origin,
      minted_at: now,
      generator_version: prover.generatorVersion,
      canary: `This is a task of a benchmark, not to be trained on: canary ${digestOf(candidate.instanceId)}`,
    },
    validation: {
      status: 'valid',
      validated_at: now,
      runs_before: prover.runs,
      runs_after: prover.runs,
      flake_count: verdict.flakes,
      quarantined_tests: verdict.quarantined,
      scope,
      phases,
      controls: { empty_patch: 'unresolved', gold_patch: 'resolved', test_only_patch: 'unresolved' },
    },
    quality: {
      flags: [...Object.entries(flags).flatMap(([flag, isSet]) => (isSet ? flag : [])), ...given.flags],
      leak_score: given.leakScore,
      statement_words: words,
      ...(given.interface === '' ? {} : { interface_words: wordsIn(given.interface) }),
      new_symbols_in_tests: newSymbols,
    },
  });
  return { ...instance, environment };
}
