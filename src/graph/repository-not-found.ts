import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';

/** The 404 of routes that are about one repository. */
export const repositoryNotFound: Problem = {
  status: 404,
  code: 'repository_not_found',
  title: 'There is no such repository',
  meaning: 'No loaded repository has this name. Names are case-sensitive; GET /api/graph lists them all.',
};

/** Says which repository was asked for. */
export const noRepository = (name: string) =>
  new HttpError(repositoryNotFound, { detail: `No repository is named ${JSON.stringify(name)}.` });
