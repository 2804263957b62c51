/** The 404 of routes that are about one repository, whichever feature's. */
export const repositoryNotFound = {
  status: 404,
  code: 'repository_not_found',
  title: 'There is no such repository',
  meaning: 'No repository that you see has this name. Names are case-sensitive; GET /api/repositories lists them all.',
} as const;
