// What a trend costs: 24 quarters of a repository against analysing each distinct version of its source files once, in turns in this run.
// Argument: FOLDER, a git repository. Prints both times, their ratio, which is to be at most 1.5, and the memory of the process.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startThreads } from '../loaders/extraction/pool.ts';
import { measure } from '../loaders/measure.ts';
import { openSnapshot } from '../loaders/snapshot/open-snapshot.ts';
import { measureTrend } from '../loaders/trend.ts';
import { maxTrendPoints } from '../src/model/due-diligence.ts';

const turns = 3;
const [folder = '.', role, versions = ''] = process.argv.slice(2);
if (role !== undefined) {
  const began = performance.now();
  startThreads();
  if (role === 'trend') await measureTrend(await openSnapshot(folder), 'trend', maxTrendPoints, {});
  else await measure(versions, {});
  process.send?.({ ms: performance.now() - began, megabytes: process.resourceUsage().maxRSS / 1024 });
} else {
  const temporary = mkdtempSync(join(tmpdir(), 'bench-trend-'));
  const count = await writeVersions(temporary);
  const ratios: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const once = await run('versions', temporary);
    const trend = await run('trend', temporary);
    ratios.push(trend.ms / once.ms);
    console.log(
      `${count} versions once: ${Math.round(once.ms)} ms; trend: ${Math.round(trend.ms)} ms, ${Math.round(trend.megabytes)} MB; ratio ${(trend.ms / once.ms).toFixed(2)}`,
    );
  }
  console.log(`Median ratio: ${ratios.toSorted((a, b) => a - b)[Math.floor(turns / 2)]?.toFixed(2)} (limit 1.5)`);
  rmSync(temporary, { recursive: true });
}

async function run(role: string, versions: string): Promise<{ ms: number; megabytes: number }> {
  const child = fork(import.meta.filename, [folder, role, versions]);
  const [answer] = (await once(child, 'message')) as [{ ms: number; megabytes: number }];
  await once(child, 'exit');
  return answer;
}

/** Each version that the points have of a source file, as a file of its own. */
async function writeVersions(into: string): Promise<number> {
  const paths = new Map<string, string>();
  const opened = await openSnapshot(folder);
  for (const { id } of await opened.quarters(maxTrendPoints)) {
    const { files } = await openSnapshot(folder, { ref: id });
    for (const { path, blobId, countedAs } of files) if (countedAs.language !== null) paths.set(blobId, path);
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
