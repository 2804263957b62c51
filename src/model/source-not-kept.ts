/** The 404 of routes that need the text of a repository, whichever feature's. */
export const sourceNotKept = {
  status: 404,
  code: 'source_not_kept',
  title: 'The source of this repository is not kept',
  meaning: 'It was loaded with --no-source, or by a version that kept none. Load it again without that option.',
} as const;
