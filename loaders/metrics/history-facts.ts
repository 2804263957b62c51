import { contributorId, isBot } from '../snapshot/contributors.ts';
import { languageOf } from '../languages/index.ts';
import { isOwnCode } from '../snapshot/select-files.ts';
import type { Contributor } from '../snapshot/contributors.ts';
import type { HistoryCommit } from '../snapshot/snapshot.ts';
import type { Weight } from './hollow-changes.ts';

/** Twelve months: back from the commit that is measured, not from today, so that the same commit gives the same figures. */
export const yearMs = 365 * 86_400_000;

/** What the metrics ask of the history, gathered in the one pass over it. Times are milliseconds since 1970. */
export interface HistoryFacts {
  /** Newest first. */
  commits: readonly CommitFacts[];
  /** By the path that a file has at the commit that is measured; of files that are gone as well, unless those that are present were told. */
  files: ReadonlyMap<string, FileHistory>;
  /** Committer's time of the commit that is measured; of the newest that is not of a time to come, where that one is. */
  headAt: number;
  /** No commit is believed to be later. */
  until: number;
  /**
   * So many lines more than now the repository's own code had within twelve months for a month at least; null where no change has lines.
   */
  shrunkBy: number | null;
  /** Paths of files that were its own code and lie among that of others, or of tools, now. */
  movedAway: ReadonlySet<string>;
  /** Paths of files, as they are now, whose name was of a language that is parsed within twelve months. */
  wereParsed: ReadonlySet<string>;
}

export interface CommitFacts {
  id: string;
  parents: readonly string[];
  /** Contributor's id. */
  author: string;
  bot: boolean;
  authoredAt: number;
  committedAt: number;
  subject: string;
  /** It changes what code says. */
  changesCode: boolean;
  /** All that it changes is how code is written: comments, white space, places. */
  hollow: boolean;
  /** Whose code or content it changes: within twelve months, by the paths that the files have now; null for older commits. */
  paths: readonly string[] | null;
}

export interface FileHistory {
  /** Who added it, or added it again; nobody where the history does not go back so far. */
  creators: ReadonlySet<string>;
  /** Commits that changed what its code says, by author; 0 of one who only added it. */
  changes: ReadonlyMap<string, number>;
  /** Committer's time of the last change. */
  changedAt: number;
}

/** Takes the commits one by one, newest first. */
export interface HistoryCollector {
  add(commit: HistoryCommit, weights: readonly Weight[]): void;
  /** Null where there was no commit. `contributors` say which addresses are one person's. */
  facts(contributors: readonly Pick<Contributor, 'id' | 'also'>[]): HistoryFacts | null;
}

/** A change of more lines in one file is of what a tool wrote. */
const maxWritten = 5_000;
/** What was there for less is a mistake that somebody mended: build output, installed packages. */
const minHeldMs = 30 * 86_400_000;

/** Clocks and time zones are wrong by less. */
const toleranceMs = 86_400_000;

/**
 * Gathers what the metrics ask; holds a few words a commit and a count for each file and author. A commit of a time that has not
 * come on `asOf` (by default now) says nothing of when anything was done: it counts as made with the newest that does. Of files that are
 * not `present` nothing is kept: most that a long history ever had are gone.
 */
export function collectHistory({
  asOf = Date.now(),
  present,
}: { asOf?: number | undefined; present?: ReadonlySet<string> } = {}): HistoryCollector {
  const until = asOf + toleranceMs;
  const commits: (CommitFacts & { author: string })[] = [];
  const files = new Map<string, { creators: Set<string>; changes: Map<string, number>; changedAt: number }>();
  /** Paths of the past by what they are called now. */
  const renamed = new Map<string, string>();
  const nameNow = (path: string) => renamed.get(path) ?? path;
  let headAt = 0;
  const sizes = collectSizes();
  const movedAway = new Set<string>();
  const wereParsed = new Set<string>();
  /** Commits of a time to come, before the first that is believed. */
  let unbelieved: { commit: HistoryCommit; weights: readonly Weight[] }[] = [];

  const keep = (path: string, by: { who: string; at: number; status: string; isHollow: boolean }) => {
    const { who, at, status, isHollow } = by;
    let file = files.get(path);
    if (!file) files.set(path, (file = { creators: new Set(), changes: new Map(), changedAt: at }));
    const isAdded = status === 'A' || status === 'C';
    if (isAdded) file.creators.add(who);
    if (status !== 'D' && !isHollow) file.changes.set(who, (file.changes.get(who) ?? 0) + (isAdded ? 0 : 1));
  };
  const take = (
    { id, parents, author, authoredAt, subject, changes }: HistoryCommit,
    weights: readonly Weight[],
    at: number,
  ) => {
    const who = contributorId(author);
    const paths: string[] = [];
    const isRecent = headAt - at <= yearMs;
    sizes.add(changes, at, headAt);
    for (const [index, { path, oldPath, status }] of changes.entries()) {
      const weight = weights[index] ?? null;
      const now = nameNow(path);
      if (oldPath !== null && isOwnCode(oldPath)) {
        if (!isOwnCode(path)) movedAway.add(now);
        if (isRecent && languageOf(oldPath) !== null) wereParsed.add(now);
      }
      if (weight !== 'hollow' && isRecent) paths.push(now);
      if (!present || present.has(now)) keep(now, { who, at, status, isHollow: weight === 'hollow' });
      // Before this commit the file had the other name, and this name was another file's, or nobody's.
      if (status === 'R' && oldPath !== null) {
        renamed.delete(path);
        renamed.set(oldPath, now);
      }
    }
    commits.push({
      id,
      parents,
      author: who,
      bot: isBot(author),
      authoredAt: Math.min(Date.parse(authoredAt), Math.max(at, until)),
      committedAt: at,
      subject,
      changesCode: weights.includes('code'),
      hollow: changes.length > 0 && weights.every((weight) => weight === 'hollow'),
      paths: isRecent ? paths : null,
    });
  };
  const begin = (at: number) => {
    headAt = at;
    for (const { commit, weights } of unbelieved) take(commit, weights, at);
    unbelieved = [];
  };

  return {
    add(commit, weights) {
      const at = Date.parse(commit.committedAt);
      if (at <= until) {
        if (commits.length === 0) begin(at);
        take(commit, weights, at);
      } else if (commits.length > 0) take(commit, weights, headAt);
      else unbelieved.push({ commit, weights });
    },
    facts(contributors) {
      const [first] = unbelieved;
      if (first) begin(Date.parse(first.commit.committedAt));
      const persons = new Map(contributors.flatMap(({ id, also }) => also.map((other) => [other, id])));
      if (persons.size > 0) {
        const personOf = (id: string) => persons.get(id) ?? id;
        for (const commit of commits) commit.author = personOf(commit.author);
        for (const file of files.values()) {
          if (isDisjoint(file.creators, persons) && isDisjoint(file.changes, persons)) continue;
          file.creators = new Set([...file.creators].map(personOf));
          const changes = new Map<string, number>();
          for (const [id, count] of file.changes) changes.set(personOf(id), (changes.get(personOf(id)) ?? 0) + count);
          file.changes = changes;
        }
      }
      if (commits.length === 0) return null;
      return { commits, files, headAt, until, shrunkBy: sizes.shrunkBy(), movedAway, wereParsed };
    },
  };
}

function isDisjoint(ids: Pick<ReadonlyMap<string, unknown>, 'keys'>, others: ReadonlyMap<string, unknown>): boolean {
  for (const id of ids.keys()) if (others.has(id)) return false;
  return true;
}

/** Takes the commits newest first, as HistoryCollector does; `shrunkBy` as in HistoryFacts. */
function collectSizes() {
  /** Of twelve months how long there were how many lines of own code more than now. */
  const sizes: { larger: number; ms: number }[] = [];
  let larger = 0;
  let since: number | null = null;
  let hasLines = false;
  return {
    add(changes: HistoryCommit['changes'], at: number, headAt: number): void {
      const ms = (since ?? headAt) - Math.max(at, headAt - yearMs);
      if (ms > 0) sizes.push({ larger, ms });
      since = at;
      for (const { path, added, deleted } of changes) {
        hasLines ||= added !== null;
        const lost = (deleted ?? 0) - (added ?? 0);
        if (headAt - at <= yearMs && Math.abs(lost) <= maxWritten && isOwnCode(path)) larger += lost;
      }
    },
    shrunkBy(): number | null {
      let all = 0;
      const largest = sizes.toSorted((a, b) => b.larger - a.larger).find(({ ms }) => (all += ms) >= minHeldMs);
      return hasLines ? Math.max(0, largest?.larger ?? 0) : null;
    },
  };
}
