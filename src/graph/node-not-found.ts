import { HttpError } from '../http/errors.ts';
import type { Problem } from '../http/problems.ts';

/** The 404 of routes that are about one node. */
export const nodeNotFound: Problem = {
  status: 404,
  code: 'node_not_found',
  title: 'There is no such node',
  meaning:
    'No node of the graph has this id. Ids are those of GET /api/graph, GET /api/search and the other answers; in a path each is percent-encoded, its slashes too.',
};

/** Says which node was asked for. */
export const noNode = (id: string) =>
  new HttpError(nodeNotFound, { detail: `No node has the id ${JSON.stringify(id)}.` });
