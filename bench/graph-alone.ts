// Makes the graph of a folder and keeps it in the embedded engine, and does nothing else: what bench/graph.ts times. Arguments:
// DIR DATA.
import { join } from 'node:path';
import '../src/cli/webassembly.js';
import { extractAll } from '../loaders/extraction/extract-all.ts';
import { startThreads } from '../loaders/extraction/pool.ts';
import { resolve } from '../loaders/resolution/resolve.ts';
import { readManifests } from '../loaders/manifests/read-manifests.ts';
import { records } from '../loaders/records/records.ts';
import { openSnapshot } from '../loaders/snapshot/open-snapshot.ts';
import { openTemporaryFile } from '../loaders/temporary-file.ts';
import { openSqliteGraph } from '../src/stores/graph/sqlite.ts';

const [folder = '.', data = '.'] = process.argv.slice(2);
startThreads();
const opened = await openSnapshot(folder);
const file = openTemporaryFile();
const [manifests, extracted] = await Promise.all([
  readManifests(opened),
  extractAll(opened, file, { analyzerVersion: '', wanted: 'graph', onProgress: () => undefined }),
]);
const { documents, detections, skipped, lines, withSyntaxErrors } = extracted;
const resolution = resolve(documents, { paths: manifests.paths, read: manifests.text });
const { repository, nodes, edges } = records(
  {
    name: 'it',
    fingerprint: '',
    analyzerVersion: '',
    opened,
    documents,
    lines,
    unparsed: extracted.unparsed,
    withSyntaxErrors,
    detections,
    security: [],
    resolved: [],
    skipped,
    resolution,
    contributors: [],
    publishes: [],
    requires: [],
    description: {},
    warnings: [],
    measurements: { metrics: [], people: [], authorship: [] },
    source: null,
    commits: null,
    trendPoints: undefined,
    onlyGraph: true,
  },
  file,
);
const graph = await openSqliteGraph({ file: join(data, 'graph.sqlite') });
await graph.replaceRepository({ repository: 'it', generation: 'one', nodes, edges });
await graph.close();
file.close();
console.log(JSON.stringify({ files: repository.completeness.files_parsed, nodes: nodes.length, edges: edges.length }));
