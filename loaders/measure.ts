import type { MeasuredRepository } from '../src/model/snapshot.ts';
import { readAll, type AnalyzeOptions } from './analyze.ts';
import type { ExtractionPool } from './extraction/pool.ts';
import { importsOutside } from './resolution/resolve.ts';
import { countImports } from './manifests/count-imports.ts';
import type { CodeDigests } from './metrics/hollow-changes.ts';
import type { SearchedVersions } from './metrics/security/past-secrets.ts';
import { measureAll } from './metrics/measure-all.ts';
import { openSnapshot } from './snapshot/open-snapshot.ts';
import type { OpenSnapshot } from './snapshot/snapshot.ts';
import { openTemporaryFile } from './temporary-file.ts';

/** How one commit, or a folder, is measured. */
export type MeasureOptions = Pick<
  AnalyzeOptions,
  'vulnerabilities' | 'coverage' | 'asOf' | 'cacheFile' | 'maxEvidence' | 'onProgress'
> & {
  /** For who measures several commits of one repository: what is known of the versions of its files. */
  digests?: CodeDigests;
  searched?: SearchedVersions;
  /** Likewise: the threads that read files. */
  pool?: ExtractionPool;
};

/**
 * Opens a folder and measures it as `analyze` does, without the graph: who calls whom takes half the time of an analysis, and no
 * metric asks. Throws SnapshotError.
 */
export async function measure(
  source: string,
  options: MeasureOptions & { name?: string; ref?: string },
): Promise<MeasuredRepository> {
  const { ref } = options;
  const opened = await openSnapshot(source, ref === undefined ? {} : { ref });
  try {
    return await measureSnapshot(opened, options.name ?? opened.name, options);
  } finally {
    await opened.close();
  }
}

/** The same of a snapshot that is open. */
export async function measureSnapshot(
  opened: OpenSnapshot,
  name: string,
  options: MeasureOptions,
): Promise<MeasuredRepository> {
  const { vulnerabilities = null, coverage, maxEvidence } = options;
  const file = openTemporaryFile();
  try {
    const read = await readAll(file, opened, name, { ...options, onlyMeasures: true });
    const { history, manifests, extracted, warnings } = read;
    const outside = importsOutside(extracted.documents, { paths: manifests.paths, read: manifests.text });
    const requires = countImports(manifests.requires, outside);
    const known = { ...extracted, ...history, manifests, requires, vulnerabilities, coverage, maxEvidence };
    const { measurements, resolved } = await measureAll(opened, known);
    const { commit, committedAt: committed_at, files, skipped } = opened;
    return {
      repository: { name, commit, committed_at, requires, warnings },
      measurements,
      supply: { license: manifests.description.license ?? null, packages: resolved },
      paths: [...files, ...skipped].map(({ path }) => path),
      people: history.contributors.map((contributor) => contributor.name),
    };
  } finally {
    file.close();
  }
}
