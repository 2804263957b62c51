// Due diligence of a repository with 10,000 commits and 3,000 files, beside its one pass over the log and one parse of its files,
// in turn, in one run. Arguments: [COMMITS [FILES [RUNS]]]. Prints medians and the ratio (limits: 1.5, 500 MB).
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [commits = 10_000, files = 3_000, runs = 3] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'bench-dd-'));
const script = (name: string) => join(import.meta.dirname, name);

try {
  generate();
  const logs: number[] = [];
  const parses: number[] = [];
  const packages: number[] = [];
  let last = { measured: 0, megabytes: 0 };
  for (let run = 0; run < runs; run++) {
    logs.push(
      timed(() => spawnSync('git', ['log', '--raw', '--numstat', '-M', '-z'], { cwd: folder, stdio: 'ignore' })),
    );
    parses.push(timed(() => execFileSync(process.execPath, [script('parse-alone.ts'), folder])));
    packages.push(
      timed(() => {
        last = JSON.parse(
          execFileSync(process.execPath, ['--max-semi-space-size=8', script('dd-alone.ts'), folder], {
            encoding: 'utf8',
          }),
        ) as typeof last;
      }),
    );
    console.log(`run ${run + 1}: log ${shown(logs)}, parse ${shown(parses)}, due diligence ${shown(packages)}`);
  }
  const ratio = median(packages) / (median(logs) + median(parses));
  console.log(`${commits} commits, ${files} files, ${last.measured} metrics measured, medians of ${runs} runs in turn`);
  console.log(
    `due diligence ${median(packages).toFixed(2)} s; git log ${median(logs).toFixed(2)} s + parsing alone ${median(parses).toFixed(2)} s`,
  );
  console.log(`ratio: ${ratio.toFixed(2)} (limit 1.5); peak memory ${last.megabytes.toFixed(0)} MB (limit 500)`);
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

function timed(work: () => unknown): number {
  const began = performance.now();
  work();
  return (performance.now() - began) / 1000;
}

function shown(seconds: readonly number[]): string {
  return `${seconds.at(-1)?.toFixed(2)} s`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
