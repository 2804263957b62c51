import { z } from 'zod';

const count = z.int().min(0);

/** One search through a repository's history for task instances, and what became of each commit. */
export const mintRunSchema = z.object({
  run_id: z.string().min(1),
  repo: z.string().min(1),
  /** Where the repository is: a path or a URL, without credentials. */
  source: z.string().min(1),
  /** The commit whose first-parent history was searched. */
  head: z.string().regex(/^[0-9a-f]{40}$/),
  /** Commits looked at. */
  commits: count,
  minted: count,
  /** Commits by the reason for which they became no instance; with the minted ones they make up all commits. */
  rejected: z.record(z.string(), count),
  started_at: z.iso.datetime(),
  completed_at: z.iso.datetime(),
});
export type MintRun = z.infer<typeof mintRunSchema>;

/** Each side of a fix is run so often, at least. */
export const minRuns = 2;
export const tooFewRuns = `at least ${minRuns}: a single run of each side tells neither tests that fail now and then from those of the fix, nor names that hold the time or a random value`;
