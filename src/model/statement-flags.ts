import type { TaskInstance } from './task-instance.ts';

/** What is against a task instance's statement, and what that means. A task with any of them is listed only on request. */
export const statementFlags = {
  tells_the_fix: 'says what the fix does, beside what was wrong',
  names_hidden_test: 'names a test of the fix, or its file',
  underspecified: 'does not say what the tests ask for: a name or a message that only the fix has',
  changelog_only: 'says no more than the fix writes into its list of changes',
} as const;
export type StatementFlag = keyof typeof statementFlags;

/** Whether nothing is against a task instance's statement. */
export const isUsable = ({ quality: { flags } }: Pick<TaskInstance, 'quality'>): boolean =>
  !flags.some((flag) => flag in statementFlags);
