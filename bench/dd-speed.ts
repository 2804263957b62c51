// `repo-intel report` of a repository with 10,000 commits and 3,000 files, beside its one pass over the log and one parse of its
// files, in turn, in one run. Arguments: [COMMITS [FILES [RUNS]]]. Prints medians and the ratio (limits: 1.5, 500 MB), and the
// ratio of seconds of CPU, which other work on the machine disturbs less.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [commits = 10_000, files = 3_000, runs = 3] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'bench-dd-'));
const root = join(import.meta.dirname, '..');

interface Measure {
  seconds: number;
  cpuSeconds: number;
  /** Peak of resident memory. */
  megabytes: number;
}

try {
  generate();
  const logs: Measure[] = [];
  const parses: Measure[] = [];
  const reports: Measure[] = [];
  for (let run = 0; run < runs; run++) {
    logs.push(await measure('git', ['log', '--raw', '--numstat', '-M', '-z']));
    parses.push(await measure(process.execPath, [join(root, 'bench/parse-alone.ts'), folder]));
    const command = ['--max-semi-space-size=8', join(root, 'src/cli/repo-intel.js'), 'report', folder, '--json'];
    reports.push(await measure(process.execPath, command));
    console.log(`run ${run + 1}: log ${shown(logs)}, parse ${shown(parses)}, report ${shown(reports)}`);
  }
  const ratioOf = (what: 'seconds' | 'cpuSeconds') =>
    (median(reports, what) / (median(logs, what) + median(parses, what))).toFixed(2);
  console.log(`${commits} commits, ${files} files, medians of ${runs} runs in turn`);
  console.log(
    `report ${median(reports, 'seconds').toFixed(2)} s; git log ${median(logs, 'seconds').toFixed(2)} s + parsing alone ${median(parses, 'seconds').toFixed(2)} s`,
  );
  console.log(`ratio: ${ratioOf('seconds')} (limit 1.5), of CPU ${ratioOf('cpuSeconds')}`);
  console.log(`peak memory ${Math.max(...reports.map(({ megabytes }) => megabytes)).toFixed(0)} MB (limit 500)`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** By one `git fast-import`: files of about sixty lines in thirty folders, changed by twenty people over three years. */
function generate(): void {
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

async function measure(command: string, args: readonly string[]): Promise<Measure> {
  const began = performance.now();
  const usedBefore = cpuOfChildren();
  const child = spawn(command, args, { cwd: folder, stdio: 'ignore' });
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

function shown(measures: readonly Measure[]): string {
  const last = measures.at(-1);
  return `${last?.seconds.toFixed(2)} s (CPU ${last?.cpuSeconds.toFixed(2)})`;
}

function median(measures: readonly Measure[], what: 'seconds' | 'cpuSeconds'): number {
  const sorted = measures.map((each) => each[what]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
