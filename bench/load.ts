// From an empty data folder to a served graph, beside parsing the same files alone with the same parser, in turn, in one run.
// Arguments: [FOLDER [RUNS]]; without a folder it takes Django's wheel with pip. Prints medians and the ratio (limit: 2.0), and
// seconds of CPU, which other work on the machine disturbs less. Each data folder is started a second time, when all is known, and
// stays until the end: a file system that has just deleted a thousand files makes new ones ten times as slowly.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [folder = djangoWheel(), runs = '5'] = process.argv.slice(2);

interface Measure {
  seconds: number;
  cpuSeconds: number;
  /** Peak of resident memory. */
  megabytes: number;
}

const loads: Measure[] = [];
const secondStarts: Measure[] = [];
const parses: Pick<Measure, 'seconds' | 'cpuSeconds'>[] = [];
let size = { files: 0, bytes: 0 };
let apiKey = '';
for (let run = 0; run < Number(runs); run++) {
  const began = performance.now();
  const parsed = JSON.parse(
    execFileSync(process.execPath, [join(root, 'bench/parse-alone.ts'), folder], { encoding: 'utf8' }),
  ) as typeof size & { cpuSeconds: number };
  size = parsed;
  parses.push({ seconds: (performance.now() - began) / 1000, cpuSeconds: parsed.cpuSeconds });
  const data = mkdtempSync(join(tmpdir(), 'bench-load-'));
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  loads.push(await start(data));
  secondStarts.push(await start(data));
  console.log(
    `run ${run + 1}: load ${shown(loads.at(-1))}, second start ${shown(secondStarts.at(-1))}, parse alone ${shown(parses.at(-1))}`,
  );
}
const seconds = median(loads.map((load) => load.seconds));
const parse = median(parses.map((each) => each.seconds));
const cpuSeconds = median(loads.map((load) => load.cpuSeconds));
const parseCpuSeconds = median(parses.map((each) => each.cpuSeconds));
const megabytes = size.bytes / 1e6;
console.log(`${size.files} files, ${megabytes.toFixed(1)} MB of source, medians of ${runs} runs in turn`);
console.log(
  `empty data folder to served graph: ${seconds.toFixed(2)} s, ${(size.files / seconds).toFixed(0)} files/s, ${(megabytes / seconds).toFixed(2)} MB/s`,
);
console.log(`parsing the same files alone (one thread, process start included): ${parse.toFixed(2)} s`);
console.log(`ratio: ${(seconds / parse).toFixed(2)} (limit 2.0)`);
console.log(
  `seconds of CPU: ${cpuSeconds.toFixed(2)} and ${parseCpuSeconds.toFixed(2)}, ratio ${(cpuSeconds / parseCpuSeconds).toFixed(2)}`,
);
console.log(`peak memory of the service: ${peak(loads)} MB (limit 600), at the second start ${peak(secondStarts)} MB`);

/** Starts the service on the folder, waits until the graph answers, and reads what the process has used until then. */
async function start(data: string): Promise<Measure> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=8', join(root, 'src/cli/repo-intel.js'), 'up', folder],
    {
      env: { ...process.env, DATA_DIR: data, PORT: '0', LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    let text = '';
    for await (const chunk of child.stdout) {
      text += String(chunk);
      // A first start prints its key, which the second goes on with.
      const [, printed, url] = /Bearer (\S+)" "(http:[^"]+\/api\/graph)"/.exec(text) ?? [];
      if (!printed || !url) continue;
      if (printed.startsWith('ris_live_')) apiKey = printed;
      const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
      if (!response.ok) throw new Error(`GET /api/graph answered ${response.status}.`);
      await response.arrayBuffer();
      break;
    }
    const seconds = (performance.now() - began) / 1000;
    const highest = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    // Behind the name in brackets; 12th and 13th of what follows are ticks, 100 a second, in user and system mode.
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / 100;
    return { seconds, cpuSeconds, megabytes: Number(highest) / 1024 };
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

function shown(measure: Pick<Measure, 'seconds' | 'cpuSeconds'> | undefined): string {
  return `${measure?.seconds.toFixed(2)} s (CPU ${measure?.cpuSeconds.toFixed(2)})`;
}

function peak(measures: readonly Measure[]): string {
  return Math.max(...measures.map(({ megabytes }) => megabytes)).toFixed(0);
}

function djangoWheel(): string {
  const target = mkdtempSync(join(tmpdir(), 'bench-django-'));
  execFileSync('pip', ['download', '--quiet', '--no-deps', '--dest', target, 'django==5.2.9'], { stdio: 'inherit' });
  const wheel = readdirSync(target).find((name) => name.endsWith('.whl'));
  execFileSync('unzip', ['-q', join(target, wheel ?? ''), '-d', join(target, 'django')]);
  return join(target, 'django');
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
