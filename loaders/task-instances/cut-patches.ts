import { isUtf8 } from 'node:buffer';
import type { TaskInstance } from '../../src/model/task-instance.ts';
import { diffPaths } from '../snapshot/diff-paths.ts';
import { treeOf, treesAfter } from '../snapshot/trees-after.ts';
import type { Candidate } from './candidates.ts';
import type { Rejection } from './rejections.ts';

/** Cuts a fix into the patch of its tests and the gold patch, and proves that both make of the base what the fix is. */
export async function cutPatches(
  gitDir: string,
  { base, fix, goldPaths, testPaths }: Pick<Candidate, 'base' | 'fix' | 'goldPaths' | 'testPaths'>,
  signal?: AbortSignal,
): Promise<Pick<TaskInstance, 'patch' | 'test_patch'> | Rejection> {
  const range = { gitDir, from: base, to: fix, ...(signal ? { signal } : {}) };
  const [gold, tests] = await Promise.all([
    diffPaths({ ...range, paths: goldPaths }),
    diffPaths({ ...range, paths: testPaths }),
  ]);
  if (!isUtf8(gold) || !isUtf8(tests)) return 'not_utf8';
  const [patch, testPatch] = [gold.toString('utf8'), tests.toString('utf8')];
  const [made, is] = await Promise.all([
    treesAfter({ gitDir, commit: base, patches: [testPatch, patch], ...(signal ? { signal } : {}) }),
    treeOf(gitDir, fix),
  ]);
  return made.at(-1) === is ? { patch, test_patch: testPatch } : 'tree_mismatch';
}
