import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';

/** The 404 of routes that are about one repository's due diligence. */
export const repositoryWithoutData: Problem = {
  status: 404,
  code: 'repository_not_found',
  title: 'There is no such repository',
  meaning: 'No loaded repository has this name. Names are case-sensitive; GET /api/graph lists them all.',
};

/** Says which repository was asked for. */
export const noData = (name: string) =>
  new HttpError(repositoryWithoutData, {
    detail: `There is no due-diligence data of a repository ${JSON.stringify(name)}.`,
  });
