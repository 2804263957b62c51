import { HttpError } from './http/errors.ts';
import { problems } from './http/problems.ts';
import { StoreUnavailable } from './stores/errors.ts';

/** A store that can't be reached is a 503 of the routes that need it; the kernel knows no stores, so it is told by this. */
export function storeProblem(error: unknown): HttpError | null {
  if (!(error instanceof StoreUnavailable)) return null;
  return new HttpError(problems.dependency_unavailable, {
    detail: `The ${error.store} store can't be reached.`,
    headers: { 'Retry-After': '10' },
    members: { dependency: error.store },
    cause: error,
  });
}
