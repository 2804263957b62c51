import type { Difficulty, TaskInstance } from '../../src/model/task-instance.ts';
import type { FileDiff } from '../snapshot/first-parent-log.ts';

/** From the least: at most so many files, hunks and changed lines. What is beyond the last takes longer. */
const levels: readonly { label: Difficulty; files: number; hunks: number; lines: number }[] = [
  { label: '<15 min fix', files: 1, hunks: 3, lines: 15 },
  { label: '15 min - 1 hour', files: 3, hunks: Infinity, lines: 60 },
  { label: '1-4 hours', files: 10, hunks: Infinity, lines: 300 },
];

/** How long a fix may take, by the size of what was changed; the counts stay beside it, so that it can be calibrated. */
export function difficultyOf(
  sources: readonly Pick<FileDiff, 'status' | 'hunks' | 'added' | 'removed'>[],
): Pick<TaskInstance, 'difficulty' | 'difficulty_detail'> {
  const sum = (count: (file: (typeof sources)[number]) => number) =>
    sources.reduce((total, file) => total + count(file), 0);
  const detail = {
    source: 'heuristic-v1' as const,
    files: sources.length,
    hunks: sum(({ hunks }) => hunks),
    lines_added: sum(({ added }) => added),
    lines_removed: sum(({ removed }) => removed),
    new_files: sources.filter(({ status }) => status === 'added').length,
  };
  const lines = detail.lines_added + detail.lines_removed;
  const level = levels.find((each) => detail.files <= each.files && detail.hunks <= each.hunks && lines <= each.lines);
  return { difficulty: level?.label ?? '>4 hours', difficulty_detail: detail };
}
