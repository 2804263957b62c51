import type { MeasuredRepository } from '../src/model/snapshot.ts';
import { analyzerVersion } from './analyzer-version.ts';
import { readArchitecture } from './architecture/read-architecture.ts';
import { extractAll } from './extraction/extract-all.ts';
import { ExtractionPool } from './extraction/pool.ts';
import type { Document } from './facts/document.ts';
import { countImports } from './manifests/count-imports.ts';
import type { CoverageFile } from './metrics/test-coverage/coverage-report.ts';
import { measureAll, type SecretsByFile } from './metrics/measure-all.ts';
import { readAll, type ReadOptions } from './read-all.ts';
import { edgesByFile, insecureOverCalls, insecureWith } from './resolution/flows.ts';
import { mayFlow } from './resolution/may-flow.ts';
import { importsOf } from './resolution/file-imports.ts';
import type { OpenSnapshot } from './snapshot/snapshot.ts';
import { insecureIfHollow } from './used/hollow-sanitizers.ts';
import { usedFiles } from './used/used-files.ts';
import { openTemporaryFile, type TemporaryFile } from './temporary-file.ts';
import type { VulnerabilityDatabase } from './vulnerabilities/vulnerability-database.ts';

/** How one commit, or a folder, is measured. */
export interface MeasureOptions extends Omit<ReadOptions, 'keepSource' | 'wanted'> {
  /** Without it nobody knows which packages are vulnerable. */
  vulnerabilities?: VulnerabilityDatabase | null;
  /** Reports of tests of this tree; without them those that lie in it are read. */
  coverage?: readonly CoverageFile[] | undefined;
  /** Who calls whom is resolved for the architecture, as `analyze` does. */
  calls?: boolean | undefined;
  /** For who measures several commits of one repository: see `measureAll`. */
  secretsByFile?: SecretsByFile | undefined;
  /** What a point of a trend needs, and nothing else. */
  onlyMetrics?: boolean;
}

/**
 * Measures an open snapshot as `analyze` does, without the graph unless it is asked for: who calls whom takes half the time of an
 * analysis, and metrics ask only where a request's data may go on in another file.
 */
export async function measureSnapshot(
  opened: OpenSnapshot,
  name: string,
  options: MeasureOptions,
): Promise<MeasuredRepository> {
  const { vulnerabilities = null, coverage, calls = false, onlyMetrics = false, secretsByFile } = options;
  const file = openTemporaryFile();
  // Files may be read once more, for the graph: by threads that are warm.
  const pool = options.pool ?? new ExtractionPool();
  try {
    const read = await readAll(file, opened, name, { ...options, pool, wanted: calls ? 'all' : 'measures' });
    const { history, manifests, extracted, warnings } = read;
    const repository = { paths: manifests.paths, read: manifests.text };
    const imports = importsOf(extracted.documents, repository);
    const requires = countImports(manifests.requires, { externalImports: imports.outside });
    const flows = mayFlow(extracted.flows, imports);
    // What is asked of one snapshot will be of the next.
    if (!calls) pool.readsForGraph = flows !== null;
    const documents = calls || !flows ? extracted.documents : await wholeDocuments(opened, file, { ...options, pool });
    // Most ask for no call of any file, and read nothing of what resolves them.
    const resolution = calls || flows ? await import('./resolution/resolve.ts') : null;
    const graph = (calls && resolution?.resolve(documents, repository, null, file)) || null;
    const overCalls =
      !flows || !resolution
        ? new Map<string, never[]>()
        : insecureOverCalls(
            flows,
            documents,
            graph ? edgesByFile(flows, documents, graph) : resolution.callsByFile(documents, repository, file),
          );
    const hollow = insecureIfHollow(extracted.uses, extracted.documents, imports.inside);
    const insecure = insecureWith(insecureWith(extracted.insecure, overCalls), hollow);
    const used = await usedFiles(opened, { ...extracted, imports: imports.inside, manifests });
    const inside = { imports: imports.inside, secretsByFile, onlyMetrics };
    const known = {
      ...extracted,
      ...history,
      ...inside,
      insecure,
      used,
      manifests,
      requires,
      vulnerabilities,
      coverage,
    };
    const { measurements, counted } = await measureAll(opened, known);
    const built = onlyMetrics ? null : await readArchitecture(opened, { ...known, counted, graph });
    const { commit, committedAt: committed_at, files, skipped } = opened;
    return {
      repository: { name, commit, committed_at, requires, warnings: [...warnings, ...(built?.warnings ?? [])] },
      measurements: { ...measurements, ...built?.measured },
      paths: [...files, ...skipped].map(({ path }) => path),
      people: history.contributors.map((contributor) => contributor.name),
    };
  } finally {
    if (!options.pool) await pool.close();
    file.close();
  }
}

/** What the graph is made of. */
async function wholeDocuments(
  opened: OpenSnapshot,
  file: TemporaryFile,
  { cacheFile, facts, pool }: Pick<MeasureOptions, 'cacheFile' | 'facts' | 'pool'>,
): Promise<Document[]> {
  const onProgress = () => undefined;
  return (await extractAll(opened, file, { cacheFile, facts, analyzerVersion, wanted: 'graph', pool, onProgress }))
    .documents;
}
