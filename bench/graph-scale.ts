// What a repository of many files costs in memory: a generated one and a tenth of it are loaded, each into an empty data folder, and
// the difference of the peaks is divided by that of the symbols, so that what every load takes drops out. Arguments: [FILES].
// Prints bytes a symbol (limit: 400).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadOutcome } from '../loaders/load.ts';
import { generateRepository } from './generate-repository.ts';

const maxBytesPerSymbol = 400;
const root = join(import.meta.dirname, '..');
const files = Number(process.argv[2] ?? 100_000);
const work = mkdtempSync(join(tmpdir(), 'bench-graph-scale-'));

interface Measure {
  files: number;
  symbols: number;
  seconds: number;
  cpuSeconds: number;
  /** Peak of resident memory. */
  megabytes: number;
}

try {
  const small = await load(Math.round(files / 10));
  const large = await load(files);
  const bytes = ((large.megabytes - small.megabytes) * 2 ** 20) / (large.symbols - small.symbols);
  console.log(`${bytes.toFixed(0)} bytes a symbol (limit ${maxBytesPerSymbol})`);
  process.exitCode = bytes <= maxBytesPerSymbol ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Generates a repository of so many files and loads it. */
async function load(count: number): Promise<Measure> {
  const folder = join(work, `files-${count}`);
  generateRepository(folder, count);
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=8', join(root, 'src/cli/repo-intel.js'), 'load', folder, '--json'],
    { env: { ...process.env, DATA_DIR: join(work, `data-${count}`) }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let kilobytes = 0;
  let ticks = 0;
  const watching = setInterval(() => {
    kilobytes = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? kilobytes);
    // Behind the name in brackets; 12th and 13th of what follows are ticks, 100 a second, in user and system mode.
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    ticks = Number(fields[11]) + Number(fields[12]);
  }, 50);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watching);
  const outcome = code === 0 ? (JSON.parse(said) as LoadOutcome) : null;
  if (outcome?.status !== 'loaded') throw new Error(`The load ended with ${code}. ${said}`);
  const measure = {
    files: outcome.counts.files,
    symbols: outcome.counts.functions + outcome.counts.classes,
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: ticks / 100,
    megabytes: kilobytes / 1024,
  };
  console.log(
    `${measure.files} files, ${measure.symbols} symbols, ${outcome.counts.calls} calls: ${measure.seconds.toFixed(1)} s (CPU ${measure.cpuSeconds.toFixed(1)}), peak ${measure.megabytes.toFixed(0)} MB`,
  );
  return measure;
}
