import { HttpError } from '../http/errors.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';

/** Says which repository was asked for. */
export const noData = (name: string) =>
  new HttpError(repositoryNotFound, {
    detail: `There is no due-diligence data of a repository ${JSON.stringify(name)}.`,
  });
