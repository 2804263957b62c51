// Minting beside what it can't do without, in turn, in one run: the search of 10,000 generated commits beside `git log -p` over them,
// and a run of tests in the sandbox, with all that is done around it, beside the bare test command. Arguments: [COMMITS [RUNS]].
// Prints medians and ratios (limits: 1.5; 10 % or 150 ms a run, whichever is more).
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeEnvironment } from '../loaders/task-instances/describe-environment.ts';
import { rememberedRuns } from '../loaders/task-instances/remembered-runs.ts';
import { createSuiteRunner } from '../loaders/task-instances/suite.ts';
import { mintSettings } from '../loaders/task-instances/mint-settings.ts';

const [commits = 10_000, runs = 5] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'bench-mint-'));
const repository = join(folder, 'repository');

try {
  generate();
  await compareSearch();
  await comparePhases();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compareSearch(): Promise<void> {
  const logs: number[] = [];
  const searches: number[] = [];
  const processes: number[] = [];
  let last = { seconds: 0, commits: 0, candidates: 0 };
  for (let run = 0; run < runs; run++) {
    logs.push(await timed(() => spawnSync('git', ['log', '-p'], { cwd: repository, stdio: 'ignore' })));
    processes.push(
      await timed(() => {
        const program = join(import.meta.dirname, 'mint-alone.ts');
        last = JSON.parse(execFileSync(process.execPath, [program, repository], { encoding: 'utf8' })) as typeof last;
      }),
    );
    searches.push(last.seconds);
    console.log(`run ${run + 1}: git log -p ${shown(logs)}, search ${shown(searches)}, with start ${shown(processes)}`);
  }
  const times = (seconds: number[]) => (median(seconds) / median(logs)).toFixed(2);
  console.log(`${last.commits} commits, ${last.candidates} candidates, medians of ${runs} runs in turn`);
  console.log(
    `search: ${times(searches)} times git log -p (limit 1.5); with the start of Node ${times(processes)} times`,
  );
}

/** A suite of about a second, in a project with some hundred files. */
async function comparePhases(): Promise<void> {
  const tree = join(folder, 'tree');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  for (let file = 0; file < 300; file++) write(`src/m${file % 20}/f${file}.js`, source(file, 0));
  for (let file = 0; file < 8; file++)
    write(
      `test/t${file}.test.js`,
      `import { test } from 'node:test';\nfor (let n = 0; n < 20; n++) test('t' + n, () => {});\n`,
    );
  write('package.json', '{"type":"module","scripts":{"test":"node --test"}}\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: tree });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'Begin');
  const base = git('rev-parse', 'HEAD').toString().trim();
  const settings = await mintSettings({ gitDir: join(tree, '.git'), commit: base }, null, {});
  const runner = await createSuiteRunner({ folder: join(folder, 'environments') });
  const candidate = { base, committedAt: new Date(0).toISOString() };
  const described = await describeEnvironment(tree, candidate, settings, runner);
  if (!described) throw new Error('The runner of the generated project was not detected.');
  const { environment } = described;
  await runner.prepare({ tree, environment });
  const out = join(folder, 'out');
  mkdirSync(out);
  const bare: number[] = [];
  const phases: number[] = [];
  // As the sandbox has it: the machine's own node, and no settings of ours.
  const path = process.env['PATH']?.split(':').filter((each) => !each.includes('node_modules'));
  const env = { PATH: path?.join(':'), HOME: folder, OUT: out, CI: '1' };
  for (let run = 0; run < runs; run++) {
    const command = environment.test_cmd.replaceAll(/\{\w+(:[^}]*)?\}/g, '$1');
    bare.push(await timed(() => spawnSync('bash', ['-c', command], { cwd: tree, env, stdio: 'ignore' })));
    phases.push(
      await timed(async () => {
        const { tests, problem } = await rememberedRuns(runner, join(folder, 'runs'), run, {
          treeId: base,
          missing: [],
        }).run({
          tree,
          environment,
          files: null,
        });
        if (tests.size !== 160) throw new Error(`${tests.size} tests were reported: ${problem}`);
      }),
    );
    console.log(`run ${run + 1}: bare ${shown(bare)}, phase ${shown(phases)} (${runner.isolation})`);
  }
  const over = median(phases) - median(bare);
  const limit = Math.max(0.1 * median(bare), 0.15);
  console.log(
    `a phase costs ${(over * 1000).toFixed(0)} ms more than the bare command, ${((over / median(bare)) * 100).toFixed(0)} % (limit ${(limit * 1000).toFixed(0)} ms)`,
  );
}

/** By one `git fast-import`: each commit changes a source and its test, and says why; a tenth is none, for some reason. */
function generate(): void {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repository]);
  const files = 600;
  const begin = Date.UTC(2022, 0, 1) / 1000;
  const versions = Array.from({ length: files }, () => 0);
  const parts: string[] = [];
  const write = (path: string, text: string) =>
    parts.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  for (let commit = 0; commit < commits; commit++) {
    const file = (commit * 7919) % files;
    const version = (versions[file] = (versions[file] ?? 0) + 1);
    const message = `Fix number ${commit}\n\nWhat f${file} gave back was wrong in some cases, which is why it is another thing from now on.\n`;
    const person = `Person <p@example.org> ${begin + commit * 600} +0000`;
    parts.push(
      `commit refs/heads/main\nauthor ${person}\ncommitter ${person}\ndata ${Buffer.byteLength(message)}\n${message}\n`,
    );
    if (commit === 0)
      for (let each = 0; each < files; each++) {
        write(`src/m${each % 20}/f${each}.js`, source(each, 0));
        write(`test/f${each}.test.js`, source(each, 0));
      }
    write(`src/m${file % 20}/f${file}.js`, source(file, version));
    if (commit % 10 !== 0) write(`test/f${file}.test.js`, source(file + 1, version));
  }
  parts.push('done\n');
  execFileSync('git', ['fast-import', '--quiet', '--done'], { cwd: repository, input: parts.join('') });
}

function source(file: number, version: number): string {
  const functions = Array.from({ length: 8 }, (_, index) =>
    [
      `export function f${index}of${file}(a, b = ${version}) {`,
      `  let total = a + ${index * file};`,
      `  for (let i = 0; i < b; i++) if (i % ${index + 2} === 0 && a > i) total += i * ${version};`,
      `  return total;`,
      `}`,
      '',
    ].join('\n'),
  );
  return `// file ${file}\n\n${functions.join('\n')}`;
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

function shown(seconds: readonly number[]): string {
  return `${seconds.at(-1)?.toFixed(2)} s`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
