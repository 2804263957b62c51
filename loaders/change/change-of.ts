import { resolve } from 'node:path';
import { listed, type Change } from '../../src/model/change.ts';
import type { BoundaryRow, MeasuredRepository, RepositoryInfo } from '../../src/model/snapshot.ts';
import { analyzeSnapshot, type AnalyzeOptions } from '../analyze.ts';
import { openRange, type CommitRange } from '../snapshot/commit-range.ts';
import { findRepository, gitDirOf } from '../snapshot/find-repository.ts';
import { repositoryName } from '../snapshot/location.ts';
import { resolveCommit } from '../snapshot/open-commit.ts';
import { openSnapshot } from '../snapshot/open-snapshot.ts';
import { openWorkingTree, uncommitted } from '../snapshot/working-tree.ts';
import { compareFacts, readFacts, type Facts } from './compare-facts.ts';
import { compareSides, type CodeChange } from './compare-sides.ts';
import { readSide, type Side } from './side.ts';

export type ChangeOptions = Pick<AnalyzeOptions, 'cacheFile' | 'vulnerabilities' | 'onProgress'> & {
  /** Of the repository; by default that of its folder. */
  name?: string;
  /** The range is a base alone, which is compared with what lies in the work tree, committed or not. */
  workingTree?: boolean;
};

/** A change, and what was measured of both commits. */
export interface ComparedCommits {
  change: Change;
  /** The repository's folder. */
  source: string;
  /** What others may feel, by the id that it had: the one that it has, or null. */
  felt: CodeChange['felt'];
  before: ComparedCommit;
  after: ComparedCommit;
}

/** What is known of one of them, beside its code. */
export interface ComparedCommit {
  info: RepositoryInfo;
  measured: MeasuredRepository;
  /** What others can use of it, and it uses of others. */
  boundary: readonly BoundaryRow[];
}

/**
 * What led from one commit to another in the repository around a folder, `BASE..HEAD`. Both are analysed as `analyze` does, each
 * distinct blob once. Throws SnapshotError.
 */
export async function changeOf(folder: string, range: string, options: ChangeOptions = {}): Promise<ComparedCommits> {
  const root = options.workingTree ? await findRepository(resolve(folder)) : null;
  const tree = root === null ? null : await openWorkingTree(root);
  if (root === null || tree === null) return compareRange(await openRange(folder, range), options);
  try {
    const base = await resolveCommit((await gitDirOf(root)) ?? root, root, range);
    const found = await openRange(tree.gitDir, `${base}..HEAD`);
    const notes = [...found.notes, `It is compared with what lies in the work tree, ${uncommitted(tree.files)}.`];
    const compared = await compareRange({ ...found, notes }, { name: repositoryName(root), ...options });
    return { ...compared, source: root };
  } finally {
    await tree.close();
  }
}

async function compareRange(found: CommitRange, options: ChangeOptions): Promise<ComparedCommits> {
  const { base, head, files, notes } = found;
  // One after the other: what the first has parsed is in the cache for the second.
  const before = await sideOf(
    found,
    base,
    files.map(({ path, oldPath }) => oldPath ?? path),
    options,
  );
  const after =
    base === head
      ? before
      : await sideOf(
          found,
          head,
          files.map(({ path }) => path),
          options,
        );
  const { felt, ...code } = compareSides(before.side, after.side, files);
  const { name, warnings, source } = after.commit.info;
  return {
    change: {
      repository: name,
      base,
      head,
      ...code,
      // Where it lies on this machine is nobody's business elsewhere, and the same commits give the same.
      notes: [...notes, ...code.notes, ...warnings.map((warning) => warning.replaceAll(source, name))],
      elsewhere: null,
      ...compareFacts(before.facts, after.facts),
      people: listed(before.people),
      diligence: null,
    },
    source: found.root,
    felt,
    before: before.commit,
    after: after.commit,
  };
}

interface Analysed {
  side: Side;
  facts: Facts;
  commit: ComparedCommit;
  /** Who knows the files that changed. */
  people: { name: string; files: number }[];
}

async function sideOf(
  { root }: CommitRange,
  commit: string,
  changed: readonly string[],
  options: ChangeOptions,
): Promise<Analysed> {
  const opened = await openSnapshot(root, { ref: commit });
  try {
    const name = options.name ?? opened.name;
    // So that no finding is taken for new or fixed that was merely not told of.
    const analysis = await analyzeSnapshot(opened, name, { ...options, maxEvidence: Infinity });
    try {
      const { repository, nodes, measurements, boundary } = analysis.snapshot;
      if (!measurements) throw new Error(`${name} was not measured.`);
      return {
        side: await readSide(opened, analysis, changed),
        facts: readFacts(repository.requires, nodes),
        commit: {
          info: repository,
          measured: { repository, measurements, paths: [], people: [] },
          boundary: [...(boundary ?? [])],
        },
        people: peopleOf(analysis.knowledge(), changed),
      };
    } finally {
      analysis.close();
    }
  } finally {
    await opened.close();
  }
}

/** By how many of these files each knows. */
function peopleOf(knowledge: ReadonlyMap<string, readonly string[]>, paths: readonly string[]) {
  const counts = new Map<string, number>();
  for (const path of paths) for (const name of knowledge.get(path) ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, files]) => ({ name, files }))
    .sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
}
