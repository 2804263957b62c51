import type { Measurements } from '../../src/model/due-diligence.ts';
import { yearMs } from './history-facts.ts';
import type { CommitFacts, FileHistory } from './history-facts.ts';
import type { MetricInput } from './metric.ts';

export const weekMs = 7 * 86_400_000;

/** A commit of a person's own: neither a bot's nor a merge. */
export function isHuman({ bot, parents }: CommitFacts): boolean {
  return !bot && parents.length < 2;
}

/** Each contributor's commits that are no merges, by the most within twelve months. */
export function sharesOf({
  history,
  contributors,
}: Pick<MetricInput, 'history' | 'contributors'>): Measurements['people'] {
  if (!history) return [];
  const { commits, headAt } = history;
  const counted = new Map<string, { commits: number; recent: number; code: number; weeks: Set<number> }>();
  for (const { author, parents, committedAt, changesCode, hollow } of commits) {
    if (parents.length > 1) continue;
    let share = counted.get(author);
    if (!share) counted.set(author, (share = { commits: 0, recent: 0, code: 0, weeks: new Set() }));
    share.commits += 1;
    const age = headAt - committedAt;
    if (age > yearMs) continue;
    share.recent += 1;
    if (changesCode) share.code += 1;
    if (!hollow) share.weeks.add(Math.min(51, Math.max(0, Math.floor(age / weekMs))));
  }
  return contributors
    .flatMap(({ id, also, name, bot }) => {
      const share = counted.get(id);
      if (!share) return [];
      const weeks = [...share.weeks].sort((a, b) => a - b);
      const { commits: all, recent, code } = share;
      const others = also.length === 0 ? {} : { also: [...also] };
      return [
        { id, ...others, name, bot, commits: all, commits_12m: recent, code_commits_12m: code, weeks_12m: weeks },
      ];
    })
    .sort((a, b) => b.commits_12m - a.commits_12m || b.commits - a.commits || (a.id < b.id ? -1 : 1));
}

/** Source files by the people who know them; only files that some person has changed. */
export function authorshipOf(input: Knowable): Measurements['authorship'] {
  const groups = new Map<string, { authors: string[]; files: number }>();
  for (const authors of knowledgeOf(input).values()) {
    const key = authors.join(' ');
    const group = groups.get(key);
    if (group) group.files += 1;
    else groups.set(key, { authors, files: 1 });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

type Knowable = Pick<MetricInput, 'history' | 'contributors'> & { files: readonly { path: string }[] };

/** Who knows each source file, sorted: its authors by degree of authorship. */
export function knowledgeOf({ history, files, contributors }: Knowable): Map<string, string[]> {
  const known = new Map<string, string[]>();
  const bots = new Set(contributors.filter(({ bot }) => bot).map(({ id }) => id));
  for (const { path } of files) {
    const authors = history ? authorsOf(history.files.get(path), bots) : null;
    if (authors) known.set(path, authors);
  }
  return known;
}

/**
 * Who knows a file: by degree of authorship, 3.293 + 1.098 FA + 0.164 DL - 0.321 ln(1 + AC), those with more than 0.75 of the file's
 * highest, and at least 3.293 unless they added it (Avelino, Passos, Hora, Valente 2016; aserg-ufmg/Truck-Factor). FA: added it, or
 * added it again; DL: own changes after that; AC: those of others. Null where no person touched it.
 */
function authorsOf(file: FileHistory | undefined, bots: ReadonlySet<string>): string[] | null {
  if (!file) return null;
  const people = [...file.changes].filter(([id]) => !bots.has(id));
  if (people.length === 0) return null;
  const all = people.reduce((sum, [, count]) => sum + count, 0);
  const degrees = people.map(([id, count]) => {
    const created = file.creators.has(id) ? 1.098 : 0;
    return { id, created, degree: 3.293 + created + 0.164 * count - 0.321 * Math.log(1 + all - count) };
  });
  const highest = Math.max(...degrees.map(({ degree }) => degree));
  return degrees
    .filter(({ created, degree }) => (degree >= 3.293 || created > 0) && degree > 0.75 * highest)
    .map(({ id }) => id)
    .sort();
}
