import type { MeasuredRepository } from '../src/model/snapshot.ts';
import { countImports } from './manifests/count-imports.ts';
import type { CoverageFile } from './metrics/test-coverage/coverage-report.ts';
import { measureAll } from './metrics/measure-all.ts';
import { readAll, type ReadOptions } from './read-all.ts';
import { importsOutside } from './resolution/resolve.ts';
import type { OpenSnapshot } from './snapshot/snapshot.ts';
import { openTemporaryFile } from './temporary-file.ts';
import type { VulnerabilityDatabase } from './vulnerabilities/vulnerability-database.ts';

/** How one commit, or a folder, is measured. */
export interface MeasureOptions extends Omit<ReadOptions, 'keepSource' | 'onlyMeasures'> {
  /** Without it nobody knows which packages are vulnerable. */
  vulnerabilities?: VulnerabilityDatabase | null;
  /** Reports of tests of this tree; without them those that lie in it are read. */
  coverage?: readonly CoverageFile[] | undefined;
}

/**
 * Measures an open snapshot as `analyze` does, without the graph: who calls whom takes half the time of an analysis, and no metric
 * asks.
 */
export async function measureSnapshot(
  opened: OpenSnapshot,
  name: string,
  options: MeasureOptions,
): Promise<MeasuredRepository> {
  const { vulnerabilities = null, coverage } = options;
  const file = openTemporaryFile();
  try {
    const read = await readAll(file, opened, name, { ...options, onlyMeasures: true });
    const { history, manifests, extracted, warnings } = read;
    const outside = importsOutside(extracted.documents, { paths: manifests.paths, read: manifests.text });
    const requires = countImports(manifests.requires, outside);
    const known = { ...extracted, ...history, manifests, requires, vulnerabilities, coverage };
    const { measurements } = await measureAll(opened, known);
    const { commit, committedAt: committed_at, files, skipped } = opened;
    return {
      repository: { name, commit, committed_at, requires, warnings },
      measurements,
      paths: [...files, ...skipped].map(({ path }) => path),
      people: history.contributors.map((contributor) => contributor.name),
    };
  } finally {
    file.close();
  }
}
