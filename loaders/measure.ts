import type { MeasuredRepository } from '../src/model/snapshot.ts';
import { readAll, type AnalyzeOptions } from './analyze.ts';
import { importsOutside } from './resolution/resolve.ts';
import { countImports } from './manifests/count-imports.ts';
import { measureAll } from './metrics/measure-all.ts';
import { openSnapshot } from './snapshot/open-snapshot.ts';
import { openTemporaryFile } from './temporary-file.ts';

/**
 * Opens a folder and measures it as `analyze` does, without the graph: who calls whom takes half the time of an analysis, and no
 * metric asks. Throws SnapshotError.
 */
export async function measure(
  source: string,
  options: Pick<AnalyzeOptions, 'vulnerabilities' | 'coverage' | 'asOf' | 'onProgress'> & {
    name?: string;
    ref?: string;
  },
): Promise<MeasuredRepository> {
  const { ref, vulnerabilities = null, coverage } = options;
  const opened = await openSnapshot(source, ref === undefined ? {} : { ref });
  const file = openTemporaryFile();
  try {
    const name = options.name ?? opened.name;
    const { history, manifests, extracted, warnings } = await readAll(file, opened, name, {
      ...options,
      onlyMeasures: true,
    });
    const { documents } = extracted;
    const outside = importsOutside(documents, { paths: manifests.paths, read: manifests.text });
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
    await opened.close();
  }
}
