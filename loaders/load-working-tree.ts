import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { workingTreeKey } from '../src/model/repository-key.ts';
import type { RepositoryInfo, Snapshot } from '../src/model/snapshot.ts';
import { analyzeSnapshot, fingerprintOf, type AnalyzeOptions } from './analyze.ts';
import { openCommit } from './snapshot/open-commit.ts';
import { largestFile } from './snapshot/open-snapshot.ts';
import type { WorkingTree } from './snapshot/working-tree.ts';
import { openVulnerabilityDatabase } from './vulnerabilities/vulnerability-database.ts';

/** Under which key the working tree of this loaded repository is kept: one for each place where it lies. */
export const keyOfWorkingTree = ({ name, source }: Pick<RepositoryInfo, 'name' | 'source'>): string =>
  workingTreeKey(name, createHash('sha256').update(`${hostname()}\n${source}`).digest('hex').slice(0, 12));

/**
 * Analyses what is not committed of a loaded repository as the commit that it would be, and hands it to `write`: what did not change
 * comes from the cache. Nothing is done where `held` is that already.
 */
export async function loadWorkingTree(
  { gitDir, fullName }: WorkingTree,
  {
    committed,
    name,
    held,
    vulnerabilityFolder,
    write,
    ...options
  }: Required<Pick<AnalyzeOptions, 'cacheFile' | 'onProgress'>> & {
    committed: RepositoryInfo;
    /** What its owner calls the repository. */
    name: string;
    /** The fingerprint of what is kept of the working tree. */
    held: string | undefined;
    vulnerabilityFolder: string | undefined;
    write(snapshot: Snapshot): Promise<unknown>;
  },
): Promise<void> {
  const { source } = committed;
  const opened = await openCommit({ gitDir, source, fullName, name, ref: null, maxFileBytes: largestFile });
  const vulnerabilities = await openVulnerabilityDatabase(vulnerabilityFolder);
  const { source_kept: keepSource = true, only_graph: onlyGraph } = committed;
  const kept = { keepSource, onlyGraph, vulnerabilities };
  if (held === fingerprintOf(opened, kept)) return;
  const onProgress: typeof options.onProgress = (progress) => options.onProgress({ ...progress, repository: name });
  const key = keyOfWorkingTree(committed);
  const { snapshot, close } = await analyzeSnapshot(opened, key, { ...options, ...kept, onProgress });
  try {
    await write(snapshot);
  } finally {
    close();
  }
}
