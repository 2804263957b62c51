// Whether data may go on over calls is asked by names alone, before anybody knows who calls whom. Arguments: FOLDER…, git repositories. At
// some quarters of each the calls are resolved and all flows followed: a finding where the answer was no is listed, and ends this with 1.
// Prints how often the answer was yes, and how often something was found.
import '../src/cli/webassembly.js';
import { parseArgs } from 'node:util';
import { analyzerVersion } from '../loaders/analyzer-version.ts';
import { extractAll } from '../loaders/extraction/extract-all.ts';
import { readManifests } from '../loaders/manifests/read-manifests.ts';
import { importsOf } from '../loaders/resolution/file-imports.ts';
import { insecureOverCalls } from '../loaders/resolution/flows.ts';
import { mayFlow, sortedOf } from '../loaders/resolution/may-flow.ts';
import { callsByFile } from '../loaders/resolution/resolve.ts';
import { openSnapshot } from '../loaders/snapshot/open-snapshot.ts';
import { openTemporaryFile } from '../loaders/temporary-file.ts';

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { quarters: { type: 'string', default: '3' } },
});
const counts = {
  snapshots: 0,
  yes: 0,
  found: 0,
  'found where it said no': 0,
  'files asked': 0,
  'files asked of all': 0,
};
for (const folder of folders)
  for (const ref of await quartersOf(folder)) {
    const { yes, found, asked, askedOfAll } = await look(folder, ref);
    counts.snapshots++;
    counts['files asked'] += asked;
    counts['files asked of all'] += askedOfAll;
    if (yes) counts.yes++;
    if (found.all > 0) counts.found++;
    if (found.all === found.named) continue;
    counts['found where it said no']++;
    console.log(`${folder} ${ref}: ${found.all} found, ${found.named} by names`);
    process.exitCode = 1;
  }
console.table(counts);

/** Evenly among them. */
async function quartersOf(folder: string): Promise<string[]> {
  const opened = await openSnapshot(folder);
  const all = await opened.quarters(24);
  await opened.close();
  const count = Math.min(Number(options.quarters), all.length);
  return Array.from({ length: count }, (_, n) => all[all.length - 1 - Math.floor((n * all.length) / count)]?.id ?? '');
}

async function look(folder: string, ref: string) {
  const file = openTemporaryFile();
  const opened = await openSnapshot(folder, { ref });
  const manifests = await readManifests(opened);
  const read = (wanted: 'all' | 'measures') =>
    extractAll(opened, file, { analyzerVersion, wanted, onProgress: () => undefined });
  const repository = { paths: manifests.paths, read: manifests.text };
  // As a report does.
  const { flows, documents: measured } = await read('measures');
  const sorted = mayFlow(flows, importsOf(measured, repository));
  const { documents } = await read('all');
  const follow = (some: Parameters<typeof insecureOverCalls>[0]) => {
    const edgesOf = callsByFile(documents, repository, file);
    let asked = 0;
    const found = insecureOverCalls(some, documents, (path) => (asked++, edgesOf(path)));
    return { asked, found: [...found.values()].flat().length };
  };
  const all = follow(sortedOf(flows));
  const named = sorted ? follow(sorted) : { asked: 0, found: 0 };
  await opened.close();
  file.close();
  return {
    yes: sorted !== null,
    found: { all: all.found, named: named.found },
    asked: named.asked,
    askedOfAll: all.asked,
  };
}
