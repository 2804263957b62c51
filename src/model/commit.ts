import { z } from 'zod';

/** Of a history so many are kept, the newest: who asks for older ones has git. */
export const maxKeptCommits = 20_000;
/** Of a commit so many files are kept, in git's order. */
export const maxCommitFiles = 50;

/** What a commit did to one file. */
export const commitFileSchema = z.object({
  /** As the commit left it, or as it was where the commit took it away. */
  path: z.string(),
  /** Where the same file is at the commit that is loaded, or was last; absent where that is the same path. */
  now: z.string().optional(),
  /** As git says it: added, modified, deleted, renamed, copied, of another type. */
  status: z.enum(['A', 'M', 'D', 'R', 'C', 'T']),
  /** Lines; null of binary files, and where old contents are not at hand. */
  added: z.int().nullable(),
  deleted: z.int().nullable(),
});

/** A commit of the history, as it is kept to be searched. */
export const commitSchema = z.object({
  /** 40 or 64 hex digits. */
  id: z.string(),
  /** By the clocks of author and committer, RFC 3339. */
  authored_at: z.string(),
  committed_at: z.string(),
  /** `id`: of the contributor in the graph. */
  author: z.object({ id: z.string(), name: z.string() }),
  subject: z.string(),
  /** The rest of the message, without trailers that name people, addresses and what is folded (`<details>`); empty where there is none. */
  body: z.string(),
  /** None of a merge. */
  files: z.array(commitFileSchema).max(maxCommitFiles),
  total_files: z.int(),
  /** Identifiers on the lines of source files that it added or took away, each once, a space between them. */
  changed: z.string(),
  /** Whether these are all: `part` where there were more than are kept, `none` where its lines were not looked at. */
  changed_kept: z.enum(['whole', 'part', 'none']),
});
export type Commit = z.infer<typeof commitSchema>;
