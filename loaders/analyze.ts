import { createHash } from 'node:crypto';
import type { Measurements } from '../src/model/due-diligence.ts';
import type { Rows, Skipped, Snapshot } from '../src/model/snapshot.ts';
import { analyzerVersion } from './analyzer-version.ts';
import type { Document } from './facts/document.ts';
import type { FileUse } from './facts/file-use.ts';
import type { FileFlows } from './facts/flow.ts';
import { readArchitecture } from './architecture/read-architecture.ts';
import { importsOf } from './resolution/file-imports.ts';
import { edgesByFile, insecureOverCalls, insecureWith } from './resolution/flows.ts';
import { mayFlow } from './resolution/may-flow.ts';
import { insecureIfHollow } from './used/hollow-sanitizers.ts';
import { usedFiles } from './used/used-files.ts';
import { resolve } from './resolution/resolve.ts';
import type { Resolution } from './resolution/resolution.ts';
import type { Progress } from './progress.ts';
import { countImports } from './manifests/count-imports.ts';
import { measureAll } from './metrics/measure-all.ts';
import { ownershipOf } from './metrics/contributors/ownership.ts';
import { knowledgeOf } from './metrics/people.ts';
import type { CoverageFile } from './metrics/test-coverage/coverage-report.ts';
import type { VulnerabilityDatabase } from './vulnerabilities/vulnerability-database.ts';
import { readAll } from './read-all.ts';
import { records, type Evidence } from './records/records.ts';
import { compiledBy, type ScipFile } from './scip/compiled.ts';
import { openSnapshot } from './snapshot/open-snapshot.ts';
import { openTemporaryFile, type TemporaryFile } from './temporary-file.ts';
import { measureTrend } from './trend.ts';
import type { OpenSnapshot } from './snapshot/snapshot.ts';
import { SnapshotError } from './snapshot/snapshot-error.ts';

/** Equal for two snapshots whose analysis is equal, byte for byte. */
export function fingerprintOf(
  snapshot: OpenSnapshot,
  {
    vulnerabilities,
    coverage = [],
    scip = [],
    keepSource = false,
    trendPoints,
    onlyGraph = false,
  }: Pick<AnalyzeOptions, 'vulnerabilities' | 'coverage' | 'scip' | 'keepSource' | 'trendPoints' | 'onlyGraph'>,
): string {
  const parts = [analyzerVersion, snapshot.commit ?? '', snapshot.treeId];
  if (vulnerabilities) parts.push(vulnerabilities.identity);
  for (const { name, text } of coverage) parts.push(JSON.stringify([name, text]));
  for (const { sha256 } of scip) parts.push(`scip ${sha256}`);
  if (keepSource) parts.push('source');
  if (trendPoints !== undefined) parts.push(`trend ${trendPoints}`);
  if (onlyGraph) parts.push('only the graph');
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32);
}

export interface AnalyzeOptions {
  /** Facts of files seen before; without it every file is parsed. */
  cacheFile?: string;
  /** Without it nobody knows which packages are vulnerable. */
  vulnerabilities?: VulnerabilityDatabase | null;
  /** Reports of tests of this tree; without them those that lie in it are read. */
  coverage?: readonly CoverageFile[] | undefined;
  /** What compilers say of this tree. */
  scip?: readonly ScipFile[] | undefined;
  /** The UTC day after which no commit is believed to be; by default today. */
  asOf?: string | undefined;
  /** Whether the text of the files goes into the snapshot. */
  keepSource?: boolean;
  /** So many points of its history are measured as well. */
  trendPoints?: number | undefined;
  /** For whoever can't wait: history, measurements and findings are left out, and the snapshot says so. */
  onlyGraph?: boolean | undefined;
  /** How much evidence is kept of a metric; by default as much as a kept run has. */
  maxEvidence?: number;
  onProgress?(progress: Progress): void;
}

/** What is known of a repository when its analysis is done. */
export interface Analysis {
  snapshot: Snapshot;
  /** Files whose facts were known from before. */
  cached: number;
  documents: readonly Document[];
  resolution: Resolution;
  /** Names of those who know each source file, by path. */
  knowledge(): Map<string, string[]>;
  /** Neither the snapshot's rows nor the documents' facts can be asked for afterwards. */
  close(): void;
}

/** Opens a folder or URL and analyses it. Throws SnapshotError. */
export async function analyze(
  source: string,
  options: AnalyzeOptions & { name?: string; ref?: string; cloneFolder?: string } = {},
): Promise<Analysis> {
  const { ref, cloneFolder } = options;
  const opened = await openSnapshot(source, {
    ...(ref === undefined ? {} : { ref }),
    ...(cloneFolder === undefined ? {} : { cloneFolder }),
  });
  try {
    return await analyzeSnapshot(opened, options.name ?? opened.name, options);
  } finally {
    await opened.close();
  }
}

/** The pipeline: files → facts → graph, history → contributors, manifests → packages, all of it → records. */
export async function analyzeSnapshot(opened: OpenSnapshot, name: string, options: AnalyzeOptions): Promise<Analysis> {
  const file = openTemporaryFile();
  try {
    return { ...(await analyzeWith(file, opened, name, options)), close: file.close };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function analyzeWith(
  file: TemporaryFile,
  opened: OpenSnapshot,
  name: string,
  options: AnalyzeOptions,
): Promise<Omit<Analysis, 'close'>> {
  const { vulnerabilities = null, coverage, scip = [], keepSource = false, onlyGraph = false, onProgress } = options;
  const { history, manifests, extracted, source, warnings } = await readAll(file, opened, name, {
    ...options,
    wanted: onlyGraph ? 'graph' : 'all',
  });
  const { documents, skipped, cached, lines, withSyntaxErrors, unparsed } = extracted;
  onProgress?.({ repository: name, phase: 'resolving', done: 0, total: 1 });
  const said = scip.length > 0 ? compiledBy(scip, documents, manifests.publishes) : null;
  const resolution = resolve(documents, { paths: manifests.paths, read: manifests.text }, said?.compiled, file);
  const requires = countImports(manifests.requires, resolution);
  const { maxEvidence, trendPoints } = options;
  const known = { ...extracted, ...history, manifests, requires, vulnerabilities, coverage, maxEvidence };
  const measured = onlyGraph ? notMeasured : await measure(opened, name, { ...known, resolution }, options);
  const evidence = {
    name,
    fingerprint: fingerprintOf(opened, { vulnerabilities, coverage, scip, keepSource, trendPoints, onlyGraph }),
    trendPoints,
    onlyGraph,
    analyzerVersion,
    opened,
    documents,
    lines,
    withSyntaxErrors,
    unparsed,
    detections: extracted.detections,
    security: measured.security,
    resolved: measured.resolved,
    skipped: eachOnce([...opened.skipped, ...skipped, ...(source?.skipped ?? [])]),
    resolution,
    contributors: history.contributors,
    publishes: manifests.publishes,
    requires,
    measurements: measured.measurements,
    source: source?.rows ?? null,
    commits: history.commits,
    description: { ...manifests.description },
    warnings: [...warnings, ...measured.warnings, ...(said?.warnings ?? [])],
  };
  const knowledge = () => {
    const names = new Map(history.contributors.map((each) => [each.id, each.name]));
    const authors = knowledgeOf({ ...history, files: documents });
    return new Map([...authors].map(([path, ids]) => [path, ids.map((id) => names.get(id) ?? id)]));
  };
  return { snapshot: records(evidence, file), cached, documents, resolution, knowledge };
}

type Measured = Pick<Evidence, 'measurements' | 'security' | 'resolved' | 'warnings'>;

const notMeasured: Measured = {
  measurements: null,
  security: [],
  resolved: [],
  warnings: ['only_graph: history, measurements and findings are not read yet; they follow.'],
};

/** Due diligence. */
async function measure(
  opened: OpenSnapshot,
  name: string,
  {
    resolution,
    flows,
    uses,
    ...read
  }: Omit<Parameters<typeof measureAll>[1], 'imports' | 'used'> &
    Omit<Parameters<typeof readArchitecture>[1], 'counted' | 'graph' | 'imports'> & {
      resolution: Resolution;
      flows: Rows<FileFlows>;
      uses: ReadonlyMap<string, FileUse>;
    },
  options: AnalyzeOptions,
): Promise<Measured> {
  const { documents, manifests } = read;
  const { inside: imports, ...others } = importsOf(documents, { paths: manifests.paths, read: manifests.text });
  const goOn = mayFlow(flows, { inside: imports, names: others.names });
  const overCalls = goOn
    ? insecureOverCalls(goOn, documents, edgesByFile(goOn, documents, resolution))
    : new Map<string, never[]>();
  const hollow = insecureIfHollow(uses, documents, imports);
  const used = await usedFiles(opened, { ...read, imports, uses });
  const insecure = insecureWith(insecureWith(read.insecure, overCalls), hollow);
  const known = { ...read, imports, used, insecure };
  const { measurements, security, resolved, counted } = await measureAll(opened, known);
  const architecture = await readArchitecture(opened, { ...known, counted, graph: resolution });
  const trend = await readTrend(opened, name, options);
  return {
    measurements: {
      ...measurements,
      ...architecture.measured,
      ...trend.measured,
      ownership: ownershipOf({ ...read, files: counted, shallow: opened.shallow }),
    },
    security: security(),
    resolved,
    warnings: [...architecture.warnings, ...trend.warnings],
  };
}

/** The points of the history, where they are asked for; one that can't be read leaves all else. */
async function readTrend(
  opened: OpenSnapshot,
  name: string,
  { trendPoints, ...options }: AnalyzeOptions,
): Promise<{ measured: Pick<Measurements, 'past'>; warnings: string[] }> {
  if (trendPoints === undefined || opened.commit === null) return { measured: {}, warnings: [] };
  try {
    const past = await measureTrend(opened, name, trendPoints, options);
    return { measured: { past }, warnings: [] };
  } catch (error) {
    if (!(error instanceof SnapshotError)) throw error;
    return { measured: {}, warnings: [`trend_unreadable: the trend is left out. ${error.message}`] };
  }
}

/** By path; of one that was left out twice, why it was first, and why its text is not kept either. */
function eachOnce(skipped: readonly Skipped[]): Skipped[] {
  const byPath = new Map<string, Skipped>();
  for (const each of skipped) {
    const before = byPath.get(each.path);
    if (before === undefined) byPath.set(each.path, each);
    else if (before.reason !== each.reason) byPath.set(each.path, { ...before, detail: `its text is ${each.reason}` });
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
