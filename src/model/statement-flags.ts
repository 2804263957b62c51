import type { TaskInstance } from './task-instance.ts';

/** What is against a task instance's statement, and what that means. */
export const statementFlags = {
  tells_the_fix: 'says what the fix does, beside what was wrong',
  names_hidden_test: 'names a test of the fix, or its file',
  underspecified: 'does not say what the tests ask for: a name or a message that only the fix has',
  changelog_only: 'says no more than the fix writes into its list of changes',
} as const;
export type StatementFlag = keyof typeof statementFlags;

/**
 * Whether a task instance is listed unasked: nothing is against its statement but that it is the entry of a list of changes. People
 * could work with four of five of these, as with others that say as much.
 */
export const isUsable = ({ quality: { flags } }: Pick<TaskInstance, 'quality'>): boolean =>
  !flags.some((flag) => flag in statementFlags && flag !== 'changelog_only');
