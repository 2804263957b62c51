// The graph of three published packages, made by us and by codegraph, the fastest open indexer that needs no build: in turn, in one
// run, from the same folders. On both sides history, measures, findings and search documents are left out: ours reads what a first
// question in a repository waits for. Prints medians, and which limits hold: at most 0.8 of codegraph's time, and 800 MB. Arguments: [RUNS]. The
// packages come from their registries, codegraph from npm, into a folder that is deleted afterwards; nothing is sent anywhere.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchPackage } from '../test/support/packages.ts';

const maxRatio = 0.8;
const maxMegabytes = 800;
const runs = Number(process.argv[2] ?? 3);
const root = join(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'bench-graph-'));
const verdicts: string[] = [];

interface Measured {
  seconds: number;
  cpuSeconds: number;
  /** The highest that its processes had, together. */
  megabytes: number;
  said: string;
}

try {
  execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', work, '@colbymchenry/codegraph@1.6.1']);
  const folders = {
    'django 5.2.9 (Python)': fetchPackage('pypi', 'django==5.2.9', join(work, 'django')),
    'effect 4.1.0, its source (TypeScript)': join(fetchPackage('npm', 'effect@4.1.0', join(work, 'effect')), 'src'),
    'prometheus 0.300.0 (Go)': fetchPackage(
      'go',
      'github.com/prometheus/prometheus@v0.300.0',
      join(work, 'prometheus'),
    ),
  };
  console.log(
    `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}, medians of ${runs} runs in turn\n`,
  );
  console.log('| package | by | seconds | seconds of CPU | peak MB | |\n|---|---|---|---|---|---|');
  for (const [name, folder] of Object.entries(folders)) await compare(name, folder);
  console.log(`\n${verdicts.join('\n')}`);
  process.exitCode = verdicts.some((verdict) => verdict.includes('FAILS')) ? 1 : 0;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function compare(name: string, folder: string): Promise<void> {
  const data = join(work, 'data');
  const ways = {
    ours: () => {
      rmSync(data, { recursive: true, force: true });
      mkdirSync(data);
      return measure(process.execPath, ['--max-semi-space-size=8', join(root, 'bench/graph-alone.ts'), folder, data]);
    },
    codegraph: async () => {
      const measured = await measure(join(work, 'node_modules/.bin/codegraph'), ['init', '--yes', folder]);
      // Not to be read by the other, nor taken up by the next.
      rmSync(join(folder, '.codegraph'), { recursive: true, force: true });
      return measured;
    },
  };
  const measures = { ours: [] as Measured[], codegraph: [] as Measured[] };
  for (const way of ['ours', 'codegraph'] as const) await ways[way]();
  for (let run = 0; run < runs; run++) {
    for (const way of run % 2 === 0 ? (['ours', 'codegraph'] as const) : (['codegraph', 'ours'] as const))
      measures[way].push(await ways[way]());
  }
  for (const [way, all] of Object.entries(measures)) {
    const figures = [median(all, 'seconds').toFixed(2), median(all, 'cpuSeconds').toFixed(2), peak(all).toFixed(0)];
    console.log(`| ${name} | ${way} | ${figures.join(' | ')} | ${all.at(-1)?.said ?? ''} |`);
  }
  const ratio = median(measures.ours, 'seconds') / median(measures.codegraph, 'seconds');
  const cpu = median(measures.ours, 'cpuSeconds') / median(measures.codegraph, 'cpuSeconds');
  verdict(
    `${name}: ${ratio.toFixed(2)} of codegraph's time (CPU ${cpu.toFixed(2)}), at most ${maxRatio}`,
    ratio <= maxRatio,
  );
  verdict(
    `${name}: ${peak(measures.ours).toFixed(0)} MB of at most ${maxMegabytes}`,
    peak(measures.ours) <= maxMegabytes,
  );
}

/** Runs a command to its end. */
async function measure(command: string, args: string[]): Promise<Measured> {
  const began = performance.now();
  const child = spawn(command, args, {
    // What both load is compiled once, as our launcher has it: the first run is not counted.
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(work, 'compiled'),
      CODEGRAPH_TELEMETRY: '0',
      DO_NOT_TRACK: '1',
      NO_COLOR: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const used = new Map<number, { kilobytes: number; ticks: number }>();
  // Its high-water mark and its time only grow: to look now and then is enough.
  const watch = setInterval(() => look(child.pid ?? 0, used), 100);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${text}`);
  const all = [...used.values()];
  return {
    seconds: (performance.now() - began) / 1000,
    cpuSeconds: all.reduce((sum, { ticks }) => sum + ticks, 0) / 100,
    megabytes: all.reduce((sum, { kilobytes }) => sum + kilobytes, 0) / 1024,
    said: /\{.*\}|[\d,]+ nodes, [\d,]+ edges/.exec(text)?.[0] ?? '',
  };
}

/** Notes what this process and those that it started have used so far. */
function look(pid: number, used: Map<number, { kilobytes: number; ticks: number }>): void {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const name of processes) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      parents.set(Number(name), Number(fields[1]));
      ticks.set(Number(name), Number(fields[11]) + Number(fields[12]));
    } catch {
      // It has ended.
    }
  }
  const isOurs = (one: number): boolean =>
    one === pid || (parents.has(one) && one > 1 && isOurs(parents.get(one) ?? 0));
  for (const one of parents.keys()) {
    if (!isOurs(one)) continue;
    try {
      const highest = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1];
      // One that has ended, and nobody has asked for its status yet, has no memory any more.
      if (highest !== undefined) used.set(one, { kilobytes: Number(highest), ticks: ticks.get(one) ?? 0 });
    } catch {
      // It has ended.
    }
  }
}

function peak(all: readonly Measured[]): number {
  return Math.max(...all.map(({ megabytes }) => megabytes));
}

function median(all: readonly Measured[], what: 'seconds' | 'cpuSeconds'): number {
  return all.map((one) => one[what]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
}

function verdict(what: string, holds: boolean): void {
  verdicts.push(`- ${holds ? 'holds' : 'FAILS'}: ${what}`);
}
