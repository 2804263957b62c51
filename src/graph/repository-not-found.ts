import { HttpError } from '../http/errors.ts';
import { repositoryNotFound } from '../model/repository-not-found.ts';

/** Says which repository was asked for. */
export const noRepository = (name: string) =>
  new HttpError(repositoryNotFound, { detail: `No repository is named ${JSON.stringify(name)}.` });
