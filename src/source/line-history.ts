import { z } from 'zod';
import { route } from '../http/route.ts';
import type { LineHistory } from '../model/snapshot.ts';
import type { ViewOf } from '../tenancy/view.ts';
import { fileAsked, linesOf, question } from './file-asked.ts';
import { commitLink } from '../model/forge-link.ts';

/** As many as are gone back in a file, so that all that wrote one of its lines are told. */
const maxCommits = 300;
/** The rest in sums. */
const maxAuthors = 50;
/** Stretches of one answer. */
const maxStretches = 5_000;

const authorSchema = z
  .object({ id: z.string().meta({ description: 'Of the contributor in the graph.' }), name: z.string() })
  .meta({ id: 'LineAuthor' });
const lines = z.int().min(1).meta({ description: 'How many of the lines are still as they left them.' });

const responseSchema = z
  .object({
    repository: z.string(),
    path: z.string(),
    from: z.int().min(0).meta({ description: 'The first line; 0 where there is none of those that are asked for.' }),
    to: z.int().min(0).meta({ description: 'The last.' }),
    commits: z
      .array(
        z
          .object({
            id: z.string(),
            at: z.string().meta({ description: 'By the clock of the author.' }),
            author: authorSchema.meta({ description: 'Who wrote it.' }),
            subject: z.string(),
            lines,
            url: z
              .string()
              .nullable()
              .meta({ description: 'On the forge that it was cloned from, where that is known.' }),
          })
          .meta({ id: 'LineCommit' }),
      )
      .max(maxCommits)
      .meta({ description: `That wrote these lines as they are, the newest first; ${maxCommits} at most.` }),
    total_commits: z.int().min(0).meta({ description: 'Of all commits that wrote one of these lines, shown or not.' }),
    authors: z
      .array(
        z
          .object({
            ...authorSchema.shape,
            lines,
            last_at: z
              .string()
              .meta({ description: 'Of the last commit by this person that wrote one of these lines.' }),
          })
          .meta({ id: 'LineOwner' }),
      )
      .max(maxAuthors)
      .meta({ description: `Who wrote these lines, the most first; ${maxAuthors} at most.` }),
    stretches: z
      .array(
        z
          .object({
            from: z.int().min(1),
            to: z.int().min(1),
            commit: z.string().nullable().meta({ description: 'Its id; null of lines of which it is not known.' }),
          })
          .meta({ id: 'LineStretch', description: 'Lines next to each other that one commit wrote.' }),
      )
      .max(maxStretches)
      .meta({
        description: `The lines in their order, with the commit that wrote them; ${maxStretches} at most. Empty of a file without a history.`,
      }),
    lines_unknown: z.int().min(0).meta({
      description:
        'Lines that are older than what was gone back to: 300 changes of a file, or the end of a shallow clone. All of a file without a history.',
    }),
  })
  .meta({ id: 'SourceHistory' });
/** What `GET /api/source/{repository}/history` answers. */
export type LineHistoryAnswer = z.infer<typeof responseSchema>;

/** `GET /api/source/{repository}/history`: which commits, and whose, wrote the lines of a file, or of a function or class. */
export function lineHistoryRoute(viewOf: ViewOf) {
  return route({
    method: 'GET',
    path: '/api/source/{repository}/history',
    operation_id: 'read_source_history',
    summary: 'Who wrote these lines, and when',
    description:
      'The commits that wrote the lines of a file, or of a function or class, as they are, as `git blame` tells them, and their authors by lines. It was worked out when the repository was loaded.',
    access: 'tenant',
    product: 'code-search',
    credits: 1,
    ...question,
    response: responseSchema,
    example: {
      repository: 'payments-api',
      path: 'src/url.ts',
      from: 12,
      to: 30,
      commits: [
        {
          id: '5d41402abc4b2a76b9719d911017c592ae1f0f3b',
          at: '2026-03-04T09:12:00.000Z',
          author: { id: 'contributor:0c2e5a5b7d1f', name: 'Anna Berg' },
          subject: 'Parse addresses without a scheme',
          lines: 19,
          url: 'https://github.com/acme/payments-api/commit/5d41402abc4b2a76b9719d911017c592ae1f0f3b',
        },
      ],
      total_commits: 1,
      authors: [{ id: 'contributor:0c2e5a5b7d1f', name: 'Anna Berg', lines: 19, last_at: '2026-03-04T09:12:00.000Z' }],
      stretches: [{ from: 12, to: 30, commit: '5d41402abc4b2a76b9719d911017c592ae1f0f3b' }],
      lines_unknown: 0,
    },
    handle: async ({ caller, params, query }) => {
      const { repository, asked, info, file } = await fileAsked(await viewOf(caller), params.repository, query);
      const count = linesOf(file.text).length;
      const [from, to] = asked.from > count ? [0, 0] : [asked.from, Math.min(asked.to, count)];
      const { commits, stretches, unknown } = within(file.history ?? { commits: [], runs: [] }, from, to);
      const told = commits.map((commit) => ({ ...commit, url: commitLink(info, commit.id) }));
      return {
        repository,
        path: file.path,
        from,
        to,
        commits: told.slice(0, maxCommits),
        total_commits: told.length,
        authors: authorsOf(commits).slice(0, maxAuthors),
        stretches: stretches.slice(0, maxStretches),
        lines_unknown: unknown,
      };
    },
  });
}

type Counted = LineHistory['commits'][number] & { lines: number };

/** The commits of these lines, each with how many of them, the newest first, and which lines each wrote. */
function within(
  { commits, runs }: LineHistory,
  from: number,
  to: number,
): { commits: Counted[]; stretches: LineHistoryAnswer['stretches']; unknown: number } {
  const counts = new Map<number, number>();
  const stretches: LineHistoryAnswer['stretches'] = [];
  let [line, left] = [1, from === 0 ? 0 : to - from + 1];
  for (const [length, place] of runs) {
    const first = Math.max(from, line);
    const here = Math.min(to + 1, line + length) - first;
    line += length;
    if (here <= 0) continue;
    const commit = place === null ? null : (commits[place]?.id ?? null);
    stretches.push({ from: first, to: first + here - 1, commit });
    if (place === null) continue;
    counts.set(place, (counts.get(place) ?? 0) + here);
    left -= here;
  }
  const told = [...counts].flatMap(([place, count]) => {
    const commit = commits[place];
    return commit === undefined ? [] : [{ ...commit, lines: count }];
  });
  return {
    commits: told.toSorted((a, b) => (a.at > b.at ? -1 : a.at < b.at ? 1 : a.id < b.id ? -1 : 1)),
    stretches,
    unknown: left,
  };
}

function authorsOf(commits: readonly Counted[]): LineHistoryAnswer['authors'] {
  return [...Map.groupBy(commits, ({ author }) => author.id).values()]
    .flatMap((own) => {
      // The newest first.
      const [last] = own;
      const lines = own.reduce((sum, each) => sum + each.lines, 0);
      return last === undefined ? [] : [{ ...last.author, lines, last_at: last.at }];
    })
    .toSorted((a, b) => b.lines - a.lines || (a.id < b.id ? -1 : 1));
}
