import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';

/** The 404 of routes that are about one task instance. */
export const taskNotFound: Problem = {
  status: 404,
  code: 'task_not_found',
  title: 'There is no such task instance',
  meaning: 'No task instance has this id. Ids are case-sensitive; GET /api/benchmark/tasks lists them all.',
};

/** Says which task instance was asked for. */
export const noTask = (id: string) =>
  new HttpError(taskNotFound, { detail: `No task instance has the id ${JSON.stringify(id)}.` });
