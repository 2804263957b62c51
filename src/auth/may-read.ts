import type { Principal } from '../model/account.ts';

/**
 * Whether this caller may know of the repository; if not, it is an unknown name to them, in every answer. The one place that says
 * so of the repositories of the caller's own organization: those of others are not to be found in the first place.
 */
export const mayRead = ({ repositories }: Pick<Principal, 'repositories'>, repository: string): boolean =>
  repositories === null || repositories.includes(repository);
