// From an empty data folder to a served graph, beside parsing the same files alone with the same parser, in turn, in one run.
// Arguments: [FOLDER [RUNS]]; without a folder it takes Django's wheel with pip. Prints medians and the ratio (limit: 2.0).
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [folder = djangoWheel(), runs = '5'] = process.argv.slice(2);

const loads: { seconds: number; megabytes: number }[] = [];
const parses: number[] = [];
let size = { files: 0, bytes: 0 };
for (let run = 0; run < Number(runs); run++) {
  const began = performance.now();
  size = JSON.parse(
    execFileSync(process.execPath, [join(root, 'bench/parse-alone.ts'), folder], { encoding: 'utf8' }),
  ) as typeof size;
  parses.push((performance.now() - began) / 1000);
  loads.push(await loadOnce());
  const last = loads.at(-1);
  console.log(`run ${run + 1}: load ${last?.seconds.toFixed(2)} s, parse alone ${parses.at(-1)?.toFixed(2)} s`);
}
const seconds = median(loads.map((load) => load.seconds));
const parse = median(parses);
const megabytes = size.bytes / 1e6;
console.log(`${size.files} files, ${megabytes.toFixed(1)} MB of source, medians of ${runs} runs in turn`);
console.log(
  `empty data folder to served graph: ${seconds.toFixed(2)} s, ${(size.files / seconds).toFixed(0)} files/s, ${(megabytes / seconds).toFixed(2)} MB/s`,
);
console.log(`parsing the same files alone (one thread, process start included): ${parse.toFixed(2)} s`);
console.log(`ratio: ${(seconds / parse).toFixed(2)} (limit 2.0)`);
console.log(
  `peak memory of the service: ${Math.max(...loads.map((load) => load.megabytes)).toFixed(0)} MB (limit 600)`,
);

/** Starts the service on the folder, waits until the graph answers, and reads the peak of its resident memory. */
async function loadOnce(): Promise<{ seconds: number; megabytes: number }> {
  const data = mkdtempSync(join(tmpdir(), 'bench-load-'));
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, 'src/cli/repo-intel.js'), 'up', folder], {
    env: { ...process.env, DATA_DIR: data, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let text = '';
    for await (const chunk of child.stdout) {
      text += String(chunk);
      const [, key, url] = /Bearer (ris_live_\w+)" "(http:[^"]+\/api\/graph)"/.exec(text) ?? [];
      if (!key || !url) continue;
      const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      if (!response.ok) throw new Error(`GET /api/graph answered ${response.status}.`);
      await response.arrayBuffer();
      break;
    }
    const seconds = (performance.now() - began) / 1000;
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    return { seconds, megabytes: Number(peak) / 1024 };
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    rmSync(data, { recursive: true, force: true });
  }
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
