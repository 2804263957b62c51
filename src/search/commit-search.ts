import { z } from 'zod';
import { commitFileSchema, commitSchema, maxKeptCommits } from '../model/commit.ts';
import { commitLink } from '../model/forge-link.ts';
import type { LineHistory } from '../model/snapshot.ts';
import type { FoundCommits } from '../stores/source/port.ts';
import type { View } from '../tenancy/view.ts';
import { maxPoints, type Asked, type CommitPlace, type CommitQuery } from './commits/commit-query.ts';
import { symbolsAt, symbolSchema, type EnclosingSymbol } from './enclosing-symbol.ts';
import { pieces } from './ranking/tokens.ts';
import { typedCommitQuery } from './typed-commit-query.ts';

/** Of a commit so many are told. */
const maxFiles = 20;
const maxSymbols = 10;
/** Files of a commit whose lines are asked for their functions and classes, and lines of each. */
const maxFilesAsked = 5;
const maxLinesAsked = 200;
const maxNamed = 3;

const lines = z.int().nullable();

/** What an item of a search says of a commit, beside its subject (`name`) and the rest of its message (`doc`). */
export const commitOfItemSchema = z
  .object({
    id: commitSchema.shape.id,
    author: z
      .object({
        id: z.string().meta({ description: 'Of the contributor, in the graph and in search.' }),
        name: z.string(),
      })
      .meta({ id: 'CommitAuthor' })
      .meta({ description: 'Who wrote it.' }),
    authored_at: z.string().meta({ description: 'By the clock of the author.' }),
    committed_at: z.string().meta({ description: 'By that of the committer, which `before:` and `after:` mean.' }),
    files: z
      .array(
        commitFileSchema.extend({
          added: lines.meta({ description: 'Lines that it added; null where nobody counted them.' }),
          deleted: lines.meta({ description: 'Lines that it took away, likewise.' }),
          now: z.string().nullable().meta({ description: 'Where the same file was last, if elsewhere.' }),
        }),
      )
      .max(maxFiles)
      .meta({ description: `What it changed, ${maxFiles} at most; nothing of a merge.` }),
    total_files: z.int().min(0).meta({ description: 'All that it changed.' }),
    symbols: z
      .array(symbolSchema)
      .max(maxSymbols)
      .meta({
        description: `Functions and classes at the loaded commit that have lines which this one wrote, ${maxSymbols} at most, in up to ${maxFilesAsked} of its files.`,
      }),
    changed_kept: commitSchema.shape.changed_kept.meta({
      description: 'Whether all identifiers of the lines that it changed are searched: `whole`, `part` or `none`.',
    }),
    url: z.string().nullable().meta({ description: 'On the forge that it was cloned from, where that is known.' }),
  })
  .meta({ id: 'CommitFound' });
export type CommitOfItem = z.infer<typeof commitOfItemSchema>;

/** What narrows a search for commits beside the box. */
export interface CommitFilters {
  repositories: readonly string[] | undefined;
  paths: readonly string[] | undefined;
  /** Of the score, 0 to 100. */
  minScore: number | undefined;
}

/** A commit as an item is made of it. */
export interface CommitHit {
  repository: string;
  subject: string;
  body: string;
  /** 0 to 100. */
  relevance: number;
  highlights: { field: 'name' | 'doc'; ranges: [number, number][] }[];
  commit: CommitOfItem;
}

export interface CommitsAnswer extends Pick<FoundCommits, 'total' | 'end' | 'byRepository'> {
  hits: CommitHit[];
  /** Words that no commit has, where some were enough; null where each hit has all. */
  leftOut: string[] | null;
  hints: string[];
}

/** Looks for commits as they are asked for in the box; `now`: what "2 weeks ago" is counted from. */
export async function searchCommits(
  view: View,
  box: string,
  { repositories, paths, minScore }: CommitFilters,
  page: Pick<CommitQuery, 'sort' | 'order' | 'offset' | 'limit' | 'after' | 'withFacet'>,
  now: Date,
): Promise<CommitsAnswer> {
  const { hints, ...typed } = typedCommitQuery(
    [box, ...(paths ?? []).map((path) => `path:"${path.replaceAll('"', '')}"`)].join(' '),
    now,
  );
  const { words } = typed;
  const query: CommitQuery = {
    ...typed,
    ...page,
    repositories: both(typed.repositories, repositories),
    isAnyEnough: false,
    least: Math.ceil(((minScore ?? 0) / 100) * maxPoints * words.length),
  };
  const all = await view.source.commits(query);
  // As a sentence that nothing has as a whole: what has most of it is shown.
  const isRelaxed = all.total === 0 && words.length > 1;
  const found = isRelaxed ? await view.source.commits({ ...query, isAnyEnough: true }) : all;
  const infos = new Map((await view.snapshots.list()).map(({ repository, info }) => [repository, info]));
  const symbolsOf = await symbolsWritten(view, found.commits);
  return {
    hits: found.commits.map(({ repository, points, subject, body, ...commit }) => ({
      repository,
      subject,
      body,
      relevance: Math.round((10 * (100 * points)) / (maxPoints * Math.max(1, words.length))) / 10,
      highlights: [
        { field: 'name' as const, ranges: rangesIn(subject, words) },
        { field: 'doc' as const, ranges: rangesIn(body, words) },
      ].filter(({ ranges }) => ranges.length > 0),
      commit: {
        ...commit,
        files: commit.files.slice(0, maxFiles).map(({ now: place = null, ...file }) => ({ ...file, now: place })),
        symbols: symbolsOf(repository, commit.id),
        url: commitLink(infos.get(repository) ?? { source: '' }, commit.id),
      },
    })),
    total: found.total,
    end: found.end,
    byRepository: found.byRepository,
    leftOut:
      isRelaxed && found.total > 0
        ? words.filter((_, word) => !found.known[word]).map(({ typed: word }) => word)
        : null,
    hints: [...hints, ...(await hintsOnCover(view, query, found, infos))],
  };
}

function both(one: readonly string[] | null, other: readonly string[] | undefined): readonly string[] | null {
  if (one === null || other === undefined) return one ?? other ?? null;
  const small = new Set(other.map((each) => each.toLowerCase()));
  return one.filter((each) => small.has(each.toLowerCase()));
}

/** Says what was not searched, of the repositories that are meant. */
async function hintsOnCover(
  { source, names }: View,
  { words, repositories, notRepositories }: CommitQuery,
  { incomplete }: FoundCommits,
  infos: ReadonlyMap<string, { commits_total?: number | undefined }>,
): Promise<string[]> {
  const meant = repositories && new Set(repositories.map(names.shownName));
  const isMeant = (name: string) => meant?.has(name) !== false && !notRepositories.includes(name);
  const kept = [...(await source.kept())].filter(([name]) => isMeant(name)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const without = kept.filter(([, isKept]) => !isKept).map(([name]) => name);
  const isOld = ([name, isKept]: [string, boolean]) => isKept && infos.get(name)?.commits_total === undefined;
  const old = kept.filter(isOld).map(([name]) => name);
  const cut = kept.flatMap(([name]) => {
    const total = infos.get(name)?.commits_total ?? 0;
    return total > maxKeptCommits ? [`${name} (${total})`] : [];
  });
  const unknown = (repositories ?? []).filter((name) => !names.has(names.keyOf(name)));
  return [
    ...unknown.map((name) => `No repository is named ${JSON.stringify(name)}; GET /api/repositories lists them.`),
    ...said(without, 'loaded with --no-source, so its commits are not kept'),
    ...said(old, 'kept without a history that can be searched: where it has one, load it again'),
    ...(cut.length > 0 ? [`Only the newest ${maxKeptCommits} commits are searched of ${named(cut)}.`] : []),
    ...(words.length > 0 && incomplete > 0
      ? [
          `Of ${incomplete} commits not all that they changed is searched: it is the identifiers on changed lines of source files, up to 200 of a file and 400 of a commit, and of no very large change.`,
        ]
      : []),
  ];
}

const said = (all: readonly string[], what: string) => (all.length === 0 ? [] : [`${named(all)}: ${what}.`]);
const named = (all: readonly string[]) =>
  `${all.slice(0, maxNamed).join(', ')}${all.length > maxNamed ? ` and ${all.length - maxNamed} more` : ''}`;

/** Functions and classes of which commits wrote lines that are still there. */
async function symbolsWritten(view: View, commits: FoundCommits['commits']) {
  const asked = commits.flatMap(({ repository, id, files }) =>
    files
      .filter(({ status }) => status !== 'D')
      .slice(0, maxFilesAsked)
      .map(({ path: then, now: path = then }) => ({ commit: id, repository, path })),
  );
  // Commits that follow one another change the same files.
  const places = [...new Map(asked.map((each) => [fileKey(each), each])).values()];
  const all = await view.source.histories(places);
  const histories = new Map(places.map((place, index) => [fileKey(place), all[index]]));
  const wrote = asked.map((each) => ({ ...each, lines: linesOf(histories.get(fileKey(each)), each.commit) }));
  const symbolAt = await symbolsAt(view, wrote);
  const byCommit = Map.groupBy(wrote, ({ repository, commit }) => `${repository}\n${commit}`);
  return (repository: string, commit: string): EnclosingSymbol[] => {
    const symbols = new Map<string, EnclosingSymbol>();
    for (const { path, lines } of byCommit.get(`${repository}\n${commit}`) ?? [])
      for (const line of lines) {
        const symbol = symbolAt(repository, path, line);
        if (symbol !== null) symbols.set(symbol.id, symbol);
        if (symbols.size === maxSymbols) return [...symbols.values()];
      }
    return [...symbols.values()];
  };
}

const fileKey = ({ repository, path }: { repository: string; path: string }) => `${repository}\n${path}`;

/** Lines of a file that a commit wrote, from 1. */
function linesOf(history: LineHistory | undefined, commit: string): number[] {
  const place = history?.commits.findIndex(({ id }) => id === commit) ?? -1;
  const lines: number[] = [];
  if (history === undefined || place === -1) return lines;
  let line = 1;
  for (const [length, of] of history.runs) {
    if (of === place) for (let next = 0; next < length; next++) lines.push(line + next);
    line += length;
    if (lines.length >= maxLinesAsked) break;
  }
  return lines.slice(0, maxLinesAsked);
}

const maxRanges = 20;

/** Where the words are, in UTF-16 units. */
function rangesIn(text: string, words: readonly Asked[]): [number, number][] {
  const begun = words.flatMap(({ ways }) =>
    ways.flatMap(({ way }) => ((way.in === 'subject' || way.in === 'body') && way.op !== 'phrase' ? [way.term] : [])),
  );
  const inARow = words.flatMap(({ ways }) => ways.flatMap(({ way }) => (way.op === 'phrase' ? [way.terms] : [])));
  const all = pieces(text);
  const ranges: [number, number][] = [];
  for (const [at, { token, start, end }] of all.entries()) {
    const row = inARow.find((terms) => terms.every((term, next) => all[at + next]?.token === term));
    if (row === undefined && !begun.some((term) => token.startsWith(term))) continue;
    const until = all[at + (row?.length ?? 1) - 1]?.end ?? end;
    const before = ranges.at(-1);
    if (before && start <= before[1]) before[1] = Math.max(before[1], until);
    else if (ranges.length < maxRanges) ranges.push([start, until]);
  }
  return ranges;
}

/** The place of a page's end as the cursors of searches have it, and back. */
export const placeInCursor = (end: CommitPlace | null) => end && ([end[0], end[1], `${end[2]} ${end[3]}`] as const);
export function placeFromCursor(after: readonly [number | null, string, string] | null): CommitPlace | null {
  if (after === null) return null;
  const [points, committedAt, last] = after;
  const [id = '', ...repository] = last.split(' ');
  return [points ?? 0, committedAt, id, repository.join(' ')];
}
