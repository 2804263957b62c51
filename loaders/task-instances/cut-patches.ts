import { isUtf8 } from 'node:buffer';
import type { Rejection } from '../../src/model/rejections.ts';
import type { TaskInstance } from '../../src/model/task-instance.ts';
import { diffPaths } from '../snapshot/diff-paths.ts';
import { treeOf, treesAfter } from '../snapshot/trees-after.ts';
import type { Candidate } from './candidates.ts';

/** A fix as two patches, and the ids of the trees that they make of its base one after the other. */
export interface CutFix extends Pick<TaskInstance, 'patch' | 'test_patch'> {
  trees: { base: string; test: string; fix: string };
}

/** Cuts a fix into the patch of its tests and the gold patch, and proves that both make of the base what the fix is. */
export async function cutPatches(
  gitDir: string,
  candidate: Pick<Candidate, 'base' | 'fix' | 'goldPaths' | 'testPaths'>,
  signal?: AbortSignal,
): Promise<CutFix | Rejection> {
  const { goldPaths, testPaths } = candidate;
  const range = { gitDir, from: candidate.base, to: candidate.fix, ...(signal ? { signal } : {}) };
  const [gold, tests] = await Promise.all([
    diffPaths({ ...range, paths: goldPaths }),
    diffPaths({ ...range, paths: testPaths }),
  ]);
  if (!isUtf8(gold) || !isUtf8(tests)) return 'not_utf8';
  const [patch, testPatch] = [gold.toString('utf8'), tests.toString('utf8')];
  const [[base = null, test = null, made], fix] = await Promise.all([
    treesAfter({ gitDir, commit: candidate.base, patches: [testPatch, patch], ...(signal ? { signal } : {}) }),
    treeOf(gitDir, candidate.fix),
  ]);
  if (base === null || test === null || made !== fix) return 'tree_mismatch';
  return { patch, test_patch: testPatch, trees: { base, test, fix } };
}
