// What due diligence takes, beside others in the same run, in turn. Prints medians, ratios by the clock and by processor time, which
// other work on the machine disturbs less, and whether the limits hold; ends with 1 where one does not.
// Without arguments: `repo-intel report` of a made repository with 10,000 commits and 3,000 files, beside one pass over its log and
// one parse of its files (limits: 1.5, 500 MB).
// With FOLDER...: of a clone of each, beside `git log`, `lizard` and `gitleaks` one after the other on the same clone (limit: 1).
// Needs both on the PATH. `--runs N`: 3 where not given. What is measured is the package, built and put beside its dependencies as users
// have it, whose compiled code a first run has kept; `--checkout`: the sources, whose types Node strips at each start.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { packInto, unpackBesideDependencies } from '../test/support/package.ts';

const {
  values: { runs: runsAsked, checkout: isCheckout },
  positionals: sources,
} = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' }, checkout: { type: 'boolean', default: false } },
});
const runs = Number(runsAsked);
const commits = 10_000;
const files = 3_000;
const maxMegabytes = 500;
const root = join(import.meta.dirname, '..');

interface Measure {
  seconds: number;
  cpuSeconds: number;
  /** Peak of resident memory. */
  megabytes: number;
}

type Command = [command: string, ...args: string[]];

const log: Command = ['git', 'log', '--raw', '--numstat', '-M', '-z'];
/** What one would run instead, one after the other. */
const otherTools: Command[] = [
  log,
  ['lizard', '-i', '-1', '.'],
  ['gitleaks', 'git', '--no-banner', '--exit-code', '0', '.'],
];

/** Where the program is, and what it keeps between its starts. */
const home = mkdtempSync(join(tmpdir(), 'bench-dd-home-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
const program = join(isCheckout ? root : unpackBesideDependencies(packInto(home), home), 'src/cli/repo-intel.js');
console.log(isCheckout ? 'Of the checkout.' : 'Of the package.');

if (sources.length === 0) {
  await inTemporaryFolder(async (folder) => {
    generate(folder);
    const parse: Command = [process.execPath, join(root, 'bench/parse-alone.ts'), folder];
    await compare(`${commits} commits, ${files} files`, folder, [log, parse], 1.5);
  });
}
for (const source of sources) {
  await inTemporaryFolder(async (folder) => {
    execFileSync('git', ['clone', '--quiet', resolve(source), folder]);
    await compare(basename(source), folder, otherTools, 1);
  });
}

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-dd-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The report of this folder beside these commands, which run one after the other in it, each `runs` times in turn. */
async function compare(name: string, folder: string, others: readonly Command[], limit: number): Promise<void> {
  const report: Command = [process.execPath, '--max-semi-space-size=8', program, 'report', folder, '--json'];
  const commands = [report, ...others];
  const measures: Measure[][] = commands.map(() => []);
  await measure(folder, report);
  for (let run = 0; run < runs; run++) {
    for (const [i, command] of commands.entries()) measures[i]?.push(await measure(folder, command));
  }
  const [ours = [], ...theirs] = measures;
  const ratioOf = (what: 'seconds' | 'cpuSeconds') =>
    median(ours, what) / theirs.reduce((sum, each) => sum + median(each, what), 0);
  const shown = (each: readonly Measure[]) =>
    `${median(each, 'seconds').toFixed(1)} s (processor ${median(each, 'cpuSeconds').toFixed(1)})`;
  const megabytes = Math.max(...ours.map((each) => each.megabytes));
  const holds = ratioOf('seconds') <= limit && megabytes <= maxMegabytes;
  if (!holds) process.exitCode = 1;
  console.log(`${name}, medians of ${runs} runs in turn: report ${shown(ours)}`);
  for (const [i, [command, first = '']] of others.entries()) {
    console.log(`  ${command === process.execPath ? basename(first) : command}: ${shown(theirs[i] ?? [])}`);
  }
  console.log(
    `  ratio ${ratioOf('seconds').toFixed(2)} (limit ${limit}), of processor time ${ratioOf('cpuSeconds').toFixed(2)}`,
  );
  console.log(`  peak memory ${megabytes.toFixed(0)} MB (limit ${maxMegabytes}): ${holds ? 'holds' : 'does not hold'}`);
}

/** By one `git fast-import`: files of about sixty lines in thirty folders, changed by twenty people over three years. */
function generate(folder: string): void {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', folder]);
  const begin = Date.UTC(2022, 0, 1) / 1000;
  const step = Math.floor((3 * 365 * 86_400) / commits);
  const versions = Array.from({ length: files }, () => 0);
  const parts: string[] = [];
  const write = (file: number) => {
    const text = source(file, versions[file] ?? 0);
    parts.push(`M 100644 inline ${pathOf(file)}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  };
  for (let commit = 0; commit < commits; commit++) {
    const person = `Person ${(commit * commit) % 20} <p${(commit * commit) % 20}@example.org> ${begin + commit * step} +0000`;
    parts.push(`commit refs/heads/main\nauthor ${person}\ncommitter ${person}\ndata 8\nchange x\n`);
    if (commit === 0) for (let file = 0; file < files; file++) write(file);
    for (const file of [(commit * 7919) % files, (commit * 104_729) % files]) {
      versions[file] = (versions[file] ?? 0) + 1;
      write(file);
    }
  }
  parts.push('done\n');
  execFileSync('git', ['fast-import', '--quiet', '--done'], { cwd: folder, input: parts.join(''), maxBuffer: 1 << 30 });
  execFileSync('git', ['reset', '--quiet', '--hard'], { cwd: folder });
}

function pathOf(file: number): string {
  return `${file % 5 === 0 ? 'tests/test_' : ''}m${file % 30}/f${file}.py`;
}

function source(file: number, version: number): string {
  const functions = Array.from({ length: 8 }, (_, index) =>
    [
      `def f${index}_${file}(a, b=${version}):`,
      `    """Says ${index}."""`,
      `    total = a + ${index * file}`,
      `    for i in range(b):`,
      `        if i % ${index + 2} == 0 and a > i:`,
      `            total += g${(index + file) % 9}(i, ${version})`,
      `    return total`,
      '',
    ].join('\n'),
  );
  return `# file ${file}\nimport os\nimport sys\n\n${functions.join('\n')}`;
}

async function measure(folder: string, [command, ...args]: Command): Promise<Measure> {
  const began = performance.now();
  const usedBefore = cpuOfChildren();
  const child = spawn(command, args, {
    cwd: folder,
    stdio: 'ignore',
    env: { ...env, XDG_DATA_HOME: home },
  });
  let megabytes = 0;
  const watching = setInterval(() => {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    megabytes = Math.max(megabytes, Number(kilobytes ?? 0) / 1024);
  }, 50);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(watching);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}.`);
  return { seconds: (performance.now() - began) / 1000, cpuSeconds: cpuOfChildren() - usedBefore, megabytes };
}

/** Of those that have ended, and of theirs. */
function cpuOfChildren(): number {
  // Behind the name in brackets; 14th and 15th of what follows are ticks, 100 a second, in user and system mode.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function median(measures: readonly Measure[], what: 'seconds' | 'cpuSeconds'): number {
  const sorted = measures.map((each) => each[what]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
