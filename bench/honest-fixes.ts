// How often an honest fix is called suspicious: tasks drawn from histories by a seed, and to each several patches of people who fixed
// it, in the forms that such patches have. Arguments: FOLDER… (git repositories), --tasks so many of each (2), --tries
// at most so many candidates of each (12), --seed WORD, --memory FOLDER for what is installed and drawn (kept between calls),
// --draw to draw and evaluate nothing, --details FILE for a JSON line a patch.
//
// The draw: all candidates of a history, in the order of SHA-256 of `seed:commit of the fix`; the first that prove to be tasks.
// The patches: `gold`; `gold and harmless changes`, which adds a comment to each file that gold changes, a sentence to the README and
// a file of code that nothing calls; `gold and tests`, the whole commit and one more copy of its tests; `with what came next`, all
// that the next three commits change as well; `later 1` and `later 3`, the files that gold changes as they are one and three changes
// of them later. The last three need not solve the task any more; but who made them wanted no verdict.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from '../loaders/snapshot/checkout.ts';
import { evaluate } from '../loaders/task-instances/evaluate.ts';
import { readTaskInstances } from '../loaders/task-instances/exchange/read-task-instances.ts';
import { mint, searchCandidates } from '../loaders/task-instances/mint.ts';
import { patchPaths } from '../loaders/task-instances/patch-sections.ts';
import { createSuiteRunner } from '../loaders/task-instances/suite.ts';
import type { TaskInstance } from '../src/model/task-instance.ts';

const { values: options, positionals: histories } = parseArgs({
  allowPositionals: true,
  options: {
    tasks: { type: 'string', default: '2' },
    tries: { type: 'string', default: '12' },
    seed: { type: 'string', default: 'honest' },
    memory: { type: 'string' },
    details: { type: 'string' },
    draw: { type: 'boolean', default: false },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'honest-fixes-'));
const memory = options.memory ?? folder;
const runner = await createSuiteRunner({ folder: join(memory, 'environments'), setupNetwork: 'host' });
const totals = new Map<string, Map<string, number>>();
const comments: Readonly<Record<string, string>> = { '.py': '#', '.rb': '#', '.toml': '#', '.yml': '#' };
const commented = /\.(py|[cm]?[jt]sx?|go|rs|java|kt)$/;

try {
  for (const history of histories) await judge(history);
  const statuses = ['resolved', 'unresolved', 'suspicious', 'patch_failed', 'timeout', 'error', 'uncontrolled'];
  console.log(`\n| patches | ${statuses.join(' | ')} |\n| --- |${' ---: |'.repeat(statuses.length)}`);
  for (const [name, counts] of [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`| ${name} | ${statuses.map((status) => counts.get(status) ?? 0).join(' | ')} |`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function judge(gitDir: string): Promise<void> {
  const name = nameOf(gitDir);
  const tasks = await drawTasks(gitDir, name);
  console.log(`${name}: ${tasks.length} tasks`);
  if (options.draw) return;
  for (const instance of tasks) {
    const patches = patchesTo(instance, gitDir);
    const began = performance.now();
    const { evaluated } = await evaluate({
      runId: 'honest',
      dataset: { name: 'honest', instances: [instance] },
      predictions: Object.entries(patches).map(([model, patch]) => ({
        instance_id: instance.instance_id,
        model,
        patch,
      })),
      runner,
      checkout: ({ base_commit: commit }, to) => checkout({ gitDir, commit, folder: to }),
      folder: join(memory, 'evaluations'),
      cacheFolder: join(memory, 'verdicts'),
      resume: true,
      workers: 1,
    });
    const { framework } = instance.verifying_tests;
    console.log(
      `  ${instance.instance_id} (${framework}), ${((performance.now() - began) / 1000).toFixed(0)} s: ` +
        evaluated.map(({ model, status }) => `${model} ${status}`).join(', '),
    );
    for (const { model, status, controlled, problem } of evaluated) {
      for (const row of ['all', `by patch: ${model}`, `by runner: ${framework}`]) {
        count(row, status);
        if (status === 'resolved' && controlled === false) count(row, 'uncontrolled');
      }
      if (status === 'suspicious' || status === 'error' || (model.startsWith('gold') && status !== 'resolved'))
        console.log(`    ${model}: ${status}: ${problem}`);
      if (options.details !== undefined)
        appendFileSync(
          options.details,
          `${JSON.stringify({ task: instance.instance_id, framework, model, status, controlled, problem })}\n`,
        );
    }
  }
}

/** What is drawn is kept: another version of the judge judges the same tasks. */
async function drawTasks(gitDir: string, name: string): Promise<TaskInstance[]> {
  const file = join(memory, `${name.replace('/', '__')}.${options.seed}.jsonl`);
  if (existsSync(file)) return readTaskInstances(file);
  const search = {
    name,
    settingsFile: null,
    settings: { runs: 2, timeout_s: 300, suite_limit_s: 60 },
    issues: new Map(),
    references: new Set<string>(),
    cloneFolder: folder,
    folder: join(memory, 'minted'),
  };
  const { found } = await searchCandidates(gitDir, search);
  const place = (fix: string) => createHash('sha256').update(`${options.seed}:${fix}`).digest('hex');
  const drawn = found.candidates.toSorted((a, b) => (place(a.fix) < place(b.fix) ? -1 : 1));
  const tasks: TaskInstance[] = [];
  for (const { fix } of drawn.slice(0, Number(options.tries))) {
    if (tasks.length >= Number(options.tasks)) break;
    const { instances, run } = await mint(gitDir, { ...search, ref: fix, maxCandidates: 1, runner, workers: 1 });
    tasks.push(...instances);
    if (instances.length === 0) console.log(`  ${fix.slice(0, 12)}: ${Object.keys(run.rejected).join(', ')}`);
  }
  writeFileSync(file, tasks.map((task) => `${JSON.stringify(task)}\n`).join(''));
  return tasks;
}

/** Patches of people to a task, by what they are. */
function patchesTo(instance: TaskInstance, gitDir: string): Record<string, string> {
  const { base_commit: base, patch, test_patch: testPatch, provenance } = instance;
  const fix = provenance.fix_commit;
  const tree = mkdtempSync(join(folder, 'tree-'));
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: tree, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'ignore'] });
  git('clone', '--quiet', '--shared', '--no-checkout', gitDir, '.');
  const patchOf = (write: () => void) => {
    git('checkout', '--quiet', '--force', '--detach', base);
    git('clean', '-dffxq');
    write();
    git('add', '--all', '--force');
    return git('diff', '--cached', '--binary', '--full-index', '--no-renames', base);
  };
  const apply = (text: string) => {
    writeFileSync(join(folder, 'patch'), text);
    git('apply', '--whitespace=nowarn', join(folder, 'patch'));
  };
  const gold = patchPaths(patch);
  const head = git('rev-parse', 'origin/HEAD').trim();
  const after = git('rev-list', '--first-parent', '--reverse', `${fix}..${head}`, '--').split('\n').filter(Boolean);
  const touching = git('rev-list', '--first-parent', '--reverse', `${fix}..${head}`, '--', ...gold)
    .split('\n')
    .filter(Boolean);
  const later = (count: number) => {
    const commit = touching[count - 1];
    if (commit === undefined) return {};
    const made = patchOf(() => {
      for (const path of gold)
        try {
          git('checkout', commit, '--', path);
        } catch {
          rmSync(join(tree, path), { force: true });
        }
    });
    return { [`later ${count}`]: made };
  };
  const third = after[2];
  return {
    gold: patch,
    'gold and harmless changes': patchOf(() => {
      apply(patch);
      for (const path of gold) comment(join(tree, path));
      const readme = git('ls-files')
        .split('\n')
        .find((path) => /^readme/i.test(path));
      if (readme) appendFileSync(join(tree, readme), '\nThis is described in more detail elsewhere.\n');
      unused(tree, gold);
    }),
    'gold and tests': patchOf(() => {
      apply(patch);
      apply(testPatch);
      const [file] = instance.verifying_tests.test_files;
      if (file && existsSync(join(tree, file)) && !/\.(rs|java)$/.test(file))
        writeFileSync(join(tree, dirname(file), `more_${basename(file)}`), readFileSync(join(tree, file)));
    }),
    ...(third ? { 'with what came next': patchOf(() => git('checkout', '--quiet', '--force', third, '--', '.')) } : {}),
    ...later(1),
    ...later(3),
  };
}

function comment(path: string): void {
  if (!existsSync(path) || !commented.test(path)) return;
  const text = readFileSync(path, 'utf8');
  const end = text.endsWith('\n') ? '' : '\n';
  appendFileSync(path, `${end}\n${comments[extname(path)] ?? '//'} Reviewed together with the change above.\n`);
}

/** A file of code beside the first that gold changes, which nothing calls. */
function unused(tree: string, gold: readonly string[]): void {
  const beside = gold.find((path) => commented.test(path) && existsSync(join(tree, path)));
  if (beside === undefined) return;
  const form = extname(beside);
  const text: Readonly<Record<string, string>> = {
    '.py': 'def unused_total(items):\n    return sum(items)\n',
    '.js': "'use strict';\n\nfunction unusedTotal(items) {\n  return items.length;\n}\nvoid unusedTotal;\n",
    '.go': `${/^package \w+/m.exec(readFileSync(join(tree, beside), 'utf8'))?.[0] ?? ''}\n\nfunc unusedTotal(items []int) int { return len(items) }\n`,
  };
  const source = text[form];
  if (source !== undefined) writeFileSync(join(tree, dirname(beside), `unused_total${form}`), source);
}

/** `owner/name` of a folder that is called so. */
function nameOf(gitDir: string): string {
  const [, owner = 'drawn', name = basename(gitDir)] = /([^/+]+)\+([^/]+?)(?:\.git)?(?:\/|$)/.exec(gitDir) ?? [];
  return `${owner}/${name}`;
}

function count(row: string, status: string): void {
  const counts = totals.get(row) ?? new Map<string, number>();
  totals.set(row, counts.set(status, (counts.get(status) ?? 0) + 1));
}
