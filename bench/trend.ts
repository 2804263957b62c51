// What a trend costs: 24 quarters of a repository against analysing each distinct version of its source files once, in turns in this run.
// Analysing a version is what analysing the repository as it is does to it: it is measured, and read for the graph where flows ask for that.
// Beside it stands what all distinct blobs take: texts that are no source are searched for secrets and read for metrics, too.
// Argument: FOLDER, a git repository. Prints both times, and the processor's, their ratios, and the memory of the process, and whether the
// bounds hold; it ends with 1 where they do not. It runs as the command line does: see src/cli/repo-intel.js.
import '../src/cli/webassembly.js';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ExtractionPool, startThreads } from '../loaders/extraction/pool.ts';
import { cacheOfRun } from '../loaders/kept/cache.ts';
import { measureSnapshot } from '../loaders/measure-snapshot.ts';
import { openSnapshot } from '../loaders/snapshot/open-snapshot.ts';
import { openTemporaryFile } from '../loaders/temporary-file.ts';
import { measureTrend } from '../loaders/trend.ts';
import { maxTrendPoints } from '../src/model/due-diligence.ts';

const turns = 3;
/** Of the processor's time, as others may want the processor as well. */
const maxRatio = 1.5;
const maxMegabytes = 600;
const [folder = '.', role, versions = ''] = process.argv.slice(2);
if (role !== undefined) {
  const began = performance.now();
  startThreads();
  if (role === 'trend') await measureTrend(await openSnapshot(folder), 'trend', maxTrendPoints, {});
  else await analyseVersions(versions, role === 'versions with graph');
  const { user, system } = process.cpuUsage();
  const megabytes = process.resourceUsage().maxRSS / 1024;
  process.send?.({ ms: performance.now() - began, cpuMs: (user + system) / 1000, megabytes });
} else {
  const temporary = mkdtempSync(join(tmpdir(), 'bench-trend-'));
  const source = join(temporary, 'source');
  const all = join(temporary, 'all');
  const count = await writeVersions(source, (language) => language !== null);
  const countOfAll = await writeVersions(all, () => true);
  const versions = (await asksForGraph()) ? 'versions with graph' : 'versions';
  const ratios: Record<'ms' | 'cpuMs' | 'ofAll', number[]> = { ms: [], cpuMs: [], ofAll: [] };
  let most = 0;
  for (let turn = 0; turn < turns; turn++) {
    const once = await run(versions, source);
    const allOnce = await run(versions, all);
    const trend = await run('trend', '');
    most = Math.max(most, trend.megabytes);
    for (const kind of ['ms', 'cpuMs'] as const) ratios[kind].push(trend[kind] / once[kind]);
    ratios.ofAll.push(trend.cpuMs / allOnce.cpuMs);
    console.log(
      `${count} ${versions} once: ${Math.round(once.ms)} ms (processor ${Math.round(once.cpuMs)}); ${countOfAll} of all files: ${Math.round(allOnce.ms)} ms (${Math.round(allOnce.cpuMs)}); trend: ${Math.round(trend.ms)} ms (${Math.round(trend.cpuMs)}), ${Math.round(trend.megabytes)} MB; ratio ${(trend.ms / once.ms).toFixed(2)} (${(trend.cpuMs / once.cpuMs).toFixed(2)}, of all ${(trend.cpuMs / allOnce.cpuMs).toFixed(2)})`,
    );
  }
  const median = (kind: keyof typeof ratios) => ratios[kind].toSorted((a, b) => a - b)[Math.floor(turns / 2)] ?? NaN;
  const bounds = [
    { what: "median ratio of the processor's time, without git's", is: median('cpuMs'), limit: maxRatio },
    { what: 'most memory, MB', is: most, limit: maxMegabytes },
  ];
  console.log(`Median ratio of the time: ${median('ms').toFixed(2)}`);
  console.log(`Median ratio of the processor's time to that of all distinct blobs: ${median('ofAll').toFixed(2)}`);
  for (const { what, is, limit } of bounds)
    console.log(`${is <= limit ? 'Holds' : 'DOES NOT HOLD'}: ${what}: ${is.toFixed(2)} (limit ${limit})`);
  if (bounds.some(({ is, limit }) => !(is <= limit))) process.exitCode = 1;
  rmSync(temporary, { recursive: true });
}

interface Cost {
  ms: number;
  cpuMs: number;
  megabytes: number;
}

async function run(role: string, versions: string): Promise<Cost> {
  const child = fork(import.meta.filename, [folder, role, versions], { execArgv: ['--max-semi-space-size=8'] });
  const [answer] = (await once(child, 'message')) as [Cost];
  await once(child, 'exit');
  return answer;
}

/** Each file is parsed once, for its measures and, where it is asked for, the graph; what is read is kept as a trend keeps it. */
async function analyseVersions(folder: string, withGraph: boolean): Promise<void> {
  const kept = openTemporaryFile();
  const pool = new ExtractionPool();
  pool.readsForGraph = withGraph;
  await measureSnapshot(await openSnapshot(folder), 'versions', {
    pool,
    facts: { cache: cacheOfRun(kept), last: new Map(), unasked: new Map() },
  });
  await pool.close();
  kept.close();
}

/** Whether flows of the repository as it is may go on in other files. */
async function asksForGraph(): Promise<boolean> {
  const pool = new ExtractionPool();
  await measureSnapshot(await openSnapshot(folder), 'trend', { pool });
  await pool.close();
  return pool.readsForGraph;
}

/** Each version that the points have of a file, of these languages, as a file of its own. */
async function writeVersions(into: string, isWanted: (language: string | null) => boolean): Promise<number> {
  const paths = new Map<string, string>();
  const opened = await openSnapshot(folder);
  for (const { id } of await opened.quarters(maxTrendPoints)) {
    const { files } = await openSnapshot(folder, { ref: id });
    for (const { path, blobId, countedAs } of files) if (isWanted(countedAs.language)) paths.set(blobId, path);
  }
  const ids = [...paths.keys()];
  let next = 0;
  for await (const content of opened.blobs(ids)) {
    const path = join(into, String(next % 100), String(next), paths.get(ids[next++] ?? '') ?? '');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content ?? '');
  }
  await opened.close();
  return ids.length;
}
